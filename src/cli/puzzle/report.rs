//! Owns: a solution in names and positions, free of the game's type, and the verdict on its puzzle.

use crate::game::{Game, Move, Played};
use crate::games::Seat;
use crate::notation::{Position, move_name};
use crate::puzzle::{End, Puzzle, Solution, Step, Stipulation};

/// A puzzle with all that is said of it.
pub struct Checked {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// Whether it is sound; `None` when that could not be found out.
    pub sound: Option<bool>,
    /// What is wrong with it, and what else is to be known, in sentences.
    pub remarks: Vec<String>,
    /// Whether the stipulation can be met.
    pub met: bool,
    /// The first moves.
    pub firsts: Vec<FirstReport>,
    /// What follows the keys.
    pub lines: Vec<StepReport>,
    /// Choices of the solver with duals in them.
    pub duals: usize,
}

/// A first move.
pub struct FirstReport {
    /// Its name.
    pub name: String,
    /// Whether it meets the stipulation.
    pub key: bool,
    /// Whether it fails to one reply alone.
    pub is_try: bool,
    /// The replies that refute it.
    pub refutations: Vec<String>,
    /// Whether the solver moves again after it.
    pub again: bool,
    /// Seeds it takes.
    pub captured: u32,
}

/// A move of the solution and what follows.
pub struct StepReport {
    /// Who makes it.
    pub seat: Seat,
    /// Its name.
    pub name: String,
    /// Seeds it takes.
    pub captured: u32,
    /// The position after it; `None` where it never ends.
    pub after: Option<Position>,
    /// The solver's other moves that would do.
    pub duals: Vec<String>,
    /// What follows.
    pub then: Vec<StepReport>,
    /// What is behind the last move.
    pub end: End,
}

impl Checked {
    /// Names everything, and judges; `strict` makes duals a fault.
    pub fn new<G: Game>(
        game: &G,
        puzzle: Puzzle,
        solution: &Solution<G::Board>,
        strict: bool,
    ) -> Self {
        let seat = puzzle.position.seat;
        let name = |seat: Seat, choice: Move| move_name(&puzzle.setup, seat, choice);
        let firsts = solution.firsts.iter().map(|first| FirstReport {
            name: name(seat, first.choice),
            key: first.key,
            is_try: first.is_try(),
            refutations: first
                .refutations
                .iter()
                .map(|&reply| name(seat.other(), reply))
                .collect(),
            again: first.played.is_some_and(|played| played.again),
            captured: captured(first.played.as_ref()),
        });
        let lines = solution
            .lines
            .iter()
            .map(|step| step_report(game, &puzzle, &puzzle.position, step));
        let mut checked = Self {
            sound: None,
            remarks: Vec::new(),
            met: solution.met,
            firsts: firsts.collect(),
            lines: lines.collect(),
            duals: solution.duals(),
            puzzle,
        };
        checked.judge(solution, strict);
        checked
    }

    /// A puzzle of which it could not be found out.
    pub fn undecided(puzzle: Puzzle, why: String) -> Self {
        Self {
            puzzle,
            sound: None,
            remarks: vec![why],
            met: false,
            firsts: Vec::new(),
            lines: Vec::new(),
            duals: 0,
        }
    }

    /// Names of the keys.
    pub fn keys(&self) -> Vec<&str> {
        let keys = self.firsts.iter().filter(|first| first.key);
        keys.map(|first| first.name.as_str()).collect()
    }

    fn judge<B>(&mut self, solution: &Solution<B>, strict: bool) {
        let mut faults = Vec::new();
        let mut remarks = Vec::new();
        let keys: Vec<String> = self.keys().iter().map(|&key| key.to_owned()).collect();
        let seat = self.puzzle.position.seat;
        match &keys[..] {
            _ if solution.wins => faults.push(format!("{seat} can even win, so this is no draw")),
            _ if self.firsts.is_empty() => {
                self.met = false;
                faults.push("the game is over".to_owned());
            }
            [] if self.met => faults.push("the first ply is a forced pass".to_owned()),
            [] => faults.push(format!("it cannot be met: {}", self.unmet())),
            [_] => {}
            several => faults.push(format!(
                "{} first moves do it, {}: all but {} are cooks",
                several.len(),
                several.join(", "),
                match &self.puzzle.key {
                    Some(key) if several.contains(key) => key.as_str(),
                    _ => "one",
                },
            )),
        }
        if let Some(key) = &self.puzzle.key {
            let known = self.firsts.iter().any(|first| first.name == *key);
            if !known {
                let names: Vec<&str> = self.firsts.iter().map(|f| f.name.as_str()).collect();
                faults.push(format!(
                    "the key intended, '{key}', is no legal move; expected one of {}",
                    names.join(", "),
                ));
            } else if self.met && !keys.contains(key) {
                faults.push(format!("the key intended, {key}, does not do it"));
            }
        }
        if self.duals > 0 {
            let duals = match self.duals {
                1 => "1 choice in the main lines has duals".to_owned(),
                duals => format!("{duals} choices in the main lines have duals"),
            };
            let heap = if strict { &mut faults } else { &mut remarks };
            heap.push(duals);
        }
        if solution.is_cut() {
            let heap = if strict { &mut faults } else { &mut remarks };
            heap.push("the main lines are too many to be followed to the end".to_owned());
        }
        if self.firsts.len() == 1 && !keys.is_empty() {
            remarks.push("the key is the only legal move".to_owned());
        }
        self.sound = Some(faults.is_empty());
        self.remarks = faults.into_iter().chain(remarks).collect();
    }

    fn unmet(&self) -> &'static str {
        match self.puzzle.stipulation {
            Stipulation::Win(None) => "the other side can prevent the win",
            Stipulation::Win(_) | Stipulation::Gain(_, Some(_)) => "not, or not in so many plies",
            Stipulation::Draw => "the other side wins",
            Stipulation::Gain(..) => "the other side can prevent so much",
        }
    }
}

fn captured<B>(played: Option<&Played<B>>) -> u32 {
    played.map_or(0, |played| played.captured)
}

fn step_report<G: Game>(
    game: &G,
    puzzle: &Puzzle,
    from: &Position,
    step: &Step<G::Board>,
) -> StepReport {
    let seat = from.seat;
    let name = |choice: Move| move_name(&puzzle.setup, seat, choice);
    let after = step
        .played
        .map(|played| from.after(game, played.board, played.captured, played.again));
    let then = after.iter().flat_map(|after| {
        let below = step.then.iter();
        below.map(|step| step_report(game, puzzle, after, step))
    });
    StepReport {
        seat,
        name: name(step.choice),
        captured: captured(step.played.as_ref()),
        duals: step.duals.iter().map(|&dual| name(dual)).collect(),
        then: then.collect(),
        end: step.end,
        after,
    }
}
