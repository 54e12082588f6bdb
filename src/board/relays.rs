//! Owns: sowing many relays together.
//!
//! A relay is a chain of table reads each of which waits for the one before, and nobody can guess its
//! end: one at a time, a processor waits, and guesses wrongly at every end. So eight are under way at
//! once and sow a lap in turn, and where one has ended the next takes its place without a branch.

use super::Lanes;
use std::hint::select_unpredictable;

/// Relays under way at a time: enough to fill the waits.
const ABREAST: usize = 8;

/// Places for relays; a power of two, so that places need no check.
const PLACES: usize = 1 << 10;

/// Most relays that are sown together.
pub const MOST_RELAYS: usize = PLACES - ABREAST;

/// Laps after which a relay is handed back as it stands.
const LONG: u64 = 32;

/// A relay under way: the board and its tag, which is the pit that comes next (8 bits), the relay's
/// place (24) and the laps sown (32).
type State<W> = (W, u64);

const PLACE: u32 = 8;
const LAP: u64 = 1 << 32;

/// Relays that are sown together, and how far they came.
#[derive(Clone, Debug)]
pub struct Relays<W> {
    starts: Box<[State<W>; PLACES]>,
    ends: Box<[State<W>; PLACES]>,
    count: usize,
}

/// How far a relay came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Relayed<W> {
    /// The board.
    pub word: W,
    /// The pit that comes next: the relay goes on there unless it is empty.
    pub pit: usize,
    /// Laps sown.
    pub laps: u64,
}

impl<W: Lanes> Default for Relays<W> {
    fn default() -> Self {
        let none = [(W::EMPTY, 0); PLACES];
        Self {
            starts: Box::new(none),
            ends: Box::new(none),
            count: 0,
        }
    }
}

/// The state after a lap, and whether no lap is to follow here.
#[inline(always)]
fn step<W: Lanes>((word, tag): State<W>, lap: impl Fn(W, usize) -> (W, usize)) -> (State<W>, bool) {
    let (word, pit) = lap(word, pit(tag));
    let tag = (tag & !0xff) + LAP + pit as u64;
    ((word, tag), (word.get(pit) == 0) | (tag >= LONG * LAP))
}

#[inline(always)]
fn pit(tag: u64) -> usize {
    usize::from(tag as u8)
}

#[inline(always)]
fn place(tag: u64) -> usize {
    (tag >> PLACE) as usize % PLACES
}

#[inline(always)]
fn start<W>(word: W, pit: usize, place: usize) -> State<W> {
    (word, pit as u64 | (place as u64) << PLACE)
}

impl<W: Lanes> Relays<W> {
    /// Forgets all relays.
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds a relay that begins by lifting `pit`.
    ///
    /// # Panics
    /// When there are more than [`MOST_RELAYS`], not at once but before they are sown.
    #[inline(always)]
    pub fn push(&mut self, word: W, pit: usize) {
        self.starts[self.count] = start(word, pit, self.count);
        self.count += 1;
    }

    /// How far the relay came that was added after `place` others.
    #[inline(always)]
    pub fn end(&self, place: usize) -> Relayed<W> {
        let (word, tag) = self.ends[place];
        Relayed {
            word,
            pit: pit(tag),
            laps: tag / LAP,
        }
    }

    /// Sows all relays to their ends, or for a good number of laps. `lap` lifts a pit
    /// and gives the board afterwards and the pit that comes next.
    #[inline(always)]
    pub fn sow(&mut self, lap: impl Fn(W, usize) -> (W, usize)) {
        let (starts, ends, count) = (&mut *self.starts, &mut *self.ends, self.count);
        assert!(count <= MOST_RELAYS, "{count} relays");
        if count == 0 {
            return;
        }
        // The first again, in places that nobody asks for: for those that end after the last began.
        let (word, tag) = starts[0];
        for (place, spare) in starts.iter_mut().enumerate().skip(count).take(ABREAST) {
            *spare = start(word, pit(tag), place);
        }
        let mut abreast: [State<W>; ABREAST] = std::array::from_fn(|i| starts[i]);
        let mut next = ABREAST;
        while next < count {
            for state in &mut abreast {
                let (after, ended) = step(*state, &lap);
                ends[place(after.1)] = after;
                let fresh = starts[next % PLACES];
                state.0 = select_unpredictable(ended, fresh.0, after.0);
                state.1 = select_unpredictable(ended, fresh.1, after.1);
                next += usize::from(ended);
            }
        }
        for mut state in abreast {
            let mut ended = place(state.1) >= count;
            while !ended {
                (state, ended) = step(state, &lap);
                ends[place(state.1)] = state;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Direction, P64x6, P256x8, Ring};
    use super::*;

    /// Bosh's relays on many boards, all together, and each of them seed by seed.
    fn together_as_alone<W: Lanes>(pits: usize, many: usize) {
        let ring = Ring::<W>::new(pits, false);
        let mut relays = Relays::default();
        let mut begun = Vec::new();
        for i in 0..many {
            // Of 10 pits one relay in 70 is long, of 20 one in 200.
            let spread = |pit: usize| ((i as u64 * 2_654_435_761) >> (pit + 3)) % 3;
            let seeds: Vec<u8> = (0..pits).map(|pit| 1 + spread(pit) as u8).collect();
            let (word, pit) = (W::pack(&seeds), i % pits);
            begun.push((word, pit));
            relays.push(word, pit);
        }
        relays.sow(|word, pit| ring.lap_past(word, pit, word.get(pit)));
        let mut long = 0;
        for (place, &(mut word, mut pit)) in begun.iter().enumerate() {
            let mut laps = 0;
            while laps == 0 || laps < LONG && word.get(pit) > 0 {
                (word, pit) = ring.lap(word, pit, word.get(pit), Direction::Ccw);
                pit = ring.next(pit);
                laps += 1;
            }
            long += usize::from(laps == LONG);
            let alone = Relayed { word, pit, laps };
            assert_eq!(relays.end(place), alone, "relay {place} of {many}");
        }
        assert!(
            many < MOST_RELAYS || (1..many).contains(&long),
            "{long} of {many}"
        );
    }

    #[test]
    fn relays_end_together_as_they_end_alone() {
        for many in [0, 1, 2, 7, 8, 9, 100, MOST_RELAYS] {
            together_as_alone::<P64x6>(10, many);
            together_as_alone::<P256x8>(20, many);
        }
    }

    #[test]
    #[should_panic(expected = "1017 relays")]
    fn too_many_are_noticed() {
        let mut relays = Relays::<P64x6>::default();
        for _ in 0..=MOST_RELAYS {
            relays.push(P64x6::EMPTY, 0);
        }
        relays.sow(|word, pit| (word, pit));
    }
}
