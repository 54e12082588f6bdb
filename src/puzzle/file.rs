//! Owns: puzzle files: TOML with a table `[[puzzle]]` for each puzzle, read and written.
//!
//! ```toml
//! [[puzzle]]
//! name = "Two and then one"          # optional, as are all keys but the next three
//! game = "giuthi"
//! position = "0,1,3,0,2/2,0,0,4,1 S 6-8"
//! stipulation = "win"                 # win, draw, gain N, win in K, gain N in K
//! key = "d+"                          # the move intended
//! rules = { chain = "off" }           # options, as in solver-configs
//! author = ""
//! source = ""
//! note = ""
//! ```
//!
//! `position = "start"` goes with `columns` and `seeds`, as on the command line.

use super::aim::Stipulation;
use crate::config::{ConfigError, Section, resolve_rules, syntax, take_game};
use crate::games::{Rules, Setup};
use crate::notation::{Position, parse_position};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use toml::{Table, Value};

/// A puzzle as a file has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle {
    /// What it is called, if it is.
    pub name: Option<String>,
    /// Board and rules.
    pub setup: Setup,
    /// The position; its player to move is the solver.
    pub position: Position,
    /// What is asked for.
    pub stipulation: Stipulation,
    /// The name of the move intended.
    pub key: Option<String>,
    /// Who made it.
    pub author: Option<String>,
    /// Where it was published or found.
    pub source: Option<String>,
    /// What makes it interesting.
    pub note: Option<String>,
}

/// A puzzle file that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PuzzleError(String);

impl fmt::Display for PuzzleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PuzzleError {}

impl From<ConfigError> for PuzzleError {
    fn from(error: ConfigError) -> Self {
        Self(error.to_string())
    }
}

const KEYS: &[&str] = &[
    "name",
    "game",
    "position",
    "columns",
    "seeds",
    "rules",
    "stipulation",
    "key",
    "author",
    "source",
    "note",
];

/// Reads a puzzle file.
///
/// # Errors
/// When the text is not TOML, or a puzzle in it is none; the error counts puzzles from 1.
pub fn parse(text: &str) -> Result<Vec<Puzzle>, PuzzleError> {
    let table = text
        .parse::<Table>()
        .map_err(|error| syntax(text, &error))?;
    let mut top = Section::new("", table, &["puzzle"]);
    let puzzles = match top.take("puzzle") {
        Some(Value::Array(puzzles)) => puzzles,
        Some(other) => return Ok(top.wrong("puzzle", "tables, [[puzzle]]", &other)?),
        None => Vec::new(),
    };
    top.finish()?;
    if puzzles.is_empty() {
        return Err(PuzzleError(
            "expected at least one table [[puzzle]], found none".to_owned(),
        ));
    }
    let numbered = puzzles.into_iter().zip(1..);
    numbered
        .map(|(puzzle, number)| match puzzle {
            Value::Table(table) => one(table, number),
            other => {
                let section = Section::new("", Table::new(), &[]);
                Ok(section.wrong("puzzle", "tables, [[puzzle]]", &other)?)
            }
        })
        .collect()
}

fn one(table: Table, number: usize) -> Result<Puzzle, PuzzleError> {
    let name = format!("puzzle {number}, ");
    let wrong = |key: &str, why: &dyn fmt::Display| PuzzleError(format!("{name}{key}: {why}"));
    let mut section = Section::new(name.clone(), table, KEYS);
    let game = take_game(&mut section)?;
    let rules = resolve_rules(game, section.take_table("rules")?)
        .map_err(|error| wrong("rules", &error))?;
    let text = required(&mut section, "position", &name)?;
    let columns = number_of(&mut section, "columns")?;
    let seeds = number_of(&mut section, "seeds")?;
    let (setup, position) = if text.trim() == "start" {
        start(rules, columns, seeds).map_err(|why| wrong("position", &why))?
    } else if columns.is_some() || seeds.is_some() {
        let why =
            "go with position = \"start\"; a position written out says its own: leave them out";
        return Err(wrong("columns and seeds", &why));
    } else {
        parse_position(&text, &rules).map_err(|why| wrong("position", &why))?
    };
    let stipulation = required(&mut section, "stipulation", &name)?;
    let stipulation: Stipulation = stipulation
        .parse()
        .map_err(|why| wrong("stipulation", &why))?;
    if !game.scored() && matches!(stipulation, Stipulation::Gain(..)) {
        let why =
            format!("{game} has no score, so nothing is gained; expected win, draw or win in K");
        return Err(wrong("stipulation", &why));
    }
    let puzzle = Puzzle {
        name: optional(&mut section, "name")?,
        setup,
        position,
        stipulation,
        key: optional(&mut section, "key")?,
        author: optional(&mut section, "author")?,
        source: optional(&mut section, "source")?,
        note: optional(&mut section, "note")?,
    };
    section.finish()?;
    Ok(puzzle)
}

fn start(
    rules: Rules,
    columns: Option<u32>,
    seeds: Option<u32>,
) -> Result<(Setup, Position), String> {
    let game = rules.game();
    if !rules.opening().is_empty() {
        return Err("a forced opening goes with play from the start, not with a puzzle; write the position out".to_owned());
    }
    let columns = columns.map_or(game.usual_columns(), |columns| columns as usize);
    let setup = Setup::new(columns, rules).map_err(|why| why.to_string())?;
    let position = Position::start(&setup, seeds.unwrap_or(game.usual_seeds()));
    let position = position.map_err(|why| why.to_string())?;
    Ok((setup, position))
}

fn optional(section: &mut Section, key: &'static str) -> Result<Option<String>, PuzzleError> {
    match section.take(key) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => Ok(section.wrong(key, "text in quotes", &other)?),
    }
}

fn required(section: &mut Section, key: &'static str, name: &str) -> Result<String, PuzzleError> {
    optional(section, key)?.ok_or_else(|| {
        PuzzleError(format!(
            "{name}{key}: expected text, found nothing; add {key} = \"…\""
        ))
    })
}

fn number_of(section: &mut Section, key: &'static str) -> Result<Option<u32>, PuzzleError> {
    match section.take(key) {
        None => Ok(None),
        Some(Value::Integer(number)) if (1..=255).contains(&number) => Ok(Some(number as u32)),
        Some(other) => Ok(section.wrong(key, "a number from 1 to 255", &other)?),
    }
}

/// A puzzle as it is written.
#[derive(Serialize)]
struct Written<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    game: &'a str,
    position: String,
    stipulation: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    rules: BTreeMap<String, String>,
}

#[derive(Serialize)]
struct File<'a> {
    puzzle: Vec<Written<'a>>,
}

/// Writes puzzles as [`parse`] reads them.
///
/// # Errors
/// When the TOML writer fails, which it has no reason to.
pub fn write(puzzles: &[Puzzle]) -> Result<String, PuzzleError> {
    let puzzle = puzzles.iter().map(|puzzle| Written {
        name: puzzle.name.as_deref(),
        game: puzzle.setup.game().as_str(),
        position: puzzle.position.text(&puzzle.setup),
        stipulation: puzzle.stipulation.to_string(),
        key: puzzle.key.as_deref(),
        author: puzzle.author.as_deref(),
        source: puzzle.source.as_deref(),
        note: puzzle.note.as_deref(),
        rules: puzzle.setup.rules().deviations().into_iter().collect(),
    });
    let file = File {
        puzzle: puzzle.collect(),
    };
    toml::to_string(&file).map_err(|error| PuzzleError(error.to_string()))
}
