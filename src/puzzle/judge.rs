//! Owns: whether an aim can still be met, exactly, with the positions that play has passed.
//!
//! Values of fresh positions decide nearly everything. What they leave open is whether the solver's way
//! leads back through a position of the line. It cannot where the way to the value follows distances
//! that are all less than those of the positions passed; else the proof search, which knows of a past,
//! is asked. Aims with a limit of plies are worked out by their definition, helped by distances.
//!
//! A past never matters to a player who is to hold a draw: all positions of the line are held, and the
//! way by which the opponent would win passes through none that is.

use super::aim::Aim;
use crate::analysis::{MoveValue, moves};
use crate::game::{Game, Played};
use crate::index::Layer;
use crate::progress::Progress;
use crate::search::{Goal, Limits, Past, Prover, Source, TooManySeeds};
use crate::value::{Bound, Distance};
use std::cell::Cell;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// A point of play.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Node<B> {
    /// The board as the player to move sees it.
    pub board: B,
    /// Whether that is the solver.
    pub solver: bool,
}

/// Why a question stays open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Doubt {
    /// No value is known of a position that it depends on.
    NoValue,
    /// It takes too long to find out.
    TooLong,
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoValue => "a position of it has no value in the tables or layers at hand",
            Self::TooLong => "it takes too long to settle what positions that come again change",
        })
    }
}

/// What a fresh position is worth to the solver.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    /// The margin that the solver can force in a game that ends, and the plies that takes.
    pub force: Bound,
    /// Plies to the next capture or the end.
    pub distance: Distance,
    /// The margin that the defender can hold the solver to.
    pub hold: Bound,
}

/// Steps by definition that a question may take.
const STEPS: u64 = 4_000_000;

/// Positions that a proof may expand, tens of seconds' worth: a count and no time, so that what is
/// mined does not depend on the machine.
const EXPANSIONS: u64 = 8_000_000;

/// Bytes of a proof's table: puzzles are small, and it is forgotten with every past.
const PROOF: u64 = 2 << 20;

/// Says to stop after [`EXPANSIONS`] positions.
struct Effort(AtomicU64);

impl Progress for Effort {
    fn begin(&self, _: &str, _: u64) {}

    fn advance(&self, expanded: u64) {
        self.0.fetch_add(expanded, Ordering::Relaxed);
    }

    fn end(&self) {}

    fn stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= EXPANSIONS
    }
}

/// Answers questions about one puzzle.
pub struct Judge<'a, G: Game> {
    game: &'a G,
    source: &'a Source<'a, G::Board>,
    prover: Prover<'a, G>,
    steps: Cell<u64>,
}

impl<'a, G: Game> Judge<'a, G> {
    /// A judge of puzzles in `layer` and below.
    ///
    /// # Errors
    /// When more seeds are at stake than values can share out.
    pub fn new(
        game: &'a G,
        layer: Layer,
        source: &'a Source<'a, G::Board>,
    ) -> Result<Self, TooManySeeds> {
        Ok(Self {
            game,
            source,
            prover: Prover::fitting(game, layer, PROOF)?,
            steps: Cell::new(0),
        })
    }

