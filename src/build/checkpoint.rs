//! Owns: the file that keeps a snapshot of the level at hand.
//!
//! `checkpoint`: 8 bytes `SOWWAVES`; the checksum of all that follows; 28 bytes of [`Head`] (bincode,
//! fixed integers); then codes, the bytes of distances and the changes, all little-endian. One
//! that does not fit is not used: the level is then solved from its beginning.

use crate::retro::{Keeper, Snapshot};
use crate::table::TableError;
use crate::table::files::write_whole;
use crate::table::format::checksum;
use crate::value::{Distance, Distances};
use bincode::Options;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use xxhash_rust::xxh3::Xxh3;

/// Name of the file in a table's directory.
pub const CHECKPOINT: &str = "checkpoint";
const MAGIC: [u8; 8] = *b"SOWWAVES";

/// What a snapshot says of itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Head {
    /// Checksum of the text that names rules and layers.
    name: u64,
    /// Positions in the level.
    positions: u64,
    /// Words of the set of changes.
    words: u64,
    /// The wave that has been completed.
    wave: Distance,
    /// Whether it was the last one.
    settled: bool,
    /// Whether distances have an upper byte.
    wide: bool,
}

impl Head {
    /// Bytes of a head.
    const SIZE: usize = 28;

    fn encoding() -> impl Options {
        bincode::DefaultOptions::new()
            .with_fixint_encoding()
            .with_limit(Self::SIZE as u64)
            .reject_trailing_bytes()
    }
}

/// Keeps snapshots of one level in a directory.
#[derive(Debug)]
pub struct Checkpoint {
    path: PathBuf,
    name: u64,
    positions: u64,
    every: Duration,
    last: Instant,
    trouble: Option<TableError>,
}

impl Checkpoint {
    /// For the level that `name` tells from all others; a snapshot is due `every` so often.
    pub fn new(directory: &Path, name: &str, positions: u64, every: Duration) -> Self {
        Self {
            path: directory.join(CHECKPOINT),
            name: checksum(name.as_bytes(), 1),
            positions,
            every,
            last: Instant::now(),
            trouble: None,
        }
    }

    /// Why a snapshot could not be written.
    pub fn trouble(&mut self) -> Option<TableError> {
        self.trouble.take()
    }

    /// Removes the file, which a finished level no longer needs.
    pub fn remove(&self) {
        // One that stays is ignored: it names another level.
        let _ = fs::remove_file(&self.path);
    }

    fn parse(&self, bytes: &[u8]) -> Option<Snapshot> {
        let body = bytes.strip_prefix(&MAGIC)?;
        let (sum, body) = body.split_first_chunk()?;
        if checksum(body, 0) != u64::from_le_bytes(*sum) {
            return None;
        }
        let (head, body) = body.split_at_checked(Head::SIZE)?;
        let head: Head = Head::encoding().deserialize(head).ok()?;
        if head.name != self.name || head.positions != self.positions {
            return None;
        }
        let size = usize::try_from(head.positions).ok()?.checked_mul(2)?;
        let (codes, body) = body.split_at_checked(size)?;
        let (low, body) = body.split_at_checked(size)?;
        let (high, changed) = body.split_at_checked(if head.wide { size } else { 0 })?;
        let (words, rest) = changed.as_chunks();
        if !rest.is_empty() || words.len() as u64 != head.words {
            return None;
        }
        let pairs = |bytes: &[u8]| bytes.as_chunks().0.to_vec();
        Some(Snapshot {
            wave: head.wave,
            settled: head.settled,
            codes: pairs(codes),
            distances: Distances::from_planes(pairs(low), pairs(high))?,
            changed: words.iter().copied().map(u64::from_le_bytes).collect(),
        })
    }

    fn write(&self, snapshot: &Snapshot) -> Result<(), TableError> {
        let [low, high] = snapshot.distances.planes();
        let head = Head {
            name: self.name,
            positions: snapshot.codes.len() as u64,
            words: snapshot.changed.len() as u64,
            wave: snapshot.wave,
            settled: snapshot.settled,
            wide: !high.is_empty(),
        };
        let head = Head::encoding().serialize(&head).map_err(|error| {
            let error = std::io::Error::other(error);
            TableError::writing(&self.path, "a head that can be written", &error)
        })?;
        let words = snapshot.changed.iter().flat_map(|word| word.to_le_bytes());
        let changed: Vec<u8> = words.collect();
        let body: [&[u8]; 5] = [
            &head,
            snapshot.codes.as_flattened(),
            low.as_flattened(),
            high.as_flattened(),
            &changed,
        ];
        let mut hasher = Xxh3::new();
        body.iter().for_each(|part| hasher.update(part));
        let sum = hasher.digest().to_le_bytes();
        let [head, codes, low, high, changed] = body;
        write_whole(&self.path, &[&MAGIC, &sum, head, codes, low, high, changed])
    }
}

impl Keeper for Checkpoint {
    fn load(&mut self) -> Option<Snapshot> {
        let bytes = fs::read(&self.path).ok()?;
        self.parse(&bytes)
    }

    fn due(&mut self) -> bool {
        self.last.elapsed() >= self.every
    }

    fn save(&mut self, snapshot: &Snapshot) -> bool {
        self.trouble = self.write(snapshot).err();
        self.last = Instant::now();
        self.trouble.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snapshot_comes_back_whole_or_not_at_all() {
        let directory =
            std::env::temp_dir().join(format!("sowbase-checkpoint-{}", std::process::id()));
        fs::create_dir_all(&directory).unwrap();
        for (wide, settled) in [(0, false), (300, true)] {
            let snapshot = Snapshot {
                wave: 5,
                settled,
                codes: vec![[1, 2], [0, 255], [3, 3]],
                distances: [[1, 2], [0, wide], [3, 4]].into_iter().collect(),
                changed: vec![5, u64::MAX],
            };
            let open = |name: &str, positions: u64| {
                Checkpoint::new(&directory, name, positions, Duration::ZERO)
            };
            assert!(open("level", 3).save(&snapshot));
            assert_eq!(open("level", 3).load(), Some(snapshot));
            assert_eq!(open("level", 4).load(), None);
            assert_eq!(open("other", 3).load(), None);
            let path = directory.join(CHECKPOINT);
            let whole = fs::read(&path).unwrap();
            for at in 0..whole.len() {
                let mut bytes = whole.clone();
                bytes[at] ^= 1;
                fs::write(&path, &bytes).unwrap();
                assert_eq!(open("level", 3).load(), None, "{at}");
                fs::write(&path, &whole[..at]).unwrap();
                assert_eq!(open("level", 3).load(), None, "{at}");
            }
        }
        fs::remove_dir_all(&directory).unwrap();
    }
}
