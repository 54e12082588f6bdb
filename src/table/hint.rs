//! Owns: what the entropy coder may know of a position besides its neighbours.
//!
//! A table knows no rules; whoever does hands it a [`Predictor`] that sums up a look at a position's
//! moves in a few small numbers. They only steer probabilities: a bad hint costs bytes, never
//! correctness, but both ends must see the same one, so the predictor is named in the fingerprint.

use crate::batch::{Batch, Standing};
use crate::board::{Board, Lanes};
use crate::game::{Game, Play, Turn};

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
    /// Adds the hints for some boards.
    fn hints(&self, boards: impl Iterator<Item = B>, hints: &mut Vec<Hint>);
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

    /// Plays the moves of a batch of positions, known by their places in `hints`, and gathers the
    /// positions that they lead to.
    fn moves(
        &self,
        batch: &mut Batch<G::Board, usize>,
        replies: &mut Batch<G::Board, Reply>,
        hints: &mut [Hint],
    ) {
        batch.play(self.game, |Standing { board, tag, .. }, plays| {
            let mut legal = self.game.endless_draws() && plays.has_moves();
            for play in plays {
                let Play::Done(played) = play else {
                    continue;
                };
                legal = true;
                let hint = &mut hints[tag];
                hint.moves += 1;
                hint.quiet += u8::from(played.captured == 0);
                hint.again += u8::from(played.again);
                hint.captured = hint.captured.max(played.captured as u8);
                let reply = Reply {
                    hint: tag,
                    gain: played.captured as i16,
                    again: played.again,
                };
                replies.push(self.game, played.board, reply);
                if replies.is_full() {
                    self.replies(replies, hints);
                }
            }
            if !legal {
                let exchange = &mut hints[tag].exchange;
                match self.game.stuck(board) {
                    Turn::Moves => {}
                    Turn::Pass(_) => *exchange = 2000,
                    Turn::Over { margin } => *exchange = 1500 + margin as i16,
                }
            }
        });
    }

    /// Plays the replies to moves, and keeps what the best move brings with the best capture in reply.
    fn replies(&self, replies: &mut Batch<G::Board, Reply>, hints: &mut [Hint]) {
        replies.play(self.game, |Standing { tag, .. }, plays| {
            let (mut most, mut quiet, mut moves) = (0, 0, 0);
            for play in plays {
                if let Play::Done(played) = play {
                    moves += 1;
                    quiet += u8::from(played.captured == 0);
                    most = most.max(played.captured as i16);
                }
            }
            let exchange = match (G::SCORED, tag.again) {
                (true, true) => tag.gain + most,
                (true, false) => tag.gain - most,
                (false, _) if moves == 0 => 1100,
                (false, _) => 4 * (tag.gain - most) + i16::from(quiet == 0),
            };
            let best = &mut hints[tag.hint].exchange;
            *best = exchange.max(*best);
        });
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

/// A position after a move.
#[derive(Clone, Copy, Debug)]
struct Reply {
    /// The place of the hint for the position before.
    hint: usize,
    /// What the move captured.
    gain: i16,
    /// Whether the same player moves again.
    again: bool,
}

impl<G: Game> Predictor<G::Board> for TwoPlies<'_, G> {
    fn hints(&self, boards: impl Iterator<Item = G::Board>, hints: &mut Vec<Hint>) {
        let (mut batch, mut replies) = (Batch::default(), Batch::default());
        for board in boards {
            batch.push(self.game, board, hints.len());
            hints.push(Hint {
                exchange: -1200,
                own: self.own(board),
                ..Hint::default()
            });
            if batch.is_full() {
                self.moves(&mut batch, &mut replies, hints);
            }
        }
        self.moves(&mut batch, &mut replies, hints);
        self.replies(&mut replies, hints);
    }
}
