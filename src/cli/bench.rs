//! Owns: `sowbase bench`: how fast search is on this machine, on positions that are always the same.
//!
//! Each position is either looked at to a fixed depth by the analysis search or proven. On one thread
//! both do the same work on every run and every machine, so the nodes add up to a signature: if it
//! changes, search does something else than before. Time is another matter; it is taken once more
//! for every number of threads up to `--threads`, doubled each time.

use super::Notes;
use super::columns::{Align, Columns};
use super::failure::{Failure, Kind};
use super::flags::{PositionArgs, SharedFlags, parse_threads};
use super::report::{lead, plies};
use super::stop::Stopping;
use super::target::Target;
use super::units::{counted, parse_size, show_count, show_size};
use crate::game::Game;
use crate::games::Visitor;
use crate::index::layer_of;
use crate::progress::{Progress, Unheard};
use crate::search::{Analyser, Goal, Limits, Prover};
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

/// Measures search on fixed positions: nodes, nodes a second, time, speed-up by threads
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct BenchArgs {
    /// Positions of your own: a line of JSON each, such as {"game":"bosh","position":"1,0/2,1 S",
    /// "depth":9}; "prove":true instead of a depth proves it [default: twelve of all games]
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// Most threads to measure with [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<usize>,
    /// Memory for the table of each search, such as 64MiB
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "64MiB")]
    memory: u64,
    /// Writes JSON, one object, to standard output
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  sowbase bench --threads 1
  sowbase bench --json --threads 1

Ctrl-C ends it with what is measured by then, and exit code 5.";

/// The positions measured unless others are given.
const POSITIONS: &str = include_str!("../../benches/positions.jsonl");

/// A position to measure.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct Asked {
    game: String,
    position: String,
    columns: Option<usize>,
    seeds: Option<u32>,
    #[serde(default)]
    rules: Vec<String>,
    /// Plies to look ahead.
    depth: Option<u32>,
    /// To be proven instead.
    #[serde(default)]
    prove: bool,
}

/// What was measured of a position.
#[derive(Serialize, Debug)]
struct Measured {
    game: String,
    position: String,
    /// Plies looked ahead; `null` for a proof.
    depth: Option<u32>,
    /// Moves played on one thread.
    nodes: u64,
    /// By number of threads.
    runs: Vec<Run>,
}

/// One run.
#[derive(Serialize, Clone, Copy, Debug)]
struct Run {
    threads: usize,
    seconds: f64,
    nodes_per_second: f64,
    /// How much sooner than one thread it was done.
    speed_up: f64,
}

#[derive(Serialize, Debug)]
struct Json<'a> {
    signature: u64,
    positions: &'a [Measured],
    total: Vec<Run>,
}

/// Runs the command.
pub fn run(args: &BenchArgs, out: &mut impl Write, notes: &Notes<'_>) -> Result<(), Failure> {
    let (name, text) = match &args.positions {
        None => ("benches/positions.jsonl".to_owned(), POSITIONS.to_owned()),
        Some(path) => {
            let name = path.display().to_string();
            let text = std::fs::read_to_string(path).map_err(|error| {
                Failure::usage(format!("{name}: expected positions, found {error}"))
            })?;
            (name, text)
        }
    };
    let asked = read(&name, &text)?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let most = args.threads.unwrap_or(cores);
    let mut threads: Vec<usize> = (0..).map(|i| 1 << i).take_while(|&n| n < most).collect();
    threads.push(most);
    let numbers: Vec<String> = threads.iter().map(ToString::to_string).collect();
    notes(&format!(
        "{} to search, each on {} with a table of {}",
        counted(asked.len() as u64, "position"),
        match threads[..] {
            [one] => counted(one as u64, "thread"),
            _ => format!("{} threads", numbers.join(" and ")),
        },
        show_size(args.memory),
    ));
    let stopping = Stopping::new(notes)?;
    let mut measured = Vec::new();
    for (asked, target) in &asked {
        let bench = Bench {
            asked,
            target,
            memory: args.memory,
            threads: &threads,
            progress: &Unheard(&stopping),
        };
        let Some(done) = target.visit(bench)?? else {
            break;
        };
        notes(&format!(
            "  {} {}: {}",
            done.game,
            done.position,
            counted(done.nodes, "node")
        ));
        measured.push(done);
    }
    if args.json {
        write_json(out, &measured)?;
    } else if !measured.is_empty() {
        write_text(out, &measured)?;
    }
    match (measured.len(), asked.len()) {
        (done, all) if done == all => Ok(()),
        (done, all) => Err(Failure::new(
            Kind::Limit,
            format!(
                "interrupted; {done} of {} measured and printed, and the signature is theirs alone",
                counted(all as u64, "position"),
            ),
        )),
    }
}

