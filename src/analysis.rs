//! Owns: what values say about a position's moves: the worth of each, the best ones, and a line of
//! best play.
//!
//! It asks any source of exact values (solved layers, tables) for single boards, so that a line is
//! the same wherever its values come from.

use crate::game::{Game, Move, Play, Played, Turn};
use crate::value::{Bound, Distance, Outcome, Value};
use ahash::AHashSet;
use std::cmp::Reverse;

/// A legal move and what it is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveValue<B> {
    /// The move.
    pub choice: Move,
    /// Where it leads; `None` for an endless move, which draws.
    pub played: Option<Played<B>>,
    /// Its value for the player who makes it, what it captures included; `None` when not known.
    /// Distances count from before the move.
    pub value: Option<Value>,
    /// Whether it keeps what the position is worth.
    pub best: bool,
}

/// A ply of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply<B> {
    /// The move made.
    pub choice: Move,
    /// Where it leads; `None` for an endless move.
    pub played: Option<Played<B>>,
}

/// How a line ends, for the player to move at its beginning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineEnd {
    /// The game is over.
    Over(Outcome),
    /// A position comes again.
    Repetition,
    /// The line is longer than asked for, or values are missing.
    Cut,
}

impl LineEnd {
    /// `win`, `loss`, `draw`, `repetition` or `cut`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Over(outcome) => outcome.as_str(),
            Self::Repetition => "repetition",
            Self::Cut => "cut",
        }
    }
}

/// The value of a position, of its moves, and a line of best play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Analysis<B> {
    /// The value for the player to move; `None` when not known.
    pub value: Option<Value>,
    /// The legal moves in ascending order; empty when the game is over.
    pub moves: Vec<MoveValue<B>>,
    /// Best play from here.
    pub line: Vec<Ply<B>>,
    /// How the line ends.
    pub end: LineEnd,
}

/// Most plies in a line: far beyond any seen, it only keeps memory bounded.
pub const LONGEST_LINE: usize = 100_000;

/// Where exact values come from: `None` for a board it does not cover.
pub type Source<'a, B> = dyn Fn(B) -> Option<Value> + 'a;

/// The value of a move that leads to a board worth `after` to whoever moves there.
pub fn value_through<B>(played: &Played<B>, scored: bool, after: Value) -> Value {
    let gain = if scored { played.captured as i16 } else { 0 };
    let own = if played.again {
        after
    } else {
        Value {
            lower: after.upper.negated(),
            upper: after.lower.negated(),
            lower_distance: after.upper_distance,
            upper_distance: after.lower_distance,
        }
    };
    // A distance runs to the next capture, so one that captures is a ply from it.
    let further = |distance: Distance| {
        if played.captured > 0 {
            1
        } else {
            distance.saturating_add(1)
        }
    };
    Value {
        lower: own.lower.plus(gain),
        upper: own.upper.plus(gain),
        lower_distance: further(own.lower_distance),
        upper_distance: further(own.upper_distance),
    }
}

/// The legal moves of a board with their values, the forced pass included, or the final margin.
pub fn moves<G: Game>(
    game: &G,
    board: G::Board,
    values: &Source<'_, G::Board>,
) -> Result<Vec<MoveValue<G::Board>>, i32> {
    let mut moves = Vec::new();
    let mut add = |choice, played: Option<Played<G::Board>>| {
        let value = match played {
            Some(played) => {
                values(played.board).map(|after| value_through(&played, G::SCORED, after))
            }
            None => Some(Value::OPEN),
        };
        moves.push(MoveValue {
            choice,
            played,
            value,
            best: false,
        });
    };
    let turn = game.expand(board, |choice, play| match play {
        Play::Done(played) => add(choice, Some(played)),
        Play::Endless { .. } if game.endless_draws() => add(choice, None),
        Play::Endless { .. } => {}
    });
    match turn {
        Turn::Moves => {}
        Turn::Pass(board) => add(
            Move::PASS,
            Some(Played {
                board,
                captured: 0,
                again: false,
                laps: 0,
            }),
        ),
        Turn::Over { margin } => return Err(margin),
    }
    Ok(moves)
}

/// Analyses a board for a mover who is `lead` seeds ahead.
pub fn analyse<G: Game>(
    game: &G,
    board: G::Board,
    lead: i32,
    values: &Source<'_, G::Board>,
) -> Analysis<G::Board> {
    let value = values(board);
    let mut listed = moves(game, board, values).unwrap_or_default();
    if let Some(value) = value {
        for listed in &mut listed {
            let keeps = |through: Value| through.margin(lead) == value.margin(lead);
            listed.best = listed.value.is_some_and(keeps);
        }
    }
    let (line, end) = best_line(game, board, lead, values);
    Analysis {
        value,
        moves: listed,
        line,
        end,
    }
}

/// The move that best play makes: whoever can force the result hurries, the other delays. In a draw
/// that neither can force to an end, any move that keeps it.
fn best_move<B: Copy>(moves: &[MoveValue<B>], value: Value, lead: i32) -> Option<&MoveValue<B>> {
    let known = || moves.iter().filter_map(|m| m.value.map(|value| (m, value)));
    let reaches =
        |bound: Bound, margin: i32| bound.finite().map(|b| i32::from(b) + lead) == Some(margin);
    let margin = value.margin(lead);
    let hurry = known()
        .filter(|(_, through)| reaches(through.lower, margin))
        .min_by_key(|(_, through)| through.lower_distance);
    let delay = known()
        .filter(|(_, through)| reaches(through.upper, margin))
        .min_by_key(|(_, through)| Reverse(through.upper_distance));
    let keep = known().find(|(_, through)| through.margin(lead) == margin);
    let chosen = match Outcome::of_margin(margin) {
        Outcome::Win => hurry,
        Outcome::Loss => delay,
        Outcome::Draw if reaches(value.lower, 0) => hurry,
        Outcome::Draw if reaches(value.upper, 0) => delay,
        Outcome::Draw => keep,
    };
    chosen.map(|(best, _)| best)
}

/// Follows best play to the end of the game or the first repetition.
pub fn best_line<G: Game>(
    game: &G,
    mut board: G::Board,
    mut lead: i32,
    values: &Source<'_, G::Board>,
) -> (Vec<Ply<G::Board>>, LineEnd) {
    let mut line = Vec::new();
    let mut seen = AHashSet::new();
    // Whether the player to move is the one who began, which the board alone does not say.
    let mut first = true;
    let result = |margin: i32, first: bool| {
        LineEnd::Over(Outcome::of_margin(if first { margin } else { -margin }))
    };
    loop {
        if !seen.insert((board, first)) {
            return (line, LineEnd::Repetition);
        }
        let moves = match moves(game, board, values) {
            Ok(moves) => moves,
            Err(margin) => return (line, result(margin + lead, first)),
        };
        let best = values(board).and_then(|value| best_move(&moves, value, lead));
        let Some(best) = best.filter(|_| line.len() < LONGEST_LINE) else {
            return (line, LineEnd::Cut);
        };
        line.push(Ply {
            choice: best.choice,
            played: best.played,
        });
        let Some(played) = best.played else {
            return (line, result(0, first));
        };
        board = played.board;
        if G::SCORED {
            lead += played.captured as i32;
        }
        if !played.again {
            lead = -lead;
            first = !first;
        }
    }
}
