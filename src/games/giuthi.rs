//! Owns: the rules of Giuthi (RULES, "Giuthi").
//!
//! The whole board is one ring, so every lap is one addition to one word; whether a seed of the move
//! fell on the opponent's side is read off the size of the hand, not followed pit by pit.

use super::rules::{ENDLESS, RuleOption};
use super::{Rules, Setup};
use crate::board::{Board, Cycles, Direction, Lanes, Layering, OneRing, Ring, Shape};
use crate::game::{Candidates, Game, LeftRight, Move, Play, Played, Turn};

pub(super) const OPTIONS: &[RuleOption] = &[
    ENDLESS,
    RuleOption {
        name: "skip-origin",
        values: &["false", "true"],
        about: "a lap passes over the pit it was lifted from (Pratt)",
    },
    RuleOption {
        name: "empty-opposite",
        values: &["capture", "none"],
        about: "whether landing opposite an empty pit captures at all (none: Pratt, Russ)",
    },
    RuleOption {
        name: "chain",
        values: &["all", "occupied", "next", "off"],
        about: "how far the run of captures goes on (occupied: Russ; next: Leakey)",
    },
    RuleOption {
        name: "ring",
        values: &["board", "as-numbered"],
        about: "as-numbered: both rows are sown left to right as printed",
    },
];

/// Widest board.
pub(super) const MOST_COLUMNS: usize = 10;

/// How far a run of captures goes on after the first pit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Chain {
    All,
    Occupied,
    Next,
    Off,
}

/// Giuthi on a board of some width.
#[derive(Clone, Debug)]
pub struct Giuthi<W: Lanes> {
    columns: usize,
    ring: Ring<W>,
    /// By direction of the lap and pit: the largest hand that stays on the own side.
    stays: [[u32; 2 * MOST_COLUMNS]; 2],
    two_or_more: W,
    opposite: Vec<usize>,
    empty_opposite_captures: bool,
    chain: Chain,
    endless_draws: bool,
    cycles: Cycles<(W, usize, Direction)>,
}

impl<W: Lanes> Giuthi<W> {
    /// The rules that a setup resolves to.
    pub fn new(setup: &Setup) -> Self {
        let (columns, rules): (usize, &Rules) = (setup.columns(), setup.rules());
        let pits = 2 * columns;
        let as_numbered = rules.get("ring") == "as-numbered";
        Self {
            columns,
            ring: Ring::new(pits, rules.get("skip-origin") == "true"),
            stays: [
                std::array::from_fn(|pit| (columns as u32).saturating_sub(1 + pit as u32)),
                std::array::from_fn(|pit| pit as u32),
            ],
            two_or_more: W::two_or_more_mask(columns),
            opposite: (0..columns)
                .map(|pit| {
                    if as_numbered {
                        pit + columns
                    } else {
                        pits - 1 - pit
                    }
                })
                .collect(),
            empty_opposite_captures: rules.get("empty-opposite") == "capture",
            chain: match rules.get("chain") {
                "occupied" => Chain::Occupied,
                "next" => Chain::Next,
                "off" => Chain::Off,
                _ => Chain::All,
            },
            endless_draws: rules.get(ENDLESS.name) == "draw",
            cycles: Cycles::default(),
        }
    }

    /// Takes the last seed at `at`, what lies opposite, and the run beyond it.
    fn capture(&self, mut word: W, at: usize, direction: Direction) -> (W, u32) {
        let first = word.get(self.opposite[at]);
        if first == 0 && !self.empty_opposite_captures {
            return (word, 0);
        }
        word = word.minus(at, 1).minus(self.opposite[at], first);
        let mut captured = 1 + first;
        let mut further = match self.chain {
            Chain::All | Chain::Occupied => self.columns,
            Chain::Next => 1,
            Chain::Off => 0,
        };
        let mut pit = at;
        while further > 0 {
            further -= 1;
            pit = match direction {
                Direction::Ccw => pit + 1,
                Direction::Cw => pit.wrapping_sub(1),
            };
            if pit >= self.columns || word.get(pit) > 0 {
                break;
            }
            let seeds = word.get(self.opposite[pit]);
            if seeds == 0 && self.chain == Chain::Occupied {
                break;
            }
            word = word.minus(self.opposite[pit], seeds);
            captured += seeds;
        }
        (word, captured)
    }
}

impl<W: Lanes> Game for Giuthi<W> {
    type Board = OneRing<W>;
    type Mirror = LeftRight;
    const SCORED: bool = true;

    fn shape(&self) -> Shape {
        Shape {
            pits: self.ring.pits(),
            seats: 1,
            layering: Layering::Total,
        }
    }

    #[inline(always)]
    fn candidates(&self, board: OneRing<W>) -> Candidates {
        let mut moves = 0u64;
        board
            .0
            .and(self.two_or_more)
            .each_occupied(|pit| moves |= 0b11 << (2 * pit));
        Candidates(moves)
    }

    #[inline(always)]
    fn play(&self, board: OneRing<W>, choice: Move) -> Play<OneRing<W>> {
        let mut word = board.0;
        let mut pit = choice.pit();
        let mut direction = choice.direction();
        let mut crossed = false;
        let mut cycle = self.cycles.watch();
        let mut laps = 0;
        loop {
            let hand = word.get(pit);
            // A relay from the opponent's side has been there already.
            crossed |= hand > self.stays[direction as usize][pit];
            (word, pit) = self.ring.lap(word, pit, hand, direction);
            laps += 1;
            if word.get(pit) == 1 {
                break;
            }
            direction = direction.reversed();
            if let Some(period) = cycle.step((word, pit, direction)) {
                return Play::Endless { period };
            }
        }
        if pit >= self.columns {
            let board = OneRing(self.ring.rotate(word, self.columns));
            return Play::Done(Played {
                board,
                captured: 0,
                again: false,
                laps,
            });
        }
        if !crossed {
            let board = OneRing(word);
            return Play::Done(Played {
                board,
                captured: 0,
                again: true,
                laps,
            });
        }
        let (word, captured) = self.capture(word, pit, direction);
        let board = OneRing(self.ring.rotate(word, self.columns));
        Play::Done(Played {
            board,
            captured,
            again: false,
            laps,
        })
    }

    #[cold]
    fn stuck(&self, board: OneRing<W>) -> Turn<OneRing<W>> {
        let turned = OneRing(self.ring.rotate(board.0, self.columns));
        if self.can_move(turned) {
            return Turn::Pass(turned);
        }
        let row =
            |from: usize| (from..from + self.columns).map(|pit| board.ring(0).get(pit) as i32);
        Turn::Over {
            margin: row(0).sum::<i32>() - row(self.columns).sum::<i32>(),
        }
    }

    fn endless_draws(&self) -> bool {
        self.endless_draws
    }

    fn two_way(&self) -> bool {
        true
    }
}
