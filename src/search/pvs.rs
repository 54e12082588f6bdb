//! Owns: one thread of the analysis search: principal variation search to a fixed depth.
//!
//! Fail-soft alpha-beta with zero windows beside the principal variation (T. A. Marsland and
//! M. Campbell, Computing Surveys 14/4, 1982). The first moves of a path that keep the turn cost no depth, so
//! that Giuthi's runs of moves are seen to their end. A position of the path that comes again scores as the draw it
//! is; a score that leans on an ancestor in this way is not kept in the table, for it may be wrong
//! when the position is come to by another path (M. Campbell, "The graph-history interaction", ACM
//! 1985). The key holds the lead too: what a draw is worth depends on it.

use super::Source;
use super::evaluate::{Evaluation, NEARLY_WON, evaluate, final_score};
use super::key::hash;
use super::key::scramble;
use super::scores::{Entry, Kind, NO_MOVE, Scores};
use crate::game::{Game, Move, Play, Turn};
use std::sync::atomic::{AtomicBool, Ordering};

/// Longest path searched; beyond it positions are only looked at.
pub const LONGEST: usize = 240;

/// Above every score.
pub const INFINITE: i32 = 32_000;

/// Moves played between two looks at whether to stop.
const BREATH: u64 = 1 << 12;

/// What all threads of an analysis share.
pub struct Board<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// Pits of a ring.
    pub pits: usize,
    /// What things count where search stops.
    pub evaluation: Evaluation,
    /// Scores found.
    pub scores: &'a Scores,
    /// Exact values, where there are any.
    pub source: Option<&'a Source<'a, G::Board>>,
    /// Set when all are to stop.
    pub stopped: &'a AtomicBool,
    /// Asked now and then whether to stop, with the moves played since it was last asked.
    pub breathe: &'a (dyn Fn(u64) -> bool + Sync),
}

/// A position of the search.
#[derive(Clone, Copy, Debug)]
pub struct At<B> {
    /// The board.
    pub board: B,
    /// What the mover has captured less what the other has.
    pub lead: i32,
    /// 0 for the root's mover.
    pub side: u8,
    /// Plies from the root.
    pub ply: usize,
    /// Least ply of the path since the last capture.
    pub floor: usize,
    /// Moves that keep the turn and may still go without cost in depth.
    pub free: u8,
}

#[derive(Clone, Copy, Debug)]
struct Kid<B> {
    choice: Move,
    at: At<B>,
    /// Larger is tried earlier.
    rank: i32,
    again: bool,
    /// Known without search.
    score: Option<i32>,
}

/// A score and the least ply of the path that it leans on through a repetition.
#[derive(Clone, Copy, Debug)]
struct Found {
    score: i32,
    leans: usize,
}

impl Found {
    fn firm(score: i32) -> Self {
        Self {
            score,
            leans: usize::MAX,
        }
    }
}

/// A thread's state.
pub struct Searcher<'a, G: Game> {
    shared: &'a Board<'a, G>,
    path: Vec<u64>,
    kids: Vec<Kid<G::Board>>,
    lines: Vec<Vec<Move>>,
    history: [[i32; 256]; 2],
    /// Moves played.
    pub nodes: u64,
    told: u64,
}

impl<'a, G: Game> Searcher<'a, G> {
    /// A searcher that has seen nothing.
    pub fn new(shared: &'a Board<'a, G>) -> Self {
        Self {
            shared,
            path: vec![0; LONGEST + 2],
            kids: Vec::new(),
            lines: vec![Vec::new(); LONGEST + 2],
            history: [[0; 256]; 2],
            nodes: 0,
            told: 0,
        }
    }

    /// The best line found by the last search that was not stopped.
    pub fn line(&self) -> &[Move] {
        &self.lines[0]
    }

