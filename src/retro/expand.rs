//! Owns: expanding every position of a level once (wave 0).
//!
//! Moves that leave the level are looked up in finished layers, moves that stay become edges. A
//! chunk is expanded first and its lookups are made afterwards in one loop that asks ahead for what it
//! will read: they do not depend on each other, so their cache misses overlap. For the same reason moves are
//! played in batches.
//!
//! Where boards can be mirrored ([`Mirror`]) only the position of a pair with the lower rank is
//! expanded, and edges lead to such positions: half the work, and half the edges.

use super::level::{AGAIN, Chunk, Level, Open, Room};
use super::memory::{AHEAD, prefetch};
use super::store::{Store, stake};
use crate::batch::{Batch, Plays, Standing};
use crate::board::Board;
use crate::game::{Game, Mirror, Play, Turn};
use crate::index::Layer;
use crate::value::{Bound, Code, MINUS_INFINITY, PLUS_INFINITY, continued, encode, opposed};
use std::ops::Range;

/// A move into a finished layer, to be looked up.
#[derive(Clone, Copy, Default)]
struct Exit {
    rank: u64,
    at: u16,
    part: u8,
    captured: u8,
    again: bool,
}

/// A layer of a level, and where its moves lead.
#[derive(Debug)]
struct Part<'a> {
    layer: Layer,
    places: Range<u64>,
    /// Where the layer begins that a move without a capture leads to, and that in which the same player
    /// moves again.
    starts: [u64; 2],
    stake: u32,
    /// Codes of the layers that captures lead to, by seeds captured; empty where there is none.
    below: Vec<&'a [[Code; 2]]>,
}

impl<'a> Part<'a> {
    fn new<G: Game>(
        store: &'a Store<G::Board>,
        level: &Level,
        layer: Layer,
        places: Range<u64>,
    ) -> Self {
        let most = match layer {
            Layer::Total(seeds) | Layer::Sides(_, seeds) => u32::from(seeds),
        };
        let below = |captured| store.codes(layer.after_capture(captured)).unwrap_or(&[]);
        Self {
            layer,
            places,
            starts: [layer.turned(), layer].map(|to| level.start(to).expect("a level is whole")),
            stake: stake::<G>(layer),
            below: (0..=most).map(below).collect(),
        }
    }
}

/// A level under expansion.
pub struct Expansion<'a, G: Game> {
    game: &'a G,
    store: &'a Store<G::Board>,
    level: &'a Level,
    parts: Vec<Part<'a>>,
}

/// Where a position of a chunk is.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// Its place in the chunk.
    at: u16,
    /// Its layer's place in the level.
    part: u8,
}

/// A thread's working memory, kept from chunk to chunk.
pub struct Work<B: Board> {
    batch: Batch<B, Place>,
    /// The first `count` are the edges found; what lies beyond is room for more.
    edges: Vec<u32>,
    count: usize,
    exits: Vec<Exit>,
}

impl<B: Board> Default for Work<B> {
    fn default() -> Self {
        Self {
            batch: Batch::default(),
            edges: Vec::new(),
            count: 0,
            exits: Vec::new(),
        }
    }
}

impl<B: Board> Work<B> {
    /// Edges found last, in the order of their positions.
    pub fn edges(&self) -> &[u32] {
        &self.edges[..self.count]
    }
}

/// What a chunk's positions are found to be.
struct Found<'a> {
    codes: &'a mut [[Code; 2]],
    /// One bit a position: the game is over there.
    over: &'a mut [u64],
    open: Vec<Open>,
}

impl<'a, G: Game> Expansion<'a, G> {
    /// The expansion of `level`, whose lower layers are finished in `store`.
    pub fn new(game: &'a G, store: &'a Store<G::Board>, level: &'a Level) -> Self {
        let parts = level.parts();
        Self {
            game,
            store,
            level,
            parts: parts
                .map(|(layer, places)| Part::new::<G>(store, level, layer, places))
                .collect(),
        }
    }

