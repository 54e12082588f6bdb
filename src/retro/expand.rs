//! Owns: expanding every position of a level once (wave 0).
//!
//! Moves that leave the level are looked up in finished layers, moves that stay become edges. A
//! chunk is expanded first and its lookups are made afterwards in one loop that asks ahead for what it
//! will read: they do not depend on each other, so their cache misses overlap.
//!
//! Where boards can be mirrored ([`Mirror`]) only the position of a pair with the lower rank is
//! expanded, and edges lead to such positions: half the work, and half the edges.

use super::level::{AGAIN, Chunk, Level, Open, Room};
use super::memory::{AHEAD, prefetch};
use super::store::{Store, stake};
use crate::game::{Game, Mirror, Play, Turn};
use crate::index::Layer;
use crate::value::{Bound, Code, MINUS_INFINITY, PLUS_INFINITY, continued, encode, opposed};
use std::ops::Range;

/// A move into a finished layer, to be looked up.
struct Exit<'a> {
    at: u16,
    again: bool,
    captured: u8,
    stake: u8,
    codes: &'a [[Code; 2]],
    rank: u64,
}

/// A level under expansion.
pub struct Expansion<'a, G: Game> {
    pub game: &'a G,
    pub store: &'a Store<G::Board>,
    pub level: &'a Level,
}

/// What a chunk's positions are found to be.
struct Found<'a, 's> {
    codes: &'a mut [[Code; 2]],
    /// One bit a position: the game is over there.
    over: &'a mut [u64],
    edges: &'a mut Vec<u32>,
    open: Vec<Open>,
    exits: Vec<Exit<'s>>,
}

