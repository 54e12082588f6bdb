//! Owns: `sowbase build`: a table from a solver-config.

use super::Notes;
use super::failure::{Failure, Kind};
use super::flags::WorkFlags;
use super::machine::with_threads;
use super::stop::Stopping;
use super::units::{counted, parse_duration, show_size};
use crate::build::{BuildError, Estimate, Job, Options, build, estimate};
use crate::config::Config;
use crate::index::Layer;
use crate::table::{BATCH, TableError, Trouble};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Writes a table of perfect play, or goes on with one; finished layers are never done again
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct BuildArgs {
    /// The solver-config: a TOML file that says which table
    #[arg(value_name = "CONFIG")]
    config: PathBuf,
    /// Directory of the table [default: tables/ and the config's name]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Says what the table takes, and builds nothing
    #[arg(long)]
    dry_run: bool,
    /// Time between snapshots of the layer at hand; 0s for one after every step
    #[arg(long, value_name = "DURATION", value_parser = parse_interval, default_value = "2m")]
    snapshots: Duration,
    #[command(flatten)]
    work: WorkFlags,
}

const EXAMPLES: &str = "\
Examples:
  sowbase build solver-configs/giuthi-2x5.toml --dry-run
  sowbase build solver-configs/giuthi-2x3.toml --out my-table --memory 4GiB

Interrupt it at any time; the same command goes on.";

/// A duration, or `0s` for a snapshot after every wave.
fn parse_interval(text: &str) -> Result<Duration, String> {
    match text {
        "0s" => Ok(Duration::ZERO),
        _ => parse_duration(text),
    }
}

/// A table's trouble as a command's failure.
pub fn failure(error: &TableError) -> Failure {
    let kind = match error.trouble {
        Trouble::Damaged | Trouble::Foreign => Kind::Damaged,
        Trouble::Full => Kind::Limit,
        Trouble::Io | Trouble::Busy => Kind::Other,
    };
    Failure::new(kind, error)
}

fn build_failure(error: &BuildError) -> Failure {
    match error {
        BuildError::Table(error) => failure(error),
        BuildError::Setup(_) => Failure::usage(error),
        _ => Failure::new(Kind::Limit, error),
    }
}

fn read(path: &Path) -> Result<Job, Failure> {
    let wrong =
        |problem: &dyn std::fmt::Display| Failure::usage(format!("{}: {problem}", path.display()));
    let text = std::fs::read_to_string(path)
        .map_err(|error| wrong(&format!("expected a solver-config, found: {error}")))?;
    let config = Config::parse(&text).map_err(|error| wrong(&error))?;
    Ok(Job::from(&config))
}

/// Runs the command.
pub fn run(args: &BuildArgs, out: &mut impl Write, notes: &Notes<'_>) -> Result<(), Failure> {
    let job = read(&args.config)?;
    let memory = args.work.memory();
    let cost = estimate(&job, memory).map_err(|error| build_failure(&error))?;
    if args.dry_run {
        return write_estimate(&cost, memory, out);
    }
    let directory = match (&args.out, args.config.file_stem()) {
        (Some(out), _) => out.clone(),
        (None, stem) => Path::new("tables").join(stem.unwrap_or_default()),
    };
    notes(&format!(
        "{}: {}, about {} of memory and up to {} on the disk",
        directory.display(),
        counted(cost.positions, "position"),
        show_size(cost.memory),
        show_size(cost.disk),
    ));
    let options = Options {
        memory,
        snapshots: args.snapshots,
        batch: if args.snapshots.is_zero() { 1 } else { BATCH },
    };
    let progress = Stopping::new(notes)?;
    let start = Instant::now();
    let built = with_threads(args.work.threads, || {
        build(&job, &directory, &options, &progress)
    })?;
    let manifest = built.map_err(|error| build_failure(&error))?;
    let bytes: u64 = manifest.layers.iter().map(|entry| entry.bytes).sum();
    let seconds = start.elapsed().as_secs_f64();
    writeln!(
        out,
        "{}: {}, {}, {} ({:.3} bytes a position), in {seconds:.1} s",
        directory.display(),
        counted(manifest.layers.len() as u64, "layer"),
        counted(cost.positions, "position"),
        show_size(bytes),
        bytes as f64 / cost.positions.max(1) as f64,
    )?;
    Ok(())
}

fn write_estimate(cost: &Estimate, memory: u64, out: &mut impl Write) -> Result<(), Failure> {
    for (layers, positions) in &cost.levels {
        let names: Vec<String> = layers.iter().map(Layer::to_string).collect();
        writeln!(
            out,
            "{}: {}",
            names.join(" and "),
            counted(*positions, "position")
        )?;
    }
    writeln!(
        out,
        "all: {}, about {} of memory ({} are allowed), up to {} on the disk",
        counted(cost.positions, "position"),
        show_size(cost.memory),
        show_size(memory),
        show_size(cost.disk),
    )?;
    if cost.memory > memory {
        let (needed, allowed) = (cost.least_memory, memory);
        return Err(build_failure(&BuildError::Memory { needed, allowed }));
    }
    Ok(())
}
