//! Owns: `sowbase play`: a game at the keyboard against perfect play, or against search where nothing
//! perfect is at hand.
//!
//! [`record`] is the game so far, [`adviser`] what the program knows about it, [`command`] what can be
//! typed, [`prompt`] how it is typed, [`session`] the conversation. Only the prompt and the colours
//! know whether there is a terminal, so that a game can also be played through a pipe, as tests do.

mod adviser;
mod command;
mod paint;
mod prompt;
mod record;
mod session;

use super::Notes;
use super::failure::Failure;
use super::flags::{PositionArgs, SharedFlags};
use super::machine::{default_memory, with_threads};
use super::stop::interrupts;
use super::tables::Shelf;
use super::target::Target;
use super::units::parse_duration;
use crate::game::Game;
use crate::games::{GameName, Seat, Visitor};
use adviser::Adviser;
use clap::ValueEnum;
use paint::Paint;
use prompt::Prompt;
use record::Record;
use session::Session;
use std::io::Write;
use std::time::Duration;

/// A game at the keyboard against perfect play or search, with hints, undo and the values of all moves
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct PlayArgs {
    /// The game
    #[arg(value_name = "GAME", value_parser = super::flags::game_parser())]
    game: GameName,
    /// The position to begin with, as 'ROWS SIDE CAPTURED', or 'start'
    #[arg(value_name = "POSITION", default_value = "start")]
    position: String,
    /// Who you play [default: the player who moves first]
    #[arg(long, value_enum, value_name = "SIDE")]
    you: Option<You>,
    /// Most time for a move of the program or an answer to a question, such as 5s or 1m
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, default_value = "5s")]
    time: Duration,
    #[command(flatten)]
    shared: SharedFlags,
}

const EXAMPLES: &str = "\
Examples:
  sowbase play bosh --columns 3 --seeds 2
  sowbase play giuthi start --columns 5 --seeds 2 --you north
  sowbase play giuthi '1,0,2/0,3,1 S' --tables tables/giuthi-2x3
  sowbase play hus --columns 4 --you both

Type a move's name to play it, 'help' for what else there is.";

/// Whom the user plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum You {
    /// The lower rows
    South,
    /// The upper rows
    North,
    /// Both, with the program to advise
    Both,
    /// Neither: the program plays itself
    Neither,
}

impl You {
    /// The player of one side.
    fn of(seat: Seat) -> Self {
        match seat {
            Seat::South => Self::South,
            Seat::North => Self::North,
        }
    }

    /// Whether the user moves for `seat`.
    fn plays(self, seat: Seat) -> bool {
        match self {
            Self::Both => true,
            Self::Neither => false,
            one => one == Self::of(seat),
        }
    }
}

/// Runs the command.
pub fn run(
    args: &PlayArgs,
    out: &mut (impl Write + Send),
    notes: &Notes<'_>,
) -> Result<(), Failure> {
    if args.shared.json {
        return Err(Failure::usage(
            "--json: a game is played by people; programs ask 'sowbase solve --json' for the values of moves",
        ));
    }
    let asked = PositionArgs {
        game: args.game,
        position: args.position.clone(),
    };
    let target = Target::resolve(&asked, &args.shared)?;
    let shelf = Shelf::read(&args.shared.tables, &target.setup, notes)?;
    let seeds = shelf.seeds(target.position.seeds());
    let setup = target.setup.clone();
    let play = Play {
        args,
        target,
        shelf: &shelf,
        out,
        notes,
    };
    with_threads(args.shared.threads, || setup.visit(seeds, play))?.map_err(Failure::usage)?
}

struct Play<'a, W> {
    args: &'a PlayArgs,
    target: Target,
    shelf: &'a Shelf,
    out: &'a mut W,
    notes: &'a Notes<'a>,
}

impl<W: Write> Visitor for Play<'_, W> {
    type Output = Result<(), Failure>;

    fn visit<G: Game>(self, game: &G) -> Self::Output {
        let memory = self.args.shared.memory.unwrap_or_else(default_memory);
        let tables = self.shelf.open(game, memory / 4)?;
        let adviser = Adviser {
            game,
            tables: &tables,
            layers: None,
            memory,
            time: self.args.time,
            stop: interrupts()?,
            notes: self.notes,
        };
        let first = self.target.position.seat;
        let session = Session {
            game,
            you: self.args.you.unwrap_or(You::of(first)),
            record: Record::new(self.target),
            adviser,
            paint: Paint::new(),
            out: self.out,
        };
        let mut prompt = Prompt::new()?;
        session.run(&mut prompt)?;
        tables.sound()
    }
}
