//! Owns: the bytes of a layer's file around its blocks (layout in the docs of [`super`]).
//!
//! Everything a reader needs to know of the layout follows from the layer itself, so a header is not
//! trusted but compared: no length in it is ever used to allocate.

use super::error::TableError;
use super::manifest::{rules_of, words};
use crate::index::Layer;
use std::path::Path;
use xxhash_rust::xxh3::{xxh3_64_with_seed, xxh3_128};

/// The first bytes of every layer's file.
pub const MAGIC: [u8; 8] = *b"SOWTABLE";
/// The version of the layout.
pub const VERSION: u32 = 1;
/// Bytes of the hash at the end of a file.
pub const HASH_BYTES: u64 = 16;
/// Bytes of a block's entry in the index of its plane.
pub const ENTRY_BYTES: u64 = 16;
/// Longest fingerprint that a header can hold.
const LONGEST_TEXT: usize = 4096;

/// What a file says of itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// Rules and orders that its values depend on.
    pub fingerprint: String,
    /// The layer.
    pub layer: Layer,
    /// Positions in the layer.
    pub positions: u64,
    /// Blocks in each plane.
    pub blocks: u64,
    /// Planes: 1 for values alone, 2 with distances.
    pub planes: u8,
}

/// The checksum of a part of a file; `place` keeps parts from being swapped.
pub fn checksum(bytes: &[u8], place: u64) -> u64 {
    xxh3_64_with_seed(bytes, place)
}

/// The hash of a whole file as hex digits.
pub fn hash_text(hash: u128) -> String {
    format!("{hash:032x}")
}

/// The hash of bytes.
pub fn hash(bytes: &[u8]) -> u128 {
    xxh3_128(bytes)
}

/// Two bytes and a kind that name a layer.
fn layer_bytes(layer: Layer) -> [u8; 3] {
    match layer {
        Layer::Total(seeds) => [0, seeds, 0],
        Layer::Sides(own, other) => [1, own, other],
    }
}

fn layer_of(bytes: [u8; 3]) -> Option<Layer> {
    match bytes {
        [0, seeds, 0] => Some(Layer::Total(seeds)),
        [1, own, other] => Some(Layer::Sides(own, other)),
        _ => None,
    }
}

/// Takes little-endian numbers off the front of bytes.
struct Take<'a>(&'a [u8]);

impl<'a> Take<'a> {
    fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(head)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.bytes(N)?.try_into().ok()
    }
}

impl Header {
    /// The header as bytes, its checksum included.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        out.extend(MAGIC);
        out.extend(VERSION.to_le_bytes());
        out.extend((self.fingerprint.len() as u32).to_le_bytes());
        out.extend(self.fingerprint.as_bytes());
        out.extend(layer_bytes(self.layer));
        out.push(self.planes);
        out.extend(self.positions.to_le_bytes());
        out.extend(self.blocks.to_le_bytes());
        out.extend(checksum(&out, 0).to_le_bytes());
        out
    }

    /// Reads the header that `bytes` begin with.
    fn parse(bytes: &[u8]) -> Option<Self> {
        let mut take = Take(bytes);
        take.bytes(MAGIC.len() + 4)?;
        let length = u32::from_le_bytes(take.array()?) as usize;
        let text = take.bytes(Some(length).filter(|&length| length <= LONGEST_TEXT)?)?;
        let header = Self {
            fingerprint: String::from_utf8(text.to_vec()).ok()?,
            layer: layer_of(take.array()?)?,
            planes: take.array::<1>()?[0],
            positions: u64::from_le_bytes(take.array()?),
            blocks: u64::from_le_bytes(take.array()?),
        };
        let covered = bytes.len() - take.0.len();
        let found = u64::from_le_bytes(take.array()?);
        (found == checksum(&bytes[..covered], 0)).then_some(header)
    }

    /// Compares the beginning of a file with the header that it should have.
    ///
    /// # Errors
    /// When it is another one, saying how it differs.
    pub fn check(&self, path: &Path, bytes: &[u8]) -> Result<(), TableError> {
        if bytes.starts_with(&self.to_bytes()) {
            return Ok(());
        }
        if bytes.len() < MAGIC.len() + 4 || !bytes.starts_with(&MAGIC) {
            return Err(TableError::damaged(
                path,
                "a layer of a table, which begins with SOWTABLE",
                "other bytes",
            ));
        }
        let version = u32::from_le_bytes([bytes[8], bytes[9], bytes[10], bytes[11]]);
        if version != VERSION {
            return Err(TableError::foreign(
                path,
                format!("format version {VERSION}"),
                format!("version {version}"),
                "use the release of sowbase that wrote it, or build the table again",
            ));
        }
        let Some(found) = Self::parse(bytes) else {
            return Err(TableError::damaged(
                path,
                "a header that fits its checksum",
                "another",
            ));
        };
        Err(self.difference(path, &found))
    }

    fn difference(&self, path: &Path, found: &Self) -> TableError {
        if rules_of(&found.fingerprint) == rules_of(&self.fingerprint)
            && found.fingerprint != self.fingerprint
        {
            return TableError::foreign(
                path,
                "values coded as this release of sowbase codes them",
                "others",
                "use the release of sowbase that wrote it, or build the table again",
            );
        }
        let (what, mine, theirs) = if found.fingerprint != self.fingerprint {
            ("", words(&self.fingerprint), words(&found.fingerprint))
        } else if found.layer != self.layer {
            ("layer ", self.layer.to_string(), found.layer.to_string())
        } else if found.planes != self.planes {
            let kept = |header: &Self| (header.planes > 1).to_string();
            ("distances = ", kept(self), kept(found))
        } else {
            let shape = |header: &Self| format!("{} in {} blocks", header.positions, header.blocks);
            ("positions: ", shape(self), shape(found))
        };
        TableError::foreign(
            path,
            format!("{what}{mine}"),
            format!("{what}{theirs}"),
            "put the file back where it belongs, or build the table again",
        )
    }

    /// Bytes that come before the first plane.
    pub fn size(&self) -> u64 {
        self.to_bytes().len() as u64
    }
}

