//! Owns: layers of positions, their sizes, and the number (rank) of every position in its layer.
//!
//! Ranks come from the seeds alone, never from the rules. One ring: its own order, South's view
//! before North's where the seats differ. Two rings: by the mover's seeds (ascending, where the layer
//! leaves them open), then the mover's ring, then the opponent's, so that a layer with fixed sides is
//! a matrix with the mover's side as row. The order is part of the table format: [`ORDER`] names it.

mod layer;
mod ring;

pub use layer::Layer;
pub use ring::RingIndex;

use crate::board::{Board, Lanes, Layering, Shape};
use num_bigint::BigUint;
use ring::ways;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

/// Names the order of ranks, for the fingerprint in tables.
pub const ORDER: &str = "colex-prefix-sums/1";

/// A layer with more positions than can be numbered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TooLarge {
    /// The layer.
    pub layer: Layer,
    /// Its positions.
    pub positions: BigUint,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "layer {} has {} positions, more than the 2^64 that can be numbered; use search, or a smaller board",
            self.layer, self.positions
        )
    }
}

impl std::error::Error for TooLarge {}

/// Exact number of positions in a layer, whatever its size.
pub fn count(shape: Shape, layer: Layer) -> BigUint {
    let pits = shape.pits as u64;
    match (layer, shape.layering) {
        (Layer::Sides(own, other), _) => ways(own.into(), pits) * ways(other.into(), pits),
        (Layer::Total(seeds), Layering::Constant) => ways(seeds.into(), 2 * pits),
        (Layer::Total(seeds), _) => ways(seeds.into(), pits) * shape.seats,
    }
}

/// Numbers the positions of all layers up to some number of seeds.
#[derive(Clone, Debug)]
pub struct Index<B: Board> {
    shape: Shape,
    ring: RingIndex<B::Word>,
    /// Where the positions with `a` seeds on the mover's side begin in the layer of `n` seeds in all,
    /// at `n * (most + 1) + a`; only with two rings and an open split.
    splits: Vec<u64>,
    most: u32,
    board: PhantomData<B>,
}

impl<B: Board> Index<B> {
    /// An index for `layer` and everything below it.
    ///
    /// # Errors
    /// When the layer has more than 2^64 positions.
    pub fn new(shape: Shape, layer: Layer) -> Result<Self, TooLarge> {
        let positions = count(shape, layer);
        let most = match layer {
            Layer::Total(seeds) => u32::from(seeds),
            Layer::Sides(own, other) => u32::from(own.max(other)),
        };
        let ring = RingIndex::new(shape.pits, most).filter(|_| positions.bits() <= 64);
        let Some(ring) = ring else {
            return Err(TooLarge { layer, positions });
        };
        let mut splits = Vec::new();
        if B::RINGS == 2 && matches!(layer, Layer::Total(_)) {
            for seeds in 0..=most {
                let mut start = 0;
                for own in 0..=most {
                    splits.push(start);
                    if own <= seeds {
                        start += ring.ways(own) * ring.ways(seeds - own);
                    }
                }
            }
        }
        Ok(Self {
            shape,
            ring,
            splits,
            most,
            board: PhantomData,
        })
    }

    /// The geometry of the boards numbered.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Ranks of single rings.
    pub fn ring(&self) -> &RingIndex<B::Word> {
        &self.ring
    }

    /// Number of positions in a layer that the index was made for.
    pub fn positions(&self, layer: Layer) -> u64 {
        match layer {
            Layer::Sides(own, other) => self.ring.ways(own.into()) * self.ring.ways(other.into()),
            Layer::Total(seeds) if B::RINGS == 2 => (0..=u32::from(seeds))
                .map(|own| self.ring.ways(own) * self.ring.ways(u32::from(seeds) - own))
                .sum(),
            Layer::Total(seeds) => self.ring.ways(seeds.into()) * self.shape.seats as u64,
        }
    }

    /// The layer of a board.
    #[inline(always)]
    pub fn layer(&self, board: B) -> Layer {
        let own = self.ring.seeds(board.ring(0));
        if B::RINGS == 1 {
            return Layer::Total(own as u8);
        }
        let other = self.ring.seeds(board.ring(1));
        match self.shape.layering {
            Layering::PerSide => Layer::Sides(own as u8, other as u8),
            _ => Layer::Total((own + other) as u8),
        }
    }

    /// The place of a board in its layer.
    #[inline(always)]
    pub fn rank(&self, board: B) -> u64 {
        let first = self.ring.rank(board.ring(0));
        if B::RINGS == 1 {
            if self.shape.seats == 1 {
                return first;
            }
            let seat = board.ring(0).get(self.shape.pits);
            let seeds = self.ring.seeds(board.ring(0));
            return first + u64::from(seat) * self.ring.ways(seeds);
        }
        let other = self.ring.seeds(board.ring(1));
        let inner = first * self.ring.ways(other) + self.ring.rank(board.ring(1));
        match self.shape.layering {
            Layering::PerSide => inner,
            _ => {
                let own = self.ring.seeds(board.ring(0));
                inner + self.splits[((own + other) * (self.most + 1) + own) as usize]
            }
        }
    }

