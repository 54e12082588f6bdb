//! Owns: the solution of a puzzle: keys, what refutes the other first moves, main lines and duals, and
//! the tree of all replies as deep as one asks.

use super::aim::{Aim, Stipulation};
use super::judge::{Doubt, Judge, Node, after};
use crate::analysis::MoveValue;
use crate::game::{Game, Move, Played};
use crate::value::{Bound, Outcome};
use ahash::AHashSet;
use std::cmp::Reverse;

/// How far a solution goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Plies up to which all replies are followed, not only those of main lines.
    pub full: usize,
    /// Plies of the longest line.
    pub plies: usize,
    /// Moves in the whole tree.
    pub steps: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            full: 0,
            plies: 200,
            steps: 1000,
        }
    }
}

/// A first move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct First<B> {
    /// The move.
    pub choice: Move,
    /// Where it leads; `None` where it never ends.
    pub played: Option<Played<B>>,
    /// Whether it meets the stipulation.
    pub key: bool,
    /// Replies that refute it; none for a key, nor where the solver moves again or the game is over.
    pub refutations: Vec<Move>,
    /// All replies.
    pub replies: usize,
}

impl<B> First<B> {
    /// Whether it fails to a single one of several replies.
    pub fn is_try(&self) -> bool {
        !self.key && self.refutations.len() == 1 && self.replies > 1
    }
}

/// How a line goes on after its last move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// With the moves that follow.
    Goes,
    /// The game is over, with this outcome for the solver.
    Over(Outcome),
    /// A position has come again.
    Repetition,
    /// A capture that makes the rest certain, where a limit of plies was asked for.
    Reached,
    /// As at this position elsewhere in the tree.
    Transposes,
    /// Longer than asked for.
    Cut,
}

/// A move of a solution and what follows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step<B> {
    /// Whether the solver makes it.
    pub solver: bool,
    /// The move.
    pub choice: Move,
    /// Where it leads; `None` where it never ends.
    pub played: Option<Played<B>>,
    /// The solver's other moves here that would do as well.
    pub duals: Vec<Move>,
    /// The moves that follow: one of the solver's, or the defender's replies.
    pub then: Vec<Step<B>>,
    /// What is behind the last one.
    pub end: End,
}

/// What is to be said of a puzzle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution<B> {
    /// Whether the stipulation can be met.
    pub met: bool,
    /// For a draw: whether there is even a win.
    pub wins: bool,
    /// The first moves in the order of the rules.
    pub firsts: Vec<First<B>>,
    /// What follows each key.
    pub lines: Vec<Step<B>>,
}

impl<B> Solution<B> {
    /// The keys.
    pub fn keys(&self) -> impl Iterator<Item = &First<B>> {
        self.firsts.iter().filter(|first| first.key)
    }

    /// Whether there is exactly one key.
    pub fn has_one_key(&self) -> bool {
        self.met && self.keys().count() == 1
    }

    /// Whether the tree grew too large to be followed to the end: what lies behind is not told.
    pub fn is_cut(&self) -> bool {
        fn cut<B>(step: &Step<B>) -> bool {
            step.end == End::Cut || step.then.iter().any(cut)
        }
        self.lines.iter().any(cut)
    }

    /// Solver's choices with duals in the lines after the keys.
    pub fn duals(&self) -> usize {
        fn count<B>(step: &Step<B>) -> usize {
            usize::from(!step.duals.is_empty()) + step.then.iter().map(count).sum::<usize>()
        }
        self.lines.iter().flat_map(|key| &key.then).map(count).sum()
    }
}

/// A point of a line: what is left to be met there, and the positions that led to it.
struct At<'p, B> {
    node: Node<B>,
    aim: Aim,
    path: &'p [Node<B>],
    /// Number of the move to be made, from 1.
    ply: usize,
}

/// Grows the tree.
struct Grower<'j, 'a, G: Game> {
    judge: &'j Judge<'a, G>,
    limits: Limits,
    /// Whether a capture ends a line: a limit of plies was asked for.
    hurried: bool,
    steps: usize,
    seen: AHashSet<(Node<G::Board>, Aim)>,
}

impl<G: Game> Judge<'_, G> {
    /// Solves a puzzle for a solver who is `lead` seeds ahead (0 in games without a score).
    ///
    /// # Errors
    /// When it cannot be found out.
    pub fn solve(
        &self,
        board: G::Board,
        lead: i32,
        stipulation: Stipulation,
        limits: Limits,
    ) -> Result<Solution<G::Board>, Doubt> {
        let root = Node {
            board,
            solver: true,
        };
        let aim = Aim::new(stipulation, lead);
        let wins = stipulation == Stipulation::Draw && {
            let win = Aim::new(Stipulation::Win(None), lead);
            self.meets(root, win, &[])?
        };
        let met = !wins && self.meets(root, aim, &[])?;
        let mut firsts = Vec::new();
        for found in self.moves(root) {
            firsts.push(self.first(root, aim, met, &found)?);
        }
        let mut grower = Grower {
            judge: self,
            limits,
            hurried: matches!(
                aim,
                Aim::Force {
                    within: Some(_),
                    ..
                }
            ),
            steps: 0,
            seen: AHashSet::new(),
        };
        let begin = At {
            node: root,
            aim,
            path: &[],
            ply: 1,
        };
        let mut lines = Vec::new();
        for key in firsts.iter().filter(|first| first.key) {
            lines.push(grower.step(&begin, key.choice, key.played)?);
        }
        Ok(Solution {
            met,
            wins,
            firsts,
            lines,
        })
    }

    fn first(
        &self,
        root: Node<G::Board>,
        aim: Aim,
        met: bool,
        found: &MoveValue<G::Board>,
    ) -> Result<First<G::Board>, Doubt> {
        let played = found.played;
        let key =
            met && !found.choice.is_pass() && self.meets_after(root, aim, &[], played.as_ref())?;
        let mut first = First {
            choice: found.choice,
            played,
            key,
            refutations: Vec::new(),
            replies: 0,
        };
        let Some(played) = played.filter(|played| !key && !played.again && met) else {
            return Ok(first);
        };
        let (next, gain) = self.child(root, &played);
        let captures = played.captured > 0;
        let path = after(&[], root, captures);
        let left = aim.after(gain, captures);
        for reply in self.moves(next) {
            first.replies += 1;
            if !self.meets_after(next, left, &path, reply.played.as_ref())? {
                first.refutations.push(reply.choice);
            }
        }
        Ok(first)
    }
}

