//! Owns: an answer that is not complete, in words: what is proven, what is only expected, and why
//! there is no more.

use super::text::{capital, end_words, plies, result_words};
use super::{Report, SearchReport, Stopped};
use crate::cli::target::Target;
use crate::cli::units::show_count;
use crate::games::Seat;
use crate::value::{Bound, Bracket, Outcome};

/// What is known of a position whose value is not.
pub fn open_words(target: &Target, report: &Report, search: &SearchReport) -> String {
    let scored = target.setup.game().scored();
    let (mover, lead, bracket) = (target.position.seat, report.lead, &search.bracket);
    let mut words = headline(mover, bracket, lead, scored);
    if scored {
        words.push_str(&proven_ends(mover, bracket, lead));
    }
    if let Some(expected) = &search.expected {
        let whom = expectation(mover, expected.margin, scored);
        words.push_str(&format!(
            "\nExpected, not proven, after looking {} ahead: {whom}, by {}.",
            plies(expected.depth as usize),
            expected.line.join(" "),
        ));
    }
    let looked = show_count(search.expanded);
    let seconds = search.after.as_secs_f64();
    words.push_str(&match search.stopped {
        Stopped::ByTime => format!(
            "\nStopped after {seconds:.0} s (--time), {looked} positions looked at: more time proves more."
        ),
        Stopped::ByUser => {
            format!("\nInterrupted after {seconds:.0} s, {looked} positions looked at.")
        }
        Stopped::Not => String::new(),
    });
    words
}

/// Who wins, as far as that is proven.
fn headline(mover: Seat, bracket: &Bracket, lead: i32, scored: bool) -> String {
    let other = mover.other();
    let [least, most] = bracket.margins(lead);
    if let (true, Some(margin)) = (scored, bracket.margin(lead)) {
        let result = capital(&result_words(mover, margin, scored));
        return format!("{result}: proven. What else could be forced is open.");
    }
    let by = |least: i32, most: i32| {
        if most.abs_diff(0) > 1000 || least.abs_diff(0) > 1000 {
            format!("by at least {}", least.abs().min(most.abs()))
        } else {
            let (a, b) = (least.abs(), most.abs());
            format!("by {} to {}", a.min(b), a.max(b))
        }
    };
    match bracket.outcome(lead) {
        Some(Outcome::Win) => format!("{mover} wins {}: proven.", by(least, most)),
        Some(Outcome::Loss) => format!("{other} wins {}: proven.", by(least, most)),
        Some(Outcome::Draw) => "A draw: proven.".to_owned(),
        None => match (bracket.wins(lead), bracket.loses(lead)) {
            (Some(false), _) => {
                format!("Open: {mover} does not win, which is proven, but may lose.")
            }
            (_, Some(false)) => {
                format!("Open: {mover} does not lose, which is proven, but may win.")
            }
            _ => "Open: who wins is not proven.".to_owned(),
        },
    }
}

/// What each player can force, as far as that is proven.
fn proven_ends(mover: Seat, bracket: &Bracket, lead: i32) -> String {
    let other = mover.other();
    let part = |who: Seat, bound: Bound, how: &str| {
        bound
            .finite()
            .map(|_| format!("{who} can force {}", end_words(bound, lead, mover, how)))
    };
    let parts = [
        part(mover, bracket.lower[0], "at least"),
        part(other, bracket.upper[1], "at most"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() {
        "\nProven so far: nothing that either player can force.".to_owned()
    } else {
        format!("\nProven so far: {}.", parts.join("; "))
    }
}

/// What the analysis search expects.
fn expectation(mover: Seat, margin: f64, scored: bool) -> String {
    let leader = if margin >= 0.0 { mover } else { mover.other() };
    match margin.abs() {
        _ if margin.is_infinite() => format!("{leader} wins"),
        even if even < 0.25 => "an even game".to_owned(),
        ahead if scored => format!("{leader} wins by about {ahead:.1}"),
        ahead => format!("{leader} has {ahead:.0} seeds more"),
    }
}

/// What is known of a move whose value is not.
pub fn open_result(mover: Seat, bracket: &Bracket, lead: i32, scored: bool, seeds: u32) -> String {
    let other = mover.other();
    if !scored {
        return match (bracket.wins(0), bracket.loses(0)) {
            (Some(false), _) => format!("not won by {mover}"),
            (_, Some(false)) => format!("not won by {other}"),
            _ => "unknown".to_owned(),
        };
    }
    let [least, most] = bracket.margins(lead);
    if least == most {
        return result_words(mover, least, scored);
    }
    // A margin that all seeds together make possible says nothing.
    let limit = seeds as i32;
    match (least > lead - limit, most < lead + limit) {
        (true, true) => format!("{least:+} to {most:+}"),
        (true, false) => format!("{least:+} or more"),
        (false, true) => format!("{most:+} or less"),
        (false, false) => "unknown".to_owned(),
    }
}
