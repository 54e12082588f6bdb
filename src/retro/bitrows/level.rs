//! Owns: solving one level, from captures to the finished layers.
//!
//! The two layers of a level are each other's twins; a level with equal sides is its own. With a sink
//! waves are synchronous, so that their number is the distance. Without one only the end counts:
//! then the layers take turns, each at once using what the other found, which halves the waves.

use super::facing::Facing;
use super::gather::{Gather, Held, Looked};
use super::grid::{BLOCK, Grid, Ones, Row, STRIPE, SparseRows};
use super::lower::LayerBits;
use super::side::SideMoves;
use super::sink::{Patch, Sink};
use super::transpose::transpose;
use super::wave::{Fresh, Scratch, Stripe, Wave};
use super::{Ask, machine};
use crate::index::Layer;
use crate::progress::Progress;
use crate::retro::Halt;
use crate::value::Distance;
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Rows of stripes below which a wave is done by the thread at hand: waking others would take longer.
const SERIAL: usize = 1 << 11;

/// What a layer is solved with.
#[derive(Clone, Copy)]
pub struct Part<'a> {
    pub layer: Layer,
    pub grid: Grid,
    pub side: &'a SideMoves,
    pub facing: &'a Facing,
}

/// Working memory that threads take and give back.
#[derive(Default)]
pub struct Pool<T>(Mutex<Vec<T>>);

impl<T: Default> Pool<T> {
    fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = lock().pop();
        let mut item = taken.unwrap_or_default();
        let result = work(&mut item);
        lock().push(item);
        result
    }
}

/// What is known of a layer between waves: the stripes of [`Stripe`], one after the other.
struct Known {
    grid: Grid,
    open: Vec<Row>,
    open_lost: Option<Vec<Row>>,
    twin_won: Vec<Row>,
    alive: Vec<u64>,
    held: Vec<SparseRows>,
}

impl Known {
    /// Nothing is known.
    fn new(part: &Part<'_>, ask: Ask) -> Self {
        let grid = part.grid;
        let rows = grid.padded_rows();
        let filled = |row: &(dyn Fn(usize) -> Row + Sync)| {
            let mut set = machine::room(rows * grid.stripes());
            let all = (0..rows * grid.stripes()).into_par_iter();
            all.with_min_len(SERIAL).map(row).collect_into_vec(&mut set);
            set
        };
        let exists = |block: usize| {
            let left = grid.rows - block * BLOCK;
            if left < BLOCK {
                (1 << left) - 1
            } else {
                u64::MAX
            }
        };
        Self {
            grid,
            open: filled(&|_| Row::EMPTY),
            open_lost: (ask == Ask::End).then(|| {
                filled(&|at| {
                    let (stripe, row) = (at / rows, at % rows);
                    let over = part.side.over[row / BLOCK] >> (row % BLOCK) & 1 == 1;
                    if over || row >= grid.rows {
                        Row::EMPTY
                    } else {
                        grid.columns_of(stripe)
                    }
                })
            }),
            twin_won: filled(&|_| Row::EMPTY),
            alive: (0..grid.blocks() * grid.stripes())
                .map(|at| exists(at % grid.blocks()))
                .collect(),
            held: vec![SparseRows::default(); grid.stripes()],
        }
    }

    /// All stripes, to be worked on.
    fn stripes(&mut self) -> impl Iterator<Item = Stripe<'_>> {
        let rows = self.grid.padded_rows();
        let mut open_lost = self
            .open_lost
            .as_mut()
            .map(|set| set.chunks_exact_mut(rows));
        self.open
            .chunks_exact_mut(rows)
            .zip(self.twin_won.chunks_exact_mut(rows))
            .zip(self.alive.chunks_exact_mut(rows / BLOCK))
            .zip(&self.held)
            .map(move |(((open, twin_won), alive), held)| Stripe {
                open,
                open_lost: open_lost.as_mut().and_then(Iterator::next),
                twin_won,
                alive,
                held,
            })
    }
}

/// A level between waves.
pub struct LevelSolver<'a> {
    parts: Vec<Part<'a>>,
    sink: Option<&'a dyn Sink>,
    progress: &'a dyn Progress,
    known: Vec<Known>,
    /// What became known last and the twin has not seen, by layer and stripe.
    fresh: Vec<Vec<Fresh>>,
    /// Room for what becomes known next.
    next: Vec<Vec<Fresh>>,
    scratch: Pool<Scratch>,
    /// Waves made.
    waves: Distance,
}

