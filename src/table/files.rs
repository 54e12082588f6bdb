//! Owns: files that appear whole or not at all.
//!
//! A table's own files are also made sure to be on the disk ([`write_whole`]); what is written for
//! others ([`NewFiles`]) only has to be there whole.

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
    let unfinished = unfinished(path);
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
        TableError::writing(path, &format!("to write {bytes} bytes"), &error)
    })
}

/// The name of a file while it is being written.
fn unfinished(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(UNFINISHED);
    PathBuf::from(name)
}

/// Files being written that get their names together, once all of them are whole. If it does not come
/// to that they are gone, and what had these names before still has them.
#[derive(Debug, Default)]
pub struct NewFiles {
    /// The name of each while it is written, and then.
    made: Vec<[PathBuf; 2]>,
}

impl NewFiles {
    /// Begins a file. Devices and pipes are opened as they are: nothing can take their place.
    ///
    /// # Errors
    /// When there can be no such file, or what has its name may not be written.
    pub fn create(&mut self, path: &Path) -> std::io::Result<File> {
        let there = match File::options().write(true).open(path) {
            Ok(there) => Some((there.metadata()?, there)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let (wanted, permissions) = match there {
            Some((found, there)) if !found.is_file() => return Ok(there),
            // A link goes on leading where it did.
            Some((found, _)) => (fs::canonicalize(path)?, Some(found.permissions())),
            None => (path.to_owned(), None),
        };
        let unfinished = unfinished(&wanted);
        let file = File::create(&unfinished)?;
        self.made.push([unfinished.clone(), wanted]);
        if let Some(permissions) = permissions {
            fs::set_permissions(&unfinished, permissions)?;
        }
        Ok(file)
    }

    /// Gives all files their names.
    ///
    /// # Errors
    /// When the system does not let one have it.
    pub fn keep(mut self) -> std::io::Result<()> {
        while let Some([unfinished, wanted]) = self.made.first() {
            fs::rename(unfinished, wanted)?;
            self.made.remove(0);
        }
        Ok(())
    }
}

impl Drop for NewFiles {
    fn drop(&mut self) {
        for [unfinished, _] in &self.made {
            // Only tidying up: whatever failed before is what is told.
            let _ = fs::remove_file(unfinished);
        }
    }
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
