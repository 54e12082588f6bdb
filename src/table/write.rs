//! Owns: writing a solved layer into its file.
//!
//! Blocks are packed by all threads, a batch at a time. In layers of several batches each is kept on
//! the disk at once ([`super::packing`]), so that an interruption costs one batch.

use super::block::{Coder, Looks};
use super::error::TableError;
use super::files::write_whole;
use super::format::{ENTRY_BYTES, Header, PlaneIndex, checksum, hash_text, place};
use super::geometry::Geometry;
use super::hint::Predictor;
use super::manifest::{LayerEntry, file_name};
use super::packing::{PackLog, Packed};
use crate::board::Board;
use crate::index::{Index, Layer};
use crate::progress::Progress;
use crate::tally::Tally;
use crate::value::{Code, Distance, Distances, Value, decode};
use rayon::prelude::*;
use std::fmt::Debug;
use std::ops::Range;
use std::path::Path;
use xxhash_rust::xxh3::Xxh3;

/// Blocks that are packed before they are put on the disk, unless told otherwise: some two million
/// positions, seconds of work.
pub const BATCH: u64 = 32;

/// Where the values of a solved layer are read from.
pub trait Values: Debug + Sync {
    /// Positions in the layer.
    fn positions(&self) -> u64;

    /// Appends the codes of both bounds of the positions at `ranks`, and their distances (0 for bounds
    /// that are infinite or whose distance is not kept).
    fn read(
        &self,
        ranks: Range<u64>,
        codes: &mut Vec<[Code; 2]>,
        distances: &mut Vec<[Distance; 2]>,
    );
}

/// Values that lie in memory by rank.
#[derive(Clone, Copy, Debug)]
pub struct InMemory<'a> {
    /// Codes of both bounds.
    pub codes: &'a [[Code; 2]],
    /// Their distances.
    pub distances: &'a Distances,
}

impl Values for InMemory<'_> {
    fn positions(&self) -> u64 {
        self.codes.len() as u64
    }

    fn read(
        &self,
        ranks: Range<u64>,
        codes: &mut Vec<[Code; 2]>,
        distances: &mut Vec<[Distance; 2]>,
    ) {
        let ranks = ranks.start as usize..ranks.end as usize;
        codes.extend_from_slice(&self.codes[ranks.clone()]);
        distances.extend(ranks.map(|at| self.distances.get(at)));
    }
}

/// A solved layer, to be written.
#[derive(Clone, Copy, Debug)]
pub struct Solved<'a, B: Board> {
    /// How positions are numbered.
    pub index: &'a Index<B>,
    /// The layer.
    pub layer: Layer,
    /// What is at stake in it.
    pub stake: u32,
    /// Whether captured seeds decide the game.
    pub scored: bool,
    /// Its values.
    pub values: &'a dyn Values,
    /// Whether the table keeps distances.
    pub keep_distances: bool,
    /// Blocks that are packed before they are put on the disk, at least 1.
    pub batch: u64,
}

