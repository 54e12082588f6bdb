//! Owns: layers, the sets of positions that play can only leave downwards, and their order.

use crate::board::Layering;
use std::fmt;

/// A layer: all positions with so many seeds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Layer {
    /// Seeds on the board.
    Total(u8),
    /// Seeds of the player to move, seeds of the other.
    Sides(u8, u8),
}

impl Layer {
    /// Seeds on the board.
    pub fn seeds(self) -> u32 {
        match self {
            Self::Total(seeds) => u32::from(seeds),
            Self::Sides(own, other) => u32::from(own) + u32::from(other),
        }
    }

    /// The layer that a move without capture leads to.
    pub fn turned(self) -> Self {
        match self {
            Self::Total(_) => self,
            Self::Sides(own, other) => Self::Sides(other, own),
        }
    }

    /// The layer that a move which captures `seeds` leads to.
    #[inline(always)]
    pub fn after_capture(self, seeds: u32) -> Self {
        match self {
            Self::Total(total) => Self::Total(total - seeds as u8),
            Self::Sides(own, other) => Self::Sides(other - seeds as u8, own),
        }
    }

    /// The layers that depend on each other and on this one: itself, and [`Layer::turned`] where that
    /// is another.
    pub fn level(self) -> Vec<Self> {
        match self {
            Self::Sides(own, other) if own != other => {
                vec![
                    Self::Sides(own.max(other), own.min(other)),
                    Self::Sides(own.min(other), own.max(other)),
                ]
            }
            layer => vec![layer],
        }
    }

    /// All levels that play from this layer can come to, each before those that need it; this
    /// layer's own level is the last.
    pub fn levels_below(self, layering: Layering) -> Vec<Vec<Self>> {
        match (self, layering) {
            (Self::Total(seeds), Layering::Total) => {
                (0..=seeds).map(|seeds| vec![Self::Total(seeds)]).collect()
            }
            (Self::Total(_), _) => vec![vec![self]],
            (Self::Sides(own, other), _) => {
                let (more, fewer) = (own.max(other), own.min(other));
                let mut layers: Vec<Self> = (0..=more)
                    .flat_map(|a| (0..=fewer.min(a)).map(move |b| Self::Sides(a, b)))
                    .collect();
                layers.sort_by_key(|layer| (layer.seeds(), *layer));
                layers.into_iter().map(Self::level).collect()
            }
        }
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Total(seeds) => f.pad(&seeds.to_string()),
            Self::Sides(own, other) => f.pad(&format!("{own}-{other}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_comes_after_those_that_it_needs() {
        for (layer, layering) in [
            (Layer::Total(9), Layering::Total),
            (Layer::Total(9), Layering::Constant),
            (Layer::Sides(4, 6), Layering::PerSide),
            (Layer::Sides(3, 3), Layering::PerSide),
            (Layer::Sides(0, 2), Layering::PerSide),
        ] {
            let levels = layer.levels_below(layering);
            assert!(levels.last().unwrap().contains(&layer));
            for (at, level) in levels.iter().enumerate() {
                for &member in level {
                    assert!(level.contains(&member.turned()));
                    let most = match (member, layering) {
                        (_, Layering::Constant) => 0,
                        (Layer::Total(seeds), _) | (Layer::Sides(_, seeds), _) => seeds,
                    };
                    for captured in 1..=u32::from(most) {
                        let below = member.after_capture(captured);
                        assert!(
                            levels[..at].iter().any(|level| level.contains(&below)),
                            "{below}"
                        );
                    }
                }
            }
        }
    }
}
