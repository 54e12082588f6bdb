//! Owns: one thread's depth-first proof-number search of one question.
//!
//! The question: can the player who asks force at least so many units in a game that ends? Where the
//! asker moves one good move is enough, where the other moves all must do; play that comes back to a
//! position is a failure for the asker. Method: df-pn (A. Nagai, thesis, Tokyo 2002) with weak proof
//! numbers, the largest child's number plus one for each further open child (T. Ueda et al., 2008),
//! which do not count transpositions twice, and with thresholds a little past the second best child's
//! number (J. Pawlewicz and Ł. Lew, CG 2006), which saves re-expansion.
//!
//! **Why it is right about repetition** (the graph-history interaction problem: M. Campbell 1985;
//! Breuker, van den Herik, Uiterwijk and Allis 2001; A. Kishimoto and M. Müller, AAAI 2004). Every
//! refutation carries the positions of the path that it leans on. It is the statement "from here the
//! other player can go on so that the asker's goal is never met, or else a position of that set is
//! come to before anything is captured". That is true of the game's graph and has no path in it. A
//! repetition is the trivial case: a position leans on itself. Where the asker moves the sets of all
//! moves are united, where the other moves one move's set is enough, and a position strikes itself
//! out: a player who is always led back goes round for ever, which is what had to be shown. What
//! leans on nothing is refuted outright; at the root nothing is left to lean on. Small sets are kept
//! in the table as implications, and used where every position of the set is on the path or has been
//! refuted since. Captures end all this: they lead to a lower layer, from which nothing above comes
//! back. Proofs never use repetition and need no such care.
//!
//! The search keeps its own stack: paths can be thousands of plies long.

use super::facts::{Fact, Facts, STORED_HYPOTHESES};
use super::hypotheses::Hypotheses;
use super::key::{Numbering, scramble};
use super::tree::{Child, Frame, INFINITE, Node, PROVEN, REFUTED, summarise, thresholds_of};
use super::{Source, guide};
use crate::game::{Game, Play, Turn};
use crate::value::{Code, Value, encode, opposed};
use ahash::AHashSet;

/// Longest path followed; see [`Hypotheses`]. Nothing near it has been met.
const LONGEST_PATH: usize = 60_000;

/// Expansions between two looks at the clock and at what other threads found.
const BREATH: u64 = 256;

/// What all threads of a search share.
pub struct Space<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// Names of positions.
    pub numbering: &'a Numbering<G::Board>,
    /// What has been found.
    pub facts: &'a Facts,
    /// Exact values, where there are any.
    pub source: Option<&'a Source<'a, G::Board>>,
    /// Keys of positions that end the game as a repetition with the past.
    pub past: &'a AHashSet<u64>,
    /// Whether the asker is the opponent of the root's mover and `past` is not empty: then positions
    /// are worth something else than for the other asker, and have keys of their own.
    pub other_game: bool,
}

/// The answer to a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The asker can.
    Proven,
    /// The asker cannot.
    Refuted,
    /// Stopped before it was known.
    Open,
}

/// A thread's state.
pub struct Worker<'a, G: Game> {
    space: &'a Space<'a, G>,
    frames: Vec<Frame<G::Board>>,
    children: Vec<Child<G::Board>>,
    path: Vec<u64>,
    /// How many keys of the path fall into each class: most positions are on no path, and this says
    /// so at once.
    classes: Vec<u16>,
    /// Positions expanded.
    pub expanded: u64,
    /// Moves played.
    pub played: u64,
    /// Disturbs the guidance of threads that work on the same question; 0 does not.
    jitter: u64,
}

fn class(key: u64) -> usize {
    (key >> 52) as usize
}

impl<'a, G: Game> Worker<'a, G> {
    /// A worker; those with different `jitter` look in different places first.
    pub fn new(space: &'a Space<'a, G>, jitter: u64) -> Self {
        Self {
            space,
            frames: Vec::new(),
            children: Vec::new(),
            path: Vec::new(),
            classes: vec![0; 1 << 12],
            expanded: 0,
            played: 0,
            jitter,
        }
    }

    /// Answers the question that `root` is, unless `stop`, asked now and then, says to stop.
    pub fn ask(&mut self, root: Node<G::Board>, stop: &dyn Fn(u64) -> bool) -> Verdict {
        let key = self.key(root);
        self.frames.clear();
        self.children.clear();
        self.path.clear();
        self.classes.fill(0);
        if u32::from(root.need) > u32::from(root.stake) + 1 {
            return Verdict::Refuted;
        }
        // Exact values are of positions without a past.
        match self.known(&root).filter(|_| self.space.past.is_empty()) {
            Some([0, _]) => return Verdict::Proven,
            Some(_) => return Verdict::Refuted,
            None => {}
        }
        let mut breath = self.expanded + BREATH;
        let mut result = self.push(root, key, 0, [INFINITE; 2]);
        loop {
            if self.expanded >= breath {
                breath = self.expanded + BREATH;
                if stop(self.expanded) {
                    return Verdict::Open;
                }
            }
            if let Some((numbers, hypotheses)) = result {
                self.pop(numbers, hypotheses);
                let Some(parent) = self.frames.last() else {
                    return match numbers {
                        [0, _] => Verdict::Proven,
                        [_, 0] => Verdict::Refuted,
                        _ => Verdict::Open,
                    };
                };
                let child = &mut self.children[parent.chosen];
                child.numbers = numbers;
                child.hypotheses = hypotheses;
            }
            if self.path.len() > LONGEST_PATH {
                return Verdict::Open;
            }
            result = self.step();
        }
    }

