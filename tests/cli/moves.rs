//! `moves` and `perft` as a user runs them, against the case files: every move of every position, and
//! the published answers.

use crate::support::{answer, case_text, cases, json, sowbase, text_of};
use serde_json::Value;

/// Compares `moves --json` with a case, which does not speak of laps.
fn check(case: &Value) {
    let (game, position) = (text_of(case, "game"), text_of(case, "position"));
    let mut args = vec!["moves", &game, &position, "--json"];
    let rule = case.get("rule").map(|rule| rule.as_str().expect("rule"));
    if let Some(rule) = rule {
        args.extend(["--rule", rule]);
    }
    let mut found = json(&args);
    for choice in found["moves"].as_array_mut().expect("moves") {
        let choice = choice.as_object_mut().expect("a move");
        let laps = choice.remove("laps");
        let ends = !choice.contains_key("endless");
        assert_eq!(laps.is_some_and(|laps| laps.is_u64()), ends, "{args:?}");
    }
    assert_eq!(found["game"], case["game"]);
    assert_eq!(found["position"], case["position"], "{args:?}");
    assert_eq!(found["moves"], case["moves"], "{args:?}");
}

fn check_file(file: &str) {
    let cases = cases(file);
    assert!(cases.len() >= 100, "{file} is short");
    cases.iter().for_each(check);
}

#[test]
fn every_move_of_giuthi() {
    check_file("moves-giuthi.jsonl");
}

#[test]
fn every_move_of_bosh() {
    check_file("moves-bosh.jsonl");
}

#[test]
fn every_move_of_hawalis() {
    check_file("moves-hawalis.jsonl");
}

#[test]
fn every_move_of_hus() {
    check_file("moves-hus.jsonl");
}

#[test]
fn every_move_under_every_option() {
    check_file("moves-options.jsonl");
}

#[test]
fn every_count_of_paths() {
    let text = case_text("perft.csv");
    let mut lines = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(',').collect();
        let [game, start, depth, count] = fields[..] else {
            panic!("{line}");
        };
        let (columns, seeds) = start
            .strip_prefix("start:")
            .and_then(|size| size.split_once('x'))
            .expect("start:COLUMNSxSEEDS");
        let args = [
            "perft",
            game,
            "start",
            depth,
            "--columns",
            columns,
            "--seeds",
            seeds,
        ];
        assert_eq!(answer(&args).trim(), count, "{line}");
        let found = json(&[&args[..], &["--json"]].concat());
        assert_eq!(found["game"], game);
        assert_eq!(found["depth"].to_string(), depth);
        assert_eq!(found["count"].to_string(), count);
        assert!(text_of(&found, "position").ends_with(" S 0-0"));
        lines += 1;
    }
    assert!(lines > 50);
}

/// The move of that name in the answer to `moves --json`.
fn move_named<'a>(found: &'a Value, name: &str) -> &'a Value {
    let moves = found["moves"].as_array().expect("moves");
    moves
        .iter()
        .find(|choice| choice["move"] == name)
        .expect(name)
}

#[test]
fn published_answers() {
    let cases = cases("known.jsonl");
    assert_eq!(cases.len(), 7);
    for case in &cases {
        let (game, position) = (text_of(case, "game"), text_of(case, "position"));
        let size = |key: &str| case.get(key).map(|size| format!("--{key}={size}"));
        let sizes: Vec<String> = ["columns", "seeds"].into_iter().filter_map(size).collect();
        let mut args = vec!["moves", &game, &position];
        args.extend(sizes.iter().map(String::as_str));
        let text = answer(&args);
        args.push("--json");
        let found = json(&args);
        if let Some(period) = case.get("period") {
            let name = text_of(case, "move");
            assert_eq!(move_named(&found, &name)["endless"], true, "{case}");
            let line = text
                .lines()
                .find(|line| line.starts_with(&format!("  {name} ")));
            let words = format!("every {period} laps");
            assert!(line.is_some_and(|line| line.contains(&words)), "{text}");
        } else if let Some(best) = case.get("moves") {
            let takes = |choice: &Value| choice["captured"].as_u64().expect("captured");
            let moves = found["moves"].as_array().expect("moves");
            assert_eq!(moves.iter().map(takes).max(), case["captured"].as_u64());
            let found: Vec<&Value> = moves
                .iter()
                .filter(|choice| choice["captured"] == case["captured"])
                .map(|choice| &choice["move"])
                .collect();
            assert_eq!(
                found,
                best.as_array().expect("moves").iter().collect::<Vec<_>>()
            );
        } else if let Some(cycle) = case.get("cycle") {
            follow_cycle(&game, &position, cycle);
        } else {
            let choice = move_named(&found, &text_of(case, "move"));
            assert_eq!(choice["captured"], case["captured"]);
            assert_eq!(choice["position"], case["result"]);
        }
    }
}