impl<G: Game> Grower<'_, '_, G> {
    /// A move and what follows.
    fn step(
        &mut self,
        at: &At<'_, G::Board>,
        choice: Move,
        played: Option<Played<G::Board>>,
    ) -> Result<Step<G::Board>, Doubt> {
        self.steps += 1;
        let mut step = Step {
            solver: at.node.solver,
            choice,
            played,
            duals: Vec::new(),
            then: Vec::new(),
            end: End::Goes,
        };
        let Some(played) = played else {
            step.end = End::Over(Outcome::Draw);
            return Ok(step);
        };
        let (node, gain) = self.judge.child(at.node, &played);
        let captures = played.captured > 0;
        let path = after(at.path, at.node, captures);
        let next = At {
            node,
            aim: at.aim.after(gain, captures),
            path: &path,
            ply: at.ply + 1,
        };
        let moves = self.judge.moves(node);
        step.end = self.end(&next, captures, moves.is_empty())?;
        if step.end == End::Goes {
            step.then = if node.solver {
                vec![self.answer(&next, &moves)?]
            } else {
                self.replies(&next, &moves)?
            };
        }
        Ok(step)
    }

    /// What comes at a point that a move has led to.
    fn end(&mut self, at: &At<'_, G::Board>, captured: bool, over: bool) -> Result<End, Doubt> {
        Ok(if at.path.contains(&at.node) {
            End::Repetition
        } else if over {
            End::Over(self.outcome(at)?)
        } else if captured && self.hurried {
            End::Reached
        } else if at.ply > self.limits.plies || self.steps >= self.limits.steps {
            End::Cut
        } else if !self.seen.insert((at.node, at.aim)) {
            End::Transposes
        } else {
            End::Goes
        })
    }

    /// How a finished game stands against the aim: `Win` for more than what was asked for or as much.
    fn outcome(&self, at: &At<'_, G::Board>) -> Result<Outcome, Doubt> {
        let margin = self.judge.standing(at.node)?.force.finite();
        let margin = margin.map_or(0, i32::from);
        Ok(match at.aim {
            Aim::Force { least, .. } if margin >= least => Outcome::Win,
            Aim::Force { .. } => Outcome::Loss,
            Aim::Hold { least } => Outcome::of_margin(margin - least),
        })
    }

    /// The solver's answer, with its duals.
    fn answer(
        &mut self,
        at: &At<'_, G::Board>,
        moves: &[MoveValue<G::Board>],
    ) -> Result<Step<G::Board>, Doubt> {
        let mut right = Vec::new();
        for found in moves {
            let played = found.played.as_ref();
            if self.judge.meets_after(at.node, at.aim, at.path, played)? {
                right.push((self.worth(at, found)?, found));
            }
        }
        // The most, then the quickest, then the first. Something is right wherever the aim is met; only
        // values that contradict each other, as a wrong table's may, leave nothing.
        let best = right.iter().max_by_key(|((most, quickest), found)| {
            (*most, Reverse(*quickest), Reverse(found.choice))
        });
        let chosen = best.map_or(&moves[0], |(_, found)| found);
        let mut step = self.step(at, chosen.choice, chosen.played)?;
        step.duals = right
            .iter()
            .map(|(_, found)| found.choice)
            .filter(|&choice| choice != chosen.choice)
            .collect();
        Ok(step)
    }

    /// The defender's replies: all of them, or those that concede least and of these the longest.
    fn replies(
        &mut self,
        at: &At<'_, G::Board>,
        moves: &[MoveValue<G::Board>],
    ) -> Result<Vec<Step<G::Board>>, Doubt> {
        let mut worths = Vec::new();
        for found in moves {
            let (concedes, plies) = self.worth(at, found)?;
            worths.push((concedes, Reverse(plies)));
        }
        let best = worths.iter().min();
        let mut steps = Vec::new();
        for (found, worth) in moves.iter().zip(&worths) {
            if at.ply <= self.limits.full || Some(worth) == best {
                steps.push(self.step(at, found.choice, found.played)?);
            }
        }
        Ok(steps)
    }

    /// What a move leaves the solver: the margin, and the plies to the next capture or the end.
    fn worth(
        &self,
        at: &At<'_, G::Board>,
        found: &MoveValue<G::Board>,
    ) -> Result<(Bound, u32), Doubt> {
        let Some(played) = found.played else {
            // A draw: nothing in a game that ends, and just what a draw needs.
            return Ok(match at.aim {
                Aim::Force { .. } => (Bound::MinusInfinity, 0),
                Aim::Hold { least } => (Bound::Finite(least as i16), 0),
            });
        };
        let (next, gain) = self.judge.child(at.node, &played);
        let standing = self.judge.standing(next)?;
        let plies = match played.captured {
            0 => u32::from(standing.distance) + 1,
            _ => 1,
        };
        Ok(match at.aim {
            Aim::Force { .. } => (standing.force.plus(gain as i16), plies),
            Aim::Hold { .. } => (standing.hold.plus(gain as i16), 0),
        })
    }
}