    /// Goes on at the deepest frame: its result if it is done, else its best child is entered.
    #[inline(always)]
    fn step(&mut self) -> Option<([u32; 2], Hypotheses)> {
        let depth = self.frames.len() - 1;
        loop {
            let frame = &self.frames[depth];
            let summary = summarise(frame, &self.children[frame.first..], depth);
            let over = (0..2).any(|i| summary.numbers[i] >= frame.thresholds[i]);
            if over || summary.numbers.contains(&0) {
                return Some((summary.numbers, summary.hypotheses));
            }
            let at = frame.first + summary.best;
            let child = self.children[at];
            // Others may have been here since: what they found may make the entry needless.
            let floor = if child.stays { frame.floor } else { depth + 1 };
            let (numbers, hypotheses) = self.look_up(&child.node, child.key, floor);
            // Numbers only ever rise while a position is on the path. If they could fall as well, two
            // threads that see a position by different paths could lead each other round for ever.
            let numbers = match numbers {
                [0, _] | [_, 0] => numbers,
                open => std::array::from_fn(|i| open[i].max(child.numbers[i])),
            };
            if numbers != child.numbers {
                self.children[at].numbers = numbers;
                self.children[at].hypotheses = hypotheses;
                continue;
            }
            let thresholds = thresholds_of(frame, &summary, child.numbers);
            self.frames[depth].chosen = at;
            return self.push(child.node, child.key, floor, thresholds);
        }
    }

    /// Enters a position and plays its moves; its result if the game is over there.
    fn push(
        &mut self,
        node: Node<G::Board>,
        key: u64,
        floor: usize,
        thresholds: [u32; 2],
    ) -> Option<([u32; 2], Hypotheses)> {
        let depth = self.frames.len();
        self.frames.push(Frame {
            node,
            key,
            thresholds,
            first: self.children.len(),
            chosen: 0,
            floor,
            before: self.expanded,
        });
        self.path.push(key);
        self.classes[class(key)] += 1;
        self.expanded += 1;
        let game = self.space.game;
        let mut legal = false;
        for choice in game.candidates(node.board) {
            self.played += 1;
            let child = match game.play(node.board, choice) {
                Play::Done(played) => {
                    let same = if played.again { node.asks } else { !node.asks };
                    self.child(&node, depth, floor, same, played.board, played.captured)
                }
                // A draw at will: the asker has failed.
                Play::Endless { .. } if game.endless_draws() => Child {
                    node,
                    key,
                    stays: true,
                    numbers: REFUTED,
                    hypotheses: Hypotheses::NONE,
                },
                Play::Endless { .. } => continue,
            };
            legal = true;
            self.children.push(child);
            if child.numbers[usize::from(!node.asks)] == 0 {
                return None;
            }
        }
        if legal {
            return None;
        }
        match game.stuck(node.board) {
            Turn::Moves => None,
            Turn::Pass(board) => {
                let child = self.child(&node, depth, floor, !node.asks, board, 0);
                self.children.push(child);
                None
            }
            Turn::Over { margin } => {
                let mover = (margin + i32::from(node.stake)) / 2;
                let share = if node.asks {
                    mover
                } else {
                    i32::from(node.stake) - mover
                };
                let enough = share + 1 >= i32::from(node.need);
                Some((if enough { PROVEN } else { REFUTED }, Hypotheses::NONE))
            }
        }
    }

    /// Leaves the deepest position and keeps what was found.
    fn pop(&mut self, numbers: [u32; 2], hypotheses: Hypotheses) {
        let frame = self.frames.pop().expect("there is a frame to leave");
        self.path.pop();
        self.classes[class(frame.key)] -= 1;
        self.children.truncate(frame.first);
        let facts = self.space.facts;
        let mut fact = facts.get(frame.key);
        let need = frame.node.need;
        fact.work = (self.expanded - frame.before).ilog2() as u8;
        match numbers {
            [0, _] => fact.proven = fact.proven.max(need),
            [_, 0] if hypotheses.is_empty() => {
                fact.refuted = fact.refuted.min(need);
            }
            [_, 0] => match hypotheses.depths() {
                Some(depths) if depths.len() <= STORED_HYPOTHESES => {
                    fact.conditional = need;
                    fact.hypotheses = [0; STORED_HYPOTHESES];
                    for (stored, &depth) in fact.hypotheses.iter_mut().zip(depths) {
                        *stored = self.path[usize::from(depth)];
                    }
                }
                _ => return,
            },
            numbers => {
                fact.guided = need;
                fact.numbers = numbers;
            }
        }
        facts.put(frame.key, fact);
    }

