//! Owns: positions for tests, drawn at random from a fixed seed, or all there are.

use super::open_places;
use sowbase::games::{Seat, Setup};
use sowbase::notation::Position;

/// A small generator (SplitMix64): the same numbers on every machine and in every run.
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`; the bias is far below what a test could see.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// A position with so many seeds and either player to move. Some have seeds all over the board,
    /// some in a few pits only.
    pub fn position(&mut self, setup: &Setup, seeds: u32) -> Position {
        let seat = [Seat::South, Seat::North][self.below(2)];
        let mut places = open_places(setup, seat);
        let mut pits = vec![0; setup.pits()];
        let used = 1 + self.below(places.len());
        while places.len() > used {
            let at = self.below(places.len());
            places.swap_remove(at);
        }
        for _ in 0..seeds {
            pits[places[self.below(used)]] += 1;
        }
        Position {
            pits,
            seat,
            captured: None,
        }
    }
}

/// Every position with so many seeds, both players in turn to move.
pub fn all_positions(setup: &Setup, seeds: u8) -> Vec<Position> {
    let mut all = Vec::new();
    for seat in [Seat::South, Seat::North] {
        let places = open_places(setup, seat);
        let mut pits = vec![0; setup.pits()];
        place(seeds, &places, &mut pits, &mut |pits| {
            all.push(Position {
                pits: pits.to_vec(),
                seat,
                captured: None,
            });
        });
    }
    all
}

fn place(seeds: u8, places: &[usize], pits: &mut [u8], each: &mut impl FnMut(&[u8])) {
    let Some((&first, rest)) = places.split_first() else {
        if seeds == 0 {
            each(pits);
        }
        return;
    };
    for here in 0..=seeds {
        pits[first] = here;
        place(seeds - here, rest, pits, each);
    }
    pits[first] = 0;
}
