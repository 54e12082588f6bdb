//! Owns: signals: interrupting long work in good order, and running into a limit on file sizes.
//!
//! Work that keeps what it has finished asks [`Stopping`] whether to go on; the first interrupt sets
//! it, a second one ends the program as it would anywhere. The system's signal for a file grown too
//! large is caught too, so that writing fails with an error that can be told.

use super::Notes;
use super::bar::Bar;
use super::failure::{Failure, Kind};
use crate::progress::Progress;
use signal_hook::consts::{SIGINT, SIGTERM};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A bar that says when to stop.
pub struct Stopping<'a> {
    bar: Bar<'a>,
    stop: Arc<AtomicBool>,
}

impl<'a> Stopping<'a> {
    /// Listens to signals from now on; what the bar cannot show goes to `notes`.
    ///
    /// # Errors
    /// When the system does not let it.
    pub fn new(notes: &'a Notes<'a>) -> Result<Self, Failure> {
        Ok(Self {
            bar: Bar::new(notes),
            stop: interrupts()?,
        })
    }

    /// Takes the bar off the screen.
    pub fn clear(&self) {
        self.bar.clear();
    }
}

/// A flag that the first interrupt sets, from now on.
///
/// # Errors
/// When the system does not let it.
pub fn interrupts() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let listen = || -> std::io::Result<()> {
        for signal in [SIGINT, SIGTERM] {
            signal_hook::flag::register_conditional_shutdown(signal, 130, Arc::clone(&stop))?;
            signal_hook::flag::register(signal, Arc::clone(&stop))?;
        }
        #[cfg(unix)]
        signal_hook::flag::register(
            signal_hook::consts::SIGXFSZ,
            Arc::new(AtomicBool::new(false)),
        )?;
        Ok(())
    };
    listen()
        .map_err(|error| Failure::new(Kind::Other, format!("cannot listen to signals: {error}")))?;
    Ok(stop)
}

impl Progress for Stopping<'_> {
    fn plan(&self, kind: &str, total: u64, before: u64) {
        self.bar.plan(kind, total, before);
    }

    fn begin(&self, step: &str, total: u64) {
        self.bar.begin(step, total);
    }

    fn advance(&self, units: u64) {
        self.bar.advance(units);
    }

    fn skip(&self, units: u64) {
        self.bar.skip(units);
    }

    fn end(&self) {
        self.bar.end();
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
