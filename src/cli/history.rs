//! Owns: `--history`: moves played from an earlier position, and what of them still counts.
//!
//! An earlier position that comes up again ends the game in a draw, so the positions passed since the
//! last capture count; what was before a capture cannot come again.

use super::failure::Failure;
use super::target::Target;
use crate::game::Game;
use crate::notation::Position;
use crate::search::Past;

/// A position that was reached by moves.
pub struct History {
    /// The position reached, which is the one asked about.
    pub target: Target,
    /// The moves, as typed.
    pub moves: Vec<String>,
    /// The positions before it that can come again, oldest first.
    past: Vec<Position>,
}

impl History {
    /// A position without a history.
    pub fn none(target: Target) -> Self {
        Self {
            target,
            moves: Vec::new(),
            past: Vec::new(),
        }
    }

    /// Plays the moves in `text`, parted by commas or blanks, from `target`.
    ///
    /// # Errors
    /// When one is not legal, or a position comes up again: then the game is over.
    pub fn play(target: Target, text: &str) -> Result<Self, Failure> {
        let moves: Vec<String> = text
            .split(|c: char| c == ',' || c.is_whitespace())
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect();
        if moves.is_empty() {
            let such = match target.setup.game().two_way() {
                true => "'a+,c-', each with a direction + or -",
                false => "'a,c'",
            };
            return Err(Failure::usage(format!(
                "--history: expected moves such as {such}, from the position on; found none"
            )));
        }
        let mut history = Self::none(target);
        for (at, name) in moves.iter().enumerate() {
            let target = &mut history.target;
            let next = target.play(name, &format!("--history, move {} '{name}'", at + 1))?;
            let before = std::mem::replace(&mut target.position, next);
            if before.seeds() > target.position.seeds() {
                history.past.clear();
            } else {
                history.past.push(before);
            }
            let now = &target.position;
            let same = |past: &Position| past.pits == now.pits && past.seat == now.seat;
            if history.past.iter().any(same) {
                return Err(Failure::usage(format!(
                    "--history, move {} '{name}': the position has come up before, so the game has ended in a draw; leave out the moves from this one on",
                    at + 1,
                )));
            }
        }
        history.moves = moves;
        Ok(history)
    }

    /// Whether anything of the past can come again.
    pub fn counts(&self) -> bool {
        !self.past.is_empty()
    }

    /// The past as a search takes it.
    pub fn past<G: Game>(&self, game: &G) -> Vec<Past<G::Board>> {
        let past = |position: &Position| Past {
            board: position.board(game),
            same_mover: position.seat == self.target.position.seat,
        };
        self.past.iter().map(past).collect()
    }
}
