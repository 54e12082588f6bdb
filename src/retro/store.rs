//! Owns: solved layers in memory, and reading values out of them.
//!
//! Both bounds of a position lie side by side, so that a lookup touches one cache line; distances are
//! apart, because solving the layers above never needs them.

use crate::board::Board;
use crate::game::Game;
use crate::index::{Index, Layer};
use crate::value::{Code, Distance, Value, decode};

/// What is at stake in a layer: the seeds on the board, or one unit in a win-loss game.
pub fn stake<G: Game>(layer: Layer) -> u32 {
    if G::SCORED { layer.seeds() } else { 1 }
}

/// The values of one layer by rank.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LayerValues {
    /// Codes of `lower` and `upper`.
    pub codes: Vec<[Code; 2]>,
    /// Distances of `lower` and `upper`, 0 where the bound is infinite; empty when not kept.
    pub distances: Vec<[Distance; 2]>,
}

impl LayerValues {
    /// The value at `rank` in a layer with `stake` units to be won.
    pub fn value(&self, rank: u64, stake: u32) -> Value {
        let [lower, upper] = self.codes[rank as usize];
        let [lower_distance, upper_distance] =
            self.distances.get(rank as usize).copied().unwrap_or([0, 0]);
        Value {
            lower: decode(lower, stake),
            upper: decode(upper, stake),
            lower_distance,
            upper_distance,
        }
    }
}

/// Finished layers of one game.
#[derive(Debug)]
pub struct Store<B: Board> {
    index: Index<B>,
    side: usize,
    layers: Vec<Option<LayerValues>>,
}

impl<B: Board> Store<B> {
    /// An empty store for the layers that `index` covers, up to `top`.
    pub fn new(index: Index<B>, top: Layer) -> Self {
        let side = 1 + match top {
            Layer::Total(seeds) => usize::from(seeds),
            Layer::Sides(own, other) => usize::from(own.max(other)),
        };
        let slots = match top {
            Layer::Total(_) => side,
            Layer::Sides(..) => side * side,
        };
        Self {
            index,
            side,
            layers: vec![None; slots],
        }
    }

    /// How positions are numbered.
    pub fn index(&self) -> &Index<B> {
        &self.index
    }

    /// Where a layer is kept.
    #[inline(always)]
    fn slot(&self, layer: Layer) -> usize {
        match layer {
            Layer::Total(seeds) => usize::from(seeds),
            Layer::Sides(own, other) => usize::from(own) * self.side + usize::from(other),
        }
    }

    /// Keeps the values of a layer.
    pub fn insert(&mut self, layer: Layer, values: LayerValues) {
        let slot = self.slot(layer);
        self.layers[slot] = Some(values);
    }

    /// The values of a layer, if it is finished.
    #[inline(always)]
    pub fn layer(&self, layer: Layer) -> Option<&LayerValues> {
        self.layers.get(self.slot(layer))?.as_ref()
    }

    /// The value of a board, if its layer is finished.
    pub fn value<G: Game<Board = B>>(&self, board: B) -> Option<Value> {
        let layer = self.index.layer(board);
        let values = self.layer(layer)?;
        Some(values.value(self.index.rank(board), stake::<G>(layer)))
    }
}
