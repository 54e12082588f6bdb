//! Owns: Hus, one seed at a time.
//!
//! Each step cites the number of the rule that it follows. Pits 0 to 2W-1 are the mover's ring (outer
//! row, then inner row), the 2W after them the opponent's ring in the opponent's order. What a lap
//! sows is held in the hand between laps, as it may be lifted or captured.

use super::relay::{self, Course, State};
use super::{Pits, PlainBoard, PlainGame, PlainPlay, PlainTurn, seeds};
use crate::board::Direction;
use crate::game::Move;
use crate::games::{Seat, Setup};

/// The rules with their options resolved.
#[derive(Clone)]
pub(super) struct Hus {
    columns: usize,
    both_occupied: bool,
    lift_landing: bool,
}

/// A move under way.
#[derive(Clone, Copy, PartialEq)]
struct Sowing {
    /// Seeds to be sown next, the first of them into the pit after `at`.
    hand: u8,
    at: usize,
    pits: Pits,
}

impl State for Sowing {
    fn seeds(&self) -> u32 {
        seeds(&self.pits) + u32::from(self.hand)
    }
}

impl Hus {
    pub(super) fn new(setup: &Setup) -> Self {
        let rules = setup.rules();
        Self {
            columns: setup.columns(),
            both_occupied: rules.get("capture") == "both",
            lift_landing: rules.get("landing") == "lift",
        }
    }

    fn next(&self, pit: usize) -> usize {
        if pit + 1 == 2 * self.columns {
            0
        } else {
            pit + 1
        }
    }

    /// Rules 2 to 5: one lap; whether a further one follows.
    fn lap(&self, sowing: &mut Sowing) -> bool {
        for _ in 0..std::mem::take(&mut sowing.hand) {
            sowing.at = self.next(sowing.at);
            sowing.pits[sowing.at] += 1;
        }
        let was_occupied = sowing.pits[sowing.at] > 1;
        if !was_occupied {
            return false; // Rule 3.
        }
        let captured = self.capture(&mut sowing.pits, sowing.at);
        let lifted = if captured == 0 || self.lift_landing {
            std::mem::take(&mut sowing.pits[sowing.at]) // Rule 5, or landing = lift.
        } else {
            0
        };
        sowing.hand = captured + lifted;
        true
    }

    /// Rule 4: takes what the last seed, in the occupied pit `landing`, captures.
    fn capture(&self, pits: &mut Pits, landing: usize) -> u8 {
        let w = self.columns;
        if landing < w {
            return 0;
        }
        // The mover's inner pit W+k faces the opponent's inner pit 2W-1-k, behind which is their k.
        let k = landing - w;
        let (inner, outer) = (2 * w + (2 * w - 1 - k), 2 * w + k);
        if pits[inner] == 0 || (self.both_occupied && pits[outer] == 0) {
            return 0;
        }
        std::mem::take(&mut pits[inner]) + std::mem::take(&mut pits[outer])
    }
}

impl PlainGame for Hus {
    fn choices(&self, pits: &Pits, _: Seat, mut each: impl FnMut(Move)) {
        for (pit, &seeds) in pits[..2 * self.columns].iter().enumerate() {
            // Rule 2.
            if seeds >= 2 {
                each(Move::sow(pit, Direction::Ccw));
            }
        }
    }

    fn play(&self, pits: &Pits, _: Seat, choice: Move) -> PlainPlay {
        let mut start = Sowing {
            pits: *pits,
            hand: 0,
            at: choice.pit(),
        };
        start.hand = std::mem::take(&mut start.pits[start.at]);
        match relay::run(start, |sowing| self.lap(sowing)) {
            Course::Ended { state, laps } => PlainPlay::Done {
                board: self.turned(&PlainBoard { pits: state.pits }),
                // Captured seeds were sown on; none left the board.
                captured: 0,
                again: false,
                laps,
            },
            Course::Endless { period } => PlainPlay::Endless { period },
        }
    }

    fn stuck(&self, _: &PlainBoard, _: impl FnOnce(&PlainBoard) -> bool) -> PlainTurn {
        // Rule 6.
        PlainTurn::Over { margin: -1 }
    }

    fn half(&self) -> usize {
        2 * self.columns
    }
}
