//! Owns: telling an endless relay from a long one, exactly and in bounded memory.
//!
//! A relay is a walk on a finite set of states, each fixing the next, so it never ends iff a state
//! comes again. Method: R. P. Brent, "An improved Monte Carlo factorization algorithm", BIT 20
//! (1980): one remembered state, renewed at powers of two.
//!
//! Cycles are few and long and entered from many positions (Bosh with 24 seeds: one move in 400 never
//! ends, by a cycle of 8,600 laps on average, which would be nine tenths of all laps; the example `relays`
//! counts them). So some states
//! of every cycle found are kept with its period, and a later relay ends at the first of them.

use ahash::RandomState;
use dashmap::DashMap;
use std::hash::Hash;

/// Laps before anything is watched. Most relays are shorter and never pay for it; it only delays the
/// answer, it does not bound it.
const QUIET: u64 = 32;

/// One state in so many is a landmark, looked up and kept.
const SPACING: u64 = 64;

/// Most landmarks kept: beyond it cycles are still found, only each time anew.
const MOST_LANDMARKS: usize = 1 << 20;

/// States known to lie on cycles, with the periods in laps. Shared by all threads that play a game;
/// what it knows changes how fast an answer comes, never the answer.
#[derive(Clone, Debug)]
pub struct Cycles<S: Eq + Hash> {
    landmarks: DashMap<S, u64, RandomState>,
    hasher: RandomState,
}

impl<S: Copy + Eq + Hash> Default for Cycles<S> {
    fn default() -> Self {
        // Which states are landmarks must not differ between runs, so that runs can be compared.
        let hasher = RandomState::with_seeds(1, 2, 3, 4);
        Self {
            landmarks: DashMap::with_hasher(hasher.clone()),
            hasher,
        }
    }
}

impl<S: Copy + Eq + Hash> Cycles<S> {
    /// Watches one relay.
    #[inline(always)]
    pub fn watch(&self) -> CycleDetector<'_, S> {
        CycleDetector {
            cycles: self,
            laps: 0,
            watch: None,
        }
    }
}

/// Watches the states of a relay, one a lap.
#[derive(Debug)]
pub struct CycleDetector<'a, S: Eq + Hash> {
    cycles: &'a Cycles<S>,
    laps: u64,
    watch: Option<Box<Watch<S>>>,
}

/// Brent's memory, made only for relays that outlast the quiet laps.
#[derive(Debug)]
struct Watch<S> {
    remembered: S,
    since: u64,
    power: u64,
    landmarks: Vec<S>,
}

impl<S: Copy + Eq + Hash> CycleDetector<'_, S> {
    /// Takes the state after a lap; the period in laps when it proves the relay endless.
    #[inline(always)]
    pub fn step(&mut self, state: S) -> Option<u64> {
        self.laps += 1;
        if self.laps < QUIET {
            return None;
        }
        self.look(state)
    }

    #[cold]
    #[inline(never)]
    fn look(&mut self, state: S) -> Option<u64> {
        let is_landmark = self.cycles.hasher.hash_one(state).is_multiple_of(SPACING);
        if is_landmark && let Some(period) = self.cycles.landmarks.get(&state) {
            return Some(*period);
        }
        let watch = self.watch.get_or_insert_with(|| {
            Box::new(Watch {
                remembered: state,
                since: 0,
                power: QUIET,
                landmarks: Vec::new(),
            })
        });
        if self.laps == QUIET {
            return None;
        }
        watch.since += 1;
        if is_landmark {
            watch.landmarks.push(state);
        }
        if state == watch.remembered {
            // All states since the remembered one are the cycle.
            if self.cycles.landmarks.len() < MOST_LANDMARKS {
                for &landmark in &watch.landmarks {
                    self.cycles.landmarks.insert(landmark, watch.since);
                }
            }
            return Some(watch.since);
        }
        if watch.since == watch.power {
            watch.remembered = state;
            watch.since = 0;
            watch.power *= 2;
            watch.landmarks.clear();
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The laps until a walk along a tail into a loop is told endless, and the period told.
    fn walk(cycles: &Cycles<(u64, u64)>, tail: u64, period: u64) -> (u64, u64) {
        let mut detector = cycles.watch();
        let mut at = 0;
        let mut laps = 0;
        loop {
            at = if at + 1 == tail + period {
                tail
            } else {
                at + 1
            };
            laps += 1;
            // States are counted from the loop's beginning, so that other tails lead to the same.
            if let Some(found) = detector.step((at.wrapping_sub(tail), period)) {
                return (laps, found);
            }
        }
    }

    #[test]
    fn finds_the_period_of_every_tail_and_loop_the_first_time_and_again() {
        let cycles = Cycles::default();
        for tail in [0u64, 1, 5, 31, 32, 33, 100, 1000] {
            for period in [1u64, 2, 7, 64, 98, 743, 5000] {
                assert_eq!(walk(&cycles, tail, period).1, period, "tail {tail}");
            }
        }
    }

    #[test]
    fn a_known_cycle_is_recognised_without_going_round() {
        let cycles = Cycles::default();
        assert!(walk(&cycles, 3, 100_000).0 > 100_000);
        assert!(walk(&cycles, 500, 100_000).0 < 10_000);
    }

    #[test]
    fn says_nothing_of_a_walk_that_never_repeats() {
        let cycles = Cycles::default();
        let mut detector = cycles.watch();
        assert!((0..100_000u64).all(|state| detector.step(state).is_none()));
    }
}
