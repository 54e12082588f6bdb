//! Owns: sowing on a ring of pits in O(1) a lap.
//!
//! What a lap changes depends only on the pit lifted and the seeds in hand: minus the hand there, plus
//! whole rounds and a run of single seeds. That difference is tabulated, so a lap is one table read
//! and one addition whatever its length. Leaving out the origin (`skip-origin`) is the same table
//! with other entries.

use super::packed::Lanes;

/// The direction of a lap: counter-clockwise ascends in ring order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Direction {
    /// Ascending ring order, written `+`.
    Ccw,
    /// Descending ring order, written `-`.
    Cw,
}

impl Direction {
    /// The other direction.
    #[inline(always)]
    pub fn reversed(self) -> Self {
        match self {
            Self::Ccw => Self::Cw,
            Self::Cw => Self::Ccw,
        }
    }
}

/// What a lap from a given pit with a given hand changes.
#[derive(Clone, Copy, Debug)]
struct Lap<W> {
    /// To be added to the board; the hand is already taken off, so that it may wrap below zero.
    difference: W,
    last: u8,
    /// The pit after it in the same direction.
    past: u8,
}

/// A closed path of pits and the tables for sowing on it.
#[derive(Clone, Debug)]
pub struct Ring<W> {
    pits: usize,
    full: W,
    /// By direction, origin and hand; as long as a byte counts, so that a hand needs no check.
    laps: [Vec<[Lap<W>; 256]>; 2],
}

impl<W: Lanes> Ring<W> {
    /// A ring of `pits` pits (1 to [`Lanes::LANES`]) for hands of up to [`Lanes::MAX`] seeds.
    ///
    /// With `skip_origin` a lap passes over the pit it started from; a ring of a single pit has no
    /// other pit to go to and is sown as if without.
    ///
    /// # Panics
    /// When the ring has no pits or more than the word has lanes.
    pub fn new(pits: usize, skip_origin: bool) -> Self {
        assert!((1..=W::LANES).contains(&pits), "a ring of {pits} pits");
        let mut ring = Self {
            pits,
            full: W::mask(0, pits),
            laps: [Vec::new(), Vec::new()],
        };
        for ccw in [true, false] {
            let first: [Lap<W>; 256] = std::array::from_fn(|hand| {
                // A hand that no lane holds is never sown.
                let hand = if hand > W::MAX as usize { 0 } else { hand };
                Self::lap_from_first(pits, skip_origin && pits > 1, hand, ccw)
            });
            ring.laps[usize::from(!ccw)] = (0..pits).map(|pit| ring.moved(&first, pit)).collect();
        }
        ring
    }

    /// The laps from `origin`, from those of pit 0; their differences leave out the hand until here.
    fn moved(&self, first: &[Lap<W>; 256], origin: usize) -> [Lap<W>; 256] {
        std::array::from_fn(|hand| {
            let lap = first[hand];
            let sown = self.rotate(lap.difference, origin);
            let lifted = if hand > W::MAX as usize {
                0
            } else {
                hand as u32
            };
            let moved = |pit: u8| ((usize::from(pit) + origin) % self.pits) as u8;
            Lap {
                difference: sown.minus(origin, lifted),
                last: moved(lap.last),
                past: moved(lap.past),
            }
        })
    }

    /// The seeds sown by a lap from pit 0.
    fn lap_from_first(pits: usize, skip_origin: bool, hand: usize, ccw: bool) -> Lap<W> {
        let round = if skip_origin { pits - 1 } else { pits };
        let mut sown = W::EMPTY;
        for step in 1..=round {
            let pit = if ccw { step % pits } else { pits - step };
            let seeds = hand / round + usize::from(step <= hand % round);
            sown = sown.plus(pit, seeds as u32);
        }
        let steps = if hand == 0 { 0 } else { (hand - 1) % round + 1 };
        let last = if ccw {
            steps % pits
        } else {
            (pits - steps) % pits
        };
        let past = if ccw { last + 1 } else { last + pits - 1 } % pits;
        Lap {
            difference: sown,
            last: last as u8,
            past: past as u8,
        }
    }

    /// Number of pits.
    #[inline(always)]
    pub fn pits(&self) -> usize {
        self.pits
    }

    /// All bits of the ring's lanes.
    #[inline(always)]
    pub fn full(&self) -> W {
        self.full
    }

    /// Turns the ring so that pit `i` becomes pit `i + by`; `by` is below the number of pits.
    #[inline(always)]
    pub fn rotate(&self, word: W, by: usize) -> W {
        // Down in two steps: with `by` at zero the whole width would be shifted out, which a full
        // word does not allow.
        word.up(by)
            .or(word.down(self.pits - by - 1).down(1))
            .and(self.full)
    }

