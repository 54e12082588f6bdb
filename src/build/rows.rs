//! Owns: the bit-row solver as the builder uses it.
//!
//! It solves faster than blocks can be packed by a factor of hundreds, so a level that was interrupted
//! is solved again and needs no snapshot; finished layers are kept as bits.

use super::BuildError;
use super::driver::{Engine, Site, halted};
use crate::board::Board;
use crate::game::OwnSide;
use crate::games::OwnSideVisitor;
use crate::index::{Index, Layer};
use crate::progress::{Progress, Unheard};
use crate::retro::Refusal;
use crate::retro::bitrows::{Ask, BitRows, BitStore, LayerBits, Patch, Planes, Sink, still_needed};
use crate::table::{Manifest, TableError, Values, levels};
use crate::value::{Code, Distance, Outcome};
use std::ops::Range;

/// Builds a table by bit rows.
pub struct Build<'a>(pub Site<'a>);

impl OwnSideVisitor for Build<'_> {
    type Output = Result<Manifest, BuildError>;

    fn visit<G: OwnSide>(self, game: &G) -> Self::Output {
        let job = self.0.job;
        let index = Index::<G::Board>::new(game.shape(), job.top).map_err(Refusal::TooLarge)?;
        let most = match job.top {
            Layer::Sides(own, other) => own.max(other),
            Layer::Total(seeds) => seeds,
        };
        let engine = Rows {
            rows: BitRows::new(game, most.into()).expect("the estimate tabulated the same"),
            index: index.clone(),
            levels: levels(game.shape().layering, job.top),
            outcomes: BitStore::default(),
            ends: BitStore::default(),
            distances: job.distances,
        };
        self.0.build(game, &index, engine)
    }
}

struct Rows<B: Board> {
    rows: BitRows,
    index: Index<B>,
    levels: Vec<Vec<Layer>>,
    outcomes: BitStore,
    ends: BitStore,
    distances: bool,
}

impl<B: Board> Rows<B> {
    /// Keeps a layer, and drops those that no capture leads to any more.
    fn insert(&mut self, layer: Layer, outcome: LayerBits, end: LayerBits) {
        self.outcomes.insert(layer, outcome);
        self.ends.insert(layer, end);
        let at = self.levels.iter().position(|level| level.contains(&layer));
        let to_come = &self.levels[at.map_or(0, |at| at + 1)..];
        // The other layer of the same level may still come, but does not capture into this one.
        self.outcomes.retain(|kept| still_needed(kept, to_come));
        self.ends.retain(|kept| still_needed(kept, to_come));
    }
}

impl<B: Board> Engine for Rows<B> {
    type Solved = RowValues;

    fn recall(
        &mut self,
        layer: Layer,
        read: &dyn Fn() -> Result<Vec<[Code; 2]>, TableError>,
    ) -> Result<(), TableError> {
        let grid = self.rows.grid(layer);
        let empty = || LayerBits::new(grid.columns, grid.rows);
        let (mut outcome, mut end) = (empty(), empty());
        for (rank, codes) in read()?.into_iter().enumerate() {
            let [lower, upper] = codes;
            outcome.add(rank as u64, lower == LOWER[2], upper == UPPER[0]);
            end.add(rank as u64, lower != LOWER[0], upper != UPPER[2]);
        }
        self.insert(layer, outcome, end);
        Ok(())
    }

