//! Owns: `sowbase puzzle mine`: looking through a table's layers, and writing what is found as a
//! puzzle file.

use crate::cli::Notes;
use crate::cli::build::failure as table_failure;
use crate::cli::failure::{Failure, Kind};
use crate::cli::flags::{WorkFlags, parse_number};
use crate::cli::machine::with_threads;
use crate::cli::report::plies;
use crate::cli::stop::Stopping;
use crate::cli::units::{counted, show_size};
use crate::game::Game;
use crate::games::{Setup, Visitor};
use crate::index::{Index, Layer};
use crate::notation::move_name;
use crate::progress::Progress;
use crate::puzzle::{Candidate, Filter, Measure, Miner, Puzzle, Stipulation, write};
use crate::retro::{LayerValues, Store};
use crate::table::files::NewFiles;
use crate::table::{Reader, Table, position_of, seat_of};
use clap::ValueEnum;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Finds positions in a table that are worth setting, and writes them as puzzles
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct MineArgs {
    /// Directory of the table, which must hold distances
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// What the solver is to do
    #[arg(long, value_enum, default_value = "win")]
    stipulation: Wanted,
    /// How many puzzles to write at most
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = |text: &str| parse_number(text, 1..=10_000usize, "puzzles"))]
    limit: usize,
    /// Least number of plies to the next capture or the end
    #[arg(long, value_name = "PLIES", default_value_t = 3, value_parser = parse_plies)]
    min_plies: u32,
    /// Most plies to the next capture or the end
    #[arg(long, value_name = "PLIES", default_value_t = 65_535, value_parser = parse_plies)]
    max_plies: u32,
    /// Least number of first moves to choose from
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = |text: &str| parse_number(text, 2..=64u32, "moves"))]
    min_moves: u32,
    /// Fewest seeds on the board
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = parse_seeds)]
    min_seeds: u32,
    /// Most seeds on the board
    #[arg(long, value_name = "N", default_value_t = 255, value_parser = parse_seeds)]
    max_seeds: u32,
    /// Only keys that capture nothing, though another move captures
    #[arg(long)]
    quiet: bool,
    /// Only where the moves that capture most throw the result away
    #[arg(long)]
    sacrifice: bool,
    /// Only where every choice of the solver in the main lines is the only one, not just the first
    #[arg(long)]
    every_ply: bool,
    /// File to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Writes --out even where there is a file already, which is lost
    #[arg(long, requires = "out")]
    force: bool,
    #[command(flatten)]
    work: WorkFlags,
}

const EXAMPLES: &str = "\
Examples:
  sowbase puzzle mine tables/giuthi-2x3 --limit 3
  sowbase puzzle mine tables/bosh-2x3 --quiet --sacrifice --min-plies 5
  sowbase puzzle mine tables/hus-4x2 --stipulation draw --min-moves 2

Near-copies of better ones are left out, and with --every-ply those that have duals: so there may be fewer
than --limit. Puzzles are ranked: long, quiet keys, many moves that fail, a capture that is thrown away, few seeds.";

/// What the solver is to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Wanted {
    /// Win
    Win,
    /// Draw where nothing else does
    Draw,
    /// Take as many seeds as can be forced (games with a score)
    Gain,
}

fn parse_plies(text: &str) -> Result<u32, String> {
    parse_number(text, 0..=65_535, "plies")
}

fn parse_seeds(text: &str) -> Result<u32, String> {
    parse_number(text, 0..=255, "seeds")
}

/// Bytes a position in memory: codes and distances.
const BYTES: u64 = 4;

