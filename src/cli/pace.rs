//! Owns: how far work has come, how fast it is and how long it will take, in words.
//!
//! Times come from averages, over this run alone: what an earlier run had done says nothing about how
//! fast this one is. Kinds of steps (solving, writing) differ by a factor of ten in speed, so each has
//! its own; one that is still to come is taken to be as slow as the slowest so far.

use super::units::{counted, show_count, show_duration};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What is done of the step at hand.
#[derive(Debug, Default)]
pub struct Units {
    done: AtomicU64,
    /// How much of that was done by an earlier run.
    before: AtomicU64,
}

impl Units {
    /// Nothing.
    pub fn reset(&self) {
        self.done.store(0, Ordering::Relaxed);
        self.before.store(0, Ordering::Relaxed);
    }

    /// So many more.
    pub fn add(&self, units: u64) {
        self.done.fetch_add(units, Ordering::Relaxed);
    }

    /// So many more that an earlier run did.
    pub fn skip(&self, units: u64) {
        self.before.fetch_add(units, Ordering::Relaxed);
        self.add(units);
    }

    /// What is done, and how much of it was before.
    pub fn get(&self) -> (u64, u64) {
        let done = self.done.load(Ordering::Relaxed);
        (done, self.before.load(Ordering::Relaxed).min(done))
    }
}

/// Time before which there is no telling how fast work goes: units come in lots.
const SOON: Duration = Duration::from_millis(500);

/// Units a second, where anything was done.
fn rate(units: u64, time: Duration) -> Option<f64> {
    (units > 0 && time >= SOON).then(|| units as f64 / time.as_secs_f64())
}

fn percent(done: u64, total: u64) -> f64 {
    (done as f64 * 100.0 / total.max(1) as f64).min(100.0)
}

fn show_left(seconds: f64) -> String {
    // A century is as good as for ever.
    show_duration(Duration::from_secs_f64(seconds.min(3e9)))
}

/// A step under way.
#[derive(Clone, Debug)]
pub struct Step {
    name: String,
    /// Units in it.
    pub total: u64,
    /// What is done of it.
    pub units: Arc<Units>,
    since: Instant,
}

impl Step {
    /// A step that begins now.
    pub fn new(name: &str, total: u64, units: Arc<Units>) -> Self {
        Self {
            name: name.to_owned(),
            total,
            units,
            since: Instant::now(),
        }
    }

    /// `solving 7 (8 of 21): 42% of 3,124,550 positions, 81,000/s, 23s left`
    pub fn text(&self, now: Instant) -> String {
        let (done, before) = self.units.get();
        let (percent, total) = (percent(done, self.total), counted(self.total, "position"));
        let mut text = format!("{}: {percent:.0}% of {total}", self.name);
        if let Some(rate) = rate(done - before, now - self.since) {
            let left = show_left(self.total.saturating_sub(done) as f64 / rate);
            text += &format!(", {}/s, {left} left", show_count(rate as u64));
        }
        text
    }
}

/// Steps of one kind.
#[derive(Debug)]
struct Kind {
    word: String,
    total: u64,
    /// Done by finished steps and by earlier runs, how much of that by earlier runs, and the time that
    /// this run took.
    done: u64,
    before: u64,
    spent: Duration,
}

/// All steps.
#[derive(Debug, Default)]
pub struct Plan {
    kinds: Vec<Kind>,
    /// The kind of the step at hand, and the step.
    now: Option<(usize, Step)>,
}

impl Plan {
    /// Plans steps of a kind: `total` units, `before` of them done.
    pub fn add(&mut self, word: &str, total: u64, before: u64) {
        self.kinds.push(Kind {
            word: word.to_owned(),
            total,
            done: before,
            before,
            spent: Duration::ZERO,
        });
    }

    /// A step begins; its name begins with the word for its kind.
    pub fn begin(&mut self, step: &Step) {
        let word = step.name.split(' ').next();
        let kind = self.kinds.iter().position(|k| Some(&*k.word) == word);
        self.now = kind.map(|kind| (kind, step.clone()));
    }

    /// Whether the step at hand is one of those planned.
    pub fn covers_step(&self) -> bool {
        self.now.is_some()
    }

    /// The step is over.
    pub fn end(&mut self, now: Instant) {
        if let Some((kind, step)) = self.now.take() {
            let (done, before) = step.units.get();
            let kind = &mut self.kinds[kind];
            kind.done += done;
            kind.before += before;
            kind.spent += now - step.since;
        }
    }

    /// Units done of all that are planned, when `step` of the one at hand are; units planned.
    pub fn extent(&self, step: u64) -> (u64, u64) {
        let done: u64 = self.kinds.iter().map(|kind| kind.done).sum();
        let total = self.kinds.iter().map(|kind| kind.total).sum();
        let step = if self.now.is_some() { step } else { 0 };
        ((done + step).min(total), total)
    }

