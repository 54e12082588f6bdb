//! Owns: the synchronous waves over a level (DESIGN section 2, "Exact definition").
//!
//! Wave k computes bounds from those of wave k − 1 alone and the number of the wave in which a bound
//! last changed is its distance. A wave looks only at positions one of whose successors changed in
//! the wave before; those whose bounds have met are dropped, for neither can move past the other.
//!
//! Edges are kept as far as there is room. A chunk without them finds its edges anew in every wave,
//! and keeps them as soon as others have given up enough: waves with few open positions left, of
//! which there are most, are quick again.

use super::expand::{Expansion, Work};
use super::level::{AGAIN, CHUNK, Change, Chunk, Level, Open, Room};
use super::memory::{self, AHEAD, prefetch};
use super::snapshot::{Keeper, Snapshot};
use super::store::{LayerValues, Store, stake};
use crate::game::{Game, Mirror};
use crate::index::Layer;
use crate::progress::{Progress, Unheard};
use crate::value::{
    Code, Distance, Distances, DistancesMut, MINUS_INFINITY, PLUS_INFINITY, opposed,
};
use rayon::prelude::*;

/// Nothing known of either bound.
const UNKNOWN: [Code; 2] = [MINUS_INFINITY, PLUS_INFINITY];

/// Chunks whose mirrored positions are filled in at a time.
const MIRRORED: usize = 1 << 8;

/// A wave is dense when more than one of so many positions changed before it.
const DENSE: u64 = 16;

/// A wave is sparse when fewer than one of so many positions changed before it.
const SPARSE: u64 = 256;

/// Why a level was not solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Halt {
    /// [`Progress::stopped`] said so.
    Stopped,
    /// More waves than a distance can count.
    TooManyWaves,
}

/// A level between two waves.
struct State<'a, G: Game> {
    expansion: Expansion<'a, G>,
    stake: u32,
    /// All bounds.
    known: Snapshot,
    /// By chunk, one bit for each word of `known.changed` that is not 0. Late waves, of which there are
    /// most, find nearly all of their answers in these few kilobytes.
    stirred: Vec<u64>,
    chunks: Vec<Chunk>,
    room: Room,
}

/// Solves the layers of `level` from finished lower ones in `store`, keeping up to `room` bytes of
/// edges in memory, and going on from a snapshot of `keeper` where it has one. The result does not
/// depend on `room`, nor on interruptions.
///
/// # Errors
/// When stopped by `progress` or `keeper`, or when distances outgrow their type.
pub fn solve_level<G: Game>(
    game: &G,
    store: &Store<G::Board>,
    level: &Level,
    room: u64,
    progress: &dyn Progress,
    keeper: &mut dyn Keeper,
) -> Result<Vec<(Layer, LayerValues)>, Halt> {
    let kept = keeper.load().filter(|kept| fits(kept, level));
    if let Some(kept) = kept {
        progress.skip(level.positions());
        if kept.settled {
            return Ok(into_layers(kept, level));
        }
        let mut state = State::expand(game, store, level, room, &Unheard(progress))?;
        state.restore(kept);
        let changes = state
            .known
            .changed
            .iter()
            .map(|word| u64::from(word.count_ones()));
        let changes = changes.sum();
        return state.finish(changes, level, progress, keeper);
    }
    let mut state = State::expand(game, store, level, room, progress)?;
    state.known.wave = 1;
    state.wave(0);
    let changes = state.apply();
    state.finish(changes, level, progress, keeper)
}

/// Whether a snapshot can be one of this level.
fn fits(kept: &Snapshot, level: &Level) -> bool {
    let positions = level.positions() as usize;
    kept.wave > 0
        && kept.codes.len() == positions
        && kept.distances.len() == positions
        && kept.changed.len() == words(positions)
}

// A chunk has one word of [`State::stirred`].
const _: () = assert!(CHUNK == 64 * 64);

/// Words of a bit set over whole chunks.
fn words(positions: usize) -> usize {
    positions.div_ceil(CHUNK) * (CHUNK / 64)
}

/// Whether position `number` is in a bit set.
#[inline(always)]
fn contains(set: &[u64], number: u32) -> bool {
    set[(number / 64) as usize] >> (number % 64) & 1 == 1
}

