//! Owns: colour, where there is a terminal that shows it and nobody has asked for none.

use std::fmt::Display;
use std::io::IsTerminal;

/// Paints text, or leaves it as it is.
#[derive(Clone, Copy, Debug)]
pub struct Paint {
    on: bool,
}

impl Paint {
    /// Colour if standard output is a terminal; the environment's `NO_COLOR` (no-color.org) and a
    /// terminal called `dumb` turn it off.
    pub fn new() -> Self {
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        Self {
            on: std::io::stdout().is_terminal() && !set("NO_COLOR") && !dumb,
        }
    }

    /// What is to be seen first.
    pub fn strong(self, text: impl Display) -> String {
        self.code("1", text)
    }

    /// The program's moves.
    pub fn other(self, text: impl Display) -> String {
        self.code("36", text)
    }

    /// What needs another try.
    pub fn wrong(self, text: impl Display) -> String {
        self.code("33", text)
    }

    fn code(self, code: &str, text: impl Display) -> String {
        if self.on {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_string()
        }
    }
}
