//! Owns: pits packed as lanes of a word, pit 0 in the lowest lane.
//!
//! Five widths cover every board that the games allow; [`Bits`] gives the word and `LANE` the bits a
//! pit takes. A lane may hold the sum of all seeds on the board, so that no lane ever overflows into
//! its neighbour and prefix sums come from one multiplication.

use super::bits::{Bits, U256};
use std::fmt::Debug;
use std::hash::Hash;

/// Up to 10 pits and 63 seeds.
pub type P64x6 = Packed<u64, 6>;
/// Up to 8 pits and 255 seeds.
pub type P64x8 = Packed<u64, 8>;
/// Up to 21 pits and 63 seeds.
pub type P128x6 = Packed<u128, 6>;
/// Up to 16 pits and 255 seeds.
pub type P128x8 = Packed<u128, 8>;
/// Up to 32 pits and 255 seeds.
pub type P256x8 = Packed<U256, 8>;

/// A word of lanes; what boards and sowing are written against.
pub trait Lanes: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static {
    /// Lanes in a word.
    const LANES: usize;
    /// The largest content of a lane.
    const MAX: u32;
    /// All lanes empty.
    const EMPTY: Self;
    /// The content of lane `i`.
    fn get(self, i: usize) -> u32;
    /// Adds `seeds` to lane `i`; the sum must not pass [`Lanes::MAX`].
    fn plus(self, i: usize, seeds: u32) -> Self;
    /// Takes `seeds` from lane `i`, which holds at least as many.
    fn minus(self, i: usize, seeds: u32) -> Self;
    /// Lane by lane sum.
    fn add(self, other: Self) -> Self;
    /// Bitwise and.
    fn and(self, other: Self) -> Self;
    /// Bitwise or.
    fn or(self, other: Self) -> Self;
    /// All bits of lanes `from..to` set.
    fn mask(from: usize, to: usize) -> Self;
    /// Moves lane `i` to lane `i + by`; `by` is below [`Lanes::LANES`].
    fn up(self, by: usize) -> Self;
    /// Moves lane `i` to lane `i - by`; lower lanes drop out; `by` is below [`Lanes::LANES`].
    fn down(self, by: usize) -> Self;
    /// Lane `i` becomes the sum of lanes `0..=i`.
    fn prefix_sums(self) -> Self;
    /// The lowest lane that is not empty, or any number from [`Lanes::LANES`] up.
    fn first(self) -> usize;

    /// The word that leaves of lanes `0..to` only those with two or more seeds, when and-ed: all bits
    /// but each lane's lowest.
    fn two_or_more_mask(to: usize) -> Self {
        (0..to).fold(Self::EMPTY, |mask, i| mask.plus(i, Self::MAX - 1))
    }

    /// Calls `each` with every lane that is not empty, in ascending order.
    #[inline(always)]
    fn each_occupied(self, mut each: impl FnMut(usize)) {
        let mut rest = self;
        while rest != Self::EMPTY {
            let lane = rest.first();
            each(lane);
            rest = rest.minus(lane, rest.get(lane));
        }
    }

    /// Packs lane contents, lane 0 first.
    fn pack(seeds: &[u8]) -> Self {
        seeds
            .iter()
            .enumerate()
            .fold(Self::EMPTY, |word, (i, &s)| word.plus(i, u32::from(s)))
    }

    /// The contents of the first `out.len()` lanes.
    fn unpack(self, out: &mut [u8]) {
        for (i, pit) in out.iter_mut().enumerate() {
            *pit = self.get(i) as u8;
        }
    }
}

/// Lanes of `LANE` bits in a word of type `T`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Packed<T, const LANE: u32>(pub T);

impl<T: Bits, const LANE: u32> Packed<T, LANE> {
    #[inline(always)]
    fn ones() -> T {
        // A division of the all-ones word would do, but no such operation is needed elsewhere.
        let mut ones = T::ZERO;
        let mut i = 0;
        while i < T::BITS / LANE {
            ones = ones.or(T::from_u64(1).shl(i * LANE));
            i += 1;
        }
        ones
    }
}

impl<T: Bits, const LANE: u32> Lanes for Packed<T, LANE> {
    const LANES: usize = (T::BITS / LANE) as usize;
    const MAX: u32 = (1 << LANE) - 1;
    const EMPTY: Self = Self(T::ZERO);

    #[inline(always)]
    fn get(self, i: usize) -> u32 {
        self.0.shr(i as u32 * LANE).low() as u32 & Self::MAX
    }
    #[inline(always)]
    fn plus(self, i: usize, seeds: u32) -> Self {
        Self(
            self.0
                .add(T::from_u64(u64::from(seeds)).shl(i as u32 * LANE)),
        )
    }
    #[inline(always)]
    fn minus(self, i: usize, seeds: u32) -> Self {
        Self(
            self.0
                .sub(T::from_u64(u64::from(seeds)).shl(i as u32 * LANE)),
        )
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0.add(other.0))
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(self.0.and(other.0))
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(self.0.or(other.0))
    }
    fn mask(from: usize, to: usize) -> Self {
        let below = |lane: usize| {
            let bits = lane as u32 * LANE;
            if bits >= T::BITS {
                T::ZERO.not()
            } else {
                T::from_u64(1).shl(bits).sub(T::from_u64(1))
            }
        };
        Self(below(to).and(below(from).not()))
    }
    #[inline(always)]
    fn up(self, by: usize) -> Self {
        Self(self.0.shl(by as u32 * LANE))
    }
    #[inline(always)]
    fn down(self, by: usize) -> Self {
        Self(self.0.shr(by as u32 * LANE))
    }
    #[inline(always)]
    fn prefix_sums(self) -> Self {
        Self(self.0.mul(Self::ones()))
    }
    #[inline(always)]
    fn first(self) -> usize {
        (self.0.trailing_zeros() / LANE) as usize
    }
}
