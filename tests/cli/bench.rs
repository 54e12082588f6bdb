//! `bench`: what it prints, and the signature of the work that search does.

use crate::support::{answer, json, refusal};

/// Nodes of all positions on one thread. It changes when search does something else than before:
/// then check that it is better, and pin it anew.
const SIGNATURE: u64 = 13_097_665;

#[test]
fn the_signature_is_pinned() {
    let found = json(&["bench", "--json", "--threads=1"]);
    assert_eq!(found["signature"], SIGNATURE);
    let positions = found["positions"].as_array().expect("positions");
    let games: std::collections::HashSet<&str> = positions
        .iter()
        .map(|one| one["game"].as_str().expect("a game"))
        .collect();
    assert_eq!(games.len(), 4);
    let nodes = positions
        .iter()
        .map(|one| one["nodes"].as_u64().expect("nodes"));
    assert_eq!(nodes.sum::<u64>(), SIGNATURE);
}

#[test]
fn positions_of_ones_own_are_measured() {
    let dir = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let path = dir.join("bench-positions.jsonl");
    let write = |text: &str| std::fs::write(&path, text).expect("a file");
    let path = path.to_str().expect("UTF-8");
    write(
        "{\"game\":\"bosh\",\"position\":\"2,0,1/1,2,0 S\",\"depth\":6}\n\n{\"game\":\"hus\",\"position\":\"start\",\"columns\":2,\"prove\":true}\n",
    );
    let found = json(&["bench", "--positions", path, "--threads=3", "--json"]);
    let positions = found["positions"].as_array().expect("positions");
    assert_eq!(positions.len(), 2);
    let threads = |at: usize| positions[0]["runs"][at]["threads"].as_u64();
    assert_eq!(
        [threads(0), threads(1), threads(2), threads(3)],
        [Some(1), Some(2), Some(3), None]
    );
    assert!(answer(&["bench", "--positions", path, "--threads=1"]).contains("Signature: "));
    for (text, part) in [
        (
            "{\"game\":\"bosh\",\"position\":\"1,1/1,1 S\"}",
            "line 1: expected either",
        ),
        (
            "\n{\"game\":\"chess\",\"position\":\"start\",\"depth\":1}",
            "line 2",
        ),
        (
            "{\"game\":\"bosh\",\"position\":\"1,1/1,1 S\",\"deep\":1}",
            "unknown field",
        ),
        ("", "found none"),
    ] {
        write(text);
        let message = refusal(&["bench", "--positions", path], 2);
        assert!(message.contains(part), "{message}");
    }
    assert!(refusal(&["bench", "--positions", "/dev/null/x"], 2).contains("/dev/null/x"));
}
