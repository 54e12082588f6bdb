//! Owns: progress as a user sees it on stderr: a bar with the time left on a terminal, a line every
//! few seconds elsewhere (a log, a pipe), nothing for what is done at once.

use super::Notes;
use super::units::show_count;
use crate::progress::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Time between lines where there is no terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(5);

const TEMPLATE: &str = "{msg} {wide_bar} {percent}% of {human_len} positions, {eta} left";

/// Tells of progress on stderr.
pub struct Bar<'a> {
    notes: &'a Notes<'a>,
    done: AtomicU64,
    shown: Mutex<Shown>,
}

/// How the step at hand is shown.
enum Shown {
    /// No step.
    Nothing,
    /// On a terminal.
    Bar(ProgressBar),
    /// Elsewhere.
    Lines {
        step: String,
        total: u64,
        next: Instant,
    },
}

impl<'a> Bar<'a> {
    /// Shows nothing until a step begins; lines go to `notes`.
    pub fn new(notes: &'a Notes<'a>) -> Self {
        Self {
            notes,
            done: AtomicU64::new(0),
            shown: Mutex::new(Shown::Nothing),
        }
    }

    fn replace(&self, shown: Shown) {
        if let Ok(mut now) = self.shown.lock() {
            if let Shown::Bar(bar) = &*now {
                bar.finish_and_clear();
            }
            *now = shown;
        }
    }
}

impl Progress for Bar<'_> {
    fn begin(&self, step: &str, total: u64) {
        self.done.store(0, Ordering::Relaxed);
        self.replace(if std::io::stderr().is_terminal() {
            let target = ProgressDrawTarget::stderr();
            let bar = ProgressBar::with_draw_target(Some(total), target);
            let style = ProgressStyle::with_template(TEMPLATE);
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            Shown::Bar(bar.with_message(step.to_owned()))
        } else {
            Shown::Lines {
                step: step.to_owned(),
                total,
                next: Instant::now() + BETWEEN_LINES,
            }
        });
    }

    fn advance(&self, units: u64) {
        let done = self.done.fetch_add(units, Ordering::Relaxed) + units;
        // Whoever finds the display busy goes on working: the next one shows what this one did.
        let Ok(mut shown) = self.shown.try_lock() else {
            return;
        };
        match &mut *shown {
            Shown::Nothing => {}
            Shown::Bar(bar) => bar.set_position(done),
            Shown::Lines { step, total, next } => {
                let now = Instant::now();
                if now >= *next {
                    *next = now + BETWEEN_LINES;
                    (self.notes)(&line(step, done, *total));
                }
            }
        }
    }

    fn end(&self) {
        self.replace(Shown::Nothing);
    }
}

fn line(step: &str, done: u64, total: u64) -> String {
    let percent = done as f64 * 100.0 / total.max(1) as f64;
    let (done, total) = (show_count(done), show_count(total));
    format!("{step}: {done} of {total} positions ({percent:.0}%)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_far() {
        assert_eq!(
            line("solving", 1500, 3000),
            "solving: 1,500 of 3,000 positions (50%)"
        );
        assert_eq!(line("solving", 0, 0), "solving: 0 of 0 positions (0%)");
    }

    #[test]
    fn the_template_is_one_that_the_bar_understands() {
        assert!(ProgressStyle::with_template(TEMPLATE).is_ok());
    }

    #[test]
    fn steps_can_follow_each_other() {
        let bar = Bar::new(&|_| {});
        bar.advance(1);
        bar.begin("one", 10);
        bar.advance(5);
        bar.begin("two", 10);
        bar.advance(20);
        bar.end();
        bar.end();
    }
}
