//! Owns: telling an endless relay from a long one, exactly and in constant memory.
//!
//! A relay is a walk on a finite set of states, each fixing the next, so it never ends iff a state
//! comes again. Method: R. P. Brent, "An improved Monte Carlo factorization algorithm", BIT 20
//! (1980): one remembered state, renewed at powers of two.

/// Watches the states of a relay, one a lap.
#[derive(Clone, Copy, Debug)]
pub struct CycleDetector<S> {
    remembered: Option<S>,
    since: u64,
    power: u64,
}

/// Laps before the first state is remembered. Most relays are shorter and never pay for a
/// comparison; it only delays the answer, it does not bound it.
const QUIET: u64 = 32;

impl<S: Copy + Eq> CycleDetector<S> {
    /// A detector that has seen nothing.
    #[inline(always)]
    pub fn new() -> Self {
        Self {
            remembered: None,
            since: 0,
            power: QUIET,
        }
    }

    /// Takes the state after a lap; the period in laps when it proves the relay endless.
    #[inline(always)]
    pub fn step(&mut self, state: S) -> Option<u64> {
        self.since += 1;
        if self.power > QUIET && self.remembered == Some(state) {
            return Some(self.since);
        }
        if self.since == self.power {
            self.remembered = Some(state);
            self.since = 0;
            self.power *= 2;
        }
        None
    }
}

impl<S: Copy + Eq> Default for CycleDetector<S> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_period_of_every_tail_and_loop() {
        for tail in [0u64, 1, 5, 31, 32, 33, 100, 1000] {
            for period in [1u64, 2, 7, 64, 98, 743, 5000] {
                let mut detector = CycleDetector::new();
                let mut at = 0;
                let found = loop {
                    at = if at + 1 == tail + period {
                        tail
                    } else {
                        at + 1
                    };
                    if let Some(found) = detector.step(at) {
                        break found;
                    }
                };
                assert_eq!(found, period, "tail {tail}");
            }
        }
    }

    #[test]
    fn says_nothing_of_a_walk_that_never_repeats() {
        let mut detector = CycleDetector::new();
        assert!((0..100_000u64).all(|state| detector.step(state).is_none()));
    }
}
