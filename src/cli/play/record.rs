//! Owns: a game as it has been played: the positions, the moves, and whether it is over.
//!
//! Whether it is over depends on all of it: a position that comes up again ends the game in a draw.

use crate::analysis::{MoveValue, moves};
use crate::cli::report::lead;
use crate::cli::target::Target;
use crate::game::Game;
use crate::games::{Seat, Setup};
use crate::notation::{Position, move_name};
use crate::search::Past;

/// A move that was made.
#[derive(Clone, Debug)]
pub struct Made {
    /// Who made it.
    pub seat: Seat,
    /// Its name.
    pub name: String,
    /// Seeds taken.
    pub captured: u32,
    /// Laps sown.
    pub laps: u64,
    /// Whether the same player moves again.
    pub again: bool,
    /// Whether it never ends, which is a draw.
    pub endless: bool,
    before: Position,
}

/// How a game ended, with the final margin for South where it was played out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The player to move cannot; the margin counts what was captured before.
    Over {
        /// For South; in win-loss games its sign says who won.
        margin: i32,
    },
    /// A position has come up again.
    Repetition {
        /// Plies to the first time that it was on the board.
        first: usize,
    },
    /// A move that never ends was chosen.
    Endless,
}

/// A game so far.
pub struct Record {
    target: Target,
    start: Position,
    plies: Vec<Made>,
}

impl Record {
    /// A game that begins with a target's position.
    pub fn new(mut target: Target) -> Self {
        if target.setup.game().scored() {
            // What is captured from here on has to be counted somewhere.
            target.position.captured.get_or_insert([0, 0]);
        }
        let start = target.position.clone();
        Self {
            target,
            start,
            plies: Vec::new(),
        }
    }

    /// The position now, with its rules.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// The rules.
    pub fn setup(&self) -> &Setup {
        &self.target.setup
    }

    /// The position now.
    pub fn position(&self) -> &Position {
        &self.target.position
    }

    /// The position that the game began with.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The moves so far.
    pub fn plies(&self) -> &[Made] {
        &self.plies
    }

    /// The choices of the player to move, a forced pass among them; none when the game is over.
    pub fn choices<G: Game>(&self, game: &G) -> Vec<MoveValue<G::Board>> {
        moves(game, self.position().board(game), &|_| None).unwrap_or_default()
    }

    /// Makes the move called `name` if it is one of the choices.
    pub fn make<G: Game>(&mut self, game: &G, name: &str) -> Option<&Made> {
        let position = self.position();
        let seat = position.seat;
        let choices = self.choices(game);
        let named =
            |choice: &&MoveValue<G::Board>| move_name(self.setup(), seat, choice.choice) == name;
        let played = choices.iter().find(named)?.played;
        let (captured, again) = played.map_or((0, false), |p| (p.captured, p.again));
        let after = played.map(|p| position.after(game, p.board, p.captured, p.again));
        let after = after.unwrap_or_else(|| position.clone());
        self.plies.push(Made {
            seat,
            name: name.to_owned(),
            captured,
            laps: played.map_or(0, |p| p.laps),
            again,
            endless: played.is_none(),
            before: std::mem::replace(&mut self.target.position, after),
        });
        self.plies.last()
    }

    /// Takes the last move back, which it gives.
    pub fn undo(&mut self) -> Option<Made> {
        let made = self.plies.pop()?;
        self.target.position.clone_from(&made.before);
        Some(made)
    }

    /// Goes back to the beginning.
    pub fn restart(&mut self) {
        self.plies.clear();
        self.target.position.clone_from(&self.start);
    }

    /// Plies since the last capture, whose positions can come again.
    fn since_capture(&self) -> &[Made] {
        let captures = |made: &Made| made.before.seeds() != self.position().seeds();
        let from = self.plies.iter().rposition(captures).map_or(0, |at| at + 1);
        &self.plies[from..]
    }

    /// Earlier positions that can come again, oldest first, as a search takes them.
    pub fn past<G: Game>(&self, game: &G) -> Vec<Past<G::Board>> {
        let past = |made: &Made| Past {
            board: made.before.board(game),
            same_mover: made.before.seat == self.position().seat,
        };
        self.since_capture().iter().map(past).collect()
    }

    /// How the game has ended, if it has.
    pub fn ending<G: Game>(&self, game: &G) -> Option<Ending> {
        if self.plies.last().is_some_and(|made| made.endless) {
            return Some(Ending::Endless);
        }
        let now = self.position();
        let recent = self.since_capture();
        let same = |made: &Made| made.before.pits == now.pits && made.before.seat == now.seat;
        if let Some(at) = recent.iter().position(same) {
            let first = self.plies.len() - recent.len() + at;
            return Some(Ending::Repetition { first });
        }
        let margin = moves(game, now.board(game), &|_| None).err()?;
        let margin = margin + lead::<G>(now);
        Some(Ending::Over {
            margin: match now.seat {
                Seat::South => margin,
                Seat::North => -margin,
            },
        })
    }
}
