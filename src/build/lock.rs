//! Owns: one builder a directory.
//!
//! The lock is the operating system's, on an open file, so a builder that dies, however it dies, holds
//! nothing. The file's text only tells a person who is at work.

use crate::table::{TableError, Trouble};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Name of the file in a table's directory.
pub const LOCK: &str = "builder.lock";

/// The right to write into a directory; it ends when this is dropped.
#[derive(Debug)]
pub struct Lock {
    file: File,
    path: PathBuf,
}

impl Lock {
    /// Takes the lock of a directory.
    ///
    /// # Errors
    /// When another builder has it, or the directory cannot be written.
    pub fn take(directory: &Path) -> Result<Self, TableError> {
        let path = directory.join(LOCK);
        let io = |error: std::io::Error| {
            TableError::writing(&path, "a lock that can be written", &error)
        };
        loop {
            let mut file = OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(&path)
                .map_err(io)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(busy(path, &mut file)),
                Err(TryLockError::Error(error)) => return Err(io(error)),
            }
            if !is_still(&file, &path) {
                // The builder before us removed the file between our opening and locking it.
                continue;
            }
            file.set_len(0).map_err(io)?;
            writeln!(file, "process {}", std::process::id()).map_err(io)?;
            return Ok(Self { file, path });
        }
    }

    /// Gives the lock back and removes its file.
    pub fn release(self) {
        // Removed while still locked: whoever opened it meanwhile notices that it is no longer there.
        // A file that stays behind holds no lock.
        let _ = std::fs::remove_file(&self.path);
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Said and not left to the closing: a process that is being started has a copy of the open file
        // for a moment, and would hold the lock as long.
        let _ = self.file.unlock();
    }
}

fn busy(path: PathBuf, file: &mut File) -> TableError {
    let mut who = String::new();
    // Who it is only helps; that someone is, is certain.
    let _ = file.take(200).read_to_string(&mut who);
    TableError {
        trouble: Trouble::Busy,
        path,
        expected: "to be the only builder here".to_owned(),
        found: match who.trim() {
            "" => "another at work".to_owned(),
            who => format!("{who} at work"),
        },
        remedy: "wait for it or stop it; then run the same command again",
    }
}

/// Whether the path still names the open file.
fn is_still(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        match (file.metadata(), std::fs::metadata(path)) {
            (Ok(ours), Ok(named)) => (ours.dev(), ours.ino()) == (named.dev(), named.ino()),
            _ => false,
        }
    }
    #[cfg(not(unix))]
    {
        // An open file cannot be removed there.
        let _ = (file, path);
        true
    }
}
