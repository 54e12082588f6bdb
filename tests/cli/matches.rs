//! `match` as a user runs it. What states are worth is held against the whole match as one graph in the
//! library's tests; the answers here are those, kept as values.

use crate::support::{answer, json, refusal, sowbase};
use serde_json::Value;

/// Outcomes and rounds of a match of 2x3 with 2 a pit, from 2 seeds of the opener's up to 10.
const SMALL: [(&str, Option<u32>); 9] = [
    ("loss", Some(1)),
    ("loss", Some(2)),
    ("loss", Some(4)),
    ("draw", None),
    ("win", Some(3)),
    ("win", Some(1)),
    ("win", Some(1)),
    ("win", Some(1)),
    ("win", Some(1)),
];

const ARGS: [&str; 5] = ["match", "--columns", "3", "--seeds", "2"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&ARGS[..], more].concat()
}

fn assert_small(found: &Value) {
    let states = found["states"].as_array().expect("states");
    assert_eq!(states.len(), SMALL.len());
    for ((state, (outcome, rounds)), owns) in states.iter().zip(SMALL).zip(2..) {
        assert_eq!(
            (&state["owns"], &state["other"]),
            (&owns.into(), &(12 - owns).into())
        );
        assert_eq!(state["outcome"], outcome, "{state}");
        assert_eq!(state["at_least"], outcome, "{state}");
        assert_eq!(state["at_most"], outcome, "{state}");
        let both = rounds.map_or(Value::Null, |rounds| Value::from(vec![rounds; 2]));
        assert_eq!(state["rounds"], both, "{state}");
    }
}

#[test]
fn the_table_of_states_and_the_line_are_told() {
    let found = json(&with(&["--json"]));
    assert_small(&found);
    assert_eq!(found["proved"], true);
    let asked = &found["state"];
    assert_eq!((&asked["south"], &asked["north"]), (&6.into(), &6.into()));
    assert_eq!(
        (&asked["outcome"], &asked["line_end"]),
        (&"win".into(), &"south".into())
    );
    let line = asked["line"].as_array().expect("a line");
    assert_eq!(line.len(), 3);
    // Rounds follow each other: what is taken, and seeds in hand, are what is owned next.
    assert_eq!(line[0]["position"], "2,2,2/2,2,2 S");
    for pair in line.windows(2) {
        let taken = |at: usize| pair[0]["taken"][at].as_u64().expect("a number");
        let position = pair[0]["position"].as_str().expect("a position");
        let on_board: u64 = position
            .split(['/', ',', ' '])
            .filter_map(|pit| pit.parse::<u64>().ok())
            .sum();
        assert_eq!(taken(0) + taken(1), on_board, "{pair:?}");
    }
    let scores = json(&with(&["--json", "--scores"]));
    assert!(scores["state"]["line"][0].get("moves").is_none());
    let text = answer(&with(&[]));
    assert!(text.contains("South wins the match in 3 rounds."), "{text}");
    assert!(text.contains("South has won the match, "), "{text}");
}

#[test]
fn a_state_is_asked_about_from_either_seat() {
    let north = json(&with(&["--json", "--state", "7-5", "--first", "N"]));
    let south = json(&with(&["--json", "--state", "5-7", "--first", "S"]));
    for found in [&north, &south] {
        assert_eq!(found["state"]["outcome"], "draw");
        assert_eq!(found["state"]["line_end"], "repetition");
    }
    assert_eq!(north["state"]["first"], "N");
    let moves = |found: &Value| found["state"]["line"][0]["moves"].clone();
    assert_ne!(moves(&north), Value::Null);
    // Filled from the other end, the pits have other names and the match is the same.
    let right = json(&with(&["--json", "--state", "5-7", "--rule", "fill=right"]));
    assert_eq!(right["states"], south["states"]);
    assert_eq!(right["state"]["line"][0]["position"], "2,2,2/#,2,2 S");
    assert_eq!(south["state"]["line"][0]["position"], "2,2,2/2,2,# S");
    let over = answer(&with(&["--state", "11-1", "--first", "N"]));
    assert!(over.contains("South wins the match."), "{over}");
}

