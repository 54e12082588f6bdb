//! Owns: the questions that make a value, and the threads that answer them.
//!
//! `lower` is what the mover can force as asker, `upper` what is left when the opponent asks. Each is
//! closed in on from both sides by questions about single shares: first the one that decides the
//! game's outcome, then the middle of what is open. No question is pursued to the bitter end while
//! the other player's waits: efforts double in turn, and the table keeps what was found.

use super::dfpn::{Space, Verdict, Worker, asker_share};
use super::facts::Facts;
use super::key::Numbering;
use super::tree::{ANY_END, Node};
use super::{Limits, Source};
use crate::game::Game;
use crate::index::{Layer, layer_of};
use crate::progress::Progress;
use crate::retro::stake;
use crate::value::{
    Bound, Bracket, Code, MAX_STAKE, MINUS_INFINITY, Outcome, Value, decode, opposed,
};
use ahash::AHashSet;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What is to be found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Who wins. In win-loss games there is nothing else.
    Outcome,
    /// Both bounds.
    Bounds,
    /// Whether the mover can force a win, nothing else.
    Wins,
    /// Whether the opponent can force a win, nothing else.
    Loses,
}

/// An earlier position of the game: play that comes back to it is a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Past<B> {
    /// The board as its mover saw it.
    pub board: B,
    /// Whether its mover is the mover of the position asked about.
    pub same_mover: bool,
}

/// What has been proven of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proof {
    stake: u32,
    scored: bool,
    /// For the mover and for the opponent as asker: the greatest share proven and the least refuted.
    known: [[Code; 2]; 2],
    /// Positions expanded.
    pub expanded: u64,
    /// Moves played.
    pub played: u64,
}

impl Proof {
    /// The interval that `lower` lies in, both ends included; in win-loss games only whether it
    /// reaches 1 is asked.
    pub fn lower(&self) -> [Bound; 2] {
        let [proven, refuted] = self.known[0];
        [decode(proven, self.stake), decode(refuted - 1, self.stake)]
    }

    /// The interval that `upper` lies in, both ends included; in win-loss games only whether it
    /// reaches −1 is asked.
    pub fn upper(&self) -> [Bound; 2] {
        let [proven, refuted] = self.known[1];
        [
            decode(opposed(refuted - 1, self.stake), self.stake),
            decode(opposed(proven, self.stake), self.stake),
        ]
    }

    /// Both intervals.
    pub fn bracket(&self) -> Bracket {
        Bracket {
            lower: self.lower(),
            upper: self.upper(),
        }
    }

    /// The outcome for a mover who is `lead` seeds ahead, if it is proven.
    pub fn outcome(&self, lead: i32) -> Option<Outcome> {
        self.bracket().outcome(if self.scored { lead } else { 0 })
    }

    /// The final margin for a mover who is `lead` seeds ahead, if it is proven; no more than the
    /// outcome in win-loss games.
    pub fn margin(&self, lead: i32) -> Option<i32> {
        self.bracket().margin(lead)
    }

    /// Both bounds, if they are proven; distances are not known and 0. Never in win-loss games, where
    /// the outcome is all that is asked.
    pub fn value(&self) -> Option<Value> {
        self.bracket().value(true).filter(|_| self.scored)
    }
}

/// The least share code that wins the game for an asker (0 the mover, 1 the opponent), the mover being
/// `lead` seeds ahead.
fn winning_share(stake: u32, asker: usize, lead: i32) -> i32 {
    let ahead = if asker == 0 { lead } else { -lead };
    // 2 · share − stake + ahead ≥ 1, and a code is one more than a share.
    ((stake as i32 - ahead + 1).div_euclid(2) + (stake as i32 - ahead + 1).rem_euclid(2) + 1)
        .max(i32::from(ANY_END))
}

/// Whether a share can be forced, if that is known.
fn decided([proven, refuted]: [Code; 2], share: i32) -> Option<bool> {
    if share <= i32::from(proven) {
        Some(true)
    } else if share >= i32::from(refuted) {
        Some(false)
    } else {
        None
    }
}

/// Proves values of positions of one game, remembering what it found from one to the next.
pub struct Prover<'a, G: Game> {
    game: &'a G,
    numbering: Numbering<G::Board>,
    facts: Facts,
}

/// More seeds on the board than values can share out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooManySeeds(pub u32);

impl fmt::Display for TooManySeeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} seeds on the board; values are proven up to {MAX_STAKE}",
            self.0
        )
    }
}

impl std::error::Error for TooManySeeds {}

/// Expansions of the first effort.
const FIRST_EFFORT: u64 = 1 << 14;

impl<'a, G: Game> Prover<'a, G> {
    /// A prover for positions of `layer` and below, with a table of at most `bytes`.
    ///
    /// # Errors
    /// When more seeds are at stake than a value's code can share out.
    pub fn new(game: &'a G, layer: Layer, bytes: u64) -> Result<Self, TooManySeeds> {
        let numbering = Numbering::new(game.shape(), layer);
        Self::of(game, layer, numbering, bytes)
    }

