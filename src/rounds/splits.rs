//! Owns: what a player can force in a round for a set of final splits of its seeds, whatever the set.
//!
//! One word a position: bit `t` says that the asker, having taken `t` seeds so far, can force the round
//! to end with a take in the set. A move that takes `g` seeds shifts the word, a choice of the asker's
//! is an OR, one of the opponent's an AND, and where a move takes nothing the words of a layer depend
//! on each other: the least fixpoint, found by sweeping until nothing changes. All splits come out at
//! once, and play that never ends is never in the set.
//!
//! With `n` of a round's seeds on the board at most all but `n` have been taken: the layers with the most
//! positions have the shortest words, and finished layers are kept in as few bytes as theirs take.
//!
//! Words only ever gain bits while a layer is swept, so threads may read each other's halfway: the
//! least fixpoint is the same in whatever order it is reached.

use crate::board::Board;
use crate::game::{Game, Play, Turn};
use crate::index::{Index, Layer};
use crate::progress::Progress;
use crate::retro::{Halt, Refusal};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Most seeds in a round whose takes have a bit each.
pub const MOST_SEEDS: u32 = 63;

/// Positions that a thread takes at a time.
const CHUNK: u64 = 1 << 12;

/// What is asked about a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Aim {
    /// Seeds of the round: those on the board when it begins.
    pub seeds: u32,
    /// Bit `t`: the asker wants to have taken `t` seeds in the end.
    pub targets: u64,
    /// Where rows differ, the seat of the asker: 0 South, 1 North.
    pub seat: usize,
}

/// The answers for all positions of a round.
#[derive(Debug)]
pub struct Splits<B: Board> {
    index: Index<B>,
    aim: Aim,
    /// By seeds on the board: a word a position where rows differ, else two, as the asker is not and
    /// is to move.
    layers: Vec<Words>,
}

/// The words of a finished layer.
#[derive(Debug)]
enum Words {
    Bytes(Vec<u8>),
    Halves(Vec<u16>),
    Singles(Vec<u32>),
    Doubles(Vec<u64>),
}

impl Words {
    /// Keeps words of which only so many bits are used.
    fn pack(words: Vec<AtomicU64>, bits: u32) -> Self {
        let word = |word: AtomicU64| word.into_inner();
        let words = words.into_par_iter().map(word);
        match bytes_for(bits) {
            1 => Self::Bytes(words.map(|word| word as u8).collect()),
            2 => Self::Halves(words.map(|word| word as u16).collect()),
            4 => Self::Singles(words.map(|word| word as u32).collect()),
            _ => Self::Doubles(words.collect()),
        }
    }

    #[inline(always)]
    fn get(&self, at: usize) -> u64 {
        match self {
            Self::Bytes(words) => words[at].into(),
            Self::Halves(words) => words[at].into(),
            Self::Singles(words) => words[at].into(),
            Self::Doubles(words) => words[at],
        }
    }
}

/// Bytes of a word of so many bits.
fn bytes_for(bits: u32) -> u64 {
    u64::from(bits.div_ceil(8)).next_power_of_two()
}

/// Bytes that finding the answers for a round of so many seeds takes, but for the edges of the level at
/// work.
pub fn bytes<B: Board>(index: &Index<B>, seeds: u32) -> u64 {
    let each = words_a_position(index.shape().seats);
    let layer = |left: u32| index.positions(Layer::Total(left as u8));
    let kept: u64 = (0..=seeds)
        .map(|left| layer(left) * each * bytes_for(seeds - left + 1))
        .sum();
    let node = size_of::<Node>() as u64;
    kept + layer(seeds) * (each * size_of::<u64>() as u64 + node)
}

/// A position with moves that stay in the layer.
struct Node {
    rank: u32,
    edges: u8,
    /// What the opponent's other moves leave of the word.
    exits: u64,
}

