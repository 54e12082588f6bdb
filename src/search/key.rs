//! Owns: what a position is called in a transposition table.
//!
//! A proof is only as good as the identity of its nodes, so a key is no hash where it can be helped:
//! it is the position's number among all that play can come to, scrambled by a bijection so that its
//! low bits pick a slot. Only when those numbers pass 62 bits (whole boards of 2x8 with 128 seeds,
//! 4x16) is it a 62-bit hash of the board. Two of N positions met then share a key with a chance of
//! about N²/2⁶², and the search says that it is not exact ([`Numbering::exact`]).

use crate::board::{Board, Lanes, Shape};
use crate::index::{Index, Layer};
use std::hash::Hasher;

/// A bijection of 64-bit words whose every output bit depends on every input bit (the finaliser of
/// D. Stafford's mix 13, as in SplitMix64: Steele, Lea and Flood, OOPSLA 2014).
#[inline(always)]
pub fn scramble(mut word: u64) -> u64 {
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// Hashes a board word by word.
#[derive(Clone, Copy, Debug)]
struct WordHasher(u64);

impl Hasher for WordHasher {
    #[inline(always)]
    fn finish(&self) -> u64 {
        self.0
    }
    #[inline(always)]
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }
    #[inline(always)]
    fn write_u64(&mut self, word: u64) {
        self.0 = scramble(self.0.rotate_left(29) ^ word.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    }
    #[inline(always)]
    fn write_u128(&mut self, word: u128) {
        self.write_u64(word as u64);
        self.write_u64((word >> 64) as u64);
    }
    #[inline(always)]
    fn write_usize(&mut self, _: usize) {
        // The length of an array, which is the same for all boards.
    }
}

/// A 64-bit hash of a board.
#[inline(always)]
pub fn hash<B: Board>(board: B) -> u64 {
    let mut hasher = WordHasher(0x2545_f491_4f6c_dd1d);
    board.hash(&mut hasher);
    hasher.finish()
}

/// Numbers all boards that play can come to from one layer.
#[derive(Clone, Debug)]
pub struct Numbering<B: Board> {
    shape: Shape,
    index: Option<Index<B>>,
    /// Where the numbers of a layer begin, by seeds or by own seeds times `side` plus the other's.
    starts: Vec<u64>,
    side: usize,
    /// How many there are; a great many where they are not numbered.
    count: u64,
}

/// Numbers stay below this: one bit of a key says who asks, one which of two games is played.
const LIMIT: u64 = 1 << 62;

impl<B: Board> Numbering<B> {
    /// Numbers `layer` and everything below it.
    pub fn new(shape: Shape, layer: Layer) -> Self {
        let side = 1 + match layer {
            Layer::Total(seeds) => usize::from(seeds),
            Layer::Sides(own, other) => usize::from(own.max(other)),
        };
        let mut numbering = Self {
            shape,
            index: Index::new(shape, layer).ok(),
            starts: Vec::new(),
            side,
            count: u64::MAX,
        };
        let Some(index) = &numbering.index else {
            return numbering;
        };
        let slots = match layer {
            Layer::Total(_) => side,
            Layer::Sides(..) => side * side,
        };
        let mut starts = vec![0; slots];
        let mut start = 0u64;
        for layer in layer.levels_below(shape.layering).into_iter().flatten() {
            starts[slot(side, layer)] = start;
            let end = start.checked_add(index.positions(layer));
            match end.filter(|&end| end < LIMIT) {
                Some(end) => start = end,
                None => {
                    numbering.index = None;
                    return numbering;
                }
            }
        }
        numbering.starts = starts;
        numbering.count = start;
        numbering
    }

    /// Whether different boards always have different keys.
    pub fn exact(&self) -> bool {
        self.index.is_some()
    }

    /// How many boards play can come to, [`u64::MAX`] where that is not known.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The key of a board for the player who asks: `asks` says whether that is the player to move,
    /// `other_game` tells apart two games on the same boards. Never 0.
    #[inline(always)]
    pub fn key(&self, board: B, asks: bool, other_game: bool) -> u64 {
        let number = match &self.index {
            Some(index) => {
                let layer = index.layer(board);
                self.starts[slot(self.side, layer)] + index.rank(board)
            }
            None => hash(board) >> 3,
        };
        scramble((number << 2 | u64::from(other_game) << 1 | u64::from(asks)) + 1)
    }

    /// Seeds of the player to move and of the other; all in the first in games with one ring.
    #[inline(always)]
    pub fn seeds(&self, board: B) -> (u32, u32) {
        let count = |ring: usize| board.ring(ring).prefix_sums().get(self.shape.pits - 1);
        let own = count(0);
        (own, if B::RINGS == 2 { count(1) } else { 0 })
    }
}

#[inline(always)]
fn slot(side: usize, layer: Layer) -> usize {
    match layer {
        Layer::Total(seeds) => usize::from(seeds),
        Layer::Sides(own, other) => usize::from(own) * side + usize::from(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Layering, OneRing, P64x6, P256x8, TwoRings};
    use std::collections::HashSet;

    fn all_keys_differ<B: Board>(shape: Shape, top: Layer) {
        let numbering = Numbering::<B>::new(shape, top);
        assert!(numbering.exact());
        let index = Index::<B>::new(shape, top).unwrap();
        let mut seen = HashSet::new();
        for layer in top.levels_below(shape.layering).into_iter().flatten() {
            for board in index.walk(layer, 0..u64::MAX) {
                for (asks, other) in [(false, false), (true, false), (false, true), (true, true)] {
                    assert!(seen.insert(numbering.key(board, asks, other)));
                }
            }
        }
        assert!(!seen.contains(&0));
    }

    #[test]
    fn keys_are_exact_where_they_claim_to_be() {
        let shape = |pits, layering| Shape {
            pits,
            seats: 1,
            layering,
        };
        all_keys_differ::<OneRing<P64x6>>(shape(6, Layering::Total), Layer::Total(7));
        all_keys_differ::<TwoRings<P64x6>>(shape(4, Layering::PerSide), Layer::Sides(4, 3));
        all_keys_differ::<TwoRings<P64x6>>(shape(4, Layering::Constant), Layer::Total(5));
        let large =
            Numbering::<TwoRings<P256x8>>::new(shape(32, Layering::Constant), Layer::Total(96));
        assert!(!large.exact());
    }
}