    /// Searches `depth` plies; the score lies in the window or beyond the side that it failed to.
    /// `None` when stopped.
    pub fn search(&mut self, root: At<G::Board>, depth: i32, window: [i32; 2]) -> Option<i32> {
        self.kids.clear();
        for sides in &mut self.history {
            sides.iter_mut().for_each(|count| *count /= 8);
        }
        let found = self.node(root, depth, window[0], window[1]);
        (!self.stopped()).then_some(found.score)
    }

    fn stopped(&self) -> bool {
        self.shared.stopped.load(Ordering::Relaxed)
    }

    /// Tells how many moves were played, and stops all threads if that is asked for.
    pub fn breathe(&mut self) {
        let fresh = self.nodes - self.told;
        self.told = self.nodes;
        if (self.shared.breathe)(fresh) {
            self.shared.stopped.store(true, Ordering::Relaxed);
        }
    }

    fn node(&mut self, at: At<G::Board>, depth: i32, mut alpha: i32, beta: i32) -> Found {
        self.lines[at.ply].clear();
        if depth <= 0 || at.ply >= LONGEST {
            return Found::firm(evaluate::<G>(
                self.shared.evaluation,
                self.shared.pits,
                at.board,
                at.lead,
            ));
        }
        if depth == 1 {
            return self.frontier(at, alpha, beta);
        }
        let key = key(&at);
        self.path[at.ply] = on_path(key, at.side);
        let entry = self.shared.scores.get(key);
        if let Some(score) = entry.and_then(|entry| usable(entry, at.ply, depth, alpha, beta)) {
            return Found::firm(score);
        }
        if self.nodes - self.told >= BREATH {
            self.breathe();
        }
        if self.stopped() {
            return Found { score: 0, leans: 0 };
        }
        let first = self.kids.len();
        if let Some(found) = self.generate(at, entry.map_or(NO_MOVE, |entry| entry.choice)) {
            return found;
        }
        let count = self.kids.len() - first;
        let before = alpha;
        let mut best = Found::firm(-INFINITE);
        let mut chosen = NO_MOVE;
        for done in 0..count {
            let kid = self.pick(first + done);
            let found = self.kid(&kid, depth, alpha, beta, done > 0);
            best.leans = best.leans.min(found.leans);
            if found.score > best.score {
                best.score = found.score;
                chosen = kid.choice.code();
                if found.score > alpha {
                    alpha = found.score;
                    self.extend_line(at.ply, kid.choice);
                }
                if alpha >= beta {
                    self.history[usize::from(at.side)][usize::from(chosen)] += depth * depth;
                    break;
                }
            }
        }
        self.kids.truncate(first);
        if self.stopped() {
            return Found { score: 0, leans: 0 };
        }
        if best.leans >= at.ply {
            best.leans = usize::MAX;
            let kind = match best.score {
                score if score >= beta => Kind::AtLeast,
                score if score > before => Kind::Exactly,
                _ => Kind::AtMost,
            };
            let entry = Entry {
                score: stored(best.score, at.ply) as i16,
                depth: depth.min(255) as u8,
                kind,
                choice: chosen,
            };
            self.shared.scores.put(key, entry);
        }
        best
    }

    /// Searches a move: with a zero window where a better one is known, again if that was wrong.
    #[inline(always)]
    fn kid(
        &mut self,
        kid: &Kid<G::Board>,
        depth: i32,
        alpha: i32,
        beta: i32,
        later: bool,
    ) -> Found {
        if let Some(score) = kid.score {
            self.lines[kid.at.ply].clear();
            return Found::firm(score);
        }
        if let Some(leans) = self.repeats(&kid.at) {
            self.lines[kid.at.ply].clear();
            return Found { score: 0, leans };
        }
        if later && beta - alpha > 1 {
            let found = self.seen(kid, depth, alpha, alpha + 1);
            if found.score <= alpha || found.score >= beta {
                return found;
            }
        }
        self.seen(kid, depth, alpha, beta)
    }