    /// The same with no larger a table than the positions that play can come to have use for, which
    /// is quicker to forget.
    ///
    /// # Errors
    /// As [`Prover::new`].
    pub fn fitting(game: &'a G, layer: Layer, bytes: u64) -> Result<Self, TooManySeeds> {
        let numbering = Numbering::new(game.shape(), layer);
        // Room for each position and asker twice over is as good as any more.
        let enough = numbering.count().saturating_mul(4 * Facts::ENTRY);
        Self::of(game, layer, numbering, bytes.min(enough))
    }

    fn of(
        game: &'a G,
        layer: Layer,
        numbering: Numbering<G::Board>,
        bytes: u64,
    ) -> Result<Self, TooManySeeds> {
        if stake::<G>(layer) > MAX_STAKE {
            return Err(TooManySeeds(layer.seeds()));
        }
        Ok(Self {
            game,
            numbering,
            facts: Facts::new(bytes),
        })
    }

    /// Whether positions are told apart exactly, not by a hash; see the module `key`.
    pub fn exact(&self) -> bool {
        self.numbering.exact()
    }

    /// Proves what it can about `board` for a mover who is `lead` seeds ahead, until `goal` is
    /// reached, `limits` are, or `progress` says to stop. Units of progress are positions expanded.
    pub fn prove(
        &self,
        (board, lead): (G::Board, i32),
        goal: Goal,
        past: &[Past<G::Board>],
        source: Option<&Source<'_, G::Board>>,
        limits: Limits,
        progress: &dyn Progress,
    ) -> Proof {
        let stake = stake::<G>(layer_of(self.game.shape(), board));
        // What the past forbids makes another game, whose facts must not mix with the usual ones.
        if !past.is_empty() {
            self.facts.clear();
        }
        // A value from the source is one without a past.
        let value = source
            .filter(|_| past.is_empty())
            .and_then(|source| source(board));
        let known = known_at_first(value, stake);
        let asked = (board, stake, lead, goal);
        let search = Search::new(self, asked, known, source, limits, progress);
        self.run(&search, past)
    }

    /// Goes on with what an earlier call found about the same `board` and `lead`, without a past.
    pub fn resume(
        &self,
        found: &Proof,
        (board, lead): (G::Board, i32),
        goal: Goal,
        source: Option<&Source<'_, G::Board>>,
        limits: Limits,
        progress: &dyn Progress,
    ) -> Proof {
        let asked = (board, found.stake, lead, goal);
        let search = Search::new(self, asked, found.known, source, limits, progress);
        let mut proof = self.run(&search, &[]);
        proof.expanded += found.expanded;
        proof.played += found.played;
        proof
    }

    /// Sets the threads to work.
    fn run(&self, search: &Search<'a, '_, G>, past: &[Past<G::Board>]) -> Proof {
        let spaces = [0, 1].map(|asker| self.past_keys(past, asker));
        search.progress.begin("proving", 0);
        std::thread::scope(|scope| {
            for thread in 1..search.limits.threads {
                let spaces = &spaces;
                scope.spawn(move || search.work(thread, spaces));
            }
            search.work(0, &spaces);
        });
        search.progress.end();
        if !past.is_empty() {
            self.facts.clear();
        }
        search.proof()
    }

    /// Keys of past positions for an asker.
    fn past_keys(&self, past: &[Past<G::Board>], asker: usize) -> AHashSet<u64> {
        past.iter()
            .map(|past| {
                let asks = past.same_mover == (asker == 0);
                self.numbering.key(past.board, asks, asker == 1)
            })
            .collect()
    }
}

/// What is known by each asker before the search, as in [`Proof`].
fn known_at_first(value: Option<Value>, stake: u32) -> [[Code; 2]; 2] {
    [true, false].map(|asks| match value {
        Some(value) => {
            let share = asker_share(&value, asks, stake);
            [share, share + 1]
        }
        None => [MINUS_INFINITY, stake as Code + 2],
    })
}

/// A search under way.
struct Search<'a, 's, G: Game> {
    prover: &'s Prover<'a, G>,
    board: G::Board,
    stake: u32,
    lead: i32,
    goal: Goal,
    source: Option<&'s Source<'s, G::Board>>,
    limits: Limits,
    progress: &'s dyn Progress,
    /// By asker, proven in the low byte and refuted in the next.
    known: [AtomicU64; 2],
    stopped: AtomicBool,
    expanded: AtomicU64,
    played: AtomicU64,
}

