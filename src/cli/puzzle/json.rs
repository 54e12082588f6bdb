//! Owns: a checked puzzle as JSON, one object a line (docs/DESIGN.md section 5).

use super::report::{Checked, StepReport};
use crate::puzzle::End;
use crate::value::Outcome;
use serde::Serialize;
use std::io::{self, Write};

#[derive(Serialize)]
struct Json<'a> {
    number: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    game: &'a str,
    position: String,
    stipulation: String,
    /// `null` where it could not be found out.
    sound: Option<bool>,
    met: bool,
    keys: Vec<&'a str>,
    remarks: &'a [String],
    firsts: Vec<JsonFirst<'a>>,
    duals: usize,
    lines: Vec<JsonStep<'a>>,
}

#[derive(Serialize)]
struct JsonFirst<'a> {
    #[serde(rename = "move")]
    name: &'a str,
    key: bool,
    #[serde(rename = "try")]
    is_try: bool,
    captured: u32,
    again: bool,
    refutations: &'a [String],
}

#[derive(Serialize)]
struct JsonStep<'a> {
    player: String,
    #[serde(rename = "move")]
    name: &'a str,
    captured: u32,
    duals: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<&'static str>,
    then: Vec<JsonStep<'a>>,
}

fn step(found: &StepReport) -> JsonStep<'_> {
    JsonStep {
        player: found.seat.letter().to_string(),
        name: &found.name,
        captured: found.captured,
        duals: &found.duals,
        end: match found.end {
            End::Goes => None,
            End::Over(Outcome::Win) | End::Reached => Some("done"),
            End::Over(Outcome::Draw) => Some("drawn"),
            End::Over(Outcome::Loss) => Some("lost"),
            End::Repetition => Some("repetition"),
            End::Transposes => Some("transposes"),
            End::Cut => Some("cut"),
        },
        then: found.then.iter().map(step).collect(),
    }
}

/// Writes a puzzle's check.
///
/// # Errors
/// When the output cannot be written.
pub fn write(out: &mut impl Write, checked: &Checked, number: usize) -> io::Result<()> {
    let puzzle = &checked.puzzle;
    let firsts = checked.firsts.iter().map(|first| JsonFirst {
        name: &first.name,
        key: first.key,
        is_try: first.is_try,
        captured: first.captured,
        again: first.again,
        refutations: &first.refutations,
    });
    let json = Json {
        number,
        name: puzzle.name.as_deref(),
        game: puzzle.setup.game().as_str(),
        position: puzzle.position.text(&puzzle.setup),
        stipulation: puzzle.stipulation.to_string(),
        sound: checked.sound,
        met: checked.met,
        keys: checked.keys(),
        remarks: &checked.remarks,
        firsts: firsts.collect(),
        duals: checked.duals,
        lines: checked.lines.iter().map(step).collect(),
    };
    serde_json::to_writer(&mut *out, &json)?;
    writeln!(out)
}