/// The moves of `cycle` lead back to `start` without the turn passing.
fn follow_cycle(game: &str, start: &str, cycle: &Value) {
    let mut at = start.to_owned();
    for name in cycle.as_array().expect("cycle") {
        let found = json(&["moves", game, &at, "--json"]);
        let choice = move_named(&found, name.as_str().expect("a move"));
        assert_eq!(choice["again"], true);
        at = text_of(choice, "position");
    }
    assert_eq!(at, start);
}

#[test]
fn the_text_shows_a_board_and_a_table() {
    let text = answer(&["moves", "giuthi", "0,3,4,3,4/2,2,3,4,0 S 5-0"]);
    let expected = "\
giuthi 2x5, 25 seeds on the board, South to move

  North   0   3   4   3   4   captured 0
  South   2   2   3   4   0   to move, captured 5
          a   b   c   d   e

  move  takes  laps  leads to
  a+        5     3  2,0,0,3,4/2,5,0,4,0 N 10-0
";
    assert!(text.starts_with(expected), "{text}");
}

#[test]
fn captured_seeds_are_written_only_where_they_were_given() {
    let of = |text| text_of(&json(&["moves", "bosh", text, "--json"]), "position");
    assert_eq!(of("1,2/3,4"), "1,2/3,4 S");
    assert_eq!(of("  1,2/3,4   N 0-0 "), "1,2/3,4 N 0-0");
    assert_eq!(of("1,#/3,4 N"), "1,#/3,4 N");
}

#[test]
fn a_forced_opening_is_played() {
    let opened = json(&[
        "moves",
        "giuthi",
        "start",
        "--rule",
        "opening=a+,b-",
        "--json",
    ]);
    let first = json(&["moves", "giuthi", "start", "--json"]);
    let after = text_of(move_named(&first, "a+"), "position");
    let second = json(&["moves", "giuthi", &after, "--json"]);
    assert_eq!(opened["position"], move_named(&second, "b-")["position"]);
}

#[test]
fn finished_games_say_who_won() {
    let over = |game, text| answer(&["moves", game, text]);
    assert!(over("giuthi", "1,0/0,1 S 3-0").ends_with("the game is over: South has won by 3.\n"));
    assert!(over("giuthi", "1,0/0,1 N 3-0").ends_with("the game is over: South has won by 3.\n"));
    assert!(over("giuthi", "1,0/0,1 S").ends_with("the game is over: a draw.\n"));
    assert!(over("bosh", "1,0/0,0 S 1-0").ends_with("the game is over: a draw.\n"));
    assert!(over("hus", "0,1/0,1/0,1/0,1 N").ends_with("North has no legal move and has lost.\n"));
}

#[test]
fn large_boards_play() {
    for args in [
        ["perft", "giuthi", "start", "2", "--columns=10", "--seeds=9"],
        ["perft", "hus", "start", "2", "--columns=16", "--seeds=2"],
        ["perft", "hus", "start", "1", "--columns=16", "--seeds=5"],
    ] {
        assert!(answer(&args).trim().parse::<u64>().expect("a count") > 0);
    }
}

#[test]
fn threads_change_nothing() {
    let args = ["perft", "giuthi", "start", "5"];
    for threads in ["1", "2", "5"] {
        let args = [&args[..], &["--threads", threads]].concat();
        assert_eq!(answer(&args), "368012\n");
    }
}

#[test]
fn a_deep_count_of_a_turn_without_end_keeps_its_stack() {
    // North can only pass and South has only moves that keep the turn or pass it back.
    let output = sowbase(&["perft", "hus", "0,0/0,0/0,0/2,0 S", "1000"]);
    assert_eq!(output.status.code(), Some(0));
}
