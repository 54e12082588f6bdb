//! Owns: solver-configs, the TOML that says which table to build (DESIGN section 6).
//!
//! Text is read as typed first ([`toml::Table`]), then resolved once into a [`Config`] that holds no
//! strings to interpret. Keys are taken out of the tables one by one, so that what is left over at the
//! end is a mistake and can be told with the name that was meant.

use crate::games::{GameName, OPENING, Rules, Setup, did_you_mean};
use std::fmt;
use toml::{Table, Value};

/// Most seeds a config can ask for: what a board holds.
const MOST_SEEDS: i64 = 255;

/// A table to build.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// Game, columns and options.
    pub setup: Setup,
    /// The largest layers.
    pub seeds: TableSeeds,
    /// Whether distances are kept.
    pub distances: bool,
}

/// How far a table goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableSeeds {
    /// Up to so many seeds on the board.
    Total(u32),
    /// Up to so many seeds of the mover's and of the opponent's side (Hawalis).
    Sides([u32; 2]),
}

/// A config that cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigError(pub(crate) String);

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ConfigError {}

fn error<T>(message: impl Into<String>) -> Result<T, ConfigError> {
    Err(ConfigError(message.into()))
}

/// A table of the text, with the name that errors give it.
pub(crate) struct Section {
    name: String,
    table: Table,
    known: &'static [&'static str],
}

impl Section {
    /// `known` are all keys that there may be.
    pub(crate) fn new(
        name: impl Into<String>,
        table: Table,
        known: &'static [&'static str],
    ) -> Self {
        Self {
            name: name.into(),
            table,
            known,
        }
    }

    /// Takes a key out.
    pub(crate) fn take(&mut self, key: &'static str) -> Option<Value> {
        debug_assert!(self.known.contains(&key));
        self.table.remove(key)
    }

    /// Takes a table out; an empty one where there is none.
    pub(crate) fn take_table(&mut self, key: &'static str) -> Result<Table, ConfigError> {
        match self.take(key) {
            None => Ok(Table::new()),
            Some(Value::Table(table)) => Ok(table),
            Some(other) => self.wrong(key, &format!("a table, [{key}]"), &other),
        }
    }

    /// The error for a value of the wrong kind.
    pub(crate) fn wrong<T>(
        &self,
        key: &str,
        expected: &str,
        found: &Value,
    ) -> Result<T, ConfigError> {
        error(format!(
            "{}{key}: expected {expected}, found {}",
            self.name,
            shown(found)
        ))
    }

    /// Refuses what has not been taken out.
    pub(crate) fn finish(self) -> Result<(), ConfigError> {
        let Some(key) = self.table.keys().next() else {
            return Ok(());
        };
        let expected = self.known.join(", ");
        let meant = did_you_mean(key, self.known.iter().copied());
        let short: String = key.chars().take(40).collect();
        error(format!(
            "{}unknown key '{short}'; expected one of {expected}{meant}",
            self.name
        ))
    }
}

/// A value as an error message shows it.
fn shown(value: &Value) -> String {
    let text = match value {
        Value::Table(_) => return "a table".to_owned(),
        Value::Array(array) if array.len() > 4 => {
            return format!("a list of {} values", array.len());
        }
        plain => plain.to_string(),
    };
    let mut short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

impl Config {
    /// Reads a config.
    ///
    /// # Errors
    /// When the text is not TOML, or says something that cannot be built.
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        let table = text
            .parse::<Table>()
            .map_err(|error| syntax(text, &error))?;
        let mut top = Section::new("", table, &["game", "columns", "closed", "rules", "table"]);
        let game = take_game(&mut top)?;
        let columns = match top.take("columns") {
            None => game.usual_columns(),
            Some(Value::Integer(columns)) if (1..=16).contains(&columns) => columns as usize,
            Some(other) => return top.wrong("columns", "a number from 1 to 16", &other),
        };
        let closed = top.take_table("closed")?;
        let rules = resolve_rules(game, top.take_table("rules")?)?;
        let table = top.take_table("table")?;
        top.finish()?;
        let setup = Setup::new(columns, rules.clone())
            .map_err(|error| ConfigError(format!("columns: {error}")))?;
        let setup = match resolve_closed(game, columns, closed)? {
            [0, 0] => setup,
            closed => Setup::with_closed(columns, rules, closed)
                .map_err(|error| ConfigError(format!("columns: {error}")))?,
        };
        let mut table = Section::new("[table] ", table, &["seeds", "distances"]);
        let seeds = resolve_seeds(game, &mut table)?;
        let distances = match table.take("distances") {
            None => true,
            Some(Value::Boolean(keep)) => keep,
            Some(other) => return table.wrong("distances", "true or false", &other),
        };
        table.finish()?;
        Ok(Self {
            setup,
            seeds,
            distances,
        })
    }
}

