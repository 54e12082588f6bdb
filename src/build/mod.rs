//! Owns: building a table: layers solved in order, written, and gone on with after an interruption.
//!
//! The only place that knows both the solver and the files. Whatever is finished is in the manifest;
//! everything else (unfinished files, a snapshot of the level at hand) is scaffolding that the next
//! run uses or sweeps away. A table's bytes do not depend on interruptions or threads.

mod checkpoint;
mod lock;

pub use lock::{LOCK, Lock};

use crate::config::{Config, TableSeeds};
use crate::game::Game;
use crate::games::{Setup, SetupError, Visitor};
use crate::index::{Index, Layer};
use crate::progress::Progress;
use crate::retro::{Halt, LayerValues, Level, Plan, Refusal, Store, solve_level};
use crate::table::files::UNFINISHED;
use crate::table::{
    Manifest, Reader, Solved, TableError, Trouble, TwoPlies, fingerprint, levels, stake,
};
use checkpoint::Checkpoint;
use std::fmt;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// What to build.
#[derive(Clone, Debug)]
pub struct Job {
    /// Game, board and options.
    pub setup: Setup,
    /// The highest layer; all that play can come to from there are built too.
    pub top: Layer,
    /// Whether the table keeps distances.
    pub distances: bool,
}

impl From<&Config> for Job {
    fn from(config: &Config) -> Self {
        Self {
            setup: config.setup.clone(),
            top: match config.seeds {
                TableSeeds::Total(seeds) => Layer::Total(seeds as u8),
                TableSeeds::Sides([own, other]) => {
                    Layer::Sides(own.max(other) as u8, own.min(other) as u8)
                }
            },
            distances: config.distances,
        }
    }
}

/// How to build it.
#[derive(Clone, Debug)]
pub struct Options {
    /// Most bytes of memory to use.
    pub memory: u64,
    /// Time between snapshots of a level.
    pub snapshots: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            memory: u64::MAX,
            snapshots: Duration::from_secs(120),
        }
    }
}

/// What a job takes.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// Levels in the order of solving, with their positions.
    pub levels: Vec<(Vec<Layer>, u64)>,
    /// Positions in all layers.
    pub positions: u64,
    /// Peak of memory in bytes.
    pub memory: u64,
    /// Room on the disk in bytes, snapshots included: a cautious guess.
    pub disk: u64,
}

/// Why a table was not built.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BuildError {
    /// The board cannot be solved at all.
    Setup(String),
    /// The layers cannot be solved in memory, however much there is.
    Refused(Refusal),
    /// More memory would be needed than is allowed.
    Memory {
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// Files.
    Table(TableError),
    /// Told to stop; what is finished is kept.
    Stopped,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MIB: u64 = 1 << 20;
        match self {
            Self::Setup(error) => f.write_str(error),
            Self::Refused(refusal) => refusal.fmt(f),
            Self::Memory { needed, allowed } => write!(
                f,
                "needs {} MiB of memory, {} MiB are allowed; allow more with --memory or build fewer seeds",
                needed.div_ceil(MIB),
                allowed / MIB
            ),
            Self::Table(error) => error.fmt(f),
            Self::Stopped => f.write_str("stopped; the same command goes on from here"),
        }
    }
}

impl std::error::Error for BuildError {}

impl From<TableError> for BuildError {
    fn from(error: TableError) -> Self {
        Self::Table(error)
    }
}

impl From<SetupError> for BuildError {
    fn from(error: SetupError) -> Self {
        Self::Setup(error.to_string())
    }
}

/// Bytes that a layer takes on the disk, a position, to guess the room needed.
const DISK: f64 = 0.7;

struct Estimating<'a>(&'a Job);

impl Visitor for Estimating<'_> {
    type Output = Result<Estimate, BuildError>;

    fn visit<G: Game>(self, game: &G) -> Self::Output {
        let top = self.0.top;
        let index = Index::<G::Board>::new(game.shape(), top)
            .map_err(|error| BuildError::Refused(Refusal::TooLarge(error)))?;
        let plan = Plan::new(game, top).map_err(BuildError::Refused)?;
        let levels: Vec<(Vec<Layer>, u64)> = levels(game.shape().layering, top)
            .into_iter()
            .map(|layers| {
                let positions = layers.iter().map(|&layer| index.positions(layer)).sum();
                (layers, positions)
            })
            .collect();
        let positions = levels.iter().map(|level| level.1).sum();
        let widest = levels.iter().map(|level| level.1).max().unwrap_or(0);
        // Finished layers lie in memory without distances, which the plan counts for all.
        let bytes = plan.bytes(game).map_err(BuildError::Refused)?;
        let memory = bytes - 4 * (plan.positions - widest);
        Ok(Estimate {
            positions,
            memory,
            disk: (positions as f64 * DISK) as u64 + 6 * widest,
            levels,
        })
    }
}

