//! Owns: the boards of a match: which of them can be solved, their values, and answers from these.
//!
//! A match of `w` columns has `w` boards, a full row against 1 to `w` pits. They are solved from the
//! smallest up; one is kept while there is memory for it, and solved again when it is asked for later.
//! What does not fit stays open, and everything that depends on it with it.

use super::board::{cost, force, solve, start};
use super::line::{Goals, RoundLine};
use super::seek::SPOT;
use super::{Answer, Cost, Match, Question, Role, Round, Solved, forced_by_bounds};
use crate::notation::Position;
use crate::progress::Progress;
use crate::retro::{Halt, Refusal};
use crate::value::Value;
use ahash::AHashMap;

/// Most positions to look into for a question: beyond that all positions at once are quicker.
const MOST_SPOTS: u64 = 1 << 26;

/// Why a board is not solved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Missing {
    /// So many bytes of memory are needed at least.
    Memory(u64),
    /// It cannot be solved in memory, however much there is.
    Refused(Refusal),
    /// Work was stopped before.
    Stopped,
}

/// A board of the match, and what is known of it.
pub struct Entry {
    /// Pits of the player who has fewer.
    pub fewer: u32,
    /// Seeds of its rounds.
    pub seeds: u32,
    /// What it takes, where it can be solved at all.
    pub cost: Option<Cost>,
    /// The values of its rounds, as their openers see them: opened by the player with fewer pits, and
    /// by the other.
    pub values: Option<[Value; 2]>,
    /// Why there are none.
    pub missing: Option<Missing>,
    /// Whether the caller brought it.
    pub given: bool,
    solved: Option<Box<dyn Solved>>,
}

/// How many questions were answered in which way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Asked {
    /// By bounds.
    pub by_bounds: u64,
    /// By looking into positions that bounds leave open.
    pub by_seeking: u64,
    /// Split by split, for all positions.
    pub by_splits: u64,
    /// Not at all.
    pub open: u64,
}

/// A set of ends, and whether it can be forced.
type Known = (Vec<bool>, Answer);

/// Whether a set is part of another.
fn is_within(part: &[bool], all: &[bool]) -> bool {
    part.iter().zip(all).all(|(part, all)| part <= all)
}

/// The boards of a match.
pub struct Library<'a> {
    game: &'a Match,
    memory: u64,
    progress: &'a dyn Progress,
    boards: Vec<Entry>,
    /// What is known of sets of ends, by pits and who is to force them.
    answers: AHashMap<([u32; 2], Role), Vec<Known>>,
    /// Rounds played out, by pits and goals: courses come back to them.
    lines: Vec<([u32; 2], Goals, RoundLine)>,
}

impl<'a> Library<'a> {
    /// Plans the boards of a match for so much memory. `given` is asked for boards that the caller
    /// has, by the fewer pits.
    pub fn plan(
        game: &'a Match,
        memory: u64,
        progress: &'a dyn Progress,
        mut given: impl FnMut(u32) -> Option<Box<dyn Solved>>,
    ) -> Self {
        let entry = |fewer| {
            let seeds = (game.columns() + fewer) * game.seeds();
            let solved = given(fewer);
            let costs = cost(&game.board(fewer), seeds);
            let missing = match &costs {
                _ if solved.is_some() => None,
                Err(refusal) => Some(Missing::Refused(refusal.clone())),
                Ok(cost) if cost.least > memory => Some(Missing::Memory(cost.least)),
                Ok(_) => None,
            };
            Entry {
                fewer,
                seeds,
                cost: costs.ok(),
                values: None,
                missing,
                given: solved.is_some(),
                solved,
            }
        };
        Self {
            game,
            memory,
            progress,
            boards: (1..=game.columns()).map(entry).collect(),
            answers: AHashMap::new(),
            lines: Vec::new(),
        }
    }

    /// A board's name: pits of the full row and of the other.
    pub fn name(&self, fewer: u32) -> String {
        format!("{}-{fewer}", self.game.columns())
    }

    /// The boards, from the smallest up.
    pub fn boards(&self) -> &[Entry] {
        &self.boards
    }

