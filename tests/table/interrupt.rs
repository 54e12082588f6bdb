//! Interruptions lose nothing that was finished, and leave no trace in the bytes.

use crate::support::{Scratch, assert_same, built, files, job};
use sowbase::build::{BuildError, Job, LOCK, Lock, Options, build, estimate};
use sowbase::config::Config;
use sowbase::games::GameName;
use sowbase::index::Layer;
use sowbase::progress::{Progress, Silent};
use sowbase::table::Trouble;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const BINARY: &str = env!("CARGO_BIN_EXE_sowbase");
const CONFIG: &str = "game = \"giuthi\"\ncolumns = 4\n[table]\nseeds = 10\n";
const TWO_BLOCKS: &str = "game = \"bosh\"\ncolumns = 4\n[table]\nseeds = 13\n";

/// The table's own files.
fn table_files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = files(directory);
    files.retain(|name, _| name != LOCK);
    files
}

fn command(config: &Path, out: &Path) -> Command {
    let mut command = Command::new(BINARY);
    command.args([
        "build",
        config.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
    ]);
    command
        .args(["--snapshots", "0s"])
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// What a job cannot do without.
fn least_memory(job: &Job) -> u64 {
    estimate(job, 0).unwrap().least_memory
}

/// A table of one block a layer in ample memory, and one of two blocks in so little that no edges are
/// kept and lower layers are read from files.
#[test]
fn the_same_bytes_after_any_kills_with_any_threads() {
    for (text, tight) in [(CONFIG, false), (TWO_BLOCKS, true)] {
        let scratch = Scratch::new("kills");
        let config = scratch.0.join("config.toml");
        fs::write(&config, text).unwrap();
        let job = Job::from(&Config::parse(text).unwrap());
        let memory = if tight { least_memory(&job) } else { 1 << 30 };
        let kibibytes = format!("{}KiB", memory.div_ceil(1024));
        let whole = scratch.0.join("whole");
        assert!(
            command(&config, &whole)
                .args(["--threads", "1"])
                .status()
                .unwrap()
                .success()
        );
        let wanted = table_files(&whole);
        let mut kills = 0;
        let mut state = 11u64;
        for threads in ["1", "2", "8"] {
            let out = scratch.0.join(threads);
            let run = || {
                let mut run = command(&config, &out);
                run.args(["--threads", threads, "--memory", &kibibytes]);
                run
            };
            for _ in 0..17 {
                let mut child = run().spawn().unwrap();
                state = state
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                std::thread::sleep(Duration::from_millis((state >> 33) % 150));
                kills += u32::from(child.try_wait().unwrap().is_none());
                let _ = child.kill();
                child.wait().unwrap();
            }
            assert!(run().status().unwrap().success());
            assert_same(&table_files(&out), &wanted, &format!("{threads} threads"));
        }
        assert!(kills > 0, "no run was caught at work");
    }
}

/// Stops after so many positions.
struct StopAfter(AtomicU64);

impl Progress for StopAfter {
    fn begin(&self, _: &str, _: u64) {}
    fn advance(&self, units: u64) {
        let left = self.0.load(Ordering::Relaxed);
        self.0.store(left.saturating_sub(units), Ordering::Relaxed);
    }
    fn end(&self) {}
    fn stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }
}

#[test]
fn a_build_stopped_anywhere_goes_on() {
    for (job, first, more) in [
        (job(GameName::Hawalis, 3, Layer::Sides(3, 3)), 50, 500),
        (job(GameName::Giuthi, 4, Layer::Total(13)), 5_000, 20_000),
    ] {
        let scratch = Scratch::new("stops");
        let whole = scratch.0.join("whole");
        built(&job, &whole);
        let out = scratch.table();
        let options = Options {
            memory: least_memory(&job),
            snapshots: Duration::ZERO,
            batch: 1,
        };
        let mut stops = 0;
        let mut room = first;
        loop {
            match build(&job, &out, &options, &StopAfter(AtomicU64::new(room))) {
                Ok(_) => break,
                Err(BuildError::Stopped) => stops += 1,
                Err(error) => panic!("{error}"),
            }
            // What is finished is read back before work goes on, and counts as work here.
            room += more;
        }
        assert!(stops > 3);
        assert_same(&table_files(&out), &table_files(&whole), "stopped");
    }
}

/// A builder killed after its last line in the manifest has not tidied up; the next one does.
#[test]
fn a_finished_table_is_rid_of_scaffolding() {
    let scratch = Scratch::new("scaffolding");
    let job = job(GameName::Bosh, 2, Layer::Total(4));
    let table = scratch.table();
    built(&job, &table);
    let wanted = files(&table);
    for name in [
        "checkpoint",
        "checkpoint.unfinished",
        "4.packed",
        "4.sow.unfinished",
        "3.codes",
    ] {
        fs::write(table.join(name), "left behind").unwrap();
    }
    built(&job, &table);
    assert_same(&files(&table), &wanted, "tidied up");
}

#[test]
fn there_is_one_builder() {
    let scratch = Scratch::new("lock");
    let job = job(GameName::Bosh, 2, Layer::Total(3));
    let lock = Lock::take(&scratch.0).unwrap();
    let error = build(&job, &scratch.0, &Options::default(), &Silent).unwrap_err();
    let BuildError::Table(error) = error else {
        panic!("{error}");
    };
    assert_eq!(error.trouble, Trouble::Busy);
    assert!(
        error.found.contains(&std::process::id().to_string()),
        "{error}"
    );
    drop(lock);
    // The file that a dead builder leaves holds nothing.
    built(&job, &scratch.0);
    assert!(!scratch.0.join(LOCK).exists());
}

#[test]
fn too_little_memory_is_refused_before_any_work() {
    let scratch = Scratch::new("memory");
    let job = job(GameName::Giuthi, 5, Layer::Total(20));
    let options = Options {
        memory: 1 << 20,
        ..Options::default()
    };
    let error = build(&job, &scratch.table(), &options, &Silent).unwrap_err();
    assert!(
        error.is_limit() && error.to_string().contains("MiB"),
        "{error}"
    );
    assert!(!scratch.table().exists());
}

#[cfg(unix)]
#[test]
fn a_limit_on_file_sizes_is_told_and_loses_nothing() {
    let scratch = Scratch::new("ulimit");
    let config = scratch.0.join("config.toml");
    fs::write(&config, CONFIG).unwrap();
    let (config, out, whole) = (
        config.to_str().unwrap(),
        scratch.table(),
        scratch.0.join("whole"),
    );
    let line = format!(
        "ulimit -f 3; exec '{BINARY}' build '{config}' --out '{}'",
        out.display()
    );
    let limited = Command::new("bash").args(["-c", &line]).output().unwrap();
    let said = String::from_utf8_lossy(&limited.stderr);
    assert_eq!(limited.status.code(), Some(5), "{said}");
    assert!(said.contains("finished layers are kept"), "{said}");
    let finished = table_files(&out);
    assert!(finished.len() > 2, "some layers are small enough");
    let status = Command::new(BINARY)
        .args(["build", config, "--out", out.to_str().unwrap()])
        .status();
    assert!(status.unwrap().success());
    assert!(
        command(Path::new(config), &whole)
            .status()
            .unwrap()
            .success()
    );
    let wanted = table_files(&whole);
    assert_same(&table_files(&out), &wanted, "after a limit");
    for (name, bytes) in finished.iter().filter(|(name, _)| name.ends_with(".sow")) {
        assert_eq!(&wanted[name], bytes);
    }
}
