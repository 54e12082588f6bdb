//! Owns: the bytes of a block: the values, or the distances, of a run of positions.
//!
//! Each position's symbols are coded bit by bit, every bit with a probability from a `Mixer` that
//! sees the position's [`Hint`] and what was coded for near positions: those with one seed moved on by
//! a pit, and in four-row games the one with the mover's side before this. Encoder and decoder run
//! the same functions over a `Stream`.

use super::coder::{Decoder, Encoder, Stream};
use super::geometry::Geometry;
use super::hint::{Hint, Predictor};
use super::mixing::Mixer;
use crate::board::{Board, Lanes};
use crate::index::{Index, Layer};
use crate::value::{Code, Distance, MINUS_INFINITY, PLUS_INFINITY};

/// Names the coder and its contexts in fingerprints.
pub const CODER: &str = "mixing/2";

/// Near positions that may have been coded before.
const NEAR: usize = 6;

/// A position as the coder sees it.
#[derive(Clone, Copy, Debug)]
struct Look {
    hint: Hint,
    /// How far back each near position lies; 0 when there is none.
    near: [u32; NEAR],
    /// What lies on the mover's half of the board and on the other.
    halves: [u32; 2],
}

/// The positions of a block, summed up.
#[derive(Debug)]
pub struct Looks {
    looks: Vec<Look>,
    stake: u32,
    /// Whether both bounds have distances, or only the one that makes the outcome.
    scored: bool,
    /// Whether the block is a tile of a matrix.
    tile: bool,
}

impl Looks {
    /// Looks at the positions of `block` in a layer with `stake` units to be won.
    pub fn new<B: Board>(
        index: &Index<B>,
        layer: Layer,
        block: u64,
        stake: u32,
        scored: bool,
        predictor: &impl Predictor<B>,
    ) -> Self {
        let geometry = Geometry::new(index, layer);
        let pits = index.shape().pits;
        let width = geometry.width(block) as u32;
        let tile = matches!(layer, Layer::Sides(..));
        let mut looks = Vec::with_capacity(geometry.size(block) as usize);
        let mut hints = Vec::new();
        for (row, run) in geometry.runs(block).enumerate() {
            hints.clear();
            predictor.hints(index.walk(layer, run.clone()), &mut hints);
            let boards = index.walk(layer, run).enumerate();
            for ((column, board), &hint) in boards.zip(&hints) {
                looks.push(Look {
                    hint,
                    near: if tile {
                        around(row as u32, column as u32, width)
                    } else {
                        shifted(board, pits)
                    },
                    halves: halves(board, pits),
                });
            }
        }
        Self {
            looks,
            stake,
            scored,
            tile,
        }
    }

    /// Positions in the block.
    fn len(&self) -> usize {
        self.looks.len()
    }

    /// Encodes codes of bounds.
    pub fn encode_values(&self, coder: &mut Coder, codes: &[[Code; 2]]) -> Vec<u8> {
        let mut codes = codes.to_vec();
        let mut encoder = Encoder::new();
        self.values(coder, &mut encoder, &mut codes);
        encoder.finish()
    }

    /// Decodes codes of bounds; `None` where the bytes make none.
    pub fn decode_values(&self, coder: &mut Coder, bytes: &[u8]) -> Option<Vec<[Code; 2]>> {
        let mut codes = vec![[0; 2]; self.len()];
        self.values(coder, &mut Decoder::new(bytes), &mut codes);
        let most = self.stake as Code + 1;
        let sound = |[lower, upper]: &[Code; 2]| {
            *lower <= most
                && (1..=most).contains(upper) | (*upper == PLUS_INFINITY)
                && lower <= upper
        };
        codes.iter().all(sound).then_some(codes)
    }

    /// Encodes the distances that are kept.
    pub fn encode_distances(
        &self,
        coder: &mut Coder,
        codes: &[[Code; 2]],
        distances: &[[Distance; 2]],
    ) -> Vec<u8> {
        // Contexts must see what the decoder will see: distances that are not kept are 0 there.
        let kept = |(codes, distances): (&[Code; 2], &[Distance; 2])| {
            std::array::from_fn(|bound| match self.has_distance(*codes, bound) {
                true => distances[bound],
                false => 0,
            })
        };
        let mut distances: Vec<[Distance; 2]> = codes.iter().zip(distances).map(kept).collect();
        let mut encoder = Encoder::new();
        self.distances(coder, &mut encoder, codes, &mut distances);
        encoder.finish()
    }

