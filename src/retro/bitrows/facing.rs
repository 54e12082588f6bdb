//! Owns: what landings take from one side, tabulated once for every way to place its seeds.
//!
//! The side that does not move is the column. For each landing there is a set of columns where it
//! captures, and a list that says, for each of them, which column of which smaller layer is left. A
//! list is followed once for every row with such a move, so its entries are ready to use: place in
//! the table of looked-up values, and how far to shift.

use super::grid::{Grid, Row, STRIPE};
use crate::game::{OwnSide, Side};
use crate::index::RingIndex;

/// Columns whose looked-up values share a word: two bits each.
pub const GROUP: usize = 32;

/// One column where a landing captures: place of what is left, and twice the column's place in its
/// group.
#[derive(Clone, Copy, Debug)]
pub struct Taken(u32);

const SHIFT_BITS: u32 = 6;

impl Taken {
    /// Most places that can be told apart.
    pub const MAX_PLACES: u64 = 1 << (32 - SHIFT_BITS);

    /// The place in the table of looked-up values.
    #[inline(always)]
    pub fn place(self) -> usize {
        (self.0 >> SHIFT_BITS) as usize
    }

    /// How far the value is shifted in its group.
    #[inline(always)]
    pub fn shift(self) -> u32 {
        self.0 & ((1 << SHIFT_BITS) - 1)
    }
}

/// A group with at least one capture.
#[derive(Clone, Copy, Debug)]
struct Group {
    number: u32,
    end: u32,
}

/// The captures of one landing.
#[derive(Clone, Debug, Default)]
struct Captures {
    groups: Vec<Group>,
    taken: Vec<Taken>,
}

/// What landings do to one side with so many seeds.
#[derive(Clone, Debug)]
pub struct Facing {
    landings: usize,
    /// Columns where a landing captures: row `stripe * (landings + 1) + landing`, landings counted
    /// from 1 and number 0 never capturing.
    captures_at: Vec<Row>,
    captures: Vec<Captures>,
    /// Where the columns left with `s` seeds begin among the looked-up values, by `s`; multiples
    /// of 64.
    starts: Vec<usize>,
    places: usize,
}

impl Facing {
    /// Tabulates all ways to place `seeds` seeds.
    pub fn new<G: OwnSide>(game: &G, ring: &RingIndex<Side<G>>, seeds: u32) -> Self {
        let landings = game.landings();
        let columns = ring.ways(seeds) as usize;
        let stripes = Grid { rows: 0, columns }.stripes();
        let mut places = 0;
        let starts = (0..seeds)
            .map(|left| {
                let start = places;
                places += (ring.ways(left) as usize).next_multiple_of(64);
                start
            })
            .collect();
        let mut table = Self {
            landings,
            captures_at: vec![Row::EMPTY; stripes * (landings + 1)],
            captures: vec![Captures::default(); landings],
            starts,
            places,
        };
        let mut way = Some(ring.unrank(0, seeds));
        let mut column = 0;
        while let Some(other) = way {
            for landing in 0..landings {
                let (left, taken) = game.take(other, landing);
                if taken > 0 {
                    let place = table.starts[(seeds - taken) as usize] + ring.rank(left) as usize;
                    table.add(landing, column, place);
                }
            }
            column += 1;
            way = ring.next(other);
        }
        table
    }

    fn add(&mut self, landing: usize, column: usize, place: usize) {
        let row = column / STRIPE * (self.landings + 1) + landing + 1;
        self.captures_at[row].0[column % STRIPE / 64] |= 1 << (column % 64);
        let Captures { groups, taken } = &mut self.captures[landing];
        let shift = 2 * (column % GROUP);
        taken.push(Taken((place as u32) << SHIFT_BITS | shift as u32));
        let number = (column / GROUP) as u32;
        let end = taken.len() as u32;
        match groups.last_mut() {
            Some(group) if group.number == number => group.end = end,
            _ => groups.push(Group { number, end }),
        }
    }

    /// For every landing, counted from 1, the columns of a stripe where it captures; entry 0 is empty.
    #[inline(always)]
    pub fn captures_at(&self, stripe: usize) -> &[Row] {
        &self.captures_at[stripe * (self.landings + 1)..(stripe + 1) * (self.landings + 1)]
    }

    /// Where the columns left with `seeds` seeds begin among the looked-up values.
    pub fn start(&self, seeds: usize) -> usize {
        self.starts[seeds]
    }

    /// Number of looked-up values.
    pub fn places(&self) -> usize {
        self.places
    }

    /// For every group where `landing` (counted from 1) captures, its number and columns.
    #[inline(always)]
    pub fn groups(&self, landing: usize) -> impl Iterator<Item = (usize, &[Taken])> {
        let Captures { groups, taken } = &self.captures[landing - 1];
        let mut from = 0;
        groups.iter().map(move |group| {
            let end = group.end as usize;
            let columns = &taken[from..end];
            from = end;
            (group.number as usize, columns)
        })
    }
}
