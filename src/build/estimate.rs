//! Owns: what a job takes, found without solving anything, and by which solver it is done.

use super::{BuildError, Job};
use crate::game::{Game, OwnSide};
use crate::games::{OwnSideVisitor, Visitor};
use crate::index::{Index, Layer};
use crate::retro::bitrows::{BitRows, Planes, Wanted};
use crate::retro::{Plan, Refusal};
use crate::table::levels;

/// Bytes that a position takes in the file of a layer: a cautious guess.
const TABLE: f64 = 0.8;

/// Bytes that a position takes while it is being packed.
const PACKING: f64 = 0.8;

/// Bytes that the program takes besides: its tables, and the coders of two threads.
const PROGRAM: u64 = 32 << 20;

/// How a job's layers are solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// By waves over single positions.
    Waves(Means),
    /// By waves over rows of bits.
    Rows,
}

/// What the wave solver may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Means {
    /// Bytes of edges.
    pub room: u64,
    /// Whether lower layers are read from files, as they do not fit in memory.
    pub maps: bool,
}

/// What a job takes.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// Levels in the order of solving, with their positions.
    pub levels: Vec<(Vec<Layer>, u64)>,
    /// Positions in all layers.
    pub positions: u64,
    /// Peak of memory in bytes, as far as possible within what is allowed.
    pub memory: u64,
    /// Bytes of memory below which it cannot be done.
    pub least_memory: u64,
    /// Room on the disk in bytes, scaffolding included: a cautious guess.
    pub disk: u64,
    /// How layers are solved.
    pub method: Method,
}

/// What a job takes when up to `memory` bytes may be used.
///
/// # Errors
/// When it cannot be done however much memory there is.
pub fn estimate(job: &Job, memory: u64) -> Result<Estimate, BuildError> {
    let seeds = job.top.seeds();
    if let Some(Some(rows)) = job.setup.visit_own_side(seeds, Rows(job))? {
        return rows;
    }
    job.setup.visit(seeds, Waves { job, memory })?
}

/// The levels of a job with their positions.
fn extent<G: Game>(game: &G, job: &Job) -> Result<Vec<(Vec<Layer>, u64)>, BuildError> {
    let index = Index::<G::Board>::new(game.shape(), job.top).map_err(Refusal::TooLarge)?;
    let positions = |layers: &[Layer]| {
        layers
            .iter()
            .map(|&layer| index.positions(layer))
            .sum::<u64>()
    };
    Ok(levels(game.shape().layering, job.top)
        .into_iter()
        .map(|layers| {
            let positions = positions(&layers);
            (layers, positions)
        })
        .collect())
}

fn widest(levels: &[(Vec<Layer>, u64)]) -> u64 {
    levels.iter().map(|level| level.1).max().unwrap_or(0)
}

struct Waves<'a> {
    job: &'a Job,
    memory: u64,
}

impl Visitor for Waves<'_> {
    type Output = Result<Estimate, BuildError>;

    fn visit<G: Game>(self, game: &G) -> Self::Output {
        let Self { job, memory } = self;
        let levels = extent(game, job)?;
        let positions = levels.iter().map(|level| level.1).sum();
        let plan = Plan::new(game, job.top)?;
        let level = plan.level_memory(game)?;
        // Codes of finished layers, two bytes a position.
        let below = 2 * (plan.positions - plan.widest);
        let packing = (plan.widest as f64 * (4.0 + PACKING)) as u64;
        let least = level.least.max(packing) + PROGRAM;
        let maps = least + below > memory;
        let fixed = if maps { least } else { least + below };
        let room = memory.saturating_sub(fixed);
        let used = level.least + (level.most - level.least).min(room);
        let peak = used.max(packing) + PROGRAM + if maps { 0 } else { below };
        // A snapshot of the widest level, its packed blocks, and codes of those below.
        let scaffolding = (plan.widest as f64 * (4.2 + PACKING)) as u64 + below;
        Ok(Estimate {
            positions,
            memory: peak,
            least_memory: least,
            disk: (positions as f64 * TABLE) as u64 + scaffolding,
            levels,
            method: Method::Waves(Means { room, maps }),
        })
    }
}

struct Rows<'a>(&'a Job);

impl OwnSideVisitor for Rows<'_> {
    /// `None` where sides are too many for tables.
    type Output = Option<Result<Estimate, BuildError>>;

    fn visit<G: OwnSide>(self, game: &G) -> Self::Output {
        let Layer::Sides(own, other) = self.0.top else {
            return None;
        };
        let rows = BitRows::new(game, own.max(other).into())?;
        let levels = match extent(game, self.0) {
            Ok(levels) => levels,
            Err(error) => return Some(Err(error)),
        };
        let wanted = Wanted {
            distances: self.0.distances,
            bounds: true,
        };
        let (positions, widest) = (levels.iter().map(|level| level.1).sum(), widest(&levels));
        let planes = widest as f64 * (Planes::BITS / 8.0 + PACKING / 8.0);
        let memory = rows.bytes((own, other), wanted) + planes as u64 + PROGRAM;
        Some(Ok(Estimate {
            positions,
            memory,
            least_memory: memory,
            disk: (positions as f64 * TABLE / 4.0) as u64,
            levels,
            method: Method::Rows,
        }))
    }
}
