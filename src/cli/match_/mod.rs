//! Owns: `sowbase match`: what every state of a Bosh match is worth, and how the match goes.
//!
//! What does not fit the memory is told before anything is solved; the rest is solved all the same, for
//! much of the table does not depend on the largest board. What stays open is said state by state, and
//! the exit code is that of a limit.

mod json;
mod report;

use super::Notes;
use super::effort;
use super::failure::{Failure, Kind};
use super::flags::SharedFlags;
use super::machine::{default_memory, with_threads};
use super::stop::Stopping;
use super::tables::{Shelf, Tables};
use super::target::resolve_rules;
use super::units::{counted, show_duration, show_size};
use crate::game::Game;
use crate::games::{GameName, Seat, Setup, Visitor};
use crate::progress::Progress;
use crate::rounds::{Asked, Library, Match, Missing, Solved, Values, course, known, settle, start};
use clap::ValueEnum;
use json::write_json;
use report::{Asking, Report, write_boards, write_text};
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

/// A Bosh match: the worth of every state between rounds, and a best line over rounds
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct MatchArgs {
    /// The state that is asked about: seeds that South and North own [default: both the same]
    #[arg(long, value_name = "A-B", value_parser = parse_state)]
    state: Option<(u32, u32)>,
    /// Who opens the next round
    #[arg(
        long,
        value_enum,
        value_name = "S|N",
        default_value = "S",
        ignore_case = true
    )]
    first: First,
    /// Shows rounds by their scores, without the moves
    #[arg(long)]
    scores: bool,
    /// Says what the rounds take, and solves nothing
    #[arg(long, conflicts_with = "json")]
    dry_run: bool,
    #[command(flatten)]
    shared: SharedFlags,
}

/// Who opens.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum First {
    /// South
    #[value(name = "S")]
    South,
    /// North
    #[value(name = "N")]
    North,
}

const EXAMPLES: &str = "\
Examples:
  sowbase match --columns 3 --seeds 2
  sowbase match --columns 3 --seeds 2 --state 4-8 --first N --rule first-player=loser --scores
  sowbase match --columns 4 --seeds 2 --json
  sowbase match --columns 4 --dry-run --memory 1GiB

--columns and --seeds are those of the board and of a filled pit. Rounds that do not fit the memory are
left out: states that depend on them are told as far as they are proven, and the exit code is 5.
--tables reads boards from tables of theirs: South's row is open, and of North's pits the last ones are
'closed' in the solver-config.";

fn parse_state(text: &str) -> Result<(u32, u32), String> {
    let number = |part: &str| part.parse::<u32>().ok();
    text.split_once('-')
        .and_then(|(south, north)| number(south).zip(number(north)))
        .ok_or_else(|| "expected South's and North's seeds, such as 12-8".to_owned())
}

/// Runs the command.
pub fn run(
    args: &MatchArgs,
    out: &mut (impl Write + Send),
    notes: &Notes<'_>,
) -> Result<(), Failure> {
    let rules = resolve_rules(GameName::Bosh, &args.shared.rules)?;
    let columns = args
        .shared
        .columns
        .unwrap_or(GameName::Bosh.usual_columns());
    let seeds = args.shared.seeds.unwrap_or(GameName::Bosh.usual_seeds());
    let game = Match::new(columns, seeds, &rules).map_err(Failure::usage)?;
    let asking = asking(args, &game)?;
    let work = || work(args, &game, asking, out, notes);
    with_threads(args.shared.threads, work)?
}

/// The state that is asked about.
fn asking(args: &MatchArgs, game: &Match) -> Result<Asking, Failure> {
    let (south, north) = args.state.unwrap_or((game.start(), game.start()));
    if south.checked_add(north) != Some(game.total()) {
        return Err(Failure::usage(format!(
            "--state {south}-{north}: expected {} in all, which fill {} with {} a pit, found {}",
            counted(game.total(), "seed"),
            counted(game.columns(), "column"),
            game.seeds(),
            u64::from(south) + u64::from(north),
        )));
    }
    let (opener, owned) = match args.first {
        First::South => (Seat::South, south),
        First::North => (Seat::North, north),
    };
    Ok(Asking { owned, opener })
}

fn work(
    args: &MatchArgs,
    game: &Match,
    asking: Asking,
    out: &mut impl Write,
    notes: &Notes<'_>,
) -> Result<(), Failure> {
    let memory = args.shared.memory.unwrap_or_else(default_memory);
    let progress = Stopping::new(notes)?;
    let mut given = Given {
        args,
        memory,
        checks: Vec::new(),
        failure: None,
    };
    let mut library = Library::plan(game, memory, &progress, |fewer| given.board(game, fewer));
    if let Some(failure) = given.failure.take() {
        return Err(failure);
    }
    if args.dry_run {
        write_boards(game, &library, out)?;
        return missing(&library).map_or(Ok(()), |what| Err(limit(what)));
    }
    predict(&library, memory, notes);
    library.solve().map_err(limit)?;
    let mut asked = Asked::default();
    let settled = settle(game, |questions| library.answer(questions, &mut asked)).map_err(limit)?;
    let course = course(game, &settled, &mut library, asking.owned, asking.opener);
    let report = Report {
        game,
        library: &library,
        settled: &settled,
        asked,
        asking,
        course: course.map_err(limit)?,
        scores: args.scores,
    };
    progress.clear();
    for check in given.checks {
        check()?;
    }
    if args.shared.json {
        write_json(&report, out)?;
    } else {
        write_text(&report, out)?;
    }
    unproven(&report, progress.stopped())
}

