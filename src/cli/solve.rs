//! Owns: `sowbase solve`: the exact value of a position, every move with its value, the best line.
//!
//! Three engines answer: tables that were built before, layers solved in memory, a search. Which one
//! is worked out first and told with what it costs. A search may be stopped, by time or by Ctrl-C;
//! then what is proven so far is the answer, and the exit code says that there could be more.

use super::Notes;
use super::effort::{self, Short};
use super::failure::{Failure, Kind};
use super::flags::{PositionArgs, SharedFlags};
use super::history::History;
use super::machine::{default_memory, with_threads};
use super::report::{HistoryReport, Report, Stopped, lead, line, write_json, write_text};
use super::stop::Stopping;
use super::tables::{Shelf, Tables};
use super::target::Target;
use super::units::{counted, parse_duration, show_size};
use super::watch::{Until, Watch};
use crate::analysis::analyse;
use crate::game::Game;
use crate::games::Visitor;
use crate::index::layer_of;
use crate::progress::Progress;
use crate::retro::{Halt, Plan, Refusal, stake};
use crate::search::{Question, Seeker, Sought, Source};
use crate::value::{Bracket, MAX_STAKE};
use clap::ValueEnum;
use std::io::Write;
use std::time::{Duration, Instant};

/// Solves a position exactly: its value, every move with its value, a line of best play
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct SolveArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Shows the board after every ply of the best line
    #[arg(long)]
    boards: bool,
    /// What to solve with [default: tables that cover the position, else layers that fit the memory,
    /// else search]
    #[arg(long, value_enum)]
    engine: Option<Engine>,
    /// When to stop, such as 20s, 5m or 2h [default: 1m for a search, no limit for layers]
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    time: Option<Duration>,
    /// Moves played from POSITION on, such as 'a,c' (in giuthi with directions, 'a+,c-'): the position
    /// reached is solved, and coming back to an earlier one is a draw
    #[arg(long, value_name = "MOVES")]
    history: Option<String>,
    #[command(flatten)]
    shared: SharedFlags,
}

/// What solves a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Engine {
    /// All positions that play can come to, solved in memory
    Layers,
    /// Proof search from the position, with tables where there are any
    Search,
    /// Tables alone
    Tables,
}

const EXAMPLES: &str = "\
Examples:
  sowbase solve giuthi '0,3,0,2,1/2,0,1,2,1 S'
  sowbase solve hawalis '0,1,0/2,0,1/1,0,2/0,1,1 N' --boards
  sowbase solve bosh start --columns 3 --seeds 2 --memory 1GiB --json
  sowbase solve giuthi '0,3,0,2,1/2,0,1,2,1 S' --engine search --time 5s
  sowbase solve bosh '2,2,2/2,2,2 S' --history a,b

A search that was stopped by --time or Ctrl-C prints what is proven so far and exits with code 5.";

/// Time for a search unless told otherwise.
const SEARCH_TIME: Duration = Duration::from_secs(60);

/// Most memory of a search unless told otherwise.
const SEARCH_MEMORY: u64 = 3 << 29;

/// Time for a line where a table holds no distances.
const LINE_TIME: Duration = Duration::from_secs(5);

/// Runs the command.
pub fn run(args: &SolveArgs, out: &mut impl Write, notes: &Notes<'_>) -> Result<(), Failure> {
    let target = Target::resolve(&args.position, &args.shared)?;
    let asked = match &args.history {
        Some(moves) => History::play(target, moves)?,
        None => History::none(target),
    };
    let target = &asked.target;
    let shelf = Shelf::read(&args.shared.tables, &target.setup, notes)?;
    let seeds = shelf.seeds(target.position.seeds());
    let solve = Solve {
        args,
        asked: &asked,
        shelf: &shelf,
        notes,
        memory: args.shared.memory.unwrap_or_else(default_memory),
    };
    let report = with_threads(args.shared.threads, || target.setup.visit(seeds, solve))?
        .map_err(Failure::usage)??;
    if args.shared.json {
        write_json(out, target, &report)?;
    } else {
        write_text(out, target, &report, args.boards)?;
    }
    let stopped = report
        .search
        .as_ref()
        .map_or(Stopped::Not, |search| search.stopped);
    match stopped {
        Stopped::Not => Ok(()),
        Stopped::ByTime => Err(limit(
            "time is up before everything was proven; what is proven was printed, more needs a longer --time",
        )),
        Stopped::ByUser => Err(limit(
            "interrupted before everything was proven; what is proven was printed",
        )),
    }
}

fn limit(message: impl std::fmt::Display) -> Failure {
    Failure::new(Kind::Limit, message)
}