/// One bit for each word that is not 0, of at most 64.
fn summary(words: &[u64]) -> u64 {
    let bits = words.iter().enumerate();
    bits.fold(0, |bits, (at, &word)| bits | u64::from(word != 0) << at)
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

impl<'a, G: Game> State<'a, G> {
    /// Wave 0: what positions are by themselves.
    fn expand(
        game: &'a G,
        store: &'a Store<G::Board>,
        level: &'a Level,
        room: u64,
        progress: &dyn Progress,
    ) -> Result<Self, Halt> {
        let expansion = Expansion::new(game, store, level);
        let (positions, room) = (level.positions() as usize, Room::new(room));
        let mut codes = memory::filled(UNKNOWN, positions);
        let mut over = vec![0u64; words(positions)];
        let chunks: Option<Vec<Chunk>> = codes
            .par_chunks_mut(CHUNK)
            .zip(over.par_chunks_mut(CHUNK / 64))
            .enumerate()
            .map_init(Work::default, |work, (i, (codes, over))| {
                if progress.stopped() {
                    return None;
                }
                let chunk = expansion.chunk((i * CHUNK) as u64, codes, over, work, &room);
                progress.advance(codes.len() as u64);
                Some(chunk)
            })
            .collect();
        let layer = level.parts().next().map(|(layer, _)| layer);
        Ok(Self {
            stake: layer.map_or(0, stake::<G>),
            known: Snapshot {
                wave: 0,
                settled: false,
                codes,
                distances: Distances::zeros(positions),
                changed: over,
            },
            stirred: vec![0; positions.div_ceil(CHUNK)],
            chunks: chunks.ok_or(Halt::Stopped)?,
            expansion,
            room,
        })
    }

    /// Makes waves until nothing changes; `changes` is how much did in the last one.
    fn finish(
        mut self,
        mut changes: u64,
        level: &Level,
        progress: &dyn Progress,
        keeper: &mut dyn Keeper,
    ) -> Result<Vec<(Layer, LayerValues)>, Halt> {
        while changes > 0 {
            if progress.stopped() || (keeper.due() && !keeper.save(&self.known)) {
                return Err(Halt::Stopped);
            }
            let wave = self.known.wave.checked_add(1);
            self.known.wave = wave.ok_or(Halt::TooManyWaves)?;
            if self.known.wave > 255 {
                self.known.distances.widen();
            }
            self.wave(changes);
            changes = self.apply();
        }
        self.chunks.clear();
        self.mirror();
        self.known.settled = true;
        if keeper.due() && !keeper.save(&self.known) {
            return Err(Halt::Stopped);
        }
        Ok(into_layers(self.known, level))
    }

    /// Finds the changes of a wave.
    ///
    /// The first looks at every open position and sees nothing but games that are over: all other
    /// codes are already its own results. Later ones look where a successor has changed, as
    /// `before` positions have in the wave before.
    fn wave(&mut self, before: u64) {
        let Self {
            expansion,
            stake,
            known,
            stirred,
            chunks,
            room,
        } = self;
        let positions = known.codes.len() as u64;
        let eye = Eye {
            known,
            stirred,
            stake: *stake,
            density: if known.wave == 1 {
                Density::First
            } else if before > positions / DENSE {
                Density::Dense
            } else if before > positions / SPARSE {
                Density::Middling
            } else {
                Density::Sparse
            },
        };
        let chunks = chunks.par_iter_mut().enumerate();
        // Lists that grow are the threads' own; chunks get copies that are as long as need be.
        let lists = || (Work::default(), Vec::new(), Vec::new());
        chunks.for_each_init(lists, |(work, hits, changes), (i, chunk)| {
            if chunk.open.is_empty() {
                return;
            }
            if chunk.edges.is_none() {
                expansion.edges((i * CHUNK) as u64, &chunk.open, work);
                chunk.keep(work.edges(), room);
            }
            let edges = chunk.edges.as_deref().unwrap_or(work.edges());
            let here = &known.codes[i * CHUNK..];
            changes.clear();
            eye.look(here, &chunk.open, edges, hits, changes);
            chunk.changes = changes.to_vec();
        });
    }

    /// Makes the changes found in a wave and says how many positions changed.
    fn apply(&mut self) -> u64 {
        let Self {
            known,
            stirred,
            chunks,
            room,
            ..
        } = self;
        let wave = known.wave;
        let distances: Vec<DistancesMut<'_>> = known.distances.chunks_mut(CHUNK).collect();
        chunks
            .par_iter_mut()
            .zip(known.codes.par_chunks_mut(CHUNK))
            .zip(distances)
            .zip(known.changed.par_chunks_mut(CHUNK / 64))
            .zip(stirred)
            .map(|((((chunk, codes), mut distances), changed), stirred)| {
                let count = if wave == 1 {
                    settle_first(chunk, codes, &mut distances, changed, room)
                } else {
                    settle(chunk, codes, &mut distances, changed, wave, room)
                };
                *stirred = summary(changed);
                count
            })
            .sum()
    }

    /// Goes back to a snapshot of the same level.
    fn restore(&mut self, kept: Snapshot) {
        self.known = kept;
        let words = self.known.changed.par_chunks(CHUNK / 64);
        self.stirred = words.map(summary).collect();
        let (codes, room) = (&self.known.codes, &self.room);
        self.chunks
            .par_iter_mut()
            .zip(codes.par_chunks(CHUNK))
            .for_each(|(chunk, codes)| chunk.drop_settled(codes, room));
    }

    /// Gives positions that were left out the values of their mirror images.
    fn mirror(&mut self) {
        if !G::Mirror::APPLIES {
            return;
        }
        let chunks = self.known.codes.len().div_ceil(CHUNK);
        for from in (0..chunks).step_by(MIRRORED) {
            let images: Vec<Vec<Image>> = (from..(from + MIRRORED).min(chunks))
                .into_par_iter()
                .map(|i| {
                    let images = self.expansion.images((i * CHUNK) as u64, CHUNK as u64);
                    let value = |(at, image): (u64, u64)| Image {
                        at: at as usize % CHUNK,
                        codes: self.known.codes[image as usize],
                        distances: self.known.distances.get(image as usize),
                    };
                    images.map(value).collect()
                })
                .collect();
            let codes = self.known.codes[from * CHUNK..].chunks_mut(CHUNK);
            let distances = self.known.distances.chunks_mut(CHUNK).skip(from);
            for ((images, codes), mut distances) in images.into_iter().zip(codes).zip(distances) {
                for image in images {
                    codes[image.at] = image.codes;
                    distances.set(image.at, 0, image.distances[0]);
                    distances.set(image.at, 1, image.distances[1]);
                }
            }
        }
    }
}

/// What a position gets from its mirror image.
struct Image {
    /// Its place in its chunk.
    at: usize,
    codes: [Code; 2],
    distances: [Distance; 2],
}

/// How many positions changed in the wave before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Density {
    /// There was none: what counts is games that are over.
    First,
    Dense,
    Middling,
    Sparse,
}

