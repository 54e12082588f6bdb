//! Owns: `sowbase puzzle check`: reading a file of puzzles, finding values for each, and the verdicts.
//!
//! Values come from tables that cover a puzzle, else from layers solved in memory; puzzles of the same
//! rules share them.

use super::report::Checked;
use super::{json, text};
use crate::cli::Notes;
use crate::cli::effort::{self, Short};
use crate::cli::failure::{Failure, Kind};
use crate::cli::flags::{WorkFlags, parse_number};
use crate::cli::machine::with_threads;
use crate::cli::report::lead;
use crate::cli::stop::Stopping;
use crate::cli::tables::Shelf;
use crate::cli::units::{counted, show_size};
use crate::game::Game;
use crate::games::Visitor;
use crate::index::{Layer, layer_of};
use crate::puzzle::{Judge, Limits, Puzzle, parse};
use crate::retro::{Halt, Plan, Refusal, Store};
use std::io::Write;
use std::path::PathBuf;

/// Whether puzzles are sound: met, by one key alone; with refutations, main lines and duals
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct CheckArgs {
    /// File with puzzles, or '-' for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Only the puzzle with this number, counted from 1
    #[arg(long, value_name = "N", value_parser = |text: &str| parse_number(text, 1..=1_000_000usize, "the puzzle"))]
    only: Option<usize>,
    /// Plies up to which all replies are shown, not only those of main lines
    #[arg(long, value_name = "PLIES", default_value_t = 0, value_parser = |text: &str| parse_number(text, 0..=100usize, "plies"))]
    depth: usize,
    /// Makes duals in the main lines a fault
    #[arg(long)]
    strict: bool,
    /// Draws the board after every ply of the first main line
    #[arg(long)]
    boards: bool,
    /// Writes the verdicts alone, a line each
    #[arg(long, conflicts_with = "json")]
    brief: bool,
    /// Writes JSON, one object a line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    work: WorkFlags,
    /// Directory of finished tables to look values up in; may be given several times
    #[arg(long, value_name = "DIR")]
    tables: Vec<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  sowbase puzzle check solver-configs/puzzles/bosh.toml --only 1
  sowbase puzzle check solver-configs/puzzles/giuthi.toml --brief
  sowbase puzzle check solver-configs/puzzles/hus.toml --only 2 --depth 3 --json

A file holds tables [[puzzle]] with game, position and stipulation: 'win', 'draw', 'gain N', 'win in K' or
'gain N in K'; and, as one likes, name, key (the move intended), rules, author, source, note.

Exit code 3 when a puzzle is unsound, 5 when one could not be decided.";

/// Runs the command.
pub fn run(
    args: &CheckArgs,
    out: &mut (impl Write + Send),
    notes: &Notes<'_>,
) -> Result<(), Failure> {
    let name = args.file.display();
    let text = if args.file.as_os_str() == "-" {
        std::io::read_to_string(std::io::stdin())
    } else {
        std::fs::read_to_string(&args.file)
    };
    let text = text.map_err(|error| Failure::usage(format!("{name}: {error}")))?;
    let puzzles = parse(&text).map_err(|error| Failure::usage(format!("{name}: {error}")))?;
    let count = puzzles.len();
    if let Some(only) = args.only.filter(|&only| only > count) {
        return Err(Failure::usage(format!(
            "--only {only}: expected a puzzle from 1 to {count}, which is how many {name} has",
        )));
    }
    let mut numbered: Vec<(usize, Puzzle)> = (1..).zip(puzzles).collect();
    numbered.retain(|(number, _)| args.only.is_none_or(|only| only == *number));
    let checked = with_threads(args.work.threads, || check(args, &numbered, notes))??;
    write(args, &checked, out)?;
    let verdicts = |wanted| {
        checked
            .iter()
            .filter(|(_, checked)| checked.sound == wanted)
            .count()
    };
    let of = |count: usize| {
        let all = counted(checked.len() as u64, "puzzle");
        format!("{count} of {all}")
    };
    match (verdicts(Some(false)), verdicts(None)) {
        (0, 0) => Ok(()),
        (0, open) => Err(Failure::new(
            Kind::Limit,
            format!("{} could not be decided", of(open)),
        )),
        (unsound, _) => Err(Failure::new(Kind::No, format!("{} unsound", of(unsound)))),
    }
}

fn write(
    args: &CheckArgs,
    checked: &[(usize, Checked)],
    out: &mut impl Write,
) -> Result<(), Failure> {
    for (at, (number, checked)) in checked.iter().enumerate() {
        if args.json {
            json::write(out, checked, *number)?;
        } else if args.brief {
            let heading = text::heading(&checked.puzzle, *number);
            writeln!(out, "{heading}. {}", text::verdict(checked))?;
        } else {
            if at > 0 {
                writeln!(out)?;
            }
            text::write(out, checked, *number, args.boards)?;
        }
    }
    Ok(out.flush()?)
}

/// Checks all puzzles, those of the same rules together, and gives them in order.
fn check(
    args: &CheckArgs,
    puzzles: &[(usize, Puzzle)],
    notes: &Notes<'_>,
) -> Result<Vec<(usize, Checked)>, Failure> {
    let mut groups: Vec<Vec<&(usize, Puzzle)>> = Vec::new();
    for puzzle in puzzles {
        match groups
            .iter_mut()
            .find(|group| group[0].1.setup == puzzle.1.setup)
        {
            Some(group) => group.push(puzzle),
            None => groups.push(vec![puzzle]),
        }
    }
    let mut all = Vec::new();
    for group in groups {
        let setup = &group[0].1.setup;
        let shelf = Shelf::read(&args.tables, setup, notes)?;
        let most = group
            .iter()
            .map(|(_, puzzle)| puzzle.position.seeds())
            .max();
        let seeds = shelf.seeds(most.unwrap_or(0));
        let visit = Group {
            args,
            puzzles: &group,
            shelf: &shelf,
            notes,
        };
        all.extend(setup.visit(seeds, visit).map_err(Failure::usage)??);
    }
    all.sort_by_key(|(number, _)| *number);
    Ok(all)
}

/// Puzzles of the same rules.
struct Group<'a> {
    args: &'a CheckArgs,
    puzzles: &'a [&'a (usize, Puzzle)],
    shelf: &'a Shelf,
    notes: &'a Notes<'a>,
}

