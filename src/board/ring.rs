//! Owns: sowing on a ring of pits in O(1) a lap.
//!
//! The seeds of a lap depend only on how many are in hand: whole rounds and a run of single seeds.
//! That pattern is tabulated for pit 0 and rotated to the pit lifted, so a lap costs one rotation and
//! one addition whatever its length. Leaving out the origin (`skip-origin`) is the same table with
//! another pattern.

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

#[derive(Clone, Copy, Debug)]
struct Lap<W> {
    pattern: W,
    last: usize,
}

/// A lap after sowing: what was added, and where the last seed fell.
#[derive(Clone, Copy, Debug)]
pub struct Sown<W> {
    /// Seeds added to each pit.
    pub added: W,
    /// The pit of the last seed.
    pub last: usize,
}

/// A closed path of pits and the tables for sowing on it.
#[derive(Clone, Debug)]
pub struct Ring<W> {
    pits: usize,
    full: W,
    /// By direction and hand. As long as a byte counts, so that no access needs a check.
    laps: [Box<[Lap<W>; 256]>; 2],
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
        let tabulate = |ccw: bool| {
            // A hand that no lane holds is never sown; its lap is left as that of an empty one.
            let hand = |hand: usize| if hand > W::MAX as usize { 0 } else { hand };
            Box::new(std::array::from_fn(|i| {
                Self::lap(pits, skip_origin && pits > 1, hand(i), ccw)
            }))
        };
        Self {
            pits,
            full: W::mask(0, pits),
            laps: [tabulate(true), tabulate(false)],
        }
    }

    /// The pattern of a lap from pit 0.
    fn lap(pits: usize, skip_origin: bool, hand: usize, ccw: bool) -> Lap<W> {
        let round = if skip_origin { pits - 1 } else { pits };
        let mut pattern = W::EMPTY;
        for step in 1..=round {
            let pit = if ccw { step % pits } else { pits - step };
            let seeds = hand / round + usize::from(step <= hand % round);
            pattern = pattern.plus(pit, seeds as u32);
        }
        let steps = if hand == 0 { 0 } else { (hand - 1) % round + 1 };
        let last = if ccw {
            steps % pits
        } else {
            (pits - steps) % pits
        };
        Lap { pattern, last }
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

    /// Sows `hand` seeds (at most [`Lanes::MAX`]) starting at the pit after `origin`.
    #[inline(always)]
    pub fn sow(&self, origin: usize, hand: u32, direction: Direction) -> Sown<W> {
        let lap = &self.laps[direction as usize][usize::from(hand as u8)];
        let last = lap.last + origin;
        Sown {
            added: self.rotate(lap.pattern, origin),
            last: if last >= self.pits {
                last - self.pits
            } else {
                last
            },
        }
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
                        let sown = ring.sow(origin, hand, direction);
                        let mut fast = vec![0u8; pits];
                        sown.added.unpack(&mut fast);
                        assert_eq!(
                            fast, slow,
                            "{pits} pits, {hand} from {origin}, {direction:?}"
                        );
                        assert_eq!(sown.last, last, "{pits} pits, {hand} from {origin}");
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
