//! What the commands on tables print, and the tables that the project carries.

use crate::support::{Scratch, files};
use sowbase::build::{Job, estimate};
use sowbase::config::Config;
use sowbase::table::Table;
use std::fs;
use std::path::{Path, PathBuf};

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Runs a command; its output.
fn run(args: &[&str]) -> String {
    let mut out = Vec::new();
    let args = std::iter::once("sowbase").chain(args.iter().copied());
    sowbase::cli::run(args, &mut out, &|_| ()).unwrap_or_else(|failure| panic!("{failure}"));
    String::from_utf8(out).unwrap()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The tables that the project carries, by name.
fn carried() -> Vec<String> {
    let entries = fs::read_dir(project("tables")).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let tables = paths.filter(|path| path.is_dir());
    tables
        .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
        .collect()
}

#[test]
fn carried_tables_are_rebuilt_byte_for_byte() {
    let names = carried();
    assert!(names.len() >= 4);
    let mut bytes = 0;
    for name in names {
        let config = project(&format!("solver-configs/{name}.toml"));
        let scratch = Scratch::new("carried");
        run(&["build", text(&config), "--out", text(&scratch.table())]);
        let (built, carried) = (
            files(&scratch.table()),
            files(&project("tables").join(&name)),
        );
        assert!(built.keys().eq(carried.keys()), "{name}");
        for (file, content) in built {
            assert!(content == carried[&file], "{name}/{file}");
            bytes += content.len();
        }
    }
    assert!(bytes < 5_000_000);
}

#[test]
fn every_solver_config_can_be_planned() {
    for entry in fs::read_dir(project("solver-configs")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            // Puzzles are no configs.
            continue;
        }
        let config = Config::parse(&fs::read_to_string(&path).unwrap()).unwrap();
        let cost = estimate(&Job::from(&config), u64::MAX).unwrap();
        let shown = run(&["build", text(&path), "--dry-run", "--memory", "64GiB"]);
        assert_eq!(
            shown.lines().count(),
            cost.levels.len() + 1,
            "{}",
            path.display()
        );
    }
}

#[test]
fn probe_says_what_solve_says() {
    for (name, game, position) in [
        ("giuthi-2x3", "giuthi", "1,0,2/0,3,1 N 2-4"),
        ("bosh-2x3", "bosh", "1,2,2/3,0,1 S 0-0"),
        ("hawalis-4x2", "hawalis", "0,1/2,0/1,1/0,2 S"),
    ] {
        let table = project(&format!("tables/{name}"));
        let solved = run(&["solve", game, position, "--json"]);
        assert_eq!(run(&["probe", text(&table), position, "--json"]), solved);
        let through = run(&["solve", game, position, "--json", "--tables", text(&table)]);
        assert_eq!(through, solved);
        let brief = run(&["probe", text(&table), position]);
        let solved: serde_json::Value = serde_json::from_str(&solved).unwrap();
        let outcome = solved["outcome"].as_str().unwrap();
        assert!(
            brief.starts_with(&format!("{position}: {outcome}")),
            "{brief}"
        );
    }
}

#[test]
fn exports_hold_every_position() {
    let directory = project("tables/hawalis-4x2");
    let table = Table::open(&directory).unwrap();
    let positions: u64 = table
        .manifest()
        .layers
        .iter()
        .map(|entry| entry.positions)
        .sum();
    let csv = run(&["export", text(&directory), "--format", "csv", "--out", "-"]);
    assert_eq!(csv.lines().count() as u64, positions + 1);
    for line in csv.lines().skip(1).step_by(97) {
        let position = line.split('"').nth(1).unwrap();
        let value = table.probe(&table.parse(position).unwrap()).unwrap();
        assert!(line.contains(&format!("\",{}", value.outcome(0))), "{line}");
    }
    let scratch = Scratch::new("npy");
    let out = scratch.table();
    run(&[
        "export",
        text(&directory),
        "--format",
        "npy",
        "--out",
        text(&out),
        "--layer",
        "3-2",
    ]);
    let written = files(&out);
    let names: Vec<&str> = written.keys().map(String::as_str).collect();
    assert_eq!(names, ["3-2.distance.npy", "3-2.outcome.npy", "table.json"]);
    let layer = table
        .manifest()
        .layers
        .iter()
        .find(|entry| entry.layer == "3-2")
        .unwrap();
    let outcomes = &written["3-2.outcome.npy"];
    let numbers = &outcomes[outcomes.len() - 2 * layer.positions as usize..];
    let wins = numbers.chunks(2).filter(|pair| *pair == [1, 0]).count() as u64;
    assert_eq!(wins, layer.wins);
}