    /// Solves all boards that fit, and keeps what there is room for. After a stop the rest is missing.
    ///
    /// # Errors
    /// When a board turns out not to be solvable.
    pub fn solve(&mut self) -> Result<(), Refusal> {
        let new = |entry: &&Entry| entry.solved.is_none() && entry.missing.is_none();
        let positions = self
            .boards
            .iter()
            .filter(new)
            .filter_map(|entry| entry.cost);
        let total = positions.map(|cost| cost.positions).sum();
        self.progress.plan("solving", total, 0);
        for at in 0..self.boards.len() {
            if self.boards[at].missing.is_some() {
                continue;
            }
            if self.open(at)?.is_none() {
                continue;
            }
            let entry = &mut self.boards[at];
            let value = |more| entry.solved.as_ref().and_then(|solved| solved.value(more));
            entry.values = value(false).zip(value(true)).map(|(few, more)| [few, more]);
        }
        Ok(())
    }

    /// A board with its values, solved again if it had to go; `None` if it is missing or work was
    /// stopped.
    fn open(&mut self, at: usize) -> Result<Option<&dyn Solved>, Refusal> {
        if self.boards[at].solved.is_none() {
            let entry = &self.boards[at];
            let (fewer, seeds) = (entry.fewer, entry.seeds);
            let (Some(cost), None) = (entry.cost, &entry.missing) else {
                return Ok(None);
            };
            self.make_room(cost.least);
            let room = self.memory.saturating_sub(self.kept() + cost.least);
            let step = format!("solving {}", self.name(fewer));
            self.progress.begin(&step, cost.positions);
            match solve(&self.game.board(fewer), seeds, room, self.progress) {
                Ok(solved) => self.boards[at].solved = Some(solved),
                Err(Refusal::Halted(Halt::Stopped)) => {
                    let entry = &mut self.boards[at];
                    if entry.values.is_none() {
                        entry.missing = Some(Missing::Stopped);
                    }
                }
                Err(refusal) => return Err(refusal),
            }
        }
        Ok(self.boards[at].solved.as_deref())
    }

    /// Bytes of the values at hand.
    fn kept(&self) -> u64 {
        let kept = |entry: &Entry| match (&entry.solved, entry.given) {
            (Some(_), false) => entry.cost.map_or(0, |cost| cost.kept),
            _ => 0,
        };
        self.boards.iter().map(kept).sum()
    }

    /// Lets go of values, the largest first, until so many bytes are free or none are left.
    fn make_room(&mut self, bytes: u64) {
        for at in (0..self.boards.len()).rev() {
            if self.kept().saturating_add(bytes) <= self.memory {
                break;
            }
            if !self.boards[at].given {
                self.boards[at].solved = None;
            }
        }
    }

    /// Where the board of a round is.
    fn at(&self, fewer: u32) -> usize {
        fewer as usize - 1
    }

    /// The value of a round as its opener sees it, if it is known.
    pub fn value(&self, round: &Round) -> Option<Value> {
        let (fewer, more) = round.board();
        let values = self.boards[self.at(fewer)].values?;
        Some(values[usize::from(more)])
    }

    /// The position that a round begins with, on the board as it is solved.
    pub fn start(&self, round: &Round) -> Position {
        let (fewer, more) = round.board();
        start(&self.game.board(fewer), round.seeds, more)
    }

    /// Whether the splits of a board fit the memory.
    fn affords_splits(&self, at: usize) -> bool {
        let splits = self.boards[at].cost.and_then(|cost| cost.splits);
        splits.is_some_and(|bytes| bytes <= self.memory)
    }

    /// Answers questions, by bounds where these do.
    ///
    /// # Errors
    /// When a board turns out not to be solvable.
    pub fn answer(
        &mut self,
        questions: &[Question],
        asked: &mut Asked,
    ) -> Result<Vec<Answer>, Refusal> {
        let mut answers = Vec::new();
        for question in questions {
            answers.push(self.answer_one(question, asked)?);
        }
        Ok(answers)
    }

