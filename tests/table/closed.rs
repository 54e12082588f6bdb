//! Boards with closed pits as a user meets them: solved, built, verified and probed, against the naive
//! solver.

use crate::support::Scratch;
use serde_json::Value as Json;
use sowbase::games::{GameName, Rules, Setup};
use sowbase::index::Layer;
use sowbase::notation::Position;
use sowbase::retro::naive::NaiveTable;
use sowbase::value::{Bound, Value};
use std::fs;

const COLUMNS: usize = 3;
const SEEDS: u8 = 7;

fn run(args: &[&str]) -> Vec<Json> {
    let mut out = Vec::new();
    let args = std::iter::once("sowbase").chain(args.iter().copied());
    sowbase::cli::run(args, &mut out, &|_| ()).unwrap_or_else(|failure| panic!("{failure}"));
    let text = String::from_utf8(out).expect("UTF-8");
    let json = |line| serde_json::from_str(line).expect("JSON");
    text.lines().map(json).collect()
}

fn setup(closed: [u16; 2]) -> Setup {
    Setup::with_closed(COLUMNS, Rules::new(GameName::Bosh), closed).expect("a board")
}

/// Some positions of every layer with their values.
fn sample(table: &NaiveTable, each: usize) -> Vec<(Position, Value)> {
    let mut found = Vec::new();
    for layer in table.layers() {
        let all: Vec<_> = table.positions(layer).collect();
        let step = all.len().div_ceil(each).max(1);
        // Not the first: in small layers those are alike.
        found.extend(all.into_iter().skip(step / 2).step_by(step));
    }
    found
}

fn is_bound(found: &Json, wanted: Bound) -> bool {
    match wanted.finite() {
        Some(margin) => found == margin,
        None => found == &Json::from(wanted.to_string()),
    }
}

/// What a command says of a position is its value, distances where they are told.
fn assert_says(found: &Json, value: &Value, context: &str) {
    assert!(is_bound(&found["lower"], value.lower), "{context}: {found}");
    assert!(is_bound(&found["upper"], value.upper), "{context}: {found}");
    for (key, wanted) in [
        ("lower_distance", value.finite_lower_distance()),
        ("upper_distance", value.finite_upper_distance()),
    ] {
        let told = &found[key];
        assert!(
            told.is_null() || told.as_u64() == wanted.map(u64::from),
            "{context}: {found}"
        );
    }
}

#[test]
fn every_way_to_close_pits_is_solved_by_layers_and_by_search() {
    let mut solved = 0;
    for closed in (0..64).map(|ways| [ways & 7, ways >> 3]) {
        let setup = setup(closed);
        let open = setup.open_pits(sowbase::games::Seat::South).len()
            + setup.open_pits(sowbase::games::Seat::North).len();
        if open == 0 {
            continue; // no pit to hold a seed
        }
        let table = NaiveTable::solve(&setup, Layer::Total(SEEDS));
        for (position, value) in sample(&table, 2) {
            let text = position.text(&setup);
            for engine in ["layers", "search"] {
                let args = [
                    "solve",
                    "bosh",
                    &text,
                    "--json",
                    "--threads=1",
                    "--memory=64MiB",
                    "--engine",
                    engine,
                ];
                let found = run(&args);
                assert_eq!(found[0]["proved"], true, "{text}");
                assert_says(&found[0], &value, &format!("{engine} {text}"));
                solved += 1;
            }
        }
    }
    assert!(solved > 1000);
}

/// The pits of a mask, as their owner names them.
fn names(mask: u16) -> String {
    let pits = (0..COLUMNS).filter(|pit| mask >> pit & 1 == 1);
    pits.map(|pit| char::from(b'a' + pit as u8)).collect()
}

#[test]
fn tables_of_boards_with_closed_pits_are_built_verified_and_probed() {
    for closed in [
        [1, 0],
        [0b100, 0b011],
        [0, 0b110],
        [0b010, 0b100],
        [0b111, 0],
    ] {
        let scratch = Scratch::new("closed");
        let (config, table) = (scratch.0.join("board.toml"), scratch.table());
        let [south, north] = closed.map(names);
        let text = format!(
            "game = \"bosh\"\ncolumns = {COLUMNS}\nclosed = {{ south = \"{south}\", north = \"{north}\" }}\n\
             [rules]\nfill = \"right\"\n[table]\nseeds = {SEEDS}\n"
        );
        fs::write(&config, text).expect("a file");
        let [config, table] = [&config, &table].map(|path| path.to_str().expect("UTF-8"));
        let mut out = Vec::new();
        for args in [vec!["build", config, "--out", table], vec!["verify", table]] {
            let args = std::iter::once("sowbase").chain(args);
            sowbase::cli::run(args, &mut out, &|_| ()).unwrap_or_else(|why| panic!("{why}"));
        }
        let setup = setup(closed);
        let naive = NaiveTable::solve(&setup, Layer::Total(SEEDS));
        let sample = sample(&naive, 40);
        let texts: Vec<String> = sample.iter().map(|(p, _)| p.text(&setup)).collect();
        let probe = ["probe", table, "--json"].into_iter();
        let args: Vec<&str> = probe.chain(texts.iter().map(String::as_str)).collect();
        let found = run(&args);
        assert_eq!(found.len(), sample.len());
        for (found, (_, value)) in found.iter().zip(&sample) {
            assert!(found["lower_distance"].is_u64() == value.lower.finite().is_some());
            assert_says(found, value, &found["position"].to_string());
        }
        // What comes between rounds does not keep `solve` from using the table.
        let last = texts.last().expect("a position");
        let solved = run(&[
            "solve",
            "bosh",
            last,
            "--json",
            "--engine=tables",
            "--tables",
            table,
        ]);
        assert_says(&solved[0], &sample[sample.len() - 1].1, last);
    }
}
