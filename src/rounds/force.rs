//! Owns: which questions about a round its two bounds answer.
//!
//! Let the opener's take that `lower` and `upper` stand for be `l` and `u`. The opener can force a
//! round that ends with at least `l`, and with no more: so a set that has all takes from `l` up can be
//! forced, and a set that lies above `l` cannot. Where no end can be forced (`lower` is −∞) no set can.
//! The replier can hold the opener to at most `u`, and to no less: likewise with the sides exchanged.
//! A set of the form "at least so many" for the opener, "at most so many" for the replier, is always
//! one or the other, so for such sets maximising the round *is* maximising the match. What lies between
//! is not answered by bounds.

use super::seek::own_targets;
use super::{Answer, Question, Role};
use crate::value::{Bound, Value};

/// What the bounds of a round's start, as its opener sees them, say to a question.
pub fn forced_by_bounds(question: &Question, value: &Value) -> Answer {
    let targets = &question.targets;
    if !targets.contains(&true) {
        return Answer::No;
    }
    let bound = match question.role {
        Role::Opener => value.lower,
        Role::Replier => value.upper,
    };
    let Some(taken) = taken(bound, question.round.seeds) else {
        return Answer::No;
    };
    match question.role {
        Role::Opener => answer_within(targets, taken),
        Role::Replier => {
            let own = own_targets(Role::Replier, targets);
            answer_within(&own, own.len() - 1 - taken)
        }
    }
}

/// What it says of a set of a player's takes that the player can force at least `surely`, and no more.
pub fn answer_within(takes: &[bool], surely: usize) -> Answer {
    if takes[surely..].iter().all(|wanted| *wanted) {
        Answer::Yes
    } else if takes[..=surely].contains(&true) {
        Answer::Open
    } else {
        Answer::No
    }
}

/// The seeds that the opener takes where a bound is the margin of a round; `None` for an infinite one.
pub fn taken(bound: Bound, seeds: u32) -> Option<usize> {
    let margin = bound.finite()?;
    Some(((i32::from(margin) + seeds as i32) / 2) as usize)
}

/// Whether a set has the form that bounds always answer: with a take all those that are better for
/// `role`.
pub fn is_threshold(targets: &[bool], role: Role) -> bool {
    match role {
        Role::Opener => targets.is_sorted(),
        Role::Replier => targets.iter().rev().is_sorted(),
    }
}
