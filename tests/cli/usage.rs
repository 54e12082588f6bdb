//! What a user can get wrong: exit codes, one clear line each, and help whose examples work.

use crate::support::{BINARY, answer, refusal, sowbase};
use std::path::Path;
use std::process::{Command, Stdio};

const POSITION: &str = "0,3,4,3,4/2,2,3,4,0 S";

/// Every command, as its help names them.
fn commands() -> Vec<String> {
    let help = answer(&["--help"]);
    let list = help.split("Commands:\n").nth(1).expect("commands");
    list.lines()
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

#[test]
fn wrong_usage_is_named_in_one_line() {
    let cases: &[(&[&str], &str)] = &[
        (&[], "expected a command"),
        (&["muves"], "'moves'"),
        (&["moves"], "<GAME>"),
        (&["moves", "giuthi"], "<POSITION>"),
        (&["moves", "gihti", POSITION], "'giuthi'"),
        (&["moves", "giuthi", "starr"], "column 1"),
        (&["moves", "giuthi", ""], "nothing"),
        (
            &["moves", "giuthi", "1,2/3,x S"],
            "column 7: expected a number of seeds, found 'x'",
        ),
        (&["moves", "giuthi", "1,2/3 S"], "a row of 2 pits"),
        (
            &["moves", "giuthi", "1,2/3,4 X"],
            "the side to move, S or N",
        ),
        (
            &["moves", "giuthi", "1,2/3,4 S 5"],
            "captured seeds as SOUTH-NORTH",
        ),
        (&["moves", "giuthi", "1,#/3,4 S"], "no closed pits"),
        (&["moves", "giuthi", "1,2/3,4", "S"], "write it in quotes"),
        (
            &["moves", "giuthi", "1,2/3,4", "S", "0-0"],
            "write it in quotes",
        ),
        (
            &["perft", "giuthi", "1,2/3,4", "S", "3"],
            "write it in quotes",
        ),
        (&["perft", "giuthi", "1,2/3,4", "S"], "write it in quotes"),
        (&["perft", "giuthi", "1,2/3,4", "1001"], "0 to 1000"),
        (&["perft", "giuthi", "1,2/3,4", "-1"], "-1"),
        (
            &["moves", "giuthi", "start", "--colums", "5"],
            "'--columns'",
        ),
        (&["moves", "giuthi", "start", "--columns", "x"], "1 to 16"),
        (
            &["moves", "giuthi", "start", "--columns", "11"],
            "1 to 10 columns, found 11",
        ),
        (&["moves", "giuthi", "start", "--seeds", "0"], "1 to 255"),
        (
            &["moves", "giuthi", "start", "--seeds", "200"],
            "at most 255 seeds, found 3200",
        ),
        (
            &["moves", "giuthi", POSITION, "--seeds", "4"],
            "leave --seeds out",
        ),
        (
            &["moves", "giuthi", POSITION, "--columns", "4"],
            "has 5 columns",
        ),
        (
            &["moves", "giuthi", POSITION, "--threads", "0"],
            "1 to 1024",
        ),
        (&["moves", "giuthi", POSITION, "--memory", "5"], "no unit"),
        (
            &["moves", "giuthi", POSITION, "--memory", "5GB"],
            "unit 'GB'",
        ),
        (
            &["moves", "giuthi", POSITION, "--rule", "chain"],
            "NAME=VALUE",
        ),
        (
            &["moves", "giuthi", POSITION, "--rule", "chian=off"],
            "did you mean 'chain'?",
        ),
        (
            &["moves", "giuthi", POSITION, "--rule", "chain=of"],
            "did you mean 'off'?",
        ),
        (
            &["moves", "hus", "start", "--rule", "back-row=free"],
            "hus has no rule",
        ),
        (
            &["moves", "giuthi", "start", "--rule", "opening=a+,a+"],
            "'a+'",
        ),
        (
            &["moves", "giuthi", "start", "--rule", "opening=a"],
            "a direction",
        ),
        (
            &["moves", "giuthi", "start", "--rule", "opening=pass"],
            "not legal",
        ),
        (
            &["moves", "giuthi", POSITION, "--rule", "opening=a+"],
            "rule 'opening' is for 'start'",
        ),
        (
            &["moves", "giuthi", "1,2/3,4 S 999999999-0"],
            "column 11: expected at most 999999 captured seeds, found '999999999'",
        ),
        (
            &["moves", "giuthi", "1,2/3,4 S 0-1000000"],
            "column 13: expected at most 999999 captured seeds",
        ),
        (
            &["moves", "giuthi", "1,2/3,4 S 1-2-3"],
            "captured seeds as SOUTH-NORTH",
        ),
        (
            &["moves", "giuthi", "1/3,4 S"],
            "a row of 1 pit like the first, found 2 pits",
        ),
        (
            &["solve", "giuthi", POSITION, "--history", "3"],
            "a pit, a to e, with a direction, + or -, or pass",
        ),
        (
            &["solve", "bosh", POSITION, "--history", "3"],
            "a pit, a to e, or pass",
        ),
        (
            &["solve", "giuthi", POSITION, "--history", ","],
            "'a+,c-', each with a direction + or -",
        ),
        (&["solve", "bosh", POSITION, "--history", ","], "'a,c'"),
        (&["completions", "fsh"], "fsh"),
    ];
    for (args, part) in cases {
        let message = refusal(args, 2);
        assert!(message.contains(part), "{args:?}: {message}");
    }
}

#[test]
fn columns_that_agree_with_the_position_are_no_mistake() {
    assert_eq!(
        answer(&["moves", "giuthi", POSITION, "--columns", "5"]),
        answer(&["moves", "giuthi", POSITION]),
    );
}

#[test]
fn an_endless_move_cannot_open_a_game() {
    let board = ["--columns=1", "--seeds=2", "--rule=skip-origin=true"];
    let text = answer(&[&["moves", "giuthi", "start"], &board[..]].concat());
    assert!(text.contains("  a+    never ends"), "{text}");
    let opening = ["moves", "giuthi", "start", "--rule=opening=a+"];
    let message = refusal(&[&opening, &board[..]].concat(), 2);
    assert!(message.contains("never ends"), "{message}");
}

#[test]
fn help_and_version_are_asked_for_and_answered() {
    assert!(answer(&["--help"]).contains("Exit codes"));
    assert!(answer(&["--version"]).starts_with("sowbase "));
    for command in commands() {
        assert!(
            answer(&[&command, "--help"]).contains("Usage: sowbase"),
            "{command}"
        );
        assert!(
            answer(&[&command, "-h"]).contains("Usage: sowbase"),
            "{command}"
        );
    }
}

#[test]
fn every_example_in_help_works() {
    let bin = Path::new(BINARY).parent().expect("a directory");
    let path = format!(
        "{}:{}",
        bin.display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("examples");
    // A place like a checkout, of which nothing but copies can be changed.
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).expect("a directory");
    for part in ["solver-configs", "tables"] {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(part);
        let copied = Command::new("cp").arg("-r").arg(source).arg(&dir).status();
        assert!(copied.expect("cp").success());
    }
    let positions = "1,0,2/0,1,1 S\n0,1,2/0,3,1 N\n";
    std::fs::write(dir.join("positions.txt"), positions).expect("a file");
    let mut pages = vec![("sowbase".to_owned(), answer(&["--help"]))];
    for command in commands() {
        let page = answer(&[&command, "--help"]);
        pages.push((command, page));
    }
    for (command, page) in pages {
        let examples: Vec<&str> = page
            .lines()
            .filter_map(|line| line.strip_prefix("  "))
            .filter(|line| line.starts_with("sowbase "))
            .collect();
        assert!(!examples.is_empty(), "{command} has no example");
        for example in examples {
            let status = Command::new("sh")
                .args(["-ec", example])
                .env("PATH", &path)
                .current_dir(&dir)
                .stdin(Stdio::null())
                .output()
                .expect("a shell");
            let stderr = String::from_utf8_lossy(&status.stderr);
            assert!(status.status.success(), "{example}: {stderr}");
        }
    }
    assert!(dir.join("man/sowbase-moves.1").exists());
}

#[test]
fn the_readme_shows_what_the_program_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = std::fs::read_to_string(path).expect("README.md");
    let block = |kind: &str| {
        readme
            .split(kind)
            .nth(1)
            .and_then(|rest| rest.split("```").next())
    };
    let commands = block("```sh\n").expect("commands");
    let first = commands.lines().next().expect("a command");
    let args = first
        .strip_prefix("cargo run --release -- ")
        .expect("the first command");
    let (words, position) = args.split_once('\'').expect("a quoted position");
    let mut args: Vec<&str> = words.split_whitespace().collect();
    args.push(position.trim_end_matches('\''));
    assert_eq!(Some(answer(&args).as_str()), block("```text\n"));
    assert_eq!(commands.lines().nth(1), Some("cargo test --release"));
}

#[test]
fn completions_and_manual_come_for_every_shell_and_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = answer(&["completions", shell]);
        assert!(script.contains("perft"), "{shell}");
    }
    assert!(answer(&["man"]).contains(".TH sowbase 1"));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = Command::new(BINARY)
        .args(["completions", "zsh"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .expect("/dev/full");
    let output = Command::new(BINARY)
        .args(["moves", "hus", "start"])
        .stdout(full)
        .output()
        .expect("the binary runs");
    // A limit was reached: the disk.
    assert_eq!(output.status.code(), Some(5));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        stderr.starts_with("sowbase: cannot write the output"),
        "{stderr}"
    );
    assert_eq!(stderr.lines().count(), 1);
}

#[test]
fn a_place_that_cannot_be_written_is_named() {
    let message = refusal(&["man", "--out", "/dev/null/man"], 1);
    assert!(
        message.contains("/dev/null/man") && message.contains("--out"),
        "{message}"
    );
}

#[cfg(unix)]
#[test]
fn arguments_that_are_no_text_are_refused() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let junk = OsStr::from_bytes(b"1,2/\xff\xfe,4 S");
    let output = sowbase(&[OsStr::new("moves"), OsStr::new("giuthi"), junk]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1);
}