/// The game of a config or a puzzle.
pub(crate) fn take_game(section: &mut Section) -> Result<GameName, ConfigError> {
    let name = section.name.clone();
    match section.take("game") {
        Some(Value::String(text)) => text
            .parse::<GameName>()
            .map_err(|why| ConfigError(format!("{name}game: {why}"))),
        Some(other) => section.wrong("game", "a game's name in quotes", &other),
        None => error(format!(
            "{name}game: expected a game's name, found nothing; add game = \"…\""
        )),
    }
}

/// What the TOML parser says, in one line with the place.
pub(crate) fn syntax(text: &str, error: &toml::de::Error) -> ConfigError {
    let at = error.span().map_or(0, |span| span.start);
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    let message = error.message().split_whitespace().collect::<Vec<_>>();
    ConfigError(format!(
        "line {line}, column {column}: not TOML: {}",
        message.join(" ")
    ))
}

/// Closed pits of South and of North, which their owners name.
fn resolve_closed(game: GameName, columns: usize, table: Table) -> Result<[u16; 2], ConfigError> {
    if !game.closes_pits() && !table.is_empty() {
        return error(format!(
            "closed: expected none in {game}, whose pits are never closed; leave it out"
        ));
    }
    let mut section = Section::new("closed ", table, &["south", "north"]);
    let mut closed = [0, 0];
    for (name, closed) in ["south", "north"].into_iter().zip(&mut closed) {
        let last = char::from(b'a' + (columns - 1) as u8);
        let expected = format!("pits of the row, a to {last}, such as \"{last}\"");
        let Some(value) = section.take(name) else {
            continue;
        };
        let pits = value.as_str().map(str::chars);
        let Some(pits) = pits else {
            return section.wrong(name, &expected, &value);
        };
        for pit in pits {
            if !('a'..=last).contains(&pit) {
                return section.wrong(name, &expected, &value);
            }
            *closed |= 1u16 << (pit as u32 - 'a' as u32);
        }
    }
    section.finish()?;
    Ok(closed)
}

/// Reads options. They may be strings, booleans or (for the opening) lists of strings, as TOML has them.
pub(crate) fn resolve_rules(game: GameName, table: Table) -> Result<Rules, ConfigError> {
    let mut rules = Rules::new(game);
    for (name, value) in table {
        let text = match &value {
            Value::String(text) => Some(text.clone()),
            Value::Boolean(on) => Some(on.to_string()),
            Value::Array(moves) if name == OPENING => moves
                .iter()
                .map(Value::as_str)
                .collect::<Option<Vec<_>>>()
                .map(|moves| moves.join(",")),
            _ => None,
        };
        let Some(text) = text else {
            return error(format!(
                "[rules] {}: expected a value in quotes, found {}",
                name.chars().take(40).collect::<String>(),
                shown(&value),
            ));
        };
        rules
            .set(&name, &text)
            .map_err(|error| ConfigError(format!("[rules] {error}")))?;
    }
    Ok(rules)
}

