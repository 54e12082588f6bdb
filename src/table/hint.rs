//! Owns: what the entropy coder may know of a position besides its neighbours.
//!
//! A table knows no rules; whoever does hands it a [`Predictor`] that sums up a look at a position's
//! moves in a few small numbers. They only steer probabilities: a bad hint costs bytes, never
//! correctness, but both ends must see the same one, so the predictor is named in the fingerprint.

use crate::board::{Board, Lanes};
use crate::game::{Game, Play, Played, Turn};

/// A position summed up for the coder.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Hint {
    /// Legal moves.
    pub moves: u8,
    /// Those that capture nothing.
    pub quiet: u8,
    /// Those after which the same player moves again.
    pub again: u8,
    /// The most that a move captures.
    pub captured: u8,
    /// Seeds on the mover's half.
    pub own: u8,
    /// The best of captures less the best capture in reply, in a win-loss game finer; what ends the
    /// game lies beyond all of these.
    pub exchange: i16,
}

/// Sums up positions.
pub trait Predictor<B>: Sync {
    /// The hint for a board.
    fn hint(&self, board: B) -> Hint;
}

/// Names [`TwoPlies`] in fingerprints.
pub const PREDICTOR: &str = "two-plies/2";

/// Looks at all moves and at the captures in reply to each.
#[derive(Debug)]
pub struct TwoPlies<'a, G> {
    game: &'a G,
}

impl<'a, G: Game> TwoPlies<'a, G> {
    /// Looks by the rules of `game`.
    pub fn new(game: &'a G) -> Self {
        Self { game }
    }

    /// The most a move captures, how many capture nothing, and how many there are.
    #[inline(always)]
    fn captures(&self, board: G::Board) -> (u32, u8, u8) {
        let (mut most, mut quiet, mut moves) = (0, 0, 0);
        for choice in self.game.candidates(board) {
            if let Play::Done(played) = self.game.play(board, choice) {
                moves += 1;
                quiet += u8::from(played.captured == 0);
                most = most.max(played.captured);
            }
        }
        (most, quiet, moves)
    }

    /// What a move brings with the best capture in reply.
    #[inline(always)]
    fn exchange(&self, played: &Played<G::Board>) -> i16 {
        let (reply, quiet, moves) = self.captures(played.board);
        let (gain, reply) = (played.captured as i16, reply as i16);
        if G::SCORED {
            return if played.again {
                gain + reply
            } else {
                gain - reply
            };
        }
        if moves == 0 {
            return 1100;
        }
        4 * (gain - reply) + i16::from(quiet == 0)
    }

    fn own(&self, board: G::Board) -> u8 {
        let pits = self.game.shape().pits;
        let half = if G::Board::RINGS == 2 { pits } else { pits / 2 };
        match half {
            0 => 0,
            _ => board.ring(0).prefix_sums().get(half - 1) as u8,
        }
    }
}

impl<G: Game> Predictor<G::Board> for TwoPlies<'_, G> {
    fn hint(&self, board: G::Board) -> Hint {
        let mut hint = Hint {
            exchange: -1200,
            own: self.own(board),
            ..Hint::default()
        };
        let turn = self.game.expand(board, |_, play| {
            if let Play::Done(played) = play {
                hint.moves += 1;
                hint.quiet += u8::from(played.captured == 0);
                hint.again += u8::from(played.again);
                hint.captured = hint.captured.max(played.captured as u8);
                hint.exchange = hint.exchange.max(self.exchange(&played));
            }
        });
        match turn {
            Turn::Moves => {}
            Turn::Pass(_) => hint.exchange = 2000,
            Turn::Over { margin } => hint.exchange = 1500 + margin as i16,
        }
        hint
    }
}
