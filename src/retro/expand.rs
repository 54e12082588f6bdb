//! Owns: expanding every position of a level once (wave 0).
//!
//! Moves that leave the level are looked up in finished layers, moves that stay become edges. A
//! chunk is expanded first and its lookups are made afterwards in one loop: they do not depend on
//! each other, so the machine overlaps their cache misses instead of waiting for each.

use super::level::{AGAIN, CHUNK, Chunk, Level, Open};
use super::store::{Store, stake};
use crate::game::{Game, Play, Turn};
use crate::index::Layer;
use crate::value::{Bound, Code, MINUS_INFINITY, PLUS_INFINITY, continued, encode, opposed};

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

/// What became of a chunk's positions by themselves.
pub struct Expanded {
    pub chunk: Chunk,
    /// One bit a position: the game is over there.
    pub over: Vec<u64>,
}

impl<G: Game> Expansion<'_, G> {
    /// Expands the positions from number `start` on, as many as `codes` has room for, and writes
    /// their codes: final ones where no edge stays in the level, else what the exits alone give to
    /// `lower`, and an open `upper`.
    pub fn chunk(&self, start: u64, codes: &mut [[Code; 2]]) -> Expanded {
        let mut out = Expanded {
            chunk: Chunk::default(),
            over: vec![0; CHUNK / 64],
        };
        let mut exits = Vec::with_capacity(2 * codes.len());
        codes.fill([MINUS_INFINITY; 2]);
        let end = start + codes.len() as u64;
        for (layer, places) in self.level.parts() {
            let (from, to) = (places.start.max(start), places.end.min(end));
            if from >= to {
                continue;
            }
            let ranks = from - places.start..to - places.start;
            let boards = self.store.index().walk(layer, ranks);
            for (at, board) in ((from - start) as usize..).zip(boards) {
                self.position(layer, board, at, codes, &mut exits, &mut out);
            }
        }
        look_up(&exits, codes);
        for open in &mut out.chunk.open {
            let upper = &mut codes[usize::from(open.at)][1];
            open.exit_upper = std::mem::replace(upper, PLUS_INFINITY);
        }
        out
    }

    #[inline(always)]
    fn position<'s>(
        &'s self,
        layer: Layer,
        board: G::Board,
        at: usize,
        codes: &mut [[Code; 2]],
        exits: &mut Vec<Exit<'s>>,
        out: &mut Expanded,
    ) {
        let edges = &mut out.chunk.edges;
        let before = edges.len();
        let mut endless = false;
        let turn = self.game.expand(board, |_, play| match play {
            Play::Endless { .. } => endless = true,
            Play::Done(played) if played.captured == 0 => {
                let again = if played.again { AGAIN } else { 0 };
                let to = if played.again { layer } else { layer.turned() };
                edges.push(self.number(to, played.board) | again);
            }
            Play::Done(played) => {
                let below = layer.after_capture(played.captured);
                let values = self.store.layer(below);
                exits.push(Exit {
                    at: at as u16,
                    again: played.again,
                    captured: if G::SCORED { played.captured as u8 } else { 0 },
                    stake: stake::<G>(layer) as u8,
                    codes: &values.expect("lower layers are finished first").codes,
                    rank: self.store.index().rank(played.board),
                });
            }
        });
        match turn {
            Turn::Moves if endless && self.game.endless_draws() => codes[at][1] = PLUS_INFINITY,
            Turn::Moves => {}
            Turn::Pass(board) => edges.push(self.number(layer.turned(), board)),
            Turn::Over { margin } => {
                let code = encode(Bound::Finite(margin as i16), stake::<G>(layer));
                codes[at] = [code; 2];
                out.over[at / 64] |= 1 << (at % 64);
            }
        }
        if edges.len() > before {
            out.chunk.open.push(Open {
                at: at as u16,
                exit_upper: 0,
                edges_end: edges.len() as u32,
            });
        }
    }

    /// The place in the level of a board in `layer`.
    #[inline(always)]
    fn number(&self, layer: Layer, board: G::Board) -> u32 {
        let start = self
            .level
            .start(layer)
            .expect("the move stays in the level");
        (start + self.store.index().rank(board)) as u32
    }

    /// Edges of the positions sampled evenly over the level, a position, for planning.
    pub fn edges_per_position(&self, samples: u64) -> f64 {
        let positions = self.level.positions();
        let samples = samples.min(positions);
        let mut edges = 0u64;
        for sample in 0..samples {
            let number = (u128::from(positions) * u128::from(sample) / u128::from(samples)) as u64;
            let part = self
                .level
                .parts()
                .find(|(_, places)| places.contains(&number));
            let (layer, places) = part.expect("a number of the level");
            let board = self.store.index().unrank(layer, number - places.start);
            let turn = self.game.expand(board, |_, play| {
                edges += u64::from(matches!(play, Play::Done(played) if played.captured == 0));
            });
            edges += u64::from(matches!(turn, Turn::Pass(_)));
        }
        edges as f64 / samples.max(1) as f64
    }
}

/// Raises both bounds to the best of the exits. Until all are seen `upper` counts from −∞ up.
fn look_up(exits: &[Exit<'_>], codes: &mut [[Code; 2]]) {
    for exit in exits {
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
