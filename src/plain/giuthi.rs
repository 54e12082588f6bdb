//! Owns: Giuthi, one seed at a time.
//!
//! Each step cites the number of the rule that it follows. Pits are in the mover's ring order: own
//! row 0 to W-1, the opponent's row W to 2W-1.

use super::relay::{self, Course, State};
use super::{Pits, PlainBoard, PlainGame, PlainPlay, PlainTurn, seeds};
use crate::board::Direction;
use crate::game::Move;
use crate::games::{Seat, Setup};

/// How far a capture reaches beyond the first pit (`chain`).
#[derive(Clone, Copy)]
enum Chain {
    All,
    Occupied,
    Next,
    Off,
}

/// The rules with their options resolved.
#[derive(Clone)]
pub(super) struct Giuthi {
    columns: usize,
    skip_origin: bool,
    capture_when_opposite_empty: bool,
    chain: Chain,
    as_numbered: bool,
}

/// A move under way.
#[derive(Clone, Copy, PartialEq)]
struct Sowing {
    /// The pit to be lifted next; once the move is over, the pit of the last seed.
    at: usize,
    direction: Direction,
    /// Whether a seed of this move fell on the opponent's side.
    crossed: bool,
    pits: Pits,
}

impl State for Sowing {
    fn seeds(&self) -> u32 {
        seeds(&self.pits)
    }
}

impl Giuthi {
    pub(super) fn new(setup: &Setup) -> Self {
        let rules = setup.rules();
        Self {
            columns: setup.columns(),
            skip_origin: rules.get("skip-origin") == "true",
            capture_when_opposite_empty: rules.get("empty-opposite") == "capture",
            chain: match rules.get("chain") {
                "all" => Chain::All,
                "occupied" => Chain::Occupied,
                "next" => Chain::Next,
                "off" => Chain::Off,
                other => unreachable!("chain={other}"),
            },
            as_numbered: rules.get("ring") == "as-numbered",
        }
    }

    fn neighbour(&self, pit: usize, direction: Direction) -> usize {
        let last = 2 * self.columns - 1;
        match direction {
            Direction::Ccw if pit == last => 0,
            Direction::Ccw => pit + 1,
            Direction::Cw if pit == 0 => last,
            Direction::Cw => pit - 1,
        }
    }

    fn opposite(&self, own: usize) -> usize {
        if self.as_numbered {
            own + self.columns
        } else {
            2 * self.columns - 1 - own
        }
    }

    /// Rule 2: one lap; whether a further one follows.
    fn lap(&self, sowing: &mut Sowing) -> bool {
        let origin = sowing.at;
        let mut hand = std::mem::take(&mut sowing.pits[origin]);
        while hand > 0 {
            sowing.at = self.neighbour(sowing.at, sowing.direction);
            // A ring has two pits at least, so there is always another one to sow into.
            if self.skip_origin && sowing.at == origin {
                continue;
            }
            sowing.pits[sowing.at] += 1;
            sowing.crossed |= sowing.at >= self.columns;
            hand -= 1;
        }
        let was_occupied = sowing.pits[sowing.at] > 1;
        if was_occupied {
            sowing.direction = match sowing.direction {
                Direction::Ccw => Direction::Cw,
                Direction::Cw => Direction::Ccw,
            };
        }
        was_occupied
    }

    /// Rule 5: takes what the last seed, in an empty own pit after a crossing, captures.
    fn capture(&self, sowing: &mut Sowing) -> u32 {
        let pits = &mut sowing.pits;
        if pits[self.opposite(sowing.at)] == 0 && !self.capture_when_opposite_empty {
            return 0;
        }
        let mut taken = u32::from(std::mem::take(&mut pits[sowing.at]));
        taken += u32::from(std::mem::take(&mut pits[self.opposite(sowing.at)]));
        let mut left = match self.chain {
            Chain::Off => 0,
            Chain::Next => 1,
            Chain::All | Chain::Occupied => self.columns,
        };
        let mut own = sowing.at;
        while left > 0 {
            own = self.neighbour(own, sowing.direction);
            let row_ends = own >= self.columns;
            if row_ends || pits[own] > 0 {
                break;
            }
            let opposite = self.opposite(own);
            if matches!(self.chain, Chain::Occupied) && pits[opposite] == 0 {
                break;
            }
            taken += u32::from(std::mem::take(&mut pits[opposite]));
            left -= 1;
        }
        taken
    }
}

impl PlainGame for Giuthi {
    fn choices(&self, pits: &Pits, _: Seat, mut each: impl FnMut(Move)) {
        for (pit, &seeds) in pits[..self.columns].iter().enumerate() {
            // Rule 1.
            if seeds >= 2 {
                each(Move::sow(pit, Direction::Ccw));
                each(Move::sow(pit, Direction::Cw));
            }
        }
    }

    fn play(&self, pits: &Pits, _: Seat, choice: Move) -> PlainPlay {
        let start = Sowing {
            pits: *pits,
            at: choice.pit(),
            direction: choice.direction(),
            crossed: false,
        };
        let (mut sowing, laps) = match relay::run(start, |sowing| self.lap(sowing)) {
            Course::Ended { state, laps } => (state, laps),
            Course::Endless { period } => return PlainPlay::Endless { period },
        };
        let own_pit = sowing.at < self.columns;
        let (captured, again) = match (own_pit, sowing.crossed) {
            (false, _) => (0, false),                           // Rule 3.
            (true, false) => (0, true),                         // Rule 4.
            (true, true) => (self.capture(&mut sowing), false), // Rule 5.
        };
        let board = PlainBoard { pits: sowing.pits };
        PlainPlay::Done {
            board: if again { board } else { self.turned(&board) },
            captured,
            again,
            laps,
        }
    }

    fn stuck(
        &self,
        board: &PlainBoard,
        opponent_can_move: impl FnOnce(&PlainBoard) -> bool,
    ) -> PlainTurn {
        // Rule 6.
        let turned = self.turned(board);
        if opponent_can_move(&turned) {
            return PlainTurn::Pass(turned);
        }
        // Rules 6 and 7: each owns the seeds of their own row.
        let row = |from: usize| -> i32 {
            board.pits[from..from + self.columns]
                .iter()
                .map(|&seeds| i32::from(seeds))
                .sum()
        };
        PlainTurn::Over {
            margin: row(0) - row(self.columns),
        }
    }

    fn half(&self) -> usize {
        self.columns
    }
}
