//! Owns: `sowbase moves`: every move of a position, where it leads, laps, seeds taken, and what it is
//! worth where a table knows.

use super::Notes;
use super::columns::{Align, Columns};
use super::drawing::draw;
use super::failure::Failure;
use super::flags::{PositionArgs, SharedFlags};
use super::machine::default_memory;
use super::report::{JsonValue, lead, result_words};
use super::tables::{Shelf, Tables};
use super::target::Target;
use super::units::counted;
use crate::analysis::value_through;
use crate::game::{Game, Move, Play, Played, Turn};
use crate::games::{Setup, Visitor};
use crate::notation::{Position, move_name};
use crate::value::Value;
use serde::Serialize;
use std::io::{self, Write};

/// Lists every legal move of a position: where it leads, its laps and the seeds it takes
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct MovesArgs {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    shared: SharedFlags,
}

const EXAMPLES: &str = "\
Examples:
  sowbase moves giuthi '0,3,4,3,4/2,2,3,4,0 S'
  sowbase moves hus start --columns 4 --json
  sowbase moves giuthi start --rule chain=off --rule opening=a+,b-
  sowbase moves giuthi '1,0,2/0,3,1 S' --tables tables/giuthi-2x3";

/// Runs the command.
pub fn run(args: &MovesArgs, out: &mut impl Write, notes: &Notes<'_>) -> Result<(), Failure> {
    let target = Target::resolve(&args.position, &args.shared)?;
    let shelf = Shelf::read(&args.shared.tables, &target.setup, notes)?;
    let list = List {
        target: &target,
        shelf: &shelf,
        memory: args.shared.memory.unwrap_or_else(default_memory),
    };
    let seeds = shelf.seeds(target.position.seeds());
    let visited = target.setup.visit(seeds, list);
    let listed = visited.map_err(Failure::usage)??;
    if args.shared.json {
        write_json(out, &target, &listed)?;
    } else {
        write_text(out, &target, &listed)?;
    }
    Ok(())
}

/// One choice and what it does.
enum Choice {
    /// A legal move, or the forced pass.
    Legal {
        name: String,
        captured: u32,
        again: bool,
        laps: u64,
        after: Position,
        /// What a table says that it is worth.
        value: Option<Value>,
    },
    /// A move that never ends.
    Endless { name: String, period: u64 },
}

/// All choices of a position.
struct Listed {
    choices: Vec<Choice>,
    /// The final margin of the player to move, when the game is over.
    over: Option<i32>,
    endless_draws: bool,
    lead: i32,
    /// Whether there are tables to know values from, and distances in them.
    tables: bool,
    distances: bool,
}

struct List<'a> {
    target: &'a Target,
    shelf: &'a Shelf,
    memory: u64,
}

/// What a move is worth to the player who makes it, if a table covers the board that it leads to.
fn value<G: Game>(tables: &Tables<G>, played: &Played<G::Board>) -> Option<Value> {
    let after = tables.value(played.board)?;
    Some(value_through(played, G::SCORED, after))
}

impl Visitor for List<'_> {
    type Output = Result<Listed, Failure>;

    fn visit<G: Game>(self, game: &G) -> Self::Output {
        let Target { setup, position } = self.target;
        let tables = self.shelf.open(game, self.memory / 4)?;
        let legal = |choice, played: Played<G::Board>| Choice::Legal {
            name: move_name(setup, position.seat, choice),
            captured: played.captured,
            again: played.again,
            laps: played.laps,
            after: position.after(game, played.board, played.captured, played.again),
            value: value(&tables, &played),
        };
        let mut choices = Vec::new();
        let turn = game.expand(position.board(game), |choice, play| {
            choices.push(match play {
                Play::Endless { period } => Choice::Endless {
                    name: move_name(setup, position.seat, choice),
                    period,
                },
                Play::Done(played) => legal(choice, played),
            });
        });
        if let Turn::Pass(board) = turn {
            let passed = Played {
                board,
                captured: 0,
                again: false,
                laps: 0,
            };
            choices.push(legal(Move::PASS, passed));
        }
        tables.sound()?;
        Ok(Listed {
            choices,
            over: match turn {
                Turn::Over { margin } => Some(margin),
                _ => None,
            },
            endless_draws: game.endless_draws(),
            lead: lead::<G>(position),
            tables: !tables.is_empty(),
            distances: tables.has_distances(),
        })
    }
}