    /// Searches a move with a window, as its player sees it.
    #[inline(always)]
    fn seen(&mut self, kid: &Kid<G::Board>, depth: i32, alpha: i32, beta: i32) -> Found {
        if kid.again {
            let cost = i32::from(kid.at.free == 0);
            return self.node(kid.at, depth - cost, alpha, beta);
        }
        let found = self.node(kid.at, depth - 1, -beta, -alpha);
        Found {
            score: -found.score,
            ..found
        }
    }

    /// The last ply before search stops: moves are played one by one and looked at, no table.
    fn frontier(&mut self, at: At<G::Board>, mut alpha: i32, beta: i32) -> Found {
        let shared = self.shared;
        let mut best = Found::firm(-INFINITE);
        self.path[at.ply] = 0;
        for choice in shared.game.candidates(at.board) {
            self.nodes += 1;
            let (found, line) = match shared.game.play(at.board, choice) {
                Play::Done(played) => {
                    let next = next::<G>(&at, played.board, played.captured, played.again);
                    if played.again && next.free > 0 {
                        self.path[at.ply] = on_path(key(&at), at.side);
                        match self.repeats(&next) {
                            Some(leans) => (Found { score: 0, leans }, false),
                            None => (self.node(next, 1, alpha, beta), true),
                        }
                    } else if played.again {
                        let score =
                            evaluate::<G>(shared.evaluation, shared.pits, next.board, next.lead);
                        (Found::firm(score), false)
                    } else if let Some(score) = self.known(&next, played.captured) {
                        (Found::firm(-score), false)
                    } else {
                        (
                            Found::firm(-evaluate::<G>(
                                shared.evaluation,
                                shared.pits,
                                next.board,
                                next.lead,
                            )),
                            false,
                        )
                    }
                }
                Play::Endless { .. } if shared.game.endless_draws() => (Found::firm(0), false),
                Play::Endless { .. } => continue,
            };
            best.leans = best.leans.min(found.leans);
            if found.score > best.score {
                best.score = found.score;
                if found.score > alpha {
                    alpha = found.score;
                    if !line {
                        self.lines[at.ply + 1].clear();
                    }
                    self.extend_line(at.ply, choice);
                }
                if alpha >= beta {
                    break;
                }
            }
        }
        if best.score == -INFINITE {
            return match shared.game.stuck(at.board) {
                Turn::Over { margin } => over::<G>(&at, margin),
                _ => Found::firm(evaluate::<G>(
                    shared.evaluation,
                    shared.pits,
                    at.board,
                    at.lead,
                )),
            };
        }
        best
    }

    /// Plays all moves; the score if the game is over.
    fn generate(&mut self, at: At<G::Board>, first: u8) -> Option<Found> {
        let game = self.shared.game;
        let before = self.kids.len();
        for choice in game.candidates(at.board) {
            self.nodes += 1;
            let code = choice.code();
            let history = self.history[usize::from(at.side)][usize::from(code)];
            let kid = match game.play(at.board, choice) {
                Play::Done(played) => {
                    let next = next::<G>(&at, played.board, played.captured, played.again);
                    let known = self.known(&next, played.captured);
                    let best = i32::from(code == first) << 30;
                    let gain = (played.captured as i32) << 20 | i32::from(played.again) << 19;
                    Kid {
                        choice,
                        at: next,
                        rank: best + gain + history.min((1 << 19) - 1),
                        again: played.again,
                        score: known.map(|score| if played.again { score } else { -score }),
                    }
                }
                Play::Endless { .. } if game.endless_draws() => Kid {
                    choice,
                    at: next::<G>(&at, at.board, 0, true),
                    rank: 0,
                    again: true,
                    score: Some(0),
                },
                Play::Endless { .. } => continue,
            };
            self.kids.push(kid);
        }
        if self.kids.len() > before {
            return None;
        }
        match game.stuck(at.board) {
            Turn::Over { margin } => Some(over::<G>(&at, margin)),
            Turn::Pass(board) => {
                self.kids.push(Kid {
                    choice: Move::PASS,
                    at: next::<G>(&at, board, 0, false),
                    rank: 0,
                    again: false,
                    score: None,
                });
                None
            }
            Turn::Moves => None,
        }
    }

