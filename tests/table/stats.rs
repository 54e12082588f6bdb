//! `stats --json` gives every row of `layers.csv`; every value in a table is the solver's.

use crate::support::{Scratch, built, job};
use sowbase::game::Game;
use sowbase::games::{GameName, Visitor};
use sowbase::index::Layer;
use sowbase::progress::Silent;
use sowbase::retro::{Plan, stake};
use sowbase::table::{Table, verify};
use std::collections::BTreeMap;
use std::path::Path;

const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/layers.csv");

fn layer(text: &str) -> Layer {
    match text.split_once('-') {
        Some((own, other)) => Layer::Sides(own.parse().unwrap(), other.parse().unwrap()),
        None => Layer::Total(text.parse().unwrap()),
    }
}

/// The highest layer of all, seeds of a side taken by themselves.
fn above(a: Layer, b: Layer) -> Layer {
    match (a, b) {
        (Layer::Sides(a, b), Layer::Sides(c, d)) => {
            Layer::Sides(a.max(b).max(c).max(d), a.min(b).max(c.min(d)))
        }
        (a, b) => a.max(b),
    }
}

fn stats(directory: &Path) -> serde_json::Value {
    let mut out = Vec::new();
    let args = ["sowbase", "stats", directory.to_str().unwrap(), "--json"];
    sowbase::cli::run(args, &mut out, &|_| ()).expect("stats");
    serde_json::from_slice(&out).expect("JSON")
}

#[test]
fn stats_equal_the_cases() {
    let text = std::fs::read_to_string(CASES).unwrap();
    let mut games: BTreeMap<(GameName, usize), BTreeMap<Layer, Vec<String>>> = BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<String> = line.split(',').map(str::to_owned).collect();
        let key = (fields[0].parse().unwrap(), fields[1].parse().unwrap());
        games
            .entry(key)
            .or_default()
            .insert(layer(&fields[2]), fields[3..].to_vec());
    }
    let keys = [
        "positions",
        "wins",
        "draws",
        "losses",
        "lower_ne_upper",
        "lower_infinite",
        "upper_infinite",
        "max_distance",
    ];
    for ((game, columns), rows) in &games {
        let top = rows.keys().copied().reduce(above).unwrap();
        let scratch = Scratch::new("stats");
        built(&job(*game, *columns, top), &scratch.table());
        let stats = stats(&scratch.table());
        let found: BTreeMap<&str, &serde_json::Value> = stats["layers"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| (row["layer"].as_str().unwrap(), row))
            .collect();
        for (layer, row) in rows {
            let found = found[layer.to_string().as_str()];
            for (key, wanted) in keys
                .iter()
                .zip(row)
                .filter(|(_, wanted)| !wanted.is_empty())
            {
                let there = found.get(key).map(ToString::to_string);
                if game.scored() || !key.ends_with("infinite") {
                    assert_eq!(
                        there.as_ref(),
                        Some(wanted),
                        "{game} {columns} {layer} {key}"
                    );
                }
            }
        }
    }
}

struct Compare<'a> {
    table: &'a Table,
}

impl Visitor for Compare<'_> {
    type Output = u64;

    fn visit<G: Game>(self, game: &G) -> u64 {
        let mut compared = 0;
        for (file, (layer, blocks)) in self.table.layers().into_iter().enumerate() {
            let store = Plan::new(game, layer)
                .unwrap()
                .solve(game, &Silent)
                .unwrap();
            let values = store.layer(layer).unwrap();
            for block in 0..blocks {
                for row in self.table.rows(file, block).unwrap() {
                    let right = values.value(row.rank, stake::<G>(layer));
                    assert_eq!(
                        (row.value.lower, row.value.upper),
                        (right.lower, right.upper)
                    );
                    assert_eq!(row.value.distance(0), right.distance(0));
                    if G::SCORED {
                        assert_eq!(row.value, right);
                    }
                    assert_eq!(self.table.probe(&row.position).unwrap(), row.value);
                    compared += 1;
                }
            }
        }
        compared
    }
}

#[test]
fn every_value_is_the_solvers_and_is_proven() {
    for (game, columns, top) in [
        (GameName::Giuthi, 3, Layer::Total(8)),
        (GameName::Bosh, 3, Layer::Total(9)),
        (GameName::Hawalis, 3, Layer::Sides(3, 3)),
        (GameName::Hus, 2, Layer::Total(7)),
    ] {
        let scratch = Scratch::new("values");
        built(&job(game, columns, top), &scratch.table());
        let table = Table::open(&scratch.table()).unwrap();
        let compared = table
            .setup()
            .visit(top.seeds(), Compare { table: &table })
            .unwrap();
        let verdict = verify(&scratch.table(), &Silent).unwrap().unwrap();
        assert_eq!(
            (verdict.positions, verdict.faulty),
            (compared, 0),
            "{:?}",
            verdict.faults
        );
        assert!(verdict.proven);
    }
}
