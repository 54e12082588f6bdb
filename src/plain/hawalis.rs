//! Owns: Hawalis, one seed at a time.
//!
//! Each step cites the number of the rule that it follows. Pits 0 to 2W-1 are the mover's ring (outer
//! row, then inner row), the 2W after them the opponent's ring in the opponent's order.

use super::relay::{self, Course, State};
use super::{Pits, PlainBoard, PlainGame, PlainPlay, PlainTurn, seeds};
use crate::board::Direction;
use crate::game::Move;
use crate::games::{Seat, Setup};

/// The rules with their options resolved.
#[derive(Clone)]
pub(super) struct Hawalis {
    columns: usize,
    back_row_free: bool,
}

/// A move under way.
#[derive(Clone, Copy, PartialEq)]
struct Sowing {
    /// The pit to be lifted next; once the move is over, the pit of the last seed.
    at: usize,
    pits: Pits,
}

impl State for Sowing {
    fn seeds(&self) -> u32 {
        seeds(&self.pits)
    }
}

impl Hawalis {
    pub(super) fn new(setup: &Setup) -> Self {
        Self {
            columns: setup.columns(),
            back_row_free: setup.rules().get("back-row") == "free",
        }
    }

    fn next(&self, pit: usize) -> usize {
        if pit + 1 == 2 * self.columns {
            0
        } else {
            pit + 1
        }
    }

    /// Rule 2: one lap; whether a further one follows.
    fn lap(&self, sowing: &mut Sowing) -> bool {
        let hand = std::mem::take(&mut sowing.pits[sowing.at]);
        for _ in 0..hand {
            sowing.at = self.next(sowing.at);
            sowing.pits[sowing.at] += 1;
        }
        // Occupied before the last seed fell into it.
        sowing.pits[sowing.at] > 1
    }

    /// Rule 3: takes what the last seed, in the empty pit `landing`, captures.
    fn capture(&self, pits: &mut Pits, landing: usize) -> u32 {
        let w = self.columns;
        if landing < w {
            return 0;
        }
        // The mover's inner pit W+k faces the opponent's inner pit 2W-1-k, behind which is their k.
        let k = landing - w;
        let (inner, outer) = (2 * w + (2 * w - 1 - k), 2 * w + k);
        if pits[inner] == 0 && !self.back_row_free {
            return 0;
        }
        let inner = std::mem::take(&mut pits[inner]);
        let outer = std::mem::take(&mut pits[outer]);
        u32::from(inner) + u32::from(outer)
    }
}

impl PlainGame for Hawalis {
    fn choices(&self, pits: &Pits, _: Seat, mut each: impl FnMut(Move)) {
        // Rule 1.
        let own = &pits[..2 * self.columns];
        let only_singletons = own.iter().all(|&seeds| seeds < 2);
        for (pit, &seeds) in own.iter().enumerate() {
            let singleton_can = only_singletons && seeds == 1 && pits[self.next(pit)] == 0;
            if seeds >= 2 || singleton_can {
                each(Move::sow(pit, Direction::Ccw));
            }
        }
    }

    fn play(&self, pits: &Pits, _: Seat, choice: Move) -> PlainPlay {
        let start = Sowing {
            pits: *pits,
            at: choice.pit(),
        };
        let (mut sowing, laps) = match relay::run(start, |sowing| self.lap(sowing)) {
            Course::Ended { state, laps } => (state, laps),
            Course::Endless { period } => return PlainPlay::Endless { period },
        };
        let captured = self.capture(&mut sowing.pits, sowing.at);
        PlainPlay::Done {
            board: self.turned(&PlainBoard { pits: sowing.pits }),
            captured,
            again: false,
            laps,
        }
    }

    fn stuck(&self, _: &PlainBoard, _: impl FnOnce(&PlainBoard) -> bool) -> PlainTurn {
        // Rule 4.
        PlainTurn::Over { margin: -1 }
    }

    fn half(&self) -> usize {
        2 * self.columns
    }
}
