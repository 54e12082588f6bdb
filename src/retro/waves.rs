//! Owns: the synchronous waves over a level (DESIGN section 2, "Exact definition").
//!
//! Wave k computes bounds from those of wave k − 1 alone and the number of the wave in which a bound
//! last changed is its distance. A wave looks only at positions one of whose successors changed in
//! the wave before; those whose bounds have met are dropped, for neither can move past the other.

use super::expand::{Expanded, Expansion};
use super::level::{AGAIN, CHUNK, Change, Chunk, Level};
use super::snapshot::{Keeper, Snapshot};
use super::store::{LayerValues, Store, stake};
use crate::game::Game;
use crate::index::Layer;
use crate::progress::Progress;
use crate::value::{Code, Distance, MINUS_INFINITY, PLUS_INFINITY, opposed};
use rayon::prelude::*;

/// Nothing known of either bound.
const UNKNOWN: [Code; 2] = [MINUS_INFINITY, PLUS_INFINITY];

/// Why a level was not solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Halt {
    /// [`Progress::stopped`] said so.
    Stopped,
    /// More waves than a distance can count.
    TooManyWaves,
}

/// The state of all bounds between two waves.
struct State {
    stake: u32,

    codes: Vec<[Code; 2]>,
    distances: Vec<[Distance; 2]>,
    /// One bit a position: a bound changed in the last wave.
    changed: Vec<u64>,
    chunks: Vec<Chunk>,
}

/// Solves the layers of `level` from finished lower ones in `store`, going on from a snapshot of
/// `keeper` where it has one.
///
/// # Errors
/// When stopped by `progress` or `keeper`, or when distances outgrow their type.
pub fn solve_level<G: Game>(
    game: &G,
    store: &Store<G::Board>,
    level: &Level,
    progress: &dyn Progress,
    keeper: &mut dyn Keeper,
) -> Result<Vec<(Layer, LayerValues)>, Halt> {
    let mut state = expand(game, store, level, progress)?;
    let fits = |kept: &Snapshot| {
        kept.wave > 0
            && kept.codes.len() == state.codes.len()
            && kept.distances.len() == state.codes.len()
            && kept.changed.len() == state.changed.len()
    };
    let mut wave: Distance = 1;
    let mut moving = true;
    match keeper.load().filter(fits) {
        Some(kept) => {
            wave = kept.wave;
            state.restore(kept);
        }
        None => {
            state.wave(true);
            moving = state.apply(wave);
        }
    }
    while moving {
        if progress.stopped() {
            return Err(Halt::Stopped);
        }
        if keeper.due() && !keeper.save(wave, &state.codes, &state.distances, &state.changed) {
            return Err(Halt::Stopped);
        }
        wave = wave.checked_add(1).ok_or(Halt::TooManyWaves)?;
        state.wave(false);
        moving = state.apply(wave);
    }
    Ok(state.into_layers(level))
}

/// Wave 0: what positions are by themselves.
fn expand<G: Game>(
    game: &G,
    store: &Store<G::Board>,
    level: &Level,
    progress: &dyn Progress,
) -> Result<State, Halt> {
    let expansion = Expansion { game, store, level };
    let mut codes = vec![UNKNOWN; level.positions() as usize];
    let expanded: Vec<Option<Expanded>> = codes
        .par_chunks_mut(CHUNK)
        .enumerate()
        .map(|(i, codes)| {
            if progress.stopped() {
                return None;
            }
            let expanded = expansion.chunk((i * CHUNK) as u64, codes);
            progress.advance(codes.len() as u64);
            Some(expanded)
        })
        .collect();
    let mut state = State {
        stake: level
            .parts()
            .next()
            .map_or(0, |(layer, _)| stake::<G>(layer)),
        distances: vec![[0; 2]; codes.len()],
        changed: Vec::with_capacity(codes.len() / 64 + CHUNK),
        chunks: Vec::with_capacity(expanded.len()),
        codes,
    };
    for expanded in expanded {
        let Expanded { chunk, over } = expanded.ok_or(Halt::Stopped)?;
        state.changed.extend(over);
        state.chunks.push(chunk);
    }
    Ok(state)
}

/// Whether position `number` is in a bit set.
#[inline(always)]
fn contains(set: &[u64], number: u32) -> bool {
    set[(number / 64) as usize] >> (number % 64) & 1 == 1
}

/// What a successor with `codes` gives over an edge.
#[inline(always)]
fn through(edge: u32, codes: [Code; 2], stake: u32) -> [Code; 2] {
    if edge & AGAIN == 0 {
        [opposed(codes[1], stake), opposed(codes[0], stake)]
    } else {
        codes
    }
}

