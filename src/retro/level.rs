//! Owns: a level, the one or two layers that are solved together, and its positions cut into chunks.
//!
//! Positions of a level are numbered through, one layer after the other. A chunk is a run of them
//! that one thread works on at a time; it keeps what its positions need between waves, so that no
//! two threads ever write to the same place and results cannot depend on their number.

use crate::board::Board;
use crate::index::{Index, Layer};
use crate::value::Code;
use std::ops::Range;

/// Positions in a chunk: a multiple of 64, so that chunks own whole words of bit sets, and few
/// enough for a chunk's values to stay in a core's own cache.
pub const CHUNK: usize = 1 << 12;

/// One or two layers whose positions lead to each other.
#[derive(Clone, Debug)]
pub struct Level {
    /// The layers and where each begins in the level's numbering.
    parts: Vec<(Layer, u64)>,
    positions: u64,
}

impl Level {
    /// Numbers the positions of `layers`.
    pub fn new<B: Board>(index: &Index<B>, layers: &[Layer]) -> Self {
        let mut positions = 0;
        let parts = layers
            .iter()
            .map(|&layer| {
                let start = positions;
                positions += index.positions(layer);
                (layer, start)
            })
            .collect();
        Self { parts, positions }
    }

    /// Positions in all its layers.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Its layers and the places of their positions.
    pub fn parts(&self) -> impl Iterator<Item = (Layer, Range<u64>)> + '_ {
        self.parts.iter().enumerate().map(|(i, &(layer, start))| {
            let end = self.parts.get(i + 1).map_or(self.positions, |next| next.1);
            (layer, start..end)
        })
    }

    /// Where `layer` begins, if it belongs to the level.
    #[inline(always)]
    pub fn start(&self, layer: Layer) -> Option<u64> {
        self.parts
            .iter()
            .find(|part| part.0 == layer)
            .map(|part| part.1)
    }
}

/// A position whose value still depends on others of its level.
#[derive(Clone, Copy, Debug)]
pub struct Open {
    /// Its place in the chunk.
    pub at: u16,
    /// The best `upper` that moves out of the level give.
    pub exit_upper: Code,
    /// Where its edges end in the chunk's list; they begin where those of the position before end.
    pub edges_end: u32,
}

/// Set in an edge when the same player moves again.
pub const AGAIN: u32 = 1 << 31;

/// A bound that changed in a wave.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// Its place in the chunk.
    pub at: u16,
    /// Its new codes.
    pub codes: [Code; 2],
}

/// What a run of positions keeps between waves.
#[derive(Clone, Debug, Default)]
pub struct Chunk {
    /// Open positions in order.
    pub open: Vec<Open>,
    /// Successors in the level by number, [`AGAIN`] set where the same player moves again.
    pub edges: Vec<u32>,
    /// What the wave at hand found.
    pub changes: Vec<Change>,
}
