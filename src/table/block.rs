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
pub const CODER: &str = "mixing/1";

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
        for (row, run) in geometry.runs(block).enumerate() {
            for (column, board) in index.walk(layer, run).enumerate() {
                looks.push(Look {
                    hint: predictor.hint(board),
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
        coder.values.reset();
        for at in 0..codes.len() {
            self.value(coder, &mut encoder, at, &mut codes);
        }
        encoder.finish()
    }

    /// Decodes codes of bounds; `None` where the bytes make none.
    pub fn decode_values(&self, coder: &mut Coder, bytes: &[u8]) -> Option<Vec<[Code; 2]>> {
        let mut codes = vec![[0; 2]; self.len()];
        let mut decoder = Decoder::new(bytes);
        coder.values.reset();
        for at in 0..codes.len() {
            self.value(coder, &mut decoder, at, &mut codes);
        }
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
        coder.distances.reset();
        for at in 0..codes.len() {
            self.distance(coder, &mut encoder, at, codes, &mut distances);
        }
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
        let mut decoder = Decoder::new(bytes);
        coder.distances.reset();
        for at in 0..codes.len() {
            self.distance(coder, &mut decoder, at, codes, &mut distances);
        }
        distances
    }

    /// Codes the two bounds of the position at `at`.
    fn value(
        &self,
        coder: &mut Coder,
        stream: &mut impl Stream,
        at: usize,
        codes: &mut [[Code; 2]],
    ) {
        let look = &self.looks[at];
        let near = |back: u32| match back as usize {
            back if back > 0 && back <= at => {
                let [lower, upper] = codes[at - back];
                1 + u32::from(lower) * 256 + u32::from(upper)
            }
            _ => 0,
        };
        let contexts = if self.tile {
            tile_contexts(look, 0, look.near.map(near))
        } else {
            run_contexts(look, 0, look.near.map(near))
        };
        let quiet = usize::from(look.hint.quiet.min(3));
        let mixer = &mut coder.values;
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
    fn distance(
        &self,
        coder: &mut Coder,
        stream: &mut impl Stream,
        at: usize,
        codes: &[[Code; 2]],
        distances: &mut [[Distance; 2]],
    ) {
        let look = &self.looks[at];
        let [lower, upper] = codes[at];
        let value = u32::from(lower) << 8 | u32::from(upper);
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
        let contexts = if self.tile {
            tile_contexts(look, value, look.near.map(near))
        } else {
            run_contexts(look, value, look.near.map(near))
        };
        let mixer = &mut coder.distances;
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

/// Contexts of a bit.
const CONTEXTS: usize = 11;

/// The predictors of both planes, kept between blocks to save their allocation.
pub struct Coder {
    values: Mixer<CONTEXTS>,
    distances: Mixer<CONTEXTS>,
}

impl Default for Coder {
    fn default() -> Self {
        Self {
            values: Mixer::new(),
            distances: Mixer::new(),
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

/// Contexts where positions come in a run; `known` is what is known of the position itself.
#[inline(always)]
fn run_contexts(look: &Look, known: u32, near: [u32; NEAR]) -> [u32; CONTEXTS] {
    let Look { hint, halves, .. } = look;
    let [first, second, third, ..] = near;
    let exchange = hint.exchange as u32;
    let captures = u32::from(hint.captured) << 8 | u32::from(hint.threat);
    let quiet = u32::from(hint.quiet.min(3));
    let own = u32::from(hint.own);
    let moves = u32::from(hint.moves) << 16 | u32::from(hint.again) << 8 | u32::from(hint.quiet);
    [
        hash(&[known, first, second]),
        hash(&[known, third, exchange]),
        hash(&[known, captures, quiet, own]),
        hash(&[known, captures, quiet]),
        hash(&[known, exchange, own]),
        hash(&[known, exchange, captures, quiet]),
        hash(&[known, exchange, first]),
        hash(&[known, exchange, moves]),
        hash(&[known, captures, moves, u32::from(hint.threat_quiet)]),
        hash(&[known, halves[0]]),
        hash(&[known, halves[1]]),
    ]
}

/// Contexts where positions come in a tile. Rows are alike whose sides have the same good moves: what
/// came after the same symbols in the same columns of an earlier row is likely to come again; and so
/// for columns.
#[inline(always)]
fn tile_contexts(look: &Look, known: u32, near: [u32; NEAR]) -> [u32; CONTEXTS] {
    let Look { hint, halves, .. } = look;
    let [left, left2, left3, above, above2, above3] = near;
    let [row, column] = *halves;
    let exchange = hint.exchange as u32;
    let captures = u32::from(hint.captured) << 8 | u32::from(hint.threat);
    let quiet = u32::from(hint.quiet.min(3));
    let moves = u32::from(hint.moves) << 16 | u32::from(hint.again) << 8 | u32::from(hint.quiet);
    [
        hash(&[known, column, left, left2]),
        hash(&[known, column, left, left2, left3]),
        hash(&[known, row, above, above2]),
        hash(&[known, row, above, above2, above3]),
        hash(&[known, left, above, exchange]),
        hash(&[known, row, exchange]),
        hash(&[known, column, exchange]),
        hash(&[known, column, above]),
        hash(&[known, exchange, captures, quiet]),
        hash(&[known, exchange, moves]),
        hash(&[known, row, left]),
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