impl Visitor for Group<'_> {
    type Output = Result<Vec<(usize, Checked)>, Failure>;

    fn visit<G: Game>(self, game: &G) -> Self::Output {
        let memory = self.args.work.memory();
        let tables = self.shelf.open(game, memory / 4)?;
        let layer = |puzzle: &Puzzle| layer_of(game.shape(), puzzle.position.board(game));
        // The largest layers come first: whatever else is asked for is then mostly there.
        let mut order: Vec<&(usize, Puzzle)> = self.puzzles.to_vec();
        order.sort_by_key(|(number, puzzle)| (std::cmp::Reverse(layer(puzzle).seeds()), *number));
        let mut stores: Vec<Store<G::Board>> = Vec::new();
        let mut all = Vec::new();
        for (number, puzzle) in order {
            let board = puzzle.position.board(game);
            let in_table = tables.covering(board);
            let in_table = in_table.is_some_and(|table| table.has_distances());
            let solved = stores.iter().any(|store| store.value::<G>(board).is_some());
            let mut undecided = |why: String| {
                all.push((*number, Checked::undecided(puzzle.clone(), why)));
            };
            if !in_table && !solved {
                match self.layers(game, layer(puzzle), memory / 2) {
                    Ok(store) => stores.push(store),
                    Err(Refused::Interrupted) => {
                        return Err(Failure::new(
                            Kind::Limit,
                            "interrupted; nothing was decided",
                        ));
                    }
                    Err(Refused::Because(why)) => {
                        undecided(why);
                        continue;
                    }
                }
            }
            let value = |board| {
                let solved = stores.iter().find_map(|store| store.value::<G>(board));
                solved.or_else(|| tables.value(board))
            };
            let judge = match Judge::new(game, layer(puzzle), &value) {
                Ok(judge) => judge,
                Err(why) => {
                    undecided(why.to_string());
                    continue;
                }
            };
            let limits = Limits {
                full: self.args.depth,
                ..Limits::default()
            };
            let lead = lead::<G>(&puzzle.position);
            let solution = judge.solve(board, lead, puzzle.stipulation, limits);
            tables.sound()?;
            let solution = match solution {
                Ok(solution) => solution,
                Err(why) => {
                    undecided(why.to_string());
                    continue;
                }
            };
            let checked = Checked::new(game, puzzle.clone(), &solution, self.args.strict);
            all.push((*number, checked));
        }
        Ok(all)
    }
}

impl Group<'_> {
    /// Solves the layers that a puzzle needs.
    fn layers<G: Game>(
        &self,
        game: &G,
        layer: Layer,
        memory: u64,
    ) -> Result<Store<G::Board>, Refused> {
        let plan = Plan::new(game, layer)?;
        let needed = effort::afford(game, &plan, memory).map_err(|short| match short {
            Short::Refused(why) => why.into(),
            Short::Bytes(least) => Refused::Because(format!(
                "its layers take {} of --memory at least; give more, or a table with --tables",
                show_size(2 * least)
            )),
        })?;
        let stopping =
            Stopping::new(self.notes).map_err(|why| Refused::Because(why.to_string()))?;
        Ok(plan.solve_with(game, memory - needed.least, &stopping)?)
    }
}

/// Why layers were not solved.
enum Refused {
    Interrupted,
    Because(String),
}

impl From<Refusal> for Refused {
    fn from(why: Refusal) -> Self {
        match why {
            Refusal::Halted(Halt::Stopped) => Self::Interrupted,
            why => Self::Because(why.to_string()),
        }
    }
}