impl State {
    /// Finds the changes of a wave.
    ///
    /// The first looks at every open position and sees nothing but games that are over: all other
    /// codes are already its own results. Later ones look where a successor has changed.
    fn wave(&mut self, first: bool) {
        let Self {
            stake,
            codes,
            changed,
            chunks,
            ..
        } = self;
        let (codes, changed) = (&codes[..], &changed[..]);
        let has_changed = |edge: &u32| contains(changed, edge & !AGAIN);
        chunks.par_iter_mut().enumerate().for_each(|(i, chunk)| {
            let here = &codes[i * CHUNK..];
            let mut from = 0;
            for open in &chunk.open {
                let edges = &chunk.edges[from..open.edges_end as usize];
                from = open.edges_end as usize;
                if !first && !edges.iter().any(has_changed) {
                    continue;
                }
                let old = here[usize::from(open.at)];
                let mut new = [old[0], open.exit_upper];
                for edge in edges {
                    let seen = !first || has_changed(edge);
                    let known = if seen {
                        codes[(edge & !AGAIN) as usize]
                    } else {
                        UNKNOWN
                    };
                    let [lower, upper] = through(*edge, known, *stake);
                    new = [new[0].max(lower), new[1].max(upper)];
                }
                if new != old {
                    chunk.changes.push(Change {
                        at: open.at,
                        codes: new,
                    });
                }
            }
        });
    }

    /// Makes the changes found in `wave` and says whether there were any.
    fn apply(&mut self, wave: Distance) -> bool {
        let chunks = self.chunks.par_iter_mut();
        chunks
            .zip(self.codes.par_chunks_mut(CHUNK))
            .zip(self.distances.par_chunks_mut(CHUNK))
            .zip(self.changed.par_chunks_mut(CHUNK / 64))
            .map(|(((chunk, codes), distances), changed)| {
                if wave == 1 {
                    settle_first(chunk, codes, distances, changed)
                } else {
                    settle(chunk, codes, distances, changed, wave)
                }
            })
            .reduce(|| false, |a, b| a | b)
    }

    /// Goes back to a snapshot of the same level.
    fn restore(&mut self, kept: Snapshot) {
        self.codes = kept.codes;
        self.distances = kept.distances;
        self.changed = kept.changed;
        self.chunks
            .par_iter_mut()
            .zip(self.codes.par_chunks(CHUNK))
            .for_each(|(chunk, codes)| chunk.drop_settled(codes));
    }

    fn into_layers(mut self, level: &Level) -> Vec<(Layer, LayerValues)> {
        self.chunks.clear();
        let mut layers: Vec<_> = level
            .parts()
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .map(|(layer, places)| {
                let values = LayerValues {
                    codes: self.codes.split_off(places.start as usize),
                    distances: self.distances.split_off(places.start as usize),
                };
                (layer, values)
            })
            .collect();
        layers.reverse();
        layers
    }
}

/// Ends wave 1: everything finite outside games that are over is new in it.
fn settle_first(
    chunk: &mut Chunk,
    codes: &mut [[Code; 2]],
    distances: &mut [[Distance; 2]],
    changed: &mut [u64],
) -> bool {
    for change in chunk.changes.drain(..) {
        codes[usize::from(change.at)] = change.codes;
    }
    let mut any = false;
    for (word, (codes, distances)) in changed
        .iter_mut()
        .zip(codes.chunks(64).zip(distances.chunks_mut(64)))
    {
        let over = std::mem::take(word);
        for (bit, (codes, distances)) in codes.iter().zip(distances).enumerate() {
            if *codes != UNKNOWN && over >> bit & 1 == 0 {
                *word |= 1 << bit;
                *distances = [
                    Distance::from(codes[0] != MINUS_INFINITY),
                    Distance::from(codes[1] != PLUS_INFINITY),
                ];
            }
        }
        any |= *word != 0;
    }
    chunk.drop_settled(codes);
    any
}

/// Ends a later wave.
fn settle(
    chunk: &mut Chunk,
    codes: &mut [[Code; 2]],
    distances: &mut [[Distance; 2]],
    changed: &mut [u64],
    wave: Distance,
) -> bool {
    changed.fill(0);
    if chunk.changes.is_empty() {
        return false;
    }
    // Only a position that changed can be final since, and every sweep walks all open ones.
    let worth_sweeping = chunk.changes.len() >= chunk.open.len() / 8;
    for change in chunk.changes.drain(..) {
        let at = usize::from(change.at);
        for bound in 0..2 {
            if codes[at][bound] != change.codes[bound] {
                distances[at][bound] = wave;
            }
        }
        codes[at] = change.codes;
        changed[at / 64] |= 1 << (at % 64);
    }
    if worth_sweeping {
        chunk.drop_settled(codes);
    }
    true
}

impl Chunk {
    /// Drops open positions whose bounds have met, with their edges.
    fn drop_settled(&mut self, codes: &[[Code; 2]]) {
        let (mut from, mut kept) = (0, 0);
        let edges = &mut self.edges;
        self.open.retain_mut(|open| {
            let range = from..open.edges_end as usize;
            from = range.end;
            let [lower, upper] = codes[usize::from(open.at)];
            if lower == upper {
                return false;
            }
            let count = range.len();
            edges.copy_within(range, kept);
            kept += count;
            open.edges_end = kept as u32;
            true
        });
        edges.truncate(kept);
    }
}
