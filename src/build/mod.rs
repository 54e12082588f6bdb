//! Owns: building a table: layers solved in order, written, and gone on with after an interruption.
//!
//! The only place that knows both the solvers and the files. Whatever is finished is in the manifest;
//! everything else (unfinished files, a snapshot of the level at hand, packed blocks, lower layers'
//! codes) is scaffolding that the next run uses or sweeps away. A table's bytes do not depend on
//! interruptions, threads or memory.
//!
//! | File | Owns |
//! |---|---|
//! | `estimate` | what a job takes, and by which solver |
//! | `driver` | levels in order, from solver to files |
//! | `waves`, `rows` | the two solvers as the driver uses them |
//! | `checkpoint`, `maps`, `lock` | scaffolding on the disk |

mod checkpoint;
mod driver;
mod estimate;
mod lock;
mod maps;
mod rows;
mod waves;

pub use estimate::{Estimate, estimate};
pub use lock::{LOCK, Lock};

use crate::board::Layering;
use crate::config::{Config, TableSeeds};
use crate::games::{Setup, SetupError};
use crate::index::Layer;
use crate::progress::Progress;
use crate::retro::Refusal;
use crate::table::files::UNFINISHED;
use crate::table::{BATCH, Manifest, PACKED, TableError, Trouble, fingerprint, levels, words};
use checkpoint::CHECKPOINT;
use driver::Site;
use estimate::Method;
use maps::CODES;
use std::ffi::OsStr;
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
    /// Blocks that are packed before they are put on the disk.
    pub batch: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            memory: u64::MAX,
            snapshots: Duration::from_secs(120),
            batch: BATCH,
        }
    }
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

impl From<Refusal> for BuildError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
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
    let estimate = estimate(job, options.memory)?;
    if estimate.memory > options.memory {
        return Err(BuildError::Memory {
            needed: estimate.least_memory,
            allowed: options.memory,
        });
    }
    fs::create_dir_all(directory)
        .map_err(|error| TableError::writing(directory, "a directory for the table", &error))?;
    let lock = Lock::take(directory)?;
    let site = Site {
        job,
        options,
        directory,
        manifest: begin(job, directory)?,
        progress,
    };
    let seeds = job.top.seeds();
    let built = match estimate.method {
        Method::Waves(means) => job.setup.visit(seeds, waves::Build { site, means })?,
        Method::Rows => {
            let built = job.setup.visit_own_side(seeds, rows::Build(site))?;
            built.expect("the estimate asked whether moves sow the own side only")
        }
    };
    if built.is_ok() {
        // All of it, and not only what this run made: a builder killed between its last line in the
        // manifest and its tidying up leaves that to us.
        sweep(directory, &SCAFFOLDING);
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
            "{}, {}, distances = {}",
            words(&fingerprint(setup)),
            manifest.seeds,
            manifest.distances
        )
    };
    let (expected, there) = (kind(&fresh, &job.setup), kind(&found, &setup));
    let grown = Manifest {
        seeds: fresh.seeds,
        ..found.clone()
    };
    let grows = goes_on(&found, job.top) && kind(&grown, &setup) == expected;
    if expected != there && !grows {
        let remedy = "name another directory with --out, or remove this one";
        return Err(TableError::foreign(&path, expected, there, remedy).into());
    }
    sweep(directory, &[UNFINISHED]);
    if grows && found.seeds != grown.seeds {
        grown.write(directory)?;
    }
    Ok(if grows { grown } else { found })
}

/// Whether a table up to `top` is what `found` would become if it were built on: it ends above, and its
/// first layers are those that are finished.
fn goes_on(found: &Manifest, top: Layer) -> bool {
    let (layering, above) = match (found.seeds.into(), top) {
        (Layer::Total(before), Layer::Total(now)) => (Layering::Total, before <= now),
        (Layer::Sides(a, b), Layer::Sides(c, d)) => {
            let above = a.max(b) <= c.max(d) && a.min(b) <= c.min(d);
            (Layering::PerSide, above)
        }
        _ => return false,
    };
    let planned = levels(layering, top).into_iter().flatten();
    let finished = found.layers.iter().map(|entry| &entry.layer);
    let names: Vec<String> = planned.map(|layer| layer.to_string()).collect();
    above && names.iter().take(found.layers.len()).eq(finished)
}

/// Endings or names of what a builder keeps beside the table while it is at work.
const SCAFFOLDING: [&str; 4] = [UNFINISHED, CHECKPOINT, CODES, PACKED];

/// Removes files of these endings or names; nobody else writes while the lock is held.
fn sweep(directory: &Path, kinds: &[&str]) {
    let Ok(entries) = fs::read_dir(directory) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let is = |part: Option<&OsStr>| part.is_some_and(|part| kinds.iter().any(|k| part == *k));
        if is(path.extension()) || is(path.file_name()) {
            // A leftover that cannot be removed is in nobody's way: it only takes room, and the next
            // writer replaces it.
            let _ = fs::remove_file(path);
        }
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