impl<B: Board> Solved<'_, B> {
    /// Packs all blocks that have not been packed before; `None` when stopped.
    fn pack(
        &self,
        directory: &Path,
        fingerprint: &str,
        predictor: &impl Predictor<B>,
        progress: &dyn Progress,
    ) -> Result<Option<Vec<Packed>>, TableError> {
        let geometry = Geometry::new(self.index, self.layer);
        let blocks = geometry.blocks();
        if blocks <= self.batch {
            return Ok(self.batch(&geometry, 0..blocks, predictor, progress));
        }
        let name = format!("{fingerprint} {} {}", self.layer, self.keep_distances);
        let (mut log, mut packed) = PackLog::open(directory, self.layer, &name)?;
        packed.truncate(blocks as usize);
        progress.skip(
            (0..packed.len() as u64)
                .map(|block| geometry.size(block))
                .sum(),
        );
        while (packed.len() as u64) < blocks {
            let from = packed.len() as u64;
            let to = (from + self.batch).min(blocks);
            let Some(batch) = self.batch(&geometry, from..to, predictor, progress) else {
                return Ok(None);
            };
            log.append(&batch)?;
            packed.extend(batch);
        }
        Ok(Some(packed))
    }

    /// Packs some blocks, in parallel; `None` when stopped.
    fn batch(
        &self,
        geometry: &Geometry,
        blocks: Range<u64>,
        predictor: &impl Predictor<B>,
        progress: &dyn Progress,
    ) -> Option<Vec<Packed>> {
        blocks
            .into_par_iter()
            .map_init(Coder::default, |coder, block| {
                if progress.stopped() {
                    return None;
                }
                let packed = self.pack_block(geometry, block, predictor, coder);
                progress.advance(geometry.size(block));
                Some(packed)
            })
            .collect()
    }

    fn pack_block(
        &self,
        geometry: &Geometry,
        block: u64,
        predictor: &impl Predictor<B>,
        coder: &mut Coder,
    ) -> Packed {
        let looks = Looks::new(
            self.index,
            self.layer,
            block,
            self.stake,
            self.scored,
            predictor,
        );
        let size = geometry.size(block) as usize;
        let (mut codes, mut distances) = (Vec::with_capacity(size), Vec::with_capacity(size));
        for run in geometry.runs(block) {
            self.values.read(run, &mut codes, &mut distances);
        }
        let mut tally = Tally::default();
        for (&[lower, upper], &[lower_distance, upper_distance]) in codes.iter().zip(&distances) {
            tally.count(&Value {
                lower: decode(lower, self.stake),
                upper: decode(upper, self.stake),
                lower_distance,
                upper_distance,
            });
        }
        let values = looks.encode_values(coder, &codes);
        let distances = if self.keep_distances {
            looks.encode_distances(coder, &codes, &distances)
        } else {
            Vec::new()
        };
        Packed {
            planes: [values, distances],
            tally,
        }
    }

    /// Writes the layer's file and says what the manifest must know of it; `None` when stopped. Called
    /// again after an interruption with the same values it goes on where it was.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(
        &self,
        directory: &Path,
        fingerprint: &str,
        predictor: &impl Predictor<B>,
        progress: &dyn Progress,
    ) -> Result<Option<LayerEntry>, TableError> {
        let Some(packed) = self.pack(directory, fingerprint, predictor, progress)? else {
            return Ok(None);
        };
        let header = Header {
            fingerprint: fingerprint.to_owned(),
            layer: self.layer,
            positions: self.values.positions(),
            blocks: packed.len() as u64,
            planes: 1 + u8::from(self.keep_distances),
        };
        let head = header.to_bytes();
        let mut at = head.len() as u64;
        let mut indexes = Vec::new();
        let mut sizes = [0; 2];
        for (plane, size) in sizes.iter_mut().enumerate().take(header.planes.into()) {
            let index = index_of(&packed, self.layer, plane, at);
            *size = index.end() - at;
            at = index.end();
            indexes.push(index.to_bytes(self.layer, plane));
        }
        let mut parts: Vec<&[u8]> = vec![&head];
        for (plane, index) in indexes.iter().enumerate() {
            parts.push(index);
            parts.extend(packed.iter().map(|block| &block.planes[plane][..]));
        }
        let mut hasher = Xxh3::new();
        parts.iter().for_each(|part| hasher.update(part));
        let hash = hasher.digest128();
        let tail = hash.to_le_bytes();
        parts.push(&tail);
        write_whole(&directory.join(file_name(self.layer)), &parts)?;
        let tally = packed
            .iter()
            .fold(Tally::default(), |sum, block| sum.plus(block.tally));
        let bytes = at + tail.len() as u64;
        Ok(Some(entry(
            self.layer,
            &tally,
            bytes,
            sizes,
            hash_text(hash),
        )))
    }
}

/// Where the blocks of a plane will lie, when its index begins at `at`.
fn index_of(packed: &[Packed], layer: Layer, plane: usize, at: u64) -> PlaneIndex {
    let mut end = at + packed.len() as u64 * ENTRY_BYTES + 8;
    let start = end;
    let entries = packed
        .iter()
        .enumerate()
        .map(|(number, block)| {
            let bytes = &block.planes[plane];
            end += bytes.len() as u64;
            (
                end,
                checksum(bytes, place(layer, plane, Some(number as u64))),
            )
        })
        .collect();
    PlaneIndex { start, entries }
}

fn entry(layer: Layer, tally: &Tally, bytes: u64, planes: [u64; 2], hash: String) -> LayerEntry {
    LayerEntry {
        layer: layer.to_string(),
        positions: tally.positions,
        wins: tally.wins,
        draws: tally.draws,
        losses: tally.losses,
        lower_ne_upper: tally.lower_ne_upper,
        lower_infinite: tally.lower_infinite,
        upper_infinite: tally.upper_infinite,
        max_distance: tally.max_distance,
        sum_distance: tally.sum_distance,
        bytes,
        value_bytes: planes[0],
        distance_bytes: planes[1],
        hash,
    }
}
