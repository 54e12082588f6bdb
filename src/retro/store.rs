//! Owns: solved layers in memory, and reading values out of them.
//!
//! Both bounds of a position lie side by side, so that a lookup touches one cache line; distances are
//! apart, because solving the layers above never needs them.

use crate::board::Board;
use crate::game::Game;
use crate::index::{Index, Layer};
use crate::value::{Code, Distance, Distances, Value, decode};
use std::fmt;
use std::ops::Deref;

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
    pub distances: Distances,
}

impl LayerValues {
    /// The value at `rank` in a layer with `stake` units to be won.
    pub fn value(&self, rank: u64, stake: u32) -> Value {
        let distances = &self.distances;
        let kept = |rank: usize| (!distances.is_empty()).then(|| distances.get(rank));
        value(self.codes[rank as usize], kept(rank as usize), stake)
    }
}

/// The value with these codes and, where they are kept, distances.
fn value(codes: [Code; 2], distances: Option<[Distance; 2]>, stake: u32) -> Value {
    let [lower, upper] = codes;
    let [lower_distance, upper_distance] = distances.unwrap_or_default();
    Value {
        lower: decode(lower, stake),
        upper: decode(upper, stake),
        lower_distance,
        upper_distance,
    }
}

/// Codes of a whole layer that somebody else keeps, such as a file mapped into memory.
pub type Lent = Box<dyn Deref<Target = [[Code; 2]]> + Send + Sync>;

/// A finished layer.
enum Kept {
    Own(LayerValues),
    Lent(Lent),
}

impl Kept {
    #[inline(always)]
    fn codes(&self) -> &[[Code; 2]] {
        match self {
            Self::Own(values) => &values.codes,
            Self::Lent(codes) => codes,
        }
    }
}

/// Finished layers of one game.
pub struct Store<B: Board> {
    index: Index<B>,
    side: usize,
    layers: Vec<Option<Kept>>,
}

impl<B: Board> fmt::Debug for Store<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let finished = self.layers.iter().flatten().count();
        write!(f, "Store of {finished} layers")
    }
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
            layers: (0..slots).map(|_| None).collect(),
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
        self.layers[slot] = Some(Kept::Own(values));
    }

    /// Reads the codes of a layer from where they are kept, from now on.
    pub fn lend(&mut self, layer: Layer, codes: Lent) {
        let slot = self.slot(layer);
        self.layers[slot] = Some(Kept::Lent(codes));
    }

    #[inline(always)]
    fn kept(&self, layer: Layer) -> Option<&Kept> {
        self.layers.get(self.slot(layer))?.as_ref()
    }

    /// The values of a layer, if it is finished and kept here.
    pub fn layer(&self, layer: Layer) -> Option<&LayerValues> {
        match self.kept(layer)? {
            Kept::Own(values) => Some(values),
            Kept::Lent(_) => None,
        }
    }

    /// The codes of a layer by rank, if it is finished.
    #[inline(always)]
    pub fn codes(&self, layer: Layer) -> Option<&[[Code; 2]]> {
        Some(self.kept(layer)?.codes())
    }

    /// The value of a board, if its layer is finished; distances are 0 where they are not kept.
    pub fn value<G: Game<Board = B>>(&self, board: B) -> Option<Value> {
        let layer = self.index.layer(board);
        if let Layer::Sides(own, other) = layer {
            // Their slots would be those of other layers.
            if usize::from(own.max(other)) >= self.side {
                return None;
            }
        }
        let kept = self.kept(layer)?;
        let (rank, stake) = (self.index.rank(board), stake::<G>(layer));
        Some(match kept {
            Kept::Own(values) => values.value(rank, stake),
            Kept::Lent(codes) => value(codes[rank as usize], None, stake),
        })
    }
}
