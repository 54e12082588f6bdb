//! Owns: what the machine offers: memory to use by default, and threads.
//!
//! Linux says how much memory can be had without swapping, and a container may allow less than the
//! machine has. Where neither can be read the default is a fixed, modest figure rather than a guess
//! at the hardware; `--memory` overrides it everywhere.

use super::failure::{Failure, Kind};
use std::fs;

/// Default of `--memory` where the machine does not say what it has.
pub const FALLBACK_MEMORY: u64 = 2 << 30;

/// Most threads that can be asked for.
pub const MAX_THREADS: usize = 1024;

/// Stack of a thread: a deep count or search is one frame a ply. Only what is touched takes memory.
const STACK: usize = 16 << 20;

/// Default of `--memory`: three quarters of what is available now.
pub fn default_memory() -> u64 {
    let available = fs::read_to_string("/proc/meminfo")
        .ok()
        .and_then(|text| meminfo_available(&text));
    let limit = read_number("/sys/fs/cgroup/memory.max").map(|limit| {
        limit.saturating_sub(read_number("/sys/fs/cgroup/memory.current").unwrap_or(0))
    });
    match (available, limit) {
        (Some(available), Some(limit)) => available.min(limit) / 4 * 3,
        (Some(bytes), None) | (None, Some(bytes)) => bytes / 4 * 3,
        (None, None) => FALLBACK_MEMORY,
    }
}

/// A file that holds one number; `None` when it cannot be read or says `max`.
fn read_number(path: &str) -> Option<u64> {
    fs::read_to_string(path).ok()?.trim().parse().ok()
}

/// The figure of `MemAvailable`, in bytes.
fn meminfo_available(text: &str) -> Option<u64> {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

/// Runs `work` on a pool of `threads` threads (all cores when `None`).
///
/// # Errors
/// When the system does not give so many threads.
pub fn with_threads<T: Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> T + Send,
) -> Result<T, Failure> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0))
        .stack_size(STACK)
        .build()
        .map_err(|error| {
            Failure::new(
                Kind::Other,
                format!("cannot start the threads: {error}; ask for fewer with --threads"),
            )
        })?;
    Ok(pool.install(work))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn available_memory_is_found_in_the_usual_text() {
        let text = "MemTotal:  8000 kB\nMemFree: 10 kB\nMemAvailable:    5000 kB\n";
        assert_eq!(meminfo_available(text), Some(5000 * 1024));
        assert_eq!(meminfo_available("MemTotal: 1 kB\n"), None);
        assert_eq!(meminfo_available("MemAvailable: many\n"), None);
    }

    #[test]
    fn there_is_always_a_default() {
        assert!(default_memory() > 0);
    }
}
