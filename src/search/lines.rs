//! Owns: the memory of transposition tables: cache lines of atomic words, fixed in number.
//!
//! The words are zero at first, and the system hands their pages out when they are first touched, so
//! that a large table costs a short search nothing. Lines are aligned by leaving out words at the
//! beginning: a line that lay across two would be fetched twice.

use std::sync::atomic::AtomicU64;
use zerocopy::FromZeros;

/// Words in a line.
const WORDS: usize = 8;

/// A line.
pub type Line = [AtomicU64; WORDS];

/// A power of two of lines.
#[derive(Debug)]
pub struct Lines {
    words: Box<[AtomicU64]>,
    /// Words before the first line.
    skipped: usize,
    mask: u64,
}

impl Lines {
    /// As many lines as fit `bytes`, and at least 16.
    ///
    /// # Panics
    /// When the system does not give so much memory.
    pub fn new(bytes: u64) -> Self {
        let most = (bytes / size_of::<Line>() as u64).max(16);
        let lines = 1usize << most.ilog2();
        let words = <[AtomicU64]>::new_box_zeroed_with_elems((lines + 1) * WORDS)
            .expect("memory for a transposition table");
        let past = words.as_ptr() as usize % size_of::<Line>();
        Self {
            skipped: (size_of::<Line>() - past) / size_of::<AtomicU64>() % WORDS,
            words,
            mask: lines as u64 - 1,
        }
    }

    /// The line that the low bits of a key pick.
    #[inline(always)]
    pub fn of(&self, key: u64) -> &Line {
        let first = self.skipped + (key & self.mask) as usize * WORDS;
        let line = &self.words[first..first + WORDS];
        line.try_into().expect("a line has so many words")
    }

    /// All words.
    pub fn words(&self) -> &[AtomicU64] {
        &self.words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_aligned_and_apart() {
        for bytes in [0, 1 << 12, (1 << 20) + 5] {
            let lines = Lines::new(bytes);
            let place = |key| std::ptr::from_ref(lines.of(key)) as usize;
            for key in 0..lines.mask {
                assert_eq!(place(key) % size_of::<Line>(), 0);
                assert_eq!(place(key + 1) - place(key), size_of::<Line>());
            }
            assert_eq!(place(lines.mask + 1), place(0));
            let held = (lines.mask + 1) * size_of::<Line>() as u64;
            assert!(held <= bytes.max(1024) && 2 * held > bytes);
        }
    }
}