/// A run of positions.
#[derive(Default)]
struct Run {
    nodes: Vec<Node>,
    edges: Vec<u32>,
}

/// A layer at work.
struct Sweep<'a, G: Game> {
    game: &'a G,
    splits: &'a Splits<G::Board>,
    layer: Layer,
    words: Vec<AtomicU64>,
}

/// Words of a position: one where the board says who is to move.
pub fn words_a_position(seats: usize) -> u64 {
    if seats == 2 { 1 } else { 2 }
}

impl<B: Board> Splits<B> {
    /// Finds the answers for all positions with up to as many seeds as the round has.
    ///
    /// # Errors
    /// When positions cannot be numbered, or `progress` says to stop.
    ///
    /// # Panics
    /// When the round has more than [`MOST_SEEDS`] seeds, or a player moves twice in a row.
    pub fn solve<G: Game<Board = B>>(
        game: &G,
        aim: Aim,
        progress: &dyn Progress,
    ) -> Result<Self, Refusal> {
        assert!(aim.seeds <= MOST_SEEDS);
        let top = Layer::Total(aim.seeds as u8);
        let index = Index::new(game.shape(), top).map_err(Refusal::TooLarge)?;
        let mut splits = Self {
            index,
            aim,
            layers: Vec::new(),
        };
        for seeds in 0..=aim.seeds {
            let layer = Layer::Total(seeds as u8);
            if splits.index.positions(layer) > u64::from(u32::MAX) {
                return Err(Refusal::TooManyPositions(splits.index.positions(layer)));
            }
            let words = Sweep::new(game, &splits, layer).solve(progress);
            splits.layers.push(words.map_err(Refusal::Halted)?);
        }
        Ok(splits)
    }

    /// Whether the asker, having taken `taken` seeds, can force the round to end in the set.
    pub fn forces(&self, board: B, asker_moves: bool, taken: u32) -> bool {
        let layer = self.index.layer(board);
        let place = self.place(self.index.rank(board), asker_moves);
        self.layers[layer.seeds() as usize].get(place) >> taken & 1 == 1
    }

    fn per_position(&self) -> usize {
        words_a_position(self.index.shape().seats) as usize
    }

    /// Where the word of a position is kept.
    #[inline(always)]
    fn place(&self, rank: u64, asker_moves: bool) -> usize {
        match self.per_position() {
            1 => rank as usize,
            _ => 2 * rank as usize + usize::from(asker_moves),
        }
    }

    /// Who may be to move at a rank: whether that is the asker.
    #[inline(always)]
    fn movers(&self, layer: Layer, rank: u64) -> &'static [bool] {
        if self.per_position() == 2 {
            return &[false, true];
        }
        let north = rank >= self.index.positions(layer) / 2;
        if usize::from(north) == self.aim.seat {
            &[true]
        } else {
            &[false]
        }
    }

    /// The takes that the asker can have had when so many seeds are left, as bits.
    fn possible(&self, layer: Layer) -> u64 {
        u64::MAX >> (63 - (self.aim.seeds - layer.seeds()))
    }
}

