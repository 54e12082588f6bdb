//! What an export in Parquet holds, read back by the library that wrote it; other programs' reading is
//! checked by scripts/check-exports.

use crate::support::{Scratch, built, job};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row as Record};
use sowbase::build::{Job, Options, build};
use sowbase::export::parquet;
use sowbase::games::{GameName, Rules, Setup};
use sowbase::index::Layer;
use sowbase::progress::Silent;
use sowbase::table::{Row, Table};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

/// Rows in a group: the least that fills one, and a block more.
const FULL: std::ops::Range<i64> = (1 << 18)..(1 << 18) + (1 << 16);

fn carried(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tables")
        .join(name)
}

/// A table's export, written and opened.
fn exported(table: &Table, layer: Option<Layer>) -> SerializedFileReader<File> {
    let scratch = Scratch::new("parquet");
    let path = scratch.0.join("table.parquet");
    parquet(
        table,
        layer,
        true,
        &mut File::create(&path).unwrap(),
        &Silent,
    )
    .unwrap();
    SerializedFileReader::new(File::open(&path).unwrap()).unwrap()
}

fn rows(table: &Table) -> Vec<(Layer, Row)> {
    let mut all = Vec::new();
    for (file, (layer, blocks)) in table.layers().into_iter().enumerate() {
        for block in 0..blocks {
            let rows = table.rows(file, block).unwrap();
            all.extend(rows.into_iter().map(|row| (layer, row)));
        }
    }
    all
}

/// A row's columns by name; `None` for null.
fn columns(record: &Record) -> BTreeMap<String, Option<String>> {
    let text = |field: &Field| match field {
        Field::Null => None,
        Field::Str(text) => Some(text.clone()),
        number => Some(number.to_string()),
    };
    record
        .get_column_iter()
        .map(|(name, field)| (name.clone(), text(field)))
        .collect()
}

/// The columns that a row should have.
fn expected(table: &Table, layer: Layer, row: &Row) -> BTreeMap<String, Option<String>> {
    let mut columns = BTreeMap::new();
    let mut put = |name: &str, text: Option<String>| {
        columns.insert(name.to_owned(), text);
    };
    put("layer", Some(layer.to_string()));
    put("rank", Some(row.rank.to_string()));
    put("position", Some(row.position.text(table.setup())));
    let [south, north] = table.setup().closed();
    if south != north {
        put("side", Some(row.position.seat.letter().to_string()));
    }
    let half = row.position.pits.len() / 2;
    let (own, other) = row.position.pits.split_at(half);
    for (owner, pits) in [("own", own), ("other", other)] {
        for (letter, seeds) in ('a'..).zip(pits) {
            put(&format!("{owner}_{letter}"), Some(seeds.to_string()));
        }
    }
    let value = &row.value;
    let outcome = value.outcome(0).as_str();
    let outcome = ["loss", "draw", "win"].iter().position(|o| *o == outcome);
    put("outcome", outcome.map(|at| (at as i32 - 1).to_string()));
    let plies = |distance: Option<u16>| {
        let kept = distance.filter(|_| table.manifest().distances);
        kept.map(|distance| distance.to_string())
    };
    if table.setup().game().scored() {
        put("lower", value.lower.finite().map(|m| m.to_string()));
        put("upper", value.upper.finite().map(|m| m.to_string()));
        put("lower_distance", plies(value.finite_lower_distance()));
        put("upper_distance", plies(value.finite_upper_distance()));
    } else {
        put("distance", plies(value.distance(0)));
    }
    columns
}

fn holds_every_position(directory: &Path) {
    let table = Table::open(directory).unwrap();
    let all = rows(&table);
    let file = exported(&table, None);
    assert_eq!(file.metadata().file_metadata().num_rows(), all.len() as i64);
    let mut records = file.get_row_iter(None).unwrap();
    for (layer, row) in &all {
        let record = records.next().unwrap().unwrap();
        assert_eq!(columns(&record), expected(&table, *layer, row));
    }
}

#[test]
fn parquet_holds_every_position_of_every_kind_of_game() {
    for name in ["giuthi-2x3", "hus-4x2"] {
        holds_every_position(&carried(name));
    }
    let scratch = Scratch::new("sides");
    built(
        &job(GameName::Hawalis, 2, Layer::Sides(3, 2)),
        &scratch.table(),
    );
    holds_every_position(&scratch.table());
}

#[test]
fn parquet_says_who_moves_where_boards_differ_and_keeps_no_distances_that_are_not_there() {
    let scratch = Scratch::new("closed");
    let job = Job {
        setup: Setup::with_closed(3, Rules::new(GameName::Bosh), [0b001, 0]).unwrap(),
        top: Layer::Total(6),
        distances: false,
    };
    build(&job, &scratch.table(), &Options::default(), &Silent).unwrap();
    holds_every_position(&scratch.table());
    let table = Table::open(&scratch.table()).unwrap();
    let sides = rows(&table).into_iter().map(|(_, row)| row.position.seat);
    assert_eq!(sides.collect::<std::collections::HashSet<_>>().len(), 2);
}

#[test]
fn parquet_is_cut_into_groups_of_a_bounded_size() {
    let table = Table::open(&carried("bosh-2x3")).unwrap();
    let file = exported(&table, None);
    let groups: Vec<i64> = file
        .metadata()
        .row_groups()
        .iter()
        .map(|group| group.num_rows())
        .collect();
    let (last, full) = groups.split_last().unwrap();
    assert!(!full.is_empty(), "{groups:?}");
    assert!(full.iter().all(|rows| FULL.contains(rows)), "{groups:?}");
    assert!(*last > 0 && *last < FULL.end, "{groups:?}");
    let total: u64 = table.manifest().layers.iter().map(|l| l.positions).sum();
    assert_eq!(groups.iter().sum::<i64>(), total as i64);
    let one = exported(&table, Some(Layer::Total(9)));
    let nine = table.manifest().entry(Layer::Total(9)).unwrap().positions;
    assert_eq!(one.metadata().file_metadata().num_rows(), nine as i64);
}
