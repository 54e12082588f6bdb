//! Owns: `sowbase solve`: the exact value of a position, every move with its value, the best line.
//!
//! It plans first and says what the plan costs, so that a position that is too large is refused with
//! the figure instead of filling the memory.

use super::Notes;
use super::bar::Bar;
use super::build::failure;
use super::failure::{Failure, Kind};
use super::flags::{PositionArgs, SharedFlags};
use super::machine::{default_memory, with_threads};
use super::probe::report;
use super::report::{Report, lead, write_json, write_text};
use super::target::Target;
use super::units::{show_count, show_size};
use crate::analysis::analyse;
use crate::board::{Board, Lanes};
use crate::game::Game;
use crate::games::Visitor;
use crate::index::{Layer, layer_of};
use crate::retro::Plan;
use crate::table::{CACHE, Manifest, Reader, TableError, fingerprint};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Solves a position exactly: its value, every move with its value, a line of best play
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct SolveArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Shows the board after every ply of the best line
    #[arg(long)]
    boards: bool,
    #[command(flatten)]
    shared: SharedFlags,
}

const EXAMPLES: &str = "\
Examples:
  sowbase solve giuthi '0,3,0,2,1/2,0,1,2,1 S'
  sowbase solve hawalis '0,1,0/2,0,1/1,0,2/0,1,1 N' --boards
  sowbase solve bosh start --columns 3 --seeds 2 --memory 1GiB --json";

/// Runs the command.
pub fn run(args: &SolveArgs, out: &mut impl Write, notes: &Notes<'_>) -> Result<(), Failure> {
    let target = Target::resolve(&args.position, &args.shared)?;
    let solve = Solve {
        target: &target,
        notes,
        memory: args.shared.memory.unwrap_or_else(default_memory),
        tables: &args.shared.tables,
    };
    let report = with_threads(args.shared.threads, || target.visit(solve))???;
    if args.shared.json {
        write_json(out, &target, &report)?;
    } else {
        write_text(out, &target, &report, args.boards)?;
    }
    Ok(())
}

struct Solve<'a> {
    target: &'a Target,
    notes: &'a Notes<'a>,
    memory: u64,
    tables: &'a [PathBuf],
}

impl Visitor for Solve<'_> {
    type Output = Result<Report, Failure>;

    fn visit<G: Game>(self, game: &G) -> Self::Output {
        let limit = |error: &dyn std::fmt::Display| Failure::new(Kind::Limit, error);
        let position = &self.target.position;
        let board = position.board(game);
        for directory in self.tables {
            if let Some(reader) = covering(directory, self.target, game)? {
                return report(game, &reader, self.target);
            }
        }
        let plan = Plan::new(game, layer_of(game.shape(), board)).map_err(|e| limit(&e))?;
        let room = self.room(game, &plan)?;
        let store = plan
            .solve_with(game, room, &Bar::new(self.notes))
            .map_err(|e| limit(&e))?;
        let values = |board| store.value::<G>(board);
        let analysis = analyse(game, board, lead::<G>(position), &values);
        Ok(Report::new(game, self.target, &analysis))
    }
}

impl Solve<'_> {
    /// Refuses a plan that takes more memory than is allowed, or says what it takes and how much of that is
    /// for edges.
    fn room<G: Game>(&self, game: &G, plan: &Plan) -> Result<u64, Failure> {
        let most = show_size(self.memory);
        let enough = |least: u64| {
            if least <= self.memory {
                return Ok(());
            }
            Err(Failure::new(
                Kind::Limit,
                format!(
                    "{}, at least {} of memory needed, more than the {most} of --memory; give more, or ask about a position with fewer seeds",
                    extent(plan),
                    show_size(least),
                ),
            ))
        };
        enough(plan.least_bytes())?;
        let memory = plan
            .memory(game)
            .map_err(|error| Failure::new(Kind::Limit, error))?;
        enough(memory.least)?;
        (self.notes)(&format!(
            "{}, about {} of memory needed, of {most} to be used",
            extent(plan),
            show_size(memory.within(self.memory)),
        ));
        Ok(self.memory - memory.least)
    }
}

/// The table in a directory, if it is one of these rules and covers the position.
fn covering<G: Game>(
    directory: &Path,
    target: &Target,
    game: &G,
) -> Result<Option<Reader<G>>, Failure> {
    let failed = |error: &TableError| failure(error);
    let manifest = Manifest::read(directory).map_err(|error| failed(&error))?;
    let setup = manifest.setup(directory).map_err(|error| failed(&error))?;
    if fingerprint(&setup) != fingerprint(&target.setup) {
        return Ok(None);
    }
    let top = Layer::from(manifest.seeds);
    let layer = layer_of(game.shape(), target.position.board(game));
    // A board as narrow as the position's may not hold what else the table covers, nor need it.
    if manifest.entry(layer).is_none() || top.seeds() > <G::Board as Board>::Word::MAX {
        return Ok(None);
    }
    let reader = Reader::open(directory, &manifest, &setup, game, CACHE);
    reader.map(Some).map_err(|error| failed(&error))
}

/// The layers of a plan, their positions and memory.
fn extent(plan: &Plan) -> String {
    let layers: Vec<String> = plan
        .levels()
        .iter()
        .flatten()
        .map(ToString::to_string)
        .collect();
    let layers = match &layers[..] {
        [only] => format!("layer {only}"),
        [first, .., last] => format!("{} layers, {first} to {last}", layers.len()),
        [] => "no layers".to_owned(),
    };
    format!("{layers}: {} positions", show_count(plan.positions))
}