    /// `all: 37%, 2m 10s left`
    pub fn text(&self, now: Instant) -> String {
        let mut slowest = f64::INFINITY;
        let mut done = 0;
        let mut left: Vec<(u64, Option<f64>)> = Vec::new();
        for (at, kind) in self.kinds.iter().enumerate() {
            let (mut all, mut before, mut spent) = (kind.done, kind.before, kind.spent);
            if let Some((_, step)) = self.now.as_ref().filter(|(kind, _)| *kind == at) {
                let units = step.units.get();
                all += units.0;
                before += units.1;
                spent += now - step.since;
            }
            let rate = rate(all - before, spent);
            slowest = slowest.min(rate.unwrap_or(f64::INFINITY));
            left.push((kind.total.saturating_sub(all), rate));
            done += all;
        }
        let total = self.kinds.iter().map(|kind| kind.total).sum();
        let percent = percent(done, total);
        if slowest.is_infinite() {
            return format!("all: {percent:.0}%");
        }
        let seconds = left
            .iter()
            .map(|(units, rate)| *units as f64 / rate.unwrap_or(slowest));
        format!("all: {percent:.0}%, {} left", show_left(seconds.sum()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(name: &str, total: u64, done: u64, before: u64) -> Step {
        let units = Arc::new(Units::default());
        units.skip(before);
        units.add(done - before);
        Step::new(name, total, units)
    }

    fn after(step: &Step, seconds: u64) -> Instant {
        step.since + Duration::from_secs(seconds)
    }

    #[test]
    fn a_step_says_how_far_how_fast_and_how_long() {
        let text = |total, done, before, seconds| {
            let step = step("solving", total, done, before);
            step.text(after(&step, seconds))
        };
        assert_eq!(
            text(30_000, 10_000, 0, 10),
            "solving: 33% of 30,000 positions, 1,000/s, 20s left"
        );
        assert_eq!(text(0, 0, 0, 1), "solving: 0% of 0 positions");
        assert_eq!(
            text(10, 20, 0, 1),
            "solving: 100% of 10 positions, 20/s, 0s left"
        );
        // Half was done by an earlier run, a tenth by this one in ten seconds.
        assert_eq!(
            text(1000, 600, 500, 10),
            "solving: 60% of 1,000 positions, 10/s, 40s left"
        );
        assert_eq!(text(1000, 500, 500, 10), "solving: 50% of 1,000 positions");
        // A lot is done, and next to no time gone by.
        let step = step("proving", 10_000, 4096, 0);
        let soon = step.since + Duration::from_micros(3);
        assert_eq!(step.text(soon), "proving: 41% of 10,000 positions");
    }

    #[test]
    fn kinds_of_steps_have_speeds_of_their_own() {
        let mut plan = Plan::default();
        assert_eq!(plan.text(Instant::now()), "all: 0%");
        plan.add("solving", 1000, 500);
        plan.add("writing", 1000, 500);
        let first = step("solving 5", 100, 50, 0);
        plan.begin(&first);
        assert_eq!(plan.extent(50), (1050, 2000));
        // Ten a second: 450 are left to solve, and nobody knows yet how fast 500 are written.
        assert_eq!(plan.text(after(&first, 5)), "all: 52%, 1m 35s left");
        first.units.add(50);
        plan.end(after(&first, 10));
        let second = step("writing 5", 100, 20, 0);
        plan.begin(&second);
        // 400 to solve at ten a second, 480 to write at one a second.
        assert_eq!(plan.text(after(&second, 20)), "all: 56%, 8m 40s left");
        plan.end(after(&second, 20));
        // A step that was not planned changes nothing.
        plan.begin(&step("tidying", 7, 7, 0));
        assert!(!plan.covers_step());
        assert_eq!(plan.extent(7), (1120, 2000));
        plan.end(Instant::now());
        assert_eq!(plan.extent(0), (1120, 2000));
    }

    #[test]
    fn right_after_a_resume_only_this_run_counts() {
        let mut plan = Plan::default();
        plan.add("reading", 900, 0);
        plan.add("solving", 1000, 900);
        let reading = step("reading finished layers", 900, 450, 0);
        plan.begin(&reading);
        // 450 to read and 100 to solve, at 45 a second.
        assert_eq!(plan.text(after(&reading, 10)), "all: 71%, 12s left");
        plan.end(after(&reading, 10));
        let resumed = step("solving 9", 100, 60, 60);
        plan.begin(&resumed);
        assert_eq!(plan.extent(60), (1410, 1900));
        resumed.units.add(20);
        assert!(plan.text(after(&resumed, 10)).starts_with("all: 75%, "));
    }
}