#[test]
fn threads_change_nothing() {
    let args = [
        "--columns=4",
        "--seeds=1",
        "--rule=first-player=loser",
        "--json",
    ];
    let run = |threads| answer(&[&["match", threads], &args[..]].concat());
    assert_eq!(run("--threads=1"), run("--threads=8"));
}

/// The largest board does not fit: what does not depend on it is proven, the rest is bounded.
#[test]
fn what_does_not_fit_is_told_and_the_rest_proven() {
    let args = with(&["--json", "--memory", "32KiB"]);
    let output = sowbase(&args);
    assert_eq!(output.status.code(), Some(5));
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(stderr.contains("3-3 needs at least 59.2 KiB"), "{stderr}");
    let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(found["proved"], false);
    assert_eq!(found["boards"][2]["solved"], false);
    let states = found["states"].as_array().expect("states");
    let rank = |name: &Value| {
        ["loss", "draw", "win"]
            .iter()
            .position(|known| name == known)
    };
    for (state, (outcome, _)) in states.iter().zip(SMALL) {
        let truth = rank(&outcome.into());
        assert!(
            rank(&state["at_least"]) <= truth && truth <= rank(&state["at_most"]),
            "{state}"
        );
        assert!(
            state["outcome"] == "unknown" || state["outcome"] == outcome,
            "{state}"
        );
    }
    // 6-6 is not known; a state whose round decides the match is.
    assert_eq!(states[4]["outcome"], "unknown");
    assert_eq!(states[6]["outcome"], "win");
    assert_eq!(found["state"]["line_end"], "cut");
    let text = sowbase(&with(&["--memory", "32KiB"]));
    assert_eq!(text.status.code(), Some(5));
    let text = String::from_utf8(text.stdout).expect("UTF-8");
    assert!(
        text.contains("does not fit") && text.contains("not proven"),
        "{text}"
    );
}

#[test]
fn a_dry_run_says_what_fits() {
    let text = answer(&with(&["--dry-run"]));
    assert!(text.contains("3-3") && text.contains("18,564"), "{text}");
    let output = sowbase(&with(&["--dry-run", "--memory", "32KiB"]));
    assert_eq!(output.status.code(), Some(5));
    assert!(String::from_utf8_lossy(&output.stdout).contains("does not fit"));
}

#[test]
fn what_is_wrong_is_named() {
    for (more, part) in [
        (&["--state", "6-7"][..], "expected 12 seeds in all"),
        (&["--state", "6"], "such as 12-8"),
        (&["--state", "6--6"], "such as 12-8"),
        (&["--state", "4294967295-13"], "expected 12 seeds in all"),
        (&["--first", "E"], "possible values: S, N"),
        (&["--rule", "opening=a"], "rule 'opening'"),
        (
            &["--rule", "first-player=south"],
            "alternate or loser or winner",
        ),
        (&["--rule", "chain=all"], "no rule 'chain'"),
        (&["--dry-run", "--json"], "cannot be used with"),
    ] {
        let message = refusal(&with(more), 2);
        assert!(message.contains(part), "{more:?}: {message}");
    }
    let message = refusal(&["match", "--columns", "11"], 2);
    assert!(message.contains("1 to 10 columns"), "{message}");
    let message = refusal(&["match", "--columns", "10", "--seeds", "13"], 2);
    assert!(message.contains("at most 255 seeds"), "{message}");
}

/// Boards too large for any memory are told as such, at once.
#[test]
fn a_match_beyond_all_memory_is_told_at_once() {
    let output = sowbase(&["match", "--columns", "10", "--seeds", "12", "--json"]);
    assert_eq!(output.status.code(), Some(5));
    let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(found["state"]["outcome"], "unknown");
}

/// A board read from a table of its own gives what solving it gives.
#[test]
fn boards_come_from_tables() {
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/tables/bosh-2x3");
    let output = sowbase(&with(&["--json", "--memory", "32KiB", "--tables", tables]));
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_small(&found);
    let plain = json(&with(&["--json"]));
    assert_eq!(found["state"], plain["state"]);
    let text = answer(&with(&["--tables", tables]));
    assert!(text.contains("from a table"), "{text}");
}
