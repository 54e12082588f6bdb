//! Owns: a checked puzzle in words: board, verdict, first moves with their refutations, the solution.

use super::report::{Checked, FirstReport, StepReport};
use crate::cli::drawing::draw;
use crate::cli::failure::one_line;
use crate::cli::moves::title;
use crate::puzzle::{End, Puzzle};
use crate::value::Outcome;
use std::io::{self, Write};

/// How a puzzle is called in a list.
pub fn heading(puzzle: &Puzzle, number: usize) -> String {
    let stipulation = &puzzle.stipulation;
    match &puzzle.name {
        Some(name) => format!("{number}. {}: {stipulation}", one_line(name)),
        None => format!("{number}. {stipulation}"),
    }
}

/// Writes a puzzle's check; `boards` draws the board after every ply of the first main line.
///
/// # Errors
/// When the output cannot be written.
pub fn write(
    out: &mut impl Write,
    checked: &Checked,
    number: usize,
    boards: bool,
) -> io::Result<()> {
    let puzzle = &checked.puzzle;
    writeln!(out, "{}", heading(puzzle, number))?;
    writeln!(out, "   {}", title(&puzzle.setup, &puzzle.position))?;
    let by = [
        ("by", &puzzle.author),
        ("source:", &puzzle.source),
        ("note:", &puzzle.note),
    ];
    for (what, text) in by {
        if let Some(text) = text.as_deref().filter(|text| !text.is_empty()) {
            writeln!(out, "   {what} {}", one_line(text))?;
        }
    }
    writeln!(out)?;
    draw(out, &puzzle.setup, &puzzle.position)?;
    writeln!(out, "\n{}", verdict(checked))?;
    firsts(out, checked)?;
    if !checked.lines.is_empty() {
        writeln!(out, "\nSolution:")?;
        for key in &checked.lines {
            lines(out, key, 1, "  ")?;
        }
    }
    if let Some(key) = checked.lines.first().filter(|_| boards) {
        writeln!(out)?;
        drawn(out, checked, key, 1)?;
    }
    Ok(())
}

/// The verdict in a line.
pub fn verdict(checked: &Checked) -> String {
    let remarks = checked.remarks.join("; ");
    match (checked.sound, &checked.keys()[..]) {
        (None, _) => format!("Not decided: {remarks}."),
        (Some(true), [key]) if remarks.is_empty() => format!("Sound: only {key} does it."),
        (Some(true), [key]) => format!("Sound: only {key} does it ({remarks})."),
        _ => format!("Unsound: {remarks}."),
    }
}

fn firsts(out: &mut impl Write, checked: &Checked) -> io::Result<()> {
    if !checked.met {
        return Ok(());
    }
    let failing = |wanted: bool| {
        let some = checked.firsts.iter();
        some.filter(move |first| !first.key && first.is_try == wanted)
    };
    for (what, wanted) in [("Try", true), ("Fails", false)] {
        for first in failing(wanted) {
            writeln!(out, "{what:<6} {}: {}", first.name, why(first))?;
        }
    }
    Ok(())
}

fn why(first: &FirstReport) -> String {
    match &first.refutations[..] {
        [] if first.again => "keeps the turn, and nothing that follows does it".to_owned(),
        [] => "the game is over, or draws".to_owned(),
        [only] if first.is_try => format!("{only}! alone refutes it"),
        [only] => format!("{only} refutes it, the only reply"),
        several => format!("{} refute it", several.join(", ")),
    }
}

/// A move as a line of play has it: numbered where it begins a line, captures as `x4`, duals behind.
fn told(step: &StepReport) -> String {
    let mut text = step.name.clone();
    if step.captured > 0 {
        text.push_str(&format!(" x{}", step.captured));
    }
    if !step.duals.is_empty() {
        text.push_str(&format!(" (dual: {})", step.duals.join(", ")));
    }
    text
}

fn end(step: &StepReport) -> &'static str {
    match step.end {
        End::Goes => "",
        End::Over(Outcome::Win) => ", done",
        End::Over(Outcome::Draw) => ", drawn",
        End::Over(Outcome::Loss) => ", lost",
        End::Repetition => ", a position comes again: drawn",
        End::Reached => ", done",
        End::Transposes => ", as in another line",
        End::Cut => ", and so on",
    }
}

/// Writes a line until it parts into several, and these indented below it.
fn lines(out: &mut impl Write, first: &StepReport, ply: usize, indent: &str) -> io::Result<()> {
    let mut text = format!("{indent}{ply}. {} {}", first.seat.letter(), told(first));
    let (mut at, mut ply, mut seat) = (first, ply, first.seat);
    while let [only] = &at.then[..] {
        ply += 1;
        text.push_str(match only.seat == seat {
            true => ", ",
            false => "  ",
        });
        if only.seat != seat {
            text.push_str(&format!("{} ", only.seat.letter()));
        }
        text.push_str(&told(only));
        (at, seat) = (only, only.seat);
    }
    writeln!(out, "{text}{}", end(at))?;
    for step in &at.then {
        lines(out, step, ply + 1, &format!("{indent}  "))?;
    }
    Ok(())
}

/// Draws the board after every ply of the first line.
fn drawn(out: &mut impl Write, checked: &Checked, step: &StepReport, ply: usize) -> io::Result<()> {
    writeln!(
        out,
        "{ply}. {} plays {}{}",
        step.seat,
        told(step),
        end(step)
    )?;
    if let Some(after) = &step.after {
        draw(out, &checked.puzzle.setup, after)?;
    }
    writeln!(out)?;
    match step.then.first() {
        Some(next) => drawn(out, checked, next, ply + 1),
        None => Ok(()),
    }
}
