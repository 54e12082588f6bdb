//! Start positions of small boards and small matches: `tables/RESULTS.md` says what
//! `tests/data/results.jsonl` and `tests/data/matches.jsonl` have, and the commands in it give that.
//!
//! After a change of the data, `SOWBASE_WRITE_RESULTS=1 cargo test --release --test cli results` writes
//! the page anew.

use crate::support::text_of;
use serde_json::Value;
use std::path::Path;

const HEAD: &str = "\
# Start positions of small boards

South moves first. `lower` is the margin that South can force in a game that ends, `upper` what North
can hold South to; where they differ play could go on for ever. Each command proves its result from
the start, without tables; all but those marked *slow* are run by the tests, which also write this page.
Layers solved in memory (`--engine layers`) give the same.

| Board | Result | lower | upper | Command |
|---|---|---|---|---|
";

const MATCHES: &str = "
# Bosh matches

Each player owns half of the seeds and South opens the first round. `states` are the states between
rounds in which a round is played, for the player who opens it: won, drawn, lost, not proven. `rounds`
are those that the winner of the match needs when the loser puts it off. The commands marked *slow* are not
run by the tests.

| Match | Result | Rounds | States | Command |
|---|---|---|---|---|
";

fn results() -> Vec<Value> {
    lines(include_str!("../data/results.jsonl"))
}

fn matches() -> Vec<Value> {
    lines(include_str!("../data/matches.jsonl"))
}

fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

fn command(case: &Value) -> String {
    format!("solve {} --engine search --time 5m", text_of(case, "start"))
}

fn row(case: &Value) -> String {
    let by = case["margin"]
        .as_i64()
        .map_or(String::new(), |margin| format!(" by {}", margin.abs()));
    let result = match text_of(case, "outcome").as_str() {
        "win" => format!("South wins{by}"),
        "loss" => format!("North wins{by}"),
        _ => "a draw".to_owned(),
    };
    let bound = |key: &str| case.get(key).map_or(String::new(), ToString::to_string);
    let slow = if case["quick"] == true {
        ""
    } else {
        ", *slow*"
    };
    format!(
        "| {}{slow} | {result} | {} | {} | `sowbase {}` |\n",
        text_of(case, "board"),
        bound("lower").trim_matches('"'),
        bound("upper").trim_matches('"'),
        command(case),
    )
}

fn match_command(case: &Value) -> String {
    format!("match {} --scores", text_of(case, "match"))
}

fn match_row(case: &Value) -> String {
    let result = match text_of(case, "outcome").as_str() {
        "win" => "South wins",
        "loss" => "North wins",
        "draw" => "a draw",
        _ => "not proven",
    };
    let rounds = match case["rounds"].as_array().map(Vec::as_slice) {
        Some([least, most]) if least == most => least.to_string(),
        Some([least, most]) => format!("{least} to {most}"),
        _ => String::new(),
    };
    let states = ["win", "draw", "loss", "unknown"].map(|key| case["states"][key].to_string());
    let slow = if case["quick"] == true {
        ""
    } else {
        ", *slow*"
    };
    format!(
        "| {}{slow} | {result} | {rounds} | {} | `sowbase {}` |\n",
        text_of(case, "board"),
        states.join(", "),
        match_command(case),
    )
}

#[test]
fn the_page_has_the_results() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tables/RESULTS.md");
    let rows: String = results().iter().map(row).collect();
    let matches: String = matches().iter().map(match_row).collect();
    let page = format!("{HEAD}{rows}{MATCHES}{matches}");
    if std::env::var_os("SOWBASE_WRITE_RESULTS").is_some() {
        std::fs::write(&path, &page).expect("a page that can be written");
    }
    assert_eq!(std::fs::read_to_string(&path).expect("the page"), page);
}

#[test]
fn the_commands_give_the_results() {
    for case in results().iter().filter(|case| case["quick"] == true) {
        let command = command(case);
        let args = ["sowbase"]
            .into_iter()
            .chain(command.split(' '))
            .chain(["--json"]);
        let mut out = Vec::new();
        sowbase::cli::run(args, &mut out, &|_| {}).unwrap_or_else(|why| panic!("{command}: {why}"));
        let found: Value = serde_json::from_slice(&out).expect("JSON");
        assert_eq!(found["proved"], true, "{command}");
        for key in ["outcome", "margin", "lower", "upper"] {
            assert_eq!(found.get(key), case.get(key), "{key} of {command}");
        }
    }
}

#[test]
fn the_matches_give_the_results() {
    for case in matches().iter().filter(|case| case["quick"] == true) {
        let command = match_command(case);
        let args = ["sowbase"].into_iter().chain(command.split(' '));
        let mut out = Vec::new();
        sowbase::cli::run(args.chain(["--json"]), &mut out, &|_| {})
            .unwrap_or_else(|why| panic!("{command}: {why}"));
        let found: Value = serde_json::from_slice(&out).expect("JSON");
        assert_eq!(found["state"]["outcome"], case["outcome"], "{command}");
        assert_eq!(found["state"]["rounds"], case["rounds"], "{command}");
        let states = found["states"].as_array().expect("states");
        for key in ["win", "draw", "loss", "unknown"] {
            let count = states
                .iter()
                .filter(|state| state["outcome"] == key)
                .count();
            assert_eq!(case["states"][key], count, "{key} of {command}");
        }
    }
}