    /// Expands the positions from number `start` on, as many as `codes` has room for, and writes
    /// their codes: final ones where no edge stays in the level, else what the exits alone give to
    /// `lower`, and an open `upper`. Sets the bit in `over` of those where the game is over.
    pub fn chunk(
        &self,
        start: u64,
        codes: &mut [[Code; 2]],
        over: &mut [u64],
        work: &mut Work<G::Board>,
        room: &Room,
    ) -> Chunk {
        work.count = 0;
        work.exits.clear();
        codes.fill([MINUS_INFINITY; 2]);
        let mut found = Found {
            open: Vec::new(),
            codes,
            over,
        };
        let end = start + found.codes.len() as u64;
        self.each(start..end, |part, number, board| {
            let at = (number - start) as u16;
            if self.has_earlier_image(board) {
                found.codes[usize::from(at)][1] = PLUS_INFINITY;
                return;
            }
            work.batch.push(self.game, board, Place { at, part });
            if work.batch.is_full() {
                self.positions(work, &mut found);
            }
        });
        self.positions(work, &mut found);
        let Found {
            codes, mut open, ..
        } = found;
        self.look_up(&work.exits, codes);
        for open in &mut open {
            let upper = &mut codes[usize::from(open.at)][1];
            open.exit_upper = std::mem::replace(upper, PLUS_INFINITY);
        }
        open.shrink_to_fit();
        let mut chunk = Chunk {
            open,
            ..Chunk::default()
        };
        chunk.keep(work.edges(), room);
        chunk
    }

    /// Finds the edges of the open positions of the chunk from number `start` on anew.
    pub fn edges(&self, start: u64, open: &[Open], work: &mut Work<G::Board>) {
        work.count = 0;
        let mut open = open.iter().map(|open| u64::from(open.at)).peekable();
        let Some(&first) = open.peek() else {
            return;
        };
        let end = start + open.clone().last().unwrap_or(first) + 1;
        self.each(start + first..end, |part, number, board| {
            let at = number - start;
            if open.next_if_eq(&at).is_some() {
                let at = at as u16;
                work.batch.push(self.game, board, Place { at, part });
                if work.batch.is_full() {
                    self.edges_again(work);
                }
            }
        });
        self.edges_again(work);
    }

    /// The positions among `count` from number `start` on that have a mirror image before them:
    /// number of each, and number of the image.
    pub fn images(&self, start: u64, count: u64) -> impl Iterator<Item = (u64, u64)> {
        let mut images = Vec::new();
        let end = (start + count).min(self.level.positions());
        self.each(start..end, |part, number, board| {
            let image = self.parts[usize::from(part)].places.start + self.rank(board);
            if image < number {
                images.push((number, image));
            }
        });
        images.into_iter()
    }

    /// Calls `each` with the part, number and board of all positions in a range of numbers, in order.
    #[inline(always)]
    fn each(&self, range: Range<u64>, mut each: impl FnMut(u8, u64, G::Board)) {
        for (i, Part { layer, places, .. }) in self.parts.iter().enumerate() {
            let (from, to) = (places.start.max(range.start), places.end.min(range.end));
            if from >= to {
                continue;
            }
            let ranks = from - places.start..to - places.start;
            for (number, board) in (from..).zip(self.store.index().walk(*layer, ranks)) {
                each(i as u8, number, board);
            }
        }
    }

    /// Plays the batch and finds what its positions are.
    #[inline(never)]
    fn positions(&self, work: &mut Work<G::Board>, found: &mut Found<'_>) {
        let Work {
            batch,
            edges,
            count,
            exits,
        } = work;
        // Every move is written as an edge and as an exit, and only one of them is kept: that costs less
        // than a branch that cannot be guessed.
        edges.resize(*count + batch.moves() + batch.positions(), 0);
        let mut exit = exits.len();
        exits.resize(exit + batch.moves() + 1, Exit::default());
        batch.play(self.game, |Standing { board, tag, .. }, plays| {
            let Place { at, part } = tag;
            let here = &self.parts[usize::from(part)];
            let before = *count;
            let (mut legal, mut endless) = (false, false);
            for play in plays {
                let Play::Done(played) = play else {
                    endless = true;
                    continue;
                };
                legal = true;
                let rank = self.rank(played.board);
                edges[*count] = here.edge(rank, played.again);
                exits[exit] = Exit {
                    rank,
                    at,
                    part,
                    captured: played.captured as u8,
                    again: played.again,
                };
                let stays = played.captured == 0;
                *count += usize::from(stays);
                exit += usize::from(!stays);
            }
            let drawn = endless && self.game.endless_draws();
            let codes = &mut found.codes[usize::from(at)];
            if drawn {
                codes[1] = PLUS_INFINITY;
            }
            if !legal && !drawn {
                match self.game.stuck(board) {
                    Turn::Moves => {}
                    Turn::Pass(board) => {
                        edges[*count] = here.edge(self.rank(board), false);
                        *count += 1;
                    }
                    Turn::Over { margin } => {
                        *codes = [encode(Bound::Finite(margin as i16), here.stake); 2];
                        found.over[usize::from(at / 64)] |= 1 << (at % 64);
                    }
                }
            }
            if *count > before {
                found.open.push(Open {
                    at,
                    exit_upper: 0,
                    edges: (*count - before) as u8,
                });
            }
        });
        exits.truncate(exit);
    }

