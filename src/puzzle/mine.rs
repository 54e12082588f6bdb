//! Owns: finding the positions of solved layers that are worth setting as puzzles.
//!
//! A layer is looked through in parallel. A position's own value throws nearly all out; only then are
//! its moves made, and their values looked up. What is found does not depend on the threads: each run
//! of positions is ranked by itself, and the runs are put together in order.

use super::aim::Stipulation;
use super::judge::Judge;
use super::measure::Measure;
use super::solution::Limits;
use crate::analysis::{MoveValue, moves, value_through};
use crate::board::{Board, Lanes};
use crate::game::{Game, Mirror, Move};
use crate::index::Layer;
use crate::progress::Progress;
use crate::retro::Store;
use crate::value::{Bound, Outcome, Value};
use rayon::prelude::*;
use std::ops::Range;

/// Which positions are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Filter {
    /// What the solver is to do; of `gain` the number does not matter: it is the most there is.
    pub stipulation: Stipulation,
    /// Least and most plies to the next capture or the end; not asked of draws.
    pub plies: [u32; 2],
    /// Least number of first moves to choose from.
    pub moves: u32,
    /// The key captures nothing, though another move captures.
    pub quiet: bool,
    /// The moves that capture most throw the result away.
    pub sacrifice: bool,
    /// Every choice of the solver in the main lines is the only one, not just the first.
    pub every_ply: bool,
    /// How many to keep.
    pub limit: usize,
}

/// A position that passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Candidate<B> {
    /// The board.
    pub board: B,
    /// Its layer.
    pub layer: Layer,
    /// Its rank in the layer.
    pub rank: u64,
    /// What is to be done.
    pub stipulation: Stipulation,
    /// The only move.
    pub key: Move,
    /// What it is like.
    pub measure: Measure,
}

/// Positions that a thread looks through at a time.
const RUN: u64 = 1 << 14;

/// Candidates kept from a layer for each puzzle wanted: many turn out to be near-copies, or to have
/// duals.
const SPARE: usize = 200;

/// Least sum of differences, pit by pit, between two puzzles with the same pits.
const APART: u32 = 6;

/// Looks for puzzles in solved layers.
pub struct Miner<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// All layers up to those that are looked through, with distances.
    pub store: &'a Store<G::Board>,
    /// What is wanted.
    pub filter: Filter,
}

/// Best first; what follows the points only makes the order a fixed one.
fn order<B>(candidate: &Candidate<B>) -> impl Ord + use<B> {
    let layer = match candidate.layer {
        Layer::Total(seeds) => (seeds, 0),
        Layer::Sides(own, other) => (own, other),
    };
    (-candidate.measure.points(), layer, candidate.rank)
}

