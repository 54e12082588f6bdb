//! Owns: the trait that every game fills, and the words for what a move does.
//!
//! A game maps a board and a move to the board that follows; it knows neither layers nor values.
//! Generic code is compiled once a game and board width (static dispatch): at most one type
//! parameter, everything else is looked up in the game's own small tables.

use crate::board::{Board, Direction, Lanes, Relays, Shape};
use std::fmt::Debug;

/// One choice of the player to move, in one byte: twice the pit in the mover's ring order, plus one
/// for a clockwise first lap; or the forced pass.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move(u8);

impl Move {
    /// The forced pass (Giuthi).
    pub const PASS: Self = Self(u8::MAX);

    /// Sowing from `pit` (0 to 31) in `direction`.
    #[inline(always)]
    pub fn sow(pit: usize, direction: Direction) -> Self {
        Self((pit * 2) as u8 + direction as u8)
    }

    /// The pit lifted, in the mover's ring order. Meaningless for a pass.
    #[inline(always)]
    pub fn pit(self) -> usize {
        usize::from(self.0 / 2)
    }

    /// The direction of the first lap. Meaningless for a pass.
    #[inline(always)]
    pub fn direction(self) -> Direction {
        if self.0.is_multiple_of(2) {
            Direction::Ccw
        } else {
            Direction::Cw
        }
    }

    /// Whether this is the forced pass.
    #[inline(always)]
    pub fn is_pass(self) -> bool {
        self == Self::PASS
    }

    /// The byte that stands for this move.
    #[inline(always)]
    pub fn code(self) -> u8 {
        self.0
    }
}

/// A set of moves as bits by [`Move::code`]; iterates in ascending order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Candidates(pub u64);

impl Iterator for Candidates {
    type Item = Move;
    #[inline(always)]
    fn next(&mut self) -> Option<Move> {
        if self.0 == 0 {
            return None;
        }
        let code = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(Move(code))
    }
}

/// What a finished move leaves behind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Played<B> {
    /// The board as the next player to move sees it.
    pub board: B,
    /// Seeds that left the board, to the mover's credit in games with a score.
    pub captured: u32,
    /// Whether the same player moves again.
    pub again: bool,
    /// Laps sown.
    pub laps: u64,
}

/// What a move does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Play<B> {
    /// The move comes to an end.
    Done(Played<B>),
    /// The relay never ends; its states repeat after `period` laps.
    Endless {
        /// Laps from a state to the same state.
        period: u64,
    },
}

/// What the player to move can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn<B> {
    /// There is a legal move.
    Moves,
    /// There is none, and the turn passes: the board as the opponent sees it.
    Pass(B),
    /// The game is over.
    Over {
        /// Margin of the player to move over what was left on the board; −1 in win-loss games.
        margin: i32,
    },
}

/// The optional capability of games that do not change when the board is mirrored.
///
/// The wave solver uses it to look at one position of every pair only. Games without it name
/// [`NoMirror`], and every position is looked at.
pub trait Mirror<B> {
    /// Whether boards have mirror images.
    const APPLIES: bool;

    /// The mirror image: a position with the same value whose image is `board`.
    fn image(board: B, shape: Shape) -> B;
}

/// Left and right cannot be exchanged.
#[derive(Clone, Copy, Debug)]
pub struct NoMirror;

impl<B> Mirror<B> for NoMirror {
    const APPLIES: bool = false;

    #[inline(always)]
    fn image(board: B, _: Shape) -> B {
        board
    }
}

/// Left and right can be exchanged in both rows of a two-row board, as both directions are open to
/// the players.
#[derive(Clone, Copy, Debug)]
pub struct LeftRight;

impl<B: Board> Mirror<B> for LeftRight {
    const APPLIES: bool = true;

    #[inline(always)]
    fn image(board: B, shape: Shape) -> B {
        let (word, row) = (board.ring(0), shape.pits / 2);
        let swap = |image: B::Word, pit: usize| {
            let (near, far) = (row - 1 - pit, shape.pits - 1 - pit);
            image
                .plus(near, word.get(pit))
                .plus(far, word.get(row + pit))
        };
        B::from_rings([(0..row).fold(Lanes::EMPTY, swap), Lanes::EMPTY])
    }
}