    /// The rules.
    pub fn game(&self) -> &'a G {
        self.game
    }

    /// What a fresh position is worth to the solver.
    ///
    /// # Errors
    /// When no value is known.
    pub fn standing(&self, node: Node<G::Board>) -> Result<Standing, Doubt> {
        let value = (self.source)(node.board).ok_or(Doubt::NoValue)?;
        Ok(if node.solver {
            Standing {
                force: value.lower,
                distance: value.lower_distance,
                hold: value.upper,
            }
        } else {
            Standing {
                force: value.upper.negated(),
                distance: value.upper_distance,
                hold: value.lower.negated(),
            }
        })
    }

    /// The moves at a node, a forced pass included; none where the game is over.
    pub fn moves(&self, node: Node<G::Board>) -> Vec<MoveValue<G::Board>> {
        moves(self.game, node.board, &|_| None).unwrap_or_default()
    }

    /// Where a move leads, and what it gives the solver.
    pub fn child(&self, node: Node<G::Board>, played: &Played<G::Board>) -> (Node<G::Board>, i32) {
        let captured = if G::SCORED { played.captured as i32 } else { 0 };
        let next = Node {
            board: played.board,
            solver: node.solver == played.again,
        };
        (next, if node.solver { captured } else { -captured })
    }

    /// Whether `aim` can be met at `node` after play has passed `path` since the last capture.
    ///
    /// # Errors
    /// When that cannot be found out.
    pub fn meets(
        &self,
        node: Node<G::Board>,
        aim: Aim,
        path: &[Node<G::Board>],
    ) -> Result<bool, Doubt> {
        if path.contains(&node) {
            return Ok(matches!(aim, Aim::Hold { .. }));
        }
        let standing = self.standing(node)?;
        match aim {
            Aim::Hold { least } => Ok(reaches(standing.hold, least)),
            Aim::Force { least, .. } if !reaches(standing.force, least) => Ok(false),
            Aim::Force {
                least,
                within: None,
            } => {
                if self.undisturbed(&standing, path)? {
                    return Ok(true);
                }
                self.prove(node, least, path)
            }
            Aim::Force {
                least,
                within: Some(plies),
            } => {
                self.steps.set(0);
                self.within(node, least, plies, &mut path.to_vec())
            }
        }
    }

    /// Whether `aim` is met after a move at `node`: of the solver, that it is right; of the defender,
    /// that it does not refute.
    ///
    /// # Errors
    /// When that cannot be found out.
    pub fn meets_after(
        &self,
        node: Node<G::Board>,
        aim: Aim,
        path: &[Node<G::Board>],
        played: Option<&Played<G::Board>>,
    ) -> Result<bool, Doubt> {
        let Some(played) = played else {
            // A move that never ends, where that draws.
            return Ok(matches!(aim, Aim::Hold { .. }));
        };
        if matches!(
            aim,
            Aim::Force {
                within: Some(0),
                ..
            }
        ) {
            return Ok(false);
        }
        let (next, gain) = self.child(node, played);
        let captures = played.captured > 0;
        let path = after(path, node, captures);
        self.meets(next, aim.after(gain, captures), &path)
    }

    /// Whether the quickest way to the value of a position passes none of `path`: distances fall along
    /// it, and nothing on it is worth less.
    fn undisturbed(&self, here: &Standing, path: &[Node<G::Board>]) -> Result<bool, Doubt> {
        for &passed in path {
            let there = self.standing(passed)?;
            let apart = there.force < here.force
                || (there.force == here.force && there.distance >= here.distance);
            if !apart {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Asks the proof search, which knows of the past.
    fn prove(
        &self,
        node: Node<G::Board>,
        least: i32,
        path: &[Node<G::Board>],
    ) -> Result<bool, Doubt> {
        // lower ≥ least is lower + lead > 0 for this lead, and so for the defender's upper.
        let lead = match (G::SCORED, node.solver) {
            (false, _) => 0,
            (true, true) => 1 - least,
            (true, false) => least - 1,
        };
        let goal = if node.solver { Goal::Wins } else { Goal::Loses };
        let past: Vec<Past<G::Board>> = path
            .iter()
            .map(|passed| Past {
                board: passed.board,
                same_mover: passed.solver == node.solver,
            })
            .collect();
        let effort = Effort(AtomicU64::new(0));
        let asked = (node.board, lead);
        let source = Some(self.source);
        let proof = self
            .prover
            .prove(asked, goal, &past, source, Limits::threads(1), &effort);
        let bracket = proof.bracket();
        let found = if node.solver {
            bracket.wins(lead)
        } else {
            bracket.loses(lead)
        };
        found.ok_or(Doubt::TooLong)
    }

    /// The definition of an aim with a limit of plies, cut short where values and distances tell.
    fn within(
        &self,
        node: Node<G::Board>,
        least: i32,
        plies: u32,
        path: &mut Vec<Node<G::Board>>,
    ) -> Result<bool, Doubt> {
        if path.contains(&node) {
            return Ok(false);
        }
        self.steps.set(self.steps.get() + 1);
        if self.steps.get() > STEPS {
            return Err(Doubt::TooLong);
        }
        let standing = self.standing(node)?;
        let quick = u32::from(standing.distance) <= plies;
        let exactly = standing.force == bound(least);
        if !reaches(standing.force, least) || (exactly && !quick) {
            return Ok(false);
        }
        if quick && self.undisturbed(&standing, path)? {
            return Ok(true);
        }
        let moves = self.moves(node);
        if plies == 0 || moves.is_empty() {
            // Over: whether that is enough the standing has said.
            return Ok(moves.is_empty());
        }
        path.push(node);
        let mut met = !node.solver;
        for found in &moves {
            let holds = match &found.played {
                None => false,
                Some(played) => {
                    let (next, gain) = self.child(node, played);
                    if played.captured > 0 {
                        reaches(self.standing(next)?.force, least - gain)
                    } else {
                        self.within(next, least - gain, plies - 1, path)?
                    }
                }
            };
            if holds == node.solver {
                met = holds;
                break;
            }
        }
        path.pop();
        Ok(met)
    }
}

/// The positions that count after a move from `node`.
pub fn after<B: Copy>(path: &[Node<B>], node: Node<B>, captures: bool) -> Vec<Node<B>> {
    if captures {
        return Vec::new();
    }
    let mut path = path.to_vec();
    path.push(node);
    path
}

fn bound(margin: i32) -> Bound {
    Bound::Finite(margin.clamp(i16::MIN.into(), i16::MAX.into()) as i16)
}

fn reaches(bound_: Bound, least: i32) -> bool {
    bound_ >= bound(least)
}