/// What looks for the changes of a wave.
#[derive(Clone, Copy)]
struct Eye<'a> {
    known: &'a Snapshot,
    stirred: &'a [u64],
    stake: u32,
    density: Density,
}

impl Eye<'_> {
    /// Finds the changes of a wave in a chunk with the codes `here`. `hits` is working memory.
    fn look(
        self,
        here: &[[Code; 2]],
        open: &[Open],
        edges: &[u32],
        hits: &mut Vec<u32>,
        changes: &mut Vec<Change>,
    ) {
        let (changed, stirred) = (&self.known.changed[..], self.stirred);
        match self.density {
            Density::First => self.look_at_all(here, open, edges, changes),
            Density::Dense => self.look_ahead(here, open, edges, changes),
            Density::Middling => {
                scan(edges, hits, |number| contains(changed, number));
                self.look_at_hits(here, open, edges, hits, changes);
            }
            Density::Sparse => {
                scan(edges, hits, |number| {
                    contains(stirred, number / 64) && contains(changed, number)
                });
                self.look_at_hits(here, open, edges, hits, changes);
            }
        }
    }

    /// Looks at all positions, and sees of their successors those where the game is over: all other
    /// codes are already results of the first wave.
    fn look_at_all(
        self,
        here: &[[Code; 2]],
        open: &[Open],
        edges: &[u32],
        changes: &mut Vec<Change>,
    ) {
        let (codes, over) = (&self.known.codes[..], &self.known.changed[..]);
        let mut rest = edges;
        for open in open {
            let edges;
            (edges, rest) = rest.split_at(usize::from(open.edges));
            self.raise(here, *open, edges, changes, |number| {
                if contains(over, number) {
                    codes[number as usize]
                } else {
                    UNKNOWN
                }
            });
        }
    }

    /// Looks at the positions with a changed successor where that is many: codes are asked for ahead.
    fn look_ahead(
        self,
        here: &[[Code; 2]],
        open: &[Open],
        edges: &[u32],
        changes: &mut Vec<Change>,
    ) {
        let (codes, changed) = (&self.known.codes[..], &self.known.changed[..]);
        let mut rest = edges;
        for open in open {
            let edges;
            (edges, rest) = rest.split_at(usize::from(open.edges));
            for edge in rest.iter().skip(AHEAD).take(edges.len()) {
                prefetch(codes, (edge & !AGAIN) as usize);
            }
            if edges.iter().any(|edge| contains(changed, edge & !AGAIN)) {
                self.raise(here, *open, edges, changes, |number| codes[number as usize]);
            }
        }
    }

    /// Looks at the positions of the edges in `hits`.
    fn look_at_hits(
        self,
        here: &[[Code; 2]],
        open: &[Open],
        edges: &[u32],
        hits: &[u32],
        changes: &mut Vec<Change>,
    ) {
        let codes = &self.known.codes[..];
        let mut hits = hits.iter().map(|&hit| hit as usize);
        let Some(mut hit) = hits.next() else {
            return;
        };
        let mut from = 0;
        for open in open {
            let to = from + usize::from(open.edges);
            if hit < to {
                self.raise(here, *open, &edges[from..to], changes, |number| {
                    codes[number as usize]
                });
                match hits.find(|&hit| hit >= to) {
                    Some(next) => hit = next,
                    None => return,
                }
            }
            from = to;
        }
    }

    /// Notes the change of a position, if there is one, from what is seen of its successors.
    #[inline(always)]
    fn raise(
        self,
        here: &[[Code; 2]],
        open: Open,
        edges: &[u32],
        changes: &mut Vec<Change>,
        see: impl Fn(u32) -> [Code; 2],
    ) {
        let old = here[usize::from(open.at)];
        let mut new = [old[0], open.exit_upper];
        for edge in edges {
            let [lower, upper] = through(*edge, see(edge & !AGAIN), self.stake);
            new = [new[0].max(lower), new[1].max(upper)];
        }
        if new != old {
            changes.push(Change {
                at: open.at,
                codes: new,
            });
        }
    }
}

