//! Owns: the ways a command can fail, and the exit code that each one has (DESIGN section 5).
//!
//! A failure is one line that says what was expected, what was found and what to do; commands build
//! it where they know these things, and only `main.rs` turns it into an exit code.

use std::fmt;
use std::io;
use std::path::Path;

/// Why a command did not do what it was asked to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Something that has no code of its own.
    Other,
    /// Wrong usage, or input that cannot be read.
    Usage,
    /// The answer is "no".
    No,
    /// A damaged or foreign table.
    Damaged,
    /// A limit of time, memory or disk was reached.
    Limit,
    /// Whoever read the output has gone: nothing is wrong, and nobody is there to be told.
    ClosedPipe,
}

/// A command's failure: its kind and the line that explains it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    kind: Kind,
    message: String,
}

impl Failure {
    /// A failure with the line to print; control characters in it are shown, not sent.
    pub fn new(kind: Kind, message: impl fmt::Display) -> Self {
        Self {
            kind,
            message: one_line(&message.to_string()),
        }
    }

    /// Wrong usage or unreadable input.
    pub fn usage(message: impl fmt::Display) -> Self {
        Self::new(Kind::Usage, message)
    }

    /// A file or directory that an option names, `flag` the option, cannot be written.
    pub fn writing(path: &Path, flag: &str, error: &io::Error) -> Self {
        let path = path.display();
        let remedy = match kind_of(error) {
            Kind::Limit => "make room or raise the limit, or name another place with",
            _ => "check the path and its permissions, or name another with",
        };
        Self::new(
            kind_of(error),
            format!("{path}: expected to write here, found {error}; {remedy} {flag}"),
        )
    }

    /// What failed.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The exit code.
    pub fn code(&self) -> u8 {
        match self.kind {
            Kind::ClosedPipe => 0,
            Kind::Other => 1,
            Kind::Usage => 2,
            Kind::No => 3,
            Kind::Damaged => 4,
            Kind::Limit => 5,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

impl From<io::Error> for Failure {
    /// An error of writing the answer; files that a command opens say more about theirs.
    fn from(error: io::Error) -> Self {
        let kind = kind_of(&error);
        Self::new(kind, format!("cannot write the output: {error}"))
    }
}

/// What the system's error about writing means.
fn kind_of(error: &io::Error) -> Kind {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Kind::ClosedPipe,
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            Kind::Limit
        }
        _ => Kind::Other,
    }
}

/// Longest message, in characters; what a user typed can be of any length.
const LONGEST: usize = 600;

/// Text that came from outside, as a terminal may be given it: one line, control characters shown.
pub fn one_line(message: &str) -> String {
    let visible = |c: char| {
        let plain =
            !c.is_control() && !matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}');
        let escaped = (!plain).then(|| c.escape_default());
        escaped.into_iter().flatten().chain(plain.then_some(c))
    };
    let mut line: String = message.chars().take(LONGEST).flat_map(visible).collect();
    if message.chars().nth(LONGEST).is_some() {
        line.push('…');
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_line_whatever_was_typed() {
        let failure = Failure::usage("a\nb\u{1b}[31m\u{202e}");
        assert_eq!(failure.to_string(), "a\\nb\\u{1b}[31m\\u{202e}");
        let long = Failure::usage("x".repeat(5000)).to_string();
        assert_eq!(long.chars().count(), LONGEST + 1);
    }
}
