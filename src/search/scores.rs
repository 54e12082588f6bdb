//! Owns: the transposition table of the analysis search: scores with the depth that found them.
//!
//! One allocation of fixed size shared by all threads. An entry is two words without a lock, the
//! first the key mixed with the second, so that a half-written entry is not recognised (R. M. Hyatt
//! and T. Mann, ICGA Journal 25/1, 2002). A bucket is a cache line of four entries: the same key is
//! replaced first, then entries of earlier searches, then the shallowest.

use super::lines::Lines;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// What a score says of the true one at its depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// At most this.
    AtMost,
    /// At least this.
    AtLeast,
    /// This.
    Exactly,
}

/// A score kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The score for the player to move.
    pub score: i16,
    /// Plies below.
    pub depth: u8,
    /// What it says.
    pub kind: Kind,
    /// Code of the best move, [`NO_MOVE`] for none.
    pub choice: u8,
}

/// Stands for no move; no move has this code.
pub const NO_MOVE: u8 = 0x7f;

impl Entry {
    fn data(self, age: u8) -> u64 {
        u64::from(self.score as u16)
            | u64::from(self.depth) << 16
            | (self.kind as u64) << 24
            | u64::from(self.choice) << 32
            | u64::from(age) << 40
            | 1 << 63
    }

    fn of_data(data: u64) -> Self {
        Self {
            score: data as u16 as i16,
            depth: (data >> 16) as u8,
            kind: match data >> 24 & 3 {
                0 => Kind::AtMost,
                1 => Kind::AtLeast,
                _ => Kind::Exactly,
            },
            choice: (data >> 32) as u8,
        }
    }
}

/// The table.
#[derive(Debug)]
pub struct Scores {
    lines: Lines,
    age: AtomicU8,
}

impl Scores {
    /// A table of at most `bytes`, a power of two of entries, and at least a few.
    pub fn new(bytes: u64) -> Self {
        Self {
            lines: Lines::new(bytes),
            age: AtomicU8::new(0),
        }
    }

    /// Marks what is there as found by an earlier search.
    pub fn grow_older(&self) {
        self.age.fetch_add(1, Ordering::Relaxed);
    }

    /// The four entries that may hold a key.
    #[inline(always)]
    fn bucket(&self, key: u64) -> &[[AtomicU64; 2]] {
        self.lines.of(key).as_chunks().0
    }

    /// What is kept under `key`.
    #[inline(always)]
    pub fn get(&self, key: u64) -> Option<Entry> {
        self.bucket(key).iter().find_map(|words| {
            let data = words[1].load(Ordering::Relaxed);
            (words[0].load(Ordering::Relaxed) == key ^ data && data != 0)
                .then(|| Entry::of_data(data))
        })
    }

    /// Keeps `entry` under `key`.
    #[inline(always)]
    pub fn put(&self, key: u64, entry: Entry) {
        let age = self.age.load(Ordering::Relaxed);
        let bucket = self.bucket(key);
        let mut place = 0;
        let mut least = u32::MAX;
        for (at, words) in bucket.iter().enumerate() {
            let data = words[1].load(Ordering::Relaxed);
            if words[0].load(Ordering::Relaxed) == key ^ data {
                place = at;
                break;
            }
            let current = (data >> 40) as u8 == age && data != 0;
            let worth = u32::from(current) << 8 | u32::from((data >> 16) as u8);
            if worth < least {
                least = worth;
                place = at;
            }
        }
        let data = entry.data(age);
        bucket[place][0].store(key ^ data, Ordering::Relaxed);
        bucket[place][1].store(data, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::key::scramble;

    fn entry(seed: u64) -> Entry {
        Entry {
            score: scramble(seed) as i16,
            depth: (scramble(seed + 1) % 60) as u8,
            kind: [Kind::AtMost, Kind::AtLeast, Kind::Exactly][(seed % 3) as usize],
            choice: (seed % 64) as u8,
        }
    }

    #[test]
    fn entries_come_back() {
        let scores = Scores::new(1 << 20);
        for seed in 1..1000 {
            assert_eq!(scores.get(scramble(seed)), None);
            scores.put(scramble(seed), entry(seed));
            assert_eq!(scores.get(scramble(seed)), Some(entry(seed)));
        }
    }

    #[test]
    fn half_written_entries_are_never_read() {
        let scores = Scores::new(0);
        std::thread::scope(|scope| {
            for writer in 0..2 {
                let scores = &scores;
                scope.spawn(move || {
                    for round in 0..200_000u64 {
                        let key = 1 + 16 * ((round + writer) % 7);
                        let found = scores.get(key);
                        let written = [Some(entry(key)), Some(entry(key + 1)), None];
                        assert!(written.contains(&found));
                        scores.put(key, entry(key + round % 2));
                    }
                });
            }
        });
    }
}