struct Solve<'a> {
    args: &'a SolveArgs,
    asked: &'a History,
    shelf: &'a Shelf,
    notes: &'a Notes<'a>,
    memory: u64,
}

/// The engine chosen, with what it needs.
enum Chosen {
    Tables,
    /// The plan, and bytes of edges that may be kept.
    Layers(Plan, u64),
    Search,
}

impl Visitor for Solve<'_> {
    type Output = Result<Report, Failure>;

    fn visit<G: Game>(self, game: &G) -> Self::Output {
        let mut tables = self.shelf.open(game, self.memory / 4)?;
        let report = match self.choose(game, &tables)? {
            Chosen::Tables => {
                let board = self.asked.target.position.board(game);
                let distances = tables
                    .covering(board)
                    .is_some_and(|table| table.has_distances());
                self.exact(game, &|board| tables.value(board), distances)
            }
            Chosen::Layers(plan, room) => self.layers(game, &plan, room),
            Chosen::Search => {
                tables = tables.bounds_only();
                let values = |board| tables.value(board);
                let source: &Source<'_, G::Board> = &values;
                self.search(game, Some(source).filter(|_| !tables.is_empty()))
            }
        };
        tables.sound()?;
        report
    }
}

impl Solve<'_> {
    /// Which engine answers.
    fn choose<G: Game>(&self, game: &G, tables: &Tables<G>) -> Result<Chosen, Failure> {
        let board = self.asked.target.position.board(game);
        let layer = layer_of(game.shape(), board);
        if stake::<G>(layer) > MAX_STAKE {
            return Err(limit(format!(
                "{} seeds on the board: expected at most {MAX_STAKE}, up to which positions can be solved; ask about one with fewer",
                layer.seeds(),
            )));
        }
        let covered = tables.covering(board).is_some();
        let plan = || {
            let plan = Plan::new(game, layer).map_err(limit)?;
            self.afford(game, &plan)
                .map(|room| Chosen::Layers(plan, room))
        };
        match self.args.engine {
            Some(Engine::Search) => Ok(Chosen::Search),
            Some(Engine::Layers) => plan(),
            Some(Engine::Tables) | None if covered => Ok(Chosen::Tables),
            Some(Engine::Tables) if tables.is_empty() => Err(Failure::usage(
                "--engine tables: expected tables of these rules, found none; name their directories with --tables",
            )),
            Some(Engine::Tables) => Err(limit(format!(
                "layer {layer} needed, which no table holds; give one that does, or leave --engine out",
            ))),
            None => Ok(plan()
                .and_then(|plan| self.in_time(plan))
                .unwrap_or_else(|refusal| {
                    (self.notes)(&format!("{refusal}: searching instead"));
                    Chosen::Search
                })),
        }
    }

    /// Refuses layers that cannot be solved in the time allowed: unlike a search they say nothing
    /// before they are done.
    fn in_time(&self, chosen: Chosen) -> Result<Chosen, Failure> {
        if let (Chosen::Layers(plan, _), Some(time)) = (&chosen, self.args.time) {
            let needed = effort::seconds(plan.positions);
            if needed > time.as_secs() {
                return Err(limit(format!(
                    "{} take about {needed} s, more than the {} s of --time",
                    extent(plan),
                    time.as_secs(),
                )));
            }
        }
        Ok(chosen)
    }

    /// Refuses layers that take more memory than is allowed; says what others take, and gives how much
    /// of it is left for edges.
    fn afford<G: Game>(&self, game: &G, plan: &Plan) -> Result<u64, Failure> {
        let most = show_size(self.memory);
        let memory = effort::afford(game, plan, self.memory).map_err(|short| match short {
            Short::Refused(why) => limit(why),
            Short::Bytes(least) => limit(format!(
                "{}, at least {} of memory needed, more than the {most} of --memory; give more, or ask about a position with fewer seeds",
                extent(plan),
                show_size(least),
            )),
        })?;
        (self.notes)(&format!(
            "{}, about {} of memory needed, of {most} to be used",
            extent(plan),
            show_size(memory.within(self.memory)),
        ));
        Ok(self.memory - memory.least)
    }

    fn layers<G: Game>(&self, game: &G, plan: &Plan, room: u64) -> Result<Report, Failure> {
        let start = Instant::now();
        let stopping = Stopping::new(self.notes)?;
        let until = Until {
            progress: &stopping,
            // A time beyond all clocks is no limit.
            deadline: self.args.time.and_then(|time| start.checked_add(time)),
        };
        match plan.solve_with(game, room, &until) {
            Ok(store) => self.exact(game, &|board| store.value::<G>(board), true),
            Err(Refusal::Halted(Halt::Stopped)) => {
                let by = if stopping.stopped() {
                    Stopped::ByUser
                } else {
                    Stopped::ByTime
                };
                let target = &self.asked.target;
                Ok(Report::open(game, target, (start.elapsed(), by)))
            }
            Err(refusal) => Err(limit(refusal)),
        }
    }

    /// The report where `values` knows the position.
    fn exact<G: Game>(
        &self,
        game: &G,
        values: &Source<'_, G::Board>,
        distances: bool,
    ) -> Result<Report, Failure> {
        let target = &self.asked.target;
        let board = target.position.board(game);
        let lead = lead::<G>(&target.position);
        let analysis = analyse(game, board, lead, values);
        let mut report = Report::new(game, target, &analysis);
        report.distances = distances;
        if self.asked.counts() {
            return self.with_history(game, Some(values));
        }
        if !distances {
            let watch = Watch::new(self.notes, Some(LINE_TIME))?;
            let seeker = self.seeker(game, Some(values), &watch)?;
            let question = Question {
                board,
                lead,
                past: None,
            };
            let deadline = Some(Instant::now() + LINE_TIME);
            let (plies, end) = seeker.line(question, &report.bracket(), deadline);
            (report.line, report.end) = (line(game, target, &plies), end);
            watch.clear();
        }
        Ok(report)
    }

    fn seeker<'s, G: Game>(
        &self,
        game: &'s G,
        source: Option<&'s Source<'s, G::Board>>,
        progress: &'s dyn Progress,
    ) -> Result<Seeker<'s, G>, Failure> {
        let board = self.asked.target.position.board(game);
        let threads = rayon::current_num_threads();
        let time = self.args.time.unwrap_or(SEARCH_TIME);
        let fills = effort::fills(time);
        let most = match self.args.shared.memory {
            Some(_) => fills,
            None => fills.min(SEARCH_MEMORY),
        };
        // A quarter is for blocks of tables.
        let memory = (self.memory / 4 * 3).min(most);
        let layer = layer_of(game.shape(), board);
        Seeker::new(game, layer, memory, source, threads, progress).map_err(limit)
    }

    fn search<G: Game>(
        &self,
        game: &G,
        source: Option<&Source<'_, G::Board>>,
    ) -> Result<Report, Failure> {
        if self.asked.counts() {
            return self.with_history(game, source);
        }
        let question = |board, lead| Question {
            board,
            lead,
            past: None,
        };
        self.sought(game, source, |seeker, deadline, board, lead| {
            seeker.seek(question(board, lead), deadline)
        })
    }

    /// A search of the position with its past, and without to compare.
    fn with_history<G: Game>(
        &self,
        game: &G,
        source: Option<&Source<'_, G::Board>>,
    ) -> Result<Report, Failure> {
        let past = self.asked.past(game);
        let mut fresh = Bracket::OPEN;
        let mut report = self.sought(game, source, |seeker, deadline, board, lead| {
            let alone = Question {
                board,
                lead,
                past: None,
            };
            let now = Instant::now();
            let third = deadline.map(|at| now + at.saturating_duration_since(now) / 3);
            fresh = seeker.value(alone, third);
            let past = Some(&past[..]);
            seeker.seek(Question { past, ..alone }, deadline)
        })?;
        report.history = Some(HistoryReport {
            moves: self.asked.moves.clone(),
            fresh,
            bracket: report.bracket(),
        });
        Ok(report)
    }

    /// Sets up a search, runs it, and says what it found.
    fn sought<G: Game>(
        &self,
        game: &G,
        source: Option<&Source<'_, G::Board>>,
        seek: impl FnOnce(&Seeker<'_, G>, Option<Instant>, G::Board, i32) -> Sought<G::Board>,
    ) -> Result<Report, Failure> {
        let target = &self.asked.target;
        let time = self.args.time.unwrap_or(SEARCH_TIME);
        let deadline = Instant::now().checked_add(time);
        let watch = Watch::new(self.notes, Some(time))?;
        let in_time = |board| source.filter(|_| !watch.over(deadline))?(board);
        let heeding: &Source<'_, G::Board> = &in_time;
        let seeker = self.seeker(game, source.map(|_| heeding), &watch)?;
        let board = target.position.board(game);
        let sought = seek(&seeker, deadline, board, lead::<G>(&target.position));
        watch.clear();
        let by = if watch.interrupted() {
            Stopped::ByUser
        } else {
            Stopped::ByTime
        };
        Ok(Report::sought(game, target, &sought, (watch.elapsed(), by)))
    }
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
    format!("{layers}: {}", counted(plan.positions, "position"))
}
