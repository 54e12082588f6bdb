//! Owns: `sowbase puzzle`: checking puzzles from a file, and mining a table for new ones.

mod check;
mod json;
mod mine;
mod report;
mod text;

use super::Notes;
use super::failure::Failure;
use clap::{Args, Subcommand};
use std::io::Write;

/// Checks puzzles, or finds new ones in a table
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct PuzzleArgs {
    #[command(subcommand)]
    what: What,
}

const EXAMPLES: &str = "\
Examples:
  sowbase puzzle check solver-configs/puzzles/giuthi.toml --only 1
  sowbase puzzle mine tables/giuthi-2x3 --limit 3";

#[derive(Subcommand, Debug)]
enum What {
    /// Whether puzzles are sound: met, by one key alone; with refutations, main lines and duals
    Check(check::CheckArgs),
    /// Finds positions in a table that are worth setting, and writes them as puzzles
    Mine(mine::MineArgs),
}

/// Runs the command.
pub fn run(
    args: &PuzzleArgs,
    out: &mut (impl Write + Send),
    notes: &Notes<'_>,
) -> Result<(), Failure> {
    match &args.what {
        What::Check(args) => check::run(args, out, notes),
        What::Mine(args) => mine::run(args, out, notes),
    }
}
