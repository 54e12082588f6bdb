//! Owns: iterative deepening of the analysis search, and its threads.
//!
//! All threads search the same root and share the table of scores ("lazy SMP"); every other one is a
//! ply ahead, so that they do not all do the same. Only the first thread's results are reported, and
//! with one thread they are the same on every run. Nothing here is proven: see [`super::prove`].

use super::evaluate::{Evaluation, NEARLY_WON, SEED};
use super::pvs::{At, Board, INFINITE, LONGEST, Searcher};
use super::scores::Scores;
use super::{Limits, Source};
use crate::game::{Game, Move};
use crate::progress::Progress;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What an analysis found at its deepest.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Outlook {
    /// Plies searched.
    pub depth: u32,
    /// The final margin expected for the player to move, in seeds; in win-loss games the difference
    /// in seeds, or an infinity for a game seen to be won or lost.
    pub margin: f64,
    /// The line expected.
    pub line: Vec<Move>,
    /// Moves played, by all threads.
    pub nodes: u64,
}

/// Moves of a path that keep the turn and cost no depth.
const FREE: u8 = 8;

/// Half the width of the first window around the last depth's score.
const ASPIRATION: i32 = 2 * SEED;

/// Analyses positions of one game, remembering scores from one to the next.
pub struct Analyser<'a, G: Game> {
    game: &'a G,
    scores: Scores,
    evaluation: Evaluation,
}

impl<'a, G: Game> Analyser<'a, G> {
    /// An analyser with a table of at most `bytes`.
    pub fn new(game: &'a G, bytes: u64) -> Self {
        Self::with(game, bytes, Evaluation::USUAL)
    }

    /// One that counts things its own way.
    pub fn with(game: &'a G, bytes: u64, evaluation: Evaluation) -> Self {
        Self {
            game,
            scores: Scores::new(bytes),
            evaluation,
        }
    }

    /// Searches `board` deeper and deeper, for a mover who is `lead` seeds ahead, up to `depth` plies
    /// (at most 200), the limits, or until `progress` says to stop. `deeper` is told of every depth
    /// finished. Units of progress are moves played.
    pub fn analyse(
        &self,
        (board, lead): (G::Board, i32),
        depth: u32,
        source: Option<&Source<'_, G::Board>>,
        limits: Limits,
        progress: &dyn Progress,
        deeper: &mut dyn FnMut(&Outlook),
    ) -> Outlook {
        self.scores.grow_older();
        let stopped = AtomicBool::new(false);
        let nodes = AtomicU64::new(0);
        let breathe = |fresh: u64| {
            progress.advance(fresh);
            nodes.fetch_add(fresh, Ordering::Relaxed);
            limits.over() || progress.stopped()
        };
        let shared = Board {
            game: self.game,
            pits: self.game.shape().pits,
            evaluation: self.evaluation,
            scores: &self.scores,
            source,
            stopped: &stopped,
            breathe: &breathe,
        };
        let root = At {
            board,
            lead: if G::SCORED { lead } else { 0 },
            side: 0,
            ply: 0,
            floor: 0,
            free: FREE,
        };
        let depth = depth.min(LONGEST as u32 - 40);
        let mut outlook = Outlook::default();
        progress.begin("searching", 0);
        std::thread::scope(|scope| {
            for thread in 1..limits.threads {
                let shared = &shared;
                scope.spawn(move || {
                    let ahead = thread as u32 % 2;
                    deepen(
                        shared,
                        root,
                        (1 + ahead, LONGEST as u32 - 40),
                        &mut |_, _, _| {},
                    );
                });
            }
            deepen(&shared, root, (1, depth), &mut |depth, score, line| {
                outlook = Outlook {
                    depth,
                    margin: margin(score),
                    line: line.to_vec(),
                    nodes: nodes.load(Ordering::Relaxed),
                };
                deeper(&outlook);
            });
            stopped.store(true, Ordering::Relaxed);
        });
        progress.end();
        outlook.nodes = nodes.load(Ordering::Relaxed);
        outlook
    }
}

fn margin(score: i32) -> f64 {
    if score.abs() > NEARLY_WON {
        f64::INFINITY.copysign(score.into())
    } else {
        f64::from(score) / f64::from(SEED)
    }
}

/// One thread's depths in turn.
fn deepen<G: Game>(
    shared: &Board<'_, G>,
    root: At<G::Board>,
    (from, to): (u32, u32),
    deeper: &mut dyn FnMut(u32, i32, &[Move]),
) {
    let mut searcher = Searcher::new(shared);
    let mut score = 0;
    for depth in from..=to {
        let mut reach = if depth <= 2 { 2 * INFINITE } else { ASPIRATION };
        score = loop {
            let window = [
                (score - reach).max(-INFINITE),
                (score + reach).min(INFINITE),
            ];
            let Some(found) = searcher.search(root, depth as i32, window) else {
                searcher.breathe();
                return;
            };
            if found > window[0] && found < window[1] {
                break found;
            }
            reach = reach.saturating_mul(4);
            score = found;
        };
        searcher.breathe();
        deeper(depth, score, searcher.line());
    }
}