impl<'a, 's, G: Game> Search<'a, 's, G> {
    fn new(
        prover: &'s Prover<'a, G>,
        (board, stake, lead, goal): (G::Board, u32, i32, Goal),
        known: [[Code; 2]; 2],
        source: Option<&'s Source<'s, G::Board>>,
        limits: Limits,
        progress: &'s dyn Progress,
    ) -> Self {
        let known = known
            .map(|[proven, refuted]| AtomicU64::new(u64::from(proven) | u64::from(refuted) << 8));
        Self {
            prover,
            board,
            stake,
            // Captures decide nothing in a win-loss game.
            lead: if G::SCORED { lead } else { 0 },
            goal,
            source,
            limits,
            progress,
            known,
            stopped: AtomicBool::new(false),
            expanded: AtomicU64::new(0),
            played: AtomicU64::new(0),
        }
    }

    fn known(&self, asker: usize) -> [Code; 2] {
        let both = self.known[asker].load(Ordering::Acquire);
        [both as Code, (both >> 8) as Code]
    }

    fn proof(&self) -> Proof {
        Proof {
            stake: self.stake,
            scored: G::SCORED,
            known: [self.known(0), self.known(1)],
            expanded: self.expanded.load(Ordering::Relaxed),
            played: self.played.load(Ordering::Relaxed),
        }
    }

    /// The share to ask about next, if an asker has one.
    fn question(&self, asker: usize) -> Option<Code> {
        match (self.goal, asker) {
            (Goal::Wins, 1) | (Goal::Loses, 0) => return None,
            _ => {}
        }
        let known @ [proven, refuted] = self.known(asker);
        let first = winning_share(self.stake, asker, self.lead);
        if decided(known, first).is_none() {
            return Some(first as Code);
        }
        let open = proven + 1 < refuted;
        (G::SCORED && self.goal == Goal::Bounds && open).then(|| proven + (refuted - proven) / 2)
    }

    /// Whether nothing more is to be found.
    fn done(&self) -> bool {
        let outcome = self.goal == Goal::Outcome || !G::SCORED;
        (outcome && self.proof().outcome(self.lead).is_some())
            || (self.question(0).is_none() && self.question(1).is_none())
    }

    /// Keeps what was found for an asker, and what follows for the other: the two shares cannot
    /// come to more than there is.
    fn found(&self, asker: usize, share: Code, proven: bool) {
        let widen = |asker: usize, proven: Code, refuted: Code| {
            let narrow = |both: u64| {
                let old = [both as Code, (both >> 8) as Code];
                u64::from(old[0].max(proven)) | u64::from(old[1].min(refuted)) << 8
            };
            let update = |both| Some(narrow(both));
            self.known[asker]
                .fetch_update(Ordering::AcqRel, Ordering::Acquire, update)
                .ok();
        };
        if proven {
            widen(asker, share, Code::MAX);
            let most = self.stake as i32 + 3 - i32::from(share);
            widen(1 - asker, MINUS_INFINITY, most.max(1) as Code);
        } else {
            widen(asker, MINUS_INFINITY, share);
        }
    }

    /// What one thread does.
    fn work(&self, thread: usize, past: &[AHashSet<u64>; 2]) {
        let mut asker = thread % 2;
        let mut effort = FIRST_EFFORT;
        while !self.stopped.load(Ordering::Relaxed) && !self.done() {
            let Some(share) = self.question(asker) else {
                asker = 1 - asker;
                continue;
            };
            let space = Space {
                game: self.prover.game,
                numbering: &self.prover.numbering,
                facts: &self.prover.facts,
                source: self.source,
                past: &past[asker],
                other_game: asker == 1 && !past[asker].is_empty(),
            };
            let verdict = self.ask(&space, asker, share, thread as u64 / 2, effort);
            match verdict {
                Verdict::Proven => self.found(asker, share, true),
                Verdict::Refuted => self.found(asker, share, false),
                Verdict::Open => {
                    asker = 1 - asker;
                    effort *= 2;
                }
            }
        }
    }

    /// Asks one question with a limited effort.
    fn ask(
        &self,
        space: &Space<'_, G>,
        asker: usize,
        share: Code,
        jitter: u64,
        effort: u64,
    ) -> Verdict {
        let mut worker = Worker::new(space, jitter);
        let root = Node {
            board: self.board,
            need: share,
            stake: self.stake as u8,
            asks: asker == 0,
        };
        let counted = std::cell::Cell::new(0);
        let stop = |expanded: u64| {
            self.progress.advance(expanded - counted.replace(expanded));
            if self.limits.over() || self.progress.stopped() {
                self.stopped.store(true, Ordering::Relaxed);
            }
            self.stopped.load(Ordering::Relaxed)
                || expanded >= effort
                || self.done()
                || decided(self.known(asker), share.into()).is_some()
        };
        let verdict = worker.ask(root, &stop);
        self.progress.advance(worker.expanded - counted.get());
        self.expanded.fetch_add(worker.expanded, Ordering::Relaxed);
        self.played.fetch_add(worker.played, Ordering::Relaxed);
        verdict
    }
}
