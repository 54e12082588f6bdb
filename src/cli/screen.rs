//! Owns: the terminal as progress is drawn on it: a little narrower than it is.
//!
//! Whoever draws leaves the cursor at the end of the last line, as wide as the terminal is said to be.
//! A terminal shows Ctrl-C as `^C` where the cursor is; at the very edge that would go on to the next
//! line, and the line above would be out of reach of all clearing.

use console::Term;
use indicatif::{ProgressDrawTarget, TermLike};
use std::io;

/// Columns kept free, for `^C` twice.
const SPARE: u16 = 4;

/// Times a second that a change is drawn at most.
const RATE: u8 = 20;

/// Standard error, for progress.
pub fn target() -> ProgressDrawTarget {
    ProgressDrawTarget::term_like_with_hz(Box::new(Narrow(Term::buffered_stderr())), RATE)
}

#[derive(Debug)]
struct Narrow(Term);

impl TermLike for Narrow {
    fn width(&self) -> u16 {
        self.0.size().1.saturating_sub(SPARE).max(1)
    }

    fn height(&self) -> u16 {
        self.0.size().0
    }

    fn move_cursor_up(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_up(n)
    }

    fn move_cursor_down(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_down(n)
    }

    fn move_cursor_right(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_right(n)
    }

    fn move_cursor_left(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_left(n)
    }

    fn write_line(&self, line: &str) -> io::Result<()> {
        self.0.write_line(line)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.0.write_str(text)
    }

    fn clear_line(&self) -> io::Result<()> {
        self.0.clear_line()
    }

    fn flush(&self) -> io::Result<()> {
        self.0.flush()
    }
}
