//! Owns: the transposition table of the proof search: facts that hold on every path.
//!
//! An entry speaks of a board and of the player who asks. It keeps
//! - the greatest share proven and the least share refuted, which hold whatever came before;
//! - one conditional refutation: "below this share, if the asker fails at these positions", which is
//!   an implication and so holds on every path too (it is *useful* only where its hypotheses are met);
//! - proof and disproof numbers for one share, which are guidance and may be wrong without harm.
//!
//! Entries are four words, read and written without locks; the first word is the key mixed with the
//! three others, so that a half-written entry is not recognised (the lockless table of R. M. Hyatt
//! and T. Mann, ICGA Journal 25/1, 2002). A bucket is one cache line of two entries; the one that
//! took less work to find gives way.

use super::lines::Lines;
use crate::value::{Code, MINUS_INFINITY, PLUS_INFINITY};
use std::sync::atomic::{AtomicU64, Ordering};

/// Hypotheses that an entry has room for.
pub const STORED_HYPOTHESES: usize = 2;

/// What is known of a board for the player who asks. Shares are codes of [`crate::value`]: one more
/// than the units that the asker gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fact {
    /// The asker can force at least this; [`MINUS_INFINITY`] if nothing is proven.
    pub proven: Code,
    /// The asker cannot force this or more; [`PLUS_INFINITY`] if nothing is refuted.
    pub refuted: Code,
    /// Share that `numbers` are about; 0 for none.
    pub guided: Code,
    /// Proof and disproof number.
    pub numbers: [u32; 2],
    /// The asker cannot force this or more if they fail at `hypotheses`; 0 for none.
    pub conditional: Code,
    /// Keys of one or two positions, the second 0 if there is only one.
    pub hypotheses: [u64; STORED_HYPOTHESES],
    /// Logarithm of the work that found it.
    pub work: u8,
}

impl Fact {
    /// Nothing is known.
    pub const NONE: Self = Self {
        proven: MINUS_INFINITY,
        refuted: PLUS_INFINITY,
        guided: 0,
        numbers: [1, 1],
        conditional: 0,
        hypotheses: [0; STORED_HYPOTHESES],
        work: 0,
    };

    fn data(&self) -> u64 {
        u64::from(self.proven)
            | u64::from(self.refuted) << 8
            | u64::from(self.guided) << 16
            | u64::from(self.conditional) << 24
            | shorten(self.numbers[0]) << 32
            | shorten(self.numbers[1]) << 45
            | u64::from(self.work.min(63)) << 58
    }

    fn of_data(data: u64, hypotheses: [u64; STORED_HYPOTHESES]) -> Self {
        Self {
            proven: data as Code,
            refuted: (data >> 8) as Code,
            guided: (data >> 16) as Code,
            conditional: (data >> 24) as Code,
            numbers: [lengthen(data >> 32), lengthen(data >> 45)],
            hypotheses,
            work: (data >> 58) as u8,
        }
    }
}

/// A number in 13 bits: as it is below 256, else five bits of exponent and, its leading one left out,
/// eight of mantissa, rounded down.
fn shorten(number: u32) -> u64 {
    match number.checked_ilog2() {
        Some(log) if log >= 8 => {
            let exponent = log - 8;
            u64::from(exponent + 1) << 8 | u64::from(number >> exponent & 0xff)
        }
        _ => u64::from(number),
    }
}

fn lengthen(bits: u64) -> u32 {
    let (exponent, mantissa) = ((bits >> 8 & 0x1f) as u32, (bits & 0xff) as u32);
    if exponent == 0 {
        mantissa
    } else {
        (mantissa | 256) << (exponent - 1)
    }
}

/// The table.
#[derive(Debug)]
pub struct Facts {
    lines: Lines,
}

/// Words of an entry, of which a line holds two.
const WORDS: usize = 4;

impl Facts {
    /// Bytes of an entry.
    pub const ENTRY: u64 = 8 * WORDS as u64;

