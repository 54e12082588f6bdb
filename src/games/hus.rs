//! Owns: the rules of Hus (RULES, "Hus").
//!
//! Laps stay on the mover's own ring; a capture takes from the other side in the middle of a move and
//! is sown on, so the number of seeds on the board never changes.

use super::Setup;
use super::rules::{ENDLESS, RuleOption};
use crate::board::{Cycles, Direction, Lanes, Layering, Ring, Shape, TwoRings};
use crate::game::{Candidates, Game, Move, NoMirror, Play, Played, Turn};

pub(super) const OPTIONS: &[RuleOption] = &[
    ENDLESS,
    RuleOption {
        name: "capture",
        values: &["inner", "both"],
        about: "both: the outer enemy pit must be occupied as well (Vedder 1923, Schultze 1907)",
    },
    RuleOption {
        name: "landing",
        values: &["leave", "lift"],
        about: "lift: the landing pit's seeds are lifted along with the capture",
    },
];

/// Hus on a board of some width.
#[derive(Clone, Debug)]
pub struct Hus<W: Lanes> {
    columns: usize,
    ring: Ring<W>,
    two_or_more: W,
    both_occupied: bool,
    landing_lifts: bool,
    endless_draws: bool,
    cycles: Cycles<(W, W, usize)>,
}

impl<W: Lanes> Hus<W> {
    /// The rules that a setup resolves to.
    pub fn new(setup: &Setup) -> Self {
        let pits = 2 * setup.columns();
        let rules = setup.rules();
        Self {
            columns: setup.columns(),
            ring: Ring::new(pits, false),
            two_or_more: W::two_or_more_mask(pits),
            both_occupied: rules.get("capture") == "both",
            landing_lifts: rules.get("landing") == "lift",
            endless_draws: rules.get(ENDLESS.name) == "draw",
            cycles: Cycles::default(),
        }
    }

    /// The enemy pits, inner and outer, and the seeds that a last seed in own pit `pit` takes there;
    /// 0 when it takes nothing.
    #[inline(always)]
    fn prey(&self, other: W, pit: usize) -> (W, u32) {
        if pit < self.columns {
            return (other, 0);
        }
        let (inner, outer) = (3 * self.columns - 1 - pit, pit - self.columns);
        let (front, back) = (other.get(inner), other.get(outer));
        if front == 0 || (self.both_occupied && back == 0) {
            return (other, 0);
        }
        (other.minus(inner, front).minus(outer, back), front + back)
    }
}

impl<W: Lanes> Game for Hus<W> {
    type Board = TwoRings<W>;
    type Mirror = NoMirror;
    const SCORED: bool = false;

    fn shape(&self) -> Shape {
        Shape {
            pits: self.ring.pits(),
            seats: 1,
            layering: Layering::Constant,
        }
    }

    #[inline(always)]
    fn candidates(&self, board: TwoRings<W>) -> Candidates {
        let mut moves = 0u64;
        board
            .own
            .and(self.two_or_more)
            .each_occupied(|pit| moves |= 1 << (2 * pit));
        Candidates(moves)
    }

    #[inline(always)]
    fn play(&self, board: TwoRings<W>, choice: Move) -> Play<TwoRings<W>> {
        let TwoRings { mut own, mut other } = board;
        let mut pit = choice.pit();
        let mut hand = own.get(pit);
        own = own.minus(pit, hand);
        let mut cycle = self.cycles.watch();
        let mut laps = 0;
        loop {
            (own, pit) = self.ring.sow(own, pit, hand, Direction::Ccw);
            laps += 1;
            if own.get(pit) == 1 {
                let board = TwoRings {
                    own: other,
                    other: own,
                };
                return Play::Done(Played {
                    board,
                    captured: 0,
                    again: false,
                    laps,
                });
            }
            let (left, taken) = self.prey(other, pit);
            other = left;
            hand = taken;
            if taken == 0 || self.landing_lifts {
                let lifted = own.get(pit);
                own = own.minus(pit, lifted);
                hand += lifted;
            }
            if let Some(period) = cycle.step((own, other, pit)) {
                return Play::Endless { period };
            }
        }
    }

    fn stuck(&self, _: TwoRings<W>) -> Turn<TwoRings<W>> {
        Turn::Over { margin: -1 }
    }

    fn endless_draws(&self) -> bool {
        self.endless_draws
    }
}
