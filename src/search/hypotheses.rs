//! Owns: what a refutation leans on.
//!
//! A refutation that came to an earlier position of the path says: "the asker fails here, if they
//! fail there". The positions it leans on are given by their depth on the path. Up to [`KEPT`] are
//! told apart; more become "any from this depth on", which is weaker but never wrong.

/// Hypotheses that are told apart.
pub const KEPT: usize = 4;

/// Depths on the path of the positions that a refutation leans on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hypotheses {
    /// How many of `at` are used, or [`MANY`].
    len: u8,
    /// Ascending; with [`MANY`] only the first counts.
    at: [u16; KEPT],
}

/// More than [`KEPT`]: all depths from the first on may be meant.
const MANY: u8 = u8::MAX;

impl Hypotheses {
    /// Leans on nothing: holds on every path.
    pub const NONE: Self = Self {
        len: 0,
        at: [0; KEPT],
    };

    /// Leans on the position at `depth`.
    #[inline(always)]
    pub fn one(depth: usize) -> Self {
        let mut at = [0; KEPT];
        at[0] = depth as u16;
        Self { len: 1, at }
    }

    /// Whether it leans on nothing.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The depths, or `None` when they were too many to be told apart.
    pub fn depths(&self) -> Option<&[u16]> {
        self.at.get(..usize::from(self.len))
    }

    /// Leans on what either leans on.
    pub fn and(mut self, other: Self) -> Self {
        if other.is_empty() {
            return self;
        }
        if self.is_empty() {
            return other;
        }
        if let (MANY, _) | (_, MANY) = (self.len, other.len) {
            return Self::many(self.at[0].min(other.at[0]));
        }
        for &depth in &other.at[..usize::from(other.len)] {
            let used = &self.at[..usize::from(self.len)];
            let place = used.partition_point(|&at| at < depth);
            if used.get(place) == Some(&depth) {
                continue;
            }
            if used.len() == KEPT {
                return Self::many(self.at[0].min(other.at[0]));
            }
            self.at.copy_within(place..usize::from(self.len), place + 1);
            self.at[place] = depth;
            self.len += 1;
        }
        self
    }

    /// What is left when the position at `depth`, the deepest that can be meant, is itself refuted
    /// leaning on these.
    pub fn without(mut self, depth: usize) -> Self {
        let depth = depth as u16;
        if self.len == MANY {
            return if self.at[0] == depth {
                Self::NONE
            } else {
                self
            };
        }
        if self.len > 0 && self.at[usize::from(self.len) - 1] == depth {
            self.len -= 1;
        }
        self
    }

    fn many(least: u16) -> Self {
        let mut at = [0; KEPT];
        at[0] = least;
        Self { len: MANY, at }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn they_behave_like_a_set(steps in proptest::collection::vec(0usize..12, 0..10)) {
            let mut set = BTreeSet::new();
            let mut hypotheses = Hypotheses::NONE;
            for depth in steps {
                set.insert(depth as u16);
                hypotheses = hypotheses.and(Hypotheses::one(depth));
            }
            let list: Vec<u16> = set.iter().copied().collect();
            prop_assert_eq!(hypotheses.depths(), Some(&list[..]).filter(|list| list.len() <= KEPT));
            // Going up the path discharges them one by one.
            for depth in (0..12).rev() {
                prop_assert_eq!(hypotheses.is_empty(), set.is_empty());
                hypotheses = hypotheses.without(depth);
                set.remove(&(depth as u16));
            }
            prop_assert!(hypotheses.is_empty());
        }
    }
}
