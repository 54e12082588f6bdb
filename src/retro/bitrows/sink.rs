//! Owns: handing out what becomes known, wave by wave, and ways to keep it.
//!
//! The solver holds no distances: a position's distance is the number of the wave that hands it out.
//! What is to be done with that is the caller's choice: count ([`Counts`]), keep as planes of bits
//! ([`Planes`]), write to a stream.

use super::grid::{BLOCK, Grid, Ones, Row, STRIPE, WORDS};
use super::machine;
use super::wave::Fresh;
use crate::index::Layer;
use crate::value::{Distance, Outcome};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Positions of one stripe of a layer that became won or lost in one wave.
#[derive(Clone, Copy, Debug)]
pub struct Patch<'a> {
    /// The layer.
    pub layer: Layer,
    /// Its size: rows = the mover's configurations, columns = the opponent's.
    pub grid: Grid,
    /// Number of the wave: the distance of these positions.
    pub wave: Distance,
    /// Number of the stripe: its first column is `512 * stripe`.
    pub stripe: usize,
    pub(super) fresh: &'a Fresh,
}

impl<'a> Patch<'a> {
    /// Calls `each` with every row in which positions became won: number and bits.
    pub fn each_won(&self, each: impl FnMut(usize, &'a Row)) {
        self.each_row(|block| self.fresh.won.block(block), each);
    }

    /// Calls `each` with every row in which positions became lost: number and bits.
    pub fn each_lost(&self, each: impl FnMut(usize, &'a Row)) {
        self.each_row(|block| self.fresh.lost.block(block), each);
    }

    fn each_row(
        &self,
        rows_of: impl Fn(usize) -> (u64, &'a [Row]),
        mut each: impl FnMut(usize, &'a Row),
    ) {
        for block in 0..self.grid.blocks() {
            let (mask, rows) = rows_of(block);
            let mut rows = rows.iter();
            for i in Ones(mask) {
                if let Some(row) = rows.next() {
                    each(block * BLOCK + i, row);
                }
            }
        }
    }

    /// How many positions became won, and lost.
    pub fn count(&self) -> [u64; 2] {
        machine::run(Count(self.fresh))
    }
}

/// Counts the positions of a stripe.
struct Count<'a>(&'a Fresh);

impl machine::Kernel for Count<'_> {
    type Output = [u64; 2];

    #[inline(always)]
    fn run(self) -> [u64; 2] {
        [&self.0.won, &self.0.lost].map(|set| {
            let words = set.rows().iter().flat_map(|row| row.0);
            words.map(|word| u64::from(word.count_ones())).sum()
        })
    }
}

/// Takes what becomes known.
pub trait Sink: Sync {
    /// Called once for every stripe and wave in which something became known, from many threads, but
    /// for one stripe of a layer never from two at once, and in the order of its waves. A position is
    /// handed out at most once as won or lost; those never handed out are draws.
    fn take(&self, patch: &Patch<'_>);
}

impl<F: Fn(&Patch<'_>) + Sync> Sink for F {
    fn take(&self, patch: &Patch<'_>) {
        self(patch);
    }
}

/// A lock on what a panicking thread may have left half done is no worse than the panic itself.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Counts positions by distance.
#[derive(Debug, Default)]
pub struct Counts {
    layers: Mutex<BTreeMap<Layer, BTreeMap<Distance, [u64; 2]>>>,
}

impl Counts {
    /// The numbers of positions won and lost at each distance.
    pub fn layer(&self, layer: Layer) -> BTreeMap<Distance, [u64; 2]> {
        lock(&self.layers).get(&layer).cloned().unwrap_or_default()
    }
}

impl Sink for Counts {
    fn take(&self, patch: &Patch<'_>) {
        let [won, lost] = patch.count();
        let mut layers = lock(&self.layers);
        let counts = layers.entry(patch.layer).or_default();
        let count = counts.entry(patch.wave).or_default();
        count[0] += won;
        count[1] += lost;
    }
}

/// One stripe of [`Planes`].
#[derive(Debug, Default)]
struct StripePlanes {
    won: Vec<Row>,
    lost: Vec<Row>,
    /// Plane `i` is bit `i` of the distances.
    distance: Vec<Vec<Row>>,
}

/// Keeps outcome and distance of one layer as planes of bits, as many as its longest distance needs.
#[derive(Debug)]
pub struct Planes {
    layer: Layer,
    grid: Grid,
    stripes: Vec<Mutex<StripePlanes>>,
}

impl Planes {
    /// Bits a position, of which seven are for distances up to 127.
    pub const BITS: f64 = 9.0;

    /// Planes for a layer of that size.
    pub fn new(layer: Layer, grid: Grid) -> Self {
        let stripes = (0..grid.stripes()).map(|_| Mutex::default()).collect();
        Self {
            layer,
            grid,
            stripes,
        }
    }

    /// The layer's size.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// Calls `each` with outcome and distance (0 for draws) of every position of a row, in the order
    /// of ranks.
    pub fn each_in_row(&self, row: usize, each: impl FnMut(Outcome, Distance)) {
        self.each_in_run(row, 0..self.grid.columns, each);
    }

    /// As [`Planes::each_in_row`], for some of the row's columns.
    pub fn each_in_run(
        &self,
        row: usize,
        columns: Range<usize>,
        mut each: impl FnMut(Outcome, Distance),
    ) {
        let mut at = columns.start;
        while at < columns.end {
            let number = at / STRIPE;
            let end = ((number + 1) * STRIPE).min(columns.end);
            let stripe = lock(&self.stripes[number]);
            for column in at..end {
                let (outcome, distance) = stripe.at(row, column % STRIPE);
                each(outcome, distance);
            }
            at = end;
        }
    }
}

impl StripePlanes {
    /// Outcome and distance of a position.
    fn at(&self, row: usize, column: usize) -> (Outcome, Distance) {
        let bit = |plane: &[Row]| {
            let row = plane.get(row);
            row.map_or(0, |row| row.0[column / 64] >> (column % 64) & 1)
        };
        let planes = self.distance.iter().enumerate();
        let distance = planes.fold(0, |sum, (i, plane)| sum | (bit(plane) as Distance) << i);
        let outcome = match (bit(&self.won), bit(&self.lost)) {
            (0, 0) => Outcome::Draw,
            (0, _) => Outcome::Loss,
            _ => Outcome::Win,
        };
        (outcome, distance)
    }
}

/// Adds one row to a plane that is made when first needed.
fn add(plane: &mut Vec<Row>, rows: usize, at: usize, row: &Row) {
    if plane.is_empty() {
        plane.resize(rows, Row::EMPTY);
    }
    for i in 0..WORDS {
        plane[at].0[i] |= row.0[i];
    }
}

impl Sink for Planes {
    fn take(&self, patch: &Patch<'_>) {
        if patch.layer != self.layer {
            return;
        }
        let mut stripe = lock(&self.stripes[patch.stripe]);
        let StripePlanes {
            won,
            lost,
            distance,
        } = &mut *stripe;
        let bits = (Distance::BITS - patch.wave.leading_zeros()) as usize;
        if distance.len() < bits {
            distance.resize(bits, Vec::new());
        }
        let rows = self.grid.rows;
        let mut keep = |at: usize, row: &Row| {
            for i in Ones(patch.wave.into()) {
                add(&mut distance[i], rows, at, row);
            }
        };
        patch.each_won(|at, row| {
            add(won, rows, at, row);
            keep(at, row);
        });
        patch.each_lost(|at, row| {
            add(lost, rows, at, row);
            keep(at, row);
        });
    }
}