    #[inline(always)]
    fn key(&self, node: Node<G::Board>) -> u64 {
        let space = self.space;
        space.numbering.key(node.board, node.asks, space.other_game)
    }

    /// What the asker has after a move of `from` that took `captured` seeds and led to `board`.
    #[inline(always)]
    fn child(
        &self,
        from: &Node<G::Board>,
        depth: usize,
        floor: usize,
        asks: bool,
        board: G::Board,
        captured: u32,
    ) -> Child<G::Board> {
        let taken = if G::SCORED { captured as u8 } else { 0 };
        let gain = if from.asks { taken } else { 0 };
        let node = Node {
            board,
            need: from.need.saturating_sub(gain).max(1),
            stake: from.stake - taken,
            asks,
        };
        let mut child = Child {
            node,
            key: 0,
            stays: captured == 0,
            numbers: REFUTED,
            hypotheses: Hypotheses::NONE,
        };
        if u32::from(node.need) > u32::from(node.stake) + 1 {
            return child;
        }
        if captured > 0
            && let Some(numbers) = self.known(&node)
        {
            child.numbers = numbers;
            return child;
        }
        child.key = self.key(node);
        let floor = if child.stays { floor } else { depth + 1 };
        if let Some(depth) = self.on_path(child.key, floor) {
            child.hypotheses = Hypotheses::one(depth);
        } else {
            (child.numbers, child.hypotheses) = self.look_up(&node, child.key, floor);
        }
        child
    }

    /// Where on the path since `floor` a position is.
    #[inline(always)]
    fn on_path(&self, key: u64, floor: usize) -> Option<usize> {
        if self.classes[class(key)] == 0 {
            return None;
        }
        let recent = self.path.get(floor..)?;
        recent
            .iter()
            .rposition(|&on| on == key)
            .map(|at| floor + at)
    }

    /// What exact values say, where there are any.
    #[inline(always)]
    fn known(&self, node: &Node<G::Board>) -> Option<[u32; 2]> {
        let value = (self.space.source?)(node.board)?;
        let share = asker_share(&value, node.asks, node.stake.into());
        Some(if share >= node.need { PROVEN } else { REFUTED })
    }

    /// What the table says of a position that is not on the path, or else a guess.
    #[inline(always)]
    fn look_up(&self, node: &Node<G::Board>, key: u64, floor: usize) -> ([u32; 2], Hypotheses) {
        let space = self.space;
        let need = node.need;
        if !space.past.is_empty() && space.past.contains(&key) {
            return (REFUTED, Hypotheses::NONE);
        }
        let fact = space.facts.get(key);
        if fact.proven >= need {
            return (PROVEN, Hypotheses::NONE);
        }
        if fact.refuted <= need {
            return (REFUTED, Hypotheses::NONE);
        }
        if fact.conditional != 0
            && fact.conditional <= need
            && let Some(hypotheses) = self.met(&fact, need, floor)
        {
            if hypotheses.is_empty() {
                let refuted = need;
                space.facts.put(key, Fact { refuted, ..fact });
            }
            return (REFUTED, hypotheses);
        }
        if fact.guided == need {
            return (fact.numbers, Hypotheses::NONE);
        }
        let mut numbers = guide::numbers(space.numbering, node, G::SCORED);
        if self.jitter != 0 {
            let bits = scramble(key ^ self.jitter);
            numbers = [
                numbers[0] + (bits & 1) as u32,
                numbers[1] + (bits >> 1 & 1) as u32,
            ];
        }
        (numbers, Hypotheses::NONE)
    }

    /// The positions of the path that a conditional refutation comes to lean on here; `None` if one
    /// of its hypotheses is neither on the path nor known to be true.
    fn met(&self, fact: &Fact, need: Code, floor: usize) -> Option<Hypotheses> {
        let mut met = Hypotheses::NONE;
        for &key in fact.hypotheses.iter().filter(|&&key| key != 0) {
            if let Some(depth) = self.on_path(key, floor) {
                met = met.and(Hypotheses::one(depth));
            } else if self.space.facts.get(key).refuted > need {
                return None;
            }
        }
        Some(met)
    }
}

/// The asker's share by an exact value, as a code.
pub fn asker_share(value: &Value, asks: bool, stake: u32) -> Code {
    if asks {
        encode(value.lower, stake)
    } else {
        opposed(encode(value.upper, stake), stake)
    }
}
