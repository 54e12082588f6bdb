//! Owns: the bit-row solver, for games whose moves sow nothing but the mover's own side
//! ([`crate::game::OwnSide`]).

mod driver;
mod facing;
mod gather;
mod grid;
mod level;
mod lower;
mod machine;
mod side;
mod sink;
mod transpose;
mod wave;

pub use driver::Wanted;
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
use level::Part;
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
