//! Owns: `sowbase perft`: the number of paths of exactly DEPTH plies.

use super::Notes;
use super::failure::{Failure, Kind};
use super::flags::{PositionArgs, SharedFlags, parse_number};
use super::machine::with_threads;
use super::stop::Stopping;
use super::target::Target;
use crate::game::Game;
use crate::games::Visitor;
use crate::perft::{MAX_DEPTH, Uncounted, perft_watched};
use serde::Serialize;
use std::io::Write;

/// Counts the paths of exactly DEPTH plies; a pass is a ply
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct PerftArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Plies to count
    #[arg(value_name = "DEPTH", value_parser = parse_depth)]
    depth: u32,
    #[command(flatten)]
    shared: SharedFlags,
}

const EXAMPLES: &str = "\
Examples:
  sowbase perft giuthi start 4
  sowbase perft bosh '0,3,4,3,4/2,2,3,4,0 S' 6 --json";

fn parse_depth(text: &str) -> Result<u32, String> {
    parse_number(text, 0..=MAX_DEPTH, "plies")
}

/// DESIGN section 5, `perft --json`.
#[derive(Serialize)]
struct Json<'a> {
    game: &'a str,
    position: String,
    depth: u32,
    count: u64,
}

/// Runs the command.
pub fn run(args: &PerftArgs, out: &mut impl Write, notes: &Notes<'_>) -> Result<(), Failure> {
    let target = Target::resolve(&args.position, &args.shared)?;
    let progress = Stopping::new(notes)?;
    let count = Count {
        target: &target,
        depth: args.depth,
        progress: &progress,
    };
    let count = with_threads(args.shared.threads, || target.visit(count))??;
    progress.clear();
    let count = count.map_err(|why| {
        let why = match why {
            Uncounted::TooMany => "more than 2^64 paths; count fewer plies",
            Uncounted::Stopped => {
                "interrupted before all paths were counted, so there is no number; count fewer plies"
            }
        };
        Failure::new(Kind::Limit, why)
    })?;
    if args.shared.json {
        let json = Json {
            game: target.setup.game().as_str(),
            position: target.position.text(&target.setup),
            depth: args.depth,
            count,
        };
        serde_json::to_writer(&mut *out, &json).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        writeln!(out, "{count}")?;
    }
    Ok(())
}

struct Count<'a> {
    target: &'a Target,
    depth: u32,
    progress: &'a Stopping<'a>,
}

impl Visitor for Count<'_> {
    type Output = Result<u64, Uncounted>;

    fn visit<G: Game>(self, game: &G) -> Self::Output {
        let board = self.target.position.board(game);
        perft_watched(game, board, self.depth, self.progress)
    }
}
