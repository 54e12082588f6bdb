//! A disk that fills up: a small file system of its own, where the machine lets us mount one.

use crate::support::{Scratch, files};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const BINARY: &str = env!("CARGO_BIN_EXE_sowbase");
const CONFIG: &str = "game = \"giuthi\"\ncolumns = 4\n[table]\nseeds = 10\n";

/// Runs a script as root of a namespace of its own, in which it may mount things that go with it.
fn apart(script: &str, arguments: &[&Path]) -> Option<Output> {
    Command::new("unshare")
        .args(["-rm", "bash", "-euc", script, "apart"])
        .args(arguments)
        .output()
        .ok()
}

/// Whether that can be done here: not in every container, and not without Linux.
fn can_mount(scratch: &Path) -> bool {
    let tried = apart("mount -t tmpfs -o size=64k tmpfs \"$1\"", &[scratch]);
    tried.is_some_and(|output| output.status.success())
}

/// $1 binary, $2 config, $3 where to mount, $4 where to leave copies, $5 size to begin with.
const SCRIPT: &str = r#"
mount -t tmpfs -o size="$5" tmpfs "$3"
code=0
"$1" build "$2" --out "$3/table" --snapshots 0s 2>"$4/said" >"$4/out" || code=$?
echo "$code" >"$4/code"
cp -r "$3/table" "$4/full"
mount -o remount,size=16m "$3"
"$1" build "$2" --out "$3/table"
cp -r "$3/table" "$4/resumed"
"#;

fn layers(files: &BTreeMap<String, Vec<u8>>) -> impl Iterator<Item = (&String, &Vec<u8>)> {
    files.iter().filter(|(name, _)| name.ends_with(".sow"))
}

#[test]
fn a_full_disk_is_told_and_loses_nothing() {
    let scratch = Scratch::new("full");
    if !can_mount(&scratch.0) {
        println!("SKIPPED: no file system can be mounted here (unshare -rm, tmpfs)");
        return;
    }
    let config = scratch.0.join("config.toml");
    fs::write(&config, CONFIG).unwrap();
    let whole = scratch.0.join("whole");
    let built = Command::new(BINARY)
        .args(["build".as_ref(), config.as_os_str(), "--out".as_ref()])
        .arg(&whole)
        .output()
        .unwrap();
    assert!(built.status.success());
    let wanted = files(&whole);
    let mut kept = Vec::new();
    // From no room for the second file to room for all but the last ones.
    for size in ["8k", "16k", "28k", "44k", "60k", "76k"] {
        let (disk, copies) = (scratch.0.join(format!("disk-{size}")), scratch.0.join(size));
        fs::create_dir_all(&disk).unwrap();
        fs::create_dir_all(&copies).unwrap();
        let arguments = [BINARY.as_ref(), &*config, &*disk, &*copies, size.as_ref()];
        let run = apart(SCRIPT, &arguments).unwrap();
        let stderr = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success(), "{size}: {stderr}");
        let said = fs::read_to_string(copies.join("said")).unwrap();
        let code = fs::read_to_string(copies.join("code")).unwrap();
        assert_eq!(code, "5\n", "{size}: {said}");
        let failure = said.lines().last().unwrap();
        assert!(failure.starts_with("sowbase: "), "{size}: {said}");
        assert!(failure.contains("finished layers are kept"), "{said}");
        let full = files(&copies.join("full"));
        let finished = layers(&full).count();
        for (name, bytes) in layers(&full) {
            assert_eq!(&wanted[name], bytes, "{size}: {name}");
        }
        kept.push(finished);
        let mut resumed = files(&copies.join("resumed"));
        resumed.remove(sowbase::build::LOCK);
        assert_eq!(resumed, wanted, "{size}");
    }
    assert!(kept.is_sorted() && kept[0] < 2 && kept[5] > 3, "{kept:?}");
}
