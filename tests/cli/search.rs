//! `solve` by search as a user runs it: what is proven is right, what is not is called so, limits and
//! interrupts give what there is; tables and histories; the bench's signature.

use crate::solve::{check_moves, replay};
use crate::support::{BINARY, answer, cases, json, refusal, sowbase, text_of};
use serde_json::Value;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Runs `solve --json` in this process.
fn solve(game: &str, position: &str, flags: &[&str]) -> Value {
    let mut out = Vec::new();
    let args = [&["sowbase", "solve", game, position, "--json"], flags].concat();
    sowbase::cli::run(&args, &mut out, &|_| {}).unwrap_or_else(|why| panic!("{args:?}: {why}"));
    serde_json::from_slice(&out).expect("JSON")
}

/// The object in what a run wrote before it failed with code 5.
fn stopped(args: &[&str]) -> Value {
    let output = sowbase(args);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(5), "{args:?}: {stderr}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn table(name: &str) -> String {
    format!("{}/tables/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn sampled_values_are_proven() {
    for (at, case) in cases("values.jsonl").iter().enumerate().step_by(4) {
        let (game, position) = (text_of(case, "game"), text_of(case, "position"));
        let threads = ["--threads=1", "--threads=2"][at / 4 % 2];
        let flags = ["--engine=search", "--time=5m", "--memory=64MiB", threads];
        let found = solve(&game, &position, &flags);
        let scored = case.get("lower").is_some();
        for key in ["outcome", "lower", "upper"] {
            assert_eq!(found.get(key), case.get(key), "{key} of {found}");
        }
        assert_eq!(found["proved"], true);
        assert_eq!(found["distance"], Value::Null);
        assert_eq!(found.get("margin").is_some(), scored);
        assert!(found.get("expected").is_none(), "{found}");
        // Moves of a position that is proven have limits of their own, but these are small.
        check_moves(&found, scored);
        assert_ne!(found["line_end"], "cut", "{found}");
        replay(&found);
    }
}

#[test]
fn moves_and_lines_do_not_depend_on_the_engine() {
    for (game, position) in [
        ("giuthi", "0,3,0,2,1/2,0,1,2,1 S"),
        ("bosh", "2,0,1,1/1,2,0,2 N 1-0"),
        ("hawalis", "0,1,0/2,0,1/1,0,2/0,1,1 N"),
        ("hus", "0,1,0/1,0,1/0,1,0/2,0,2 S"),
    ] {
        let layers = solve(game, position, &["--engine=layers"]);
        let search = solve(game, position, &["--engine=search", "--time=5m"]);
        let (a, b) = (&layers["moves"], &search["moves"]);
        let pairs = a
            .as_array()
            .expect("moves")
            .iter()
            .zip(b.as_array().expect("moves"));
        for (a, b) in pairs {
            for key in [
                "move", "position", "outcome", "margin", "lower", "upper", "best",
            ] {
                assert_eq!(a.get(key), b.get(key), "{key} of {a} and {b}");
            }
        }
        let end = |found: &Value| found["line_end"].clone();
        assert_eq!(end(&layers), end(&search), "{search}");
    }
}

#[test]
fn an_open_answer_says_so() {
    let args = [
        "solve",
        "giuthi",
        "start",
        "--engine=search",
        "--time=1s",
        "--memory=64MiB",
    ];
    let found = stopped(&[&args[..], &["--json"]].concat());
    assert_eq!(found["outcome"], "unknown");
    assert_eq!(found["proved"], false);
    assert_eq!(found["margin"], Value::Null);
    assert_eq!([&found["lower"], &found["upper"]], ["-inf", "inf"]);
    assert!(found["expected"]["depth"].as_u64() > Some(0), "{found}");
    assert_eq!(found["moves"].as_array().map(Vec::len), Some(16));
    let output = sowbase(&args);
    let text = String::from_utf8_lossy(&output.stdout);
    for part in [
        "Open: who wins is not proven.",
        "Expected, not proven",
        "--time",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("sowbase: time is up"), "{stderr}");
}

#[test]
fn layers_heed_the_time_too() {
    let start = ["solve", "giuthi", "start", "--columns=6", "--seeds=2"];
    let flags = [
        "--engine=layers",
        "--memory=32GiB",
        "--time=1s",
        "--threads=1",
        "--json",
    ];
    let found = stopped(&[&start[..], &flags].concat());
    assert_eq!(found["outcome"], "unknown");
}

#[test]
fn a_time_beyond_all_clocks_is_no_limit() {
    for engine in ["--engine=layers", "--engine=search"] {
        let time = format!("--time={}s", u64::MAX);
        let found = solve("bosh", "2,0,1/1,2,0 S", &[engine, &time]);
        assert_eq!(found["proved"], true);
    }
}

#[test]
fn what_does_not_fit_is_searched() {
    let start = [
        "solve",
        "giuthi",
        "start",
        "--columns=3",
        "--seeds=2",
        "--json",
    ];
    let output = sowbase(&[&start[..], &["--memory=64KiB"]].concat());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("searching instead"), "{stderr}");
    let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let layers = json(&start);
    for key in ["outcome", "margin", "lower", "upper"] {
        assert_eq!(found[key], layers[key]);
    }
}

#[test]
fn what_takes_too_long_is_searched() {
    let start = ["solve", "giuthi", "start", "--columns=6", "--seeds=2"];
    let output = sowbase(&[&start[..], &["--threads=1", "--time=1s", "--memory=32GiB"]].concat());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        stderr.contains("more than the 1 s of --time: searching instead"),
        "{stderr}"
    );
    // Whether a second is enough depends on the machine.
    assert!(matches!(output.status.code(), Some(0 | 5)), "{output:?}");
}

