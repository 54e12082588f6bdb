//! Owns: the bit-row solver, for games whose moves sow nothing but the mover's own side
//! ([`crate::game::OwnSide`]).
//!
//! A layer with sides of `a` and `b` seeds is a matrix: row = the mover's configuration, column = the
//! opponent's. A move takes a row to another row and leaves the column alone, whatever the column; so
//! sowing is tabulated per side, and what a move does to 512 positions is a few operations on one
//! cache line. The opponent then sees the board the other way round, hence a transpose in every wave.
//! What a move captures does depend on the column: for each landing there is a set of columns where it
//! captures, and all values behind captures are looked up once, before the first wave.
//!
//! | File | Owns |
//! |---|---|
//! | `grid` | how sets of positions lie in memory: stripes of 512 columns, one cache line a row |
//! | `side`, `facing` | the tables: moves of one side; captures from the other |
//! | `gather` | captures looked up in lower layers |
//! | `wave`, `transpose` | one wave over one stripe |
//! | `known`, `level` | a layer between waves; a level from captures to finished layers |
//! | `lower`, `sink`, `driver` | finished layers as bits; distances handed out; all layers in order |
//! | `machine` | vector width; unsafe code |
//!
//! **A wave.** Won positions of the twin layer lie turned round, lost ones only as far as they are
//! new. A row is looked at when a row that it has a move to got new bits, and when something in it is
//! still open:
//!
//! - won |= new lost of the target, in columns without a capture,
//! - lost = open and, for every move, (won of the target or captured).
//!
//! Captures won in wave 1 start in `won`; a position with a capture that does not lose is held back from
//! `lost`. New bits of a stripe go out sparsely, row by row, to the twin's next wave and to the sink.
//! Waves are synchronous when there is a sink, so that their number is the distance (DESIGN,
//! section 2); for outcomes alone the two layers of a level take turns, which needs about half as many.
//! Every stripe is written by one thread and reads only what the wave before left behind: results do
//! not depend on the number of threads, nor on the width of vectors.
//!
//! **Whether an end can be forced** ([`Ask::End`]) has the same form: "a move leads to a position
//! with finite `upper`" and "all moves lead to positions with finite `lower`". Only here a position can
//! be in both sets.
//!
//! # Roofline
//!
//! Measured on two cores of a 2021 server (32 KiB + 512 KiB a core, 32 MiB shared), 4x7, all layers to
//! 6-6, 1,502,337,600 positions: 540 M positions a second for outcomes and 490 M with distances, that is
//! 3.4 and 3.8 ns of one core for a position; with bounds as well 262 M, and with all distances kept
//! ([`Planes`]) 264 M.
//!
//! - *Instructions*: 26 a position for outcomes and 30 with distances (counted by simulation on the
//!   layers to 5-5; filling memory not counted). About half goes into settling rows, nearly a
//!   quarter into transposes, an eighth into captures. A position's bit is turned round once in its life, by
//!   blocks of 32,768 (5,000 instructions) while waves are dense and one by one (10 each) afterwards.
//! - *Cache misses*: the targets of a row are spread over a stripe, 1.7 MB for each of two sets at six
//!   seeds, so they come from the shared cache. Asking for them six rows ahead, and huge pages, took a
//!   quarter off the time where a quarter fewer instructions before had taken almost nothing: waiting
//!   for the shared cache binds first, instructions next. The machine gave no counters for misses.
//! - *Bandwidth*: a dense wave moves at most 640 bytes for 512 positions (new bits in and out, open and
//!   turned sets in and out), and there are some fifteen dense waves: below 20 bytes a position, a
//!   sixth to a third of what two such cores can move at this rate.
//!
//! The next factor would need fewer row updates: some sixteen of each kind are made per row of a stripe,
//! although a position changes once. Narrower stripes after the first waves would touch less that
//! is settled, and a stripe of 128 columns fits a core's own cache, at four times the overhead a row.
//!
//! **Memory**: about 5.4 bits a position of the level at work, plus 2 for each of the lower layers that
//! captures still lead to ([`BitRows::bytes`]). 7-7 on 4x7, 6,009,350,400 positions, took 4.8 GB with
//! distances counted; keeping its outcomes and distances as planes ([`Planes`]) takes 9 bits a
//! position, 6.8 GB, more.

mod driver;
mod facing;
mod gather;
mod grid;
mod known;
mod level;
mod lower;
mod machine;
mod side;
mod sink;
mod transpose;
mod wave;

