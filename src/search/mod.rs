//! Owns: search from one position, for what no table covers.
//!
//! [`prove`] answers one-sided questions ("can this player force at least so much in a game that
//! ends?") until the two bounds of DESIGN section 2 are known or time is up; what it says is proven.
//! [`analyse`] looks as deep as it can and says what it expects, which is not proven.
//! [`seek`] spends the time for one position on both, on its moves and on a line of best play.
//! All get exact values of lower layers as a callback and know nothing of files.

pub mod analyse;
mod dfpn;
mod evaluate;
mod facts;
mod guide;
mod hypotheses;
mod key;
mod line;
mod lines;
pub mod prove;
mod pvs;
pub mod scores;
pub mod seek;
mod tree;

pub use analyse::{Analyser, Outlook};
pub use evaluate::Evaluation;
pub use key::Numbering;
pub use prove::{Goal, Past, Proof, Prover, TooManySeeds};
pub use seek::{Question, Seeker, Sought, SoughtMove};

use crate::value::Value;
use std::time::Instant;

/// Where exact values come from: `None` for a board that is not covered. Called from many threads.
pub type Source<'a, B> = dyn Fn(B) -> Option<Value> + Sync + 'a;

/// What a search may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Threads, at least 1.
    pub threads: usize,
    /// When to stop, whatever has been found; `None` for never.
    pub deadline: Option<Instant>,
}

impl Limits {
    /// Without a time limit.
    pub fn threads(threads: usize) -> Self {
        Self {
            threads: threads.max(1),
            deadline: None,
        }
    }

    fn over(&self) -> bool {
        self.deadline.is_some_and(|at| Instant::now() >= at)
    }
}
