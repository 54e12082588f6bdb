//! Owns: the course of a match with best play, round by round.
//!
//! A winner makes in every round for states won in fewer rounds, so that the match ends. In a state
//! that neither wins both keep it so, and the course ends when a round does not, or when a state
//! between rounds comes again: that is a draw by repetition as much as one on the board.

use super::line::{Goal, Goals, RoundEnd, RoundLine};
use super::{
    Answer, Library, Match, Owned, Question, Role, Round, Settled, State, forced_by_bounds,
    is_threshold, seat_of, taken,
};
use crate::games::Seat;
use crate::retro::Refusal;

/// A round of the course.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leg {
    /// What its opener owns before it.
    pub owned: Owned,
    /// Where the opener sits.
    pub opener: Seat,
    /// The round.
    pub round: Round,
    /// How it is played.
    pub line: RoundLine,
}

/// How a course ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CourseEnd {
    /// The player at this seat wins the match.
    Won(Seat),
    /// A position of the last round comes again.
    RoundRepeats,
    /// A state between rounds comes again.
    StateRepeats,
    /// A move of the last round never ends, and draws.
    Endless,
    /// What comes is not known.
    Cut,
}

/// A match as it is played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Course {
    /// The rounds.
    pub legs: Vec<Leg>,
    /// What South and North own after the last of them.
    pub owned: [u32; 2],
    /// How it ends.
    pub end: CourseEnd,
}

/// What South and North own in a state.
fn owned_by_seat(game: &Match, owned: Owned, opener: Seat) -> [u32; 2] {
    match opener {
        Seat::South => [owned, game.total() - owned],
        Seat::North => [game.total() - owned, owned],
    }
}

/// Plays the match out from a state on.
///
/// # Errors
/// When a board turns out not to be solvable.
pub fn course(
    game: &Match,
    settled: &Settled,
    library: &mut Library<'_>,
    mut owned: Owned,
    mut opener: Seat,
) -> Result<Course, Refusal> {
    let mut legs: Vec<Leg> = Vec::new();
    let end = loop {
        let round = match game.state(owned) {
            State::Lost(loser) => break CourseEnd::Won(seat_of(loser.other(), opener)),
            State::Round(round) => round,
        };
        let seen = |leg: &Leg| (leg.owned, leg.opener) == (owned, opener);
        if legs.iter().any(seen) {
            break CourseEnd::StateRepeats;
        }
        let line = match goals(game, settled, library, owned, &round) {
            Some(goals) => library.line(&round, &goals)?,
            None => None,
        };
        let Some(line) = line else {
            break CourseEnd::Cut;
        };
        let (round_end, taken) = (line.end, line.taken[0]);
        legs.push(Leg {
            owned,
            opener,
            round,
            line,
        });
        match round_end {
            RoundEnd::Over => {}
            RoundEnd::Repetition => break CourseEnd::RoundRepeats,
            RoundEnd::Endless => break CourseEnd::Endless,
            RoundEnd::Cut => break CourseEnd::Cut,
        }
        let next = game.next(&round, taken);
        owned = next.owned;
        if next.exchanged {
            opener = opener.other();
        }
    };
    Ok(Course {
        owned: owned_by_seat(game, owned, opener),
        legs,
        end,
    })
}

/// What both make for in a round; `None` where the state's worth is not known.
fn goals(
    game: &Match,
    settled: &Settled,
    library: &Library<'_>,
    owned: Owned,
    round: &Round,
) -> Option<Goals> {
    let verdict = settled.verdict(owned);
    let winner = Role::BOTH
        .into_iter()
        .find(|role| verdict.wins[*role as usize] == Answer::Yes);
    if winner.is_none() && verdict.wins != [Answer::No; 2] {
        return None;
    }
    let Some(role) = winner else {
        let of = Role::BOTH.map(|role| {
            let targets = settled.targets(game, round, role, u32::MAX);
            goal(library, round, role, targets, false)
        });
        let faster = Goal::Never;
        return Some(Goals { winner, of, faster });
    };
    let stage = verdict.most[role as usize]?;
    let within = |stage: u32| settled.targets(game, round, role, stage);
    let mut of = [Goal::Never, Goal::Never];
    of[role as usize] = goal(library, round, role, within(stage - 1), true);
    let faster = match stage.checked_sub(2) {
        Some(stage) => goal(library, round, role, within(stage), false),
        None => Goal::Never,
    };
    Some(Goals { winner, of, faster })
}

/// The goal that a set of ends is. A winner needs no more of the set than what bounds say can be
/// forced; where neither wins it must be the whole set, or a goal of the same answers everywhere.
fn goal(library: &Library<'_>, round: &Round, role: Role, targets: Vec<bool>, wins: bool) -> Goal {
    let threshold = match role {
        Role::Opener => targets.iter().position(|wanted| *wanted),
        Role::Replier => targets.iter().rposition(|wanted| *wanted),
    };
    let Some(threshold) = threshold else {
        return Goal::Never;
    };
    if is_threshold(&targets, role) {
        return Goal::Take(threshold as u32);
    }
    let question = Question {
        round: *round,
        role,
        targets,
    };
    let value = library.value(round).filter(|_| wins);
    if let Some(value) = value.filter(|value| forced_by_bounds(&question, value) == Answer::Yes) {
        let bound = match role {
            Role::Opener => value.lower,
            Role::Replier => value.upper,
        };
        if let Some(take) = taken(bound, round.seeds) {
            return Goal::Take(take as u32);
        }
    }
    Goal::Splits(question.targets)
}
