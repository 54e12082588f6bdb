//! Owns: solving all layers up to some sides, and what that takes.
//!
//! Layers are solved in the order of the seeds on the board, and a finished one is dropped as soon as
//! no layer still to come can capture into it.

use super::{Ask, BitRows, BitStore, Counts, LayerBits, Patch, Sink};
use crate::board::Layering;
use crate::index::Layer;
use crate::progress::{Progress, Unheard};
use crate::retro::Halt;
use crate::tally::Tally;
use std::collections::BTreeMap;

/// What is to be found out of every layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Wanted {
    /// Distances, and with them the longest and the sum of all.
    pub distances: bool,
    /// Which positions have two different bounds, and which infinite ones.
    pub bounds: bool,
}

/// Hands everything to two sinks.
struct Both<'a>(&'a Counts, Option<&'a dyn Sink>);

impl Sink for Both<'_> {
    fn take(&self, patch: &Patch<'_>) {
        self.0.take(patch);
        if let Some(sink) = self.1 {
            sink.take(patch);
        }
    }
}

/// Whether a capture in a level still to come, the first of them `next`, can lead to `layer`.
pub fn still_needed(layer: Layer, to_come: &[Vec<Layer>]) -> bool {
    let Layer::Sides(own, other) = layer else {
        return true;
    };
    // A capture takes seeds of the side that is then to move, and leaves the mover's alone.
    to_come
        .iter()
        .flatten()
        .any(|&next| matches!(next, Layer::Sides(before, kept) if before == other && kept > own))
}

impl BitRows {
    /// Solves all layers up to sides of `(own, other)` seeds and counts them; `done` is shown every
    /// finished layer. A `sink` is handed all positions of all layers, and asks for distances.
    ///
    /// # Errors
    /// When stopped through `progress`, or when distances outgrow their type.
    pub fn solve_all(
        &self,
        (own, other): (u8, u8),
        wanted: Wanted,
        sink: Option<&dyn Sink>,
        progress: &dyn Progress,
        mut done: impl FnMut(Layer, &LayerBits),
    ) -> Result<BTreeMap<Layer, Tally>, Halt> {
        let levels = Layer::Sides(own, other).levels_below(Layering::PerSide);
        let mut tallies = BTreeMap::new();
        let (mut outcomes, mut ends) = (BitStore::default(), BitStore::default());
        let positions = levels
            .iter()
            .flatten()
            .map(|&layer| self.positions(layer))
            .sum();
        progress.begin("solving", positions);
        for (at, level) in levels.iter().enumerate() {
            let to_come = &levels[at..];
            outcomes.retain(|layer| still_needed(layer, to_come));
            ends.retain(|layer| still_needed(layer, to_come));
            let Layer::Sides(own, other) = level[0] else {
                continue;
            };
            let counts = Counts::default();
            let both = Both(&counts, sink);
            let distances = wanted.distances || sink.is_some();
            let sink = distances.then_some(&both as &dyn Sink);
            let solved = self.solve(&outcomes, (own, other), Ask::Outcome, sink, progress)?;
            let solved_ends = if wanted.bounds {
                self.solve(&ends, (own, other), Ask::End, None, &Unheard(progress))?
            } else {
                Vec::new()
            };
            for (i, (layer, bits)) in solved.into_iter().enumerate() {
                let end = solved_ends.get(i).map(|(_, end)| end);
                tallies.insert(layer, tally(&bits, end, &counts, layer));
                done(layer, &bits);
                outcomes.insert(layer, bits);
            }
            for (layer, bits) in solved_ends {
                ends.insert(layer, bits);
            }
        }
        progress.end();
        Ok(tallies)
    }

    /// Estimated peak of memory of [`BitRows::solve_all`], in bytes, without what a sink keeps.
    pub fn bytes(&self, (own, other): (u8, u8), wanted: Wanted) -> u64 {
        let levels = Layer::Sides(own, other).levels_below(Layering::PerSide);
        let mut kept: Vec<Layer> = Vec::new();
        let mut peak = 0;
        for (at, level) in levels.iter().enumerate() {
            kept.retain(|&layer| still_needed(layer, &levels[at..]));
            let stores = if wanted.bounds { 2 } else { 1 };
            let stored: u64 = kept.iter().map(|&layer| self.layer_bytes(layer)).sum();
            peak = peak
                .max(stores * stored * STORED_PERCENT / 100 + self.working_bytes(level, wanted));
            kept.extend(level);
        }
        peak
    }

    /// Bytes of a finished layer.
    fn layer_bytes(&self, layer: Layer) -> u64 {
        let grid = self.grid(layer);
        2 * 8 * grid.columns as u64 * grid.rows.div_ceil(64) as u64
    }

    /// Bytes while a level is being solved, and at its end.
    fn working_bytes(&self, level: &[Layer], wanted: Wanted) -> u64 {
        let sets: u64 = level.iter().map(|&layer| self.grid(layer).bytes()).sum();
        let results: u64 = level.iter().map(|&layer| self.layer_bytes(layer)).sum();
        let working = |percent| sets * percent / 100;
        if wanted.bounds {
            results * STORED_PERCENT / 100 + working(END_PERCENT)
        } else {
            working(OUTCOME_PERCENT).max(working(200) + results)
        }
    }
}

/// Memory at work in percent of one set: two sets whole (open positions, won ones turned round), and
/// four of which two waves at a time fill only a part; measured on boards of 3 to 8 columns.
const OUTCOME_PERCENT: u64 = 540;

/// The same when ends are asked for: another set of open positions, and more captures that are held.
const END_PERCENT: u64 = 670;

/// What the allocator takes for finished layers in percent of their bytes: pieces of all sizes that
/// live for different times leave gaps.
const STORED_PERCENT: u64 = 160;

fn tally(bits: &LayerBits, end: Option<&LayerBits>, counts: &Counts, layer: Layer) -> Tally {
    let positions = bits.rows() as u64 * bits.columns() as u64;
    let [wins, losses] = bits.count();
    let mut tally = Tally {
        positions,
        wins,
        losses,
        draws: positions - wins - losses,
        ..Tally::default()
    };
    if let Some(end) = end {
        let [lower_finite, upper_finite] = end.count();
        tally.lower_infinite = positions - lower_finite;
        tally.upper_infinite = positions - upper_finite;
        // Bounds are equal where the winner's opponent can do no better than lose an ended game.
        tally.lower_ne_upper = positions - bits.count_crossed(end).iter().sum::<u64>();
    }
    for (wave, [won, lost]) in counts.layer(layer) {
        tally.max_distance = wave.into();
        tally.sum_distance += u64::from(wave) * (won + lost);
    }
    tally
}