/// Runs the command.
pub fn run(
    args: &MineArgs,
    out: &mut (impl Write + Send),
    notes: &Notes<'_>,
) -> Result<(), Failure> {
    if let Some(path) = &args.out {
        vacant(path, args.force)?;
    }
    let table = Table::open_with(&args.directory, 0).map_err(|error| table_failure(&error))?;
    if !table.manifest().distances {
        return Err(Failure::usage(format!(
            "{}: expected a table with distances, found one without; build it with distances = true",
            args.directory.display(),
        )));
    }
    for (what, [least, most]) in [
        ("plies", [args.min_plies, args.max_plies]),
        ("seeds", [args.min_seeds, args.max_seeds]),
    ] {
        if least > most {
            return Err(Failure::usage(format!(
                "--min-{what} {least} is more than --max-{what} {most}: expected at most as much"
            )));
        }
    }
    if args.stipulation == Wanted::Gain && !table.setup().game().scored() {
        return Err(Failure::usage(
            "--stipulation gain: the game of this table has no score; expected win or draw",
        ));
    }
    let seeds = table.top().seeds();
    let visit = Mine {
        args,
        table: &table,
        notes,
    };
    let setup = table.setup();
    let puzzles = with_threads(args.work.threads, || setup.visit(seeds, visit))?;
    let puzzles = puzzles.map_err(Failure::usage)??;
    if puzzles.is_empty() {
        return Err(Failure::new(
            Kind::No,
            "no position passes the filters; ask for less (--min-plies, --max-plies, --min-moves, --min-seeds, --max-seeds, --quiet, --sacrifice, --every-ply)",
        ));
    }
    let text = write(&puzzles).map_err(|error| Failure::new(Kind::Other, error))?;
    match &args.out {
        None => out.write_all(text.as_bytes())?,
        Some(path) => {
            let mut files = NewFiles::default();
            let file = files.create(path);
            let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
            let written = written.and_then(|()| files.keep());
            written.map_err(|error| Failure::writing(path, "--out", &error))?;
            let count = counted(puzzles.len() as u64, "puzzle");
            writeln!(out, "{}: {count}", path.display())?;
        }
    }
    Ok(out.flush()?)
}

/// Refuses to write over a file, before any work: puzzles are edited by hand once they are found.
fn vacant(path: &Path, force: bool) -> Result<(), Failure> {
    match std::fs::metadata(path) {
        Ok(found) if found.is_file() && !force => Err(Failure::usage(format!(
            "{}: expected no file there, found one; name another with --out, or write over it with --force",
            path.display(),
        ))),
        Ok(found) if found.is_dir() => Err(Failure::usage(format!(
            "{}: expected a file to write, found a directory; name a file in it with --out",
            path.display(),
        ))),
        _ => Ok(()),
    }
}

struct Mine<'a> {
    args: &'a MineArgs,
    table: &'a Table,
    notes: &'a Notes<'a>,
}

impl Visitor for Mine<'_> {
    type Output = Result<Vec<Puzzle>, Failure>;

    fn visit<G: Game>(self, game: &G) -> Self::Output {
        let Self { args, table, notes } = self;
        let (setup, manifest) = (table.setup(), table.manifest());
        let reader = Reader::open(table.directory(), manifest, setup, game, 0)
            .map_err(|error| table_failure(&error))?;
        let levels = levels(&reader, args.max_seeds);
        let index = reader.index();
        let positions = |layer: &Layer| index.positions(*layer);
        let total: u64 = levels.iter().flatten().map(positions).sum();
        self.afford(total)?;
        let filter = Filter {
            stipulation: match args.stipulation {
                Wanted::Win => Stipulation::Win(None),
                Wanted::Draw => Stipulation::Draw,
                Wanted::Gain => Stipulation::Gain(1, None),
            },
            plies: [args.min_plies, args.max_plies],
            moves: args.min_moves,
            quiet: args.quiet,
            sacrifice: args.sacrifice,
            every_ply: args.every_ply,
            limit: args.limit,
        };
        let stopping = Stopping::new(notes)?;
        let index = Index::<G::Board>::new(game.shape(), reader.top()).map_err(Failure::usage)?;
        let mut store = Store::new(index, reader.top());
        let mut found = Vec::new();
        let stopped = || Failure::new(Kind::Limit, "interrupted; nothing was written");
        // Each position is read and then looked at; reading takes longer.
        stopping.plan("positions", 2 * total, 0);
        for level in levels {
            let count: u64 = level.iter().map(|&l| store.index().positions(l)).sum();
            let names: Vec<String> = level.iter().map(Layer::to_string).collect();
            let names = names.join(" and ");
            stopping.begin(&format!("reading {names}"), count);
            for &layer in &level {
                let Some(file) = reader.file(layer) else {
                    continue;
                };
                let (codes, distances) =
                    reader.layer(file).map_err(|error| table_failure(&error))?;
                store.insert(layer, LayerValues { codes, distances });
                stopping.advance(store.index().positions(layer));
                if stopping.stopped() {
                    return Err(stopped());
                }
            }
            stopping.end();
            stopping.begin(&format!("looking through {names}"), count);
            for layer in level {
                let miner = Miner {
                    game,
                    store: &store,
                    filter,
                };
                if store.layer(layer).is_none() || layer.seeds() < args.min_seeds {
                    stopping.advance(store.index().positions(layer));
                    continue;
                }
                found.extend(miner.layer(layer, &stopping).ok_or_else(stopped)?);
            }
            stopping.end();
        }
        let looked = found.len();
        stopping.begin("checking candidates", looked as u64);
        let miner = Miner {
            game,
            store: &store,
            filter,
        };
        let chosen = miner.choose(found, &stopping).ok_or_else(stopped)?;
        stopping.end();
        notes(&format!(
            "{}, {}, {} after near-copies and duals were left out",
            counted(total, "position"),
            counted(looked as u64, "candidate"),
            counted(chosen.len() as u64, "puzzle"),
        ));
        let puzzle = |candidate: &Candidate<G::Board>| puzzle(game, setup, candidate);
        Ok(chosen.iter().map(puzzle).collect())
    }
}