    /// Decodes the distances that are kept; others become 0.
    pub fn decode_distances(
        &self,
        coder: &mut Coder,
        codes: &[[Code; 2]],
        bytes: &[u8],
    ) -> Vec<[Distance; 2]> {
        let mut distances = vec![[0; 2]; self.len()];
        self.distances(coder, &mut Decoder::new(bytes), codes, &mut distances);
        distances
    }

    /// Codes all bounds.
    fn values(&self, coder: &mut Coder, stream: &mut impl Stream, codes: &mut [[Code; 2]]) {
        if self.tile {
            let mixer = Coder::fresh(&mut coder.tile_values);
            for at in 0..codes.len() {
                self.value(mixer, stream, at, codes, |look, near| {
                    tile_contexts(look, 0, near)
                });
            }
        } else {
            let mixer = Coder::fresh(&mut coder.run_values);
            for at in 0..codes.len() {
                self.value(mixer, stream, at, codes, run_value_contexts);
            }
        }
    }

    /// Codes all distances.
    fn distances(
        &self,
        coder: &mut Coder,
        stream: &mut impl Stream,
        codes: &[[Code; 2]],
        distances: &mut [[Distance; 2]],
    ) {
        if self.tile {
            let mixer = Coder::fresh(&mut coder.tile_distances);
            for at in 0..codes.len() {
                self.distance(mixer, stream, at, codes, distances, |look, near| {
                    let [lower, upper] = codes[at];
                    tile_contexts(look, u32::from(lower) << 8 | u32::from(upper), near)
                });
            }
        } else {
            let mixer = Coder::fresh(&mut coder.run_distances);
            for at in 0..codes.len() {
                self.distance(mixer, stream, at, codes, distances, |look, near| {
                    run_distance_contexts(look, codes[at], near)
                });
            }
        }
    }

    /// Codes the two bounds of the position at `at`.
    #[inline(always)]
    fn value<const N: usize>(
        &self,
        mixer: &mut Mixer<N>,
        stream: &mut impl Stream,
        at: usize,
        codes: &mut [[Code; 2]],
        contexts: impl Fn(&Look, [u32; NEAR]) -> [u32; N],
    ) {
        let look = &self.looks[at];
        let near = |back: u32| match back as usize {
            back if back > 0 && back <= at => {
                let [lower, upper] = codes[at - back];
                1 + u32::from(lower) * 256 + u32::from(upper)
            }
            _ => 0,
        };
        let contexts = contexts(look, look.near.map(near));
        let quiet = usize::from(look.hint.quiet.min(3));
        let width = u32::BITS - (self.stake + 2).leading_zeros();
        let [lower, upper] = codes[at];
        let lower = tree(width, lower.into(), |node, bit| {
            let selector = quiet * 64 + (node as usize).min(63);
            mixer.code(stream, &contexts, node, selector, bit)
        }) as Code;
        let known = 0x0100_0193u32.wrapping_mul(u32::from(lower) + 1);
        let contexts = contexts.map(|context| context ^ known);
        let share = quiet * 64 + usize::from(lower).min(63);
        let equal = mixer.code(stream, &contexts, 1 << 16, 256 + share, lower == upper);
        let upper = if equal {
            lower
        } else {
            let open = upper == PLUS_INFINITY;
            if mixer.code(stream, &contexts, 1 << 17, 512 + share, open) {
                PLUS_INFINITY
            } else {
                tree(width, upper.into(), |node, bit| {
                    let selector = 768 + quiet * 64 + (node as usize).min(63);
                    mixer.code(stream, &contexts, node | 1 << 18, selector, bit)
                }) as Code
            }
        };
        codes[at] = [lower, upper];
    }

    /// Whether a bound's distance is kept: where the bound is finite, and in a win-loss game makes
    /// the outcome.
    #[inline(always)]
    fn has_distance(&self, [lower, upper]: [Code; 2], bound: usize) -> bool {
        has_distance(self.scored, [lower, upper], bound)
    }

