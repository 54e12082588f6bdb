//! Owns: the captures of a layer, looked up once in finished lower layers.
//!
//! For a row and one of its moves that can capture, the values needed lie in one row of each lower
//! layer. They are spread to a byte a position, small enough for a core's own cache, and the list
//! of the landing is followed through that table: one read, one shift and one "or" for each capture.
//! Won and drawn lie side by side in two bits until the row is done.

use super::facing::{Facing, GROUP, Taken};
use super::grid::{BLOCK, Grid, Row, WORDS};
use super::lower::LayerBits;
use super::machine::Kernel;
use super::side::SideMoves;

/// A looked-up position is lost for the player who is then to move.
const LOST: u64 = 1;
/// A looked-up position keeps the capture from counting among moves that lose.
const HELD: u64 = 2;

/// Byte `i` is bit `i` of the index.
const SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte] |= (byte as u64 >> bit & 1) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// What captures give to the rows of one block, in one stripe: rows with a capture that does not
/// lose although it does not win either.
pub type Held = (u64, Vec<Row>);

/// Working memory of one thread.
#[derive(Debug, Default)]
pub struct Looked {
    values: Vec<u8>,
    pairs: Vec<u64>,
}

/// One block of rows of a layer.
pub struct Gather<'a, 'b> {
    /// Size of the layer.
    pub grid: Grid,
    /// Number of the block.
    pub block: usize,
    /// Moves of the rows.
    pub side: &'a SideMoves,
    /// Captures from the columns.
    pub facing: &'a Facing,
    /// The lower layers by the seeds left to the columns' side, which is then to move.
    pub lower: &'a [&'a LayerBits],
    /// Whether a position may be both won and lost here (see [`super::Ask::End`]): then a capture is
    /// held by everything that is not won, else only by what is neither.
    pub crossed: bool,
    /// Working memory.
    pub looked: &'a mut Looked,
    /// The block's rows in every stripe, to be filled with the captures that win.
    pub wins: &'a mut [&'b mut [Row]],
}

impl Kernel for Gather<'_, '_> {
    type Output = Vec<Held>;

    #[inline(always)]
    fn run(mut self) -> Vec<Held> {
        let mut held = vec![(0, Vec::new()); self.grid.stripes()];
        let first = self.block * BLOCK;
        self.looked.values.resize(self.facing.places(), 0);
        self.looked.pairs.resize(self.grid.stripes() * 2 * WORDS, 0);
        for row in first..self.grid.rows.min(first + BLOCK) {
            let mut any = false;
            for step in self.side.steps(row) {
                if step.landing() > 0 {
                    self.look_up(step.to());
                    self.follow(step.landing());
                    any = true;
                }
            }
            if any {
                self.write(row - first, &mut held);
            }
        }
        held
    }
}

impl Gather<'_, '_> {
    /// Spreads the values of all positions that captures with the mover's new side at `row` can lead
    /// to.
    #[inline(always)]
    fn look_up(&mut self, row: usize) {
        for (seeds, layer) in self.lower.iter().enumerate() {
            let to = &mut self.looked.values[self.facing.start(seeds)..];
            let words = layer.won(row).iter().zip(layer.lost(row));
            for ((won, lost), to) in words.zip(to.as_chunks_mut::<64>().0) {
                let held = if self.crossed { !won } else { !(won | lost) };
                for (i, to) in to.as_chunks_mut::<8>().0.iter_mut().enumerate() {
                    let (lost, held) = ((lost >> (8 * i)) as u8, (held >> (8 * i)) as u8);
                    let eight = SPREAD[usize::from(lost)] * LOST + SPREAD[usize::from(held)] * HELD;
                    *to = eight.to_le_bytes();
                }
            }
        }
    }

    /// Adds the looked-up values of every column where `landing` captures.
    #[inline(always)]
    fn follow(&mut self, landing: usize) {
        let values = &self.looked.values[..];
        let value = |taken: &Taken| u64::from(values[taken.place()]) << taken.shift();
        for (group, columns) in self.facing.groups(landing) {
            let mut all = 0;
            for taken in columns {
                all |= value(taken);
            }
            self.looked.pairs[group] |= all;
        }
    }

    /// Parts won from held and writes the row out.
    #[inline(always)]
    fn write(&mut self, i: usize, held: &mut [Held]) {
        let stripes = self.looked.pairs.chunks_exact_mut(2 * WORDS);
        for ((pairs, wins), held) in stripes.zip(self.wins.iter_mut()).zip(held) {
            let part = |low: u64, high: u64| even_bits(low) | even_bits(high) << GROUP;
            wins[i] = Row(std::array::from_fn(|w| {
                part(pairs[2 * w], pairs[2 * w + 1])
            }));
            let held_row = Row(std::array::from_fn(|w| {
                part(pairs[2 * w] >> 1, pairs[2 * w + 1] >> 1)
            }));
            if !held_row.is_empty() {
                held.0 |= 1 << i;
                held.1.push(held_row);
            }
            pairs.fill(0);
        }
    }
}

/// The bits in even places, moved together.
#[inline(always)]
fn even_bits(word: u64) -> u64 {
    let mut word = word & 0x5555_5555_5555_5555;
    word = (word | word >> 1) & 0x3333_3333_3333_3333;
    word = (word | word >> 2) & 0x0F0F_0F0F_0F0F_0F0F;
    word = (word | word >> 4) & 0x00FF_00FF_00FF_00FF;
    word = (word | word >> 8) & 0x0000_FFFF_0000_FFFF;
    (word | word >> 16) & 0x0000_0000_FFFF_FFFF
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_bits_keep_their_order() {
        let word = 0xDEAD_BEEF_0123_4567u64;
        for i in 0..32 {
            assert_eq!(even_bits(word) >> i & 1, word >> (2 * i) & 1);
        }
        assert_eq!(even_bits(word) >> 32, 0);
    }

    #[test]
    fn spread_is_a_byte_a_bit() {
        for (byte, spread) in SPREAD.iter().enumerate() {
            for bit in 0..8 {
                assert_eq!(spread >> (8 * bit) & 0xFF, byte as u64 >> bit & 1);
            }
        }
    }
}
