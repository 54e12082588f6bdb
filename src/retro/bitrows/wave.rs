//! Owns: one wave over one stripe.
//!
//! A stripe's columns are the twin layer's rows. What became known in those rows is turned round, so
//! that it lies under the rows that have moves to it; then every row with such a move is settled by
//! a few operations on whole rows: it is won where some move leads to a lost position or captures into
//! one, and lost where every move leads to a won one. Everything that a row reads is in its own
//! columns, so a stripe needs nothing from its neighbours.

use super::facing::Facing;
use super::grid::{BLOCK, Grid, Ones, Row, STRIPE, SparseRows, WORDS};
use super::machine::Kernel;
use super::side::SideMoves;
use super::transpose::transpose_into;
use crate::retro::memory;

/// Positions of a stripe that became won and lost in a wave.
#[derive(Clone, Debug, Default)]
pub struct Fresh {
    /// Newly won for the player to move.
    pub won: SparseRows,
    /// Newly lost for the player to move.
    pub lost: SparseRows,
}

impl Fresh {
    /// Nothing, with room for so many rows of either kind.
    pub fn with_room(rows: usize) -> Self {
        Self {
            won: SparseRows::with_room(rows),
            lost: SparseRows::with_room(rows),
        }
    }

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
#[derive(Debug)]
pub struct Stripe<'s> {
    /// Positions that may still become won (where the two cannot cross: or lost). Before the first
    /// wave: positions won by a capture.
    pub open: &'s mut [Row],
    /// Positions that may still become lost; only where a position can be both won and lost.
    pub open_lost: Option<&'s mut [Row]>,
    /// Won positions of the twin layer, turned round.
    pub twin_won: &'s mut [Row],
    /// Bit `i` of word `block`: something in that row is open.
    pub alive: &'s mut [u64],
    /// For every block of rows, and in it for every stripe: positions with a capture that does not
    /// lose although it does not win.
    pub held: &'s [SparseRows],
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
    /// For every block, rows that may become lost, and won, in this one.
    due: Vec<[u64; 2]>,
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
        for set in &mut self.hit {
            set.clear();
            set.resize(rows / BLOCK, 0);
        }
        self.due.clear();
        self.due.resize(grid.blocks(), [0; 2]);
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
    pub stripe: Stripe<'a>,
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
            self.scratch.due.fill([u64::MAX; 2]);
        } else {
            self.find_due();
        }
        for (due, alive) in self.scratch.due.iter_mut().zip(&*self.stripe.alive) {
            *due = due.map(|due| due & alive);
        }
        match (self.first, self.stripe.open_lost.is_some()) {
            (true, true) => self.settle::<true, true>(),
            (true, false) => self.settle::<true, false>(),
            (false, true) => self.settle::<false, true>(),
            (false, false) => self.settle::<false, false>(),
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
                for i in Ones(hit) {
                    let known = &mut self.stripe.twin_won[rows.start + block * BLOCK + i];
                    *known = known.or(to[block * BLOCK + i]);
                }
            }
        }
        any
    }

    /// Marks the rows with a move to a row that was hit.
    #[inline(always)]
    fn find_due(&mut self) {
        let Scratch { hit, due, .. } = &mut *self.scratch;
        for (set, hit) in hit.iter().enumerate() {
            for (block, &hit) in hit.iter().enumerate() {
                for i in Ones(hit) {
                    for &before in self.side.before(block * BLOCK + i) {
                        let before = before as usize;
                        due[before / BLOCK][set] |= 1 << (before % BLOCK);
                    }
                }
            }
        }
    }

    /// Settles all rows that are due.
    #[inline(always)]
    fn settle<const FIRST: bool, const CROSSED: bool>(&mut self) {
        let Scratch {
            twin_lost,
            hit,
            due,
            ..
        } = &*self.scratch;
        let rows = Rows {
            steps: self.side,
            captures: self.facing.captures_at(self.number),
            columns: self.grid.columns_of(self.number),
            twin_lost,
            lost_hit: &hit[LOST],
            twin_won: self.stripe.twin_won,
        };
        let mut ahead = Ahead::new(due);
        for row in ahead.by_ref().take(AHEAD) {
            rows.prefetch(row, &self.stripe.open[row]);
        }
        for (block, &[may_lose, may_win]) in due.iter().enumerate() {
            self.fresh.begin_block();
            for i in Ones(may_lose | may_win) {
                if let Some(row) = ahead.next() {
                    rows.prefetch(row, &self.stripe.open[row]);
                }
                let row = block * BLOCK + i;
                let open = &mut self.stripe.open[row];
                let mut won = Row::EMPTY;
                if FIRST {
                    won = *open;
                    let over = self.side.over[block] >> i & 1 == 1;
                    *open = if over { Row::EMPTY } else { rows.columns };
                }
                if may_win >> i & 1 == 1 {
                    won = won.or(rows.won(row)).and(*open);
                    *open = open.without(won);
                }
                let open_lost = match &mut self.stripe.open_lost {
                    Some(open_lost) if CROSSED => &mut open_lost[row],
                    _ => open,
                };
                let mut lost = Row::EMPTY;
                if may_lose & !self.side.escapes[block] & 1 << i != 0 {
                    lost = rows.lost(
                        row,
                        open_lost.without(self.stripe.held[block].row(self.number, i)),
                    );
                    *open_lost = open_lost.without(lost);
                }
                if open_lost.is_empty() && (!CROSSED || self.stripe.open[row].is_empty()) {
                    self.stripe.alive[block] &= !(1 << i);
                }
                self.fresh.push(i, won, lost);
            }
        }
    }
}