/// Reads the positions in `text`, which is called `name`.
fn read(name: &str, text: &str) -> Result<Vec<(Asked, Target)>, Failure> {
    let mut list = Vec::new();
    for (at, line) in text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
    {
        let wrong = |problem: &dyn std::fmt::Display| {
            Failure::usage(format!("{name}, line {}: {problem}", at + 1))
        };
        let asked: Asked = serde_json::from_str(line).map_err(|error| wrong(&error))?;
        if asked.prove == asked.depth.is_some() {
            return Err(wrong(&"expected either \"depth\" or \"prove\":true"));
        }
        let args = PositionArgs {
            game: asked.game.parse().map_err(|error| wrong(&error))?,
            position: asked.position.clone(),
        };
        let flags = SharedFlags {
            columns: asked.columns,
            seeds: asked.seeds,
            rules: asked.rules.clone(),
            ..SharedFlags::default()
        };
        let target = Target::resolve(&args, &flags).map_err(|error| wrong(&error))?;
        list.push((asked, target));
    }
    if list.is_empty() {
        return Err(Failure::usage(format!(
            "{name}: expected positions, found none"
        )));
    }
    Ok(list)
}

/// A position being measured.
struct Bench<'a> {
    asked: &'a Asked,
    target: &'a Target,
    memory: u64,
    threads: &'a [usize],
    progress: &'a dyn Progress,
}

impl Visitor for Bench<'_> {
    /// Nothing where it was stopped: half a search is no measure.
    type Output = Result<Option<Measured>, Failure>;

    fn visit<G: Game>(self, game: &G) -> Self::Output {
        let position = &self.target.position;
        let board = position.board(game);
        let asked = (board, lead::<G>(position));
        let mut runs: Vec<Run> = Vec::new();
        let mut first = 0;
        for &threads in self.threads {
            let limits = Limits::threads(threads);
            // Making the table is no part of the search.
            let (nodes, seconds) = if let Some(depth) = self.asked.depth {
                let analyser = Analyser::new(game, self.memory);
                let start = Instant::now();
                let found =
                    analyser.analyse(asked, depth, None, limits, self.progress, &mut |_| {});
                (found.nodes, start.elapsed().as_secs_f64())
            } else {
                let layer = layer_of(game.shape(), board);
                let prover = Prover::new(game, layer, self.memory).map_err(Failure::usage)?;
                let start = Instant::now();
                let found = prover.prove(asked, Goal::Bounds, &[], None, limits, self.progress);
                (found.played, start.elapsed().as_secs_f64())
            };
            if self.progress.stopped() {
                return Ok(None);
            }
            if runs.is_empty() {
                first = nodes;
            }
            runs.push(Run {
                threads,
                seconds,
                nodes_per_second: nodes as f64 / seconds.max(1e-9),
                speed_up: runs
                    .first()
                    .map_or(1.0, |one| one.seconds / seconds.max(1e-9)),
            });
        }
        Ok(Some(Measured {
            game: self.asked.game.clone(),
            position: position.text(&self.target.setup),
            depth: self.asked.depth,
            nodes: first,
            runs,
        }))
    }
}

/// All positions together, by number of threads.
fn totals(measured: &[Measured]) -> Vec<Run> {
    let runs = measured.first().map_or(0, |one| one.runs.len());
    let total = |at: usize| {
        let seconds: f64 = measured.iter().map(|m| m.runs[at].seconds).sum();
        let nodes: f64 = measured
            .iter()
            .map(|m| m.runs[at].nodes_per_second * m.runs[at].seconds)
            .sum();
        (measured[0].runs[at].threads, seconds, nodes)
    };
    let one = measured.iter().map(|m| m.runs[0].seconds).sum::<f64>();
    let run = |(threads, seconds, nodes): (usize, f64, f64)| Run {
        threads,
        seconds,
        nodes_per_second: nodes / seconds,
        speed_up: one / seconds,
    };
    (0..runs).map(total).map(run).collect()
}

fn signature(measured: &[Measured]) -> u64 {
    measured.iter().map(|m| m.nodes).sum()
}

fn write_json(out: &mut impl Write, measured: &[Measured]) -> io::Result<()> {
    let json = Json {
        signature: signature(measured),
        positions: measured,
        total: totals(measured),
    };
    serde_json::to_writer(&mut *out, &json)?;
    writeln!(out)
}

fn write_text(out: &mut impl Write, measured: &[Measured]) -> io::Result<()> {
    let mut table = Columns::new(&[
        ("game", Align::Left),
        ("search", Align::Left),
        ("nodes", Align::Right),
        ("threads", Align::Right),
        ("seconds", Align::Right),
        ("M nodes/s", Align::Right),
        ("speed-up", Align::Right),
        ("position", Align::Left),
    ]);
    let run = |run: &Run| {
        [
            run.threads.to_string(),
            format!("{:.2}", run.seconds),
            format!("{:.2}", run.nodes_per_second / 1e6),
            format!("{:.2}", run.speed_up),
        ]
    };
    for m in measured {
        let search = m
            .depth
            .map_or("proof".to_owned(), |depth| plies(depth as usize));
        let mut head = [m.game.clone(), search, show_count(m.nodes)];
        let mut tail = m.position.clone();
        for measured in &m.runs {
            let row = head.into_iter().chain(run(measured)).chain([tail]);
            table.row(row.collect());
            (head, tail) = (Default::default(), String::new());
        }
    }
    for total in totals(measured) {
        let head = ["all".to_owned(), String::new(), String::new()];
        table.row(
            head.into_iter()
                .chain(run(&total))
                .chain([String::new()])
                .collect(),
        );
    }
    table.write(out)?;
    writeln!(
        out,
        "\nSignature: {} nodes on one thread.",
        signature(measured)
    )
}