impl<'a> LevelSolver<'a> {
    /// Looks up the captures; `lower` gives a part's lower layers by the seeds of the side captured
    /// from.
    pub(super) fn new(
        parts: Vec<Part<'a>>,
        lower: &[Vec<&LayerBits>],
        ask: Ask,
        sink: Option<&'a dyn Sink>,
        progress: &'a dyn Progress,
    ) -> Result<Self, Halt> {
        let mut solver = Self {
            known: Vec::new(),
            fresh: Vec::new(),
            next: Vec::new(),
            scratch: Pool::default(),
            waves: 0,
            parts,
            sink,
            progress,
        };
        for (at, lower) in lower.iter().enumerate() {
            let part = solver.parts[at];
            let mut known = Known::new(&part, ask);
            gather(&part, lower, ask, &mut known, progress)?;
            solver.known.push(known);
            solver.fresh.push(no_news(part.grid));
            solver.next.push(no_news(part.grid));
            for (number, fresh) in solver.fresh[at].iter_mut().enumerate() {
                over(&part, ask, number, fresh);
            }
            solver.hand_out(at, 0, &solver.fresh[at]);
        }
        Ok(solver)
    }

    /// The twin of a part.
    fn twin(&self, at: usize) -> usize {
        self.parts.len() - 1 - at
    }

    fn hand_out(&self, at: usize, wave: Distance, fresh: &[Fresh]) {
        for (number, fresh) in fresh.iter().enumerate() {
            if let Some(sink) = self.sink.filter(|_| !fresh.is_empty()) {
                sink.take(&Patch {
                    layer: self.parts[at].layer,
                    grid: self.parts[at].grid,
                    wave,
                    stripe: number,
                    fresh,
                });
            }
        }
    }

    /// Makes the next wave over the whole level and says whether anything became known.
    ///
    /// # Errors
    /// When stopped, or when there are more waves than a distance can count.
    pub fn step(&mut self) -> Result<bool, Halt> {
        self.waves = self.waves.checked_add(1).ok_or(Halt::TooManyWaves)?;
        if self.progress.stopped() {
            return Err(Halt::Stopped);
        }
        let all: Vec<usize> = (0..self.parts.len()).collect();
        Ok(self.wave(&all, &[]))
    }

    /// Makes waves until nothing becomes known.
    ///
    /// # Errors
    /// As [`LevelSolver::step`].
    pub fn solve(&mut self) -> Result<(), Halt> {
        while self.step()? {
            if self.sink.is_none() && self.waves == 1 && self.parts.len() == 2 {
                return self.alternate();
            }
        }
        Ok(())
    }

    /// The layers in turn, once both have made the first wave. A layer that has just looked has seen
    /// all that its twin knows; the twin has missed what this one finds now, and the first time also
    /// what it found in the first wave.
    fn alternate(&mut self) -> Result<(), Halt> {
        let mut missed = std::mem::take(&mut self.fresh[0]);
        self.fresh[0] = no_news(self.parts[0].grid);
        let (mut at, mut quiet) = (0, 0);
        while quiet < 2 {
            if self.progress.stopped() {
                return Err(Halt::Stopped);
            }
            self.waves = self.waves.saturating_add(1);
            let news = self.wave(&[at], &missed);
            if at == 1 {
                missed = Vec::new();
            }
            // What this wave looked at is now seen by all.
            let twin = self.twin(at);
            self.fresh[twin].iter_mut().for_each(Fresh::clear);
            quiet = if news { 0 } else { quiet + 1 };
            at = twin;
        }
        Ok(())
    }

    /// One wave over the given parts; `missed` is what part 1 has also not yet seen of part 0. Says
    /// whether anything became known.
    fn wave(&mut self, parts: &[usize], missed: &[Fresh]) -> bool {
        let wave = self.waves;
        let mut jobs = Vec::new();
        let mut known = std::mem::take(&mut self.known);
        let mut next = std::mem::take(&mut self.next);
        for (at, (known, next)) in known.iter_mut().zip(&mut next).enumerate() {
            if parts.contains(&at) {
                let pairs = known.stripes().zip(next).enumerate();
                jobs.extend(pairs.map(|(number, (stripe, next))| (at, number, stripe, next)));
            }
        }
        let rows = |at: &usize| self.parts[*at].grid.padded_rows() * self.parts[*at].grid.stripes();
        let work: usize = parts.iter().map(rows).sum();
        let one = |(at, number, stripe, fresh): (usize, usize, Stripe<'_>, &mut Fresh)| {
            let seen = [&self.fresh[self.twin(at)][..], missed];
            let count = if at == 1 && !missed.is_empty() { 2 } else { 1 };
            let part = &self.parts[at];
            self.scratch.with(|scratch| {
                machine::run(Wave {
                    grid: part.grid,
                    number,
                    side: part.side,
                    facing: part.facing,
                    twin: &seen[..count],
                    first: wave == 1,
                    stripe,
                    fresh,
                    scratch,
                });
            });
            if let Some(sink) = self.sink.filter(|_| !fresh.is_empty()) {
                sink.take(&Patch {
                    layer: part.layer,
                    grid: part.grid,
                    wave,
                    stripe: number,
                    fresh,
                });
            }
            !fresh.is_empty()
        };
        let news = if work < SERIAL {
            jobs.into_iter()
                .map(one)
                .fold(false, |any, news| any | news)
        } else {
            let jobs = jobs.into_par_iter().with_max_len(1);
            jobs.map(one).reduce(|| false, |any, news| any | news)
        };
        self.known = known;
        self.next = next;
        for &at in parts {
            std::mem::swap(&mut self.fresh[at], &mut self.next[at]);
        }
        news
    }

