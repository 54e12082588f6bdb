//! Owns: a line of best play where no distances are known.
//!
//! With distances whoever owns the result takes the shortest way. Without them a move that keeps the
//! value can lead round in circles, so the owner makes only moves after which the result can be
//! forced *without coming back to any position of the line*. There always is one: whoever can force
//! an end can force it by a way that never comes back, and what remains of such a way after a move
//! does not either. So the line ends. Every move of it is proven by questions of its own; where time
//! does not allow that the line is cut.

use super::prove::{Goal, Past, Prover};
use super::seek::{Question, lead_after, past_after};
use super::{Limits, Source};
use crate::analysis::{LineEnd, Ply, moves};
use crate::game::{Game, Played};
use crate::progress::Progress;
use crate::value::{Bound, Bracket, Outcome};
use std::cell::Cell;
use std::cmp::Reverse;

/// Longest line; see [`crate::analysis::LONGEST_LINE`], whose lines cost less.
const LONGEST: usize = 1000;

/// What a line is found with.
pub struct Means<'s, G: Game> {
    pub game: &'s G,
    /// For questions without a past, whose facts stay.
    pub prover: &'s Prover<'s, G>,
    /// For questions with one.
    pub aside: &'s Prover<'s, G>,
    pub source: Option<&'s Source<'s, G::Board>>,
    pub limits: Limits,
    pub progress: &'s dyn Progress,
    /// Positions expanded so far.
    pub expanded: &'s Cell<u64>,
}

/// A place on the line.
struct Place<B> {
    board: B,
    lead: i32,
    /// Whether the player to move is the one who moved first.
    first: bool,
    /// What has been since the last capture.
    past: Vec<Past<B>>,
}

/// What is played for.
#[derive(Clone, Copy)]
struct Stakes {
    /// The final margin, for the player who moves first.
    margin: i32,
    /// Who can force an end with that margin: the player who moves first or not; `None` for a draw
    /// that goes on for ever.
    owner: Option<bool>,
}

impl Stakes {
    fn of<G: Game>(asked: &Question<'_, G::Board>, bracket: &Bracket) -> Option<Self> {
        if !G::SCORED {
            let outcome = bracket.outcome(0)?;
            let owner = match outcome {
                Outcome::Win => Some(true),
                Outcome::Draw => None,
                Outcome::Loss => Some(false),
            };
            let margin = outcome as i32 - Outcome::Draw as i32;
            return Some(Self { margin, owner });
        }
        let margin = bracket.margin(asked.lead)?;
        let reached = |bound: Bound| bound.finite().map(|b| i32::from(b) + asked.lead);
        let owner = if margin >= 0 && reached(bracket.lower[0]) == Some(margin) {
            Some(true)
        } else if margin <= 0 && reached(bracket.upper[1]) == Some(margin) {
            Some(false)
        } else {
            None
        };
        Some(Self { margin, owner })
    }
}

