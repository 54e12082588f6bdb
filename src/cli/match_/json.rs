//! Owns: the JSON of `match`, key by key as DESIGN section 5 has it.

use super::report::{Asking, Report};
use crate::games::Seat;
use crate::rounds::{CourseEnd, Leg, Owned, Round, Verdict};
use crate::value::{Bound, Outcome};
use serde::Serialize;
use std::io::{self, Write};

#[derive(Serialize)]
struct Json {
    game: &'static str,
    columns: u32,
    seeds: u32,
    total: u32,
    fill: &'static str,
    first_player: &'static str,
    boards: Vec<JsonBoard>,
    states: Vec<JsonState>,
    state: JsonAsked,
    proved: bool,
}

#[derive(Serialize)]
struct JsonBoard {
    pits: [u32; 2],
    seeds: u32,
    positions: Option<u64>,
    memory: Option<u64>,
    solved: bool,
}

#[derive(Serialize)]
struct JsonState {
    owns: Owned,
    other: Owned,
    pits: [u32; 2],
    lower: Option<JsonBound>,
    upper: Option<JsonBound>,
    #[serde(flatten)]
    verdict: JsonVerdict,
}

#[derive(Serialize)]
struct JsonVerdict {
    outcome: &'static str,
    at_least: &'static str,
    at_most: &'static str,
    rounds: Option<[u32; 2]>,
}

#[derive(Serialize)]
struct JsonAsked {
    south: Owned,
    north: Owned,
    first: char,
    #[serde(flatten)]
    verdict: JsonVerdict,
    line: Vec<JsonRound>,
    line_end: String,
}

#[derive(Serialize)]
struct JsonRound {
    south: Owned,
    north: Owned,
    position: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<String>>,
    taken: [u32; 2],
    end: &'static str,
}

#[derive(Serialize)]
#[serde(untagged)]
enum JsonBound {
    Finite(i16),
    Infinite(String),
}

impl JsonBound {
    fn new(bound: Bound) -> Self {
        match bound {
            Bound::Finite(margin) => Self::Finite(margin),
            infinite => Self::Infinite(infinite.to_string()),
        }
    }
}

fn json_verdict(verdict: &Verdict) -> JsonVerdict {
    let [worst, best] = verdict.bounds();
    JsonVerdict {
        outcome: verdict.outcome().map_or("unknown", Outcome::as_str),
        at_least: worst.as_str(),
        at_most: best.as_str(),
        rounds: verdict.rounds().map(|(least, most)| [least, most]),
    }
}

fn json_states(report: &Report<'_>) -> Vec<JsonState> {
    let state = |(owned, round): (Owned, Round)| {
        let value = report.library.value(&round);
        JsonState {
            owns: owned,
            other: report.game.total() - owned,
            pits: round.open,
            lower: value.map(|value| JsonBound::new(value.lower)),
            upper: value.map(|value| JsonBound::new(value.upper)),
            verdict: json_verdict(&report.settled.verdict(owned)),
        }
    };
    report.rounds().map(state).collect()
}

fn json_asked(report: &Report<'_>) -> JsonAsked {
    let total = report.game.total();
    let by_seat = |owned: Owned, opener| report.by_seat([owned, total - owned], opener);
    let round = |leg: &Leg| {
        let [south, north] = by_seat(leg.owned, leg.opener);
        JsonRound {
            south,
            north,
            position: report.position(leg),
            moves: (!report.scores).then(|| report.moves(leg)),
            taken: report.by_seat(leg.line.taken, leg.opener),
            end: leg.line.end.as_str(),
        }
    };
    let Asking { owned, opener } = report.asking;
    let [south, north] = by_seat(owned, opener);
    JsonAsked {
        south,
        north,
        first: opener.letter(),
        verdict: json_verdict(&report.settled.verdict(owned)),
        line: report.course.legs.iter().map(round).collect(),
        line_end: match report.course.end {
            CourseEnd::Won(Seat::South) => "south".to_owned(),
            CourseEnd::Won(Seat::North) => "north".to_owned(),
            CourseEnd::RoundRepeats | CourseEnd::StateRepeats => "repetition".to_owned(),
            CourseEnd::Endless => "draw".to_owned(),
            CourseEnd::Cut => "cut".to_owned(),
        },
    }
}

/// Writes the report for programs.
pub fn write_json(report: &Report<'_>, out: &mut impl Write) -> io::Result<()> {
    let game = report.game;
    let boards = report.library.boards().iter();
    let json = Json {
        game: game.rules().game().as_str(),
        columns: game.columns(),
        seeds: game.seeds(),
        total: game.total(),
        fill: game.rules().get("fill"),
        first_player: game.rules().get("first-player"),
        boards: boards
            .map(|board| JsonBoard {
                pits: [game.columns(), board.fewer],
                seeds: board.seeds,
                positions: board.cost.map(|cost| cost.positions),
                memory: board.cost.map(|cost| cost.least),
                solved: board.values.is_some(),
            })
            .collect(),
        states: json_states(report),
        state: json_asked(report),
        proved: report.open_states().0 == 0,
    };
    serde_json::to_writer(&mut *out, &json).map_err(io::Error::from)?;
    writeln!(out)
}
