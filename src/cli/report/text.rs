//! Owns: a report in words: the board, the value and what it means, the moves best first, the best
//! line move by move.

use super::open::{open_result, open_words};
use super::{HistoryReport, MoveReport, PlyReport, Report};
use crate::analysis::LineEnd;
use crate::cli::columns::{Align, Columns};
use crate::cli::drawing::draw;
use crate::cli::moves::title;
use crate::cli::target::Target;
use crate::games::Seat;
use crate::notation::Position;
use crate::value::{Bound, Bracket, Outcome, Value};
use std::cmp::Reverse;
use std::io::{self, Write};

/// Writes a report for people; `boards` shows the board after every ply of the line.
///
/// # Errors
/// When the output cannot be written.
pub fn write_text(
    out: &mut impl Write,
    target: &Target,
    report: &Report,
    boards: bool,
) -> io::Result<()> {
    let Target { setup, position } = target;
    writeln!(out, "{}\n", title(setup, position))?;
    draw(out, setup, position)?;
    writeln!(out, "\n{}", value_words(target, report))?;
    if let Some(history) = &report.history {
        writeln!(out, "{}", history_words(target, report, history))?;
    }
    if report.moves.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    moves_table(target, report).write(out)?;
    write_line(out, target, report, boards)
}

/// What the position is worth, in a sentence or two.
pub fn value_words(target: &Target, report: &Report) -> String {
    let (mover, other) = (target.position.seat, target.position.seat.other());
    let Some(value) = report.value else {
        let search = report.search.as_ref();
        return search.map_or("The value is not known.".to_owned(), |search| {
            open_words(target, report, search)
        });
    };
    let scored = target.setup.game().scored();
    let result = result_words(mover, value.margin(report.lead), scored);
    if report.moves.is_empty() {
        return format!("The game is over: {result}.");
    }
    let (lower, upper) = (value.lower, value.upper);
    let distance = value.distance(report.lead).filter(|_| report.distances);
    let mut words = match (value.outcome(report.lead), distance) {
        (Outcome::Draw, _) => draw_words(&value, scored).to_owned(),
        (_, Some(distance)) => format!("{}; {}.", capital(&result), within(distance, scored)),
        (_, None) => format!("{}.", capital(&result)),
    };
    if scored && lower != upper {
        words.push_str(&format!(
            "\nPlay could also go on for ever: {mover} can force {}; {other} can force {}.",
            end_words(lower, report.lead, mover, "at least"),
            end_words(upper, report.lead, mover, "at most"),
        ));
    }
    words
}

/// What kind of draw it is.
fn draw_words(value: &Value, scored: bool) -> &'static str {
    if value.lower.finite().is_none() && value.upper.finite().is_none() {
        "A draw by repetition: neither player can force an end."
    } else if value.lower == value.upper {
        "A draw: the scores come out even."
    } else if !scored {
        "A draw by repetition."
    } else {
        "A draw: neither player can force an end that wins."
    }
}

/// Whether the moves that were played before change the answer.
fn history_words(target: &Target, report: &Report, history: &HistoryReport) -> String {
    let scored = target.setup.game().scored();
    let of = |bracket: &Bracket| match bracket.outcome(0) {
        _ if scored => bracket.margin(report.lead),
        outcome => outcome.map(|outcome| outcome as i32 - Outcome::Draw as i32),
    };
    let moves = match &history.moves[..] {
        [only] => format!("the move {only}"),
        moves => format!("the {} moves of the history", moves.len()),
    };
    match (of(&history.fresh), of(&history.bracket)) {
        (Some(fresh), Some(now)) if fresh != now => format!(
            "That is because of {moves}: without, {}.",
            result_words(target.position.seat, fresh, scored),
        ),
        (Some(_), Some(_)) => format!("The result is the same without {moves}."),
        _ => format!("Whether that is because of {moves} is open."),
    }
}

/// What can be forced in a game that ends, as a final margin for `mover`.
pub fn end_words(bound: Bound, lead: i32, mover: Seat, how: &str) -> String {
    match bound.finite() {
        Some(margin) => format!(
            "an end with {how} {} for {mover}",
            signed(i32::from(margin) + lead)
        ),
        None => "no end".to_owned(),
    }
}

/// A final margin with its sign.
pub fn signed(margin: i32) -> String {
    match margin {
        0 => "0".to_owned(),
        margin => format!("{margin:+}"),
    }
}

fn within(distance: u16, scored: bool) -> String {
    let plies = plies(usize::from(distance));
    if scored {
        format!("the next capture or the end is at most {plies} away")
    } else {
        format!("forced, at most {plies} to the next capture or the end")
    }
}

pub fn plies(count: usize) -> String {
    format!("{count} {}", if count == 1 { "ply" } else { "plies" })
}

/// Who wins, with the margin where the game has a score.
pub fn result_words(mover: Seat, margin: i32, scored: bool) -> String {
    let winner = match Outcome::of_margin(margin) {
        Outcome::Draw => return "a draw".to_owned(),
        Outcome::Win => mover,
        Outcome::Loss => mover.other(),
    };
    if scored {
        format!("{winner} wins by {}", margin.abs())
    } else {
        format!("{winner} wins")
    }
}

pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| {
        first.to_uppercase().chain(chars).collect()
    })
}

