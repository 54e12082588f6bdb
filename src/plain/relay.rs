//! Owns: running the laps of a move to their end, or proving that they have none.
//!
//! A lap depends on nothing but the state before it, so laps go on for ever exactly when a state
//! comes up twice. Two things are looked for. A marked early state that comes up again is a cycle
//! seen whole; as sowing without a capture can be undone, nearly every endless move has been on its
//! cycle from the first. For one that has not there are Floyd's tortoise and hare: one copy of the
//! state takes two laps for every lap of another; on a cycle they must meet, wherever it began. No
//! cap on laps is needed, and three states of memory. (The fast rules look for cycles in another
//! way.)

/// Laps run before looking for a cycle. Nearly every move is over by then, and a cycle that begins
/// earlier is still found, as it has no end.
const HEAD_START: u64 = 32;

/// A move under way, between two laps. States are compared often, so what tells most of them apart
/// (where the next lap begins) should be their first field.
pub(super) trait State: Copy + PartialEq {
    /// Seeds on the board and in the hand; no lap changes them.
    fn seeds(&self) -> u32;
}

/// How the laps of a move went.
pub(super) enum Course<S> {
    /// They came to an end.
    Ended {
        /// The state that the last lap left.
        state: S,
        /// How many there were.
        laps: u64,
    },
    /// They never end.
    Endless {
        /// Laps from a state to the same state.
        period: u64,
    },
}

/// Runs `lap`, which says whether a further lap follows, from `state` on.
pub(super) fn run<S: State>(mut state: S, lap: impl Fn(&mut S) -> bool) -> Course<S> {
    let seeds = state.seeds();
    let lap = |state: &mut S| {
        let goes_on = lap(state);
        debug_assert_eq!(state.seeds(), seeds, "a lap makes or loses no seed");
        goes_on
    };
    let mut laps = 0;
    while laps < HEAD_START {
        laps += 1;
        if !lap(&mut state) {
            return Course::Ended { state, laps };
        }
    }
    let mark = state;
    let mut tortoise = state;
    loop {
        for _ in 0..2 {
            laps += 1;
            if !lap(&mut state) {
                return Course::Ended { state, laps };
            }
            if state == mark {
                return Course::Endless {
                    period: laps - HEAD_START,
                };
            }
        }
        lap(&mut tortoise);
        if tortoise == state {
            return Course::Endless {
                period: period(state, lap),
            };
        }
    }
}

/// Laps that lead from a state on a cycle back to it.
fn period<S: Copy + PartialEq>(start: S, lap: impl Fn(&mut S) -> bool) -> u64 {
    let mut state = start;
    let mut laps = 0;
    loop {
        lap(&mut state);
        laps += 1;
        if state == start {
            return laps;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl State for u64 {
        fn seeds(&self) -> u32 {
            0
        }
    }

    /// Counts up to `top`, then falls back to `loop_to`; stops for good at `stop`.
    fn course(top: u64, loop_to: u64, stop: Option<u64>) -> Course<u64> {
        run(0, |state| {
            *state = if *state == top { loop_to } else { *state + 1 };
            Some(*state) != stop
        })
    }

    #[test]
    fn periods_are_exact_wherever_the_cycle_begins() {
        for top in 0..150 {
            for loop_to in 0..=top {
                match course(top, loop_to, None) {
                    Course::Endless { period } => assert_eq!(period, top - loop_to + 1),
                    Course::Ended { .. } => panic!("ended"),
                }
            }
        }
    }

    #[test]
    fn an_end_is_found_at_its_lap() {
        for stop in 1..200 {
            match course(1000, 0, Some(stop)) {
                Course::Ended { state, laps } => assert_eq!((state, laps), (stop, stop)),
                Course::Endless { .. } => panic!("endless"),
            }
        }
    }
}
