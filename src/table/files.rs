//! Owns: files that appear whole or not at all.

use super::error::TableError;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Ending of files that are being written.
pub const UNFINISHED: &str = "unfinished";

/// Writes a file under a temporary name, makes sure that it is on the disk and only then gives it its
/// name. After a crash there is the old file, or none, or the new one.
///
/// # Errors
/// What the system says; the temporary file is gone then, so that a full disk has its room back.
pub fn write_whole(path: &Path, parts: &[&[u8]]) -> Result<(), TableError> {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(UNFINISHED);
    let unfinished = PathBuf::from(name);
    let bytes: usize = parts.iter().map(|part| part.len()).sum();
    let written = File::create(&unfinished).and_then(|mut file| {
        for part in parts {
            file.write_all(part)?;
        }
        file.sync_all()?;
        fs::rename(&unfinished, path)?;
        sync_directory(path)
    });
    written.map_err(|error| {
        // Only tidying up: the error that matters is the one above.
        let _ = fs::remove_file(&unfinished);
        TableError::io(path, &format!("to write {bytes} bytes"), &error)
    })
}

/// Makes sure that a file's name is on the disk; where directories cannot be opened, the system does.
fn sync_directory(path: &Path) -> std::io::Result<()> {
    match path.parent().map(File::open) {
        Some(Ok(directory)) if cfg!(unix) => directory.sync_all(),
        _ => Ok(()),
    }
}

/// A file read at any place by many threads.
#[derive(Debug)]
pub struct Places {
    #[cfg(unix)]
    file: File,
    #[cfg(not(unix))]
    file: std::sync::Mutex<File>,
    size: u64,
}

impl Places {
    /// Opens a file for reading.
    ///
    /// # Errors
    /// When it cannot be read, or is no regular file.
    pub fn open(path: &Path) -> std::io::Result<Self> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(std::io::Error::other(
                "something that is not a regular file",
            ));
        }
        Ok(Self {
            size: metadata.len(),
            #[cfg(unix)]
            file,
            #[cfg(not(unix))]
            file: std::sync::Mutex::new(file),
        })
    }

    /// Bytes in the file when it was opened.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Reads the bytes from `start` to `end`, no more than the file has.
    ///
    /// # Errors
    /// When the file ends before, or the system says so.
    pub fn read(&self, start: u64, end: u64) -> std::io::Result<Vec<u8>> {
        if start > end || end > self.size {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        let mut bytes = vec![0; (end - start) as usize];
        self.fill(&mut bytes, start)?;
        Ok(bytes)
    }

    #[cfg(unix)]
    fn fill(&self, bytes: &mut [u8], at: u64) -> std::io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.file, bytes, at)
    }

    #[cfg(not(unix))]
    fn fill(&self, bytes: &mut [u8], at: u64) -> std::io::Result<()> {
        use std::io::{Read, Seek, SeekFrom};
        let mut file = self
            .file
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(bytes)
    }
}