/// The moves, best first, marked where they keep the value.
pub fn moves_table(target: &Target, report: &Report) -> Columns {
    let mut table = Columns::new(&[
        ("", Align::Left),
        ("move", Align::Left),
        ("result", Align::Left),
        ("plies", Align::Right),
        ("bounds", Align::Left),
        ("takes", Align::Right),
        ("leads to", Align::Left),
        ("", Align::Left),
    ]);
    let mut sorted: Vec<&MoveReport> = report.moves.iter().collect();
    sorted.sort_by_key(|found| Reverse(rating(found, report.lead)));
    let mover = target.position.seat;
    let scored = target.setup.game().scored();
    for found in sorted {
        let result = match found.value {
            Some(value) => result_words(mover, value.margin(report.lead), scored),
            None => open_result(
                mover,
                &found.bracket,
                report.lead,
                scored,
                (target.position.seeds(), found.ply.captured),
            ),
        };
        let distance = found.value.and_then(|value| value.distance(report.lead));
        let distance = distance.filter(|_| report.distances);
        table.row(vec![
            if found.best { "*" } else { "" }.to_owned(),
            found.ply.name.clone(),
            result,
            distance.map_or(String::new(), |plies| plies.to_string()),
            found
                .value
                .map_or(String::new(), |value| bounds(value, report.lead, scored)),
            takes(&found.ply),
            leads_to(target, &found.ply),
            if found.ply.again { "moves again" } else { "" }.to_owned(),
        ]);
    }
    table
}

/// Orders moves: by what they are sure to bring, then by what they may; wins that come soon and losses
/// that come late are better.
fn rating(found: &MoveReport, lead: i32) -> (i32, i32, i32) {
    let [least, most] = found.bracket.margins(lead);
    let hurry = found.value.map_or(0, |value| {
        let distance = value.distance(lead).map_or(0, i32::from);
        match value.outcome(lead) {
            Outcome::Loss => distance,
            _ => -distance,
        }
    });
    (least, most, hurry)
}

/// Both bounds with the lead added, where they differ.
fn bounds(value: Value, lead: i32, scored: bool) -> String {
    let show = |bound: Bound| match bound.finite() {
        Some(margin) => signed(i32::from(margin) + lead),
        None => bound.to_string(),
    };
    if scored && value.lower != value.upper {
        format!("{} .. {}", show(value.lower), show(value.upper))
    } else {
        String::new()
    }
}

fn takes(ply: &PlyReport) -> String {
    ply.after
        .as_ref()
        .map_or(String::new(), |_| ply.captured.to_string())
}

fn leads_to(target: &Target, ply: &PlyReport) -> String {
    ply.after
        .as_ref()
        .map_or("never ends: a draw".to_owned(), |after| {
            after.text(&target.setup)
        })
}

/// The best line, as a table or with a board after every ply.
///
/// # Errors
/// When the output cannot be written.
pub fn write_line(
    out: &mut impl Write,
    target: &Target,
    report: &Report,
    boards: bool,
) -> io::Result<()> {
    if report.line.is_empty() {
        return Ok(());
    }
    let length = plies(report.line.len());
    let end = end_of_line(target, report);
    writeln!(out, "\nBest line, {length}, {end}:\n")?;
    let mut table = Columns::new(&[
        ("ply", Align::Right),
        ("player", Align::Left),
        ("move", Align::Left),
        ("takes", Align::Right),
        ("leads to", Align::Left),
    ]);
    for (at, ply) in report.line.iter().enumerate() {
        let number = (at + 1).to_string();
        if !boards {
            let seat = ply.seat.to_string();
            let to = leads_to(target, ply);
            table.row(vec![number, seat, ply.name.clone(), takes(ply), to]);
            continue;
        }
        let taking = match ply.captured {
            0 => String::new(),
            seeds => format!(", takes {seeds}"),
        };
        writeln!(out, "{number}. {} plays {}{taking}", ply.seat, ply.name)?;
        if let Some(after) = &ply.after {
            draw(out, &target.setup, after)?;
        }
        writeln!(out)?;
    }
    if boards { Ok(()) } else { table.write(out) }
}

/// How the line ends, in words.
fn end_of_line(target: &Target, report: &Report) -> String {
    let mover = target.position.seat;
    match report.end {
        LineEnd::Over(Outcome::Win) => format!("{mover} wins"),
        LineEnd::Over(Outcome::Loss) => format!("{} wins", mover.other()),
        LineEnd::Over(Outcome::Draw) => "a draw".to_owned(),
        LineEnd::Repetition => match first_visit(target, report) {
            0 => "repeats the position asked about: a draw".to_owned(),
            ply => format!("repeats the position after ply {ply}: a draw"),
        },
        LineEnd::Cut => "cut short".to_owned(),
    }
}

/// After how many plies the line's last position was first on the board.
fn first_visit(target: &Target, report: &Report) -> usize {
    let last = report.line.last().and_then(|ply| ply.after.as_ref());
    let same = |position: &Position| {
        last.is_some_and(|last| last.pits == position.pits && last.seat == position.seat)
    };
    let plies = report.line.iter().filter_map(|ply| ply.after.as_ref());
    std::iter::once(&target.position)
        .chain(plies)
        .position(same)
        .unwrap_or(0)
}
