//! Owns: the command line: what can be typed, and which file does it.
//!
//! One definition (the types below) makes the parser, the help, the completions and the man pages.
//! [`run`] is the whole program but for its exit code, so that tests can call it without a process.
//! Everything here may use the library; the library knows nothing of it.

mod bar;
mod bench;
mod build;
mod columns;
mod completions;
mod drawing;
mod effort;
mod export;
mod failure;
mod flags;
mod history;
mod lines;
mod machine;
mod man;
mod match_;
mod moves;
mod pace;
mod perft;
mod play;
mod probe;
mod puzzle;
mod report;
mod screen;
mod solve;
mod stats;
mod stop;
mod tables;
mod target;
pub mod units;
mod usage;
mod verify;
mod watch;

pub use failure::{Failure, Kind};

use clap::{Parser, Subcommand};
use std::ffi::OsString;
use std::io::Write;

/// Exact solver for sowing games (mancala): Giuthi, Bosh, Hawalis and Hus
#[derive(Parser, Debug)]
#[command(name = "sowbase", version, after_help = EXIT_CODES)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "\
Exit codes: 0 done; 2 wrong usage or unreadable input; 3 the answer is \"no\"; 4 a damaged or foreign \
table; 5 a limit was reached (time, memory, disk); 1 anything else.

Example:
  sowbase solve giuthi '0,3,0,2,1/2,0,1,2,1 S'";

#[derive(Subcommand, Debug)]
enum Command {
    /// Every legal move: where it leads, laps, seeds taken
    Moves(moves::MovesArgs),
    /// Counts the paths of exactly DEPTH plies
    Perft(perft::PerftArgs),
    /// The exact value of a position, every move with its value, the best line
    Solve(solve::SolveArgs),
    /// A game at the keyboard against perfect play or search
    Play(play::PlayArgs),
    /// A whole Bosh match over its rounds
    Match(match_::MatchArgs),
    /// Measures search on fixed positions
    Bench(bench::BenchArgs),
    /// Builds a table of perfect play, or goes on building it
    Build(build::BuildArgs),
    /// The values of positions, from a table
    Probe(probe::ProbeArgs),
    /// Checks and proves a table
    Verify(verify::VerifyArgs),
    /// Writes a table for other programs
    Export(export::ExportArgs),
    /// What a table holds, layer by layer
    Stats(stats::StatsArgs),
    /// Checks puzzles, or finds new ones in a table
    Puzzle(puzzle::PuzzleArgs),
    /// Writes a completion script for a shell
    Completions(completions::CompletionsArgs),
    /// Writes the manual pages
    Man(man::ManArgs),
}

/// Where lines go that are not part of the answer: progress, costs, remarks.
pub type Notes<'a> = dyn Fn(&str) + Sync + 'a;

/// Runs the command that `args` (the program's name first) asks for, with its answer to `out`.
///
/// # Errors
/// When the command fails; the failure knows its exit code. Help that was asked for is no failure.
pub fn run<I>(args: I, out: &mut (impl Write + Send), notes: &Notes<'_>) -> Result<(), Failure>
where
    I: IntoIterator<Item: Into<OsString> + Clone>,
{
    let args = args.into_iter().map(Into::into).collect();
    dispatch(args, &mut (out as &mut (dyn Write + Send)), notes)
}

/// [`run`] without type parameters, so that all commands for all boards are compiled here and not once
/// more by every crate that runs them.
fn dispatch(
    args: Vec<OsString>,
    out: &mut &mut (dyn Write + Send),
    notes: &Notes<'_>,
) -> Result<(), Failure> {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => return usage::explain(&error, out),
    };
    match cli.command {
        Command::Moves(args) => moves::run(&args, out, notes),
        Command::Perft(args) => perft::run(&args, out, notes),
        Command::Solve(args) => solve::run(&args, out, notes),
        Command::Play(args) => play::run(&args, out, notes),
        Command::Match(args) => match_::run(&args, out, notes),
        Command::Bench(args) => bench::run(&args, out, notes),
        Command::Build(args) => build::run(&args, out, notes),
        Command::Probe(args) => probe::run(&args, out),
        Command::Verify(args) => verify::run(&args, out, notes),
        Command::Export(args) => export::run(&args, out, notes),
        Command::Stats(args) => stats::run(&args, out),
        Command::Puzzle(args) => puzzle::run(&args, out, notes),
        Command::Completions(args) => completions::run(&args, out),
        Command::Man(args) => man::run(&args, out),
    }?;
    Ok(out.flush()?)
}
