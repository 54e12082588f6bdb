//! Owns: a board of the match with the values of its positions, and what is asked of it.
//!
//! Which words a board is packed into depends on its pits and seeds, so that each board of a match is
//! code of its own: [`Solved`] is what they have in common. Values come from layers solved here or from
//! wherever the caller has them; distances are not needed, and not kept.

use super::line::{Goal, Goals, RoundLine, Walk};
use super::seek::{Seek, Spot, Unsought, own_targets};
use super::splits::{Aim, MOST_SEEDS, Splits, bytes};
use super::{Question, Role};
use crate::game::Game;
use crate::games::{Seat, Setup, Visitor};
use crate::index::{Index, Layer};
use crate::notation::Position;
use crate::progress::Progress;
use crate::retro::{Plan, Refusal};
use crate::value::Value;
use ahash::AHashMap;
use std::cell::RefCell;

/// Where values of positions come from; `None` for one that is not covered.
pub type Values<B> = Box<dyn Fn(B) -> Option<Value> + Send + Sync>;

/// Memory that a board takes, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    /// Positions in all layers.
    pub positions: u64,
    /// When its values are kept.
    pub kept: u64,
    /// At least, while it is solved.
    pub least: u64,
    /// With all edges in memory.
    pub most: u64,
    /// While what can be forced is found split by split; `None` where the splits are too many.
    pub splits: Option<u64>,
}

/// A board with the values of its positions.
pub trait Solved: Send + Sync {
    /// The value of the round that begins with the full row's player to move, or with the other; as
    /// that player sees it.
    fn value(&self, opener_has_more: bool) -> Option<Value>;

    /// Answers a question, looking into at most so many positions.
    ///
    /// # Errors
    /// When there are more, a value is missing, or `progress` says to stop.
    fn seek(
        &self,
        question: &Question,
        most: usize,
        progress: &dyn Progress,
    ) -> Result<bool, Unsought>;

    /// Plays the round out as the goals of both players have it, looking into at most so many positions
    /// for each goal.
    fn line(
        &self,
        opener_has_more: bool,
        goals: &Goals,
        most: usize,
        progress: &dyn Progress,
    ) -> RoundLine;
}

/// A game with values.
struct On<G: Game> {
    game: G,
    setup: Setup,
    seeds: u32,
    values: Values<G::Board>,
}

/// A board whose values somebody else has. `setup` is that of [`super::Match::board`], `seeds` are all
/// of the round.
pub fn known<G: Game>(
    game: &G,
    setup: &Setup,
    seeds: u32,
    values: Values<G::Board>,
) -> Box<dyn Solved> {
    Box::new(On {
        game: game.clone(),
        setup: setup.clone(),
        seeds,
        values,
    })
}

/// The position that a round begins with on a board of [`super::Match::board`].
pub fn start(setup: &Setup, seeds: u32, opener_has_more: bool) -> Position {
    let open = setup.start_pits();
    let each = seeds / open.iter().filter(|open| **open).count().max(1) as u32;
    // South has the full row.
    let mut pits: Vec<u8> = open
        .iter()
        .map(|&open| if open { each as u8 } else { 0 })
        .collect();
    let mut position = Position {
        pits: Vec::new(),
        seat: Seat::South,
        captured: Some([0, 0]),
    };
    if !opener_has_more {
        position.seat = position.seat.other();
        pits.rotate_left(setup.columns());
    }
    position.pits = pits;
    position
}

impl<G: Game> On<G> {
    fn start(&self, opener_has_more: bool) -> G::Board {
        start(&self.setup, self.seeds, opener_has_more).board(&self.game)
    }

    fn seek<'a>(
        &'a self,
        role: Role,
        targets: &[bool],
        most: usize,
        progress: &'a dyn Progress,
    ) -> Seek<'a, G> {
        Seek {
            game: &self.game,
            values: &self.values,
            progress,
            targets: own_targets(role, targets),
            most,
            known: AHashMap::new(),
        }
    }
}

/// What can be forced, for all positions of a round.
fn splits<G: Game>(
    game: &G,
    seeds: u32,
    opener_has_more: bool,
    role: Role,
    targets: &[bool],
    progress: &dyn Progress,
) -> Result<Splits<G::Board>, Refusal> {
    let bit = |(taken, wanted): (usize, &bool)| match role {
        _ if !wanted => 0,
        Role::Opener => 1u64 << taken,
        Role::Replier => 1 << (seeds as usize - taken),
    };
    let aim = Aim {
        seeds,
        targets: targets.iter().enumerate().map(bit).sum(),
        // South, whose seat is 0, has the full row.
        seat: usize::from((role == Role::Opener) != opener_has_more),
    };
    Splits::solve(game, aim, progress)
}

impl<G: Game> Solved for On<G> {
    fn value(&self, opener_has_more: bool) -> Option<Value> {
        (self.values)(self.start(opener_has_more))
    }