impl Mine<'_> {
    fn afford(&self, positions: u64) -> Result<(), Failure> {
        let memory = self.args.work.memory();
        let needed = positions.saturating_mul(BYTES);
        // A layer is decoded block by block and then put together: half as much again.
        let needed = needed.saturating_add(needed / 2);
        if needed <= memory {
            return Ok(());
        }
        Err(Failure::new(
            Kind::Limit,
            format!(
                "{}, {} of memory needed, more than the {} of --memory; give more, or look at fewer layers with --max-seeds",
                counted(positions, "position"),
                show_size(needed),
                show_size(memory),
            ),
        ))
    }
}

/// The finished layers with at most so many seeds, lower ones first, those that lead to each other
/// together.
fn levels<G: Game>(reader: &Reader<G>, most: u32) -> Vec<Vec<Layer>> {
    let mut layers: Vec<Layer> = reader.files().iter().map(|file| file.layer).collect();
    layers.retain(|layer| layer.seeds() <= most);
    let key = |layer: &Layer| match *layer {
        Layer::Total(seeds) => (u32::from(seeds), 0, 0),
        Layer::Sides(own, other) => (
            u32::from(own) + u32::from(other),
            u32::from(own.max(other)),
            u32::from(own),
        ),
    };
    layers.sort_by_key(key);
    let mut levels: Vec<Vec<Layer>> = Vec::new();
    for layer in layers {
        match levels.last_mut() {
            Some(level) if level[0].turned() == layer => level.push(layer),
            _ => levels.push(vec![layer]),
        }
    }
    levels
}

/// A candidate as a puzzle file has it.
fn puzzle<G: Game>(game: &G, setup: &Setup, candidate: &Candidate<G::Board>) -> Puzzle {
    // Where the two sides have different pits closed, the board says whose it is.
    let seat = seat_of(game, candidate.board, game.shape().seats);
    let position = position_of(game, candidate.board, seat, setup.pits());
    let key = move_name(setup, seat, candidate.key);
    Puzzle {
        name: None,
        position,
        setup: setup.clone(),
        stipulation: candidate.stipulation,
        author: None,
        source: Some(format!(
            "mined from a table of {} {}x{}, layer {}",
            setup.game(),
            setup.game().rows(),
            setup.columns(),
            candidate.layer,
        )),
        note: Some(note(&key, &candidate.measure)),
        key: Some(key),
    }
}

/// What makes a puzzle interesting.
fn note(key: &str, measure: &Measure) -> String {
    let mut parts = Vec::new();
    if measure.is_quiet() {
        parts.push(format!("{key} captures nothing"));
    }
    if measure.sacrifice {
        parts.push(format!(
            "the largest capture, {}, throws it away",
            counted(measure.greed, "seed")
        ));
    }
    if measure.again {
        parts.push("the solver moves again after the key".to_owned());
    }
    parts.push(match measure.failing {
        1 => "the other first move fails".to_owned(),
        failing => format!("{failing} other first moves fail"),
    });
    if measure.plies > 0 {
        let plies = plies(measure.plies as usize);
        parts.push(format!("{plies} to the next capture or the end"));
    }
    parts.join("; ")
}
