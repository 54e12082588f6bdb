//! Owns: the part of the tree that a proof search holds, and how its numbers are taken together.
//!
//! Index 0 of a pair of numbers is the proof number, which the asker wants small; index 1 is the
//! disproof number, which the other player wants small.

use super::hypotheses::Hypotheses;
use crate::value::{Code, MINUS_INFINITY};

/// A number that no open position has.
pub const INFINITE: u32 = u32::MAX / 4;
/// Numbers of a position where the asker reaches the goal.
pub const PROVEN: [u32; 2] = [0, INFINITE];
/// Numbers of a position where the asker does not.
pub const REFUTED: [u32; 2] = [INFINITE, 0];

/// The least share code of all: the asker need only force an end.
pub const ANY_END: Code = MINUS_INFINITY + 1;

/// A position of the search, as its parent sees it.
#[derive(Clone, Copy, Debug)]
pub struct Node<B> {
    /// The board.
    pub board: B,
    /// What the asker has still to get, as a code.
    pub need: Code,
    /// Units still to be won.
    pub stake: u8,
    /// Whether the player to move asks.
    pub asks: bool,
}

/// A move's position while its parent is searched.
#[derive(Clone, Copy, Debug)]
pub struct Child<B> {
    /// The position.
    pub node: Node<B>,
    /// Its key.
    pub key: u64,
    /// Whether nothing was captured on the way, so that play may come back.
    pub stays: bool,
    /// Proof and disproof number.
    pub numbers: [u32; 2],
    /// What a refutation leans on.
    pub hypotheses: Hypotheses,
}

/// A position of the path.
#[derive(Clone, Copy, Debug)]
pub struct Frame<B> {
    /// The position.
    pub node: Node<B>,
    /// Its key.
    pub key: u64,
    /// Numbers at which to give up here.
    pub thresholds: [u32; 2],
    /// Where its children begin.
    pub first: usize,
    /// The child being searched.
    pub chosen: usize,
    /// Least depth of the path since the last capture.
    pub floor: usize,
    /// Expansions before this one.
    pub before: u64,
}

/// What a frame's children say of it.
pub struct Summary {
    /// Proof and disproof number.
    pub numbers: [u32; 2],
    /// What a refutation leans on.
    pub hypotheses: Hypotheses,
    /// The child to search next, counted from the first.
    pub best: usize,
    /// The second best number of the kind that the mover wants small.
    pub second: u32,
}

/// Takes a frame's children together.
#[inline(always)]
pub fn summarise<B>(frame: &Frame<B>, children: &[Child<B>], depth: usize) -> Summary {
    // The mover wants one child with this number at 0.
    let own = usize::from(!frame.node.asks);
    let mut summary = Summary {
        numbers: [0; 2],
        hypotheses: Hypotheses::NONE,
        best: 0,
        second: INFINITE,
    };
    let (mut least, mut most, mut open) = (INFINITE, 0, 0u32);
    for (at, child) in children.iter().enumerate() {
        let number = child.numbers[own];
        if number >= INFINITE {
            summary.hypotheses = summary.hypotheses.and(child.hypotheses);
            continue;
        }
        if number == 0 {
            summary.numbers[1 - own] = INFINITE;
            summary.hypotheses = child.hypotheses.without(depth);
            return summary;
        }
        open += 1;
        most = most.max(child.numbers[1 - own]);
        if number < least {
            summary.second = least;
            least = number;
            summary.best = at;
        } else {
            summary.second = summary.second.min(number);
        }
    }
    if open == 0 {
        summary.numbers[own] = INFINITE;
        summary.hypotheses = summary.hypotheses.without(depth);
    } else {
        summary.numbers[own] = least;
        summary.numbers[1 - own] = (most + (open - 1)).min(INFINITE - 1);
    }
    summary
}

/// How far a frame's best child may be searched before another becomes better, or the frame too
/// hard.
#[inline(always)]
pub fn thresholds_of<B>(frame: &Frame<B>, summary: &Summary, child: [u32; 2]) -> [u32; 2] {
    let own = usize::from(!frame.node.asks);
    let further = summary.second.saturating_add(summary.second / 4 + 1);
    let rest = summary.numbers[1 - own].saturating_sub(child[1 - own]);
    let mut thresholds = [0; 2];
    thresholds[own] = frame.thresholds[own].min(further);
    thresholds[1 - own] = if frame.thresholds[1 - own] >= INFINITE {
        INFINITE
    } else {
        frame.thresholds[1 - own]
            .saturating_sub(rest)
            .max(child[1 - own] + 1)
    };
    thresholds
}