    fn seek(
        &self,
        question: &Question,
        most: usize,
        progress: &dyn Progress,
    ) -> Result<bool, Unsought> {
        let (_, more) = question.round.board();
        let mut seek = On::seek(self, question.role, &question.targets, most, progress);
        seek.forces(Spot {
            board: self.start(more),
            asker_moves: question.role == Role::Opener,
            taken: 0,
        })
    }

    fn line(
        &self,
        opener_has_more: bool,
        goals: &Goals,
        most: usize,
        progress: &dyn Progress,
    ) -> RoundLine {
        let of = [
            (Role::Opener, &goals.of[0]),
            (Role::Replier, &goals.of[1]),
            (goals.winner.unwrap_or(Role::Opener), &goals.faster),
        ];
        let seeks = of.map(|(role, goal)| {
            let targets: &[bool] = match goal {
                Goal::Splits(targets) => targets,
                _ => &[],
            };
            RefCell::new(self.seek(role, targets, most, progress))
        });
        let walk = Walk {
            game: &self.game,
            seeds: self.seeds,
            values: &self.values,
            goals,
            seeks,
        };
        walk.play(self.start(opener_has_more))
    }
}

/// What a board of [`super::Match::board`] takes.
///
/// # Errors
/// When it cannot be solved in memory, however much there is.
pub fn cost(setup: &Setup, seeds: u32) -> Result<Cost, Refusal> {
    let costing = Costing { seeds };
    visit(setup, seeds, costing)?
}

/// Solves a board of [`super::Match::board`], keeping at most `room` bytes of edges.
///
/// # Errors
/// As [`cost`], and when `progress` says to stop.
pub fn solve(
    setup: &Setup,
    seeds: u32,
    room: u64,
    progress: &dyn Progress,
) -> Result<Box<dyn Solved>, Refusal> {
    let solving = Solving {
        setup,
        seeds,
        room,
        progress,
    };
    visit(setup, seeds, solving)?
}

fn visit<V: Visitor>(setup: &Setup, seeds: u32, visitor: V) -> Result<V::Output, Refusal> {
    setup
        .visit(seeds, visitor)
        .map_err(|_| Refusal::TooManySeeds(seeds))
}

struct Costing {
    seeds: u32,
}

impl Visitor for Costing {
    type Output = Result<Cost, Refusal>;

    fn visit<G: Game>(self, game: &G) -> Self::Output {
        let plan = Plan::new(game, Layer::Total(self.seeds as u8))?;
        let memory = plan.bounds_memory(game)?;
        // Splits keep the edges of the level at work, as the waves do.
        let level = plan.level_memory(game)?;
        let top = Layer::Total(self.seeds as u8);
        let index = Index::<G::Board>::new(game.shape(), top).map_err(Refusal::TooLarge)?;
        let edges = level.most - level.least;
        Ok(Cost {
            positions: plan.positions,
            kept: plan.positions * 2,
            least: memory.least,
            most: memory.most,
            splits: (self.seeds <= MOST_SEEDS).then(|| bytes(&index, self.seeds) + edges),
        })
    }
}

struct Solving<'a> {
    setup: &'a Setup,
    seeds: u32,
    room: u64,
    progress: &'a dyn Progress,
}

impl Visitor for Solving<'_> {
    type Output = Result<Box<dyn Solved>, Refusal>;

    fn visit<G: Game>(self, game: &G) -> Self::Output {
        let plan = Plan::new(game, Layer::Total(self.seeds as u8))?;
        let store = plan.solve_bounds(game, self.room, self.progress)?;
        let values: Values<G::Board> = Box::new(move |board| store.value::<G>(board));
        Ok(known(game, self.setup, self.seeds, values))
    }
}

/// Answers a question split by split, whatever its set. `setup` is that of [`super::Match::board`].
///
/// # Errors
/// When positions cannot be numbered, or `progress` says to stop.
///
/// # Panics
/// When the round has more than [`MOST_SEEDS`] seeds.
pub fn force(
    setup: &Setup,
    seeds: u32,
    question: &Question,
    progress: &dyn Progress,
) -> Result<bool, Refusal> {
    let forcing = Forcing {
        setup,
        question,
        progress,
    };
    visit(setup, seeds, forcing)?
}

struct Forcing<'a> {
    setup: &'a Setup,
    question: &'a Question,
    progress: &'a dyn Progress,
}

impl Visitor for Forcing<'_> {
    type Output = Result<bool, Refusal>;

    fn visit<G: Game>(self, game: &G) -> Self::Output {
        let Question {
            round,
            role,
            targets,
        } = self.question;
        let (_, more) = round.board();
        let splits = splits(game, round.seeds, more, *role, targets, self.progress)?;
        let start = start(self.setup, round.seeds, more).board(game);
        Ok(splits.forces(start, *role == Role::Opener, 0))
    }
}