impl<G: Game> Expansion<'_, G> {
    /// Expands the positions from number `start` on, as many as `codes` has room for, and writes
    /// their codes: final ones where no edge stays in the level, else what the exits alone give to
    /// `lower`, and an open `upper`. Sets the bit in `over` of those where the game is over; `edges`
    /// is working memory.
    pub fn chunk(
        &self,
        start: u64,
        codes: &mut [[Code; 2]],
        over: &mut [u64],
        edges: &mut Vec<u32>,
        room: &Room,
    ) -> Chunk {
        edges.clear();
        codes.fill([MINUS_INFINITY; 2]);
        let mut found = Found {
            exits: Vec::with_capacity(2 * codes.len()),
            open: Vec::new(),
            codes,
            over,
            edges,
        };
        let end = start + found.codes.len() as u64;
        self.each(start..end, |layer, number, board| {
            self.position(layer, board, (number - start) as usize, &mut found);
        });
        let Found {
            codes,
            mut open,
            exits,
            edges,
            ..
        } = found;
        look_up(&exits, codes);
        for open in &mut open {
            let upper = &mut codes[usize::from(open.at)][1];
            open.exit_upper = std::mem::replace(upper, PLUS_INFINITY);
        }
        open.shrink_to_fit();
        let mut chunk = Chunk {
            open,
            ..Chunk::default()
        };
        chunk.keep(edges, room);
        chunk
    }

    /// Finds the edges of the open positions of the chunk from number `start` on anew.
    pub fn edges(&self, start: u64, open: &[Open], edges: &mut Vec<u32>) {
        edges.clear();
        let mut open = open.iter().map(|open| u64::from(open.at)).peekable();
        let Some(&first) = open.peek() else {
            return;
        };
        let end = start + open.clone().last().unwrap_or(first) + 1;
        self.each(start + first..end, |layer, number, board| {
            if open.next_if_eq(&(number - start)).is_none() {
                return;
            }
            let turn = self.game.expand(board, |_, play| match play {
                Play::Done(played) if played.captured == 0 => {
                    edges.push(self.edge(layer, played.board, played.again));
                }
                _ => {}
            });
            if let Turn::Pass(board) = turn {
                edges.push(self.edge(layer, board, false));
            }
        });
    }

    /// The positions among `count` from number `start` on that have a mirror image before them:
    /// number of each, and number of the image.
    pub fn images(&self, start: u64, count: u64) -> impl Iterator<Item = (u64, u64)> {
        let mut images = Vec::new();
        let end = (start + count).min(self.level.positions());
        self.each(start..end, |layer, number, board| {
            let image = self.place(layer, board);
            if image < number {
                images.push((number, image));
            }
        });
        images.into_iter()
    }

    /// Calls `each` with the layer, number and board of all positions in a range of numbers, in order.
    #[inline(always)]
    fn each(&self, range: Range<u64>, mut each: impl FnMut(Layer, u64, G::Board)) {
        for (layer, places) in self.level.parts() {
            let (from, to) = (places.start.max(range.start), places.end.min(range.end));
            if from >= to {
                continue;
            }
            let ranks = from - places.start..to - places.start;
            for (number, board) in (from..).zip(self.store.index().walk(layer, ranks)) {
                each(layer, number, board);
            }
        }
    }

    #[inline(always)]
    fn position<'s>(&'s self, layer: Layer, board: G::Board, at: usize, found: &mut Found<'_, 's>) {
        if self.has_earlier_image(board) {
            found.codes[at][1] = PLUS_INFINITY;
            return;
        }
        let edges = &mut *found.edges;
        let before = edges.len();
        let mut endless = false;
        let turn = self.game.expand(board, |_, play| match play {
            Play::Endless { .. } => endless = true,
            Play::Done(played) if played.captured == 0 => {
                edges.push(self.edge(layer, played.board, played.again));
            }
            Play::Done(played) => {
                let below = layer.after_capture(played.captured);
                let codes = self.store.codes(below);
                found.exits.push(Exit {
                    at: at as u16,
                    again: played.again,
                    captured: if G::SCORED { played.captured as u8 } else { 0 },
                    stake: stake::<G>(layer) as u8,
                    codes: codes.expect("lower layers are finished first"),
                    rank: self.store.index().rank(played.board),
                });
            }
        });
        match turn {
            Turn::Moves if endless && self.game.endless_draws() => {
                found.codes[at][1] = PLUS_INFINITY;
            }
            Turn::Moves => {}
            Turn::Pass(board) => edges.push(self.edge(layer, board, false)),
            Turn::Over { margin } => {
                let code = encode(Bound::Finite(margin as i16), stake::<G>(layer));
                found.codes[at] = [code; 2];
                found.over[at / 64] |= 1 << (at % 64);
            }
        }
        if edges.len() > before {
            found.open.push(Open {
                at: at as u16,
                exit_upper: 0,
                edges: (edges.len() - before) as u8,
            });
        }
    }

    /// Whether a board's mirror image has a lower rank.
    #[inline(always)]
    fn has_earlier_image(&self, board: G::Board) -> bool {
        let index = self.store.index();
        G::Mirror::APPLIES && index.rank(G::Mirror::image(board, index.shape())) < index.rank(board)
    }

    /// The edge to a board that a move without a capture leads to.
    #[inline(always)]
    fn edge(&self, layer: Layer, board: G::Board, again: bool) -> u32 {
        if again {
            self.place(layer, board) as u32 | AGAIN
        } else {
            self.place(layer.turned(), board) as u32
        }
    }

    /// The place in the level of a board in `layer`, or of its mirror image if that comes first.
    #[inline(always)]
    fn place(&self, layer: Layer, board: G::Board) -> u64 {
        let start = self
            .level
            .start(layer)
            .expect("the move stays in the level");
        let index = self.store.index();
        let mut rank = index.rank(board);
        if G::Mirror::APPLIES {
            rank = rank.min(index.rank(G::Mirror::image(board, index.shape())));
        }
        start + rank
    }

    /// Of positions sampled evenly over the level, a position, for planning: how many stay open, and
    /// how many edges they have.
    pub fn sample(&self, samples: u64) -> Sample {
        let positions = self.level.positions();
        let samples = samples.min(positions);
        let mut sample = Sample::default();
        for at in 0..samples {
            let number = (u128::from(positions) * u128::from(at) / u128::from(samples)) as u64;
            let part = self
                .level
                .parts()
                .find(|(_, places)| places.contains(&number));
            let (layer, places) = part.expect("a number of the level");
            let board = self.store.index().unrank(layer, number - places.start);
            if self.has_earlier_image(board) {
                continue;
            }
            let mut edges = 0u32;
            let turn = self.game.expand(board, |_, play| {
                edges += u32::from(matches!(play, Play::Done(played) if played.captured == 0));
            });
            edges += u32::from(matches!(turn, Turn::Pass(_)));
            sample.open += f64::from(u8::from(edges > 0));
            sample.edges += f64::from(edges);
        }
        let each = samples.max(1) as f64;
        sample.open /= each;
        sample.edges /= each;
        sample
    }
}

/// What a level's positions are like on average.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sample {
    /// Share of positions that have an edge.
    pub open: f64,
    /// Edges a position.
    pub edges: f64,
}

/// Raises both bounds to the best of the exits. Until all are seen `upper` counts from −∞ up.
fn look_up(exits: &[Exit<'_>], codes: &mut [[Code; 2]]) {
    for (i, exit) in exits.iter().enumerate() {
        if let Some(ahead) = exits.get(i + AHEAD) {
            prefetch(ahead.codes, ahead.rank as usize);
        }
        let [lower, upper] = exit.codes[exit.rank as usize];
        let (lower, upper) = if exit.again {
            (
                continued(lower, exit.captured.into()),
                continued(upper, exit.captured.into()),
            )
        } else {
            (
                opposed(upper, exit.stake.into()),
                opposed(lower, exit.stake.into()),
            )
        };
        let best = &mut codes[usize::from(exit.at)];
        best[0] = best[0].max(lower);
        best[1] = best[1].max(upper);
    }
}
