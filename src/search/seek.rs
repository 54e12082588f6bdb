//! Owns: how the time for one position is spent: on its value, on what to expect where that stays
//! open, on its moves, on a line.
//!
//! A short proof search comes first, because most positions that are asked about are easy. What it
//! leaves open is looked at by the analysis search for a while, which proves nothing, and then proven
//! as far as time goes. The moves come after the position: their proofs are mostly in the table by
//! then. What is known of the moves says something of the position and the other way round, so both
//! are narrowed in the end.

use super::analyse::{Analyser, Outlook};
use super::line::Means;
use super::prove::{Goal, Past, Proof, Prover, TooManySeeds};
use super::{Limits, Source};
use crate::analysis::{LineEnd, Ply, moves};
use crate::game::{Game, Move, Played};
use crate::index::Layer;
use crate::progress::Progress;
use crate::value::{Bracket, Value};
use std::cell::Cell;
use std::time::{Duration, Instant};

/// How long the first proof search may take.
const FIRST: Duration = Duration::from_millis(500);

/// Longest time for expecting.
const EXPECT: Duration = Duration::from_secs(10);

/// Time for the moves and the line of a position whose value was found, besides a multiple of what
/// that took.
const AFTER: Duration = Duration::from_secs(4);

/// Time of each move in the first round over all moves.
const ROUND: Duration = Duration::from_millis(100);

/// Bytes of the table for questions with a past, which starts empty each time.
const ASIDE: u64 = 64 << 20;

/// A position to be searched.
#[derive(Clone, Copy, Debug)]
pub struct Question<'q, B> {
    /// The board.
    pub board: B,
    /// What its mover is ahead by, in games with a score.
    pub lead: i32,
    /// Earlier positions since the last capture, where the game's history counts; play that comes
    /// back to one is a draw. `None` where it does not.
    pub past: Option<&'q [Past<B>]>,
}

/// A move and what is known of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SoughtMove<B> {
    /// The move.
    pub choice: Move,
    /// Where it leads; `None` for an endless move, which draws.
    pub played: Option<Played<B>>,
    /// What it is worth to the player who makes it, what it captures included.
    pub bracket: Bracket,
}

/// What a search found.
#[derive(Clone, PartialEq, Debug)]
pub struct Sought<B> {
    /// What is proven of the position.
    pub bracket: Bracket,
    /// What is expected, where the value stays open and there was time to look.
    pub outlook: Option<Outlook>,
    /// The legal moves in ascending order.
    pub moves: Vec<SoughtMove<B>>,
    /// Best play; every move of it is proven to keep the value. Empty while that is open.
    pub line: Vec<Ply<B>>,
    /// How the line ends.
    pub end: LineEnd,
    /// Positions looked at, by proofs and by the analysis.
    pub expanded: u64,
}

/// Searches positions of one game with whatever exact values there are.
pub struct Seeker<'a, G: Game> {
    game: &'a G,
    prover: Prover<'a, G>,
    aside: Prover<'a, G>,
    /// Bytes for the analysis search, which is not always needed.
    analysis: u64,
    source: Option<&'a Source<'a, G::Board>>,
    threads: usize,
    progress: &'a dyn Progress,
}

impl<'a, G: Game> Seeker<'a, G> {
    /// A searcher of positions of `layer` and below that takes about `memory` bytes. `source` tells
    /// exact values of positions without a past.
    ///
    /// # Errors
    /// When more seeds are at stake than values can share out.
    pub fn new(
        game: &'a G,
        layer: Layer,
        memory: u64,
        source: Option<&'a Source<'a, G::Board>>,
        threads: usize,
        progress: &'a dyn Progress,
    ) -> Result<Self, TooManySeeds> {
        Ok(Self {
            game,
            prover: Prover::fitting(game, layer, memory / 4 * 3)?,
            aside: Prover::fitting(game, layer, ASIDE.min(memory / 16))?,
            analysis: memory / 8,
            source,
            threads: threads.max(1),
            progress,
        })
    }