/// How many rows ahead memory is asked for what a row reads.
const AHEAD: usize = 6;

/// The rows that are due, some of them before their turn.
struct Ahead<'a> {
    /// Blocks after the one at hand.
    rest: std::slice::Iter<'a, [u64; 2]>,
    /// First row of the block at hand, and its rows left.
    start: usize,
    left: u64,
}

impl<'a> Ahead<'a> {
    #[inline(always)]
    fn new(due: &'a [[u64; 2]]) -> Self {
        Self {
            rest: due.iter(),
            start: 0usize.wrapping_sub(BLOCK),
            left: 0,
        }
    }
}

impl Iterator for Ahead<'_> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        while self.left == 0 {
            let [may_lose, may_win] = self.rest.next()?;
            self.start = self.start.wrapping_add(BLOCK);
            self.left = may_lose | may_win;
        }
        let i = self.left.trailing_zeros() as usize;
        self.left &= self.left - 1;
        Some(self.start + i)
    }
}

/// What the rows of a stripe are settled from.
struct Rows<'a> {
    steps: &'a SideMoves,
    captures: &'a [Row],
    columns: Row,
    twin_lost: &'a [Row],
    lost_hit: &'a [u64],
    twin_won: &'a [Row],
}

impl Rows<'_> {
    /// Asks for what settling a row will read.
    #[inline(always)]
    fn prefetch(&self, row: usize, open: &Row) {
        memory::prefetch(std::slice::from_ref(open), 0);
        for step in self.steps.steps(row) {
            memory::prefetch(self.twin_won, step.to());
            memory::prefetch(self.twin_lost, step.to());
        }
    }

    /// Positions of a row with a move to one lost in the last wave.
    #[inline(always)]
    fn won(&self, row: usize) -> Row {
        let mut won = Row::EMPTY;
        for step in self.steps.steps(row) {
            let to = step.to();
            if self.lost_hit[to / BLOCK] >> (to % BLOCK) & 1 == 1 {
                won = won.or(self.twin_lost[to].without(self.captures[step.landing()]));
            }
        }
        won
    }

    /// Those of `candidates` all of whose moves lead to won positions; captures do.
    #[inline(always)]
    fn lost(&self, row: usize, candidates: Row) -> Row {
        let mut lost = candidates;
        for step in self.steps.steps(row) {
            lost = lost.and(self.twin_won[step.to()].or(self.captures[step.landing()]));
        }
        lost
    }
}
