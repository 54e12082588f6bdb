//! Owns: an answer that is not complete, in words: what is proven, what is only expected, and why
//! there is no more.

use super::text::{capital, end_words, plies, result_words, signed};
use super::{Report, SearchReport, Stopped};
use crate::cli::target::Target;
use crate::cli::units::counted;
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
    let looked = counted(search.expanded, "position");
    let seconds = search.after.as_secs_f64();
    words.push_str(&match search.stopped {
        Stopped::ByTime => format!(
            "\nStopped after {seconds:.0} s (--time), {looked} looked at: more time proves more."
        ),
        Stopped::ByUser => {
            format!("\nInterrupted after {seconds:.0} s, {looked} looked at.")
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
    let by = |a: i32, b: i32| match (a.abs().min(b.abs()), a.abs().max(b.abs())) {
        _ if !scored => String::new(),
        (least, most) => format!(" by {least} to {most}"),
    };
    match bracket.outcome(lead) {
        Some(Outcome::Win) => format!("{mover} wins{}: proven.", by(least, most)),
        Some(Outcome::Loss) => format!("{other} wins{}: proven.", by(least, most)),
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
        // Rounded as it is shown: half a seed is none, and then the game is even.
        ahead => match ahead.round() as u64 {
            0 => "an even game".to_owned(),
            seeds => format!("{leader} has {} more", counted(seeds, "seed")),
        },
    }
}

/// What is known of a move whose value is not; `seeds` are on the board before it, of which it takes
/// `captured`.
pub fn open_result(
    mover: Seat,
    bracket: &Bracket,
    lead: i32,
    scored: bool,
    (seeds, captured): (u32, u32),
) -> String {
    if !scored {
        return match (bracket.wins(0), bracket.loses(0)) {
            (Some(false), _) => format!("not won by {mover}"),
            (_, Some(false)) => format!("not won by {}", mover.other()),
            _ => "unknown".to_owned(),
        };
    }
    let [least, most] = bracket.margins(lead);
    if least == most {
        return result_words(mover, least, scored);
    }
    // A margin that comes about if all that is left goes to one player says nothing.
    let (taken, left) = (captured as i32, (seeds - captured) as i32);
    let [least_says, most_says] = [least > lead + taken - left, most < lead + taken + left];
    match (least_says, most_says) {
        (true, true) => format!("{} to {}", signed(least), signed(most)),
        (true, false) => format!("{} or more", signed(least)),
        (false, true) => format!("{} or less", signed(most)),
        (false, false) => "unknown".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_nothing_is_not_said() {
        let finite = Bound::Finite;
        let bracket = |least, most| Bracket {
            lower: [Bound::MinusInfinity, most],
            upper: [least, Bound::PlusInfinity],
        };
        let of = |least, most| {
            open_result(
                Seat::South,
                &bracket(finite(least), finite(most)),
                1,
                true,
                (10, 3),
            )
        };
        // Of ten seeds three are taken: from 3 - 7 to 3 + 7, and one ahead.
        assert_eq!(of(-4, 10), "unknown");
        assert_eq!(of(-2, 10), "-1 or more");
        assert_eq!(of(-4, 8), "+9 or less");
        assert_eq!(of(-1, 1), "0 to +2");
        assert_eq!(of(-1, -1), "a draw");
    }
}
