//! Owns: the rules of a round of Bosh (RULES, "Bosh"), with closed pits.
//!
//! A closed pit does not exist for sowing, for "next" or for "beyond", so the board is simply the ring
//! of the open pits. Where the players have different numbers of them, the two seats see different
//! rings, and the lane after the last pit says whose view the board is: 0 South's, 1 North's.

use super::rules::{ENDLESS, RuleOption};
use super::{Seat, Setup};
use crate::board::{Cycles, Direction, Lanes, Layering, OneRing, Relayed, Relays, Ring, Shape};
use crate::game::{Candidates, Game, Move, NoMirror, Play, Played, Turn};

pub(super) const OPTIONS: &[RuleOption] = &[
    ENDLESS,
    RuleOption {
        name: "skip-origin",
        values: &["false", "true"],
        about: "a lap passes over the pit it was lifted from (Pratt)",
    },
    RuleOption {
        name: "fill",
        values: &["left", "right"],
        about: "in a match, which end of the owner's row is filled first",
    },
    RuleOption {
        name: "first-player",
        values: &["alternate", "loser", "winner"],
        about: "in a match, who opens the next round",
    },
];

/// The options that say what happens between rounds; within one they change nothing.
pub const BETWEEN_ROUNDS: [&str; 2] = ["fill", "first-player"];

/// What one seat owns.
#[derive(Clone, Debug)]
struct Row<W> {
    /// Where each open own pit lies in the row, closed pits included.
    open: Vec<usize>,
    /// Lanes of own pits.
    mask: W,
    /// How far the ring turns for the other seat to see its own pits first.
    turn: usize,
}

/// A round of Bosh on a board of some width.
#[derive(Clone, Debug)]
pub struct Bosh<W: Lanes> {
    columns: usize,
    ring: Ring<W>,
    pits: usize,
    rows: [Row<W>; 2],
    uneven: bool,
    endless_draws: bool,
    cycles: Cycles<(W, usize)>,
}

impl<W: Lanes> Bosh<W> {
    /// The rules that a setup resolves to.
    pub fn new(setup: &Setup) -> Self {
        let columns = setup.columns();
        let mut rows = [Seat::South, Seat::North].map(|seat| {
            let open = setup.open_pits(seat);
            let mask = W::mask(0, open.len());
            Row {
                open,
                mask,
                turn: 0,
            }
        });
        let pits = rows[0].open.len() + rows[1].open.len();
        for row in &mut rows {
            row.turn = if row.open.is_empty() {
                0
            } else {
                pits - row.open.len()
            };
        }
        Self {
            columns,
            // A board without an open pit has no seeds and no moves; its ring is never sown.
            ring: Ring::new(pits.max(1), setup.rules().get("skip-origin") == "true"),
            pits,
            uneven: rows[0].open.len() != rows[1].open.len(),
            rows,
            endless_draws: setup.rules().get(ENDLESS.name) == "draw",
            cycles: Cycles::default(),
        }
    }

    /// Who is to move on `board`, as far as it matters.
    #[inline(always)]
    fn seat(&self, word: W) -> usize {
        if self.uneven {
            word.get(self.pits) as usize
        } else {
            0
        }
    }

    /// The board as the other seat sees it.
    #[inline(always)]
    fn turned(&self, ring: W, seat: usize) -> OneRing<W> {
        let ring = self.ring.rotate(ring, self.rows[seat].turn);
        OneRing(if self.uneven {
            ring.plus(self.pits, 1 - seat as u32)
        } else {
            ring
        })
    }

    /// Follows a relay from where it is to lift `pit`, having sown `laps`.
    #[inline(always)]
    fn follow(&self, mut word: W, mut pit: usize, mut laps: u64, seat: usize) -> Play<OneRing<W>> {
        let mut cycle = self.cycles.watch();
        loop {
            (word, pit) = self.ring.lap_past(word, pit, word.get(pit));
            laps += 1;
            if word.get(pit) == 0 {
                return self.ended(word, pit, laps, seat);
            }
            if let Some(period) = cycle.step((word, pit)) {
                return Play::Endless { period };
            }
        }
    }

