//! Owns: `sowbase probe`: values from a table.
//!
//! Positions from stdin are probed in batches of what has come: within one each block of the table is
//! decoded once, by all threads, and answers keep the order of the questions. A position that the table
//! does not cover is answered too, by saying so; what is no position ends the command.

use super::build::failure;
use super::failure::{Failure, Kind};
use super::flags::parse_threads;
use super::lines::Lines;
use super::machine::with_threads;
use super::report::{Report, lead, write_json};
use super::target::Target;
use super::units::{counted, parse_size, show_count};
use crate::analysis::analyse;
use crate::game::Game;
use crate::games::Visitor;
use crate::notation::Position;
use crate::table::{ProbeError, Reader, Table, TableError};
use crate::value::Value;
use rayon::prelude::*;
use serde::Serialize;
use std::cell::RefCell;
use std::fmt;
use std::io::{BufReader, Write};
use std::path::PathBuf;

/// The values of positions, from a table
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ProbeArgs {
    /// Directory of the table
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Positions as 'ROWS SIDE CAPTURED', or '-' for one a line (or JSON with a key "position") from stdin
    #[arg(value_name = "POSITION", required = true)]
    positions: Vec<String>,
    /// Writes JSON, one object a line, with moves and a line of best play
    #[arg(long)]
    json: bool,
    /// Leaves out moves and lines, which take most of the time
    #[arg(long)]
    brief: bool,
    /// Threads to work with [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<usize>,
    /// Memory for decoded blocks, such as 512MiB
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "512MiB")]
    memory: u64,
}

const EXAMPLES: &str = "\
Examples:
  sowbase probe tables/giuthi-2x3 '1,0,2/0,1,1 S'
  sowbase probe tables/giuthi-2x3 '1,0,2/0,1,1 S' --json
  sowbase probe tables/giuthi-2x3 - --json --brief < positions.txt

A position that the table does not cover is told in its place (JSON: a key \"error\") and passed over; the exit
code is then 5. A line that is no position of the table's board ends the command with its number and exit code 2.";

/// Most positions in a batch of values.
const BATCH: usize = 1 << 18;

/// Most positions in a batch with moves and lines, whose answers take a kilobyte each.
const FEW: usize = 1 << 12;

/// Bytes of standard input to ask the system for at once.
const READ: usize = 1 << 18;

impl ProbeArgs {
    /// Whether moves and lines are wanted.
    fn full(&self) -> bool {
        self.json && !self.brief
    }
}

/// Runs the command.
pub fn run(args: &ProbeArgs, out: &mut (impl Write + Send)) -> Result<(), Failure> {
    let full = args.full();
    // Moves and lines are looked up through a reader of their own, which then keeps the blocks.
    let cache = if full { 0 } else { args.memory };
    let table = Table::open_with(&args.directory, cache).map_err(|error| failure(&error))?;
    with_threads(args.threads, || {
        if !full {
            return batches(args, out, |questions| values(args, &table, questions));
        }
        let (seeds, table) = (table.top().seeds(), &table);
        let visit = table.setup().visit(seeds, Full { args, table, out });
        visit.map_err(Failure::usage)?
    })?
}

/// What is asked.
struct Question {
    text: String,
    /// The line of standard input that asks; nothing for an argument.
    line: Option<u64>,
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "standard input, line {line}, ")?;
        }
        write!(f, "'{}'", self.text)
    }
}

/// What is answered, as it is printed.
struct Reply {
    text: Vec<u8>,
    /// Whether the table covers the position.
    covered: bool,
}

type Answer = Result<Reply, Failure>;

/// Hands the positions that were asked for to `answer`, a batch at a time, and writes its answers up
/// to the first that is a failure.
fn batches(
    args: &ProbeArgs,
    out: &mut impl Write,
    mut answer: impl FnMut(&[Question]) -> Vec<Answer>,
) -> Result<(), Failure> {
    let (mut asked, mut uncovered) = (0u64, 0u64);
    let mut reply = |mut questions: Vec<Question>| -> Result<(), Failure> {
        questions.retain(|question| !question.text.trim().is_empty());
        for reply in answer(&questions) {
            let reply = reply?;
            out.write_all(&reply.text)?;
            asked += 1;
            uncovered += u64::from(!reply.covered);
        }
        // Whoever asks through a pipe may wait for this before they ask on.
        Ok(out.flush()?)
    };
    let question = |line: Option<u64>, text: String| Question { text, line };
    let mut wanted = args.positions.iter();
    let named = wanted.by_ref().take_while(|text| *text != "-");
    let named: Vec<Question> = named.map(|text| question(None, text.clone())).collect();
    let all = named.len() == args.positions.len();
    reply(named)?;
    if !all {
        let most = if args.full() { FEW } else { BATCH };
        let mut lines = Lines::read(BufReader::with_capacity(READ, std::io::stdin()), most);
        let trouble = |error| Failure::usage(format!("standard input: {error}"));
        let mut numbers = 1..;
        while let Some(batch) = lines.batch().map_err(trouble)? {
            let numbered = batch.into_iter().zip(&mut numbers);
            reply(
                numbered
                    .map(|(text, line)| question(Some(line), text))
                    .collect(),
            )?;
        }
    }
    match uncovered {
        0 => Ok(()),
        _ => Err(Failure::new(
            Kind::Limit,
            format!(
                "the table does not cover {} of {}; a larger one may, or solve",
                show_count(uncovered),
                counted(asked, "position"),
            ),
        )),
    }
}

/// The position in a line: text, or an object with a key for it.
fn position_text(line: &str) -> Result<String, String> {
    if !line.trim_start().starts_with('{') {
        return Ok(line.to_owned());
    }
    let object: serde_json::Value =
        serde_json::from_str(line).map_err(|error| format!("expected JSON, found {error}"))?;
    match object.get("position").and_then(serde_json::Value::as_str) {
        Some(text) => Ok(text.to_owned()),
        None => Err("expected a key \"position\" with text, found none".to_owned()),
    }
}

