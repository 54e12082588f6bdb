//! `solve` as a user runs it: the sampled values, lines that end as their value says, limits.

use crate::support::{answer, cases, json, refusal, sowbase, text_of};
use serde_json::Value;
use std::collections::HashSet;

/// Runs `moves` in this process: replaying lines would start thousands of others.
pub fn moves(game: &str, position: &str) -> Value {
    let mut out = Vec::new();
    let args = ["sowbase", "moves", game, position, "--json"];
    sowbase::cli::run(args, &mut out, &|_| {}).expect("a position");
    serde_json::from_slice(&out).expect("JSON")
}

/// The same for `solve`.
fn solve(game: &str, position: &str) -> Value {
    let mut out = Vec::new();
    let args = ["sowbase", "solve", game, position, "--json", "--threads=1"];
    sowbase::cli::run(args, &mut out, &|_| {}).expect("a position");
    serde_json::from_slice(&out).expect("JSON")
}

/// A position's text without captured seeds.
fn bare(text: &str) -> String {
    text.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

/// Plays the line: every move legal, the end as told, no repetition but the last.
pub fn replay(found: &Value) {
    let game = text_of(found, "game");
    let mut at = text_of(found, "position");
    let mut seen = HashSet::from([bare(&at)]);
    let line = found["line"].as_array().expect("a line");
    let end = text_of(found, "line_end");
    for (ply, name) in line.iter().enumerate() {
        let list = moves(&game, &at);
        let list = list["moves"].as_array().expect("moves");
        let choice = list.iter().find(|choice| choice["move"] == *name);
        at = text_of(choice.expect("a legal move"), "position");
        let repeats = !seen.insert(bare(&at));
        let last = ply + 1 == line.len();
        assert_eq!(repeats, last && end == "repetition", "ply {ply} of {found}");
    }
    let over = moves(&game, &at)["moves"]
        .as_array()
        .expect("moves")
        .is_empty();
    match text_of(found, "outcome").as_str() {
        "draw" if end == "repetition" => assert!(!over || line.is_empty(), "{found}"),
        outcome => {
            assert_eq!(end, outcome, "{found}");
            assert!(over, "{found}");
        }
    }
}

/// The best moves are those whose value is the position's.
pub fn check_moves(found: &Value, scored: bool) {
    let list = found["moves"].as_array().expect("moves");
    let key = if scored { "margin" } else { "outcome" };
    for choice in list {
        assert_eq!(choice["best"], choice[key] == found[key], "{found}");
        assert_eq!(choice.get("margin").is_some(), scored);
        assert_eq!(choice.get("lower").is_some(), scored);
    }
    let best = list.iter().filter(|choice| choice["best"] == true).count();
    assert!(best > 0 || list.is_empty(), "{found}");
}

#[test]
fn sampled_values_moves_and_lines() {
    let cases = cases("values.jsonl");
    assert!(cases.len() >= 400);
    // Values are tested where they are made, all of them; here it is their way to the user.
    for case in cases.iter().step_by(3) {
        let found = solve(&text_of(case, "game"), &text_of(case, "position"));
        for (key, value) in case.as_object().expect("a case") {
            assert_eq!(&found[key], value, "{key} of {case}");
        }
        let scored = case.get("lower").is_some();
        for key in [
            "margin",
            "lower",
            "upper",
            "lower_distance",
            "upper_distance",
        ] {
            assert_eq!(found.get(key).is_some(), scored, "{key} of {case}");
        }
        assert_eq!(found["proved"], true);
        check_moves(&found, scored);
        replay(&found);
    }
}

#[test]
fn a_turn_without_end_draws_at_will() {
    let cases = cases("known.jsonl");
    let case = cases
        .iter()
        .find(|case| case.get("cycle").is_some())
        .expect("the cycle");
    let found = json(&["solve", "giuthi", &text_of(case, "position"), "--json"]);
    assert_eq!(found["upper"], case["upper"]);
    assert_ne!(found["outcome"], "loss");
}

#[test]
fn the_lead_counts_where_there_is_a_score() {
    let position = "0,3,0,2,1/2,0,1,2,1";
    let of = |rest: &str| json(&["solve", "giuthi", &format!("{position} {rest}"), "--json"]);
    let (even, ahead, behind) = (of("S"), of("S 5-0"), of("S 0-20"));
    let margin = even["margin"].as_i64().expect("a margin");
    assert_eq!(ahead["margin"], margin + 5);
    assert_eq!(behind["lower"], even["lower"]);
    assert_eq!(
        behind["outcome"], "draw",
        "North cannot force an end: {behind}"
    );
    let hus = |rest: &str| {
        let position = format!("0,1,0/1,0,1/0,1,0/2,0,2 S{rest}");
        json(&["solve", "hus", &position, "--json"])["outcome"].clone()
    };
    assert_eq!(hus(""), hus(" 0-50"));
}

#[test]
fn an_endless_move_that_may_be_chosen_draws() {
    let position = "1,2,0,1,0/1,0,1,0,1 S";
    let found = json(&[
        "solve",
        "bosh",
        position,
        "--rule",
        "endless=draw",
        "--json",
    ]);
    let list = found["moves"].as_array().expect("moves");
    let endless = list.iter().find(|choice| choice["move"] == "a").expect("a");
    assert_eq!(endless["endless"], true);
    assert_eq!(endless["outcome"], "draw");
    assert_eq!(endless["position"], Value::Null);
    let without = json(&["solve", "bosh", position, "--json"]);
    let names = |found: &Value| found["moves"].as_array().map(Vec::len);
    assert_eq!(names(&without), Some(list.len() - 1));
}

#[test]
fn what_does_not_fit_is_refused_with_the_figure() {
    let layers = ["--engine", "layers"];
    let args = [
        "solve",
        "giuthi",
        "start",
        "--columns=5",
        "--seeds=2",
        "--memory=1MiB",
    ];
    let message = refusal(&[&args[..], &layers].concat(), 5);
    assert!(
        message.contains("positions") && message.contains("1.0 MiB"),
        "{message}"
    );
    let message = refusal(&[&["solve", "giuthi", "start"], &layers[..]].concat(), 5);
    assert!(message.contains("more than"), "{message}");
    let large = ["solve", "hus", "start", "--columns", "16", "--seeds", "5"];
    refusal(&[&large[..], &layers].concat(), 5);
}

#[test]
fn the_cost_goes_to_stderr_and_the_answer_to_stdout() {
    let output = sowbase(&["solve", "hawalis", "0,1,0/2,0,1/1,0,2/0,1,1 N"]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0));
    assert!(stderr.contains("149,940 positions"), "{stderr}");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(
        stdout.contains("South wins") && !stdout.contains("positions"),
        "{stdout}"
    );
}

#[test]
fn boards_are_shown_on_request() {
    let args = ["solve", "bosh", "start", "--columns", "3", "--seeds", "2"];
    let rows = |text: &str| {
        text.lines()
            .filter(|line| line.starts_with("  South   "))
            .count()
    };
    assert_eq!(rows(&answer(&args)), 1);
    let line = json(&[&args[..], &["--json"]].concat())["line"]
        .as_array()
        .map(Vec::len);
    let boards = answer(&[&args[..], &["--boards"]].concat());
    assert_eq!(Some(rows(&boards)), line.map(|plies| plies + 1));
}

#[test]
fn threads_do_not_change_the_answer() {
    let position = "0,2,1,0,2/1,2,1,1,1 S";
    let of = |threads| answer(&["solve", "giuthi", position, "--json", "--threads", threads]);
    assert_eq!(of("1"), of("2"));
    assert_eq!(of("1"), of("7"));
}
