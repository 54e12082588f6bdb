//! Owns: retrograde analysis, that is, the values of all positions of a layer from finished lower
//! layers.
//!
//! [`Plan`] says which layers a board needs and what they cost; [`Plan::solve`] solves them upwards
//! by `waves`. Nothing here reads files or knows of terminals.
//!
//! # Memory of the wave solver
//!
//! A position of the level at work takes two bytes for its codes, two for its distances (four once one
//! is past 255), a bit that says whether it changed, and while it is open four bytes and four an
//! edge. Edges are kept as far as there is room and found anew in every wave elsewhere, so that the
//! least is about 8 bytes a position and all of it 12 to 20. Finished lower layers take two bytes, in
//! memory or in files that the builder maps. Edges number up to 2^31 positions in a level: Bosh 2x5
//! whole (2,054,455,634 in its last layer, 8.2 G below) is within that and within 24 GiB without edges.
//!
//! # Roofline of the wave solver
//!
//! Bosh 2x5, two cores of a 2021 server; instructions by simulation up to 14 seeds, time by sampling up
//! to 20. About 1,900 instructions a position in all, 0.2 µs of one core:
//!
//! - *Sowing* (370 instructions, a fifth of the time): seven laps a position, 47 instructions each. One relay at a
//!   time this was bound by waiting, for the table and for wrongly guessed ends; eight abreast it is
//!   bound by instructions (`board::Relays`). Four or twelve abreast: no difference.
//! - *Walking, ranking, writing edges and exits* (750 instructions, a third of the time): bound by instructions. A rank
//!   is 50 of them, for each of three moves.
//! - *Looking up* what captures lead to (100 instructions, a tenth of the time) is bound by memory: asked for
//!   16 steps ahead, and in huge pages.
//! - *Waves* (600 instructions, a quarter of the time): a position stays open for many waves, and each asks
//!   of all its edges whether they changed; that set is small enough for the shared cache, and the summary of
//!   it that sparse waves ask first for a core's own. Most edges lead to nothing that has changed, so they
//!   are asked in one straight run. Turning them round once waves are sparse would save a tenth of all
//!   instructions, for four bytes an edge more.
//!
//! Batches and straight runs cost a tenth more instructions than one position after the other, and take 0.75 to
//! 0.8 of the time (`examples/rates bosh 5 24`, old and new in turn). The next factor would need expansion without
//! playing all moves of every position: sharing what neighbours in rank order have in common, as the bit rows
//! do for games with own-side sowing.

pub mod bitrows;
mod expand;
mod level;
mod memory;
pub mod naive;
mod snapshot;
mod store;
mod waves;

pub use level::Level;
pub use snapshot::{Forgetful, Keeper, Snapshot};
pub use store::{LayerValues, Lent, Store, stake};
pub use waves::{Halt, solve_level};

use crate::game::Game;
use crate::index::{Index, Layer, TooLarge};
use crate::progress::Progress;
use crate::value::{Distances, MAX_STAKE};
use expand::{Expansion, Sample};
use std::fmt;

/// Most positions in a level that edges can number.
const MAX_POSITIONS: u64 = 1 << 31;

/// Why layers are not solved in memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// Positions cannot even be numbered.
    TooLarge(TooLarge),
    /// More seeds than a value's code can share out.
    TooManySeeds(u32),
    /// More positions in one level than its edges can number.
    TooManyPositions(u64),
    /// Solving was halted.
    Halted(Halt),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge(too_large) => too_large.fmt(f),
            Self::TooManySeeds(seeds) => {
                write!(
                    f,
                    "{seeds} seeds on the board; layers are solved up to {MAX_STAKE}"
                )
            }
            Self::TooManyPositions(positions) => write!(
                f,
                "{positions} positions in one level; in memory at most {MAX_POSITIONS} can be solved"
            ),
            Self::Halted(Halt::Stopped) => f.write_str("stopped before all layers were solved"),
            Self::Halted(Halt::TooManyWaves) => {
                f.write_str("a value lies more than 65535 plies from the next capture")
            }
        }
    }
}

impl std::error::Error for Refusal {}

/// The layers that a board's value depends on.
#[derive(Clone, Debug)]
pub struct Plan {
    top: Layer,
    levels: Vec<Vec<Layer>>,
    /// Positions in all layers.
    pub positions: u64,
    /// Positions in the largest level.
    pub widest: u64,
}

/// Memory that solving layers takes, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Memory {
    /// When no edges are kept, but found anew in every wave.
    pub least: u64,
    /// When all of them are kept.
    pub most: u64,
}

impl Memory {
    /// What will be used of `allowed` bytes, if they are enough.
    pub fn within(&self, allowed: u64) -> u64 {
        self.most.min(allowed).max(self.least)
    }
}

/// Bytes of a position's codes.
const CODES: u64 = 2;

/// Positions looked at to estimate the edges of a level.
const SAMPLES: u64 = 4096;

/// Share of open positions that change in the busiest wave, as measured on boards of all games.
const CHANGED: f64 = 0.9;

