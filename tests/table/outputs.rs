//! Files that commands write: there whole, or as they were before; and what is said of a place that
//! cannot be written.

use crate::support::{Scratch, built, files, job};
use sowbase::cli::{Failure, Kind};
use sowbase::games::GameName;
use sowbase::index::Layer;
use std::fs;
use std::path::{Path, PathBuf};

const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tables/giuthi-2x3");
const CONFIG: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/solver-configs/giuthi-2x3.toml"
);

fn run(args: &[&str]) -> Result<String, Failure> {
    let mut out = Vec::new();
    let args = std::iter::once("sowbase").chain(args.iter().copied());
    sowbase::cli::run(args, &mut out, &|_| ())?;
    Ok(String::from_utf8(out).unwrap())
}

fn refused(args: &[&str]) -> Failure {
    run(args).expect_err("a failure")
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn export(table: &str, format: &str, out: &Path, more: &[&str]) -> Result<String, Failure> {
    let args = ["export", table, "--format", format, "--out", text(out)];
    run(&[&args, more].concat())
}

/// A table in which a block of the last layer is damaged: what comes before it is sound.
fn damaged(scratch: &Scratch) -> PathBuf {
    let table = scratch.table();
    built(&job(GameName::Giuthi, 2, Layer::Total(6)), &table);
    let path = table.join("6.sow");
    let mut bytes = fs::read(&path).unwrap();
    let at = bytes.len() - 20;
    bytes[at] ^= 1;
    fs::write(&path, bytes).unwrap();
    table
}

#[test]
fn an_export_that_fails_leaves_what_was_there() {
    let scratch = Scratch::new("partial");
    let table = damaged(&scratch);
    let place = scratch.0.join("exports");
    fs::create_dir(&place).unwrap();
    for (format, name) in [
        ("csv", "new.csv"),
        ("parquet", "new.parquet"),
        ("npy", "new"),
    ] {
        let failure = export(text(&table), format, &place.join(name), &[]).unwrap_err();
        assert_eq!(failure.kind(), Kind::Damaged, "{format}: {failure}");
        let failure = export(TABLE, format, &place.join(name), &["--layer", "99"]).unwrap_err();
        assert_eq!(failure.kind(), Kind::Usage, "{format}: {failure}");
        assert!(fs::read_dir(&place).unwrap().next().is_none(), "{format}");
    }
    let (csv, npy) = (place.join("old.csv"), place.join("old"));
    fs::create_dir(&npy).unwrap();
    for path in [&csv, &npy.join("2.outcome.npy"), &npy.join("mine")] {
        fs::write(path, "as it was").unwrap();
    }
    export(text(&table), "csv", &csv, &[]).unwrap_err();
    export(text(&table), "npy", &npy, &[]).unwrap_err();
    assert_eq!(fs::read_to_string(&csv).unwrap(), "as it was");
    assert_eq!(
        files(&npy).keys().collect::<Vec<_>>(),
        ["2.outcome.npy", "mine"]
    );
    assert_eq!(
        fs::read_to_string(npy.join("2.outcome.npy")).unwrap(),
        "as it was"
    );
    // One that succeeds takes their place.
    export(TABLE, "csv", &csv, &["--layer", "2"]).unwrap();
    assert_eq!(fs::read_to_string(&csv).unwrap().lines().count(), 22);
    export(TABLE, "npy", &npy, &["--layer", "2"]).unwrap();
    assert_eq!(fs::read_to_string(npy.join("mine")).unwrap(), "as it was");
    assert_eq!(files(&npy).len(), 7);
    assert!(
        refused(&[
            "export", TABLE, "--format", "csv", "--out", "-", "--layer", "99"
        ])
        .kind()
            == Kind::Usage
    );
}

#[cfg(unix)]
#[test]
fn links_and_permissions_stay_as_they_are() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let scratch = Scratch::new("links");
    let (file, link) = (scratch.0.join("file.csv"), scratch.0.join("link.csv"));
    fs::write(&file, "").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    symlink(&file, &link).unwrap();
    export(TABLE, "csv", &link, &["--layer", "1"]).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 7);
    assert_eq!(
        fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o600
    );
    // Devices are written to.
    export(TABLE, "csv", Path::new("/dev/null"), &["--layer", "1"]).unwrap();
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn a_place_that_cannot_be_written_is_no_damage() {
    let scratch = Scratch::new("nowhere");
    let file = scratch.0.join("file");
    fs::write(&file, "a file").unwrap();
    // Inside a file, and where nothing can be made at all.
    for parent in [&file, Path::new("/proc/nowhere")] {
        let out = parent.join("out");
        let out = text(&out);
        for args in [
            &["build", CONFIG, "--out", out][..],
            &["export", TABLE, "--format", "csv", "--out", out],
            &["export", TABLE, "--format", "parquet", "--out", out],
            &["export", TABLE, "--format", "npy", "--out", out],
            &["puzzle", "mine", TABLE, "--limit", "1", "--out", out],
            &["man", "--out", out],
        ] {
            let failure = refused(args);
            let message = failure.to_string();
            assert_eq!(failure.code(), 1, "{args:?}: {message}");
            assert!(
                message.starts_with(&format!("{out}: expected ")),
                "{args:?}: {message}"
            );
            assert!(message.contains(", or name another"), "{args:?}: {message}");
            assert!(
                !message.contains("build the table first"),
                "{args:?}: {message}"
            );
        }
    }
    for args in [
        &["build", CONFIG, "--out", text(&file)][..],
        &["export", TABLE, "--format", "npy", "--out", text(&file)],
        &[
            "export",
            TABLE,
            "--format",
            "csv",
            "--out",
            text(&scratch.0),
        ],
    ] {
        let message = refused(args).to_string();
        assert!(
            message.starts_with(args.last().unwrap()),
            "{args:?}: {message}"
        );
        assert!(message.contains(", or name another"), "{args:?}: {message}");
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "a file");
}

#[test]
fn mined_puzzles_are_not_written_over() {
    let scratch = Scratch::new("mined");
    let out = scratch.0.join("puzzles.toml");
    let args = ["puzzle", "mine", TABLE, "--limit", "1", "--out", text(&out)];
    run(&args).unwrap();
    let mined = fs::read_to_string(&out).unwrap();
    assert!(mined.contains("[[puzzle]]"), "{mined}");
    fs::write(&out, "edited").unwrap();
    let failure = refused(&args);
    assert_eq!(failure.kind(), Kind::Usage);
    let message = failure.to_string();
    assert!(
        message.starts_with(text(&out)) && message.contains("--force"),
        "{message}"
    );
    assert_eq!(fs::read_to_string(&out).unwrap(), "edited");
    run(&[&args[..], &["--force"]].concat()).unwrap();
    assert_eq!(fs::read_to_string(&out).unwrap(), mined);
    assert_eq!(files(&scratch.0).len(), 1);
    let directory = refused(&["puzzle", "mine", TABLE, "--out", text(&scratch.0)]);
    assert_eq!(directory.kind(), Kind::Usage, "{directory}");
}