/// A sowing game with its options and board width fixed.
pub trait Game: Clone + Send + Sync + 'static {
    /// Boards of this game.
    type Board: Board;

    /// Whether left and right can be exchanged: [`LeftRight`] or [`NoMirror`].
    type Mirror: Mirror<Self::Board>;

    /// Whether captured seeds decide the game. If not, whoever cannot move has lost.
    const SCORED: bool;

    /// The geometry of the board.
    fn shape(&self) -> Shape;

    /// Pits that may be lifted, before endless moves are told apart.
    fn candidates(&self, board: Self::Board) -> Candidates;

    /// Calls `each` with moves in ascending order and whether they are candidates: for who keeps them without
    /// a branch, as most of the time nobody can guess which pits are occupied.
    #[inline(always)]
    fn each_candidate(&self, board: Self::Board, mut each: impl FnMut(Move, bool)) {
        for choice in self.candidates(board) {
            each(choice, true);
        }
    }

    /// Plays a move out of [`Game::candidates`].
    fn play(&self, board: Self::Board, choice: Move) -> Play<Self::Board>;

    /// Sows the laps of at most [`crate::board::MOST_RELAYS`] candidates together, where that is quicker
    /// than one after the other; [`Game::play_sown`] then says what they do.
    fn sow_together(
        &self,
        choices: &[(Self::Board, Move)],
        relays: &mut Relays<<Self::Board as Board>::Word>,
    ) {
        let _ = (choices, relays);
    }

    /// As [`Game::play`], for the candidate at `place` of those given to [`Game::sow_together`].
    #[inline(always)]
    fn play_sown(
        &self,
        relays: &Relays<<Self::Board as Board>::Word>,
        place: usize,
        board: Self::Board,
        choice: Move,
    ) -> Play<Self::Board> {
        let _ = (relays, place);
        self.play(board, choice)
    }

    /// What happens to a player without a legal move.
    fn stuck(&self, board: Self::Board) -> Turn<Self::Board>;

    /// Whether an endless move may be chosen and draws (`endless = draw`).
    fn endless_draws(&self) -> bool;

    /// Whether moves name the direction of their first lap.
    fn two_way(&self) -> bool {
        false
    }

    /// Packs pits given in the mover's order: own ring first. Where rows differ by closed pits,
    /// `seat` is 0 when South is to move and 1 when North is; other games ignore it.
    fn pack(&self, pits: &[u8], seat: usize) -> Self::Board {
        let _ = seat;
        let each = pits.len() / Self::Board::RINGS;
        Self::Board::from_rings(std::array::from_fn(|i| {
            if i < Self::Board::RINGS {
                Lanes::pack(&pits[i * each..(i + 1) * each])
            } else {
                Lanes::EMPTY
            }
        }))
    }

    /// Undoes [`Game::pack`]; `seat` is who is to move on `board`.
    fn unpack(&self, board: Self::Board, seat: usize, pits: &mut [u8]) {
        let _ = seat;
        let each = pits.len() / Self::Board::RINGS;
        for (i, ring) in pits.chunks_mut(each.max(1)).enumerate() {
            board.ring(i).unpack(ring);
        }
    }

    /// Whether the player to move has a legal move.
    fn can_move(&self, board: Self::Board) -> bool {
        self.candidates(board)
            .any(|choice| self.endless_draws() || matches!(self.play(board, choice), Play::Done(_)))
    }

    /// Plays every candidate in ascending order, legal or endless, and says what kind of turn it is.
    #[inline(always)]
    fn expand(
        &self,
        board: Self::Board,
        mut each: impl FnMut(Move, Play<Self::Board>),
    ) -> Turn<Self::Board> {
        let mut legal = false;
        for choice in self.candidates(board) {
            let play = self.play(board, choice);
            legal |= matches!(play, Play::Done(_)) || self.endless_draws();
            each(choice, play);
        }
        if legal {
            Turn::Moves
        } else {
            self.stuck(board)
        }
    }
}

/// What a choice does to the mover's own side (see [`OwnSide`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OwnPlay<W> {
    /// The sowing comes to an end.
    Done {
        /// The mover's side afterwards.
        own: W,
        /// Where the last seed fell, as far as captures go: a number below [`OwnSide::landings`],
        /// or `None` where nothing is ever captured.
        landing: Option<usize>,
    },
    /// The relay never ends.
    Endless,
}

/// The optional capability of games whose moves sow nothing but the mover's own side, so that the
/// other side decides only what is captured at the end.
///
/// The bit-row solver ([`crate::retro::bitrows`]) needs it. Games without it are solved by the
/// generic waves ([`crate::retro::solve_level`]), which give the same answers.
///
/// Held to by the solver: captured seeds leave the game, nobody moves twice in a row, whoever cannot
/// move has lost (`SCORED` is false), and layers are [`crate::board::Layering::PerSide`].
pub trait OwnSide: Game {
    /// How many landings can capture (at most [`MAX_LANDINGS`]).
    fn landings(&self) -> usize;

    /// Pits of `own` that may be lifted: [`Game::candidates`] of every board with that side to move.
    fn own_candidates(&self, own: Side<Self>) -> Candidates;

    /// Sows a choice out of [`OwnSide::own_candidates`].
    fn sow_own(&self, own: Side<Self>, choice: Move) -> OwnPlay<Side<Self>>;

    /// What a landing leaves of the opponent's side, and how many seeds it takes.
    fn take(&self, other: Side<Self>, landing: usize) -> (Side<Self>, u32);
}

/// The word that one side of a game's board is packed into.
pub type Side<G> = <<G as Game>::Board as Board>::Word;

/// Most landings that [`OwnSide::landings`] may count.
pub const MAX_LANDINGS: usize = 31;
