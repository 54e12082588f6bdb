//! Owns: the distances of many positions in as little memory as they need.
//!
//! Hardly any distance is past 255, but a table must hold those that are: a second byte for all is
//! made when the first of them comes.

use super::Distance;

/// Distances of both bounds of many positions, 0 where a bound is infinite.
#[derive(Clone, Debug, Default)]
pub struct Distances {
    low: Vec<[u8; 2]>,
    /// As long as `low`, or empty as long as all of it is 0.
    high: Vec<[u8; 2]>,
}

/// A run of [`Distances`] that one thread writes to.
#[derive(Debug)]
pub struct DistancesMut<'a> {
    low: &'a mut [[u8; 2]],
    high: Option<&'a mut [[u8; 2]]>,
}

#[inline(always)]
fn join(low: [u8; 2], high: [u8; 2]) -> [Distance; 2] {
    [0, 1].map(|bound| Distance::from_le_bytes([low[bound], high[bound]]))
}

impl Distances {
    /// Bytes a position as long as every distance fits one.
    pub const NARROW: u64 = 2;

    /// All 0, for `positions` positions.
    pub fn zeros(positions: usize) -> Self {
        Self {
            low: vec![[0; 2]; positions],
            high: Vec::new(),
        }
    }

    /// Positions.
    pub fn len(&self) -> usize {
        self.low.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.low.is_empty()
    }

    /// The distances of `lower` and `upper` at a place below [`Distances::len`].
    #[inline(always)]
    pub fn get(&self, at: usize) -> [Distance; 2] {
        join(self.low[at], self.high.get(at).copied().unwrap_or_default())
    }

    /// The lower bytes of all, and the upper ones unless all of them are 0.
    pub fn planes(&self) -> [&[[u8; 2]]; 2] {
        [&self.low, &self.high]
    }

    /// Undoes [`Distances::planes`]; `None` when the lengths do not fit.
    pub fn from_planes(low: Vec<[u8; 2]>, high: Vec<[u8; 2]>) -> Option<Self> {
        (high.is_empty() || high.len() == low.len()).then_some(Self { low, high })
    }

    /// All in order.
    pub fn iter(&self) -> impl Iterator<Item = [Distance; 2]> + '_ {
        (0..self.len()).map(|at| self.get(at))
    }

    /// Makes room for distances past 255. Without it their upper byte is lost.
    pub fn widen(&mut self) {
        self.high.resize(self.low.len(), [0; 2]);
    }

    /// Sets both distances at a place, making room where need be.
    pub fn set(&mut self, at: usize, distances: [Distance; 2]) {
        if distances.iter().any(|&distance| distance > 255) {
            self.widen();
        }
        let whole = self.chunks_mut(self.len().max(1)).next();
        if let Some(mut whole) = whole {
            whole.set(at, 0, distances[0]);
            whole.set(at, 1, distances[1]);
        }
    }

    /// Cuts all into runs of `size` positions, the last one perhaps shorter.
    pub fn chunks_mut(&mut self, size: usize) -> impl Iterator<Item = DistancesMut<'_>> {
        let mut high = self.high.chunks_mut(size);
        self.low.chunks_mut(size).map(move |low| DistancesMut {
            low,
            high: high.next(),
        })
    }

    /// Cuts off the positions from `at` on; all of them without a copy.
    pub fn split_off(&mut self, at: usize) -> Self {
        if at == 0 {
            return std::mem::take(self);
        }
        Self {
            low: self.low.split_off(at),
            high: self.high.split_off(at.min(self.high.len())),
        }
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> u64 {
        2 * (self.low.len() + self.high.len()) as u64
    }
}

impl DistancesMut<'_> {
    /// Sets the distance of bound 0 (`lower`) or 1 (`upper`) at a place of the run.
    #[inline(always)]
    pub fn set(&mut self, at: usize, bound: usize, distance: Distance) {
        let [low, high] = distance.to_le_bytes();
        self.low[at][bound] = low;
        if let Some(room) = &mut self.high {
            room[at][bound] = high;
        }
    }
}

impl PartialEq for Distances {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Distances {}

impl FromIterator<[Distance; 2]> for Distances {
    fn from_iter<I: IntoIterator<Item = [Distance; 2]>>(distances: I) -> Self {
        let mut out = Self::default();
        for distances in distances {
            let [lower, upper] = distances.map(Distance::to_le_bytes);
            let high = [lower[1], upper[1]];
            if high != [0; 2] && out.high.is_empty() {
                out.widen();
            }
            if !out.high.is_empty() || high != [0; 2] {
                out.high.push(high);
            }
            out.low.push([lower[0], upper[0]]);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_comes_out() {
        for wide_at in [None, Some(0), Some(3), Some(6)] {
            let all: Vec<[Distance; 2]> = (0..7)
                .map(|at| {
                    let wide = if wide_at == Some(at) {
                        255 * at + 300
                    } else {
                        0
                    };
                    [at as Distance, wide as Distance]
                })
                .collect();
            let collected: Distances = all.iter().copied().collect();
            assert!(collected.iter().eq(all.iter().copied()), "{wide_at:?}");
            let mut set = Distances::zeros(all.len());
            for (at, &distances) in all.iter().enumerate() {
                set.set(at, distances);
            }
            assert_eq!(set, collected);
            assert_eq!(set.bytes(), if wide_at.is_some() { 28 } else { 14 });
            let [low, high] = set.planes().map(<[_]>::to_vec);
            assert_eq!(Distances::from_planes(low, high).as_ref(), Some(&set));
            let tail = set.split_off(4);
            assert!(set.iter().chain(tail.iter()).eq(all));
        }
    }

    #[test]
    fn the_width_is_no_difference() {
        let mut wide = Distances::zeros(3);
        wide.widen();
        assert_eq!(wide, Distances::zeros(3));
        assert_ne!(wide, Distances::zeros(4));
    }
}
