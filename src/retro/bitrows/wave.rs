//! Owns: one wave over one stripe.
//!
//! A stripe's columns are the twin layer's rows. What became known in those rows is turned round, so
//! that it lies under the rows that have moves to it; then every row with such a move is settled by
//! a few operations on whole rows: it is won where some move leads to a lost position or captures into
//! one, and lost where every move leads to a won one. Everything that a row reads is in its own
//! columns, so a stripe needs nothing from its neighbours.

use super::facing::Facing;
use super::grid::{BLOCK, Grid, Row, STRIPE, SparseRows, WORDS, each_bit};
use super::side::SideMoves;
use super::simd::Kernel;
use super::transpose::transpose_into;

/// Positions of a stripe that became won and lost in a wave.
#[derive(Clone, Debug, Default)]
pub struct Fresh {
    /// Newly won for the player to move.
    pub won: SparseRows,
    /// Newly lost for the player to move.
    pub lost: SparseRows,
}

impl Fresh {
    /// Forgets all rows and keeps the memory.
    pub fn clear(&mut self) {
        self.won.clear();
        self.lost.clear();
    }

    /// Whether nothing became known.
    pub fn is_empty(&self) -> bool {
        self.won.is_empty() && self.lost.is_empty()
    }

    #[inline(always)]
    pub(super) fn begin_block(&mut self) {
        self.won.begin_block();
        self.lost.begin_block();
    }

    #[inline(always)]
    pub(super) fn push(&mut self, i: usize, won: Row, lost: Row) {
        if !won.is_empty() {
            self.won.push(i, won);
        }
        if !lost.is_empty() {
            self.lost.push(i, lost);
        }
    }
}

/// What is known of a stripe between waves.
#[derive(Clone, Debug, Default)]
pub struct Stripe {
    /// Positions that may still become won (where the two cannot cross: or lost). Before the first
    /// wave: positions won by a capture.
    pub open: Vec<Row>,
    /// Positions that may still become lost; only where a position can be both won and lost.
    pub open_lost: Option<Vec<Row>>,
    /// Won positions of the twin layer, turned round.
    pub twin_won: Vec<Row>,
    /// Positions with a capture that does not lose although it does not win.
    pub held: SparseRows,
}

/// Working memory of one thread.
#[derive(Debug, Default)]
pub struct Scratch {
    /// Positions of the twin that were lost in the last wave, turned round; only rows in `hit[1]`
    /// mean anything.
    twin_lost: Vec<Row>,
    tile: Vec<Row>,
    /// Rows under which something was won, and lost, in the last wave.
    hit: [Vec<u64>; 2],
    /// Rows that may become lost, and won, in this one.
    due: [Vec<u64>; 2],
}

const WON: usize = 0;
const LOST: usize = 1;

impl Scratch {
    fn fit(&mut self, grid: Grid) {
        let rows = grid.rows.next_multiple_of(STRIPE);
        self.tile.resize(STRIPE, Row::EMPTY);
        if self.twin_lost.len() < rows {
            self.twin_lost.resize(rows, Row::EMPTY);
        }
        for set in self.hit.iter_mut().chain(&mut self.due) {
            set.clear();
            set.resize(rows / BLOCK, 0);
        }
    }
}

/// One wave over one stripe of a layer.
pub struct Wave<'a> {
    /// Size of the layer.
    pub grid: Grid,
    /// Number of the stripe.
    pub number: usize,
    /// Moves of the rows.
    pub side: &'a SideMoves,
    /// Captures from the columns.
    pub facing: &'a Facing,
    /// What became known in the twin layer, by its stripes, since this stripe last looked; in parts
    /// where more than one wave was missed.
    pub twin: &'a [&'a [Fresh]],
    /// Whether this is the first wave, in which captures count and all rows are due.
    pub first: bool,
    /// What is known.
    pub stripe: &'a mut Stripe,
    /// Room for what becomes known.
    pub fresh: &'a mut Fresh,
    /// Working memory.
    pub scratch: &'a mut Scratch,
}

impl Kernel for Wave<'_> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        self.fresh.clear();
        self.scratch.fit(self.grid);
        let mut any = self.first;
        for tile in 0..self.grid.rows.div_ceil(STRIPE) {
            any |= self.take_lost(tile);
            any |= self.take_won(tile);
        }
        if !any {
            return;
        }
        if self.first {
            for set in &mut self.scratch.due {
                set.fill(u64::MAX);
            }
        } else {
            self.find_due();
        }
        for block in 0..self.grid.blocks() {
            self.fresh.begin_block();
            self.settle_block(block);
        }
    }
}

/// Turns round what became known in rows under a stripe: `blocks` gives the rows of the stripe's
/// eight words. Says whether there was anything; if not, `to` is left as it was.
#[inline(always)]
fn turn<'f>(
    to: &mut [Row],
    parts: usize,
    blocks: impl Fn(usize, usize) -> (u64, &'f [Row]),
) -> bool {
    let mut any = false;
    for word in 0..WORDS {
        for part in 0..parts {
            let (mask, rows) = blocks(part, word);
            if mask != 0 {
                if !any {
                    to.fill(Row::EMPTY);
                    any = true;
                }
                transpose_into(mask, rows, to, word);
            }
        }
    }
    any
}