impl<G: Game> Means<'_, G> {
    /// The line from a position of which `bracket` is known.
    pub fn line(
        &self,
        asked: Question<'_, G::Board>,
        bracket: &Bracket,
    ) -> (Vec<Ply<G::Board>>, LineEnd) {
        let mut line = Vec::new();
        let Some(stakes) = Stakes::of::<G>(&asked, bracket) else {
            return (line, LineEnd::Cut);
        };
        let mut at = Place {
            board: asked.board,
            lead: asked.lead,
            first: true,
            past: asked.past.unwrap_or_default().to_vec(),
        };
        loop {
            let list = match moves(self.game, at.board, &|_| None) {
                Ok(list) => list,
                Err(margin) => {
                    let margin = margin + if G::SCORED { at.lead } else { 0 };
                    let own = if at.first { margin } else { -margin };
                    return (line, LineEnd::Over(Outcome::of_margin(own)));
                }
            };
            let mut plies: Vec<Ply<G::Board>> = list
                .iter()
                .map(|m| Ply {
                    choice: m.choice,
                    played: m.played,
                })
                .collect();
            let owns = stakes.owner == Some(at.first);
            let taken = |ply: &Ply<G::Board>| ply.played.map_or(0, |played| played.captured);
            if owns {
                plies.sort_by_key(|ply| Reverse(taken(ply)));
            } else {
                plies.sort_by_key(taken);
            }
            let forced = plies.len() == 1;
            let keeps = |ply: &&Ply<G::Board>| forced || self.keeps(&at, ply.played, stakes);
            let Some(&ply) = plies.iter().find(keeps).filter(|_| line.len() < LONGEST) else {
                return (line, LineEnd::Cut);
            };
            line.push(ply);
            let Some(played) = ply.played else {
                return (line, LineEnd::Over(Outcome::Draw));
            };
            at = at.after::<G>(&played);
            if at.repeats() {
                return (line, LineEnd::Repetition);
            }
        }
    }

    /// Whether a move is proven to keep the result, and to bring its owner nearer to it.
    fn keeps(
        &self,
        at: &Place<G::Board>,
        played: Option<Played<G::Board>>,
        stakes: Stakes,
    ) -> bool {
        let Some(played) = played else {
            return stakes.margin == 0 && stakes.owner.is_none();
        };
        let next = at.after::<G>(&played);
        let margin = if next.first {
            stakes.margin
        } else {
            -stakes.margin
        };
        match stakes.owner {
            // The owner's result, when the owner is the next to move or is not.
            Some(owner) if owner == at.first => {
                !next.repeats() && self.forces(&next, next.first == owner, margin, true)
            }
            // The other player must not give away more.
            Some(owner) => {
                let by_mover = next.first == owner;
                let more = if by_mover { margin + 1 } else { margin - 1 };
                !G::SCORED || self.denies(&next, by_mover, more)
            }
            None if next.repeats() => true,
            None => {
                let one = if G::SCORED { 1 } else { 0 };
                self.denies(&next, true, one) && self.denies(&next, false, -one)
            }
        }
    }

    /// Whether it is proven that the mover can force at least `margin`, or the opponent at most, in a
    /// game that ends.
    fn forces(&self, at: &Place<G::Board>, by_mover: bool, margin: i32, heed: bool) -> bool {
        self.ask(at, by_mover, margin, heed) == Some(true)
    }

    /// Whether it is proven that they cannot.
    fn denies(&self, at: &Place<G::Board>, by_mover: bool, margin: i32) -> bool {
        self.ask(at, by_mover, margin, false) == Some(false)
    }

    /// The question itself, put as one about winning with another lead. `heed` the line or not.
    fn ask(&self, at: &Place<G::Board>, by_mover: bool, margin: i32, heed: bool) -> Option<bool> {
        let (goal, lead) = match (G::SCORED, by_mover) {
            (true, true) => (Goal::Wins, at.lead - margin + 1),
            (true, false) => (Goal::Loses, at.lead - margin - 1),
            (false, true) => (Goal::Wins, 0),
            (false, false) => (Goal::Loses, 0),
        };
        let past: &[Past<G::Board>] = if heed { &at.past } else { &[] };
        let prover = if past.is_empty() {
            self.prover
        } else {
            self.aside
        };
        let proof = prover.prove(
            (at.board, lead),
            goal,
            past,
            self.source,
            self.limits,
            self.progress,
        );
        self.expanded.set(self.expanded.get() + proof.expanded);
        let bracket = proof.bracket();
        if by_mover {
            bracket.wins(lead)
        } else {
            bracket.loses(lead)
        }
    }
}

impl<B: Copy + PartialEq> Place<B> {
    fn after<G: Game<Board = B>>(&self, played: &Played<B>) -> Self {
        let here = Question {
            board: self.board,
            lead: self.lead,
            past: Some(&self.past),
        };
        Self {
            board: played.board,
            lead: lead_after::<G>(self.lead, played),
            first: self.first == played.again,
            past: past_after(&here, played),
        }
    }

    fn repeats(&self) -> bool {
        let here = Past {
            board: self.board,
            same_mover: true,
        };
        self.past.contains(&here)
    }
}
