//! Owns: what can be wrong with a table, in words that say what to do.

use std::fmt;
use std::path::{Path, PathBuf};

/// Which kind of trouble; the command line gives each its exit code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// A file cannot be read or written.
    Io,
    /// There is no room left to write: the disk is full, or a limit on file sizes was reached.
    Full,
    /// Bytes are not what was written.
    Damaged,
    /// A sound file of something else: another game, other rules, another version, another layer.
    Foreign,
    /// Another builder is at work.
    Busy,
}

/// Something wrong with a file of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableError {
    /// The kind of trouble.
    pub trouble: Trouble,
    /// The file.
    pub path: PathBuf,
    /// What should be there.
    pub expected: String,
    /// What is there.
    pub found: String,
    /// What to do about it.
    pub remedy: &'static str,
}

/// What helps against damage: layers are built again from those below.
const REBUILD: &str = "delete this file and run the build again, or copy it again from its source";

impl TableError {
    /// Bytes that are not what was written.
    pub fn damaged(path: &Path, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self {
            trouble: Trouble::Damaged,
            path: path.to_owned(),
            expected: expected.into(),
            found: found.into(),
            remedy: REBUILD,
        }
    }

    /// A layer that the manifest lists, and whose file is not there.
    pub fn missing(path: &Path) -> Self {
        Self {
            remedy: "run the build again, or copy it again from its source",
            ..Self::damaged(path, "a layer, which the manifest lists", "no file")
        }
    }

    /// A file of something else.
    pub fn foreign(
        path: &Path,
        expected: impl Into<String>,
        found: impl Into<String>,
        remedy: &'static str,
    ) -> Self {
        Self {
            trouble: Trouble::Foreign,
            path: path.to_owned(),
            expected: expected.into(),
            found: found.into(),
            remedy,
        }
    }

    /// What the operating system said while writing `what` ("a directory", "to write 5 bytes"): what is
    /// not there then is the place, not the table.
    pub fn writing(path: &Path, what: &str, error: &std::io::Error) -> Self {
        let said = Self::io(path, what, error);
        match said.trouble {
            Trouble::Full => said,
            _ => Self {
                trouble: Trouble::Io,
                remedy: "check the path and its permissions, or name another directory",
                ..said
            },
        }
    }

    /// What the operating system said while reading `what` ("a table's manifest").
    pub fn io(path: &Path, what: &str, error: &std::io::Error) -> Self {
        use std::io::ErrorKind;
        let (trouble, remedy) = match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => (
                Trouble::Full,
                "make room or raise the limit, then run the same command again: finished layers are kept",
            ),
            ErrorKind::NotFound => (Trouble::Damaged, "check the path, or build the table first"),
            _ => (Trouble::Io, "check the path and its permissions"),
        };
        Self {
            trouble,
            path: path.to_owned(),
            expected: what.to_owned(),
            found: error.to_string(),
            remedy,
        }
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            path,
            expected,
            found,
            remedy,
            ..
        } = self;
        let path = path.display();
        write!(f, "{path}: expected {expected}, found {found}; {remedy}")
    }
}

impl std::error::Error for TableError {}
