//! Owns: Bosh, one seed at a time.
//!
//! Each step cites the number of the rule that it follows. Pits are in the mover's ring order, closed
//! ones included; which pit follows which among the open ones is looked up in a table a seat.

use super::relay::{self, Course, State};
use super::{Pits, PlainBoard, PlainGame, PlainPlay, PlainTurn, seeds};
use crate::board::Direction;
use crate::game::Move;
use crate::games::{Seat, Setup};

/// Pits of the widest board.
const MAX_PITS: usize = 20;

/// The rules with their options resolved.
#[derive(Clone)]
pub(super) struct Bosh {
    columns: usize,
    skip_origin: bool,
    /// By the mover's seat, whether a pit is open.
    open: [[bool; MAX_PITS]; 2],
    /// By the mover's seat, for every pit the next open one (itself when it is the only one).
    next: [[u8; MAX_PITS]; 2],
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

impl Bosh {
    pub(super) fn new(setup: &Setup) -> Self {
        let columns = setup.columns();
        let mut open = [[false; MAX_PITS]; 2];
        let mut next = [[0; MAX_PITS]; 2];
        for seat in [Seat::South, Seat::North] {
            let mover = seat as usize;
            // Rule 5: closed pits do not exist. Each row's are counted from its owner's left.
            for pit in 0..columns {
                open[mover][pit] = setup.closed()[mover] >> pit & 1 == 0;
                open[mover][columns + pit] = setup.closed()[1 - mover] >> pit & 1 == 0;
            }
            for (pit, next) in next[mover][..2 * columns].iter_mut().enumerate() {
                let mut following = (1..=2 * columns).map(|step| (pit + step) % (2 * columns));
                let first_open = following.find(|&pit| open[mover][pit]);
                *next = first_open.unwrap_or(pit) as u8;
            }
        }
        Self {
            columns,
            skip_origin: setup.rules().get("skip-origin") == "true",
            open,
            next,
        }
    }

    fn next(&self, pit: usize, seat: Seat) -> usize {
        usize::from(self.next[seat as usize][pit])
    }

    /// Rules 1 and 2: one lap; whether a further one follows.
    fn lap(&self, sowing: &mut Sowing, seat: Seat) -> bool {
        let origin = sowing.at;
        // A pit that is alone on its ring cannot be passed over: there is no other to sow into.
        let skip = self.skip_origin && self.next(origin, seat) != origin;
        let mut hand = std::mem::take(&mut sowing.pits[origin]);
        while hand > 0 {
            sowing.at = self.next(sowing.at, seat);
            if skip && sowing.at == origin {
                continue;
            }
            sowing.pits[sowing.at] += 1;
            hand -= 1;
        }
        let next = self.next(sowing.at, seat);
        let goes_on = sowing.pits[next] > 0;
        if goes_on {
            sowing.at = next;
        }
        goes_on
    }
}

impl PlainGame for Bosh {
    fn choices(&self, pits: &Pits, seat: Seat, mut each: impl FnMut(Move)) {
        // A move names its pit by counting the mover's open ones.
        let mut among_open = 0;
        for (pit, &seeds) in pits[..self.columns].iter().enumerate() {
            if !self.open[seat as usize][pit] {
                continue;
            }
            // Rule 1.
            if seeds > 0 {
                each(Move::sow(among_open, Direction::Ccw));
            }
            among_open += 1;
        }
    }

    fn play(&self, pits: &Pits, seat: Seat, choice: Move) -> PlainPlay {
        let is_open = |pit: &usize| self.open[seat as usize][*pit];
        let pit = (0..self.columns).filter(is_open).nth(choice.pit());
        let start = Sowing {
            pits: *pits,
            at: pit.expect("a move names an open pit"),
        };
        let (mut sowing, laps) = match relay::run(start, |sowing| self.lap(sowing, seat)) {
            Course::Ended { state, laps } => (state, laps),
            Course::Endless { period } => return PlainPlay::Endless { period },
        };
        // Rule 3: what lies beyond the empty pit is taken, on either side.
        let empty = self.next(sowing.at, seat);
        let beyond = self.next(empty, seat);
        let captured = u32::from(std::mem::take(&mut sowing.pits[beyond]));
        PlainPlay::Done {
            board: self.turned(&PlainBoard { pits: sowing.pits }),
            captured,
            again: false,
            laps,
        }
    }

    fn stuck(&self, board: &PlainBoard, _: impl FnOnce(&PlainBoard) -> bool) -> PlainTurn {
        // Rule 4: all seeds left go to the opponent.
        PlainTurn::Over {
            margin: -(board.seeds() as i32),
        }
    }

    fn half(&self) -> usize {
        self.columns
    }
}