    /// The best of the moves from `from` on, brought to that place.
    #[inline(always)]
    fn pick(&mut self, from: usize) -> Kid<G::Board> {
        let rest = &mut self.kids[from..];
        let mut best = 0;
        for at in 1..rest.len() {
            if rest[at].rank > rest[best].rank {
                best = at;
            }
        }
        rest.swap(0, best);
        rest[0]
    }

    /// The exact score of a position after a capture, where it is known.
    #[inline(always)]
    fn known(&self, at: &At<G::Board>, captured: u32) -> Option<i32> {
        if captured == 0 {
            return None;
        }
        let value = (self.shared.source?)(at.board)?;
        let lead = if G::SCORED { at.lead } else { 0 };
        Some(final_score::<G>(value.margin(lead), at.ply))
    }

    /// The ply at which a position of the path is the same.
    #[inline(always)]
    fn repeats(&self, at: &At<G::Board>) -> Option<usize> {
        if at.floor >= at.ply {
            return None;
        }
        let key = on_path(key(at), at.side);
        let recent = &self.path[at.floor..at.ply];
        recent
            .iter()
            .rposition(|&on| on == key)
            .map(|ply| at.floor + ply)
    }

    fn extend_line(&mut self, ply: usize, choice: Move) {
        let (before, after) = self.lines.split_at_mut(ply + 1);
        let line = &mut before[ply];
        line.clear();
        line.push(choice);
        line.extend_from_slice(&after[0]);
    }
}

/// The position after a move.
#[inline(always)]
fn next<G: Game>(at: &At<G::Board>, board: G::Board, captured: u32, again: bool) -> At<G::Board> {
    let lead = at.lead + if G::SCORED { captured as i32 } else { 0 };
    At {
        board,
        lead: if again { lead } else { -lead },
        side: at.side ^ u8::from(!again),
        ply: at.ply + 1,
        floor: if captured > 0 { at.ply + 1 } else { at.floor },
        free: at.free.saturating_sub(u8::from(again)),
    }
}

fn over<G: Game>(at: &At<G::Board>, margin: i32) -> Found {
    Found::firm(final_score::<G>(
        margin + if G::SCORED { at.lead } else { 0 },
        at.ply,
    ))
}

#[inline(always)]
fn key<B: crate::board::Board>(at: &At<B>) -> u64 {
    hash(at.board) ^ scramble(at.lead as u64 + 1000)
}

/// A position of a path is also who moves.
#[inline(always)]
fn on_path(key: u64, side: u8) -> u64 {
    key ^ u64::from(side)
}

/// Games won without a score are kept by the plies from the position, not from the root.
#[inline(always)]
fn stored(score: i32, ply: usize) -> i32 {
    match score {
        score if score > NEARLY_WON => score + ply as i32,
        score if score < -NEARLY_WON => score - ply as i32,
        score => score,
    }
}

/// The score of a table entry where it settles the matter. Beside the principal variation only, so
/// that its line is whole.
#[inline(always)]
fn usable(entry: Entry, ply: usize, depth: i32, alpha: i32, beta: i32) -> Option<i32> {
    if i32::from(entry.depth) < depth || beta - alpha > 1 {
        return None;
    }
    let score = match i32::from(entry.score) {
        score if score > NEARLY_WON => score - ply as i32,
        score if score < -NEARLY_WON => score + ply as i32,
        score => score,
    };
    let settles = match entry.kind {
        Kind::Exactly => true,
        Kind::AtLeast => score >= beta,
        Kind::AtMost => score <= alpha,
    };
    settles.then_some(score)
}
