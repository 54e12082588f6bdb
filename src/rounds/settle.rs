//! Owns: what every state of a match is worth: the fixpoint over rounds.
//!
//! A player can force the match to be won within `k` rounds who can force the round at hand to end in
//! a state won within `k − 1`: that is [`settle`], stage by stage, for both roles at once. What is never
//! reached is not won, so that a state that neither reaches is a draw: play goes round for ever, within
//! a round or over rounds. (Winning is a reachability game over the match's positions; a round is a
//! piece of it, and forcing a set of the round's ends its least fixpoint. So nested ones, rounds within
//! the match, give the least fixpoint of the whole.)
//!
//! Whoever is asked what can be forced may not know: rounds may be too large. So there are two runs, one
//! that takes "open" for no and one that takes it for yes. Forcing a larger set is never harder, hence
//! both are fixpoints of monotone maps with the true one between them: what the first reaches is won,
//! what the second does not is not, and the stages bound the rounds that it takes.

use super::{Match, Next, Owned, Role, Round, State};
use crate::value::Outcome;

/// Whether something can be forced.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Answer {
    /// It cannot.
    No,
    /// Not known.
    Open,
    /// It can.
    Yes,
}

/// Can a player force a round to end with the opener's take in a set?
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Question {
    /// The round.
    pub round: Round,
    /// Who is to force it.
    pub role: Role,
    /// By the seeds that the opener takes, from 0 to all of the round.
    pub targets: Vec<bool>,
}

/// The least number of rounds to a won match, by role and state; `None` where it is not reached.
type Stages = [Vec<Option<u32>>; 2];

/// What a state is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// Whether the opener, and whether the replier, can force to win the match.
    pub wins: [Answer; 2],
    /// Rounds within which a win is proven, by role.
    pub most: [Option<u32>; 2],
    /// Rounds that a win takes at least, by role; `None` where there is none.
    pub least: [Option<u32>; 2],
}

impl Verdict {
    /// The outcome for the opener, if it is known.
    pub fn outcome(&self) -> Option<Outcome> {
        match self.wins {
            [Answer::Yes, _] => Some(Outcome::Win),
            [_, Answer::Yes] => Some(Outcome::Loss),
            [Answer::No, Answer::No] => Some(Outcome::Draw),
            _ => None,
        }
    }

    /// The worst and the best outcome that it can still turn out to be for the opener.
    pub fn bounds(&self) -> [Outcome; 2] {
        let worst = match self.wins {
            [Answer::Yes, _] => Outcome::Win,
            [_, Answer::No] => Outcome::Draw,
            _ => Outcome::Loss,
        };
        let best = match self.wins {
            [_, Answer::Yes] => Outcome::Loss,
            [Answer::No, _] => Outcome::Draw,
            _ => Outcome::Win,
        };
        [worst, best]
    }

    /// Rounds that the winner needs when the loser puts it off: least and most, the same when it is
    /// known. `None` where nobody is known to win.
    pub fn rounds(&self) -> Option<(u32, u32)> {
        let role = self.wins.iter().position(|wins| *wins == Answer::Yes)?;
        let most = self.most[role]?;
        // Proven is never before possible.
        Some((self.least[role].unwrap_or(most), most))
    }
}

/// What all states of a match are worth.
#[derive(Clone, Debug)]
pub struct Settled {
    most: Stages,
    least: Stages,
}

impl Settled {
    /// What a state is worth.
    pub fn verdict(&self, owned: Owned) -> Verdict {
        let at = owned as usize;
        let stages = |of: &Stages| [of[0][at], of[1][at]];
        let (most, least) = (stages(&self.most), stages(&self.least));
        let wins = |role: usize| match (most[role], least[role]) {
            (Some(_), _) => Answer::Yes,
            (None, Some(_)) => Answer::Open,
            (None, None) => Answer::No,
        };
        Verdict {
            wins: [wins(0), wins(1)],
            most,
            least,
        }
    }

    /// The ends of a round after which `role` is known to win, within so many rounds.
    pub fn targets(&self, game: &Match, round: &Round, role: Role, within: u32) -> Vec<bool> {
        targets(game, round, role, |next, role| {
            reached(&self.most, next, role).is_some_and(|stage| stage <= within)
        })
    }
}

fn reached(stages: &Stages, next: Next, role: Role) -> Option<u32> {
    stages[role as usize][next.owned as usize]
}

/// The ends of a round that lead `role` to states which `wanted` accepts, in the role it has there.
fn targets(
    game: &Match,
    round: &Round,
    role: Role,
    wanted: impl Fn(Next, Role) -> bool,
) -> Vec<bool> {
    let leads = |taken| {
        let next = game.next(round, taken);
        wanted(next, next.role(role))
    };
    (0..=round.seeds).map(leads).collect()
}

/// Finds what every state is worth. `ask` answers the questions of a stage, in order; of a larger set
/// it must not say less.
///
/// # Errors
/// When `ask` fails.
pub fn settle<E>(
    game: &Match,
    mut ask: impl FnMut(&[Question]) -> Result<Vec<Answer>, E>,
) -> Result<Settled, E> {
    let begin = |owned| match game.state(owned) {
        State::Lost(loser) => Role::BOTH.map(|role| (role != loser).then_some(0)),
        State::Round(_) => [None; 2],
    };
    let states: Vec<[Option<u32>; 2]> = game.states().map(begin).collect();
    let start: Stages = [0, 1].map(|role| states.iter().map(|state| state[role]).collect());
    Ok(Settled {
        most: climb(game, start.clone(), Answer::Yes, &mut ask)?,
        least: climb(game, start, Answer::Open, &mut ask)?,
    })
}

/// Stages from `stages` on until no state is reached that was not; an answer of at least `enough`
/// reaches it.
fn climb<E>(
    game: &Match,
    mut stages: Stages,
    enough: Answer,
    ask: &mut impl FnMut(&[Question]) -> Result<Vec<Answer>, E>,
) -> Result<Stages, E> {
    for stage in 1.. {
        let mut places = Vec::new();
        let mut questions = Vec::new();
        for owned in game.states() {
            let State::Round(round) = game.state(owned) else {
                continue;
            };
            for role in Role::BOTH {
                if stages[role as usize][owned as usize].is_some() {
                    continue;
                }
                let targets = targets(game, &round, role, |next, role| {
                    reached(&stages, next, role).is_some()
                });
                places.push((role as usize, owned as usize));
                questions.push(Question {
                    round,
                    role,
                    targets,
                });
            }
        }
        let answers = ask(&questions)?;
        let mut grown = false;
        for ((role, owned), answer) in places.into_iter().zip(answers) {
            if answer >= enough {
                stages[role][owned] = Some(stage);
                grown = true;
            }
        }
        if !grown {
            break;
        }
    }
    Ok(stages)
}
