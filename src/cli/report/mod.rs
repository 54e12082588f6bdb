//! Owns: what is told of a position's value, whoever found it: gathered here from boards into
//! positions and names, written by [`json`] for programs and by [`text`] and [`open`] for people.
//!
//! The point of the middle form is that it no longer depends on a game's type: every command that
//! answers with values (from layers in memory, from a table, from a search) fills it and is done.

mod json;
mod open;
mod text;

pub use json::{JsonValue, write_json};
pub use text::{moves_table, plies, result_words, signed, value_words, write_line, write_text};

use super::target::Target;
use crate::analysis::{Analysis, LineEnd, Ply, moves};
use crate::game::{Game, Move, Play, Played, Turn};
use crate::games::Seat;
use crate::notation::{Position, move_name};
use crate::search::{Sought, SoughtMove};
use crate::value::{Bracket, Value};
use std::time::Duration;

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
    /// Whether distances of values are known.
    pub distances: bool,
    /// What a search has to say besides.
    pub search: Option<SearchReport>,
    /// What the history has to do with it, where there is one that counts.
    pub history: Option<HistoryReport>,
}

/// What a search found, and why no more.
#[derive(Clone, Debug)]
pub struct SearchReport {
    /// What is proven.
    pub bracket: Bracket,
    /// What is expected where the value is open.
    pub expected: Option<Expected>,
    /// Positions looked at.
    pub expanded: u64,
    /// Time that it took.
    pub after: Duration,
    /// What ended it.
    pub stopped: Stopped,
}

/// What ended a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// Nothing was left to find.
    Not,
    /// Time was up.
    ByTime,
    /// Ctrl-C.
    ByUser,
}

/// What an analysis expects.
#[derive(Clone, Debug)]
pub struct Expected {
    /// The final margin for the player to move; in win-loss games the difference in seeds.
    pub margin: f64,
    /// Plies looked ahead.
    pub depth: u32,
    /// Names of the moves expected.
    pub line: Vec<String>,
}

/// What the moves that led to a position mean for its value.
#[derive(Clone, Debug)]
pub struct HistoryReport {
    /// The moves.
    pub moves: Vec<String>,
    /// What is known of the position without them.
    pub fresh: Bracket,
    /// What is known with them.
    pub bracket: Bracket,
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
    /// What is known of its value.
    pub bracket: Bracket,
    /// Whether it keeps what the position is worth.
    pub best: bool,
}

impl Report {
    /// What the analysis of a target says, in positions and names.
    pub fn new<G: Game>(game: &G, target: &Target, analysis: &Analysis<G::Board>) -> Self {
        let moves = analysis.moves.iter().map(|found| MoveReport {
            ply: ply(game, target, &target.position, found.choice, found.played),
            value: found.value,
            bracket: found
                .value
                .map_or(Bracket::OPEN, |value| Bracket::exact(&value)),
            best: found.best,
        });
        Self {
            value: analysis.value,
            lead: lead::<G>(&target.position),
            moves: moves.collect(),
            line: line(game, target, &analysis.line),
            end: analysis.end,
            distances: true,
            search: None,
            history: None,
        }
    }

    /// A value alone, without moves.
    pub fn of_value(value: Value, lead: i32) -> Self {
        Self {
            value: Some(value),
            lead,
            moves: Vec::new(),
            line: Vec::new(),
            end: LineEnd::Cut,
            distances: true,
            search: None,
            history: None,
        }
    }

    /// What a search of a target found, in positions and names.
    pub fn sought<G: Game>(
        game: &G,
        target: &Target,
        sought: &Sought<G::Board>,
        (after, stopped): (Duration, Stopped),
    ) -> Self {
        let lead = lead::<G>(&target.position);
        let (bracket, seat) = (sought.bracket, target.position.seat);
        let known = |bracket: &Bracket| match bracket.outcome(0) {
            _ if G::SCORED => bracket.margin(lead),
            outcome => outcome.map(|outcome| outcome as i32),
        };
        let kept = known(&bracket);
        let moves = sought.moves.iter().map(|found| MoveReport {
            ply: ply(game, target, &target.position, found.choice, found.played),
            value: found.bracket.value(G::SCORED),
            bracket: found.bracket,
            best: kept.is_some() && known(&found.bracket) == kept,
        });
        let expected = sought.outlook.as_ref().map(|outlook| Expected {
            margin: outlook.margin,
            depth: outlook.depth,
            line: names(game, target, seat, &outlook.line),
        });
        let value = bracket.value(G::SCORED);
        Self {
            value,
            lead,
            moves: moves.collect(),
            line: line(game, target, &sought.line),
            end: sought.end,
            distances: false,
            search: Some(SearchReport {
                bracket,
                expected,
                expanded: sought.expanded,
                after,
                stopped: if value.is_some() {
                    Stopped::Not
                } else {
                    stopped
                },
            }),
            history: None,
        }
    }

    /// A target of which nothing is known, because solving it was stopped.
    pub fn open<G: Game>(game: &G, target: &Target, why: (Duration, Stopped)) -> Self {
        let board = target.position.board(game);
        let listed = moves(game, board, &|_| None).unwrap_or_default();
        let sought = Sought {
            bracket: Bracket::OPEN,
            outlook: None,
            moves: listed
                .into_iter()
                .map(|listed| SoughtMove {
                    choice: listed.choice,
                    played: listed.played,
                    bracket: listed
                        .value
                        .map_or(Bracket::OPEN, |value| Bracket::exact(&value)),
                })
                .collect(),
            line: Vec::new(),
            end: LineEnd::Cut,
            expanded: 0,
        };
        Self::sought(game, target, &sought, why)
    }

    /// What is known of the value.
    pub fn bracket(&self) -> Bracket {
        match (&self.value, &self.search) {
            (Some(value), _) => Bracket::exact(value),
            (None, Some(search)) => search.bracket,
            (None, None) => Bracket::OPEN,
        }
    }
}

/// A line of play in positions and names.
pub fn line<G: Game>(game: &G, target: &Target, line: &[Ply<G::Board>]) -> Vec<PlyReport> {
    let mut at = target.position.clone();
    let told = |found: &Ply<G::Board>| {
        let ply = ply(game, target, &at, found.choice, found.played);
        if let Some(after) = &ply.after {
            at.clone_from(after);
        }
        ply
    };
    line.iter().map(told).collect()
}

/// The names of moves played in turn.
fn names<G: Game>(game: &G, target: &Target, mut seat: Seat, line: &[Move]) -> Vec<String> {
    let mut board = target.position.board(game);
    let mut names = Vec::new();
    for &choice in line {
        names.push(move_name(&target.setup, seat, choice));
        let played = if choice.is_pass() {
            match game.stuck(board) {
                Turn::Pass(board) => Some((board, false)),
                _ => None,
            }
        } else {
            match game.play(board, choice) {
                Play::Done(played) => Some((played.board, played.again)),
                Play::Endless { .. } => None,
            }
        };
        let Some((after, again)) = played else {
            break;
        };
        board = after;
        seat = if again { seat } else { seat.other() };
    }
    names
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
    choice: Move,
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