    /// Finds out what it can until `deadline` (`None` for as long as it takes), or until progress
    /// says to stop.
    pub fn seek(
        &self,
        asked: Question<'_, G::Board>,
        deadline: Option<Instant>,
    ) -> Sought<G::Board> {
        let start = Instant::now();
        // An eighth of the time is for the moves.
        let root_end = deadline.map(|at| at - at.saturating_duration_since(start) / 8);
        let (proof, outlook) = self.root(asked, root_end);
        let mut bracket = proof.bracket();
        let settled = bracket.value(G::SCORED).is_some();
        let end = if settled {
            // The value is what was asked for: the rest is not to keep anybody waiting.
            let patience = Instant::now() + AFTER + 3 * start.elapsed();
            Some(deadline.map_or(patience, |at| at.min(patience)))
        } else {
            deadline
        };
        let looked = outlook.as_ref().map_or(0, |outlook| outlook.nodes);
        let expanded = Cell::new(proof.expanded + looked);
        // Moves that stay open must not use up the time of the line.
        let moves_end = end.map(|at| at - at.saturating_duration_since(Instant::now()) / 3);
        let list = self.moves(asked, &mut bracket, moves_end, &expanded);
        let known = if G::SCORED {
            bracket.margin(asked.lead).is_some()
        } else {
            bracket.outcome(0).is_some()
        };
        let (line, line_end) = if known {
            self.means(end, &expanded).line(asked, &bracket)
        } else {
            (Vec::new(), LineEnd::Cut)
        };
        Sought {
            bracket,
            outlook: outlook
                .filter(|outlook| outlook.depth > 0 && bracket.value(G::SCORED).is_none()),
            moves: list,
            line,
            end: line_end,
            expanded: expanded.get(),
        }
    }

    /// What it can find out about the position alone.
    pub fn value(&self, asked: Question<'_, G::Board>, deadline: Option<Instant>) -> Bracket {
        let (position, past) = ((asked.board, asked.lead), asked.past.unwrap_or_default());
        let limits = self.limits(deadline);
        self.prover
            .prove(
                position,
                Goal::Bounds,
                past,
                self.source,
                limits,
                self.progress,
            )
            .bracket()
    }

    /// Best play from a position whose value is known as `bracket`, without the use of distances.
    pub fn line(
        &self,
        asked: Question<'_, G::Board>,
        bracket: &Bracket,
        deadline: Option<Instant>,
    ) -> (Vec<Ply<G::Board>>, LineEnd) {
        self.means(deadline, &Cell::new(0)).line(asked, bracket)
    }

    fn means<'s>(&'s self, end: Option<Instant>, expanded: &'s Cell<u64>) -> Means<'s, G> {
        Means {
            game: self.game,
            prover: &self.prover,
            aside: &self.aside,
            source: self.source,
            limits: self.limits(end),
            progress: self.progress,
            expanded,
        }
    }

