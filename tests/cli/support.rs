//! What the tests of the command line share: running the binary, reading the case files, and a source
//! of repeatable nonsense.

use serde_json::Value;
use std::process::{Command, Output, Stdio};

/// The binary under test.
pub const BINARY: &str = env!("CARGO_BIN_EXE_sowbase");

/// Runs the binary with no input.
pub fn sowbase<S: AsRef<std::ffi::OsStr>>(args: &[S]) -> Output {
    Command::new(BINARY)
        .args(args)
        .stdin(Stdio::null())
        .output()
        .expect("the binary runs")
}

/// Stdout of a run that must succeed.
pub fn answer(args: &[&str]) -> String {
    let output = sowbase(args);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {stderr}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The one JSON object that a run writes.
pub fn json(args: &[&str]) -> Value {
    let text = answer(args);
    assert_eq!(text.lines().count(), 1, "{args:?}");
    serde_json::from_str(&text).expect("JSON")
}

/// The message of a run that must fail with `code`: one line on stderr, nothing on stdout.
pub fn refusal<S: AsRef<std::ffi::OsStr> + std::fmt::Debug>(args: &[S], code: i32) -> String {
    let output = sowbase(args);
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(code), "{args:?}: {stderr}");
    assert!(output.stdout.is_empty(), "{args:?} wrote to stdout");
    assert_eq!(stderr.lines().count(), 1, "{args:?}: {stderr}");
    assert!(stderr.starts_with("sowbase: "), "{args:?}: {stderr}");
    stderr
}

/// Lines of a case file as JSON.
pub fn cases(file: &str) -> Vec<Value> {
    case_text(file)
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

/// A case file.
pub fn case_text(file: &str) -> String {
    let path = format!("{}/tests/cases/{file}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Positions of all games in the case files, as (game, text).
pub fn case_positions() -> Vec<(String, String)> {
    let games = ["giuthi", "bosh", "hawalis", "hus"];
    let file = |game| cases(&format!("moves-{game}.jsonl"));
    games
        .into_iter()
        .flat_map(file)
        .map(|case| (text_of(&case, "game"), text_of(&case, "position")))
        .collect()
}

/// A string in a JSON object.
pub fn text_of(object: &Value, key: &str) -> String {
    object[key].as_str().expect(key).to_owned()
}

/// Repeatable nonsense (xorshift64*).
pub struct Nonsense(pub u64);

impl Nonsense {
    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % bound
    }

    /// One of several.
    pub fn of<'a, T: ?Sized>(&mut self, choices: &[&'a T]) -> &'a T {
        choices[self.below(choices.len())]
    }

    /// Pieces put together, each of which means something somewhere.
    pub fn text(&mut self) -> String {
        const PIECES: &[&str] = &[
            "0",
            "1",
            "7",
            "63",
            "64",
            "255",
            "256",
            "4294967296",
            "99999999999999999999",
            "-1",
            ",",
            ",",
            ",",
            "/",
            "/",
            "/",
            "#",
            " ",
            "S",
            "N",
            "-",
            "0-0",
            "5-",
            "start",
            "=",
            "+",
            "é",
            "\u{202e}",
            "\t",
            "\n",
            "\u{1b}[2J",
            "٣",
            "😀",
            "x",
            ".",
            "'",
            "\"",
            "\\",
            "%s",
        ];
        let pieces = 1 + self.below(24);
        (0..pieces).map(|_| self.of(PIECES)).collect()
    }

    /// `text` with a few characters changed, lost, doubled or added.
    pub fn mutated(&mut self, text: &str) -> String {
        let mut chars: Vec<char> = text.chars().collect();
        for _ in 0..=self.below(4) {
            let at = self.below(chars.len() + 1);
            let other: Vec<char> = self.text().chars().collect();
            match self.below(5) {
                0 if at < chars.len() => drop(chars.remove(at)),
                1 if at < chars.len() => chars.insert(at, chars[at]),
                2 if at < chars.len() => chars[at] = other[0],
                3 => drop(chars.drain(at..)),
                _ => drop(chars.splice(at..at, other)),
            }
        }
        chars.into_iter().collect()
    }
}
