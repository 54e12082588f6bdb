//! Owns: a second implementation of all rules, one seed at a time, to hold the fast one against.
//!
//! Written from the text of the rules alone, it shares no code with the packed boards and their
//! games: a mistake in one is not in the other. It is the oracle of the tests and the rules by which
//! a finished table is verified; it wants to be obviously right first and quick second, so boards are
//! plain arrays of fixed size and nothing is allocated for a move.

mod bosh;
mod giuthi;
mod hawalis;
mod hus;
mod relay;

use crate::game::Move;
use crate::games::{GameName, Seat, Setup};
use crate::notation::Position;

/// Most pits that a board has (Hus, 16 columns).
pub const MAX_PITS: usize = 64;

/// Seeds by pit in the mover's order, as in [`Position::pits`]; pits that the board lacks are empty.
pub type Pits = [u8; MAX_PITS];

/// A board as the player to move sees it; at most 255 seeds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PlainBoard {
    /// Seeds by pit. Closed pits are there and empty.
    pub pits: Pits,
}

impl PlainBoard {
    /// The board of a position.
    ///
    /// # Panics
    /// When the position has more pits than any board.
    pub fn of(position: &Position) -> Self {
        let mut pits = [0; MAX_PITS];
        pits[..position.pits.len()].copy_from_slice(&position.pits);
        Self { pits }
    }

    /// Seeds on the board.
    pub fn seeds(&self) -> u32 {
        seeds(&self.pits)
    }
}

fn seeds(pits: &Pits) -> u32 {
    pits.iter().map(|&seeds| u32::from(seeds)).sum()
}

/// What a move does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlainPlay {
    /// The move comes to an end.
    Done {
        /// The board as the next player to move sees it.
        board: PlainBoard,
        /// Seeds that left the board.
        captured: u32,
        /// Whether the same player moves again.
        again: bool,
        /// Laps sown, those of captured seeds included.
        laps: u64,
    },
    /// The laps never end.
    Endless {
        /// Laps from a state to the same state.
        period: u64,
    },
}

/// What the player to move can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlainTurn {
    /// There is a legal move.
    Moves,
    /// There is none, and the turn passes: the board as the opponent sees it.
    Pass(PlainBoard),
    /// The game is over.
    Over {
        /// Margin of the player to move over what was left on the board; −1 in win-loss games.
        margin: i32,
    },
}

/// What one game's rules say; everything else is the same for all.
trait PlainGame {
    /// Calls `each` with every move that may be chosen as far as pits tell, endless or not.
    fn choices(&self, pits: &Pits, seat: Seat, each: impl FnMut(Move));

    /// Plays one of [`PlainGame::choices`].
    fn play(&self, pits: &Pits, seat: Seat, choice: Move) -> PlainPlay;

    /// What happens to a player without a legal move; `opponent_can_move` tells of a board as the
    /// opponent sees it whether they have one.
    fn stuck(
        &self,
        board: &PlainBoard,
        opponent_can_move: impl FnOnce(&PlainBoard) -> bool,
    ) -> PlainTurn;

    /// Pits of one player, with which the mover's order begins.
    fn half(&self) -> usize;

    /// The board as the other player sees it: the halves change places.
    fn turned(&self, board: &PlainBoard) -> PlainBoard {
        let half = self.half();
        let mut pits = [0; MAX_PITS];
        pits[..half].copy_from_slice(&board.pits[half..2 * half]);
        pits[half..2 * half].copy_from_slice(&board.pits[..half]);
        PlainBoard { pits }
    }
}

#[derive(Clone)]
enum Rules {
    Giuthi(giuthi::Giuthi),
    Bosh(bosh::Bosh),
    Hawalis(hawalis::Hawalis),
    Hus(hus::Hus),
}

/// The rules of a [`Setup`].
#[derive(Clone)]
pub struct PlainRules {
    rules: Rules,
    pits: usize,
    endless_draws: bool,
}

impl PlainRules {
    /// Resolves a setup's options.
    pub fn new(setup: &Setup) -> Self {
        Self {
            rules: match setup.game() {
                GameName::Giuthi => Rules::Giuthi(giuthi::Giuthi::new(setup)),
                GameName::Bosh => Rules::Bosh(bosh::Bosh::new(setup)),
                GameName::Hawalis => Rules::Hawalis(hawalis::Hawalis::new(setup)),
                GameName::Hus => Rules::Hus(hus::Hus::new(setup)),
            },
            pits: setup.pits(),
            endless_draws: setup.rules().get("endless") == "draw",
        }
    }

    /// Whether an endless move may be chosen, and draws. If not, it is no legal move.
    pub fn endless_draws(&self) -> bool {
        self.endless_draws
    }

    /// Plays every move that the player at `seat` may choose, in ascending order, and says what kind
    /// of turn it is. Endless moves are among them even where they are not legal. The seat matters
    /// only where pits are closed.
    #[inline]
    pub fn turn(
        &self,
        board: &PlainBoard,
        seat: Seat,
        each: impl FnMut(Move, PlainPlay),
    ) -> PlainTurn {
        match &self.rules {
            Rules::Giuthi(game) => self.turn_of(game, board, seat, each),
            Rules::Bosh(game) => self.turn_of(game, board, seat, each),
            Rules::Hawalis(game) => self.turn_of(game, board, seat, each),
            Rules::Hus(game) => self.turn_of(game, board, seat, each),
        }
    }

    fn turn_of(
        &self,
        game: &impl PlainGame,
        board: &PlainBoard,
        seat: Seat,
        mut each: impl FnMut(Move, PlainPlay),
    ) -> PlainTurn {
        let mut has_legal_move = false;
        game.choices(&board.pits, seat, |choice| {
            let play = game.play(&board.pits, seat, choice);
            has_legal_move |= self.is_legal(&play);
            each(choice, play);
        });
        if has_legal_move {
            PlainTurn::Moves
        } else {
            game.stuck(board, |turned| self.can_move(game, turned, seat.other()))
        }
    }

    fn can_move(&self, game: &impl PlainGame, board: &PlainBoard, seat: Seat) -> bool {
        let mut found = false;
        game.choices(&board.pits, seat, |choice| {
            found = found || self.is_legal(&game.play(&board.pits, seat, choice));
        });
        found
    }

    /// What every game shares: an endless move may be chosen only where it draws.
    fn is_legal(&self, play: &PlainPlay) -> bool {
        self.endless_draws || matches!(play, PlainPlay::Done { .. })
    }

    /// The position that a board stands for when the player at `seat` is to move, without a count of
    /// captured seeds.
    pub fn position(&self, board: &PlainBoard, seat: Seat) -> Position {
        Position {
            pits: board.pits[..self.pits].to_vec(),
            seat,
            captured: None,
        }
    }
}