    /// The end of a relay before the empty pit `pit`: what lies beyond it is captured.
    #[inline(always)]
    fn ended(&self, word: W, pit: usize, laps: u64, seat: usize) -> Play<OneRing<W>> {
        let beyond = self.ring.next(pit);
        let captured = word.get(beyond);
        Play::Done(Played {
            board: self.turned(word.minus(beyond, captured), seat),
            captured,
            again: false,
            laps,
        })
    }

    /// Full-board ring order of every open pit, as `seat` sees it.
    fn places(&self, seat: usize) -> impl Iterator<Item = usize> + '_ {
        let own = self.rows[seat].open.iter().copied();
        let theirs = self.rows[1 - seat]
            .open
            .iter()
            .map(|pit| pit + self.columns);
        own.chain(theirs)
    }
}

impl<W: Lanes> Game for Bosh<W> {
    type Board = OneRing<W>;
    type Mirror = NoMirror;
    const SCORED: bool = true;

    fn shape(&self) -> Shape {
        Shape {
            pits: self.ring.pits(),
            seats: 1 + usize::from(self.uneven),
            layering: Layering::Total,
        }
    }

    #[inline(always)]
    fn candidates(&self, board: OneRing<W>) -> Candidates {
        let row = &self.rows[self.seat(board.0)];
        let mut moves = 0u64;
        board
            .0
            .and(row.mask)
            .each_occupied(|pit| moves |= 1 << (2 * pit));
        Candidates(moves)
    }

    #[inline(always)]
    fn each_candidate(&self, board: OneRing<W>, mut each: impl FnMut(Move, bool)) {
        let row = &self.rows[self.seat(board.0)];
        for pit in 0..row.open.len() {
            each(Move::sow(pit, Direction::Ccw), board.0.get(pit) > 0);
        }
    }

    #[inline(always)]
    fn play(&self, board: OneRing<W>, choice: Move) -> Play<OneRing<W>> {
        let word = board.0.and(self.ring.full());
        self.follow(word, choice.pit(), 0, self.seat(board.0))
    }

    fn sow_together(&self, choices: &[(OneRing<W>, Move)], relays: &mut Relays<W>) {
        relays.clear();
        let full = self.ring.full();
        for (board, choice) in choices {
            relays.push(board.0.and(full), choice.pit());
        }
        relays.sow(|word, pit| self.ring.lap_past(word, pit, word.get(pit)));
    }

    #[inline(always)]
    fn play_sown(
        &self,
        relays: &Relays<W>,
        place: usize,
        board: OneRing<W>,
        _: Move,
    ) -> Play<OneRing<W>> {
        let Relayed { word, pit, laps } = relays.end(place);
        let seat = self.seat(board.0);
        if word.get(pit) == 0 {
            self.ended(word, pit, laps, seat)
        } else {
            self.follow(word, pit, laps, seat)
        }
    }

    fn stuck(&self, board: OneRing<W>) -> Turn<OneRing<W>> {
        let seeds = (0..self.pits)
            .map(|pit| board.0.get(pit) as i32)
            .sum::<i32>();
        Turn::Over { margin: -seeds }
    }

    fn endless_draws(&self) -> bool {
        self.endless_draws
    }

    fn pack(&self, pits: &[u8], seat: usize) -> OneRing<W> {
        let open: Vec<u8> = self.places(seat).map(|pit| pits[pit]).collect();
        let ring = W::pack(&open);
        OneRing(if self.uneven {
            ring.plus(self.pits, seat as u32)
        } else {
            ring
        })
    }

    fn unpack(&self, board: OneRing<W>, seat: usize, pits: &mut [u8]) {
        pits.fill(0);
        for (lane, pit) in self.places(seat).enumerate() {
            pits[pit] = board.0.get(lane) as u8;
        }
    }
}
