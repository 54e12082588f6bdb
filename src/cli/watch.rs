//! Owns: a search as a user watches it on stderr: how far it is, how much time there is, and Ctrl-C.
//!
//! A search has no end that could be measured, so there is no bar: a line that spins on a terminal, a
//! line every few seconds elsewhere. The steps of a search follow each other quickly and share it.

use super::Notes;
use super::failure::Failure;
use super::screen;
use super::stop::interrupts;
use super::units::counted;
use crate::progress::Progress;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Time between lines where there is no terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(5);

/// Time between changes of the line on a terminal.
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

/// Tells of a search and says when to stop it.
pub struct Watch<'a> {
    notes: &'a Notes<'a>,
    stop: Arc<AtomicBool>,
    start: Instant,
    time: Option<Duration>,
    /// What Ctrl-C does.
    remark: &'static str,
    done: AtomicU64,
    shown: Mutex<Shown>,
}

struct Shown {
    step: String,
    next: Instant,
    /// On a terminal.
    bar: Option<ProgressBar>,
}

impl<'a> Watch<'a> {
    /// Listens to signals from now on. `time` is what the search may take.
    ///
    /// # Errors
    /// When the system does not let it.
    pub fn new(notes: &'a Notes<'a>, time: Option<Duration>) -> Result<Self, Failure> {
        let remark = "Ctrl-C shows what is proven so far";
        Ok(Self::heeding(interrupts()?, notes, time, remark))
    }

    /// Stops when `stop` is set; `remark` says what Ctrl-C does.
    pub fn heeding(
        stop: Arc<AtomicBool>,
        notes: &'a Notes<'a>,
        time: Option<Duration>,
        remark: &'static str,
    ) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(None, screen::target());
            let style = ProgressStyle::with_template("{spinner} {msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            bar
        });
        let start = Instant::now();
        let first = if bar.is_some() {
            BETWEEN_LOOKS
        } else {
            BETWEEN_LINES
        };
        Self {
            notes,
            stop,
            start,
            time,
            remark,
            done: AtomicU64::new(0),
            shown: Mutex::new(Shown {
                step: String::new(),
                next: start + first,
                bar,
            }),
        }
    }

    /// Whether an interrupt has come.
    pub fn interrupted(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether no more values are to be asked for: a table's block takes milliseconds to decode, and a
    /// search looks at the clock only now and then. A board not covered is never wrong.
    pub fn over(&self, deadline: Option<Instant>) -> bool {
        deadline.is_some_and(|at| Instant::now() >= at) || self.interrupted()
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Takes the line off the screen.
    pub fn clear(&self) {
        let shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bar) = &shown.bar {
            bar.finish_and_clear();
        }
    }

    fn line(&self, step: &str) -> String {
        let done = counted(self.done.load(Ordering::Relaxed), "position");
        let seconds = self.start.elapsed().as_secs();
        let of = self.time.map_or(String::new(), |time| {
            format!(" of at most {}", time.as_secs())
        });
        let remark = self.remark;
        format!("{step}: {done}, {seconds}{of} s; {remark}")
    }
}

impl Progress for Watch<'_> {
    fn begin(&self, step: &str, _: u64) {
        if let Ok(mut shown) = self.shown.lock() {
            step.clone_into(&mut shown.step);
        }
    }

    fn advance(&self, units: u64) {
        self.done.fetch_add(units, Ordering::Relaxed);
        let Ok(mut shown) = self.shown.try_lock() else {
            return;
        };
        let now = Instant::now();
        if now < shown.next {
            return;
        }
        let line = self.line(&shown.step);
        shown.next = now
            + if shown.bar.is_some() {
                BETWEEN_LOOKS
            } else {
                BETWEEN_LINES
            };
        match &shown.bar {
            Some(bar) => {
                bar.set_message(line);
                bar.tick();
            }
            None => (self.notes)(&line),
        }
    }

    fn end(&self) {}

    fn stopped(&self) -> bool {
        self.interrupted()
    }
}

/// Another progress that also stops when time is up.
pub struct Until<'a> {
    /// The other.
    pub progress: &'a dyn Progress,
    /// When; `None` for never.
    pub deadline: Option<Instant>,
}

impl Progress for Until<'_> {
    fn begin(&self, step: &str, total: u64) {
        self.progress.begin(step, total);
    }

    fn advance(&self, units: u64) {
        self.progress.advance(units);
    }

    fn end(&self) {
        self.progress.end();
    }

    fn stopped(&self) -> bool {
        self.progress.stopped() || self.deadline.is_some_and(|at| Instant::now() >= at)
    }
}
