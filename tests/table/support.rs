//! Owns: what the tests of tables share: jobs, directories that clean up after themselves, copies.

use sowbase::build::{Job, Options, build};
use sowbase::games::{GameName, Rules, Setup};
use sowbase::index::Layer;
use sowbase::progress::Silent;
use sowbase::table::Manifest;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A directory of its own, removed in the end.
pub struct Scratch(pub PathBuf);

impl Scratch {
    pub fn new(name: &str) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("sowbase-{name}-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).expect("a directory");
        Self(path)
    }

    pub fn table(&self) -> PathBuf {
        self.0.join("table")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub fn job(game: GameName, columns: usize, top: Layer) -> Job {
    Job {
        setup: Setup::new(columns, Rules::new(game)).expect("a board"),
        top,
        distances: true,
    }
}

pub fn built(job: &Job, directory: &Path) -> Manifest {
    build(job, directory, &Options::default(), &Silent).expect("a table")
}

/// The files of a directory with their bytes.
pub fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(directory).expect("a directory");
    let read = |entry: fs::DirEntry| {
        let bytes = fs::read(entry.path()).expect("a file");
        (entry.file_name().to_string_lossy().into_owned(), bytes)
    };
    entries
        .map(|entry| read(entry.expect("an entry")))
        .collect()
}

/// That directories hold the same files; those that differ are named, for their bytes say nothing.
#[track_caller]
pub fn assert_same(
    found: &BTreeMap<String, Vec<u8>>,
    wanted: &BTreeMap<String, Vec<u8>>,
    of: &str,
) {
    let names = found.keys().chain(wanted.keys());
    let different: BTreeSet<_> = names
        .filter(|name| found.get(*name) != wanted.get(*name))
        .collect();
    assert!(different.is_empty(), "{of}: {different:?} differ");
}
