//! Owns: numbering the ways to place seeds on one ring, and walking them in order.
//!
//! With prefix sums s₀ ≤ s₁ ≤ … of the pits, the numbers sᵢ + i are a combination, and its place in
//! colexicographic order is Σ C(sᵢ + i, i + 1) (the combinatorial number system; D. E. Knuth, TAOCP
//! 4A, 7.2.1.3). One multiplication gives all prefix sums, so a rank is a few table reads and does
//! not depend on the total. In that order the next way is found from the lowest occupied pit.

use crate::board::Lanes;
use num_bigint::BigUint;
use std::marker::PhantomData;

/// Ranks of the ways to place up to some number of seeds on a ring.
#[derive(Clone, Debug)]
pub struct RingIndex<W> {
    pits: usize,
    /// C(s + i, i + 1) at `[i / 3][i % 3][s]`, in threes for [`RingIndex::rank`]; those past the ring are
    /// 0. As long as a byte counts, so that no access needs a check.
    terms: Vec<[[u64; 256]; 3]>,
    /// Ways to place `s` seeds.
    ways: Vec<u64>,
    lanes: PhantomData<W>,
}

/// C(n, k), exactly.
pub fn binomial(n: u64, k: u64) -> BigUint {
    (1..=k).fold(BigUint::from(1u8), |product, i| product * (n + i - k) / i)
}

/// Ways to place `seeds` seeds in `pits` pits (at least one), exactly.
pub fn ways(seeds: u64, pits: u64) -> BigUint {
    binomial(seeds + pits - 1, pits - 1)
}

impl<W: Lanes> RingIndex<W> {
    /// Tables for rings of `pits` pits and up to `most` seeds; `None` when a rank would not fit 64
    /// bits.
    pub fn new(pits: usize, most: u32) -> Option<Self> {
        let most = u64::from(most);
        let fit = |number: BigUint| u64::try_from(number).ok();
        let ways = (0..=most)
            .map(|seeds| fit(ways(seeds, pits as u64)))
            .collect::<Option<Vec<u64>>>()?;
        let mut terms = vec![[[0u64; 256]; 3]; (pits - 1).div_ceil(3)];
        for i in 0..pits - 1 {
            for sum in 1..=most as usize {
                // Pascal's rule; the row before the first is C(s − 1, 0).
                let before = i.checked_sub(1).map_or(1, |i| terms[i / 3][i % 3][sum]);
                let row = &mut terms[i / 3][i % 3];
                row[sum] = row[sum - 1].checked_add(before)?;
            }
        }
        Some(Self {
            pits,
            terms,
            ways,
            lanes: PhantomData,
        })
    }

    /// Ways to place `seeds` seeds.
    #[inline(always)]
    pub fn ways(&self, seeds: u32) -> u64 {
        self.ways[seeds as usize]
    }

    /// The place of `word` among all with as many seeds; lanes beyond the ring are ignored.
    #[inline(always)]
    pub fn rank(&self, word: W) -> u64 {
        let mut sums = word.prefix_sums();
        let mut rank = 0;
        // Three at a time, so that two of three shifts are fixed: half of the instructions.
        for threes in 0..self.terms.len() {
            for (i, terms) in self.terms[threes].iter().enumerate() {
                rank += terms[usize::from(sums.get(i) as u8)];
            }
            sums = sums.down(3);
        }
        rank
    }

    /// Seeds on the ring; lanes beyond it are ignored.
    #[inline(always)]
    pub fn seeds(&self, word: W) -> u32 {
        word.prefix_sums().get(self.pits - 1)
    }

    /// The way with `seeds` seeds at place `rank`, which is below [`RingIndex::ways`].
    pub fn unrank(&self, mut rank: u64, seeds: u32) -> W {
        let mut word = W::EMPTY;
        let mut sum = seeds;
        for i in (0..self.pits - 1).rev() {
            let terms = &self.terms[i / 3][i % 3][..=sum as usize];
            let below = terms.partition_point(|&term| term <= rank) as u32 - 1;
            rank -= terms[below as usize];
            word = word.plus(i + 1, sum - below);
            sum = below;
        }
        word.plus(0, sum)
    }

    /// The way after `word`, or `None` after the last.
    #[inline(always)]
    pub fn next(&self, word: W) -> Option<W> {
        let lowest = word.get(0);
        let rest = word.minus(0, lowest);
        let pit = rest.first();
        if pit >= self.pits {
            return None;
        }
        Some(rest.minus(pit, 1).plus(pit - 1, lowest + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{P64x6, P128x8, P256x8};

    fn all_in_order<W: Lanes>(pits: usize, most: u32) {
        let index = RingIndex::<W>::new(pits, most).unwrap();
        for seeds in 0..=most {
            let mut word = index.unrank(0, seeds);
            for rank in 0..index.ways(seeds) {
                assert_eq!(index.rank(word), rank);
                assert_eq!(index.unrank(rank, seeds), word);
                assert_eq!(index.seeds(word), seeds);
                let next = index.next(word);
                assert_eq!(next.is_some(), rank + 1 < index.ways(seeds));
                word = next.unwrap_or(word);
            }
        }
    }

    #[test]
    fn ranks_count_up_along_the_walk() {
        for pits in 1..=6 {
            all_in_order::<P64x6>(pits, 9);
        }
        all_in_order::<P64x6>(10, 6);
        all_in_order::<P128x8>(16, 4);
        all_in_order::<P256x8>(32, 3);
        all_in_order::<P128x8>(3, 60);
    }

    #[test]
    fn far_ranks_come_back() {
        let index = RingIndex::<P128x8>::new(16, 100).unwrap();
        for step in 0..1000u64 {
            let rank = step * (index.ways(100) / 1000);
            assert_eq!(index.rank(index.unrank(rank, 100)), rank);
        }
    }

    #[test]
    fn too_many_ways_are_noticed() {
        assert!(RingIndex::<P256x8>::new(32, 255).is_none());
        assert_eq!(ways(96, 64).to_string(), binomial(159, 63).to_string());
    }
}
