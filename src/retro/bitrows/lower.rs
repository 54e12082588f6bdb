//! Owns: finished layers as two bits a position, turned so that captures find what they need in one
//! row.
//!
//! A capture keeps the mover's new side and lands in layers that differ in the opponent's seeds
//! alone. So a finished layer is kept with the side that does not move as row: all lookups of a row
//! being solved go to one row of each lower layer.

use crate::index::Layer;

/// Won and lost positions of a finished layer: row = configuration of the side not to move, column =
/// configuration of the side to move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LayerBits {
    rows: usize,
    columns: usize,
    stride: usize,
    won: Vec<u64>,
    lost: Vec<u64>,
}

impl LayerBits {
    /// A layer with nothing won or lost.
    pub fn new(rows: usize, columns: usize) -> Self {
        let stride = columns.div_ceil(64);
        Self {
            rows,
            columns,
            stride,
            won: vec![0; rows * stride],
            lost: vec![0; rows * stride],
        }
    }

    /// Ways to place the seeds of the side not to move.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Ways to place the mover's seeds.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Words of a row.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// The positions that the mover wins with the other side at `row`.
    #[inline(always)]
    pub fn won(&self, row: usize) -> &[u64] {
        &self.won[row * self.stride..(row + 1) * self.stride]
    }

    /// The positions that the mover loses with the other side at `row`.
    #[inline(always)]
    pub fn lost(&self, row: usize) -> &[u64] {
        &self.lost[row * self.stride..(row + 1) * self.stride]
    }

    /// Both planes, to be filled in: won, lost.
    pub fn planes_mut(&mut self) -> [&mut [u64]; 2] {
        [&mut self.won, &mut self.lost]
    }

    /// Column and row of the position at `rank` in the order of [`crate::index`].
    fn place(&self, rank: u64) -> (usize, usize) {
        let rows = self.rows as u64;
        ((rank / rows) as usize, (rank % rows) as usize)
    }

    /// Adds the position at `rank` in the order of [`crate::index`] to the won ones, the lost ones, or
    /// both.
    pub fn add(&mut self, rank: u64, won: bool, lost: bool) {
        let (column, row) = self.place(rank);
        let at = row * self.stride + column / 64;
        self.won[at] |= u64::from(won) << (column % 64);
        self.lost[at] |= u64::from(lost) << (column % 64);
    }

    /// Whether the position at `rank` in the order of [`crate::index`] is won and lost.
    #[inline(always)]
    pub fn at(&self, rank: u64) -> (bool, bool) {
        let (column, row) = self.place(rank);
        let bit = |words: &[u64]| words[column / 64] >> (column % 64) & 1 == 1;
        (bit(self.won(row)), bit(self.lost(row)))
    }

    /// Numbers of positions won and lost.
    pub fn count(&self) -> [u64; 2] {
        let count = |words: &[u64]| words.iter().map(|word| u64::from(word.count_ones())).sum();
        [count(&self.won), count(&self.lost)]
    }

    /// Number of positions won here and lost there, and lost here and won there.
    pub fn count_crossed(&self, other: &Self) -> [u64; 2] {
        let both = |a: &[u64], b: &[u64]| {
            let words = a.iter().zip(b);
            words.map(|(a, b)| u64::from((a & b).count_ones())).sum()
        };
        [both(&self.won, &other.lost), both(&self.lost, &other.won)]
    }

    /// Bytes of both planes.
    pub fn bytes(&self) -> u64 {
        (self.won.len() + self.lost.len()) as u64 * 8
    }
}

/// Where finished layers come from.
pub trait LowerBits: Sync {
    /// A finished layer.
    fn layer(&self, layer: Layer) -> Option<&LayerBits>;
}

/// Finished layers in memory.
#[derive(Clone, Debug, Default)]
pub struct BitStore {
    layers: std::collections::BTreeMap<Layer, LayerBits>,
}

impl BitStore {
    /// Keeps a layer.
    pub fn insert(&mut self, layer: Layer, bits: LayerBits) {
        self.layers.insert(layer, bits);
    }

    /// Drops the layers that do not pass `keep`.
    pub fn retain(&mut self, keep: impl Fn(Layer) -> bool) {
        self.layers.retain(|&layer, _| keep(layer));
    }

    /// Bytes of all layers.
    pub fn bytes(&self) -> u64 {
        self.layers.values().map(LayerBits::bytes).sum()
    }
}

impl LowerBits for BitStore {
    fn layer(&self, layer: Layer) -> Option<&LayerBits> {
        self.layers.get(&layer)
    }
}
