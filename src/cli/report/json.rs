//! Owns: the JSON of `solve` and `probe`, key by key as DESIGN section 5 has it.
//!
//! Keys that only games with a score carry are options that are left out; everything else is always
//! there, `null` where it has no value.

use super::{MoveReport, Report};
use crate::cli::target::Target;
use crate::value::{Bound, Value};
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
    /// `None` where the game has no score.
    fn of(value: Option<Value>, lead: i32, scored: bool) -> Option<Self> {
        let known = value.unwrap_or(Value::OPEN);
        scored.then(|| Self {
            margin: value.map(|value| value.margin(lead)),
            lower: JsonBound(known.lower),
            upper: JsonBound(known.upper),
        })
    }
}

fn outcome(value: Option<Value>, lead: i32) -> &'static str {
    value.map_or("unknown", |value| value.outcome(lead).as_str())
}

fn json_move<'a>(target: &Target, found: &'a MoveReport, lead: i32) -> JsonMove<'a> {
    let ply = &found.ply;
    JsonMove {
        name: &ply.name,
        captured: ply.captured,
        again: ply.again,
        position: ply.after.as_ref().map(|after| after.text(&target.setup)),
        endless: ply.after.is_none(),
        outcome: outcome(found.value, lead),
        score: Score::of(found.value, lead, target.setup.game().scored()),
        distance: found.value.and_then(|value| value.distance(lead)),
        best: found.best,
    }
}

/// Writes a report as one line.
///
/// # Errors
/// When the output cannot be written.
pub fn write_json(out: &mut impl Write, target: &Target, report: &Report) -> io::Result<()> {
    let Report { value, lead, .. } = *report;
    let scored = target.setup.game().scored();
    let json = Json {
        game: target.setup.game().as_str(),
        position: target.position.text(&target.setup),
        outcome: outcome(value, lead),
        score: Score::of(value, lead, scored),
        distances: scored.then(|| Distances {
            lower_distance: value.and_then(|value| value.finite_lower_distance()),
            upper_distance: value.and_then(|value| value.finite_upper_distance()),
        }),
        distance: value.and_then(|value| value.distance(lead)),
        proved: value.is_some(),
        moves: report
            .moves
            .iter()
            .map(|found| json_move(target, found, lead))
            .collect(),
        line: report.line.iter().map(|ply| ply.name.as_str()).collect(),
        line_end: report.end.as_str(),
    };
    serde_json::to_writer(&mut *out, &json)?;
    writeln!(out)
}