#[test]
fn tables_answer_and_help() {
    let (large, small) = (table("giuthi-2x3"), table("bosh-2x3"));
    let tables = ["--tables", &large, "--tables", &small];
    // Covered: the same as layers, and as asked for.
    let covered = "1,0,2/0,3,1 S 1-0";
    let layers = solve("giuthi", covered, &["--engine=layers"]);
    assert_eq!(solve("giuthi", covered, &tables), layers);
    let forced = [&tables[..], &["--engine=tables"]].concat();
    assert_eq!(solve("giuthi", covered, &forced), layers);
    // Above the table: it is probed at the edge.
    let above = "3,3,3/3,3,3 S";
    let layers = solve("giuthi", above, &["--engine=layers"]);
    let search = solve(
        "giuthi",
        above,
        &[&tables[..], &["--engine=search"]].concat(),
    );
    for key in ["outcome", "margin", "lower", "upper"] {
        assert_eq!(search[key], layers[key]);
    }
    let args = ["solve", "giuthi", above, "--engine=tables"];
    let message = refusal(&[&args[..], &tables[..2]].concat(), 5);
    assert!(message.contains("layer 18"), "{message}");
    assert!(refusal(&args, 2).contains("--tables"));
    let output = sowbase(&[&["solve", "giuthi", covered], &tables[..]].concat());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        stderr.contains("bosh-2x3") && stderr.contains("left out"),
        "{stderr}"
    );
    refusal(&["solve", "giuthi", covered, "--tables", "tables/none"], 4);
}

#[test]
fn moves_are_valued_where_a_table_covers_them() {
    for (game, name, position) in [
        ("giuthi", "giuthi-2x3", "1,0,2/0,3,1 S 2-0"),
        ("bosh", "bosh-2x3", "1,2,2/3,0,1 N"),
        ("hawalis", "hawalis-4x2", "0,1/2,0/1,1/0,2 S"),
        ("hus", "hus-4x2", "0,1/2,0/1,1/0,2 N"),
    ] {
        let args = ["moves", game, position, "--tables", &table(name)];
        let listed = json(&[&args[..], &["--json"]].concat());
        let solved = solve(game, position, &["--engine=layers"]);
        let moves = |found: &Value| found["moves"].as_array().expect("moves").clone();
        assert_eq!(moves(&listed).len(), moves(&solved).len());
        for (a, b) in moves(&listed).iter().zip(&moves(&solved)) {
            for key in [
                "move", "position", "outcome", "margin", "lower", "upper", "distance",
            ] {
                assert_eq!(a.get(key), b.get(key), "{key} of {a}");
            }
        }
        assert!(answer(&args).contains("result"));
    }
    // Beyond the table nothing is claimed.
    let args = [
        "moves",
        "giuthi",
        "4,4,4/4,4,4 S",
        "--tables",
        &table("giuthi-2x3"),
    ];
    assert!(answer(&args).contains("in no table"));
    let listed = json(&[&args[..], &["--json"]].concat());
    assert!(listed["moves"][0].get("outcome").is_none());
}

#[test]
fn a_history_counts() {
    let data = include_str!("../data/histories.jsonl");
    let mut changed = 0;
    for line in data.lines() {
        let case: Value = serde_json::from_str(line).expect("JSON");
        let (game, position) = (text_of(&case, "game"), text_of(&case, "position"));
        let history = text_of(&case, "history");
        for engine in ["--engine=layers", "--engine=search"] {
            let found = solve(
                &game,
                &position,
                &["--history", &history, engine, "--time=5m"],
            );
            let now = text_of(&found, "position");
            let fresh = solve(&game, &now, &["--engine=layers"]);
            assert_eq!(
                found["history"]["fresh_outcome"], fresh["outcome"],
                "{found}"
            );
            assert_eq!(found["history"]["changes"], case["changes"], "{found}");
            for key in ["outcome", "lower", "upper"] {
                assert_eq!(found.get(key), case.get(key), "{key} of {found}");
            }
            assert_eq!(found["proved"], true);
        }
        let text = answer(&["solve", &game, &position, "--history", &history]);
        if case["outcome"] != case["fresh_outcome"] {
            changed += 1;
            assert!(text.contains("That is because of"), "{text}");
        }
    }
    assert!(changed >= 2, "a past that changes nothing tests nothing");
}

#[test]
fn a_history_must_be_playable() {
    let of = |moves: &str| refusal(&["solve", "bosh", "2,2,2/2,2,2 S", "--history", moves], 2);
    assert!(of("a,z").contains("move 2 'z'"));
    assert!(of("a,a").contains("not legal"));
    assert!(of(" , ").contains("found none"));
    // Two moves that keep the turn and lead back to where they started.
    let known = cases("known.jsonl");
    let cycle = known
        .iter()
        .find(|case| case.get("cycle").is_some())
        .expect("the cycle");
    let names = cycle["cycle"].as_array().expect("moves").iter();
    let names: Vec<&str> = names.map(|name| name.as_str().expect("a name")).collect();
    let position = text_of(cycle, "position");
    let message = refusal(
        &["solve", "giuthi", &position, "--history", &names.join(",")],
        2,
    );
    assert!(message.contains("come up before"), "{message}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_prints_what_there_is() {
    let child = Command::new(BINARY)
        .args(["solve", "giuthi", "start", "--engine=search", "--time=1h"])
        .args(["--memory=64MiB", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    std::thread::sleep(Duration::from_secs(3));
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.expect("kill").success());
    let output = child.wait_with_output().expect("it ends");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(5), "{stderr}");
    assert!(stderr.contains("interrupted"), "{stderr}");
    let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(found["proved"], false);
}