    fn answer_one(&mut self, question: &Question, asked: &mut Asked) -> Result<Answer, Refusal> {
        if !question.targets.contains(&true) {
            return Ok(Answer::No);
        }
        if let Some(value) = self.value(&question.round) {
            let answer = forced_by_bounds(question, &value);
            if answer != Answer::Open {
                asked.by_bounds += 1;
                return Ok(answer);
            }
        }
        let key = (question.round.open, question.role);
        let targets = &question.targets;
        // Whoever forces a set forces every larger one.
        let known = self.answers.get(&key).into_iter().flatten();
        let found = known.clone().find_map(|(of, answer)| match answer {
            Answer::Yes => is_within(of, targets).then_some(Answer::Yes),
            Answer::No => is_within(targets, of).then_some(Answer::No),
            Answer::Open => (of == targets).then_some(Answer::Open),
        });
        if let Some(answer) = found {
            return Ok(answer);
        }
        let at = self.at(question.round.board().0);
        let mut answer = self.by_seeking(at, question)?;
        if answer != Answer::Open {
            asked.by_seeking += 1;
        } else {
            answer = self.by_splits(at, question)?;
            match answer {
                Answer::Open => asked.open += 1,
                _ => asked.by_splits += 1,
            }
        }
        let answers = self.answers.entry(key).or_default();
        answers.push((targets.clone(), answer));
        Ok(answer)
    }

    /// Looks into positions from the start of the round on; open where that are too many.
    fn by_seeking(&mut self, at: usize, question: &Question) -> Result<Answer, Refusal> {
        let progress = self.progress;
        if progress.stopped() || self.open(at)?.is_none() {
            return Ok(Answer::Open);
        }
        let most = self.spots();
        let entry = &self.boards[at];
        let Some(solved) = &entry.solved else {
            return Ok(Answer::Open);
        };
        let positions = entry.cost.map_or(0, |cost| cost.positions);
        progress.begin(&format!("seeking {}", self.name(entry.fewer)), positions);
        let found = solved.seek(question, most, progress);
        progress.end();
        Ok(match found {
            Ok(true) => Answer::Yes,
            Ok(false) => Answer::No,
            Err(_) => Answer::Open,
        })
    }

    fn by_splits(&mut self, at: usize, question: &Question) -> Result<Answer, Refusal> {
        if !self.affords_splits(at) || self.progress.stopped() {
            return Ok(Answer::Open);
        }
        let entry = &self.boards[at];
        let (cost, fewer, seeds) = (entry.cost.unwrap_or_default(), entry.fewer, entry.seeds);
        self.make_room(cost.splits.unwrap_or(0));
        let step = format!("splitting {}", self.name(fewer));
        self.progress.begin(&step, cost.positions);
        let found = force(&self.game.board(fewer), seeds, question, self.progress);
        self.progress.end();
        match found {
            Ok(true) => Ok(Answer::Yes),
            Ok(false) => Ok(Answer::No),
            Err(Refusal::Halted(Halt::Stopped)) => Ok(Answer::Open),
            Err(refusal) => Err(refusal),
        }
    }

    /// Plays a round out; `None` where its board is missing or does not fit beside what the goals need.
    ///
    /// # Errors
    /// When the board turns out not to be solvable.
    pub fn line(&mut self, round: &Round, goals: &Goals) -> Result<Option<RoundLine>, Refusal> {
        let known = |(open, of, _): &&_| (*open, of) == (round.open, goals);
        if let Some((_, _, line)) = self.lines.iter().find(known) {
            return Ok(Some(line.clone()));
        }
        let line = self.play(round, goals)?;
        let kept = line.iter().cloned();
        self.lines
            .extend(kept.map(|line| (round.open, goals.clone(), line)));
        Ok(line)
    }

    fn play(&mut self, round: &Round, goals: &Goals) -> Result<Option<RoundLine>, Refusal> {
        let (fewer, more) = round.board();
        let (at, progress) = (self.at(fewer), self.progress);
        if self.open(at)?.is_none() {
            return Ok(None);
        }
        // Two goals at most are sought.
        let most = self.spots() / 2;
        let solved = self.boards[at].solved.as_deref();
        Ok(solved.map(|solved| solved.line(more, goals, most, progress)))
    }

    /// Positions that can be looked into beside the values at hand.
    fn spots(&self) -> usize {
        (self.memory.saturating_sub(self.kept()) / SPOT).min(MOST_SPOTS) as usize
    }
}
