//! Owns: turning blocks of bits round.
//!
//! Eight 64 by 64 squares lie side by side in a block of 64 rows, and the same swaps are made in all
//! of them at once: plain loops over whole rows that the compiler turns into vectors of whatever
//! width it may use. Swaps of halves, then of quarters, and so on (H. S. Warren, "Hacker's Delight",
//! 7-3), three sizes in a pass so that a row is loaded and stored twice in all instead of six times.

use super::grid::{BLOCK, Ones, Row, WORDS};
use super::machine::{self, Kernel};

/// Half a row: what fits one vector register of 256 bits.
const HALF: usize = WORDS / 2;
type Half = [u64; HALF];

/// Bits in a block so few that it is quicker to set them one by one: a whole block takes some 5000
/// instructions, a bit about ten.
const FEW: u32 = 450;

/// Swaps the upper `by` bits of each `2 * by` of `low` with the lower ones of `high`.
#[inline(always)]
fn swap(low: &mut Half, high: &mut Half, by: u32, mask: u64) {
    for i in 0..HALF {
        let t = (low[i] >> by ^ high[i]) & mask;
        high[i] ^= t;
        low[i] ^= t << by;
    }
}

/// Bits `0..by` of each `2 * by`.
const fn mask(by: u32) -> u64 {
    u64::MAX / ((1 << by) + 1)
}

/// Three sizes of swaps, the largest `4 * by`, among eight rows that are `by` rows apart.
#[inline(always)]
fn three_swaps(rows: &mut [Half; 8], by: u32) {
    for size in [4, 2, 1] {
        for i in 0..8 {
            if i & size == 0 {
                let (low, high) = rows.split_at_mut(i + size);
                let by = by * size as u32;
                swap(&mut low[i], &mut high[0], by, mask(by));
            }
        }
    }
}

/// One pass over a block: every eight rows that are `by` apart.
#[inline(always)]
fn pass(rows: &mut [Row; BLOCK], by: usize) {
    for group in 0..8 {
        let first = group / by * by * 8 + group % by;
        for half in 0..2 {
            let mut eight: [Half; 8] = [[0; HALF]; 8];
            for (i, part) in eight.iter_mut().enumerate() {
                *part = rows[first + i * by].0.as_chunks().0[half];
            }
            three_swaps(&mut eight, by as u32);
            for (i, part) in eight.iter().enumerate() {
                rows[first + i * by].0.as_chunks_mut().0[half] = *part;
            }
        }
    }
}

/// Turns a block round in place: afterwards bit `j` of word `t` in row `i` is what was bit `i` of
/// word `t` in row `j`.
#[inline(always)]
pub fn transpose(rows: &mut [Row; BLOCK]) {
    pass(rows, 8);
    pass(rows, 1);
}

/// Turns a block round in place, with the widest vectors of the machine: afterwards bit `j` of word
/// `t` in row `i` is what was bit `i` of word `t` in row `j`.
pub fn turn_block(rows: &mut [Row; BLOCK]) {
    struct Turn<'a>(&'a mut [Row; BLOCK]);
    impl Kernel for Turn<'_> {
        type Output = ();
        #[inline(always)]
        fn run(self) {
            transpose(self.0);
        }
    }
    machine::run(Turn(rows));
}

/// Turns round the rows of a block that are there (`mask`, `rows`), and puts row `i`'s bits into bit
/// `i` of word `at` of the 512 rows of `to`; where `to` is shorter, the columns beyond are empty.
/// Other words are left alone, and bits already there stay.
#[inline(always)]
pub fn transpose_into(mask: u64, rows: &[Row], to: &mut [Row], at: usize) {
    if few(rows) {
        scatter(mask, rows, to, at);
        return;
    }
    let mut block = [Row::EMPTY; BLOCK];
    if let Ok(all) = <&[Row; BLOCK]>::try_from(rows) {
        block = *all;
    } else {
        for (i, row) in Ones(mask).zip(rows) {
            block[i] = *row;
        }
    }
    transpose(&mut block);
    for (t, to) in to.chunks_exact_mut(64).enumerate() {
        for (to, row) in to.iter_mut().zip(&block) {
            to.0[at] |= row.0[t];
        }
    }
}

/// Whether there are at most [`FEW`] bits.
#[inline(always)]
fn few(rows: &[Row]) -> bool {
    let mut ones = 0;
    for row in rows {
        ones += row.0.iter().map(|word| word.count_ones()).sum::<u32>();
        if ones > FEW {
            return false;
        }
    }
    true
}

/// As [`transpose_into`], bit by bit.
#[inline(always)]
fn scatter(mask: u64, rows: &[Row], to: &mut [Row], at: usize) {
    for (i, row) in Ones(mask).zip(rows) {
        for (word, to) in row.0.iter().zip(to.chunks_exact_mut(64)) {
            for j in Ones(*word) {
                to[j].0[at] |= 1 << i;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(seed: u64) -> impl FnMut() -> u64 {
        let mut state = seed;
        move || {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state ^ state >> 29).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        }
    }

    #[test]
    fn bits_change_places() {
        let mut noise = noise(1);
        let block: [Row; BLOCK] = std::array::from_fn(|_| Row(std::array::from_fn(|_| noise())));
        let mut turned = block;
        transpose(&mut turned);
        for (i, row) in turned.iter().enumerate() {
            for t in 0..WORDS {
                for (j, before) in block.iter().enumerate() {
                    assert_eq!(row.0[t] >> j & 1, before.0[t] >> i & 1);
                }
            }
        }
    }

    #[test]
    fn few_rows_and_many_come_out_alike() {
        let mut noise = noise(2);
        for kept in [0, 1, 2, 7, 8, 40, 64] {
            for thin in [0, 1, 3] {
                let mask = (0..kept).fold(0u64, |mask, i| mask | 1 << (i * 64 / kept.max(1)));
                let rows: Vec<Row> = (0..kept)
                    .map(|_| {
                        Row(std::array::from_fn(|_| {
                            (0..thin).fold(noise(), |word, _| word & noise() & noise())
                        }))
                    })
                    .collect();
                for length in [64, 512] {
                    let mut to = vec![Row::EMPTY; length];
                    let clip = |mut row: Row| {
                        row.0[length / 64..].fill(0);
                        row
                    };
                    let rows: Vec<Row> = rows.iter().map(|&row| clip(row)).collect();
                    transpose_into(mask, &rows, &mut to, 5);
                    let mut next = rows.iter();
                    for i in 0..64 {
                        let row = if mask >> i & 1 == 1 {
                            *next.next().unwrap()
                        } else {
                            Row::EMPTY
                        };
                        for (column, to) in to.iter().enumerate() {
                            let bit = row.0[column / 64] >> (column % 64) & 1;
                            assert_eq!(to.0[5] >> i & 1, bit, "{kept} rows, {i}, {column}");
                        }
                    }
                }
            }
        }
    }
}
