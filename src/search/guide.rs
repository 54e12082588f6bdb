//! Owns: the first guess at proof and disproof numbers.
//!
//! Guidance only: it decides what is looked at first, never what is found.

use super::key::Numbering;
use super::tree::Node;
use crate::board::Board;

/// Proof and disproof number of a position not yet looked at, each at least 1.
///
/// With a score: what the asker lacks against what the other has still to keep. Without: seeds of the
/// other player and of the asker, as a side without seeds has lost.
#[inline(always)]
pub fn numbers<B: Board>(numbering: &Numbering<B>, node: &Node<B>, scored: bool) -> [u32; 2] {
    if scored {
        let (need, stake) = (u32::from(node.need) - 1, u32::from(node.stake));
        return [1 + need, 1 + (stake - need)];
    }
    let (own, other) = numbering.seeds(node.board);
    let (asker, rival) = if node.asks {
        (own, other)
    } else {
        (other, own)
    };
    [1 + rival, 1 + asker]
}
