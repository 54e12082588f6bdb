//! Owns: which positions of a layer form a block, and in what order.
//!
//! A layer whose sides are fixed is a matrix with the mover's side as row, and what is alike in it
//! lies in the same row or column: its blocks are tiles, in which both have company. Other layers are
//! cut into runs of ranks.

use crate::board::Board;
use crate::index::{Index, Layer};
use std::ops::Range;

/// Most positions in a block.
pub const BLOCK: u64 = 1 << 16;

/// Columns of a tile, where the layer has as many.
const TILE: u64 = 1 << 8;

/// How a layer is cut into blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    rows: u64,
    columns: u64,
    tile_rows: u64,
    tile_columns: u64,
}

impl Geometry {
    /// The cut of `layer`.
    pub fn new<B: Board>(index: &Index<B>, layer: Layer) -> Self {
        let positions = index.positions(layer);
        let (rows, columns, most) = match layer {
            Layer::Sides(own, other) => (
                index.ring().ways(own.into()),
                index.ring().ways(other.into()),
                TILE,
            ),
            Layer::Total(_) => (1, positions, BLOCK),
        };
        let tile_columns = columns.min(most);
        Self {
            rows,
            columns,
            tile_rows: (BLOCK / tile_columns).min(rows),
            tile_columns,
        }
    }

    /// Positions in the layer.
    pub fn positions(&self) -> u64 {
        self.rows * self.columns
    }

    fn across(&self) -> u64 {
        self.columns.div_ceil(self.tile_columns)
    }

    /// Blocks in the layer.
    pub fn blocks(&self) -> u64 {
        self.rows.div_ceil(self.tile_rows) * self.across()
    }

    /// The rows and the columns of a block.
    fn sides(&self, block: u64) -> (Range<u64>, Range<u64>) {
        let row = block / self.across() * self.tile_rows;
        let column = block % self.across() * self.tile_columns;
        (
            row..(row + self.tile_rows).min(self.rows),
            column..(column + self.tile_columns).min(self.columns),
        )
    }

    /// Positions in each of the block's rows.
    pub fn width(&self, block: u64) -> u64 {
        let (_, columns) = self.sides(block);
        columns.end - columns.start
    }

    /// Positions in a block.
    pub fn size(&self, block: u64) -> u64 {
        let (rows, columns) = self.sides(block);
        (rows.end - rows.start) * (columns.end - columns.start)
    }

    /// The runs of ranks that make up a block, in the order of its positions.
    pub fn runs(&self, block: u64) -> impl Iterator<Item = Range<u64>> + use<> {
        let (rows, columns) = self.sides(block);
        let width = self.columns;
        rows.map(move |row| row * width + columns.start..row * width + columns.end)
    }

    /// The block of a rank and its place in it.
    #[inline(always)]
    pub fn place(&self, rank: u64) -> (u64, usize) {
        if self.rows == 1 {
            return (
                rank / self.tile_columns,
                (rank % self.tile_columns) as usize,
            );
        }
        let (row, column) = (rank / self.columns, rank % self.columns);
        let across = self.across();
        let block = row / self.tile_rows * across + column / self.tile_columns;
        let start = column - column % self.tile_columns;
        let width = self.tile_columns.min(self.columns - start);
        (
            block,
            (row % self.tile_rows * width + column - start) as usize,
        )
    }

    /// Picks a block's positions out of the whole layer's.
    pub fn gather<T: Copy>(&self, block: u64, layer: &[T]) -> Vec<T> {
        let mut out = Vec::with_capacity(self.size(block) as usize);
        for run in self.runs(block) {
            out.extend_from_slice(&layer[run.start as usize..run.end as usize]);
        }
        out
    }

    /// Puts a block's positions into the whole layer's.
    pub fn scatter<T: Copy>(&self, block: u64, positions: &[T], layer: &mut [T]) {
        let mut at = 0;
        for run in self.runs(block) {
            let len = (run.end - run.start) as usize;
            layer[run.start as usize..run.end as usize].copy_from_slice(&positions[at..at + len]);
            at += len;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rank_has_one_place() {
        for (rows, columns, tile_rows, tile_columns) in [
            (1, 1, 1, 1),
            (1, 1000, 1, 64),
            (300, 500, 64, 32),
            (7, 10, 3, 4),
            (9, 4, 9, 4),
        ] {
            let geometry = Geometry {
                rows,
                columns,
                tile_rows,
                tile_columns,
            };
            let layer: Vec<u64> = (0..geometry.positions()).collect();
            let mut back = vec![0; layer.len()];
            for block in 0..geometry.blocks() {
                let mine = geometry.gather(block, &layer);
                assert_eq!(mine.len() as u64, geometry.size(block));
                for (at, &rank) in mine.iter().enumerate() {
                    assert_eq!(geometry.place(rank), (block, at));
                }
                geometry.scatter(block, &mine, &mut back);
            }
            assert_eq!(back, layer);
        }
    }
}