fn limit(what: impl std::fmt::Display) -> Failure {
    Failure::new(Kind::Limit, what)
}

/// Boards that are missing, and what they would need.
fn missing(library: &Library<'_>) -> Option<String> {
    let told = library.boards().iter().filter_map(|board| {
        let name = library.name(board.fewer);
        Some(match board.missing.as_ref()? {
            Missing::Memory(bytes) => format!("{name} needs at least {}", show_size(*bytes)),
            Missing::Refused(refusal) => format!("{name}: {refusal}"),
            Missing::Stopped => format!("{name} was not begun or not finished"),
        })
    });
    let told: Vec<String> = told.collect();
    let all = told.join("; ");
    (!told.is_empty()).then(|| format!("boards left out: {all}"))
}

/// Seconds from which on it is told how long a match may take, and what to do about it.
const LONG: u64 = 20;

/// Tells what is going to be solved, and what is not.
fn predict(library: &Library<'_>, memory: u64, notes: &Notes<'_>) {
    let solved = || {
        let boards = library.boards().iter();
        let new = boards.filter(|board| !board.given && board.missing.is_none());
        new.filter_map(|board| board.cost)
    };
    let least = solved().map(|cost| cost.least).max().unwrap_or(0);
    let most = solved().map(|cost| cost.most).max().unwrap_or(0);
    let positions: u64 = solved().map(|cost| cost.positions).sum();
    notes(&format!(
        "{} to solve: {}, about {} of memory needed, of {} to be used",
        counted(solved().count() as u64, "board"),
        counted(positions, "position"),
        show_size(most.min(memory).max(least)),
        show_size(memory),
    ));
    let seconds = effort::seconds(positions);
    if seconds >= LONG {
        notes(&format!(
            "that may take {}; fewer --columns or --seeds take less, --dry-run says what each board takes, and Ctrl-C shows what is proven by then",
            show_duration(Duration::from_secs(seconds)),
        ));
    }
    if let Some(what) = missing(library) {
        notes(&format!("{what}: states that depend on them stay open"));
    }
}

/// The failure where not every state is proven.
fn unproven(report: &Report<'_>, stopped: bool) -> Result<(), Failure> {
    let (open, all) = report.open_states();
    if open == 0 {
        return Ok(());
    }
    let why = match missing(report.library) {
        _ if stopped => "interrupted".to_owned(),
        Some(what) => format!("{what}; more needs a larger --memory, or --tables"),
        None => "what can be forced split by split does not fit the memory; give a larger --memory"
            .to_owned(),
    };
    Err(limit(format!(
        "{open} of {all} states are not proven; what is proven was printed: {why}"
    )))
}

/// Whether tables could be read so far.
type Check = Box<dyn Fn() -> Result<(), Failure> + Send>;

/// Boards out of tables.
struct Given<'a> {
    args: &'a MatchArgs,
    memory: u64,
    checks: Vec<Check>,
    failure: Option<Failure>,
}

impl Given<'_> {
    fn board(&mut self, game: &Match, fewer: u32) -> Option<Box<dyn Solved>> {
        if self.args.shared.tables.is_empty() || self.failure.is_some() {
            return None;
        }
        let setup = game.board(fewer);
        let seeds = (game.columns() + fewer) * game.seeds();
        match self.look(&setup, seeds, game.columns()) {
            Ok(found) => found,
            Err(failure) => {
                self.failure = Some(failure);
                None
            }
        }
    }

    fn look(
        &mut self,
        setup: &Setup,
        seeds: u32,
        columns: u32,
    ) -> Result<Option<Box<dyn Solved>>, Failure> {
        // Tables of the other boards are no mistake here.
        let shelf = Shelf::read(&self.args.shared.tables, setup, &|_| {})?;
        let opening = Opening {
            shelf: &shelf,
            setup,
            seeds,
            memory: self.memory / 4 / u64::from(columns),
        };
        let found = setup
            .visit(shelf.seeds(seeds), opening)
            .map_err(Failure::usage)??;
        Ok(found.map(|(solved, check)| {
            self.checks.push(check);
            solved
        }))
    }
}

struct Opening<'a> {
    shelf: &'a Shelf,
    setup: &'a Setup,
    seeds: u32,
    memory: u64,
}

impl Visitor for Opening<'_> {
    type Output = Result<Option<(Box<dyn Solved>, Check)>, Failure>;

    fn visit<G: Game>(self, game: &G) -> Self::Output {
        let tables: Arc<Tables<G>> = Arc::new(self.shelf.open(game, self.memory)?);
        let board = start(self.setup, self.seeds, true).board(game);
        if tables.covering(board).is_none() {
            return Ok(None);
        }
        let asked = Arc::clone(&tables);
        let values: Values<G::Board> = Box::new(move |board| asked.value(board));
        let solved = known(game, self.setup, self.seeds, values);
        Ok(Some((solved, Box::new(move || tables.sound()))))
    }
}