    /// A table of at most `bytes`, a power of two of entries, and at least a few.
    pub fn new(bytes: u64) -> Self {
        Self {
            lines: Lines::new(bytes),
        }
    }

    /// The two entries that may hold a key.
    #[inline(always)]
    fn bucket(&self, key: u64) -> [&[AtomicU64]; 2] {
        self.lines.of(key).split_at(WORDS).into()
    }

    /// What is known under `key`.
    #[inline(always)]
    pub fn get(&self, key: u64) -> Fact {
        for entry in self.bucket(key) {
            let words = load(entry);
            if is_of(words, key) {
                return Fact::of_data(words[1], [words[2], words[3]]);
            }
        }
        Fact::NONE
    }

    /// Keeps `fact` under `key`, in place of what was there or of the entry that took less work.
    pub fn put(&self, key: u64, fact: Fact) {
        let bucket = self.bucket(key);
        let old = bucket.map(load);
        let work = |words: [u64; 4]| words[1] >> 58;
        let place = (0..2)
            .find(|&i| is_of(old[i], key))
            .unwrap_or(usize::from(work(old[1]) < work(old[0])));
        let words = [fact.data(), fact.hypotheses[0], fact.hypotheses[1]];
        let entry = bucket[place];
        entry[0].store(key ^ mixed(words), Ordering::Relaxed);
        for (at, word) in words.into_iter().enumerate() {
            entry[at + 1].store(word, Ordering::Relaxed);
        }
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for word in self.lines.words() {
            // A page never touched stays so.
            if word.load(Ordering::Relaxed) != 0 {
                word.store(0, Ordering::Relaxed);
            }
        }
    }
}

#[inline(always)]
fn load(entry: &[AtomicU64]) -> [u64; WORDS] {
    std::array::from_fn(|i| entry[i].load(Ordering::Relaxed))
}

/// The words in one, such that no exchange of one of them for another goes unseen.
#[inline(always)]
fn mixed([data, first, second]: [u64; 3]) -> u64 {
    data ^ first.rotate_left(21) ^ second.rotate_left(43)
}

/// Keys are never 0, so an empty entry is nobody's.
#[inline(always)]
fn is_of(words: [u64; 4], key: u64) -> bool {
    words[0] == key ^ mixed([words[1], words[2], words[3]])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fact(seed: u64) -> Fact {
        let word = |salt: u64| crate::search::key::scramble(seed * 8 + salt + 1);
        Fact {
            proven: word(0) as u8,
            refuted: word(1) as u8,
            guided: word(2) as u8,
            numbers: [word(3) as u32 % 500, word(4) as u32 % 500].map(|n| lengthen(shorten(n))),
            conditional: word(5) as u8,
            hypotheses: [word(6), word(7)],
            work: 9,
        }
    }

    proptest! {
        #[test]
        fn numbers_lose_little(number: u32) {
            let back = lengthen(shorten(number));
            prop_assert!(back <= number && number - back <= number / 256);
        }
    }

    #[test]
    fn facts_come_back() {
        let facts = Facts::new(1 << 20);
        for seed in 0..1000 {
            let key = crate::search::key::scramble(seed + 1);
            assert_eq!(facts.get(key), Fact::NONE);
            facts.put(key, fact(seed));
            assert_eq!(facts.get(key), fact(seed));
        }
        facts.clear();
        assert_eq!(facts.get(crate::search::key::scramble(1)), Fact::NONE);
    }

    #[test]
    fn half_written_entries_are_never_read() {
        let facts = Facts::new(0);
        std::thread::scope(|scope| {
            for writer in 0..2 {
                let facts = &facts;
                scope.spawn(move || {
                    for round in 0..200_000u64 {
                        // Keys of one bucket: every write disturbs the others.
                        let key = 1 + 16 * ((round + writer) % 3);
                        let found = facts.get(key);
                        assert!(
                            found == Fact::NONE || found == fact(key) || found == fact(key + 1)
                        );
                        facts.put(key, fact(key + round % 2));
                    }
                });
            }
        });
    }
}
