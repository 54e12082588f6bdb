//! Owns: what is known of a whole layer between waves, and how it begins: with its captures.
//!
//! Sets of positions are single allocations, cut into stripes only while a wave works on them.

use super::facing::Facing;
use super::gather::{Gather, Looked};
use super::grid::{BLOCK, Grid, Ones, Row, SparseRows};
use super::lower::LayerBits;
use super::side::SideMoves;
use super::wave::Stripe;
use super::{Ask, machine};
use crate::index::Layer;
use crate::progress::Progress;
use crate::retro::Halt;
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Rows that a thread fills at a time.
const SERIAL: usize = 1 << 11;

/// What a layer is solved with.
#[derive(Clone, Copy)]
pub struct Part<'a> {
    pub layer: Layer,
    pub grid: Grid,
    pub side: &'a SideMoves,
    pub facing: &'a Facing,
}

/// Working memory that threads take and give back.
#[derive(Default)]
pub struct Pool<T>(Mutex<Vec<T>>);

impl<T: Default> Pool<T> {
    pub fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = lock().pop();
        let mut item = taken.unwrap_or_default();
        let result = work(&mut item);
        lock().push(item);
        result
    }
}

/// What is known of a layer between waves: the stripes of [`Stripe`], one after the other.
pub struct Known {
    pub grid: Grid,
    pub open: Vec<Row>,
    pub open_lost: Option<Vec<Row>>,
    pub twin_won: Vec<Row>,
    alive: Vec<u64>,
    held: Vec<SparseRows>,
}

impl Known {
    /// Nothing is known.
    pub fn new(part: &Part<'_>, ask: Ask) -> Self {
        let grid = part.grid;
        let rows = grid.padded_rows();
        let filled = |row: &(dyn Fn(usize) -> Row + Sync)| {
            let mut set = crate::retro::memory::room(rows * grid.stripes());
            let all = (0..rows * grid.stripes()).into_par_iter();
            all.with_min_len(SERIAL).map(row).collect_into_vec(&mut set);
            set
        };
        let exists = |block: usize| {
            let left = grid.rows - block * BLOCK;
            if left < BLOCK {
                (1 << left) - 1
            } else {
                u64::MAX
            }
        };
        Self {
            grid,
            open: filled(&|_| Row::EMPTY),
            open_lost: (ask == Ask::End).then(|| {
                filled(&|at| {
                    let (stripe, row) = (at / rows, at % rows);
                    let over = part.side.over[row / BLOCK] >> (row % BLOCK) & 1 == 1;
                    if over || row >= grid.rows {
                        Row::EMPTY
                    } else {
                        grid.columns_of(stripe)
                    }
                })
            }),
            twin_won: filled(&|_| Row::EMPTY),
            alive: (0..grid.blocks() * grid.stripes())
                .map(|at| exists(at % grid.blocks()))
                .collect(),
            held: Vec::new(),
        }
    }

    /// All stripes, to be worked on.
    pub fn stripes(&mut self) -> impl Iterator<Item = Stripe<'_>> {
        let rows = self.grid.padded_rows();
        let held = &self.held[..];
        let mut open_lost = self
            .open_lost
            .as_mut()
            .map(|set| set.chunks_exact_mut(rows));
        self.open
            .chunks_exact_mut(rows)
            .zip(self.twin_won.chunks_exact_mut(rows))
            .zip(self.alive.chunks_exact_mut(rows / BLOCK))
            .map(move |((open, twin_won), alive)| Stripe {
                open,
                open_lost: open_lost.as_mut().and_then(Iterator::next),
                twin_won,
                alive,
                held,
            })
    }

    /// Looks up all captures of a layer, in blocks of rows.
    pub fn gather(
        &mut self,
        part: &Part<'_>,
        lower: &[&LayerBits],
        ask: Ask,
        progress: &dyn Progress,
    ) -> Result<(), Halt> {
        let mut blocks: Vec<Vec<&mut [Row]>> = Vec::new();
        blocks.resize_with(part.grid.blocks(), Vec::new);
        for (at, rows) in self.open.chunks_exact_mut(BLOCK).enumerate() {
            blocks[at % part.grid.blocks()].push(rows);
        }
        let pool = Pool::<Looked>::default();
        let held: Option<Vec<SparseRows>> = blocks
            .par_iter_mut()
            .enumerate()
            .map(|(block, wins)| {
                if progress.stopped() {
                    return None;
                }
                let rows = (part.grid.rows - block * BLOCK).min(BLOCK);
                let held = pool.with(|looked| {
                    machine::run(Gather {
                        grid: part.grid,
                        block,
                        side: part.side,
                        facing: part.facing,
                        lower,
                        crossed: ask == Ask::End,
                        looked,
                        wins,
                    })
                });
                progress.advance(rows as u64 * part.grid.columns as u64);
                Some(held)
            })
            .collect();
        self.held = held.ok_or(Halt::Stopped)?;
        Ok(())
    }

    /// Forgets captures of positions that are no longer open, which after the first wave are most.
    pub fn thin(&mut self) {
        let open = self.open_lost.as_ref().unwrap_or(&self.open);
        let rows = self.grid.padded_rows();
        self.held
            .par_iter_mut()
            .enumerate()
            .for_each(|(block, held)| {
                let left = |stripe: usize| {
                    let (mask, captures) = held.block(stripe);
                    let mut left = (0, Vec::new());
                    for (i, capture) in Ones(mask).zip(captures) {
                        let row = capture.and(open[stripe * rows + block * BLOCK + i]);
                        if !row.is_empty() {
                            left.0 |= 1 << i;
                            left.1.push(row);
                        }
                    }
                    left
                };
                let stripes: Vec<(u64, Vec<Row>)> = (0..self.grid.stripes()).map(left).collect();
                *held = SparseRows::packed(&stripes);
            });
    }
}