impl Plan {
    /// Plans for all positions of `layer`.
    ///
    /// # Errors
    /// When the layers cannot be solved in memory, however much there is.
    pub fn new<G: Game>(game: &G, layer: Layer) -> Result<Self, Refusal> {
        let index = Index::<G::Board>::new(game.shape(), layer).map_err(Refusal::TooLarge)?;
        if stake::<G>(layer) > MAX_STAKE {
            return Err(Refusal::TooManySeeds(layer.seeds()));
        }
        let levels = layer.levels_below(game.shape().layering);
        let sizes: Vec<Level> = levels
            .iter()
            .map(|layers| Level::new(&index, layers))
            .collect();
        let widest = sizes.iter().max_by_key(|level| level.positions());
        let widest = widest.expect("a layer needs at least itself");
        if widest.positions() > MAX_POSITIONS {
            return Err(Refusal::TooManyPositions(widest.positions()));
        }
        Ok(Self {
            top: layer,
            levels,
            positions: sizes.iter().map(|level| level.positions()).sum(),
            widest: widest.positions(),
        })
    }

    /// Bytes that finished layers take. No solution gets by with less, and unlike [`Plan::memory`] it
    /// plays no move, which can take long where moves hardly ever end.
    pub fn least_bytes(&self) -> u64 {
        self.positions * (CODES + Distances::NARROW)
    }

    /// Estimated peak of memory when all layers are solved and kept, from some positions of the widest
    /// level.
    ///
    /// # Errors
    /// As [`Plan::new`].
    pub fn memory<G: Game>(&self, game: &G) -> Result<Memory, Refusal> {
        let level = self.level_memory(game)?;
        let others = (self.positions - self.widest) * (CODES + Distances::NARROW);
        Ok(Memory {
            least: others + level.least,
            most: others + level.most,
        })
    }

    /// Estimated peak of memory for the widest level alone, without lower layers.
    ///
    /// # Errors
    /// As [`Plan::new`].
    pub fn level_memory<G: Game>(&self, game: &G) -> Result<Memory, Refusal> {
        let index = Index::<G::Board>::new(game.shape(), self.top).map_err(Refusal::TooLarge)?;
        let sizes = self.levels.iter().map(|layers| Level::new(&index, layers));
        let widest = sizes.max_by_key(|level| level.positions());
        let widest = widest.expect("a layer needs at least itself");
        let store = Store::new(index, self.top);
        let expansion = Expansion::new(game, &store, &widest);
        let Sample { open, edges } = expansion.sample(SAMPLES);
        let positions = widest.positions() as f64;
        // Open positions and the changes of a wave take four bytes each; a bit tells what changed.
        let least = positions * (4.125 + 4.0 * open + 4.0 * CHANGED * open);
        Ok(Memory {
            least: least as u64,
            most: (least + positions * 4.0 * edges) as u64,
        })
    }

    /// The levels in the order of solving; layers of a level are solved together.
    pub fn levels(&self) -> &[Vec<Layer>] {
        &self.levels
    }

    /// Solves all layers with as much memory as that takes.
    ///
    /// # Errors
    /// When stopped through `progress`, or when distances outgrow their type.
    pub fn solve<G: Game>(
        &self,
        game: &G,
        progress: &dyn Progress,
    ) -> Result<Store<G::Board>, Refusal> {
        self.solve_with(game, u64::MAX, progress)
    }

    /// Solves all layers, keeping at most `room` bytes of edges at a time: what is left of the memory
    /// to be used after [`Memory::least`]. The values do not depend on it.
    ///
    /// # Errors
    /// As [`Plan::solve`].
    pub fn solve_with<G: Game>(
        &self,
        game: &G,
        room: u64,
        progress: &dyn Progress,
    ) -> Result<Store<G::Board>, Refusal> {
        progress.begin("solving", self.positions);
        self.solve_layers(game, room, true, progress)
    }

    /// As [`Plan::solve_with`], but without distances and as a part of a step that has begun.
    ///
    /// # Errors
    /// As [`Plan::solve`].
    pub fn solve_bounds<G: Game>(
        &self,
        game: &G,
        room: u64,
        progress: &dyn Progress,
    ) -> Result<Store<G::Board>, Refusal> {
        self.solve_layers(game, room, false, progress)
    }

    /// Estimated peak of memory of [`Plan::solve_bounds`].
    ///
    /// # Errors
    /// As [`Plan::new`].
    pub fn bounds_memory<G: Game>(&self, game: &G) -> Result<Memory, Refusal> {
        let level = self.level_memory(game)?;
        let others = (self.positions - self.widest) * CODES;
        Ok(Memory {
            least: others + level.least,
            most: others + level.most,
        })
    }

    fn solve_layers<G: Game>(
        &self,
        game: &G,
        room: u64,
        distances: bool,
        progress: &dyn Progress,
    ) -> Result<Store<G::Board>, Refusal> {
        let index = Index::<G::Board>::new(game.shape(), self.top).map_err(Refusal::TooLarge)?;
        let mut store = Store::new(index, self.top);
        for layers in &self.levels {
            let level = Level::new(store.index(), layers);
            let solved = solve_level(game, &store, &level, room, progress, &mut Forgetful)
                .map_err(Refusal::Halted)?;
            for (layer, mut values) in solved {
                if !distances {
                    values.distances = Distances::default();
                }
                store.insert(layer, values);
            }
        }
        progress.end();
        Ok(store)
    }
}
