//! The bytes of one tiny layer's file, held both ways: tests/data/golden-layer.txt says which is what.

use crate::support::{Scratch, built, files, job};
use sowbase::games::GameName;
use sowbase::index::Layer;
use sowbase::table::{Manifest, Table};
use std::fs;

const GOLDEN: &str = include_str!("../data/golden-layer.txt");
const FILE: &str = "2.sow";

/// Lines of the data file that hold bytes, or values.
fn lines(values: bool) -> impl Iterator<Item = &'static str> {
    let all = GOLDEN.lines();
    let some = all.filter(|line| !line.is_empty() && !line.starts_with('#'));
    some.filter(move |line| line.contains('|') == values)
}

fn bytes() -> Vec<u8> {
    let hex = lines(false).flat_map(|line| line.split('#').next().unwrap().split_whitespace());
    hex.map(|byte| u8::from_str_radix(byte, 16).unwrap())
        .collect()
}

#[test]
fn a_layer_is_written_byte_for_byte_as_ever() {
    let scratch = Scratch::new("golden");
    built(&job(GameName::Giuthi, 2, Layer::Total(2)), &scratch.table());
    let (found, wanted) = (&files(&scratch.table())[FILE], bytes());
    let differs = found.iter().zip(&wanted).position(|(a, b)| a != b);
    assert_eq!(
        differs, None,
        "the first byte that differs; see golden-layer.txt"
    );
    assert_eq!(found.len(), wanted.len());
}

#[test]
fn a_layer_is_read_as_ever() {
    let scratch = Scratch::new("golden");
    let directory = scratch.table();
    let mut manifest = built(&job(GameName::Giuthi, 2, Layer::Total(2)), &directory);
    let wanted = bytes();
    fs::write(directory.join(FILE), &wanted).unwrap();
    expect(&mut manifest, &wanted);
    manifest.write(&directory).unwrap();
    let table = Table::open(&directory).unwrap();
    table.check_hash(2).unwrap();
    let rows = table.rows(2, 0).unwrap();
    let found: Vec<String> = rows
        .iter()
        .map(|row| {
            let (text, value) = (row.position.text(table.setup()), row.value);
            let (lower, upper) = (value.lower, value.upper);
            let [first, second] = [value.lower_distance, value.upper_distance];
            format!("{} | {text} | {lower} {first} | {upper} {second}", row.rank)
        })
        .collect();
    assert_eq!(found, lines(true).collect::<Vec<_>>());
}

/// Makes the manifest expect these bytes, whatever today's builder wrote.
fn expect(manifest: &mut Manifest, bytes: &[u8]) {
    let entry = &mut manifest.layers[2];
    let hash = bytes[bytes.len() - 16..].try_into().unwrap();
    entry.hash = format!("{:032x}", u128::from_le_bytes(hash));
    entry.bytes = bytes.len() as u64;
}