    /// Codes the distances of the position at `at`.
    #[inline(always)]
    fn distance<const N: usize>(
        &self,
        mixer: &mut Mixer<N>,
        stream: &mut impl Stream,
        at: usize,
        codes: &[[Code; 2]],
        distances: &mut [[Distance; 2]],
        contexts: impl Fn(&Look, [u32; NEAR]) -> [u32; N],
    ) {
        let look = &self.looks[at];
        let [lower, upper] = codes[at];
        let near = |back: u32| match back as usize {
            back if back > 0 && back <= at => {
                let [lower, upper] = distances[at - back];
                let [a, b] = codes[at - back];
                hash(&[
                    u32::from(a) << 8 | u32::from(b),
                    u32::from(lower),
                    u32::from(upper),
                ])
            }
            _ => 0,
        };
        let contexts = contexts(look, look.near.map(near));
        let kind = usize::from(lower == upper) * 4 + usize::from(look.hint.quiet.min(3));
        let [mut first, mut second] = distances[at];
        if self.has_distance(codes[at], 0) {
            first = number(first, |node, bit| {
                let selector = kind * 64 + (node as usize).min(63);
                mixer.code(stream, &contexts, node, selector, bit)
            });
        }
        if self.has_distance(codes[at], 1) {
            let known = match self.has_distance(codes[at], 0) {
                false => 0,
                true => 0x0100_0193u32.wrapping_mul(u32::from(first) + 1),
            };
            let contexts = contexts.map(|context| context ^ known);
            second = number(second, |node, bit| {
                let selector = 512 + kind * 64 + (node as usize).min(63);
                mixer.code(stream, &contexts, node | 1 << 20, selector, bit)
            });
        }
        distances[at] = [first, second];
    }
}

/// Codes a number of `width` bits from the top; `node` says which bits were before.
#[inline(always)]
fn tree(width: u32, number: u32, mut code: impl FnMut(u32, bool) -> bool) -> u32 {
    let mut node = 1;
    for bit in (0..width).rev() {
        node = node << 1 | u32::from(code(node, number >> bit & 1 == 1));
    }
    node & ((1 << width) - 1)
}

/// Codes any distance: its length in bits one by one, then the bits below the top one. Small ones, by
/// far the most frequent, take two to five bits that are easily guessed.
#[inline(always)]
fn number(number: Distance, mut code: impl FnMut(u32, bool) -> bool) -> Distance {
    let length = Distance::BITS - number.leading_zeros();
    let mut bits = 0;
    while bits < Distance::BITS && code(bits, bits < length) {
        bits += 1;
    }
    if bits <= 1 {
        return bits as Distance;
    }
    let mut found = 1u32;
    for bit in (0..bits - 1).rev() {
        // Far down a long number the bits before say nothing.
        let node = 32 + bits * 64 + found.min(63);
        found = found << 1 | u32::from(code(node, number >> bit & 1 == 1));
    }
    found as Distance
}

/// Contexts of a bit in a run, and in a tile.
const RUN: usize = 6;
const TILE: usize = 8;

/// The predictors of both planes, kept between blocks to save their allocation.
#[derive(Default)]
pub struct Coder {
    run_values: Option<Mixer<RUN>>,
    run_distances: Option<Mixer<RUN>>,
    tile_values: Option<Mixer<TILE>>,
    tile_distances: Option<Mixer<TILE>>,
}

impl Coder {
    /// A predictor that knows nothing.
    fn fresh<const N: usize>(kept: &mut Option<Mixer<N>>) -> &mut Mixer<N> {
        match kept {
            Some(mixer) => {
                mixer.reset();
                mixer
            }
            None => kept.insert(Mixer::new()),
        }
    }
}

/// Mixes small numbers into one.
#[inline(always)]
fn hash(numbers: &[u32]) -> u32 {
    numbers.iter().fold(0, |hash, &number| {
        (hash ^ number).wrapping_mul(0x9E37_79B1).rotate_left(13)
    })
}

/// How many moves there are of each kind.
#[inline(always)]
fn moves(hint: &Hint) -> u32 {
    u32::from(hint.moves) << 16 | u32::from(hint.again) << 8 | u32::from(hint.quiet)
}

/// Contexts of bounds where positions come in a run. Chosen by size and time on layers of Giuthi and
/// Bosh: more of them gain less than they cost.
#[inline(always)]
fn run_value_contexts(look: &Look, near: [u32; NEAR]) -> [u32; RUN] {
    let Look { hint, halves, .. } = look;
    let [first, second, ..] = near;
    let exchange = hint.exchange as u32;
    [
        hash(&[first, second]),
        hash(&[exchange, u32::from(hint.own)]),
        hash(&[exchange, moves(hint)]),
        hash(&[halves[0]]),
        hash(&[halves[1]]),
        hash(&[u32::from(hint.captured), u32::from(hint.quiet.min(3))]),
    ]
}

