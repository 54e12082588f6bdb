//! Owns: the moves of one side, tabulated once for every way to place its seeds.
//!
//! Sowing does not look at the other side, so a table of a few ten thousand rows stands for the moves
//! of billions of positions.

use super::grid::BLOCK;
use crate::game::{MAX_LANDINGS, OwnPlay, OwnSide, Side};
use crate::index::RingIndex;

/// A move of one side: the way that it leads to, and the landing (0 where it never captures).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step(u32);

const LANDING_BITS: u32 = (MAX_LANDINGS + 1).ilog2();

impl Step {
    /// Most ways that a step can number.
    pub const MAX_WAYS: u64 = 1 << (32 - LANDING_BITS);

    fn new(to: usize, landing: usize) -> Self {
        Self((to as u32) << LANDING_BITS | landing as u32)
    }

    /// The way that it leads to.
    #[inline(always)]
    pub fn to(self) -> usize {
        (self.0 >> LANDING_BITS) as usize
    }

    /// One more than the landing that can capture, or 0.
    #[inline(always)]
    pub fn landing(self) -> usize {
        (self.0 & MAX_LANDINGS as u32) as usize
    }
}

/// What one side with so many seeds can do.
#[derive(Clone, Debug)]
pub struct SideMoves {
    ways: usize,
    starts: Vec<u32>,
    steps: Vec<Step>,
    before_starts: Vec<u32>,
    before: Vec<u32>,
    /// Bit `i` of word `block`: the side has no legal move.
    pub over: Vec<u64>,
    /// Bit `i` of word `block`: the side can draw by an endless move and never loses.
    pub escapes: Vec<u64>,
}

impl SideMoves {
    /// Tabulates all ways to place `seeds` seeds.
    pub fn new<G: OwnSide>(game: &G, ring: &RingIndex<Side<G>>, seeds: u32) -> Self {
        let ways = ring.ways(seeds) as usize;
        let mut table = Self {
            ways,
            starts: Vec::with_capacity(ways + 1),
            steps: Vec::new(),
            before_starts: vec![0; ways + 1],
            before: Vec::new(),
            over: vec![0; ways.div_ceil(BLOCK)],
            escapes: vec![0; ways.div_ceil(BLOCK)],
        };
        table.starts.push(0);
        let mut way = Some(ring.unrank(0, seeds));
        let mut number = 0;
        while let Some(own) = way {
            table.add(game, ring, number, own);
            number += 1;
            way = ring.next(own);
        }
        table.turn_round();
        table
    }

    fn add<G: OwnSide>(
        &mut self,
        game: &G,
        ring: &RingIndex<Side<G>>,
        number: usize,
        own: Side<G>,
    ) {
        let (block, bit) = (number / BLOCK, 1 << (number % BLOCK));
        let before = self.steps.len();
        for choice in game.own_candidates(own) {
            match game.sow_own(own, choice) {
                OwnPlay::Done { own, landing } => {
                    let to = ring.rank(own) as usize;
                    self.steps
                        .push(Step::new(to, landing.map_or(0, |at| at + 1)));
                }
                OwnPlay::Endless if game.endless_draws() => self.escapes[block] |= bit,
                OwnPlay::Endless => {}
            }
        }
        if self.steps.len() == before && self.escapes[block] & bit == 0 {
            self.over[block] |= bit;
        }
        self.starts.push(self.steps.len() as u32);
    }

    /// Lists for every way those that lead to it, by counting.
    fn turn_round(&mut self) {
        for step in &self.steps {
            self.before_starts[step.to() + 1] += 1;
        }
        for way in 0..self.ways {
            self.before_starts[way + 1] += self.before_starts[way];
        }
        let mut at = self.before_starts.clone();
        self.before = vec![0; self.steps.len()];
        for from in 0..self.ways {
            let range = self.starts[from] as usize..self.starts[from + 1] as usize;
            for step in &self.steps[range] {
                let at = &mut at[step.to()];
                self.before[*at as usize] = from as u32;
                *at += 1;
            }
        }
    }

    /// Ways to place the seeds.
    #[inline(always)]
    pub fn ways(&self) -> usize {
        self.ways
    }

    /// The moves of a way.
    #[inline(always)]
    pub fn steps(&self, way: usize) -> &[Step] {
        &self.steps[self.starts[way] as usize..self.starts[way + 1] as usize]
    }

    /// The ways with a move to this one (twice where two moves lead here).
    #[inline(always)]
    pub fn before(&self, way: usize) -> &[u32] {
        &self.before[self.before_starts[way] as usize..self.before_starts[way + 1] as usize]
    }
}
