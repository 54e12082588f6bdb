//! Owns: solver-configs: TOML as typed, then resolved once into a job (DESIGN section 6).
//!
//! Two steps, so that the rest of the program never sees a half-checked value: serde reads the form,
//! [`Config::resolve`] checks what it means.

use crate::build::Job;
use crate::games::{GameName, Rules, Setup, did_you_mean};
use crate::index::Layer;
use crate::table::Seeds;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// A solver-config as typed.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The game.
    pub game: String,
    /// Columns of the board; the game's usual ones when left out.
    pub columns: Option<usize>,
    /// Options of the rules.
    #[serde(default)]
    pub rules: BTreeMap<String, toml::Value>,
    /// What the table holds.
    pub table: TableConfig,
}

/// The part of a solver-config about the table.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableConfig {
    /// Seeds up to which it goes: the total, or (Hawalis) of each side.
    pub seeds: Seeds,
    /// Whether it holds distances.
    #[serde(default = "yes")]
    pub distances: bool,
}

fn yes() -> bool {
    true
}

/// A solver-config that cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong and what should be there.
    pub problem: String,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.problem)
    }
}

impl std::error::Error for ConfigError {}

/// Keys at the top of a solver-config, and those under `[table]`.
const KEYS: [&[&str]; 2] = [
    &["game", "columns", "rules", "table"],
    &["seeds", "distances"],
];

/// Reads a solver-config and resolves it.
///
/// # Errors
/// When the file cannot be read, or does not say what to build.
pub fn read(path: &Path) -> Result<Job, ConfigError> {
    let fail = |problem: String| ConfigError {
        path: path.to_owned(),
        problem,
    };
    let text = std::fs::read_to_string(path)
        .map_err(|error| fail(format!("expected a solver-config, found: {error}")))?;
    parse(&text).map_err(fail)
}

/// Reads the text of a solver-config.
///
/// # Errors
/// In words, when it does not say what to build.
pub fn parse(text: &str) -> Result<Job, String> {
    let table: toml::Table = text
        .parse()
        .map_err(|error: toml::de::Error| error.to_string())?;
    known(&table, KEYS[0], "")?;
    if let Some(toml::Value::Table(inner)) = table.get("table") {
        known(inner, KEYS[1], "table.")?;
    }
    let config: Config = toml::from_str(text).map_err(|error| error.to_string())?;
    config.resolve()
}

/// Checks that all keys are known ones.
fn known(table: &toml::Table, keys: &[&str], within: &str) -> Result<(), String> {
    match table.keys().find(|key| !keys.contains(&key.as_str())) {
        None => Ok(()),
        Some(key) => Err(format!(
            "unknown key '{within}{key}'; expected one of {}{}",
            keys.join(", "),
            did_you_mean(key, keys.iter().copied()),
        )),
    }
}

/// The value of a rule as the command line would have it.
fn rule_text(name: &str, value: &toml::Value) -> Result<String, String> {
    match value {
        toml::Value::String(text) => Ok(text.clone()),
        toml::Value::Boolean(on) => Ok(on.to_string()),
        toml::Value::Array(words) => {
            let words: Option<Vec<&str>> = words.iter().map(toml::Value::as_str).collect();
            words.map(|words| words.join(",")).ok_or_else(|| {
                format!("rule '{name}': expected names of moves, found other values")
            })
        }
        other => Err(format!(
            "rule '{name}': expected text, true, false or a list of moves, found {}",
            other.type_str()
        )),
    }
}

impl Config {
    /// Checks what the config means.
    ///
    /// # Errors
    /// In words, when there is no such game, rule, board or layer.
    pub fn resolve(&self) -> Result<Job, String> {
        let game: GameName = self.game.parse().map_err(|error| format!("{error}"))?;
        let mut rules = Rules::new(game);
        for (name, value) in &self.rules {
            rules
                .set(name, &rule_text(name, value)?)
                .map_err(|error| error.to_string())?;
        }
        let columns = self.columns.unwrap_or(game.usual_columns());
        let setup = Setup::new(columns, rules).map_err(|error| error.to_string())?;
        let top = match (self.table.seeds, game) {
            (Seeds::Sides([own, other]), GameName::Hawalis) => {
                Layer::Sides(own.max(other), own.min(other))
            }
            (Seeds::Total(seeds), _) if game != GameName::Hawalis => Layer::Total(seeds),
            (_, GameName::Hawalis) => {
                return Err(
                    "table.seeds: expected seeds of both sides such as [6, 6], found one number"
                        .into(),
                );
            }
            _ => return Err("table.seeds: expected one number, found two".into()),
        };
        Ok(Job {
            setup,
            top,
            distances: self.table.distances,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelled_key_names_the_nearest() {
        let error = parse("game = 'bosh'\ncolums = 5\n[table]\nseeds = 4").unwrap_err();
        assert!(error.contains("did you mean 'columns'?"), "{error}");
        let error = parse("game = 'bosh'\n[table]\nseeds = 4\ndistance = true").unwrap_err();
        assert!(error.contains("did you mean 'distances'?"), "{error}");
    }

    #[test]
    fn a_config_becomes_a_job() {
        let job = parse(
            "game = 'hawalis'\ncolumns = 4\n[rules]\nback-row = 'free'\n[table]\nseeds = [2, 3]",
        );
        let job = job.unwrap();
        assert_eq!((job.top, job.distances), (Layer::Sides(3, 2), true));
        assert_eq!(job.setup.rules().get("back-row"), "free");
    }
}