/// Finds the places of the edges that lead to a position which has changed. Most do not: all are asked in one
/// straight run, and the positions that they belong to are only looked for afterwards.
#[inline(always)]
fn scan(edges: &[u32], hits: &mut Vec<u32>, has_changed: impl Fn(u32) -> bool) {
    hits.resize(edges.len() + 1, 0);
    let mut count = 0;
    for (place, edge) in edges.iter().enumerate() {
        hits[count] = place as u32;
        count += usize::from(has_changed(edge & !AGAIN));
    }
    hits.truncate(count);
}

/// Ends wave 1: everything finite outside games that are over is new in it.
fn settle_first(
    chunk: &mut Chunk,
    codes: &mut [[Code; 2]],
    distances: &mut DistancesMut<'_>,
    changed: &mut [u64],
    room: &Room,
) -> u64 {
    for change in std::mem::take(&mut chunk.changes) {
        codes[usize::from(change.at)] = change.codes;
    }
    let mut count = 0;
    for (i, (word, codes)) in changed.iter_mut().zip(codes.chunks(64)).enumerate() {
        let over = std::mem::take(word);
        for (bit, codes) in codes.iter().enumerate() {
            if *codes != UNKNOWN && over >> bit & 1 == 0 {
                *word |= 1 << bit;
                let at = i * 64 + bit;
                distances.set(at, 0, Distance::from(codes[0] != MINUS_INFINITY));
                distances.set(at, 1, Distance::from(codes[1] != PLUS_INFINITY));
            }
        }
        count += u64::from(word.count_ones());
    }
    chunk.drop_settled(codes, room);
    count
}

/// Ends a later wave.
fn settle(
    chunk: &mut Chunk,
    codes: &mut [[Code; 2]],
    distances: &mut DistancesMut<'_>,
    changed: &mut [u64],
    wave: Distance,
    room: &Room,
) -> u64 {
    changed.fill(0);
    if chunk.changes.is_empty() {
        return 0;
    }
    // Only a position that changed can be final since, and every sweep walks all open ones.
    let worth_sweeping = chunk.edges.is_none() || chunk.changes.len() >= chunk.open.len() / 8;
    let count = chunk.changes.len() as u64;
    for change in std::mem::take(&mut chunk.changes) {
        let at = usize::from(change.at);
        for (bound, (old, new)) in codes[at].into_iter().zip(change.codes).enumerate() {
            if old != new {
                distances.set(at, bound, wave);
            }
        }
        codes[at] = change.codes;
        changed[at / 64] |= 1 << (at % 64);
    }
    if worth_sweeping {
        chunk.drop_settled(codes, room);
    }
    count
}

/// Cuts a level into its layers.
fn into_layers(known: Snapshot, level: &Level) -> Vec<(Layer, LayerValues)> {
    let Snapshot {
        mut codes,
        mut distances,
        ..
    } = known;
    let parts: Vec<_> = level.parts().collect();
    let mut layers: Vec<_> = parts
        .into_iter()
        .rev()
        .map(|(layer, places)| {
            let start = places.start as usize;
            let values = LayerValues {
                // The rest is handed on as it is: a copy would be the peak of memory.
                codes: match start {
                    0 => std::mem::take(&mut codes),
                    _ => codes.split_off(start),
                },
                distances: distances.split_off(start),
            };
            (layer, values)
        })
        .collect();
    layers.reverse();
    layers
}