    /// The finished layers.
    pub fn finish(mut self) -> Vec<(Layer, LayerBits)> {
        self.fresh.clear();
        self.next.clear();
        (0..self.parts.len())
            .map(|at| {
                let bits = self.turned(at);
                (self.parts[at].layer, bits)
            })
            .collect()
    }

    /// A layer turned round: its won positions lie turned already, at its twin.
    fn turned(&self, at: usize) -> LayerBits {
        let grid = self.parts[at].grid;
        let (known, twin) = (&self.known[at], &self.known[self.twin(at)]);
        let mut bits = LayerBits::new(grid.columns, grid.rows);
        let stride = bits.stride();
        let [won, lost] = bits.planes_mut();
        let open = known.open_lost.as_ref().unwrap_or(&known.open);
        won.par_chunks_mut(STRIPE * stride)
            .zip(lost.par_chunks_mut(STRIPE * stride))
            .zip(open.par_chunks_exact(grid.padded_rows()))
            .enumerate()
            .for_each(|(number, ((won, lost), open))| {
                for (row, won) in won.chunks_exact_mut(stride).enumerate() {
                    let twin = twin.twin_won.chunks_exact(twin.grid.padded_rows());
                    for (words, twin) in won.chunks_mut(STRIPE / 64).zip(twin) {
                        let from = &twin[number * STRIPE + row].0;
                        words.copy_from_slice(&from[..words.len()]);
                    }
                }
                machine::run(TurnOpen {
                    grid,
                    open,
                    crossed: known.open_lost.is_some(),
                    won,
                    lost,
                });
            });
        bits
    }
}

/// Fills in the lost positions of a stripe, turned round: those no longer open.
struct TurnOpen<'a> {
    grid: Grid,
    open: &'a [Row],
    crossed: bool,
    won: &'a [u64],
    lost: &'a mut [u64],
}

impl machine::Kernel for TurnOpen<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let stride = self.grid.blocks();
        for (at, open) in self.open.as_chunks::<BLOCK>().0.iter().enumerate() {
            let left = self.grid.rows - at * BLOCK;
            let rows = if left < BLOCK {
                (1 << left) - 1
            } else {
                u64::MAX
            };
            let mut block = *open;
            transpose(&mut block);
            let lines = self.lost.chunks_exact_mut(stride).enumerate();
            for (row, lost) in lines {
                let won = if self.crossed {
                    0
                } else {
                    self.won[row * stride + at]
                };
                lost[at] = rows & !won & !block[row % BLOCK].0[row / BLOCK];
            }
        }
    }
}

/// Room for what becomes known in every stripe.
fn no_news(grid: Grid) -> Vec<Fresh> {
    let room = || Fresh::with_room(grid.padded_rows());
    std::iter::repeat_with(room).take(grid.stripes()).collect()
}

/// Wave 0: sides without a move have lost; in either case their game has an end.
fn over(part: &Part<'_>, ask: Ask, number: usize, fresh: &mut Fresh) {
    let columns = part.grid.columns_of(number);
    let won = if ask == Ask::End { columns } else { Row::EMPTY };
    for &over in &part.side.over {
        fresh.begin_block();
        for i in Ones(over) {
            fresh.push(i, won, columns);
        }
    }
}

/// Looks up all captures of a layer, in blocks of rows.
fn gather(
    part: &Part<'_>,
    lower: &[&LayerBits],
    ask: Ask,
    known: &mut Known,
    progress: &dyn Progress,
) -> Result<(), Halt> {
    let mut blocks: Vec<Vec<&mut [Row]>> = Vec::new();
    blocks.resize_with(part.grid.blocks(), Vec::new);
    for (at, rows) in known.open.chunks_exact_mut(BLOCK).enumerate() {
        blocks[at % part.grid.blocks()].push(rows);
    }
    let pool = Pool::<Looked>::default();
    let held: Option<Vec<Vec<Held>>> = blocks
        .par_iter_mut()
        .enumerate()
        .map(|(block, wins)| {
            if progress.stopped() {
                return None;
            }
            let rows = (part.grid.rows - block * BLOCK).min(BLOCK);
            let held = pool.with(|looked| {
                machine::run(Gather {
                    grid: part.grid,
                    block,
                    side: part.side,
                    facing: part.facing,
                    lower,
                    crossed: ask == Ask::End,
                    looked,
                    wins,
                })
            });
            progress.advance(rows as u64 * part.grid.columns as u64);
            Some(held)
        })
        .collect();
    for block in held.ok_or(Halt::Stopped)? {
        for (to, (mask, rows)) in known.held.iter_mut().zip(block) {
            to.begin_block();
            let mut rows = rows.into_iter();
            for i in Ones(mask) {
                to.push(i, rows.next().unwrap_or(Row::EMPTY))
            }
        }
    }
    Ok(())
}