    fn solve(
        &mut self,
        layers: &[Layer],
        progress: &dyn Progress,
    ) -> Result<Vec<(Layer, RowValues)>, BuildError> {
        let Some(&Layer::Sides(own, other)) = layers.first() else {
            return Ok(Vec::new());
        };
        let planes = layers
            .iter()
            .map(|&layer| Planes::new(layer, self.rows.grid(layer)));
        let planes: Vec<Planes> = planes.collect();
        let keep = |patch: &Patch<'_>| planes.iter().for_each(|planes| planes.take(patch));
        let sink = self.distances.then_some(&keep as &dyn Sink);
        let (rows, sides) = (&self.rows, (own, other));
        let outcomes = rows.solve(&self.outcomes, sides, Ask::Outcome, sink, progress);
        let outcomes = outcomes.map_err(halted)?;
        let ends = rows.solve(&self.ends, sides, Ask::End, None, &Unheard(progress));
        let ends = ends.map_err(halted)?;
        // Solvers name layers in the order of `Layer::level`, which need not be that of `layers`.
        let mut planes: Vec<(Layer, Planes)> = layers.iter().copied().zip(planes).collect();
        let solved = outcomes.into_iter().zip(ends);
        let solved = solved.map(|((layer, outcome), (_, end))| {
            let at = planes.iter().position(|planes| planes.0 == layer);
            let planes = at.map(|at| planes.swap_remove(at).1);
            let values = RowValues {
                others: self.index.positions(layer) / self.rows.grid(layer).rows as u64,
                outcome,
                end,
                distances: planes.filter(|_| self.distances),
            };
            (layer, values)
        });
        let mut solved: Vec<(Layer, RowValues)> = solved.collect();
        solved.sort_by_key(|(layer, _)| layers.iter().position(|found| found == layer));
        Ok(solved)
    }

    fn keep(&mut self, layer: Layer, solved: RowValues) -> Result<(), TableError> {
        self.insert(layer, solved.outcome, solved.end);
        Ok(())
    }
}

/// Codes of `lower`: no end can be forced, lost, won. The stake of a win-loss game is 1.
const LOWER: [Code; 3] = [0, 1, 2];
/// Codes of `upper`: lost, won, no end can be forced.
const UPPER: [Code; 3] = [1, 2, 255];

/// A solved layer as bits.
#[derive(Debug)]
struct RowValues {
    /// Ways to place the opponent's seeds: positions in a row.
    others: u64,
    outcome: LayerBits,
    end: LayerBits,
    distances: Option<Planes>,
}

impl RowValues {
    fn codes(&self, rank: u64) -> [Code; 2] {
        let (won, lost) = self.outcome.at(rank);
        let (lower_finite, upper_finite) = self.end.at(rank);
        let lower = match (won, lower_finite) {
            (true, _) => LOWER[2],
            (_, true) => LOWER[1],
            _ => LOWER[0],
        };
        let upper = match (lost, upper_finite) {
            (true, _) => UPPER[0],
            (_, true) => UPPER[1],
            _ => UPPER[2],
        };
        [lower, upper]
    }
}

impl Values for RowValues {
    fn positions(&self) -> u64 {
        self.outcome.rows() as u64 * self.outcome.columns() as u64
    }

    fn read(
        &self,
        ranks: Range<u64>,
        codes: &mut Vec<[Code; 2]>,
        distances: &mut Vec<[Distance; 2]>,
    ) {
        codes.extend(ranks.clone().map(|rank| self.codes(rank)));
        let Some(planes) = &self.distances else {
            distances.extend(ranks.map(|_| [0; 2]));
            return;
        };
        let mut at = ranks.start;
        while at < ranks.end {
            let (row, from) = (at / self.others, at % self.others);
            let to = self.others.min(from + ranks.end - at);
            planes.each_in_run(
                row as usize,
                from as usize..to as usize,
                |outcome, distance| {
                    distances.push(match outcome {
                        Outcome::Win => [distance, 0],
                        Outcome::Loss => [0, distance],
                        Outcome::Draw => [0; 2],
                    });
                },
            );
            at += to - from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Bound, encode};

    #[test]
    fn codes_are_those_of_the_bounds() {
        let code = |bound| encode(bound, 1);
        let (loss, win) = (Bound::Finite(-1), Bound::Finite(1));
        assert_eq!(LOWER, [Bound::MinusInfinity, loss, win].map(code));
        assert_eq!(UPPER, [loss, win, Bound::PlusInfinity].map(code));
    }
}
