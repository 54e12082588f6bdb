//! `puzzle check` and `puzzle mine` as a user runs them: the collections are sound, unsound puzzles give
//! exit code 3 and their faults, files that are wrong are told where, mining finds the same every time.

use crate::support::{answer, json, refusal, sowbase};
use serde_json::Value;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

fn root(path: &str) -> String {
    format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))
}

/// A file with a text of its own.
fn file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn check(name: &str, text: &str, code: i32) -> Vec<Value> {
    let path = file(name, text);
    let output = sowbase(&["puzzle", "check", path.to_str().unwrap(), "--json"]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn every_collection_is_sound_and_says_why_it_is_interesting() {
    for game in ["giuthi", "bosh", "hawalis", "hus"] {
        let path = root(&format!("solver-configs/puzzles/{game}.toml"));
        // The files say that no choice in a main line has a dual.
        let text = answer(&["puzzle", "check", &path, "--json", "--strict"]);
        let puzzles: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert!(puzzles.len() >= 10, "{game}: {}", puzzles.len());
        let different: HashSet<String> =
            puzzles.iter().map(|p| p["position"].to_string()).collect();
        assert_eq!(different.len(), puzzles.len());
        assert!(
            puzzles
                .iter()
                .all(|p| p["sound"] == true && p["game"] == game)
        );
        let written = std::fs::read_to_string(&path).unwrap();
        let notes = written.lines().filter(|line| line.starts_with("note = "));
        assert_eq!(notes.count(), puzzles.len(), "{game}");
    }
}

/// The README's example: South wins by d+ alone.
const SOUND: &str = r#"
[[puzzle]]
name = "Four are better than six"
game = "giuthi"
position = "0,1,3,0,2/2,0,0,4,1 S 6-8"
stipulation = "gain 13"
key = "d+"
"#;

#[test]
fn a_sound_puzzle_has_its_key_and_refutations() {
    let [found] = &check("sound.toml", SOUND, 0)[..] else {
        panic!("one puzzle")
    };
    assert_eq!(found["keys"], serde_json::json!(["d+"]));
    assert_eq!(found["name"], "Four are better than six");
    assert_eq!(found["lines"][0]["move"], "d+");
    assert_eq!(found["lines"][0]["captured"], 4);
    let failing = found["firsts"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|f| f["key"] == false);
    assert!(failing.clone().count() == 3);
    for first in failing.filter(|first| first["again"] == false) {
        assert!(
            !first["refutations"].as_array().unwrap().is_empty(),
            "{first}"
        );
    }
    let path = file("shown.toml", SOUND);
    let text = answer(&["puzzle", "check", path.to_str().unwrap(), "--boards"]);
    assert!(text.contains("Sound: only d+ does it"), "{text}");
    assert!(text.matches("  North ").count() > 2, "{text}");
    let brief = answer(&["puzzle", "check", path.to_str().unwrap(), "--brief"]);
    assert_eq!(brief.lines().count(), 1);
}

#[test]
fn unsound_puzzles_say_what_is_wrong() {
    let with = |position: &str, rest: &str| {
        format!("[[puzzle]]\ngame = \"bosh\"\nposition = \"{position}\"\n{rest}\n")
    };
    let cases = [
        // Two keys of the opening on three columns.
        (with("2,2,2/2,2,2 S", "stipulation = \"win\""), "cooks"),
        (
            with("2,2,2/2,2,2 S", "stipulation = \"gain 7\""),
            "cannot be met",
        ),
        (with("2,2,2/2,2,2 S", "stipulation = \"draw\""), "even win"),
        (with("2,2,2/0,0,0 S", "stipulation = \"win\""), "over"),
        (
            with("2,2,2/2,2,2 S", "stipulation = \"win\"\nkey = \"e\""),
            "no legal move",
        ),
        (
            with("2,2,2/2,2,2 S", "stipulation = \"win\"\nkey = \"b\""),
            "does not do it",
        ),
    ];
    for (text, fault) in cases {
        let [found] = &check("unsound.toml", &text, 3)[..] else {
            panic!("one puzzle")
        };
        assert_eq!(found["sound"], false);
        let remarks = found["remarks"].to_string();
        assert!(remarks.contains(fault), "{text}: {remarks}");
    }
}

#[test]
fn files_that_are_wrong_are_told_where() {
    let puzzle = "[[puzzle]]\ngame = \"hus\"\nposition = \"2,2/0,0/2,2/1,1\"\n";
    let cases = [
        (String::new(), "found none"),
        ("[[puzzle".to_owned(), "line 1"),
        ("puzzle = 3".to_owned(), "tables"),
        (puzzle.to_owned(), "puzzle 1, stipulation"),
        (format!("{puzzle}stipulation = \"mate\""), "expected 'win'"),
        (format!("{puzzle}stipulation = \"gain 3\""), "no score"),
        (
            format!("{puzzle}stipulation = \"win\"\nautor = \"me\""),
            "'author'",
        ),
        (format!("{puzzle}stipulation = \"win\"\nseeds = 3"), "start"),
        (
            format!("{puzzle}stipulation = \"win\"\nrules = {{ capture = \"all\" }}"),
            "capture",
        ),
        (
            "[[puzzle]]\ngame = \"hus\"\nposition = \"2,2/2,2\"\nstipulation = \"win\"".to_owned(),
            "4 rows",
        ),
        ("[[puzzle]]\ngame = \"chess\"".to_owned(), "giuthi"),
    ];
    for (text, expected) in cases {
        let path = file("wrong.toml", &text);
        let message = refusal(&["puzzle", "check", path.to_str().unwrap()], 2);
        assert!(message.contains(expected), "{text}: {message}");
    }
    assert!(refusal(&["puzzle", "check", "nowhere.toml"], 2).contains("nowhere.toml"));
    let path = file("only.toml", SOUND);
    let message = refusal(
        &["puzzle", "check", path.to_str().unwrap(), "--only", "2"],
        2,
    );
    assert!(message.contains("from 1 to 1"), "{message}");
    let output = sowbase(&[
        "puzzle",
        "check",
        path.to_str().unwrap(),
        "--memory",
        "1KiB",
    ]);
    assert_eq!(output.status.code(), Some(5));
    assert!(String::from_utf8_lossy(&output.stdout).contains("--memory"));
}

#[test]
fn what_is_mined_is_sound_and_the_same_every_time() {
    for name in ["giuthi-2x3", "bosh-2x3", "hawalis-4x2", "hus-4x2"] {
        let table = root(&format!("tables/{name}"));
        let mine = |more: &[&str]| {
            let args = [&["puzzle", "mine", &table, "--limit", "12"], more].concat();
            answer(&args)
        };
        for filters in [
            &["--every-ply"][..],
            &["--stipulation", "draw", "--min-moves", "2"],
            &["--max-seeds", "7", "--min-plies", "2", "--min-moves", "2"],
        ] {
            let one = mine(&[filters, &["--threads", "1"]].concat());
            assert_eq!(
                one,
                mine(&[filters, &["--threads", "3"]].concat()),
                "{name}"
            );
            // By layers in memory, which know nothing of the table.
            for found in check(&format!("mined-{name}.toml"), &one, 0) {
                assert_eq!(found["sound"], true);
                let duals = found["duals"].as_u64().unwrap();
                assert!(filters != ["--every-ply"] || duals == 0, "{found}");
            }
        }
    }
}

#[test]
fn mining_needs_what_it_needs() {
    let table = root("tables/hus-4x2");
    let message = refusal(&["puzzle", "mine", &table, "--stipulation", "gain"], 2);
    assert!(message.contains("no score"), "{message}");
    let output = sowbase(&["puzzle", "mine", &table, "--min-plies", "5000"]);
    assert_eq!(output.status.code(), Some(3));
    let wrong = [
        "puzzle",
        "mine",
        &table,
        "--min-plies",
        "9",
        "--max-plies",
        "3",
    ];
    assert!(refusal(&wrong, 2).contains("--max-plies 3"));
    let message = refusal(&["puzzle", "mine", &table, "--memory", "1KiB"], 5);
    assert!(message.contains("--max-seeds"), "{message}");
    assert!(refusal(&["puzzle", "mine", "nowhere"], 4).contains("nowhere"));
}

#[test]
fn a_table_serves_a_check() {
    let text = "[[puzzle]]\ngame = \"hus\"\nposition = \"0,6/0,0/2,2/2,0 S\"\nstipulation = \"win in 9\"\n";
    let path = file("table.toml", text);
    let path = path.to_str().unwrap();
    let by_table = json(&[
        "puzzle",
        "check",
        path,
        "--json",
        "--tables",
        &root("tables/hus-4x2"),
    ]);
    assert_eq!(by_table, json(&["puzzle", "check", path, "--json"]));
    assert_eq!(by_table["keys"], serde_json::json!(["d"]));
    let hurried = text.replace("in 9", "in 8");
    assert_eq!(check("hurried.toml", &hurried, 3)[0]["met"], false);
}

#[test]
fn closed_pits_are_written_where_they_lie() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("closed-mine");
    let _ = std::fs::remove_dir_all(&scratch);
    let config = file(
        "closed-mine.toml",
        "game = \"bosh\"\ncolumns = 3\nclosed = { north = \"b\" }\n[table]\nseeds = 12\n",
    );
    let out = scratch.to_str().unwrap();
    answer(&["build", config.to_str().unwrap(), "--out", out]);
    let mined = answer(&[
        "puzzle",
        "mine",
        out,
        "--min-moves",
        "2",
        "--min-plies",
        "2",
        "--limit",
        "60",
    ]);
    // Whoever the closed pit is of may be the solver.
    assert!(mined.contains(" S\"") && mined.contains(" N\""), "{mined}");
    for found in check("closed-mined.toml", &mined, 0) {
        assert_eq!(found["sound"], true, "{found}");
    }
}

#[test]
fn a_puzzle_that_is_too_large_does_not_stop_the_others() {
    let text = format!(
        "[[puzzle]]\ngame = \"hus\"\nposition = \"start\"\nstipulation = \"win\"\n{SOUND}\n\
         [[puzzle]]\nname = \"a\\u001b[31m\"\ngame = \"bosh\"\nposition = \"2,2,2/2,2,2\"\nstipulation = \"gain 7\"\n"
    );
    let found = check("large.toml", &text, 3);
    assert_eq!(found.len(), 3);
    assert!(found[0]["sound"].is_null() && !found[0]["remarks"][0].as_str().unwrap().is_empty());
    assert_eq!(
        (&found[1]["sound"], &found[2]["sound"]),
        (&Value::Bool(true), &Value::Bool(false))
    );
    let path = file("large.toml", &text);
    let output = sowbase(&["puzzle", "check", path.to_str().unwrap()]);
    assert!(!output.stdout.contains(&27));
}