fn parse(table: &Table, question: &Question) -> Result<Position, Failure> {
    position_text(&question.text)
        .and_then(|text| table.parse(&text).map_err(|error| error.to_string()))
        .map_err(|why| Failure::usage(format!("{question}: {why}")))
}

/// DESIGN section 5, what `probe --json` says where the table does not cover a position.
#[derive(Serialize)]
struct Uncovered<'a> {
    game: &'a str,
    position: String,
    outcome: &'a str,
    proved: bool,
    error: String,
}

/// What is said where there is no value: that the table does not cover the position, or else why the
/// command ends.
fn without_value(
    args: &ProbeArgs,
    table: &Table,
    (question, position): (&Question, &Position),
    error: &ProbeError,
) -> Answer {
    match error {
        ProbeError::NotCovered { .. } => {}
        ProbeError::Table(error) => return Err(failure(error)),
        _ => return Err(Failure::usage(format!("{question}: {error}"))),
    }
    let position = position.text(table.setup());
    let mut text = if args.json {
        let said = serde_json::to_vec(&Uncovered {
            game: table.setup().game().as_str(),
            position,
            outcome: "unknown",
            proved: false,
            error: error.to_string(),
        });
        said.map_err(std::io::Error::from)?
    } else {
        format!("{position}: unknown, {error}").into_bytes()
    };
    text.push(b'\n');
    Ok(Reply {
        text,
        covered: false,
    })
}

/// Values alone: each block of the table is decoded once for all positions in it.
fn values(args: &ProbeArgs, table: &Table, questions: &[Question]) -> Vec<Answer> {
    let parsed: Vec<Result<Position, Failure>> = questions
        .par_iter()
        .map(|question| parse(table, question))
        .collect();
    let positions: Vec<Position> = parsed.iter().flatten().cloned().collect();
    let mut values = table.probe_all(&positions).into_iter();
    let found: Vec<Result<_, Failure>> = parsed
        .into_iter()
        .map(|position| {
            let position = position?;
            let value = values.next().expect("one for each position that was read");
            Ok((position, value))
        })
        .collect();
    found
        .into_par_iter()
        .zip(questions)
        .map(|(found, question)| match found? {
            (position, Ok(value)) => brief(args, table, position, value),
            (position, Err(error)) => without_value(args, table, (question, &position), &error),
        })
        .collect()
}

/// A value as it is printed.
fn brief(args: &ProbeArgs, table: &Table, position: Position, value: Value) -> Answer {
    let mut text = Vec::with_capacity(160);
    if args.json {
        let mut report = Report::of_value(value, lead_in(table, &position));
        report.distances = table.manifest().distances;
        let setup = table.setup().clone();
        write_json(&mut text, &Target { setup, position }, &report)?;
    } else {
        write_line(table, &position, &value, &mut text)?;
    }
    Ok(Reply {
        text,
        covered: true,
    })
}

/// What the player to move is ahead by, where that counts.
fn lead_in(table: &Table, position: &Position) -> i32 {
    match table.setup().game().scored() {
        true => position.lead(),
        false => 0,
    }
}

/// A value in one line.
fn write_line(
    table: &Table,
    position: &Position,
    value: &Value,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let scored = table.setup().game().scored();
    let lead = lead_in(table, position);
    write!(
        out,
        "{}: {}",
        position.text(table.setup()),
        value.outcome(lead)
    )?;
    if scored {
        write!(
            out,
            ", margin {}, lower {}, upper {}",
            value.margin(lead),
            value.lower,
            value.upper
        )?;
    }
    let kept = table.manifest().distances;
    if let Some(distance) = value.distance(lead).filter(|_| kept) {
        write!(out, ", distance {distance}")?;
    }
    Ok(writeln!(out)?)
}

/// Values with moves and a line of best play.
struct Full<'a, W> {
    args: &'a ProbeArgs,
    table: &'a Table,
    out: &'a mut W,
}

impl<W: Write> Visitor for Full<'_, W> {
    type Output = Result<(), Failure>;

    fn visit<G: Game>(self, game: &G) -> Self::Output {
        let Self { args, table, out } = self;
        let (setup, manifest) = (table.setup(), table.manifest());
        let reader = Reader::open(table.directory(), manifest, setup, game, args.memory)
            .map_err(|error| failure(&error))?;
        let answer = |question: &Question| {
            let position = parse(table, question)?;
            if let Err(error) = table.covers(&position) {
                return without_value(args, table, (question, &position), &error);
            }
            let setup = setup.clone();
            let target = Target { setup, position };
            let mut text = Vec::new();
            write_json(&mut text, &target, &report(game, &reader, &target)?)?;
            Ok(Reply {
                text,
                covered: true,
            })
        };
        batches(args, out, |questions| {
            questions.par_iter().map(answer).collect()
        })
    }
}

/// What a table's values say about a position.
fn report<G: Game>(game: &G, reader: &Reader<G>, target: &Target) -> Result<Report, Failure> {
    let trouble: RefCell<Option<TableError>> = RefCell::new(None);
    let values = |board: G::Board| {
        reader.value(board).unwrap_or_else(|error| {
            *trouble.borrow_mut() = Some(error);
            None
        })
    };
    let lead = lead::<G>(&target.position);
    let analysis = analyse(game, target.position.board(game), lead, &values);
    match trouble.into_inner() {
        Some(error) => Err(failure(&error)),
        None => {
            let mut report = Report::new(game, target, &analysis);
            report.distances = reader.has_distances();
            Ok(report)
        }
    }
}