pub use driver::{Wanted, still_needed};
pub use grid::{Grid, Row};
pub use level::LevelSolver;
pub use lower::{BitStore, LayerBits, LowerBits};
pub use sink::{Counts, Patch, Planes, Sink};
pub use transpose::turn_block;

use crate::game::{OwnSide, Side};
use crate::index::{Layer, RingIndex};
use crate::progress::Progress;
use crate::retro::Halt;
use facing::Facing;
use known::Part;
use side::SideMoves;

/// What is asked of every position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ask {
    /// Who wins: won and lost mean what they say.
    Outcome,
    /// Who can force an end, whatever it is: "won" are the positions whose `lower` is finite, "lost"
    /// those whose `upper` is. A position can be both.
    End,
}

/// The tables of a game for sides of up to some number of seeds.
#[derive(Debug)]
pub struct BitRows {
    sides: Vec<SideMoves>,
    facings: Vec<Facing>,
}

impl BitRows {
    /// Tabulates both roles of sides with up to `most` seeds; `None` when they can be placed in more
    /// ways than the tables can number.
    pub fn new<G: OwnSide>(game: &G, most: u32) -> Option<Self> {
        let ring = RingIndex::<Side<G>>::new(game.shape().pits, most)?;
        let total: u64 = (0..=most)
            .map(|seeds| ring.ways(seeds).next_multiple_of(64))
            .sum();
        if total > side::Step::MAX_WAYS.min(facing::Taken::MAX_PLACES) {
            return None;
        }
        Some(Self {
            sides: (0..=most)
                .map(|seeds| SideMoves::new(game, &ring, seeds))
                .collect(),
            facings: (0..=most)
                .map(|seeds| Facing::new(game, &ring, seeds))
                .collect(),
        })
    }

    /// The size of a layer with fixed sides: rows = ways to place the mover's seeds, columns = ways to
    /// place the opponent's. Other layers have none.
    pub fn grid(&self, layer: Layer) -> Grid {
        let (own, other) = match layer {
            Layer::Sides(own, other) => (own, other),
            Layer::Total(_) => {
                return Grid {
                    rows: 0,
                    columns: 0,
                };
            }
        };
        Grid {
            rows: self.sides[usize::from(own)].ways(),
            columns: self.sides[usize::from(other)].ways(),
        }
    }

    /// Positions of a layer.
    pub fn positions(&self, layer: Layer) -> u64 {
        let grid = self.grid(layer);
        grid.rows as u64 * grid.columns as u64
    }

    /// Solves the layers with sides of `(own, other)` and of `(other, own)` seeds from finished lower
    /// ones.
    ///
    /// With a sink all positions are handed out wave by wave; without one the order of finding them is
    /// free, which is quicker. The layers come in the order of [`Layer::level`].
    ///
    /// # Errors
    /// When stopped through `progress`, or when distances outgrow their type.
    ///
    /// # Panics
    /// When `lower` lacks a layer that a capture leads to, or the tables are for fewer seeds.
    pub fn solve(
        &self,
        lower: &dyn LowerBits,
        sides: (u8, u8),
        ask: Ask,
        sink: Option<&dyn Sink>,
        progress: &dyn Progress,
    ) -> Result<Vec<(Layer, LayerBits)>, Halt> {
        let mut solver = self.level(lower, sides, ask, sink, progress)?;
        solver.solve()?;
        Ok(solver.finish())
    }

    /// As [`BitRows::solve`], but leaves the waves to the caller; captures are looked up here.
    ///
    /// # Errors
    /// When stopped through `progress`.
    ///
    /// # Panics
    /// As [`BitRows::solve`].
    pub fn level<'a>(
        &'a self,
        lower: &dyn LowerBits,
        (own, other): (u8, u8),
        ask: Ask,
        sink: Option<&'a dyn Sink>,
        progress: &'a dyn Progress,
    ) -> Result<LevelSolver<'a>, Halt> {
        let mut parts = Vec::new();
        let mut lowers = Vec::new();
        for layer in Layer::Sides(own, other).level() {
            let Layer::Sides(own, other) = layer else {
                continue;
            };
            parts.push(Part {
                layer,
                grid: self.grid(layer),
                side: &self.sides[usize::from(own)],
                facing: &self.facings[usize::from(other)],
            });
            let below = (0..other).map(|left| {
                let layer = lower.layer(Layer::Sides(left, own));
                layer.expect("lower layers are finished first")
            });
            lowers.push(below.collect::<Vec<&LayerBits>>());
        }
        LevelSolver::new(parts, &lowers, ask, sink, progress)
    }
}
