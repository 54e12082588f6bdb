//! Owns: the flags that commands share, as typed.
//!
//! Nothing is worked out here: [`super::target`] resolves the flags that say which position is meant,
//! and each command takes the rest as they are. A flag means the same in every command.

use super::machine::{MAX_THREADS, default_memory};
use super::units::parse_size;
use crate::board::MAX_SEEDS;
use crate::games::{ENDLESS, GameName, OPENING};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, value_parser};
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

/// Most columns of any game; each game has its own limit, which is checked when its rules are known.
const MAX_COLUMNS: usize = 16;

/// Which game and position is meant.
#[derive(Args, Clone, Debug)]
pub struct PositionArgs {
    /// The game
    #[arg(value_name = "GAME", value_parser = game_parser())]
    pub game: GameName,

    /// The position as 'ROWS SIDE CAPTURED' (one argument, so quoted), or 'start'
    #[arg(value_name = "POSITION", long_help = POSITION_HELP)]
    pub position: String,
}

const POSITION_HELP: &str = "\
The position, as one argument: 'ROWS SIDE CAPTURED', or 'start'.

ROWS go from North's far row to South's near row, each from the left as South sees it; pits are \
parted by ',', rows by '/', and '#' is a closed pit (bosh). SIDE is the player to move, S (default) \
or N. CAPTURED is South's, then North's captured seeds, as in 5-0. Example: '0,3,4,3,4/2,2,3,4,0 S 0-0'.

'start' is the opening position, with --columns and --seeds where they differ from the usual ones.";

/// Flags that every command on positions takes.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Shared options")]
pub struct SharedFlags {
    /// Columns of the board, for 'start'
    #[arg(long, value_name = "W", value_parser = parse_columns)]
    pub columns: Option<usize>,

    /// Seeds in each filled pit, for 'start'
    #[arg(long, value_name = "K", value_parser = parse_seeds)]
    pub seeds: Option<u32>,

    /// Sets an option of the rules; may be given several times
    #[arg(long = "rule", value_name = "NAME=VALUE", long_help = rules_help())]
    pub rules: Vec<String>,

    /// Writes JSON, one object a line, to standard output
    #[arg(long)]
    pub json: bool,

    /// Threads to work with [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    pub threads: Option<usize>,

    /// Most memory to work with, such as 512MiB or 16GiB [default: 3/4 of what is available]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory: Option<u64>,

    /// Directory of finished tables to look values up in; may be given several times
    #[arg(long, value_name = "DIR", value_parser = value_parser!(PathBuf))]
    pub tables: Vec<PathBuf>,
}

/// What a command that works on tables or files may take.
#[derive(Args, Clone, Copy, Debug)]
pub struct WorkFlags {
    /// Threads to work with [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    pub threads: Option<usize>,

    /// Most memory to work with, such as 512MiB or 16GiB [default: 3/4 of what is available]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    memory: Option<u64>,
}

impl WorkFlags {
    /// Bytes to work with.
    pub fn memory(&self) -> u64 {
        self.memory.unwrap_or_else(default_memory)
    }
}

/// Reads the name of a game.
pub fn game_parser() -> impl TypedValueParser<Value = GameName> {
    PossibleValuesParser::new(GameName::ALL.map(GameName::as_str))
        .try_map(|name| name.parse::<GameName>())
}

fn parse_columns(text: &str) -> Result<usize, String> {
    parse_number(text, 1..=MAX_COLUMNS, "columns")
}

fn parse_seeds(text: &str) -> Result<u32, String> {
    parse_number(text, 1..=MAX_SEEDS, "seeds")
}

pub fn parse_threads(text: &str) -> Result<usize, String> {
    parse_number(text, 1..=MAX_THREADS, "threads")
}

/// Reads a whole number; `what` is what it counts.
pub fn parse_number<T>(text: &str, range: RangeInclusive<T>, what: &str) -> Result<T, String>
where
    T: FromStr + PartialOrd + Display,
{
    text.parse::<T>()
        .ok()
        .filter(|number| range.contains(number))
        .ok_or_else(|| {
            let (least, most) = (range.start(), range.end());
            format!("expected a number of {what} from {least} to {most}")
        })
}

/// Every option of every game's rules, from the games' own declarations.
fn rules_help() -> String {
    let mut help = String::from(
        "Sets an option of the rules; may be given several times. The first value is the default.\n",
    );
    for game in GameName::ALL {
        help.push_str(&format!("\n{game}:\n"));
        for option in game.options().iter().filter(|option| **option != ENDLESS) {
            let values = option.values.join("|");
            help.push_str(&format!(
                "  {}={values}\n    {}\n",
                option.name, option.about
            ));
        }
    }
    help.push_str(&format!(
        "\nevery game:\n  {}={}\n    {}\n  {OPENING}=MOVE,MOVE…\n    moves that the game starts with, applied to 'start'\n",
        ENDLESS.name,
        ENDLESS.values.join("|"),
        ENDLESS.about,
    ));
    help
}