    /// Questions with a past do not mix with others, and leave nothing for each other.
    fn prover_for(&self, past: &[Past<G::Board>]) -> &Prover<'a, G> {
        if past.is_empty() {
            &self.prover
        } else {
            &self.aside
        }
    }

    fn limits(&self, deadline: Option<Instant>) -> Limits {
        Limits {
            threads: self.threads,
            deadline,
        }
    }

    /// The position itself.
    fn root(
        &self,
        asked: Question<'_, G::Board>,
        end: Option<Instant>,
    ) -> (Proof, Option<Outlook>) {
        let position = (asked.board, asked.lead);
        let past = asked.past.unwrap_or_default();
        let soon = |time: Duration| {
            let at = Instant::now() + time;
            Some(end.map_or(at, |end| end.min(at)))
        };
        let goal = Goal::Bounds;
        let limits = self.limits(soon(FIRST));
        let proof =
            self.prover_for(past)
                .prove(position, goal, past, self.source, limits, self.progress);
        if proof.bracket().value(G::SCORED).is_some() || self.progress.stopped() {
            return (proof, None);
        }
        let analyser = Analyser::new(self.game, self.analysis);
        let left = end.map_or(EXPECT, |at| at.saturating_duration_since(Instant::now()));
        let limits = self.limits(soon((left / 4).min(EXPECT)));
        let (source, progress) = (self.source, self.progress);
        let outlook = analyser.analyse(position, u32::MAX, source, limits, progress, &mut |_| {});
        let limits = self.limits(end);
        let proof = if past.is_empty() {
            self.prover
                .resume(&proof, position, goal, self.source, limits, self.progress)
        } else {
            self.aside
                .prove(position, goal, past, self.source, limits, self.progress)
        };
        (proof, Some(outlook))
    }

    /// The moves, in rounds that give each open one twice the time of the round before.
    fn moves(
        &self,
        asked: Question<'_, G::Board>,
        root: &mut Bracket,
        end: Option<Instant>,
        expanded: &Cell<u64>,
    ) -> Vec<SoughtMove<G::Board>> {
        let known = |board| self.source?(board).filter(|_| asked.past.is_none());
        let Ok(listed) = moves(self.game, asked.board, &known) else {
            return Vec::new();
        };
        let mut tries: Vec<Try<G::Board>> = listed
            .into_iter()
            .map(|listed| Try::new::<G>(&asked, listed.choice, listed.played, listed.value))
            .collect();
        let mut time = ROUND;
        loop {
            for open in tries.iter_mut().filter(|tried| tried.open::<G>()) {
                self.try_move(open, time, end, expanded);
            }
            let over = end.is_some_and(|at| Instant::now() >= at) || self.progress.stopped();
            if over || !tries.iter().any(Try::open::<G>) {
                break;
            }
            time *= 2;
        }
        if let Some(all) = Bracket::of_moves(tries.iter().map(|tried| tried.bracket)) {
            *root = root.meet(all);
        }
        // No move is better than the best one.
        let at_best = Bracket {
            lower: [Bracket::OPEN.lower[0], root.lower[1]],
            upper: [Bracket::OPEN.upper[0], root.upper[1]],
        };
        let sought = |tried: Try<G::Board>| SoughtMove {
            choice: tried.choice,
            played: tried.played,
            bracket: tried.bracket.meet(at_best),
        };
        tries.into_iter().map(sought).collect()
    }

    /// Searches what a move leads to for some time.
    fn try_move(
        &self,
        tried: &mut Try<G::Board>,
        time: Duration,
        end: Option<Instant>,
        expanded: &Cell<u64>,
    ) {
        let Some(played) = tried.played else {
            return;
        };
        let at = Instant::now() + time;
        let limits = self.limits(Some(end.map_or(at, |end| end.min(at))));
        let position = (played.board, tried.lead);
        let goal = Goal::Bounds;
        let proof = match &tried.proof {
            Some(found) if tried.past.is_empty() => {
                self.prover
                    .resume(found, position, goal, self.source, limits, self.progress)
            }
            found => {
                let prover = self.prover_for(&tried.past);
                let mut proof = prover.prove(
                    position,
                    goal,
                    &tried.past,
                    self.source,
                    limits,
                    self.progress,
                );
                proof.expanded += found.map_or(0, |found| found.expanded);
                proof
            }
        };
        let before = tried.proof.map_or(0, |proof| proof.expanded);
        expanded.set(expanded.get() + proof.expanded - before);
        let gain = if G::SCORED { played.captured as i16 } else { 0 };
        tried.bracket = tried
            .bracket
            .meet(proof.bracket().through(gain, played.again));
        tried.proof = Some(proof);
    }
}

/// A move while it is searched.
struct Try<B> {
    choice: Move,
    played: Option<Played<B>>,
    /// What whoever moves next is ahead by.
    lead: i32,
    past: Vec<Past<B>>,
    bracket: Bracket,
    proof: Option<Proof>,
}

impl<B: Copy + PartialEq> Try<B> {
    fn new<G: Game<Board = B>>(
        asked: &Question<'_, B>,
        choice: Move,
        played: Option<Played<B>>,
        value: Option<Value>,
    ) -> Self {
        let (lead, past) = match played {
            Some(played) => (
                lead_after::<G>(asked.lead, &played),
                past_after(asked, &played),
            ),
            None => (0, Vec::new()),
        };
        let repeats = played.is_some_and(|played| {
            let here = Past {
                board: played.board,
                same_mover: true,
            };
            past.contains(&here)
        });
        let bracket = match value {
            // The game ends there in a draw.
            _ if repeats => Bracket::exact(&Value::OPEN),
            Some(value) => Bracket::exact(&value),
            None => Bracket::OPEN,
        };
        Self {
            choice,
            played,
            lead,
            past,
            bracket,
            proof: None,
        }
    }

    fn open<G: Game<Board = B>>(&self) -> bool {
        self.bracket.value(G::SCORED).is_none()
    }
}

/// What whoever moves after a move is ahead by.
pub fn lead_after<G: Game>(lead: i32, played: &Played<G::Board>) -> i32 {
    let gain = if G::SCORED { played.captured as i32 } else { 0 };
    if played.again {
        lead + gain
    } else {
        -(lead + gain)
    }
}

/// The past of the position after a move, as its mover sees it: nothing after a capture, since what
/// was before cannot come again, and nothing where history does not count.
pub fn past_after<B: Copy>(asked: &Question<'_, B>, played: &Played<B>) -> Vec<Past<B>> {
    let Some(past) = asked.past.filter(|_| played.captured == 0) else {
        return Vec::new();
    };
    let here = Past {
        board: asked.board,
        same_mover: true,
    };
    let turned = |past: &Past<B>| Past {
        board: past.board,
        same_mover: past.same_mover == played.again,
    };
    past.iter().chain([&here]).map(turned).collect()
}