/// Contexts of distances where positions come in a run: some know the bounds, others only whether they
/// are the same, for how long things take depends less on how much they bring.
#[inline(always)]
fn run_distance_contexts(look: &Look, [lower, upper]: [Code; 2], near: [u32; NEAR]) -> [u32; RUN] {
    let Look { hint, halves, .. } = look;
    let [first, second, ..] = near;
    let bounds = u32::from(lower) << 8 | u32::from(upper);
    let kind = u32::from(lower == upper) << 1 | u32::from(upper == PLUS_INFINITY);
    let captured = u32::from(hint.captured);
    [
        hash(&[bounds, first, second]),
        hash(&[bounds, moves(hint), captured]),
        hash(&[bounds, halves[0]]),
        hash(&[bounds, halves[1]]),
        hash(&[kind, hint.exchange as u32, moves(hint)]),
        hash(&[kind, first, moves(hint), captured]),
    ]
}

/// Contexts where positions come in a tile. Rows are alike whose sides have the same good moves: what
/// came after the same symbols in the same columns of an earlier row is likely to come again; and so
/// for columns.
#[inline(always)]
fn tile_contexts(look: &Look, known: u32, near: [u32; NEAR]) -> [u32; TILE] {
    let Look { hint, halves, .. } = look;
    let [left, left2, left3, above, above2, above3] = near;
    let [row, column] = *halves;
    let exchange = hint.exchange as u32;
    [
        hash(&[known, column, left, left2]),
        hash(&[known, column, left, left2, left3]),
        hash(&[known, row, above, above2]),
        hash(&[known, row, above, above2, above3]),
        hash(&[known, left, above, exchange]),
        hash(&[known, row, exchange]),
        hash(&[known, column, exchange]),
        hash(&[known, exchange, moves(hint)]),
    ]
}

/// How far back those lie that have one seed less in a pit and one more in the next.
#[inline(always)]
fn shifted<B: Board>(board: B, pits: usize) -> [u32; NEAR] {
    let ring = board.ring(B::RINGS - 1);
    let lane = |pit: usize| if pit + 1 < pits { ring.get(pit) } else { 0 };
    let pairs = lane(0) + lane(1);
    let triples = pairs + lane(2);
    // Moving a seed from pit i on to the next lowers the rank by C(s + i - 1, i), s being the seeds
    // up to pit i.
    let step = |pit: usize, back: u32| if lane(pit) > 0 { back } else { 0 };
    [
        step(0, 1),
        step(1, pairs),
        step(2, triples * (triples + 1) / 2),
        0,
        0,
        0,
    ]
}

/// How far back those lie that come before in the same row and in the same column of a tile.
#[inline(always)]
fn around(row: u32, column: u32, width: u32) -> [u32; NEAR] {
    let left = |steps: u32| if steps <= column { steps } else { 0 };
    let above = |steps: u32| if steps <= row { steps * width } else { 0 };
    [left(1), left(2), left(3), above(1), above(2), above(3)]
}

/// Whether a table keeps the distance of a bound: where the bound is finite, and in a win-loss game
/// makes the outcome.
#[inline(always)]
pub fn has_distance(scored: bool, [lower, upper]: [Code; 2], bound: usize) -> bool {
    match (scored, bound) {
        (true, 0) => lower != MINUS_INFINITY,
        (true, _) => upper != PLUS_INFINITY,
        // A win is lower = +1, a loss upper = -1.
        (false, 0) => lower == 2,
        (false, _) => upper == 1,
    }
}

/// Hashes of the mover's half of the board and of the other.
#[inline(always)]
fn halves<B: Board>(board: B, pits: usize) -> [u32; 2] {
    let half = if B::RINGS == 2 {
        pits
    } else {
        pits.div_ceil(2)
    };
    let sum = |ring: B::Word, from: usize, to: usize| {
        (from..to).fold(1u32, |hash, pit| {
            hash.wrapping_mul(0x0100_0193) ^ ring.get(pit)
        })
    };
    if B::RINGS == 2 {
        [sum(board.ring(0), 0, pits), sum(board.ring(1), 0, pits)]
    } else {
        [sum(board.ring(0), 0, half), sum(board.ring(0), half, pits)]
    }
}
