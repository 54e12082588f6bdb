//! Owns: how long-running work tells of itself and is told to stop.
//!
//! The library calls these and knows nothing of bars, terminals or signals; [`Silent`] is what it
//! uses when nobody listens.

/// Listens to work that takes a while. Calls come from many threads.
pub trait Progress: Sync {
    /// Steps whose name begins with the word `kind` will come to `total` units all together, `before`
    /// of which an earlier run has done. Called before the first step, for each kind, by work that knows.
    fn plan(&self, kind: &str, total: u64, before: u64) {
        let _ = (kind, total, before);
    }
    /// A step begins, with `total` units (positions, unless said otherwise) to do.
    fn begin(&self, step: &str, total: u64);
    /// `units` more are done.
    fn advance(&self, units: u64);
    /// `units` of the step were done by an earlier run: they are done, and took no time.
    fn skip(&self, units: u64) {
        self.advance(units);
    }
    /// The step is over.
    fn end(&self);
    /// Whether the work is to stop as soon as it can.
    fn stopped(&self) -> bool {
        false
    }
}

/// Nobody listens.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _: &str, _: u64) {}
    fn advance(&self, _: u64) {}
    fn end(&self) {}
}

/// Passes on only whether to stop: for work that is counted elsewhere.
#[derive(Clone, Copy)]
pub struct Unheard<'a>(pub &'a dyn Progress);

impl Progress for Unheard<'_> {
    fn begin(&self, _: &str, _: u64) {}
    fn advance(&self, _: u64) {}
    fn end(&self) {}
    fn stopped(&self) -> bool {
        self.0.stopped()
    }
}
