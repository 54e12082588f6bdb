//! `play` through a pipe: whole games as transcripts, perfect play against itself, and input that
//! makes no sense.

use crate::support::{BINARY, Nonsense, answer, case_positions, refusal};
use std::io::Write;
use std::process::{Command, Output, Stdio};

fn play(args: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(BINARY)
        .arg("play")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A game that has been left need not read on.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

/// What is typed in a line of a transcript.
fn typed(line: &str) -> Option<&str> {
    let bare = || Some((line.strip_suffix('>')?, ""));
    let (prompt, typed) = line.split_once("> ").or_else(bare)?;
    ["South", "North", ""].contains(&prompt).then_some(typed)
}

#[test]
fn transcripts() {
    let directory = format!("{}/tests/data/play", env!("CARGO_MANIFEST_DIR"));
    let mut files: Vec<_> = std::fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    assert!(files.len() >= 4);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let (command, expected) = text.split_once('\n').unwrap();
        let args = command.strip_prefix("$ sowbase play ").unwrap();
        // A position is the argument in quotes.
        let args: Vec<&str> = args
            .split('\'')
            .enumerate()
            .flat_map(|(i, part)| match i % 2 {
                0 => part.split_whitespace().collect(),
                _ => vec![part],
            })
            .collect();
        let lines: Vec<&str> = expected.lines().filter_map(typed).collect();
        let output = play(&args, (lines.join("\n") + "\n").as_bytes());
        let found = String::from_utf8(output.stdout).unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        let trim = |text: &str| -> Vec<String> {
            text.lines()
                .map(|line| line.trim_end().to_owned())
                .collect()
        };
        assert_eq!(trim(&found), trim(expected), "{file:?}\n{found}\n{told}");
        assert_eq!(output.status.code(), Some(0), "{file:?}");
    }
}

/// Small enough to be solved at once, whatever the build.
const SMALL: u32 = 14;

#[test]
fn perfect_play_against_itself_ends_as_solve_says() {
    let mut games = 0;
    let mut drawn = 0;
    let small = case_positions().into_iter().filter(|(game, text)| {
        let rows = text.split(' ').next().unwrap();
        let pits: Vec<u32> = rows
            .split([',', '/'])
            .filter_map(|pit| pit.parse().ok())
            .collect();
        let most = if game == "hus" { 8 } else { 10 };
        pits.len() <= most && pits.iter().sum::<u32>() <= SMALL
    });
    for (game, text) in small.step_by(2) {
        let solved: serde_json::Value =
            serde_json::from_str(&answer(&["solve", &game, &text, "--json"])).unwrap();
        let output = play(&[&game, &text, "--you", "neither", "--time", "60s"], b"");
        let found = String::from_utf8(output.stdout).unwrap();
        let last = found
            .lines()
            .rev()
            .find(|line| !line.starts_with("The game:"))
            .unwrap();
        let north = text.split(' ').nth(1) == Some("N");
        let margin = solved["margin"].as_i64();
        let wins = match solved["outcome"].as_str().unwrap() {
            "draw" => None,
            outcome => Some((outcome == "win") == north),
        };
        let expected = match (wins, margin) {
            (None, _) => "a draw.".to_owned(),
            (Some(north), margin) => {
                let winner = if north { "North" } else { "South" };
                let by = margin.map_or(String::new(), |margin| format!(" by {}", margin.abs()));
                format!("{winner} wins{by}.")
            }
        };
        assert!(
            last.ends_with(&expected),
            "{game} '{text}': {expected}\n{found}"
        );
        games += 1;
        drawn += i32::from(wins.is_none());
    }
    assert!(games >= 40 && drawn >= 3, "{games} games, {drawn} drawn");
}

#[test]
fn nonsense_is_answered_and_never_repeated_raw() {
    let mut nonsense = Nonsense(11);
    let words: [&[u8]; 14] = [
        b"a",
        b"b+",
        b"a-",
        b"c",
        b"undo",
        b"values",
        b"hint",
        b"go",
        b"swap",
        b"new",
        b"\x1b[31m",
        b"\xff\xfe",
        b"position",
        b"a+ b- c+",
    ];
    for args in [
        &["giuthi", "--columns", "3", "--seeds", "2"][..],
        &["bosh", "1,#,2/2,#,1 N"],
        &["hawalis", "--columns", "2", "--you", "both"],
        &["hus", "--columns", "2", "--rule", "endless=draw"],
    ] {
        let mut input = Vec::new();
        for _ in 0..60 {
            input.extend_from_slice(words[nonsense.below(words.len())]);
            input.push(b'\n');
        }
        let output = play(args, &input);
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        let raw = |byte: &u8| *byte < b' ' && *byte != b'\n';
        assert!(!output.stdout.iter().any(raw), "{args:?}");
    }
}

#[test]
fn what_cannot_be_played_is_refused() {
    assert!(refusal(&["play", "bosh", "--json"], 2).contains("solve --json"));
    assert!(refusal(&["play", "bosh", "1,2/3"], 2).contains("row"));
    assert!(refusal(&["play", "chess"], 2).contains("giuthi"));
    assert!(refusal(&["play", "bosh", "--time", "soon"], 2).contains("duration"));
}
