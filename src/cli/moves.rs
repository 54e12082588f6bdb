//! Owns: `sowbase moves`: every move of a position, where it leads, laps, seeds taken.

use super::Notes;
use super::columns::{Align, Columns};
use super::drawing::draw;
use super::failure::Failure;
use super::flags::{PositionArgs, SharedFlags};
use super::target::Target;
use crate::game::{Game, Move, Play, Turn};
use crate::games::{Setup, Visitor};
use crate::notation::{Position, move_name};
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
  sowbase moves giuthi start --rule chain=off --rule opening=a+,b-";

/// Runs the command.
pub fn run(args: &MovesArgs, out: &mut impl Write, notes: &Notes<'_>) -> Result<(), Failure> {
    let target = Target::resolve(&args.position, &args.shared)?;
    if !args.shared.tables.is_empty() {
        notes(
            "note: moves does not read tables yet; `solve --tables` shows the value of every move",
        );
    }
    let listed = target.visit(List(&target))?;
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
}

struct List<'a>(&'a Target);

impl Visitor for List<'_> {
    type Output = Listed;

    fn visit<G: Game>(self, game: &G) -> Listed {
        let Target { setup, position } = self.0;
        let mut choices = Vec::new();
        let turn = game.expand(position.board(game), |choice, play| {
            let name = move_name(setup, position.seat, choice);
            choices.push(match play {
                Play::Endless { period } => Choice::Endless { name, period },
                Play::Done(played) => Choice::Legal {
                    name,
                    captured: played.captured,
                    again: played.again,
                    laps: played.laps,
                    after: position.after(game, played.board, played.captured, played.again),
                },
            });
        });
        if let Turn::Pass(board) = turn {
            choices.push(Choice::Legal {
                name: move_name(setup, position.seat, Move::PASS),
                captured: 0,
                again: false,
                laps: 0,
                after: position.after(game, board, 0, false),
            });
        }
        Listed {
            choices,
            over: match turn {
                Turn::Over { margin } => Some(margin),
                _ => None,
            },
            endless_draws: game.endless_draws(),
        }
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
        } => JsonMove::Legal {
            name,
            captured: *captured,
            again: *again,
            laps: *laps,
            position: after.text(setup),
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
    let mut table = Columns::new(&[
        ("move", Align::Left),
        ("takes", Align::Right),
        ("laps", Align::Right),
        ("leads to", Align::Left),
        ("", Align::Left),
    ]);
    for choice in &listed.choices {
        table.row(match choice {
            Choice::Legal {
                name,
                captured,
                again,
                laps,
                after,
            } => vec![
                name.clone(),
                captured.to_string(),
                laps.to_string(),
                after.text(setup),
                if *again { "moves again" } else { "" }.to_owned(),
            ],
            Choice::Endless { name, period } => vec![
                name.clone(),
                String::new(),
                String::new(),
                endless_words(listed.endless_draws, *period),
            ],
        });
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

/// What is to be said of a position before its board.
pub fn title(setup: &Setup, position: &Position) -> String {
    let mut title = format!(
        "{} {}x{}, {} seeds on the board, {} to move",
        setup.game(),
        setup.game().rows(),
        setup.columns(),
        position.seeds(),
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
    format!("never ends (the same again every {period} laps): {what}")
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
