//! Owns: retrograde analysis, that is, the values of all positions of a layer from finished lower
//! layers.
//!
//! [`Plan`] says which layers a board needs and what they cost; [`Plan::solve`] solves them upwards
//! by `waves`. Nothing here reads files or knows of terminals.

pub mod bitrows;
mod expand;
mod level;
pub mod naive;
mod snapshot;
mod store;
mod waves;

pub use level::Level;
pub use snapshot::{Forgetful, Keeper, Snapshot};
pub use store::{LayerValues, Store, stake};
pub use waves::{Halt, solve_level};

use crate::game::Game;
use crate::index::{Index, Layer, TooLarge};
use crate::progress::Progress;
use crate::value::MAX_STAKE;
use expand::Expansion;
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

/// The layers that a board's value depends on, and what solving them in memory takes.
#[derive(Clone, Debug)]
pub struct Plan {
    top: Layer,
    levels: Vec<Vec<Layer>>,
    /// Positions in all layers.
    pub positions: u64,
}

/// Positions looked at to estimate the edges of a level.
const SAMPLES: u64 = 4096;

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
        })
    }

    /// Bytes that finished layers take. No solution gets by with less, and unlike [`Plan::bytes`] it
    /// plays no move, which can take long where moves hardly ever end.
    pub fn least_bytes(&self) -> u64 {
        self.positions * 6
    }

    /// Estimated peak of memory in bytes, from some positions of the widest level.
    ///
    /// # Errors
    /// As [`Plan::new`].
    pub fn bytes<G: Game>(&self, game: &G) -> Result<u64, Refusal> {
        let index = Index::<G::Board>::new(game.shape(), self.top).map_err(Refusal::TooLarge)?;
        let sizes = self.levels.iter().map(|layers| Level::new(&index, layers));
        let widest = sizes.max_by_key(|level| level.positions());
        let widest = widest.expect("a layer needs at least itself");
        let expansion = Expansion {
            game,
            store: &Store::new(index, self.top),
            level: &widest,
        };
        let edges = expansion.edges_per_position(SAMPLES);
        // Edges and open positions lie in vectors that grow by doubling: half as much again on
        // average. An open position takes 8 bytes.
        let working = widest.positions() as f64 * (1.5 * (4.0 * edges + 8.0) + 0.25);
        Ok(self.least_bytes() + working as u64)
    }

    /// The levels in the order of solving; layers of a level are solved together.
    pub fn levels(&self) -> &[Vec<Layer>] {
        &self.levels
    }

    /// Solves all layers.
    ///
    /// # Errors
    /// When stopped through `progress`, or when distances outgrow their type.
    pub fn solve<G: Game>(
        &self,
        game: &G,
        progress: &dyn Progress,
    ) -> Result<Store<G::Board>, Refusal> {
        let index = Index::<G::Board>::new(game.shape(), self.top).map_err(Refusal::TooLarge)?;
        let mut store = Store::new(index, self.top);
        progress.begin("solving", self.positions);
        for layers in &self.levels {
            let level = Level::new(store.index(), layers);
            let solved = solve_level(game, &store, &level, progress, &mut Forgetful)
                .map_err(Refusal::Halted)?;
            for (layer, values) in solved {
                store.insert(layer, values);
            }
        }
        progress.end();
        Ok(store)
    }
}
