//! Owns: the JSON of `solve` and `probe`, key by key as DESIGN section 5 has it.
//!
//! Keys that only games with a score carry are options that are left out; everything else is always
//! there, `null` where it has no value.

use super::{Expected, HistoryReport, MoveReport, Report};
use crate::cli::target::Target;
use crate::value::{Bound, Bracket, Value};
use serde::{Serialize, Serializer};
use std::io::{self, Write};

#[derive(Serialize)]
struct Json<'a> {
    game: &'a str,
    position: String,
    outcome: &'a str,
    #[serde(flatten)]
    score: Option<Score>,
    #[serde(flatten)]
    distances: Option<Distances>,
    distance: Option<u16>,
    proved: bool,
    moves: Vec<JsonMove<'a>>,
    line: Vec<&'a str>,
    line_end: &'a str,
    /// Only where a search left the value open: what is expected and not proven.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<JsonExpected<'a>>,
    /// Only with a history that counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    history: Option<JsonHistory<'a>>,
}

#[derive(Serialize)]
struct JsonExpected<'a> {
    /// `null` for a game seen to be won or lost.
    margin: Option<f64>,
    outcome: &'a str,
    depth: u32,
    line: &'a [String],
}

#[derive(Serialize)]
struct JsonHistory<'a> {
    moves: &'a [String],
    /// The outcome that the position has without them.
    fresh_outcome: &'a str,
    /// Whether they change the value; `null` where one of the two is open.
    changes: Option<bool>,
}

#[derive(Serialize)]
struct JsonMove<'a> {
    #[serde(rename = "move")]
    name: &'a str,
    captured: u32,
    again: bool,
    position: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    endless: bool,
    outcome: &'a str,
    #[serde(flatten)]
    score: Option<Score>,
    distance: Option<u16>,
    best: bool,
}

/// What a game with a score says besides the outcome.
#[derive(Serialize)]
struct Score {
    margin: Option<i32>,
    lower: JsonBound,
    upper: JsonBound,
}

/// What a move is worth, with the keys that `solve` has for it.
#[derive(Serialize)]
pub struct JsonValue {
    outcome: &'static str,
    #[serde(flatten)]
    score: Option<Score>,
    distance: Option<u16>,
}

impl JsonValue {
    /// Of a value for a player who is `lead` seeds ahead; `distances` says whether they are known.
    pub fn new(value: &Value, lead: i32, scored: bool, distances: bool) -> Self {
        let bracket = Bracket::exact(value);
        Self {
            outcome: outcome(&bracket, lead),
            score: Score::of(&bracket, lead, scored),
            distance: value.distance(lead).filter(|_| distances),
        }
    }
}

#[derive(Serialize)]
struct Distances {
    lower_distance: Option<u16>,
    upper_distance: Option<u16>,
}

/// A number, or the words for the infinities.
struct JsonBound(Bound);

impl Serialize for JsonBound {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Bound::Finite(margin) => to.serialize_i16(margin),
            infinite => to.serialize_str(&infinite.to_string()),
        }
    }
}

impl Score {
    /// `None` where the game has no score. Of what is not known exactly: what each can surely force.
    fn of(bracket: &Bracket, lead: i32, scored: bool) -> Option<Self> {
        scored.then(|| Self {
            margin: bracket.margin(lead),
            lower: JsonBound(match bracket.lower[0] {
                Bound::PlusInfinity => Bound::MinusInfinity,
                bound => bound,
            }),
            upper: JsonBound(match bracket.upper[1] {
                Bound::MinusInfinity => Bound::PlusInfinity,
                bound => bound,
            }),
        })
    }
}

fn outcome(bracket: &Bracket, lead: i32) -> &'static str {
    bracket
        .outcome(lead)
        .map_or("unknown", |outcome| outcome.as_str())
}

fn json_move<'a>(target: &Target, found: &'a MoveReport, report: &Report) -> JsonMove<'a> {
    let (ply, lead) = (&found.ply, report.lead);
    let distance = found.value.and_then(|value| value.distance(lead));
    JsonMove {
        name: &ply.name,
        captured: ply.captured,
        again: ply.again,
        position: ply.after.as_ref().map(|after| after.text(&target.setup)),
        endless: ply.after.is_none(),
        outcome: outcome(&found.bracket, lead),
        score: Score::of(&found.bracket, lead, target.setup.game().scored()),
        distance: distance.filter(|_| report.distances),
        best: found.best,
    }
}

fn json_expected(expected: &Expected, scored: bool) -> JsonExpected<'_> {
    let outcome = match expected.margin {
        // A win-loss game's margin is a count of seeds: it says who wins only when that was seen.
        margin if !scored && margin.is_finite() => "unknown",
        margin if margin > 0.0 => "win",
        margin if margin < 0.0 => "loss",
        _ => "draw",
    };
    JsonExpected {
        margin: Some(expected.margin).filter(|margin| margin.is_finite()),
        outcome,
        depth: expected.depth,
        line: &expected.line,
    }
}

fn json_history(history: &HistoryReport, lead: i32, scored: bool) -> JsonHistory<'_> {
    let (fresh, now) = (history.fresh.value(scored), history.bracket.value(scored));
    JsonHistory {
        moves: &history.moves,
        fresh_outcome: outcome(&history.fresh, lead),
        changes: fresh.zip(now).map(|(fresh, now)| fresh != now),
    }
}

/// Writes a report as one line.
///
/// # Errors
/// When the output cannot be written.
pub fn write_json(out: &mut impl Write, target: &Target, report: &Report) -> io::Result<()> {
    let Report { lead, .. } = *report;
    let scored = target.setup.game().scored();
    let bracket = report.bracket();
    let timed = report.value.filter(|_| report.distances);
    let open = report.search.as_ref().filter(|_| report.value.is_none());
    let json = Json {
        game: target.setup.game().as_str(),
        position: target.position.text(&target.setup),
        outcome: outcome(&bracket, lead),
        score: Score::of(&bracket, lead, scored),
        distances: scored.then(|| Distances {
            lower_distance: timed.and_then(|value| value.finite_lower_distance()),
            upper_distance: timed.and_then(|value| value.finite_upper_distance()),
        }),
        distance: timed.and_then(|value| value.distance(lead)),
        proved: report.value.is_some(),
        moves: report
            .moves
            .iter()
            .map(|found| json_move(target, found, report))
            .collect(),
        line: report.line.iter().map(|ply| ply.name.as_str()).collect(),
        line_end: report.end.as_str(),
        expected: open
            .and_then(|search| search.expected.as_ref())
            .map(|expected| json_expected(expected, scored)),
        history: report
            .history
            .as_ref()
            .map(|history| json_history(history, lead, scored)),
    };
    serde_json::to_writer(&mut *out, &json)?;
    writeln!(out)
}
