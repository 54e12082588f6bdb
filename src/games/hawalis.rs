//! Owns: the rules of Hawalis (RULES, "Hawalis").
//!
//! Laps stay on the mover's own ring; only a capture touches the other side, and what it takes leaves
//! the game.

use super::Setup;
use super::rules::{ENDLESS, RuleOption};
use crate::board::{Cycles, Direction, Lanes, Layering, Ring, Shape, TwoRings};
use crate::game::{Candidates, Game, Move, NoMirror, OwnPlay, OwnSide, Play, Played, Turn};

pub(super) const OPTIONS: &[RuleOption] = &[
    ENDLESS,
    RuleOption {
        name: "back-row",
        values: &["with-front", "free"],
        about: "free: the outer pit is taken even when the inner one is empty (Ingrams' second variant)",
    },
];

/// Hawalis on a board of some width.
#[derive(Clone, Debug)]
pub struct Hawalis<W: Lanes> {
    columns: usize,
    ring: Ring<W>,
    two_or_more: W,
    back_row_free: bool,
    endless_draws: bool,
    cycles: Cycles<(W, usize)>,
}

impl<W: Lanes> Hawalis<W> {
    /// The rules that a setup resolves to.
    pub fn new(setup: &Setup) -> Self {
        let pits = 2 * setup.columns();
        Self {
            columns: setup.columns(),
            ring: Ring::new(pits, false),
            two_or_more: W::two_or_more_mask(pits),
            back_row_free: setup.rules().get("back-row") == "free",
            endless_draws: setup.rules().get(ENDLESS.name) == "draw",
            cycles: Cycles::default(),
        }
    }

    /// Takes what faces the last seed at own pit `pit`.
    #[inline(always)]
    fn capture(&self, other: W, pit: usize) -> (W, u32) {
        if pit < self.columns {
            return (other, 0);
        }
        self.take(other, pit - self.columns)
    }

    /// Sows from `pit` until a lap ends in an empty pit.
    #[inline(always)]
    fn relay(&self, mut own: W, mut pit: usize) -> Relay<W> {
        let mut cycle = self.cycles.watch();
        let mut laps = 0;
        loop {
            let hand = own.get(pit);
            (own, pit) = self.ring.lap(own, pit, hand, Direction::Ccw);
            laps += 1;
            if own.get(pit) == 1 {
                return Relay::Done { own, pit, laps };
            }
            if let Some(period) = cycle.step((own, pit)) {
                return Relay::Endless { period };
            }
        }
    }
}

/// How a relay on one side comes out.
enum Relay<W> {
    Done { own: W, pit: usize, laps: u64 },
    Endless { period: u64 },
}

impl<W: Lanes> OwnSide for Hawalis<W> {
    fn landings(&self) -> usize {
        self.columns
    }

    #[inline(always)]
    fn own_candidates(&self, own: W) -> Candidates {
        let mut moves = 0u64;
        let many = own.and(self.two_or_more);
        if many == W::EMPTY {
            own.each_occupied(|pit| {
                let into_empty = own.get(self.ring.next(pit)) == 0;
                moves |= u64::from(into_empty) << (2 * pit);
            });
        } else {
            many.each_occupied(|pit| moves |= 1 << (2 * pit));
        }
        Candidates(moves)
    }

    #[inline(always)]
    fn sow_own(&self, own: W, choice: Move) -> OwnPlay<W> {
        match self.relay(own, choice.pit()) {
            Relay::Done { own, pit, .. } => OwnPlay::Done {
                own,
                landing: pit.checked_sub(self.columns),
            },
            Relay::Endless { .. } => OwnPlay::Endless,
        }
    }

    /// Landing `k` is the mover's inner pit in ring place `columns + k`.
    #[inline(always)]
    fn take(&self, other: W, landing: usize) -> (W, u32) {
        let (inner, outer) = (2 * self.columns - 1 - landing, landing);
        let (front, back) = (other.get(inner), other.get(outer));
        if front == 0 && !self.back_row_free {
            return (other, 0);
        }
        (other.minus(inner, front).minus(outer, back), front + back)
    }
}

impl<W: Lanes> Game for Hawalis<W> {
    type Board = TwoRings<W>;
    type Mirror = NoMirror;
    const SCORED: bool = false;

    fn shape(&self) -> Shape {
        Shape {
            pits: self.ring.pits(),
            seats: 1,
            layering: Layering::PerSide,
        }
    }

    #[inline(always)]
    fn candidates(&self, board: TwoRings<W>) -> Candidates {
        self.own_candidates(board.own)
    }

    #[inline(always)]
    fn play(&self, board: TwoRings<W>, choice: Move) -> Play<TwoRings<W>> {
        let (own, pit, laps) = match self.relay(board.own, choice.pit()) {
            Relay::Done { own, pit, laps } => (own, pit, laps),
            Relay::Endless { period } => return Play::Endless { period },
        };
        let (other, captured) = self.capture(board.other, pit);
        let board = TwoRings {
            own: other,
            other: own,
        };
        Play::Done(Played {
            board,
            captured,
            again: false,
            laps,
        })
    }

    fn stuck(&self, _: TwoRings<W>) -> Turn<TwoRings<W>> {
        Turn::Over { margin: -1 }
    }

    fn endless_draws(&self) -> bool {
        self.endless_draws
    }
}
