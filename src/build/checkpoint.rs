//! Owns: the file that keeps a snapshot of the level at hand.
//!
//! `checkpoint`: 8 bytes `SOWWAVES`, the checksum of all that follows, the checksum of the text that
//! names rules and layers, wave (2 bytes), positions (8); then codes, distances and changes, all
//! little-endian. One that does not fit is not used: the level is then solved from its beginning.

use crate::retro::{Keeper, Snapshot};
use crate::table::TableError;
use crate::table::files::write_whole;
use crate::table::format::checksum;
use crate::value::{Code, Distance};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Name of the file in a table's directory.
const CHECKPOINT: &str = "checkpoint";
const MAGIC: [u8; 8] = *b"SOWWAVES";
/// Bytes before the codes.
const HEAD: usize = 8 + 8 + 8 + 2 + 8;

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

    fn words(&self) -> u64 {
        // The solver's sets cover whole chunks; their exact length is checked by the solver.
        self.positions.div_ceil(64)
    }

    fn parse(&self, bytes: &[u8]) -> Option<Snapshot> {
        let (head, body) = bytes.split_at_checked(HEAD)?;
        let number = |range: std::ops::Range<usize>| head[range].try_into().map(u64::from_le_bytes);
        let whole = checksum(bytes.get(16..)?, 0) == number(8..16).ok()?;
        let mine = number(16..24).ok()? == self.name && number(26..34).ok()? == self.positions;
        let positions = usize::try_from(self.positions).ok()?;
        let (codes, rest) = body.split_at_checked(positions.checked_mul(2)?)?;
        let (distances, changed) = rest.split_at_checked(positions.checked_mul(4)?)?;
        let enough = changed.len() as u64 / 8 >= self.words();
        if head[..8] != MAGIC || !whole || !mine || !enough {
            return None;
        }
        let pair = |bytes: &[u8]| Distance::from_le_bytes([bytes[0], bytes[1]]);
        let word = |bytes: &[u8]| bytes.try_into().map_or(0, u64::from_le_bytes);
        Some(Snapshot {
            wave: pair(&head[24..26]),
            codes: codes
                .chunks_exact(2)
                .map(|pair| [pair[0], pair[1]])
                .collect(),
            distances: distances
                .chunks_exact(4)
                .map(|b| [pair(b), pair(&b[2..])])
                .collect(),
            changed: changed.chunks_exact(8).map(word).collect(),
        })
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

    fn save(
        &mut self,
        wave: Distance,
        codes: &[[Code; 2]],
        distances: &[[Distance; 2]],
        changed: &[u64],
    ) -> bool {
        let mut bytes = Vec::with_capacity(HEAD + 6 * codes.len() + 8 * changed.len());
        bytes.extend(MAGIC);
        bytes.extend([0; 8]);
        bytes.extend(self.name.to_le_bytes());
        bytes.extend(wave.to_le_bytes());
        bytes.extend((codes.len() as u64).to_le_bytes());
        bytes.extend(codes.iter().flatten());
        bytes.extend(
            distances
                .iter()
                .flatten()
                .flat_map(|distance| distance.to_le_bytes()),
        );
        bytes.extend(changed.iter().flat_map(|word| word.to_le_bytes()));
        let sum = checksum(&bytes[16..], 0);
        bytes[8..16].copy_from_slice(&sum.to_le_bytes());
        self.trouble = write_whole(&self.path, &[&bytes]).err();
        self.last = Instant::now();
        self.trouble.is_none()
    }
}
