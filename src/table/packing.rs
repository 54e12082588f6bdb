//! Owns: the file that keeps the packed blocks of a layer while it is being written.
//!
//! Packing a large layer takes longer than solving it, so what has been packed must outlive a builder
//! that is killed. `LAYER.packed` grows by a record a block:
//!
//! | Bytes | What |
//! |---|---|
//! | 8, 8 | at the beginning: `SOWPACKS`, checksum of the text that names rules, layer and planes |
//! | 80 | for each block in order: bytes of each plane (4, 4) and the counts of its positions (bincode, fixed integers) |
//! | 8 | checksum of these and of the planes, seeded with the block's place |
//! | … | the planes |
//!
//! Whatever follows the first record that does not fit is cut off. Values do not depend on
//! interruptions, so the blocks are those that would be packed again.

use super::error::TableError;
use super::format::{checksum, place};
use crate::index::Layer;
use crate::tally::Tally;
use bincode::Options;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Ending of the files' names.
pub const PACKED: &str = "packed";

const MAGIC: [u8; 8] = *b"SOWPACKS";
/// Bytes of a record without its planes and checksum.
const RECORD: usize = 80;

/// A block as it goes into the layer's file, and the counts of its positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packed {
    pub planes: [Vec<u8>; 2],
    pub tally: Tally,
}

#[derive(Serialize, Deserialize)]
struct Record {
    planes: [u32; 2],
    tally: Tally,
}

fn encoding() -> impl Options {
    bincode::DefaultOptions::new()
        .with_fixint_encoding()
        .with_limit(RECORD as u64)
        .reject_trailing_bytes()
}

/// A layer's packed blocks on the disk.
#[derive(Debug)]
pub struct PackLog {
    path: PathBuf,
    layer: Layer,
    file: File,
    blocks: u64,
}

impl PackLog {
    /// Opens the file of a layer that `name` tells from all others, and reads the blocks that are in it.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub fn open(
        directory: &Path,
        layer: Layer,
        name: &str,
    ) -> Result<(Self, Vec<Packed>), TableError> {
        let path = path(directory, layer);
        let head = [MAGIC, checksum(name.as_bytes(), 0).to_le_bytes()].concat();
        let opened = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path);
        let io =
            |error: std::io::Error| TableError::writing(&path, "the layer's packed blocks", &error);
        let mut file = opened.map_err(io)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(io)?;
        let (mut blocks, mut sound) = (Vec::new(), 0);
        if bytes.starts_with(&head) {
            sound = head.len();
            while let Some((packed, size)) = parse(&bytes[sound..], layer, blocks.len() as u64) {
                blocks.push(packed);
                sound += size;
            }
        }
        file.set_len(sound as u64).map_err(io)?;
        file.seek(SeekFrom::End(0)).map_err(io)?;
        if sound == 0 {
            file.write_all(&head).map_err(io)?;
        }
        let log = Self {
            layer,
            file,
            blocks: blocks.len() as u64,
            path,
        };
        Ok((log, blocks))
    }

    /// Adds blocks behind those that are there.
    ///
    /// # Errors
    /// When there is no room.
    pub fn append(&mut self, blocks: &[Packed]) -> Result<(), TableError> {
        let mut out = BufWriter::new(&mut self.file);
        let mut written = Ok(());
        for packed in blocks {
            let place = place(self.layer, 0, Some(self.blocks));
            written = written.and_then(|()| record(packed, place, &mut out));
            self.blocks += 1;
        }
        let written = written.and_then(|()| out.flush());
        written.map_err(|error| TableError::writing(&self.path, "room for packed blocks", &error))
    }
}

/// Removes the packed blocks of a layer that is in the manifest and no longer needs them.
pub fn forget_packed(directory: &Path, layer: Layer) {
    // A file that stays is in nobody's way: the next builder of this layer goes on with it.
    let _ = fs::remove_file(path(directory, layer));
}

fn path(directory: &Path, layer: Layer) -> PathBuf {
    directory.join(format!("{layer}.{PACKED}"))
}

/// Writes one record.
fn record(packed: &Packed, place: u64, out: &mut impl Write) -> std::io::Result<()> {
    let record = Record {
        planes: packed.planes.each_ref().map(|plane| plane.len() as u32),
        tally: packed.tally,
    };
    let mut bytes = encoding()
        .serialize(&record)
        .map_err(std::io::Error::other)?;
    let sum = sum(&bytes, &packed.planes, place);
    bytes.extend(sum.to_le_bytes());
    out.write_all(&bytes)?;
    packed
        .planes
        .iter()
        .try_for_each(|plane| out.write_all(plane))
}

fn sum(record: &[u8], planes: &[Vec<u8>; 2], place: u64) -> u64 {
    let mut sums = record.to_vec();
    for plane in planes {
        sums.extend(checksum(plane, place).to_le_bytes());
    }
    checksum(&sums, place)
}

/// Reads the record that `bytes` begin with, and says how long it is; `None` when it is not whole.
fn parse(bytes: &[u8], layer: Layer, block: u64) -> Option<(Packed, usize)> {
    let (head, rest) = bytes.split_at_checked(RECORD)?;
    let record: Record = encoding().deserialize(head).ok()?;
    let (found, rest) = rest.split_at_checked(8)?;
    let (first, rest) = rest.split_at_checked(record.planes[0] as usize)?;
    let (second, rest) = rest.split_at_checked(record.planes[1] as usize)?;
    let packed = Packed {
        planes: [first.to_vec(), second.to_vec()],
        tally: record.tally,
    };
    let sum = sum(head, &packed.planes, place(layer, 0, Some(block)));
    (found == sum.to_le_bytes()).then(|| (packed, bytes.len() - rest.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(size: usize) -> Packed {
        Packed {
            planes: [vec![size as u8; size], vec![7; size / 2]],
            tally: Tally {
                positions: size as u64,
                ..Tally::default()
            },
        }
    }

    #[test]
    fn whole_records_come_back_and_nothing_else() {
        let directory =
            std::env::temp_dir().join(format!("sowbase-packing-{}", std::process::id()));
        fs::create_dir_all(&directory).unwrap();
        let layer = Layer::Total(5);
        let open = |name: &str| PackLog::open(&directory, layer, name).unwrap();
        let blocks = [block(3), block(0), block(100)];
        let (mut log, found) = open("rules");
        assert_eq!(found, []);
        log.append(&blocks[..2]).unwrap();
        log.append(&blocks[2..]).unwrap();
        let (mut log, found) = open("rules");
        assert_eq!(found, blocks);
        log.append(&blocks[..1]).unwrap();
        assert_eq!(open("rules").1.len(), 4);
        let path = path(&directory, layer);
        let whole = fs::read(&path).unwrap();
        let third = whole.len() - (RECORD + 8 + 4);
        for at in (0..whole.len()).step_by(5) {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            fs::write(&path, &bytes).unwrap();
            let (_, found) = open("rules");
            assert!(
                found.len() < 4 && found[..] == blocks[..found.len()],
                "{at}"
            );
            fs::write(&path, &whole[..at.min(third)]).unwrap();
            let (_, found) = open("rules");
            assert!(
                found.len() < 4 && found[..] == blocks[..found.len().min(3)],
                "{at}"
            );
        }
        fs::write(&path, &whole).unwrap();
        assert_eq!(open("other rules").1, []);
        forget_packed(&directory, layer);
        assert!(!path.exists());
        fs::remove_dir_all(&directory).unwrap();
    }
}
