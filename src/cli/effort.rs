//! Owns: rules of thumb for what work takes, so that commands can choose an engine before they start.

use crate::game::Game;
use crate::retro::{Memory, Plan, Refusal};
use std::time::Duration;

/// Positions of layers that a thread solves a second at least, whatever the game.
const LAYERS_A_SECOND: u64 = 1_000_000;

/// Bytes of a search's tables that a thread fills in a second, at most.
const FILL: u64 = 128 << 20;

/// Seconds that solving layers of so many positions takes at most, with the threads at hand.
pub fn seconds(positions: u64) -> u64 {
    positions / (LAYERS_A_SECOND * rayon::current_num_threads() as u64)
}

/// Bytes that a search of so much time can make use of: what is not filled is not worth the making.
pub fn fills(time: Duration) -> u64 {
    FILL.saturating_mul(rayon::current_num_threads() as u64)
        .saturating_mul(time.as_secs())
}

/// Why layers are not affordable.
pub enum Short {
    /// They take at least so many bytes.
    Bytes(u64),
    /// They cannot be solved in memory, however much there is.
    Refused(Refusal),
}

/// What solving layers takes, if `memory` bytes are enough for it. Where already the values alone are too
/// many, nothing is looked at.
pub fn afford<G: Game>(game: &G, plan: &Plan, memory: u64) -> Result<Memory, Short> {
    if plan.least_bytes() > memory {
        return Err(Short::Bytes(plan.least_bytes()));
    }
    let needed = plan.memory(game).map_err(Short::Refused)?;
    match needed.least > memory {
        true => Err(Short::Bytes(needed.least)),
        false => Ok(needed),
    }
}