fn resolve_seeds(game: GameName, table: &mut Section) -> Result<TableSeeds, ConfigError> {
    let per_side = game == GameName::Hawalis;
    let expected = if per_side {
        "seeds of both sides from 0 to 255, such as [6, 6]"
    } else {
        "the number of seeds on the board, from 0 to 255"
    };
    let Some(value) = table.take("seeds") else {
        return error(format!("[table] seeds: expected {expected}, found nothing"));
    };
    let seeds = |value: &Value| match value {
        Value::Integer(seeds) if (0..=MOST_SEEDS).contains(seeds) => Some(*seeds as u32),
        _ => None,
    };
    let resolved = match &value {
        Value::Array(sides) if per_side => match &sides[..] {
            [own, other] => seeds(own)
                .zip(seeds(other))
                .map(|(a, b)| TableSeeds::Sides([a, b])),
            _ => None,
        },
        total if !per_side => seeds(total).map(TableSeeds::Total),
        _ => None,
    };
    match resolved {
        Some(seeds) => Ok(seeds),
        None => table.wrong("seeds", expected, &value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HAWALIS: &str = "\
game = \"hawalis\"
columns = 7
[rules]
back-row = \"free\"
[table]
seeds = [6, 5]
distances = false
";

    #[test]
    fn a_full_config_is_resolved() {
        let config = Config::parse(HAWALIS).unwrap();
        assert_eq!(config.setup.game(), GameName::Hawalis);
        assert_eq!(config.setup.columns(), 7);
        assert_eq!(config.setup.rules().get("back-row"), "free");
        assert_eq!(config.seeds, TableSeeds::Sides([6, 5]));
        assert!(!config.distances);
    }

    #[test]
    fn defaults_are_the_usual_game_with_distances() {
        let text = "game = \"giuthi\"\n[rules]\nskip-origin = true\nopening = [\"a+\"]\n[table]\nseeds = 12\n";
        let config = Config::parse(text).unwrap();
        assert_eq!(config.setup.columns(), 8);
        assert_eq!(config.setup.rules().get("skip-origin"), "true");
        assert_eq!(config.setup.rules().opening(), ["a+"]);
        assert_eq!(config.seeds, TableSeeds::Total(12));
        assert!(config.distances);
    }

    #[test]
    fn closed_pits_are_named_by_their_owners() {
        let text = |closed: &str| {
            format!("game = \"bosh\"\ncolumns = 4\nclosed = {closed}\n[table]\nseeds = 8\n")
        };
        let config = Config::parse(&text("{ south = \"d\", north = \"ad\" }")).unwrap();
        assert_eq!(config.setup.closed(), [0b1000, 0b1001]);
        let config = Config::parse(&text("{ north = \"b\" }")).unwrap();
        assert_eq!(config.setup.closed(), [0, 0b10]);
        let wrong = |closed| Config::parse(&text(closed)).unwrap_err().to_string();
        for (closed, part) in [
            ("{ south = \"e\" }", "a to d, such as \"d\", found \"e\""),
            ("{ south = 3 }", "closed south: expected pits of the row"),
            ("{ sout = \"a\" }", "did you mean 'south'?"),
            ("\"a\"", "closed: expected a table"),
        ] {
            assert!(wrong(closed).contains(part), "{}", wrong(closed));
        }
        let other = text("{ south = \"a\" }").replace("bosh", "giuthi");
        let error = Config::parse(&other).unwrap_err().to_string();
        assert!(error.contains("expected none in giuthi"), "{error}");
    }

    #[test]
    fn what_is_wrong_is_named_with_what_was_meant() {
        for (from, to, part) in [
            (
                "game = \"hawalis\"",
                "",
                "game: expected a game's name, found nothing",
            ),
            ("game = \"hawalis\"", "game = 3", "found 3"),
            ("hawalis", "hawalix", "did you mean 'hawalis'?"),
            ("columns = 7", "colums = 7", "did you mean 'columns'?"),
            ("columns = 7", "columns = 9", "1 to 8 columns, found 9"),
            (
                "columns = 7",
                "columns = \"7\"",
                "from 1 to 16, found \"7\"",
            ),
            ("columns = 7", "columns = ", "line 2"),
            ("columns = 7", "columns = 7\ncolumns = 7", "line 3"),
            ("back-row", "backrow", "did you mean 'back-row'?"),
            ("\"free\"", "\"fre\"", "did you mean 'free'?"),
            (
                "\"free\"",
                "3",
                "[rules] back-row: expected a value in quotes, found 3",
            ),
            ("[table]", "[tables]", "did you mean 'table'?"),
            ("seeds = [6, 5]", "seed = [6, 5]", "seeds: expected"),
            ("distances", "distance", "did you mean 'distances'?"),
            (
                "distances = false",
                "distances = 1",
                "true or false, found 1",
            ),
            ("[6, 5]", "6", "such as [6, 6], found 6"),
            ("[6, 5]", "[6]", "found [6]"),
            ("[6, 5]", "[6, 256]", "found [6, 256]"),
            ("[6, 5]", "[6, -1]", "found [6, -1]"),
            ("[rules]", "rules = 5\n[other]", "rules: expected a table"),
        ] {
            let text = HAWALIS.replacen(from, to, 1);
            assert_ne!(text, HAWALIS);
            let error = Config::parse(&text).unwrap_err().to_string();
            assert!(error.contains(part), "{to}: {error}");
            assert_eq!(error.lines().count(), 1, "{error}");
        }
    }
}