impl<'a, G: Game> Sweep<'a, G> {
    fn new(game: &'a G, splits: &'a Splits<G::Board>, layer: Layer) -> Self {
        let words = splits.index.positions(layer) as usize * splits.per_position();
        Self {
            game,
            splits,
            layer,
            words: (0..words).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    fn solve(self, progress: &dyn Progress) -> Result<Words, Halt> {
        let positions = self.splits.index.positions(self.layer);
        let runs: Option<Vec<Run>> = (0..positions.div_ceil(CHUNK))
            .into_par_iter()
            .map(|i| {
                if progress.stopped() {
                    return None;
                }
                let ranks = i * CHUNK..((i + 1) * CHUNK).min(positions);
                progress.advance(ranks.end - ranks.start);
                Some(self.expand(ranks))
            })
            .collect();
        let runs = runs.ok_or(Halt::Stopped)?;
        let changed = AtomicBool::new(true);
        while changed.swap(false, Ordering::Relaxed) {
            if progress.stopped() {
                return Err(Halt::Stopped);
            }
            runs.par_iter().for_each(|run| {
                if self.sweep(run) {
                    changed.store(true, Ordering::Relaxed);
                }
            });
        }
        let bits = self.splits.possible(self.layer).count_ones();
        Ok(Words::pack(self.words, bits))
    }

    /// Sets what positions are by the moves that leave the layer, and lists the others.
    fn expand(&self, ranks: Range<u64>) -> Run {
        let mut run = Run::default();
        let boards = self.splits.index.walk(self.layer, ranks.clone());
        for (rank, board) in ranks.zip(boards) {
            let before = run.edges.len();
            let movers = self.splits.movers(self.layer, rank);
            let [any, all] = self.exits(board, movers, &mut run.edges);
            let edges = run.edges.len() - before;
            for &asker in movers {
                // The opponent's word begins empty while one of its moves is not known yet.
                let word = match (asker, edges) {
                    (true, _) => any,
                    (false, 0) => all,
                    (false, _) => continue,
                };
                let place = self.splits.place(rank, asker);
                self.words[place].store(word, Ordering::Relaxed);
            }
            if edges > 0 {
                run.nodes.push(Node {
                    rank: rank as u32,
                    edges: edges as u8,
                    exits: all,
                });
            }
        }
        run
    }

    /// The OR, if the asker is to move, and the AND, if the opponent is, of what moves out of the layer
    /// and the end of the round give; the others are added to `edges`.
    fn exits(&self, board: G::Board, movers: &[bool], edges: &mut Vec<u32>) -> [u64; 2] {
        let splits = self.splits;
        let possible = splits.possible(self.layer);
        let (mut any, mut all) = (0, possible);
        let mut endless = false;
        let turn = self.game.expand(board, |_, play| match play {
            Play::Endless { .. } => endless = true,
            Play::Done(played) => {
                assert!(!played.again, "players move in turn");
                let rank = splits.index.rank(played.board);
                if played.captured == 0 {
                    edges.push(rank as u32);
                    return;
                }
                let below = self.layer.after_capture(played.captured);
                let words = &splits.layers[below.seeds() as usize];
                for &asker in movers {
                    let word = words.get(splits.place(rank, !asker));
                    if asker {
                        any |= word >> played.captured & possible;
                    } else {
                        all &= word;
                    }
                }
            }
        });
        match turn {
            // An endless move that may be chosen ends the match drawn: the opponent has a way out.
            Turn::Moves if endless && self.game.endless_draws() => [any, 0],
            Turn::Moves => [any, all],
            // Whoever is stuck leaves all seeds to the other.
            Turn::Over { .. } | Turn::Pass(_) => [
                splits.aim.targets & possible,
                splits.aim.targets >> self.layer.seeds() & possible,
            ],
        }
    }

    /// Works the words of a run out anew; whether one changed.
    fn sweep(&self, run: &Run) -> bool {
        let word = |rank: u32, asker: bool| &self.words[self.splits.place(rank.into(), asker)];
        let mut changed = false;
        let mut from = 0;
        for node in &run.nodes {
            let edges = &run.edges[from..from + usize::from(node.edges)];
            from += edges.len();
            for &asker in self.splits.movers(self.layer, node.rank.into()) {
                let seen = |edge: &u32| word(*edge, !asker).load(Ordering::Relaxed);
                let known = word(node.rank, asker);
                let old = known.load(Ordering::Relaxed);
                let new = if asker {
                    edges.iter().fold(old, |any, edge| any | seen(edge))
                } else {
                    edges.iter().fold(node.exits, |all, edge| all & seen(edge))
                };
                if new != old {
                    known.store(new, Ordering::Relaxed);
                    changed = true;
                }
            }
        }
        changed
    }
}
