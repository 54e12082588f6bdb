//! Owns: what a position looks like to the analysis search where it stops looking.
//!
//! Scores are in sixteenths of a seed, for the player to move. They guide and are never called
//! proven. Score games: the lead, and a share of the difference in seeds between the rows, which is
//! what the end of the game pays out in Giuthi. Win-loss games: the difference in seeds, since who has
//! none has lost.

use crate::board::{Board, Lanes};
use crate::game::Game;

/// Sixteenths of a seed in a seed.
pub const SEED: i32 = 16;

/// A won game without a score, less a unit for every ply that it takes.
pub const WON: i32 = 30_000;

/// Scores beyond this are of games won or lost without a score.
pub const NEARLY_WON: i32 = WON - 1_000;

/// What things count, in sixteenths of a seed captured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Evaluation {
    /// Score games: a seed captured.
    pub captured: i32,
    /// Score games: a seed in one's row more than in the other's.
    pub row: i32,
    /// Win-loss games: a seed on one's side more than on the other's.
    pub side: i32,
}

impl Evaluation {
    /// What is used.
    pub const USUAL: Self = Self {
        captured: SEED,
        row: 3,
        side: SEED,
    };

    /// All positions look alike; only finished games are told apart.
    pub const NONE: Self = Self {
        captured: 0,
        row: 0,
        side: 0,
    };
}

/// The score of a position where search stops, for a mover who is `lead` seeds ahead.
#[inline(always)]
pub fn evaluate<G: Game>(by: Evaluation, pits: usize, board: G::Board, lead: i32) -> i32 {
    let sums = board.ring(0).prefix_sums();
    if G::Board::RINGS == 2 {
        let other = board.ring(1).prefix_sums().get(pits - 1);
        return (sums.get(pits - 1) as i32 - other as i32) * by.side;
    }
    // With closed pits the rows are not halves of the ring; near enough for a guess.
    let (own, all) = (sums.get(pits / 2 - 1) as i32, sums.get(pits - 1) as i32);
    lead * by.captured + (2 * own - all) * by.row
}

/// The score of a finished game.
#[inline(always)]
pub fn final_score<G: Game>(margin: i32, ply: usize) -> i32 {
    if G::SCORED {
        margin * SEED
    } else {
        margin.signum() * (WON - ply as i32)
    }
}
