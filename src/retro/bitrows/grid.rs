//! Owns: how a set of positions lies in memory, and sets of which only few rows are not empty.
//!
//! A matrix of bits is cut into stripes of 512 columns, and a stripe's rows follow each other, one
//! cache line each. Whatever a wave does to a stripe stays in that stripe: it walks memory from one
//! end to the other, and the rows that it jumps between fit a core's own or the shared cache.
//! Rows are handled 64 at a time (a block), which is what a transpose turns into words.

/// Columns of a stripe.
pub const STRIPE: usize = 512;
/// Words of a row of a stripe.
pub const WORDS: usize = STRIPE / 64;
/// Rows of a block.
pub const BLOCK: usize = 64;

/// One row of a stripe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Row(pub [u64; WORDS]);

impl Row {
    /// No position.
    pub const EMPTY: Self = Self([0; WORDS]);

    /// Whether it holds no position.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// Both, word by word.
    #[inline(always)]
    pub fn and(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    /// Either, word by word.
    #[inline(always)]
    pub fn or(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    /// This without the other, word by word.
    #[inline(always)]
    pub fn without(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }
}

/// The size of a matrix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grid {
    /// Rows that stand for something.
    pub rows: usize,
    /// Columns that stand for something.
    pub columns: usize,
}

impl Grid {
    /// Blocks of rows.
    #[inline(always)]
    pub fn blocks(self) -> usize {
        self.rows.div_ceil(BLOCK)
    }

    /// Rows with the padding of the last block.
    #[inline(always)]
    pub fn padded_rows(self) -> usize {
        self.blocks() * BLOCK
    }

    /// Stripes of columns.
    #[inline(always)]
    pub fn stripes(self) -> usize {
        self.columns.div_ceil(STRIPE)
    }

    /// The columns of a stripe that stand for something.
    pub fn columns_of(self, stripe: usize) -> Row {
        Row(std::array::from_fn(|i| {
            let left = self
                .columns
                .saturating_sub(stripe * STRIPE + i * 64)
                .min(64);
            if left == 64 {
                u64::MAX
            } else {
                (1 << left) - 1
            }
        }))
    }

    /// Bytes of one whole set.
    pub fn bytes(self) -> u64 {
        (self.padded_rows() * self.stripes()) as u64 * size_of::<Row>() as u64
    }
}

/// Rows of one stripe of which only those that are not empty are kept.
#[derive(Clone, Debug, Default)]
pub struct SparseRows {
    /// For every block, which of its rows are there.
    masks: Vec<u64>,
    /// For every block, where its rows begin.
    starts: Vec<u32>,
    rows: Vec<Row>,
}

impl SparseRows {
    /// No rows, with room for so many.
    pub fn with_room(rows: usize) -> Self {
        Self {
            rows: crate::retro::memory::room(rows),
            ..Self::default()
        }
    }

    /// The rows of all blocks, each given by which are there, in as little memory as they need.
    pub fn packed(blocks: &[(u64, Vec<Row>)]) -> Self {
        let mut packed = Self {
            masks: Vec::with_capacity(blocks.len()),
            starts: Vec::with_capacity(blocks.len()),
            rows: Vec::with_capacity(blocks.iter().map(|(_, rows)| rows.len()).sum()),
        };
        for (mask, rows) in blocks {
            packed.masks.push(*mask);
            packed.starts.push(packed.rows.len() as u32);
            packed.rows.extend_from_slice(rows);
        }
        packed
    }

    /// Forgets all rows and keeps the memory.
    pub fn clear(&mut self) {
        self.masks.clear();
        self.starts.clear();
        self.rows.clear();
    }

    /// Begins the next block; its rows are pushed after this.
    #[inline(always)]
    pub fn begin_block(&mut self) {
        self.masks.push(0);
        self.starts.push(self.rows.len() as u32);
    }

    /// Appends row `i` of the block begun last; rows come in ascending order.
    #[inline(always)]
    pub fn push(&mut self, i: usize, row: Row) {
        if let Some(mask) = self.masks.last_mut() {
            *mask |= 1 << i;
            self.rows.push(row);
        }
    }

    /// Whether no row is there.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// All rows that are there.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Which rows of a block are there, and those rows.
    #[inline(always)]
    pub fn block(&self, block: usize) -> (u64, &[Row]) {
        let Some(&mask) = self.masks.get(block) else {
            return (0, &[]);
        };
        let start = self.starts[block] as usize;
        (mask, &self.rows[start..start + mask.count_ones() as usize])
    }

    /// Row `i` of a block, empty where it is not there.
    #[inline(always)]
    pub fn row(&self, block: usize, i: usize) -> Row {
        let Some(&mask) = self.masks.get(block) else {
            return Row::EMPTY;
        };
        if mask >> i & 1 == 0 {
            return Row::EMPTY;
        }
        let before = (mask & ((1 << i) - 1)).count_ones() as usize;
        self.rows[self.starts[block] as usize + before]
    }
}

/// The numbers of the one bits, ascending.
///
/// An iterator and not a function that takes a closure: loop bodies must be compiled in place, see
/// [`super::machine::Kernel`].
#[derive(Clone, Copy, Debug)]
pub struct Ones(pub u64);

impl Iterator for Ones {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let at = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stripe_holds_only_its_columns() {
        let grid = Grid {
            rows: 65,
            columns: 513 + 64,
        };
        assert_eq!(
            (grid.blocks(), grid.padded_rows(), grid.stripes()),
            (2, 128, 2)
        );
        assert_eq!(grid.columns_of(0), Row([u64::MAX; WORDS]));
        let mut last = Row::EMPTY;
        last.0[0] = u64::MAX;
        last.0[1] = 1;
        assert_eq!(grid.columns_of(1), last);
        assert_eq!(grid.bytes(), 128 * 2 * 64);
    }

    #[test]
    fn sparse_rows_come_back() {
        let mut sparse = SparseRows::default();
        let row = |n: u64| Row([n; WORDS]);
        sparse.begin_block();
        sparse.push(3, row(3));
        sparse.push(63, row(63));
        sparse.begin_block();
        sparse.begin_block();
        sparse.push(0, row(7));
        assert_eq!(sparse.block(0), (1 << 3 | 1 << 63, &[row(3), row(63)][..]));
        assert_eq!(sparse.block(1), (0, &[][..]));
        assert_eq!(sparse.row(0, 63), row(63));
        assert_eq!(sparse.row(0, 62), Row::EMPTY);
        assert_eq!(sparse.row(2, 0), row(7));
        assert_eq!(sparse.row(9, 0), Row::EMPTY);
        assert!(!sparse.is_empty());
    }
}
