//! Ctrl-C in commands that work for long: exit code 5, one line that says so, and what is whole by then.

use crate::support::BINARY;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Starts a command, waits for a line on stderr that holds `sign`, or else for a while, and interrupts
/// it. What it wrote to stdout, and to stderr after that line.
fn interrupted(args: &[&str], sign: Option<&str>) -> (String, String) {
    let mut child = Command::new(BINARY)
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut stderr = BufReader::new(child.stderr.take().expect("stderr"));
    match sign {
        None => std::thread::sleep(Duration::from_secs(1)),
        Some(sign) => {
            let mut line = String::new();
            while !line.contains(sign) {
                line.clear();
                assert!(stderr.read_line(&mut line).expect("a line") > 0, "{args:?}");
            }
        }
    }
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.expect("kill").success());
    let mut said = String::new();
    stderr.read_to_string(&mut said).expect("UTF-8");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(5), "{args:?}: {said}");
    (String::from_utf8(output.stdout).expect("UTF-8"), said)
}

#[cfg(unix)]
#[test]
fn a_count_has_no_number() {
    let (out, said) = interrupted(&["perft", "hus", "start", "40", "--threads", "2"], None);
    assert_eq!(out, "");
    assert!(
        said.contains("interrupted before all paths were counted"),
        "{said}"
    );
    assert_eq!(said.lines().count(), 1, "{said}");
}

/// One position that is done at once, and one that takes for ever.
#[cfg(unix)]
#[test]
fn a_bench_prints_what_is_measured() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("bench-interrupt.jsonl");
    let text = "{\"game\":\"bosh\",\"position\":\"2,0,1/1,2,0 S\",\"depth\":4}\n{\"game\":\"giuthi\",\"position\":\"start\",\"depth\":60}\n";
    std::fs::write(&path, text).expect("a file");
    let path = path.to_str().expect("UTF-8");
    let args = ["bench", "--threads=1", "--positions", path];
    let (out, said) = interrupted(&args, Some("  bosh "));
    assert!(
        out.contains("2,0,1/1,2,0 S") && out.contains("Signature: "),
        "{out}"
    );
    assert!(
        said.contains("interrupted; 1 of 2 positions measured"),
        "{said}"
    );
    let (out, _) = interrupted(&[&args[..], &["--json"]].concat(), Some("  bosh "));
    let found: Value = serde_json::from_str(&out).expect("JSON");
    let positions = found["positions"].as_array().expect("positions");
    assert_eq!(positions.len(), 1);
    assert_eq!(found["signature"], positions[0]["nodes"]);
}

/// A match that takes long says so before, and how to make it take less; what is proven is printed.
#[cfg(unix)]
#[test]
fn a_match_prints_what_is_proven() {
    let args = [
        "match",
        "--json",
        "--scores",
        "--threads=1",
        "--memory=4GiB",
    ];
    let (out, said) = interrupted(&args, Some("--dry-run"));
    let found: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(found["proved"], false);
    assert!(
        said.contains("what is proven was printed: interrupted"),
        "{said}"
    );
}
