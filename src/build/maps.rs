//! Owns: finished layers' codes as files mapped into memory, for builds whose lower layers do not fit.
//!
//! `LAYER.codes`: two bytes a position by rank, then their checksum (XXH3, 8 bytes). The system keeps
//! in memory what captures look up most, within what is free, and drops the rest without writing.
//! The files are scaffolding: made when a layer is finished, checked when a build goes on, removed
//! when it is done. One that does not fit is made again from the table.

use crate::index::Layer;
use crate::retro::Lent;
use crate::table::TableError;
use crate::table::files::write_whole;
use crate::table::format::checksum;
use crate::value::Code;
use memmap2::Mmap;
use std::fs::File;
use std::ops::Deref;
use std::path::{Path, PathBuf};

/// Ending of the files' names.
pub const CODES: &str = "codes";
/// Bytes of the checksum.
const SUM: usize = 8;

fn path(directory: &Path, layer: Layer) -> PathBuf {
    directory.join(format!("{layer}.{CODES}"))
}

struct Codes(Mmap);

impl Deref for Codes {
    type Target = [[Code; 2]];

    #[inline(always)]
    fn deref(&self) -> &[[Code; 2]] {
        self.0[..self.0.len() - SUM].as_chunks().0
    }
}

/// Writes the codes of a finished layer and maps them.
///
/// # Errors
/// When there is no room, or the file cannot be mapped.
pub fn keep(directory: &Path, layer: Layer, codes: &[[Code; 2]]) -> Result<Lent, TableError> {
    let bytes = codes.as_flattened();
    let sum = checksum(bytes, 0).to_le_bytes();
    let path = path(directory, layer);
    write_whole(&path, &[bytes, &sum])?;
    let mapped = map(&path).map_err(|error| TableError::io(&path, "a layer's codes", &error))?;
    Ok(Box::new(Codes(mapped)))
}

/// Maps what an earlier build kept of a layer of so many positions, if it is whole.
pub fn recall(directory: &Path, layer: Layer, positions: u64) -> Option<Lent> {
    let mapped = map(&path(directory, layer)).ok()?;
    if mapped.len() as u64 != positions * 2 + SUM as u64 {
        return None;
    }
    let (bytes, sum) = mapped.split_last_chunk::<SUM>()?;
    if checksum(bytes, 0).to_le_bytes() != *sum {
        return None;
    }
    Some(Box::new(Codes(mapped)))
}

fn map(path: &Path) -> std::io::Result<Mmap> {
    let file = File::open(path)?;
    // Safety: the mapped bytes must not change while they are read. The file is written whole under
    // another name and then renamed, never written again, and the directory's lock keeps other
    // builders away; a file that somebody else truncates ends the process, as pulling the disk does.
    #[allow(unsafe_code)]
    unsafe {
        Mmap::map(&file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn codes_come_back_whole_or_not_at_all() {
        let directory = std::env::temp_dir().join(format!("sowbase-maps-{}", std::process::id()));
        fs::create_dir_all(&directory).unwrap();
        let (layer, codes) = (Layer::Total(3), [[1, 2], [0, 255], [4, 4]]);
        assert_eq!(keep(&directory, layer, &codes).unwrap()[..], codes);
        assert_eq!(recall(&directory, layer, 3).unwrap()[..], codes);
        assert!(recall(&directory, layer, 2).is_none());
        assert!(recall(&directory, Layer::Total(4), 3).is_none());
        let whole = fs::read(path(&directory, layer)).unwrap();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 4;
            fs::write(path(&directory, layer), bytes).unwrap();
            assert!(recall(&directory, layer, 3).is_none(), "{at}");
            fs::write(path(&directory, layer), &whole[..at]).unwrap();
            assert!(recall(&directory, layer, 3).is_none(), "{at}");
        }
        fs::remove_dir_all(&directory).unwrap();
    }
}
