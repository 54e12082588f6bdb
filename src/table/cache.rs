//! Owns: decoded blocks in memory, within a budget.
//!
//! A block has its own lock, so that threads that read different blocks never meet; whoever needs a
//! block that another is decoding waits for it instead of decoding it too. The oldest blocks go first.

use crate::value::{Code, Distance};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Distances, in bytes where they all fit.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Distances {
    None,
    Narrow(Vec<[u8; 2]>),
    Wide(Vec<[Distance; 2]>),
}

/// A decoded block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    codes: Vec<[Code; 2]>,
    distances: Distances,
}

impl Block {
    /// Keeps codes and distances (none where the table has none).
    pub fn new(codes: Vec<[Code; 2]>, distances: Vec<[Distance; 2]>) -> Self {
        let narrow = distances.iter().flatten().all(|&distance| distance < 256);
        let distances = match (distances.is_empty(), narrow) {
            (true, _) => Distances::None,
            (_, true) => Distances::Narrow(distances.iter().map(|d| d.map(|d| d as u8)).collect()),
            _ => Distances::Wide(distances),
        };
        Self { codes, distances }
    }

    /// The codes of all positions.
    pub fn codes(&self) -> &[[Code; 2]] {
        &self.codes
    }

    /// Codes and distances (0 where there are none) of a position.
    #[inline(always)]
    pub fn get(&self, at: usize) -> ([Code; 2], [Distance; 2]) {
        let distances = match &self.distances {
            Distances::None => [0; 2],
            Distances::Narrow(narrow) => narrow[at].map(Distance::from),
            Distances::Wide(wide) => wide[at],
        };
        (self.codes[at], distances)
    }

    fn bytes(&self) -> u64 {
        let distances = match &self.distances {
            Distances::None => 0,
            Distances::Narrow(narrow) => 2 * narrow.len(),
            Distances::Wide(wide) => 4 * wide.len(),
        };
        (2 * self.codes.len() + distances) as u64
    }
}

/// Blocks of one layer.
pub type Slots = Vec<Mutex<Option<Block>>>;

/// Which blocks are in memory, in the order in which they came.
#[derive(Debug)]
pub struct Cache {
    budget: u64,
    used: AtomicU64,
    order: Mutex<VecDeque<(usize, u64)>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Whatever a panicking thread left is whole: blocks are stored by a single assignment.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Cache {
    /// Keeps up to `budget` bytes of decoded blocks.
    pub fn new(budget: u64) -> Self {
        Self {
            budget,
            used: AtomicU64::new(0),
            order: Mutex::new(VecDeque::new()),
        }
    }

    /// Reads from block `number` of layer `layer` of `slots`, which `load` decodes if need be.
    ///
    /// # Errors
    /// Those of `load`.
    pub fn with<T, E>(
        &self,
        slots: &[Slots],
        (layer, number): (usize, u64),
        load: impl FnOnce() -> Result<Block, E>,
        read: impl FnOnce(&Block) -> T,
    ) -> Result<T, E> {
        let mut slot = lock(&slots[layer][number as usize]);
        if let Some(block) = &*slot {
            return Ok(read(block));
        }
        let block = load()?;
        let answer = read(&block);
        let bytes = block.bytes();
        *slot = Some(block);
        // Another block's lock is taken below: never while holding this one.
        drop(slot);
        lock(&self.order).push_back((layer, number));
        let mut used = self.used.fetch_add(bytes, Ordering::Relaxed) + bytes;
        while used > self.budget {
            let Some((layer, number)) = lock(&self.order).pop_front() else {
                break;
            };
            let gone = lock(&slots[layer][number as usize]).take();
            let bytes = gone.map_or(0, |block| block.bytes());
            used = self.used.fetch_sub(bytes, Ordering::Relaxed) - bytes;
        }
        Ok(answer)
    }
}