/// The place of a plane's index or a block, as the seed of its checksum: parts with the same bytes
/// in different places have different checksums.
pub fn place(layer: Layer, plane: usize, block: Option<u64>) -> u64 {
    let [kind, a, b] = layer_bytes(layer).map(u64::from);
    let block = block.map_or(0, |block| block + 1);
    (kind << 62 | a << 54 | b << 46 | (plane as u64 + 1) << 40) ^ block
}

/// Where the blocks of a plane lie in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlaneIndex {
    /// Where the first block begins.
    pub start: u64,
    /// Where each block ends, and its checksum.
    pub entries: Vec<(u64, u64)>,
}

impl PlaneIndex {
    /// The bytes of a block in the file and its checksum.
    pub fn block(&self, block: u64) -> (u64, u64, u64) {
        let at = block as usize;
        let start = match at {
            0 => self.start,
            _ => self.entries[at - 1].0,
        };
        let (end, checksum) = self.entries[at];
        (start, end, checksum)
    }

    /// Where the last block ends.
    pub fn end(&self) -> u64 {
        self.entries.last().map_or(self.start, |entry| entry.0)
    }

    /// The index as bytes, its checksum included.
    pub fn to_bytes(&self, layer: Layer, plane: usize) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.entries.len() * ENTRY_BYTES as usize + 8);
        for (end, checksum) in &self.entries {
            out.extend(end.to_le_bytes());
            out.extend(checksum.to_le_bytes());
        }
        out.extend(checksum(&out, place(layer, plane, None)).to_le_bytes());
        out
    }

    /// Bytes of the index of a plane of `blocks` blocks.
    pub fn size(blocks: u64) -> u64 {
        blocks * ENTRY_BYTES + 8
    }

    /// Reads an index that lies at `at` in a file of `size` bytes; `None` when it is not as written.
    pub fn parse(bytes: &[u8], layer: Layer, plane: usize, at: u64, size: u64) -> Option<Self> {
        let (entries, sum) = bytes.split_at_checked(bytes.len().checked_sub(8)?)?;
        let expected = checksum(entries, place(layer, plane, None));
        if u64::from_le_bytes(sum.try_into().ok()?) != expected {
            return None;
        }
        let number = |bytes: &[u8]| bytes.try_into().map(u64::from_le_bytes).ok();
        let start = at + bytes.len() as u64;
        let mut before = start;
        let mut out = Vec::with_capacity(entries.len() / ENTRY_BYTES as usize);
        for entry in entries.chunks_exact(ENTRY_BYTES as usize) {
            let end = number(&entry[..8])?;
            if end < before || end > size {
                return None;
            }
            out.push((end, number(&entry[8..])?));
            before = end;
        }
        Some(Self {
            start,
            entries: out,
        })
    }
}
