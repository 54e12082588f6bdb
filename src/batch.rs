//! Owns: playing all moves of many positions together ([`Game::sow_together`]).

use crate::board::{Board, Lanes, MOST_RELAYS, Relays};
use crate::game::{Game, Move, Play};

/// Moves after which a batch is played: many, and few enough to stay in a core's nearest cache.
const ENOUGH: usize = 512;

/// Most candidates of a position: as many as there are codes of moves.
const MOST_MOVES: usize = 64;

const _: () = assert!(ENOUGH + MOST_MOVES <= MOST_RELAYS);

/// A position in a batch.
#[derive(Clone, Copy, Debug)]
pub struct Standing<B, T> {
    /// The position.
    pub board: B,
    /// What its owner knows it by.
    pub tag: T,
    moves: u8,
}

/// Positions whose moves are played together.
#[derive(Debug)]
pub struct Batch<B: Board, T> {
    positions: Vec<Standing<B, T>>,
    /// The first `count` are the moves of all positions.
    choices: Vec<(B, Move)>,
    count: usize,
    relays: Relays<B::Word>,
}

impl<B: Board, T> Default for Batch<B, T> {
    fn default() -> Self {
        let nothing = B::from_rings([Lanes::EMPTY; 2]);
        Self {
            positions: Vec::new(),
            choices: vec![(nothing, Move::PASS); MOST_RELAYS],
            count: 0,
            relays: Relays::default(),
        }
    }
}

impl<B: Board, T: Copy> Batch<B, T> {
    /// Adds a position.
    ///
    /// # Panics
    /// When the batch was full before.
    #[inline(always)]
    pub fn push<G: Game<Board = B>>(&mut self, game: &G, board: B, tag: T) {
        let before = self.count;
        game.each_candidate(board, |choice, is_candidate| {
            self.choices[self.count] = (board, choice);
            self.count += usize::from(is_candidate);
        });
        self.positions.push(Standing {
            board,
            tag,
            moves: (self.count - before) as u8,
        });
    }

    /// Whether it is time to play.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.count >= ENOUGH
    }

    /// Moves to be played.
    pub fn moves(&self) -> usize {
        self.count
    }

    /// Positions whose moves are to be played.
    pub fn positions(&self) -> usize {
        self.positions.len()
    }

    /// Calls `each` with all positions in the order of adding and what their candidates do, as
    /// [`Game::expand`] does, and forgets them.
    #[inline(always)]
    pub fn play<G: Game<Board = B>>(
        &mut self,
        game: &G,
        mut each: impl FnMut(Standing<B, T>, Plays<'_, G>),
    ) {
        let choices = &self.choices[..self.count];
        game.sow_together(choices, &mut self.relays);
        let mut from = 0;
        for &standing in &self.positions {
            let to = from + usize::from(standing.moves);
            let plays = Plays {
                game,
                relays: &self.relays,
                choices: &choices[..to],
                at: from,
            };
            each(standing, plays);
            from = to;
        }
        self.positions.clear();
        self.count = 0;
    }
}

/// What the candidates of a position do, in ascending order.
#[derive(Debug)]
pub struct Plays<'a, G: Game> {
    game: &'a G,
    relays: &'a Relays<<G::Board as Board>::Word>,
    choices: &'a [(G::Board, Move)],
    at: usize,
}

impl<G: Game> Plays<'_, G> {
    /// Whether there are any left.
    pub fn has_moves(&self) -> bool {
        self.at < self.choices.len()
    }
}

impl<G: Game> Iterator for Plays<'_, G> {
    type Item = Play<G::Board>;

    #[inline(always)]
    fn next(&mut self) -> Option<Play<G::Board>> {
        let &(board, choice) = self.choices.get(self.at)?;
        let play = self.game.play_sown(self.relays, self.at, board, choice);
        self.at += 1;
        Some(play)
    }
}