impl<G: Game> Miner<'_, G> {
    /// The best candidates of a layer, best first; `None` when `progress` says to stop. Units of
    /// progress are positions.
    pub fn layer(&self, layer: Layer, progress: &dyn Progress) -> Option<Vec<Candidate<G::Board>>> {
        let most = self.filter.limit.saturating_mul(SPARE);
        let positions = self.store.index().positions(layer);
        let runs: Option<Vec<Vec<Candidate<G::Board>>>> = (0..positions.div_ceil(RUN))
            .into_par_iter()
            .map(|run| {
                if progress.stopped() {
                    return None;
                }
                let ranks = run * RUN..((run + 1) * RUN).min(positions);
                let mut found = self.run(layer, ranks.clone());
                found.sort_by_key(order);
                found.truncate(most);
                progress.advance(ranks.end - ranks.start);
                Some(found)
            })
            .collect();
        let mut all: Vec<_> = runs?.into_iter().flatten().collect();
        all.sort_by_key(order);
        all.truncate(most);
        Some(all)
    }

    fn run(&self, layer: Layer, ranks: Range<u64>) -> Vec<Candidate<G::Board>> {
        let boards = self.store.index().walk(layer, ranks.clone());
        ranks
            .zip(boards)
            .filter_map(|(rank, board)| {
                let value = self.store.value::<G>(board)?;
                self.candidate(layer, (rank, board), value)
            })
            .collect()
    }

    /// What is asked for in a position of this value, and the plies it takes.
    fn asked(&self, value: &Value) -> Option<(Stipulation, u32)> {
        let won = value.outcome(0) == Outcome::Win;
        match self.filter.stipulation {
            Stipulation::Win(_) if won => {
                Some((Stipulation::Win(None), value.lower_distance.into()))
            }
            Stipulation::Draw if value.outcome(0) == Outcome::Draw => Some((Stipulation::Draw, 0)),
            Stipulation::Gain(..) => match value.lower {
                Bound::Finite(margin) if margin > 0 => Some((
                    Stipulation::Gain(margin.into(), None),
                    value.lower_distance.into(),
                )),
                _ => None,
            },
            _ => None,
        }
    }

    fn candidate(
        &self,
        layer: Layer,
        (rank, board): (u64, G::Board),
        value: Value,
    ) -> Option<Candidate<G::Board>> {
        let (stipulation, plies) = self.asked(&value)?;
        let [least, most] = self.filter.plies;
        if stipulation != Stipulation::Draw && !(least..=most).contains(&plies) {
            return None;
        }
        let moves = moves(self.game, board, &|board| self.store.value::<G>(board)).ok()?;
        let meets = |found: &MoveValue<G::Board>| {
            let through = match found.played {
                None => Value::OPEN,
                Some(played) => {
                    value_through(&played, G::SCORED, self.store.value::<G>(played.board)?)
                }
            };
            Some(match stipulation {
                Stipulation::Win(_) => through.outcome(0) == Outcome::Win,
                Stipulation::Draw => through.outcome(0) != Outcome::Loss,
                Stipulation::Gain(least, _) => through.lower >= Bound::Finite(least as i16),
            })
        };
        let mut key = None;
        for found in &moves {
            if meets(found)? && key.replace(found).is_some() {
                return None;
            }
        }
        let key = key.filter(|key| !key.choice.is_pass())?;
        let taken = |found: &MoveValue<G::Board>| found.played.map_or(0, |played| played.captured);
        let greed = moves.iter().map(taken).max()?;
        let measure = Measure {
            plies,
            failing: moves.len() as u32 - 1,
            captures: taken(key),
            greed,
            sacrifice: greed > taken(key),
            again: key.played.is_some_and(|played| played.again),
            seeds: layer.seeds(),
        };
        let wanted = moves.len() as u32 >= self.filter.moves
            && (!self.filter.quiet || measure.is_quiet())
            && (!self.filter.sacrifice || measure.sacrifice);
        wanted.then_some(Candidate {
            board,
            layer,
            rank,
            stipulation,
            key: key.choice,
            measure,
        })
    }

    /// The puzzles: of all candidates the best that are sound, no two of them near-copies.
    ///
    /// `None` when `progress` says to stop. Units of progress are candidates.
    pub fn choose(
        &self,
        mut candidates: Vec<Candidate<G::Board>>,
        progress: &dyn Progress,
    ) -> Option<Vec<Candidate<G::Board>>> {
        candidates.sort_by_key(order);
        let mut chosen: Vec<Candidate<G::Board>> = Vec::new();
        for candidate in candidates {
            if chosen.len() == self.filter.limit {
                break;
            }
            if progress.stopped() {
                return None;
            }
            progress.advance(1);
            let near =
                |other: &Candidate<G::Board>| self.difference(candidate.board, other.board) < APART;
            if !chosen.iter().any(near) && self.is_sound(&candidate) {
                chosen.push(candidate);
            }
        }
        Some(chosen)
    }

    /// How far apart two boards are, a board and its mirror image being the same.
    fn difference(&self, one: G::Board, other: G::Board) -> u32 {
        let straight = self.distance(one, other);
        if !G::Mirror::APPLIES {
            return straight;
        }
        let image = G::Mirror::image(other, self.game.shape());
        straight.min(self.distance(one, image))
    }

    /// Sum of the differences between the pits of two boards.
    fn distance(&self, one: G::Board, other: G::Board) -> u32 {
        let pits = self.game.shape().pits;
        (0..G::Board::RINGS)
            .flat_map(|ring| (0..pits).map(move |pit| (ring, pit)))
            .map(|(ring, pit)| one.ring(ring).get(pit).abs_diff(other.ring(ring).get(pit)))
            .sum()
    }

    /// Whether the whole solution says the same as the look at the moves, with no duals where none are
    /// wanted.
    fn is_sound(&self, candidate: &Candidate<G::Board>) -> bool {
        let value = |board| self.store.value::<G>(board);
        let Ok(judge) = Judge::new(self.game, candidate.layer, &value) else {
            return false;
        };
        let limits = if self.filter.every_ply {
            Limits::default()
        } else {
            Limits {
                plies: 1,
                ..Limits::default()
            }
        };
        // What the puzzle begins with must be a choice.
        candidate.measure.failing > 0
            && judge
                .solve(candidate.board, 0, candidate.stipulation, limits)
                .is_ok_and(|found| {
                    let alone = found.duals() == 0 && !found.is_cut();
                    found.has_one_key() && (!self.filter.every_ply || alone)
                })
    }
}
