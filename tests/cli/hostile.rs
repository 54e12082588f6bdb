//! Hostile input: random and mutated positions and options never panic, never hang, and are refused
//! with exit code 2 and one line.

use crate::support::{Nonsense, case_positions, cases, sowbase, text_of};
use sowbase::cli::{Kind, run};

const GAMES: &[&str] = &["giuthi", "bosh", "hawalis", "hus"];

/// Runs the program in this process; a failure must be one line about usage, a limit reached, or a
/// table that is none. Only a search that was stopped has something to print all the same.
fn survives(args: &[String]) -> bool {
    let mut out = Vec::new();
    match run(args, &mut out, &|_| {}) {
        Ok(()) => true,
        Err(failure) => {
            let message = failure.to_string();
            let kind = failure.kind();
            let no_table = args.iter().any(|arg| arg == "--tables");
            let refused = match kind {
                Kind::Usage | Kind::Limit => true,
                Kind::Damaged | Kind::Other => no_table,
                _ => false,
            };
            assert!(refused, "{args:?}: {message}");
            assert!(
                !message.is_empty() && !message.contains(char::is_control),
                "{args:?}"
            );
            assert!(out.is_empty() || kind == Kind::Limit, "{args:?}");
            false
        }
    }
}

fn owned(args: &[&str]) -> Vec<String> {
    args.iter().map(|&arg| arg.to_owned()).collect()
}

#[test]
fn ten_thousand_position_strings() {
    let known = case_positions();
    let mut nonsense = Nonsense(1);
    let mut read = 0;
    for _ in 0..10_000 {
        let (game, text) = &known[nonsense.below(known.len())];
        let (game, text) = match nonsense.below(4) {
            0 => (nonsense.of(GAMES), nonsense.text()),
            1 => (nonsense.of(GAMES), text.clone()),
            _ => (game.as_str(), nonsense.mutated(text)),
        };
        read += u32::from(survives(&owned(&[
            "sowbase", "moves", game, "--json", "--", &text,
        ])));
    }
    // Were all refused, the test would say little of what happens after parsing.
    assert!(
        (500..9_500).contains(&read),
        "{read} of 10000 were positions"
    );
}

#[test]
fn positions_that_solve_is_asked_about() {
    let known = cases("values.jsonl");
    let mut nonsense = Nonsense(5);
    let mut solved = 0;
    for _ in 0..1_000 {
        let case = &known[nonsense.below(known.len())];
        let (game, text) = (text_of(case, "game"), text_of(case, "position"));
        let text = nonsense.mutated(&text);
        let args = [
            "sowbase",
            "solve",
            &game,
            "--memory=2MiB",
            "--engine=layers",
            "--threads=1",
            "--",
            &text,
        ];
        solved += u32::from(survives(&owned(&args)));
    }
    assert!(solved > 10, "{solved} of 1000 were solved");
}

#[test]
fn every_opening_position_is_solved_or_refused() {
    for game in GAMES {
        for columns in 1..=16 {
            for seeds in [1, 2, 4, 31, 255] {
                let sizes = [format!("--columns={columns}"), format!("--seeds={seeds}")];
                let start = ["sowbase", "solve", game, "start", &sizes[0], &sizes[1]];
                survives(&owned(
                    &[
                        &start[..],
                        &["--memory=64KiB", "--engine=layers", "--threads=1"],
                    ]
                    .concat(),
                ));
            }
        }
    }
}

#[test]
fn searches_of_anything_end_in_time() {
    let known = case_positions();
    let mut nonsense = Nonsense(7);
    for round in 0..12 {
        let (game, text) = &known[nonsense.below(known.len())];
        let memory = ["--memory=1B", "--memory=64KiB", "--memory=64MiB"][round % 3];
        let args = [
            "sowbase",
            "solve",
            game,
            "--engine=search",
            "--time=1s",
            memory,
            "--",
            text,
        ];
        let start = std::time::Instant::now();
        survives(&owned(&args));
        // A limit that is not heeded at all is what this finds, on however slow a machine.
        assert!(start.elapsed().as_secs() < 60, "{args:?}");
    }
}

#[test]
fn ten_thousand_options() {
    const FLAGS: &[&str] = &[
        "--rule",
        "--columns",
        "--seeds",
        "--threads",
        "--memory",
        "--tables",
        "--history",
        "--time",
        "--engine",
        "--json",
        "--rul",
        "-x",
    ];
    const VALUES: &[&str] = &[
        "endless=draw",
        "chain=next",
        "chain=",
        "=",
        "skip-origin=true",
        "opening=a+,b-",
        "opening=a",
        "opening=,,",
        "ring=as-numbered",
        "capture=both",
        "5",
        "1",
        "0",
        "-1",
        "255",
        "65536",
        "18446744073709551616",
        "512MiB",
        "16GiB",
        "1e9",
        "20s",
        "a,b",
        "pass pass",
        "tables",
        "",
    ];
    let mut nonsense = Nonsense(2);
    for _ in 0..10_000 {
        let command = nonsense.of(&["moves", "moves", "solve"]);
        let mut args = owned(&["sowbase", command, nonsense.of(GAMES), "start"]);
        if command == "solve" {
            args.extend(owned(&["--engine=layers", "--memory=64KiB"]));
        }
        for _ in 0..=nonsense.below(3) {
            args.push(nonsense.of(FLAGS).to_owned());
            let value = nonsense.of(VALUES);
            args.push(match nonsense.below(4) {
                0 => nonsense.mutated(value),
                1 => nonsense.text(),
                _ => value.to_owned(),
            });
        }
        survives(&args);
    }
}

#[test]
fn hundreds_of_runs_of_the_binary() {
    let known = case_positions();
    let mut nonsense = Nonsense(3);
    for round in 0..400 {
        let (game, text) = &known[nonsense.below(known.len())];
        let text = match nonsense.below(3) {
            0 => nonsense.text(),
            _ => nonsense.mutated(text),
        };
        let command: &[&str] = match round % 2 {
            0 => &["moves", game, "--json", "--", &text],
            _ => &["perft", game, "--threads=1", "--", &text, "2"],
        };
        let output = sowbase(command);
        let stderr = String::from_utf8(output.stderr).expect("UTF-8");
        match output.status.code() {
            Some(0) => assert!(stderr.is_empty(), "{command:?}: {stderr}"),
            Some(2) => {
                assert!(stderr.starts_with("sowbase: "), "{command:?}: {stderr}");
                assert_eq!(stderr.lines().count(), 1, "{command:?}: {stderr}");
                assert!(output.stdout.is_empty(), "{command:?}");
            }
            code => panic!("{command:?} ended with {code:?}: {stderr}"),
        }
    }
}
