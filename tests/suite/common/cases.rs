//! Owns: the formats of the files under `tests/cases`, one reader each.
//!
//! Readers check nothing but form: what a case says is compared where it is used. Every case carries
//! a `label` that names it in a failing test.

use serde_json::Value as Json;
use sowbase::games::{GameName, Rules, Setup};
use sowbase::index::Layer;
use sowbase::notation::Position;
use sowbase::tally::Tally;
use sowbase::value::Value;
use std::path::PathBuf;

use super::{Played, Turn, name, position, rules};

/// The whole text of a case file.
pub fn read(file: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/cases")
        .join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The lines of a JSON-lines file, parsed, each with a label.
fn json_lines(file: &str) -> Vec<(String, Json)> {
    let parse = |(at, line): (usize, &str)| {
        let label = format!("{file}:{}", at + 1);
        let json = serde_json::from_str(line).unwrap_or_else(|error| panic!("{label}: {error}"));
        (label, json)
    };
    read(file).lines().enumerate().map(parse).collect()
}

/// The rows of a comma-separated file, comments left out, each with a label.
fn csv_rows(file: &str) -> Vec<(String, Vec<String>)> {
    let text = read(file);
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    rows.map(|line| {
        let fields = line.split(',').map(str::to_owned).collect();
        (format!("{file}: {line}"), fields)
    })
    .collect()
}

fn text<'a>(json: &'a Json, key: &str) -> &'a str {
    json[key]
        .as_str()
        .unwrap_or_else(|| panic!("no text '{key}' in {json}"))
}

fn game(name: &str) -> GameName {
    name.parse().expect("a game's name")
}

/// The rules that a JSON line speaks of: its `game`, with its `rule` if there is one.
fn rules_of(json: &Json) -> Rules {
    let option: Vec<&str> = json["rule"].as_str().into_iter().collect();
    rules(game(text(json, "game")), &option)
}

/// One move as the files have it; `None` in place of what follows for an endless one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ListedMove {
    /// The move's name, `pass` for a forced pass.
    pub name: String,
    /// Seeds captured, whether the same player moves again, and the text of the position.
    pub done: Option<(u32, bool, String)>,
}

/// A line of `moves-*.jsonl`: a position with all its moves.
pub struct MovesCase {
    pub label: String,
    pub setup: Setup,
    pub position: Position,
    /// The position as it stands in the file.
    pub text: String,
    /// Moves sorted by name.
    pub moves: Vec<ListedMove>,
}

/// Reads `moves-*.jsonl`.
pub fn moves(file: &str) -> Vec<MovesCase> {
    json_lines(file)
        .into_iter()
        .map(|(label, json)| {
            let (setup, position) = position(text(&json, "position"), &rules_of(&json));
            let listed = json["moves"].as_array().expect("a list of moves");
            let mut moves: Vec<_> = listed.iter().map(listed_move).collect();
            moves.sort();
            MovesCase {
                label,
                setup,
                position,
                text: text(&json, "position").to_owned(),
                moves,
            }
        })
        .collect()
}

fn listed_move(json: &Json) -> ListedMove {
    let endless = json["endless"].as_bool().unwrap_or(false);
    let done = (!endless).then(|| {
        let captured = json["captured"].as_u64().expect("captured") as u32;
        let again = json["again"].as_bool().expect("again");
        (captured, again, text(json, "position").to_owned())
    });
    ListedMove {
        name: text(json, "move").to_owned(),
        done,
    }
}

/// A turn in the words of the files, sorted by name.
pub fn listed(setup: &Setup, position: &Position, turn: &Turn) -> Vec<ListedMove> {
    let mut moves: Vec<ListedMove> = turn
        .moves
        .iter()
        .map(|played| match played {
            Played::Done {
                choice,
                captured,
                again,
                position: next,
                ..
            } => ListedMove {
                name: name(setup, position, *choice),
                done: Some((*captured, *again, next.text(setup))),
            },
            Played::Endless { choice, .. } => ListedMove {
                name: name(setup, position, *choice),
                done: None,
            },
        })
        .collect();
    moves.sort();
    moves
}

/// A row of `perft.csv`.
pub struct PerftCase {
    pub label: String,
    pub setup: Setup,
    pub position: Position,
    pub depth: u32,
    pub count: u64,
}

/// Reads `perft.csv`: game, `start:COLUMNSxSEEDS`, depth, count.
pub fn perft() -> Vec<PerftCase> {
    csv_rows("perft.csv")
        .into_iter()
        .map(|(label, fields)| {
            let (columns, seeds) = fields[1]
                .strip_prefix("start:")
                .and_then(|size| size.split_once('x'))
                .expect("start:COLUMNSxSEEDS");
            let (setup, position) = start(game(&fields[0]), number(columns), number(seeds));
            PerftCase {
                label,
                setup,
                position,
                depth: number(&fields[2]),
                count: number(&fields[3]),
            }
        })
        .collect()
}