/// Bit `i` of word `b`: row `i` of block `b` is not empty.
#[inline(always)]
fn mark(rows: &[Row], hit: &mut [u64]) {
    for (rows, hit) in rows.chunks_exact(BLOCK).zip(hit) {
        let mut marks = 0;
        for (i, row) in rows.iter().enumerate() {
            marks |= u64::from(!row.is_empty()) << i;
        }
        *hit = marks;
    }
}

impl Wave<'_> {
    /// Rows of a tile, the last of which may be shorter.
    #[inline(always)]
    fn tile_rows(&self, tile: usize) -> std::ops::Range<usize> {
        tile * STRIPE..self.grid.padded_rows().min((tile + 1) * STRIPE)
    }

    #[inline(always)]
    fn take_lost(&mut self, tile: usize) -> bool {
        let rows = self.tile_rows(tile);
        let to = &mut self.scratch.twin_lost[rows.clone()];
        let first = self.number * WORDS;
        let any = turn(to, self.twin.len(), |part, word| {
            self.twin[part][tile].lost.block(first + word)
        });
        if any {
            mark(to, &mut self.scratch.hit[LOST][rows.start / BLOCK..]);
        }
        any
    }

    #[inline(always)]
    fn take_won(&mut self, tile: usize) -> bool {
        let rows = self.tile_rows(tile);
        let to = &mut self.scratch.tile[..rows.len()];
        let first = self.number * WORDS;
        let any = turn(to, self.twin.len(), |part, word| {
            self.twin[part][tile].won.block(first + word)
        });
        if any {
            let hit = &mut self.scratch.hit[WON][rows.start / BLOCK..];
            mark(to, hit);
            for (block, &hit) in hit[..rows.len() / BLOCK].iter().enumerate() {
                each_bit(hit, |i| {
                    let known = &mut self.stripe.twin_won[rows.start + block * BLOCK + i];
                    *known = known.or(to[block * BLOCK + i]);
                });
            }
        }
        any
    }

    /// Marks the rows with a move to a row that was hit.
    #[inline(always)]
    fn find_due(&mut self) {
        let Scratch { hit, due, .. } = &mut *self.scratch;
        for (hit, due) in hit.iter().zip(due) {
            for (block, &hit) in hit.iter().enumerate() {
                each_bit(hit, |i| {
                    let row = block * BLOCK + i;
                    if row < self.side.ways() {
                        for &before in self.side.before(row) {
                            due[before as usize / BLOCK] |= 1 << (before as usize % BLOCK);
                        }
                    }
                });
            }
        }
    }

    #[inline(always)]
    fn settle_block(&mut self, block: usize) {
        let [may_lose, may_win] = [0, 1].map(|set| self.scratch.due[set][block]);
        let captures = self.facing.captures_at(self.number);
        let columns = self.grid.columns_of(self.number);
        each_bit(may_lose | may_win, |i| {
            let row = block * BLOCK + i;
            if row >= self.grid.rows {
                return;
            }
            let mut won = Row::EMPTY;
            if self.first {
                won = std::mem::replace(&mut self.stripe.open[row], columns);
                if self.side.over[block] >> i & 1 == 1 {
                    self.stripe.open[row] = Row::EMPTY;
                }
            }
            let open = self.stripe.open[row];
            if may_win >> i & 1 == 1 {
                won = won.or(self.won(row, captures)).and(open);
            }
            let open_lost = match &self.stripe.open_lost {
                Some(open_lost) => open_lost[row],
                None => open.without(won),
            };
            let mut lost = Row::EMPTY;
            if may_lose >> i & 1 == 1 && self.side.escapes[block] >> i & 1 == 0 {
                let candidates = open_lost.without(self.stripe.held.row(block, i));
                lost = self.lost(row, captures, candidates);
            }
            match &mut self.stripe.open_lost {
                Some(open_lost) => {
                    open_lost[row] = open_lost[row].without(lost);
                    self.stripe.open[row] = open.without(won);
                }
                None => self.stripe.open[row] = open_lost.without(lost),
            }
            self.fresh.push(i, won, lost);
        });
    }

    /// Positions of a row with a move to one lost in the last wave.
    #[inline(always)]
    fn won(&self, row: usize, captures: &[Row]) -> Row {
        let mut won = Row::EMPTY;
        for step in self.side.steps(row) {
            let to = step.to();
            if self.scratch.hit[LOST][to / BLOCK] >> (to % BLOCK) & 1 == 1 {
                let quiet = self.scratch.twin_lost[to].without(captures[step.landing()]);
                won = won.or(quiet);
            }
        }
        won
    }

    /// Those of `candidates` all of whose moves lead to won positions; captures do.
    #[inline(always)]
    fn lost(&self, row: usize, captures: &[Row], candidates: Row) -> Row {
        let mut lost = candidates;
        for step in self.side.steps(row) {
            let won = self.stripe.twin_won[step.to()].or(captures[step.landing()]);
            lost = lost.and(won);
        }
        lost
    }
}
