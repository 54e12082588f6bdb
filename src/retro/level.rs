//! Owns: a level, the one or two layers that are solved together, and its positions cut into chunks.
//!
//! Positions of a level are numbered through, one layer after the other. A chunk is a run of them
//! that one thread works on at a time; it keeps what its positions need between waves, so that no
//! two threads ever write to the same place and results cannot depend on their number.

use crate::board::Board;
use crate::index::{Index, Layer};
use crate::value::Code;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Open {
    /// Its place in the chunk.
    pub at: u16,
    /// The best `upper` that moves out of the level give.
    pub exit_upper: Code,
    /// How many edges it has; they follow those of the open position before.
    pub edges: u8,
}

/// Set in an edge when the same player moves again.
pub const AGAIN: u32 = 1 << 31;

/// A position whose bounds changed in a wave.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// Its place in the chunk.
    pub at: u16,
    /// Its new codes.
    pub codes: [Code; 2],
}

/// What a run of positions keeps between waves.
#[derive(Debug, Default)]
pub struct Chunk {
    /// Open positions in order.
    pub open: Vec<Open>,
    /// Successors of open positions in the level by number, [`AGAIN`] set where the same player moves
    /// again; `None` where there was no room to keep them and every wave finds them anew.
    pub edges: Option<Vec<u32>>,
    /// What the wave at hand found.
    pub changes: Vec<Change>,
}

impl Chunk {
    /// Keeps the edges of its open positions if there is room for them.
    pub fn keep(&mut self, edges: &[u32], room: &Room) {
        self.edges = room.take(bytes(edges.len())).then(|| edges.to_vec());
    }

    /// Drops open positions whose bounds have met, with their edges.
    pub fn drop_settled(&mut self, codes: &[[Code; 2]], room: &Room) {
        let is_open = |open: &Open| {
            let [lower, upper] = codes[usize::from(open.at)];
            lower != upper
        };
        let Some(edges) = &mut self.edges else {
            self.open.retain(is_open);
            return;
        };
        let (mut from, mut kept) = (0, 0);
        self.open.retain(|open| {
            let range = from..from + usize::from(open.edges);
            from = range.end;
            if !is_open(open) {
                return false;
            }
            let count = range.len();
            edges.copy_within(range, kept);
            kept += count;
            true
        });
        edges.truncate(kept);
        // Giving memory back costs a copy: only when there is much of it.
        if kept <= edges.capacity() / 2 {
            let before = edges.capacity();
            edges.shrink_to_fit();
            room.give(bytes(before - edges.capacity()));
        }
    }
}

/// Bytes of so many edges.
fn bytes(edges: usize) -> u64 {
    (edges * size_of::<u32>()) as u64
}

/// Memory that may still be used for edges, shared by all threads.
///
/// Who gets the last of it depends on the order of threads, and no result does: edges that are not
/// kept are found again.
#[derive(Debug)]
pub struct Room(AtomicU64);

impl Room {
    /// Room for so many bytes.
    pub fn new(bytes: u64) -> Self {
        Self(AtomicU64::new(bytes))
    }

    fn take(&self, bytes: u64) -> bool {
        let less = |left: u64| left.checked_sub(bytes);
        let order = Ordering::Relaxed;
        self.0.fetch_update(order, order, less).is_ok()
    }

    fn give(&self, bytes: u64) {
        let more = |left: u64| Some(left.saturating_add(bytes));
        let order = Ordering::Relaxed;
        // Never refused.
        let _ = self.0.fetch_update(order, order, more);
    }
}