/// What a job takes, found without solving anything.
///
/// # Errors
/// When it cannot be done however much memory there is.
pub fn estimate(job: &Job) -> Result<Estimate, BuildError> {
    job.setup.visit(job.top.seeds(), Estimating(job))?
}

struct Building<'a> {
    job: &'a Job,
    options: &'a Options,
    directory: &'a Path,
    manifest: Manifest,
    progress: &'a dyn Progress,
}

/// Builds a table in `directory`, or what is still missing of it.
///
/// # Errors
/// When there is not enough memory or room, the directory holds another table, or it was told to
/// stop. Finished layers stay.
pub fn build(
    job: &Job,
    directory: &Path,
    options: &Options,
    progress: &dyn Progress,
) -> Result<Manifest, BuildError> {
    let needed = estimate(job)?.memory;
    if needed > options.memory {
        let allowed = options.memory;
        return Err(BuildError::Memory { needed, allowed });
    }
    fs::create_dir_all(directory)
        .map_err(|error| TableError::io(directory, "a directory for the table", &error))?;
    let lock = Lock::take(directory)?;
    let manifest = begin(job, directory)?;
    let building = Building {
        job,
        options,
        directory,
        manifest,
        progress,
    };
    let built = job.setup.visit(job.top.seeds(), building)?;
    if built.is_ok() {
        lock.release();
    }
    built
}

/// Reads the manifest of what is there already, or writes the first.
fn begin(job: &Job, directory: &Path) -> Result<Manifest, BuildError> {
    let path = directory.join(crate::table::MANIFEST);
    let fresh = Manifest::new(&job.setup, job.top, job.distances);
    if !path.exists() {
        fresh.write(directory)?;
        return Ok(fresh);
    }
    let found = Manifest::read(directory)?;
    let setup = found.setup(directory)?;
    let kind = |manifest: &Manifest, setup: &Setup| {
        format!(
            "{} seeds={:?} distances={}",
            fingerprint(setup),
            manifest.seeds,
            manifest.distances
        )
    };
    let (expected, there) = (kind(&fresh, &job.setup), kind(&found, &setup));
    if expected != there {
        let remedy = "name another directory with --out, or remove this one";
        return Err(TableError::foreign(&path, expected, there, remedy).into());
    }
    sweep(directory);
    Ok(found)
}

/// Removes what a killed builder left half written; nobody else writes while the lock is held.
fn sweep(directory: &Path) {
    let Ok(entries) = fs::read_dir(directory) else {
        return;
    };
    for entry in entries.flatten() {
        if entry
            .path()
            .extension()
            .is_some_and(|end| end == UNFINISHED)
        {
            // A leftover that cannot be removed is in nobody's way: the next writer replaces it.
            let _ = fs::remove_file(entry.path());
        }
    }
}

impl Visitor for Building<'_> {
    type Output = Result<Manifest, BuildError>;

    fn visit<G: Game>(mut self, game: &G) -> Self::Output {
        let layering = game.shape().layering;
        let index = Index::<G::Board>::new(game.shape(), self.job.top)
            .map_err(|error| BuildError::Refused(Refusal::TooLarge(error)))?;
        let levels = levels(layering, self.job.top);
        let total = levels.len();
        let mut store = Store::new(index, self.job.top);
        self.plan::<G>(store.index(), &levels);
        self.recall(game, &mut store, &levels)?;
        for (number, layers) in levels.iter().enumerate() {
            if layers
                .iter()
                .all(|&layer| self.manifest.entry(layer).is_some())
            {
                continue;
            }
            self.level(
                game,
                &mut store,
                layers,
                &format!("({} of {total})", number + 1),
            )?;
        }
        Ok(self.manifest)
    }
}

