//! Owns: what is told of a position's value, whoever found it: gathered here from boards into
//! positions and names, written by [`json`] for programs and by [`text`] for people.
//!
//! The point of the middle form is that it no longer depends on a game's type: every command that
//! answers with values (from layers in memory, from a table) fills it and is done.

mod json;
mod text;

pub use json::write_json;
pub use text::write_text;

use super::target::Target;
use crate::analysis::{Analysis, LineEnd};
use crate::game::{Game, Played};
use crate::games::Seat;
use crate::notation::{Position, move_name};
use crate::value::Value;

/// A position's value, moves and best line.
#[derive(Clone, Debug)]
pub struct Report {
    /// The value for the player to move; `None` when it is not known.
    pub value: Option<Value>,
    /// What the player to move has captured more than the opponent, where that counts.
    pub lead: i32,
    /// The legal moves in the order of the rules.
    pub moves: Vec<MoveReport>,
    /// Best play.
    pub line: Vec<PlyReport>,
    /// How the line ends.
    pub end: LineEnd,
}

/// A move and where it leads.
#[derive(Clone, Debug)]
pub struct PlyReport {
    /// Who moves.
    pub seat: Seat,
    /// The move's name.
    pub name: String,
    /// Seeds taken.
    pub captured: u32,
    /// Whether the same player moves again.
    pub again: bool,
    /// Where it leads; `None` for an endless move, which draws.
    pub after: Option<Position>,
}

/// A move and what it is worth to the player who makes it.
#[derive(Clone, Debug)]
pub struct MoveReport {
    /// The move.
    pub ply: PlyReport,
    /// Its value, what it captures included; `None` when it is not known.
    pub value: Option<Value>,
    /// Whether it keeps what the position is worth.
    pub best: bool,
}

impl Report {
    /// What the analysis of a target says, in positions and names.
    pub fn new<G: Game>(game: &G, target: &Target, analysis: &Analysis<G::Board>) -> Self {
        let moves = analysis.moves.iter().map(|found| MoveReport {
            ply: ply(game, target, &target.position, found.choice, found.played),
            value: found.value,
            best: found.best,
        });
        let mut at = target.position.clone();
        let line = analysis.line.iter().map(|found| {
            let ply = ply(game, target, &at, found.choice, found.played);
            if let Some(after) = &ply.after {
                at.clone_from(after);
            }
            ply
        });
        Self {
            value: analysis.value,
            lead: lead::<G>(&target.position),
            moves: moves.collect(),
            line: line.collect(),
            end: analysis.end,
        }
    }
}

/// What the player to move is ahead by in the game's own count: captured seeds count for nothing
/// where whoever cannot move loses.
pub fn lead<G: Game>(position: &Position) -> i32 {
    if G::SCORED { position.lead() } else { 0 }
}

fn ply<G: Game>(
    game: &G,
    target: &Target,
    from: &Position,
    choice: crate::game::Move,
    played: Option<Played<G::Board>>,
) -> PlyReport {
    let after =
        |played: Played<G::Board>| from.after(game, played.board, played.captured, played.again);
    PlyReport {
        seat: from.seat,
        name: move_name(&target.setup, from.seat, choice),
        captured: played.map_or(0, |played| played.captured),
        again: played.is_some_and(|played| played.again),
        after: played.map(after),
    }
}