    /// The board at place `rank` of `layer`, which is below [`Index::positions`].
    pub fn unrank(&self, layer: Layer, rank: u64) -> B {
        let (own, other, rank) = match layer {
            Layer::Sides(own, other) => (u32::from(own), u32::from(other), rank),
            Layer::Total(seeds) if B::RINGS == 1 => {
                let seeds = u32::from(seeds);
                let (seat, rank) = (rank / self.ring.ways(seeds), rank % self.ring.ways(seeds));
                let ring = self.ring.unrank(rank, seeds);
                let ring = if seat == 1 {
                    ring.plus(self.shape.pits, 1)
                } else {
                    ring
                };
                return B::from_rings([ring, Lanes::EMPTY]);
            }
            Layer::Total(seeds) => {
                let seeds = u32::from(seeds);
                let row = (seeds * (self.most + 1)) as usize;
                let starts = &self.splits[row..=row + seeds as usize];
                let own = starts.partition_point(|&start| start <= rank) - 1;
                (own as u32, seeds - own as u32, rank - starts[own])
            }
        };
        let width = self.ring.ways(other);
        B::from_rings([
            self.ring.unrank(rank / width, own),
            self.ring.unrank(rank % width, other),
        ])
    }

    /// The boards of `layer` at the places in `range`, in order.
    pub fn walk(&self, layer: Layer, range: Range<u64>) -> Walk<'_, B> {
        Walk {
            index: self,
            layer,
            at: range.start,
            end: range.end.min(self.positions(layer)),
            board: None,
        }
    }

    /// The board after `board` in its layer, where it is cheaper to step than to unrank.
    #[inline(always)]
    fn step(&self, board: B) -> Option<B> {
        if B::RINGS == 1 {
            return self
                .ring
                .next(board.ring(0))
                .map(|ring| B::from_rings([ring, Lanes::EMPTY]));
        }
        let next = self.ring.next(board.ring(1));
        next.map(|other| B::from_rings([board.ring(0), other]))
    }
}

/// The layer of a board, without an index.
pub fn layer_of<B: Board>(shape: Shape, board: B) -> Layer {
    let seeds = |ring: usize| {
        (0..shape.pits)
            .map(|pit| board.ring(ring).get(pit))
            .sum::<u32>() as u8
    };
    match (B::RINGS, shape.layering) {
        (1, _) => Layer::Total(seeds(0)),
        (_, Layering::PerSide) => Layer::Sides(seeds(0), seeds(1)),
        _ => Layer::Total(seeds(0) + seeds(1)),
    }
}

/// Boards of a layer in the order of their ranks.
#[derive(Clone, Debug)]
pub struct Walk<'a, B: Board> {
    index: &'a Index<B>,
    layer: Layer,
    at: u64,
    end: u64,
    board: Option<B>,
}

impl<B: Board> Iterator for Walk<'_, B> {
    type Item = B;

    #[inline(always)]
    fn next(&mut self) -> Option<B> {
        if self.at >= self.end {
            return None;
        }
        let stepped = self.board.and_then(|board| self.index.step(board));
        let board = stepped.unwrap_or_else(|| self.index.unrank(self.layer, self.at));
        self.board = Some(board);
        self.at += 1;
        Some(board)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = (self.end - self.at.min(self.end)) as usize;
        (left, Some(left))
    }
}

impl<B: Board> ExactSizeIterator for Walk<'_, B> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{OneRing, P64x6, TwoRings};

    fn walk_is_rank_order<B: Board>(shape: Shape, top: Layer) {
        let index = Index::<B>::new(shape, top).unwrap();
        for layer in top.levels_below(shape.layering).into_iter().flatten() {
            assert_eq!(BigUint::from(index.positions(layer)), count(shape, layer));
            let mut number = 0;
            for board in index.walk(layer, 0..u64::MAX) {
                assert_eq!(index.rank(board), number);
                assert_eq!(index.unrank(layer, number), board);
                assert_eq!(index.layer(board), layer);
                assert_eq!(layer_of(shape, board), layer);
                number += 1;
            }
            assert_eq!(number, index.positions(layer));
            let from = number / 3;
            assert!(
                index
                    .walk(layer, from..number)
                    .eq(index.walk(layer, 0..number).skip(from as usize))
            );
        }
    }

    #[test]
    fn every_layer_is_numbered_without_gaps() {
        let shape = |pits, seats, layering| Shape {
            pits,
            seats,
            layering,
        };
        for pits in 1..=6 {
            for seats in 1..=2 {
                walk_is_rank_order::<OneRing<P64x6>>(
                    shape(pits, seats, Layering::Total),
                    Layer::Total(7),
                );
            }
        }
        walk_is_rank_order::<TwoRings<P64x6>>(shape(4, 1, Layering::Constant), Layer::Total(6));
        walk_is_rank_order::<TwoRings<P64x6>>(shape(4, 1, Layering::PerSide), Layer::Sides(4, 5));
        walk_is_rank_order::<TwoRings<P64x6>>(shape(6, 1, Layering::PerSide), Layer::Sides(3, 2));
    }

    #[test]
    fn a_layer_past_64_bits_shows_its_count() {
        let shape = Shape {
            pits: 32,
            seats: 1,
            layering: Layering::Constant,
        };
        let error =
            Index::<TwoRings<crate::board::P256x8>>::new(shape, Layer::Total(96)).unwrap_err();
        assert_eq!(error.positions, ring::binomial(159, 63));
        assert!(error.to_string().contains(&error.positions.to_string()));
    }
}