impl Building<'_> {
    /// Tells how much there is to do, and how much of it is done.
    fn plan<G: Game>(&self, index: &Index<G::Board>, levels: &[Vec<Layer>]) {
        let layers = || levels.iter().flatten();
        let listed = |layer: &&Layer| self.manifest.entry(**layer).is_some();
        let total: u64 = layers().map(|&layer| index.positions(layer)).sum();
        let finished = layers().filter(listed);
        let before: u64 = finished.map(|&layer| index.positions(layer)).sum();
        if before < total {
            self.progress.plan("reading", before, 0);
        }
        self.progress.plan("solving", total, before);
        self.progress.plan("writing", total, before);
    }

    /// Reads finished layers back, if there is a level left that needs them.
    fn recall<G: Game>(
        &mut self,
        game: &G,
        store: &mut Store<G::Board>,
        levels: &[Vec<Layer>],
    ) -> Result<(), BuildError> {
        // A level of two layers counts only with both: their entries come together.
        let mut whole = 0;
        for layers in levels {
            if !layers
                .iter()
                .all(|&layer| self.manifest.entry(layer).is_some())
            {
                break;
            }
            whole += layers.len();
        }
        self.manifest.layers.truncate(whole);
        let all: usize = levels.iter().map(Vec::len).sum();
        if whole == all || whole == 0 {
            return Ok(());
        }
        let reader = Reader::open(self.directory, &self.manifest, &self.job.setup, game, 0)?;
        let positions = self
            .manifest
            .layers
            .iter()
            .map(|entry| entry.positions)
            .sum();
        self.progress.begin("reading finished layers", positions);
        for file in 0..reader.files().len() {
            let (layer, codes) = (reader.files()[file].layer, reader.codes(file)?);
            self.progress.advance(codes.len() as u64);
            store.insert(
                layer,
                LayerValues {
                    codes,
                    distances: Vec::new(),
                },
            );
        }
        self.progress.end();
        Ok(())
    }

    /// Solves a level and writes its layers.
    fn level<G: Game>(
        &mut self,
        game: &G,
        store: &mut Store<G::Board>,
        layers: &[Layer],
        count: &str,
    ) -> Result<(), BuildError> {
        let level = Level::new(store.index(), layers);
        let names: Vec<String> = layers.iter().map(Layer::to_string).collect();
        let names = names.join(" and ");
        let mut checkpoint = Checkpoint::new(
            self.directory,
            &format!("{} {names}", fingerprint(&self.job.setup)),
            level.positions(),
            self.options.snapshots,
        );
        self.progress
            .begin(&format!("solving {names} {count}"), level.positions());
        let solved = solve_level(game, store, &level, self.progress, &mut checkpoint);
        self.progress.end();
        let solved = match (solved, checkpoint.trouble()) {
            (Ok(solved), _) => solved,
            (Err(_), Some(error)) => return Err(error.into()),
            (Err(Halt::Stopped), None) => return Err(BuildError::Stopped),
            (Err(halt), None) => return Err(BuildError::Refused(Refusal::Halted(halt))),
        };
        self.progress
            .begin(&format!("writing {names} {count}"), level.positions());
        for (layer, values) in solved {
            self.write(game, store, layer, &values)?;
            store.insert(
                layer,
                LayerValues {
                    codes: values.codes,
                    distances: Vec::new(),
                },
            );
        }
        self.manifest.write(self.directory)?;
        checkpoint.remove();
        self.progress.end();
        Ok(())
    }

    fn write<G: Game>(
        &mut self,
        game: &G,
        store: &Store<G::Board>,
        layer: Layer,
        values: &LayerValues,
    ) -> Result<(), BuildError> {
        let solved = Solved {
            index: store.index(),
            layer,
            stake: stake::<G>(layer),
            scored: G::SCORED,
            codes: &values.codes,
            distances: &values.distances,
            keep_distances: self.job.distances,
        };
        let fingerprint = fingerprint(&self.job.setup);
        let predictor = TwoPlies::new(game);
        let entry = solved.write(self.directory, &fingerprint, &predictor, self.progress)?;
        self.manifest.layers.push(entry.ok_or(BuildError::Stopped)?);
        Ok(())
    }
}

impl BuildError {
    /// Whether more room, memory or time would help.
    pub fn is_limit(&self) -> bool {
        match self {
            Self::Memory { .. } | Self::Refused(_) | Self::Stopped => true,
            Self::Table(error) => error.trouble == Trouble::Full,
            Self::Setup(_) => false,
        }
    }
}
