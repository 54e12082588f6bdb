//! Owns: progress as a user sees it on stderr: bars with rate and time left on a terminal, a line now
//! and then elsewhere (a log, a pipe), nothing for what is done at once.
//!
//! How much there is and how long it takes is [`super::pace`]'s to say; here is only where it is shown.

use super::Notes;
use super::pace::{Plan, Step, Units};
use super::screen;
use crate::progress::Progress;
use indicatif::{MultiProgress, ProgressBar, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Least and most time between lines where there is no terminal; it grows with the time gone by.
const BETWEEN_LINES: [Duration; 2] = [Duration::from_secs(5), Duration::from_secs(60)];
/// Lines in the time gone by, once that is what the time between them follows.
const LINES: u32 = 10;
/// Time between looks at the clock on a terminal while nothing is done.
const TICK: Duration = Duration::from_millis(250);

const TEMPLATE: &str = "{pace} {wide_bar}";

/// A bar with a text that is written anew whenever it is drawn.
fn bar(
    total: u64,
    text: impl Fn(Instant) -> String + Send + Sync + Clone + 'static,
) -> ProgressBar {
    let style = ProgressStyle::with_template(TEMPLATE)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .with_key("pace", move |_: &ProgressState, out: &mut dyn Write| {
            // Drawing cannot be told of a failure; a line less is nobody's loss.
            let _ = out.write_str(&text(Instant::now()));
        });
    ProgressBar::new(total).with_style(style)
}

/// Tells of progress on stderr.
pub struct Bar<'a> {
    notes: &'a Notes<'a>,
    step: Arc<Units>,
    shown: Mutex<Shown>,
}

/// What is shown.
struct Shown {
    step: Option<Step>,
    plan: Arc<Mutex<Plan>>,
    /// When work began, and when the next line is due.
    since: Instant,
    next: Instant,
    /// Where there is a terminal.
    screen: Option<Screen>,
}

/// Bars on a terminal, the step's above that of all steps.
struct Screen {
    bars: MultiProgress,
    step: Option<ProgressBar>,
    all: Option<ProgressBar>,
}

impl Screen {
    fn begin(&mut self, step: &Step, plan: &Arc<Mutex<Plan>>) {
        self.clear();
        let text = step.clone();
        let new = bar(step.total, move |now| text.text(now));
        let new = self.bars.insert(0, new);
        new.enable_steady_tick(TICK);
        self.step = Some(new);
        if !locked(plan).covers_step() {
            self.clear_all();
            return;
        }
        let (done, total) = locked(plan).extent(step.units.get().0);
        if self.all.is_none() && total > 0 {
            let plan = Arc::clone(plan);
            let all = bar(total, move |now| locked(&plan).text(now));
            let all = self.bars.add(all);
            all.set_position(done);
            self.all = Some(all);
        }
    }

    /// Takes the bar of all steps away.
    fn clear_all(&mut self) {
        if let Some(all) = self.all.take() {
            all.finish_and_clear();
            self.bars.remove(&all);
        }
    }

    /// Takes the step's bar away.
    fn clear(&mut self) {
        if let Some(old) = self.step.take() {
            old.finish_and_clear();
            self.bars.remove(&old);
        }
    }
}

/// What a thread that panicked leaves is still a number to show.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> Bar<'a> {
    /// Shows nothing until a step begins; lines go to `notes`.
    pub fn new(notes: &'a Notes<'a>) -> Self {
        let since = Instant::now();
        let screen = std::io::stderr().is_terminal().then(|| Screen {
            bars: MultiProgress::with_draw_target(screen::target()),
            step: None,
            all: None,
        });
        let shown = Shown {
            step: None,
            plan: Arc::default(),
            since,
            next: since + BETWEEN_LINES[0],
            screen,
        };
        Self {
            notes,
            step: Arc::default(),
            shown: Mutex::new(shown),
        }
    }

    /// Shows what is done by now.
    fn show(&self, shown: &mut Shown) {
        let done = self.step.get().0;
        if let Some(screen) = &shown.screen {
            if let Some(bar) = &screen.step {
                bar.set_position(done);
            }
            if let Some(bar) = &screen.all {
                let all = locked(&shown.plan).extent(done).0;
                bar.set_position(all);
            }
            return;
        }
        let now = Instant::now();
        if let (Some(step), true) = (&shown.step, now >= shown.next) {
            let plan = locked(&shown.plan);
            let mut line = step.text(now);
            if plan.covers_step() {
                line += &format!("; {}", plan.text(now));
            }
            (self.notes)(&line);
            let [least, most] = BETWEEN_LINES;
            shown.next = now + ((now - shown.since) / LINES).clamp(least, most);
        }
    }
}

impl Progress for Bar<'_> {
    fn plan(&self, kind: &str, total: u64, before: u64) {
        locked(&locked(&self.shown).plan).add(kind, total, before);
    }

    fn begin(&self, step: &str, total: u64) {
        self.step.reset();
        let mut shown = locked(&self.shown);
        let step = Step::new(step, total, Arc::clone(&self.step));
        locked(&shown.plan).begin(&step);
        let plan = Arc::clone(&shown.plan);
        if let Some(screen) = &mut shown.screen {
            screen.begin(&step, &plan);
        }
        shown.step = Some(step);
    }

    fn advance(&self, units: u64) {
        self.step.add(units);
        // Whoever finds the display busy goes on working: the next one shows what this one did.
        if let Ok(mut shown) = self.shown.try_lock() {
            self.show(&mut shown);
        }
    }

    fn skip(&self, units: u64) {
        self.step.skip(units);
        self.advance(0);
    }

    fn end(&self) {
        let mut shown = locked(&self.shown);
        self.show(&mut shown);
        locked(&shown.plan).end(Instant::now());
        // Where more steps are to come the bar stays until the next one has one: nothing flickers.
        if let Some(screen) = &mut shown.screen
            && screen.all.is_none()
        {
            screen.clear();
        }
        shown.step = None;
    }
}

impl Bar<'_> {
    /// Takes all bars off the screen.
    pub fn clear(&self) {
        if let Some(screen) = &mut locked(&self.shown).screen {
            screen.clear();
            screen.clear_all();
        }
    }
}

impl Drop for Bar<'_> {
    fn drop(&mut self) {
        self.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_is_one_that_the_bar_understands() {
        assert!(ProgressStyle::with_template(TEMPLATE).is_ok());
    }

    #[test]
    fn lines_come_now_and_then_and_tell_of_the_step_and_of_all() {
        let lines = Mutex::new(Vec::new());
        let notes = |line: &str| lines.lock().unwrap().push(line.to_owned());
        let bar = Bar::new(&notes);
        bar.shown.lock().unwrap().screen = None;
        bar.advance(1);
        bar.plan("solving", 100, 50);
        bar.begin("solving 1", 10);
        bar.skip(5);
        bar.advance(5);
        bar.end();
        bar.begin("solving 2", 20);
        bar.shown.lock().unwrap().next = Instant::now();
        bar.advance(10);
        bar.advance(10);
        bar.end();
        bar.end();
        drop(bar);
        // One was due; the next is so only seconds later.
        let lines = lines.into_inner().unwrap();
        assert_eq!(lines.len(), 1);
        assert!(lines[0].starts_with("solving 2: 50% of 20 positions"));
        assert!(lines[0].contains("; all: 70%"), "{}", lines[0]);
    }
}