/// DESIGN section 5, `moves --json`.
#[derive(Serialize)]
struct Json<'a> {
    game: &'a str,
    position: String,
    moves: Vec<JsonMove<'a>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum JsonMove<'a> {
    Legal {
        #[serde(rename = "move")]
        name: &'a str,
        captured: u32,
        again: bool,
        laps: u64,
        position: String,
        /// As in `solve --json`, and only where a table knows.
        #[serde(flatten)]
        value: Option<JsonValue>,
    },
    Endless {
        #[serde(rename = "move")]
        name: &'a str,
        endless: bool,
    },
}

fn write_json(out: &mut impl Write, target: &Target, listed: &Listed) -> io::Result<()> {
    let Target { setup, position } = target;
    let moves = listed.choices.iter().map(|choice| match choice {
        Choice::Legal {
            name,
            captured,
            again,
            laps,
            after,
            value,
        } => JsonMove::Legal {
            name,
            captured: *captured,
            again: *again,
            laps: *laps,
            position: after.text(setup),
            value: value.map(|value| {
                let scored = setup.game().scored();
                JsonValue::new(&value, listed.lead, scored, listed.distances)
            }),
        },
        Choice::Endless { name, .. } => JsonMove::Endless {
            name,
            endless: true,
        },
    });
    let json = Json {
        game: setup.game().as_str(),
        position: position.text(setup),
        moves: moves.collect(),
    };
    serde_json::to_writer(&mut *out, &json)?;
    writeln!(out)
}

fn write_text(out: &mut impl Write, target: &Target, listed: &Listed) -> io::Result<()> {
    let Target { setup, position } = target;
    writeln!(out, "{}", title(setup, position))?;
    writeln!(out)?;
    draw(out, setup, position)?;
    writeln!(out)?;
    let mut heads = vec![("move", Align::Left)];
    // What there is to say of results only where there are tables.
    let result = |text: String| listed.tables.then_some(text);
    if listed.tables {
        heads.push(("result", Align::Left));
    }
    heads.extend([
        ("takes", Align::Right),
        ("laps", Align::Right),
        ("leads to", Align::Left),
        ("", Align::Left),
    ]);
    let mut table = Columns::new(&heads);
    for choice in &listed.choices {
        let (name, known, rest) = match choice {
            Choice::Legal {
                name,
                captured,
                again,
                laps,
                after,
                value,
            } => (
                name,
                result_of(target, listed, value.as_ref()),
                [
                    captured.to_string(),
                    laps.to_string(),
                    after.text(setup),
                    if *again { "moves again" } else { "" }.to_owned(),
                ],
            ),
            Choice::Endless { name, period } => (
                name,
                if listed.endless_draws { "a draw" } else { "" }.to_owned(),
                [
                    String::new(),
                    String::new(),
                    endless_words(listed.endless_draws, *period),
                    String::new(),
                ],
            ),
        };
        table.row(
            [name.clone()]
                .into_iter()
                .chain(result(known))
                .chain(rest)
                .collect(),
        );
    }
    if !listed.choices.is_empty() {
        table.write(out)?;
    }
    if let Some(margin) = listed.over {
        if !listed.choices.is_empty() {
            writeln!(out)?;
        }
        writeln!(out, "{}", over_words(setup, position, margin))?;
    }
    Ok(())
}

/// What a table says of a move, in words.
fn result_of(target: &Target, listed: &Listed, value: Option<&Value>) -> String {
    let scored = target.setup.game().scored();
    value.map_or("in no table".to_owned(), |value| {
        result_words(target.position.seat, value.margin(listed.lead), scored)
    })
}

/// What is to be said of a position before its board.
pub fn title(setup: &Setup, position: &Position) -> String {
    let mut title = format!(
        "{} {}x{}, {} on the board, {} to move",
        setup.game(),
        setup.game().rows(),
        setup.columns(),
        counted(position.seeds(), "seed"),
        position.seat,
    );
    for (name, value) in setup.rules().deviations() {
        title.push_str(&format!(", {name}={value}"));
    }
    title
}

/// What becomes of a move that never ends.
fn endless_words(draws: bool, period: u64) -> String {
    let what = if draws { "draws" } else { "may not be chosen" };
    let every = match period {
        1 => "lap".to_owned(),
        laps => counted(laps, "lap"),
    };
    format!("never ends (the same again every {every}): {what}")
}

/// How a finished game ended.
fn over_words(setup: &Setup, position: &Position, margin: i32) -> String {
    let (mover, other) = (position.seat, position.seat.other());
    if !setup.game().scored() {
        return format!("{mover} has no legal move and has lost.");
    }
    let margin = margin + position.lead();
    let result = match margin {
        0 => "a draw".to_owned(),
        1.. => format!("{mover} has won by {margin}"),
        _ => format!("{other} has won by {}", -margin),
    };
    format!("{mover} has no legal move and the game is over: {result}.")
}