fn number<N: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> N {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

/// The opening position of a game under its default rules.
fn start(game: GameName, columns: usize, seeds: u32) -> (Setup, Position) {
    let setup = Setup::new(columns, rules(game, &[])).expect("a playable size");
    let position = Position::start(&setup, seeds).expect("few enough seeds");
    (setup, position)
}

/// A row of `layers.csv`: counts of one layer at lead 0 for the player to move.
pub struct LayerCase {
    pub label: String,
    pub setup: Setup,
    pub layer: Layer,
    pub counts: Tally,
}

/// Reads `layers.csv`.
pub fn layers() -> Vec<LayerCase> {
    csv_rows("layers.csv")
        .into_iter()
        .map(|(label, fields)| {
            let game = game(&fields[0]);
            let setup = Setup::new(number(&fields[1]), rules(game, &[])).expect("a playable size");
            let layer = match fields[2].split_once('-') {
                Some((mover, opponent)) => Layer::Sides(number(mover), number(opponent)),
                None => Layer::Total(number(&fields[2])),
            };
            let at = |column: usize| -> u64 { number(&fields[column]) };
            LayerCase {
                label,
                setup,
                layer,
                counts: Tally {
                    positions: at(3),
                    wins: at(4),
                    draws: at(5),
                    losses: at(6),
                    lower_ne_upper: at(7),
                    lower_infinite: at(8),
                    upper_infinite: at(9),
                    max_distance: at(10),
                    sum_distance: at(11),
                },
            }
        })
        .collect()
}

/// A line of `values.jsonl`; a key that the line lacks is `None`.
pub struct ValueCase {
    pub label: String,
    pub setup: Setup,
    pub position: Position,
    /// `win`, `draw` or `loss` at lead 0.
    pub outcome: String,
    /// Score games: both bounds as text, `-inf` and `inf` for infinite ones, and their distances.
    pub bounds: Option<[(String, Option<u64>); 2]>,
    /// Win-loss games: the distance of the bound that makes the outcome, `None` for a draw.
    pub distance: Option<u64>,
}

/// Reads `values.jsonl`.
pub fn values() -> Vec<ValueCase> {
    json_lines("values.jsonl")
        .into_iter()
        .map(|(label, json)| {
            let (setup, position) = position(text(&json, "position"), &rules_of(&json));
            let bound = |key: &str| {
                let bound = match &json[key] {
                    Json::String(infinite) => infinite.clone(),
                    finite => finite.to_string(),
                };
                (bound, json[format!("{key}_distance")].as_u64())
            };
            ValueCase {
                label,
                setup,
                position,
                outcome: text(&json, "outcome").to_owned(),
                bounds: (!json["lower"].is_null()).then(|| [bound("lower"), bound("upper")]),
                distance: json["distance"].as_u64(),
            }
        })
        .collect()
}

impl ValueCase {
    /// Compares a value found with the one on the line.
    pub fn check(&self, value: &Value) {
        let label = &self.label;
        assert_eq!(value.outcome(0).as_str(), self.outcome, "{label}");
        match &self.bounds {
            Some([lower, upper]) => {
                let distance = value.finite_lower_distance().map(u64::from);
                assert_eq!((value.lower.to_string(), distance), *lower, "{label}");
                let distance = value.finite_upper_distance().map(u64::from);
                assert_eq!((value.upper.to_string(), distance), *upper, "{label}");
            }
            None => assert_eq!(value.distance(0).map(u64::from), self.distance, "{label}"),
        }
    }
}

/// A line of `known.jsonl`.
pub struct KnownCase {
    pub label: String,
    pub setup: Setup,
    pub position: Position,
    pub fact: Fact,
}

/// What a line of `known.jsonl` says of its position.
pub enum Fact {
    /// `choice` captures so many and leads to `result`.
    Leads {
        choice: String,
        captured: u32,
        result: String,
    },
    /// Just these moves capture so many, and no move more.
    Best { moves: Vec<String>, captured: u32 },
    /// The move never ends; its states come again after `period` laps.
    Endless { choice: String, period: u64 },
    /// These moves are one turn and lead back to the position; nobody can force an upper bound.
    Cycle { moves: Vec<String> },
}

/// Reads `known.jsonl`.
pub fn known() -> Vec<KnownCase> {
    json_lines("known.jsonl")
        .into_iter()
        .map(|(label, json)| {
            let (setup, position) = match text(&json, "position") {
                "start" => start(
                    game(text(&json, "game")),
                    json["columns"].as_u64().expect("columns") as usize,
                    json["seeds"].as_u64().expect("seeds") as u32,
                ),
                given => position(given, &rules_of(&json)),
            };
            KnownCase {
                label: format!("{label}: {}", text(&json, "what")),
                setup,
                position,
                fact: fact(&json),
            }
        })
        .collect()
}

fn fact(json: &Json) -> Fact {
    let names = |key: &str| -> Vec<String> {
        let list = json[key].as_array().expect("a list of moves");
        list.iter()
            .map(|name| name.as_str().expect("a name").to_owned())
            .collect()
    };
    let captured = json["captured"].as_u64().map(|seeds| seeds as u32);
    if let Some(period) = json["period"].as_u64() {
        let choice = text(json, "move").to_owned();
        Fact::Endless { choice, period }
    } else if json["cycle"].is_array() {
        assert_eq!(text(json, "upper"), "inf");
        let moves = names("cycle");
        Fact::Cycle { moves }
    } else if json["moves"].is_array() {
        Fact::Best {
            moves: names("moves"),
            captured: captured.expect("captured"),
        }
    } else {
        Fact::Leads {
            choice: text(json, "move").to_owned(),
            captured: captured.expect("captured"),
            result: text(json, "result").to_owned(),
        }
    }
}
