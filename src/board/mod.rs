//! Owns: boards as packed words, and the arithmetic of rings.
//!
//! A board is one ring (two-row games: all pits) or two (four-row games: each player's side), always
//! as the player to move sees it. Nothing here knows a game or a value.

mod bits;
mod packed;
mod relay;
mod relays;
mod ring;

pub use bits::{Bits, U256};
pub use packed::{Lanes, P64x6, P64x8, P128x6, P128x8, P256x8, Packed};
pub use relay::{CycleDetector, Cycles};
pub use relays::{MOST_RELAYS, Relayed, Relays};
pub use ring::{Direction, Ring};

use std::fmt::Debug;
use std::hash::Hash;

/// Most seeds that any board can hold: a lane is at most eight bits wide.
pub const MAX_SEEDS: u32 = 255;

/// A board as the player to move sees it.
pub trait Board: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static {
    /// The word that a ring is packed into.
    type Word: Lanes;
    /// How many rings there are: 1 or 2.
    const RINGS: usize;
    /// Ring 0 is the mover's (or the only one), ring 1 the opponent's.
    fn ring(self, i: usize) -> Self::Word;
    /// Puts rings together; the second is ignored where there is only one.
    fn from_rings(rings: [Self::Word; 2]) -> Self;
}

/// The board of a two-row game: one ring through all pits, the mover's own first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct OneRing<W>(pub W);

impl<W: Lanes> Board for OneRing<W> {
    type Word = W;
    const RINGS: usize = 1;
    #[inline(always)]
    fn ring(self, _: usize) -> W {
        self.0
    }
    #[inline(always)]
    fn from_rings(rings: [W; 2]) -> Self {
        Self(rings[0])
    }
}

/// The board of a four-row game: a ring for each player's side, each as its owner numbers it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TwoRings<W> {
    /// The side of the player to move.
    pub own: W,
    /// The other player's side.
    pub other: W,
}

impl<W: Lanes> Board for TwoRings<W> {
    type Word = W;
    const RINGS: usize = 2;
    #[inline(always)]
    fn ring(self, i: usize) -> W {
        if i == 0 { self.own } else { self.other }
    }
    #[inline(always)]
    fn from_rings([own, other]: [W; 2]) -> Self {
        Self { own, other }
    }
}

/// What an index must know of a board: its rings, and which of its numbers play can only lower.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Pits on each ring.
    pub pits: usize,
    /// 1, or 2 where the players' rows differ (closed pits): then the lane after the last pit of the
    /// ring says which player is to move, 0 for South and 1 for North.
    pub seats: usize,
    /// What captures do to the seeds in play.
    pub layering: Layering,
}

/// What captures do to the seeds in play, and so what a layer is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layering {
    /// Captured seeds leave the board: a layer is the number of seeds on it.
    Total,
    /// Captured seeds leave the board and no other seed changes sides: a layer is the number of seeds
    /// on each side.
    PerSide,
    /// Nothing leaves the board: a layer is the number of seeds, and play stays in it.
    Constant,
}
