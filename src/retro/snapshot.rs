//! Owns: what must be kept of a level between two waves to go on later.
//!
//! Edges are not part of it: expanding a level again is quicker than reading them back. The solver
//! offers snapshots and asks for one; whoever owns files keeps them.

use crate::value::{Code, Distance, Distances};

/// The state of a level after a wave.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Snapshot {
    /// The wave that has been completed.
    pub wave: Distance,
    /// Whether that was the last one: codes and distances are final.
    pub settled: bool,
    /// Codes of both bounds by number in the level.
    pub codes: Vec<[Code; 2]>,
    /// Their distances so far.
    pub distances: Distances,
    /// One bit a position: a bound changed in that wave.
    pub changed: Vec<u64>,
}

/// Keeps snapshots of one level.
pub trait Keeper {
    /// A snapshot to go on from, if there is one. One that does not fit the level is not used.
    fn load(&mut self) -> Option<Snapshot>;

    /// Whether it is time for a snapshot; asked after every wave.
    fn due(&mut self) -> bool;

    /// Keeps a snapshot; `false` halts the solver (the keeper knows why).
    fn save(&mut self, snapshot: &Snapshot) -> bool;
}

/// Keeps nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Forgetful;

impl Keeper for Forgetful {
    fn load(&mut self) -> Option<Snapshot> {
        None
    }

    fn due(&mut self) -> bool {
        false
    }

    fn save(&mut self, _: &Snapshot) -> bool {
        true
    }
}