    /// Lifts all seeds of pit `origin`, which are `hand`, and sows them from the next pit on: the
    /// board after it, and the pit of the last seed.
    #[inline(always)]
    pub fn lap(&self, word: W, origin: usize, hand: u32, direction: Direction) -> (W, usize) {
        let lap = &self.laps[direction as usize][origin][usize::from(hand as u8)];
        (word.add(lap.difference), usize::from(lap.last))
    }

    /// As a counter-clockwise [`Ring::lap`], but gives the pit after that of the last seed.
    #[inline(always)]
    pub fn lap_past(&self, word: W, origin: usize, hand: u32) -> (W, usize) {
        let lap = &self.laps[Direction::Ccw as usize][origin][usize::from(hand as u8)];
        (word.add(lap.difference), usize::from(lap.past))
    }

    /// Sows `hand` seeds that come from elsewhere from the pit after `origin` on.
    #[inline(always)]
    pub fn sow(&self, word: W, origin: usize, hand: u32, direction: Direction) -> (W, usize) {
        let (word, last) = self.lap(word, origin, hand, direction);
        (word.plus(origin, hand), last)
    }

    /// The pit after `pit`, counter-clockwise.
    #[inline(always)]
    pub fn next(&self, pit: usize) -> usize {
        if pit + 1 == self.pits { 0 } else { pit + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::super::packed::{P64x6, P64x8, P128x6, P128x8, P256x8};
    use super::*;
    use proptest::prelude::*;

    /// One seed at a time, as the rules say it.
    fn sow_naively(
        pits: &mut [u8],
        origin: usize,
        hand: u32,
        direction: Direction,
        skip_origin: bool,
    ) -> usize {
        let n = pits.len();
        let mut at = origin;
        for _ in 0..hand {
            loop {
                at = match direction {
                    Direction::Ccw => (at + 1) % n,
                    Direction::Cw => (at + n - 1) % n,
                };
                if !(skip_origin && n > 1 && at == origin) {
                    break;
                }
            }
            pits[at] += 1;
        }
        at
    }

    fn every_lap_agrees<W: Lanes>(pits: usize) {
        for skip in [false, true] {
            let ring = Ring::<W>::new(pits, skip);
            for origin in 0..pits {
                for hand in 1..=W::MAX {
                    for direction in [Direction::Ccw, Direction::Cw] {
                        let mut slow = vec![0u8; pits];
                        let last = sow_naively(&mut slow, origin, hand, direction, skip);
                        let what = format!("{pits} pits, {hand} from {origin}, {direction:?}");
                        let lifted = W::EMPTY.plus(origin, hand);
                        let after = ring.lap(lifted, origin, hand, direction);
                        assert_eq!(after, (W::pack(&slow), last), "{what}");
                        let after = ring.sow(W::EMPTY, origin, hand, direction);
                        assert_eq!(after, (W::pack(&slow), last), "{what}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_lap_of_every_ring_equals_sowing_seed_by_seed() {
        for pits in 1..=10 {
            every_lap_agrees::<P64x6>(pits);
        }
        for pits in 1..=8 {
            every_lap_agrees::<P64x8>(pits);
        }
        for pits in [1, 2, 11, 16, 20, 21] {
            every_lap_agrees::<P128x6>(pits);
        }
        for pits in [1, 9, 15, 16] {
            every_lap_agrees::<P128x8>(pits);
        }
        for pits in [1, 17, 20, 31, 32] {
            every_lap_agrees::<P256x8>(pits);
        }
    }

    fn lane_operations_agree<W: Lanes>(seeds: &[u8], by: usize) {
        let word = W::pack(seeds);
        let mut back = vec![0; seeds.len()];
        word.unpack(&mut back);
        assert_eq!(back, seeds);
        assert_eq!(
            seeds.iter().position(|&s| s > 0),
            Some(word.first()).filter(|&i| i < W::LANES)
        );
        let ring = Ring::<W>::new(seeds.len(), false);
        let by = by % seeds.len();
        let mut turned = seeds.to_vec();
        turned.rotate_right(by);
        assert_eq!(ring.rotate(word, by), W::pack(&turned));
        let sums = word.prefix_sums();
        let mut sum = 0u32;
        for (i, &s) in seeds.iter().enumerate() {
            sum += u32::from(s);
            assert_eq!(sums.get(i), sum);
        }
    }

    proptest! {
        #[test]
        fn lanes_behave_like_a_vector(seeds in proptest::collection::vec(0u8..=7, 1..=32), by in 0usize..32) {
            if seeds.len() <= 8 {
                lane_operations_agree::<P64x6>(&seeds, by);
                lane_operations_agree::<P64x8>(&seeds, by);
            }
            if seeds.len() <= 9 {
                lane_operations_agree::<P128x6>(&seeds, by);
            }
            if seeds.len() <= 16 {
                lane_operations_agree::<P128x8>(&seeds, by);
            }
            lane_operations_agree::<P256x8>(&seeds, by);
        }
    }
}