    /// Plays the batch and finds the edges of its positions, as [`Expansion::positions`] did.
    #[inline(never)]
    fn edges_again(&self, work: &mut Work<G::Board>) {
        let Work {
            batch,
            edges,
            count,
            ..
        } = work;
        edges.resize(*count + batch.moves() + batch.positions(), 0);
        batch.play(
            self.game,
            |Standing { board, tag, .. }, plays: Plays<'_, G>| {
                let here = &self.parts[usize::from(tag.part)];
                let mut legal = self.game.endless_draws() && plays.has_moves();
                for play in plays {
                    let Play::Done(played) = play else {
                        continue;
                    };
                    legal = true;
                    edges[*count] = here.edge(self.rank(played.board), played.again);
                    *count += usize::from(played.captured == 0);
                }
                if !legal && let Turn::Pass(board) = self.game.stuck(board) {
                    edges[*count] = here.edge(self.rank(board), false);
                    *count += 1;
                }
            },
        );
    }

    /// Whether a board's mirror image has a lower rank.
    #[inline(always)]
    fn has_earlier_image(&self, board: G::Board) -> bool {
        let index = self.store.index();
        G::Mirror::APPLIES && index.rank(G::Mirror::image(board, index.shape())) < index.rank(board)
    }

    /// The rank of a board, or of its mirror image if that is lower.
    #[inline(always)]
    fn rank(&self, board: G::Board) -> u64 {
        let index = self.store.index();
        let rank = index.rank(board);
        if G::Mirror::APPLIES {
            return rank.min(index.rank(G::Mirror::image(board, index.shape())));
        }
        rank
    }

    /// Of positions sampled evenly over the level, a position, for planning: how many stay open, and
    /// how many edges they have.
    pub fn sample(&self, samples: u64) -> Sample {
        let positions = self.level.positions();
        let samples = samples.min(positions);
        let mut sample = Sample::default();
        for at in 0..samples {
            let number = (u128::from(positions) * u128::from(at) / u128::from(samples)) as u64;
            let part = self.parts.iter().find(|part| part.places.contains(&number));
            let Part { layer, places, .. } = part.expect("a number of the level");
            let board = self.store.index().unrank(*layer, number - places.start);
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

    /// Raises both bounds to the best of the exits. Until all are seen `upper` counts from −∞ up.
    fn look_up(&self, exits: &[Exit], codes: &mut [[Code; 2]]) {
        for (i, exit) in exits.iter().enumerate() {
            if let Some(ahead) = exits.get(i + AHEAD) {
                prefetch(self.below(ahead), ahead.rank as usize);
            }
            let [lower, upper] = self.below(exit)[exit.rank as usize];
            let (lower, upper) = if exit.again {
                let gain = if G::SCORED { exit.captured.into() } else { 0 };
                (continued(lower, gain), continued(upper, gain))
            } else {
                let stake = self.parts[usize::from(exit.part)].stake;
                (opposed(upper, stake), opposed(lower, stake))
            };
            let best = &mut codes[usize::from(exit.at)];
            best[0] = best[0].max(lower);
            best[1] = best[1].max(upper);
        }
    }

    /// Codes of the layer that an exit leads to.
    #[inline(always)]
    fn below(&self, exit: &Exit) -> &'a [[Code; 2]] {
        self.parts[usize::from(exit.part)].below[usize::from(exit.captured)]
    }
}

impl Part<'_> {
    /// The edge to a position by its rank, which is in this layer if the same player moves again.
    #[inline(always)]
    fn edge(&self, rank: u64, again: bool) -> u32 {
        let again_bit = if again { AGAIN } else { 0 };
        (self.starts[usize::from(again)] + rank) as u32 | again_bit
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
