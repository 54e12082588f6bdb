//! Writes a table's planes as plain bytes, one a position, to compare its size with what general
//! compressors make of them (`docs/table-size.md`).
//!
//! `cargo run --release --example planes -- TABLE OUT` writes `OUT/LAYER.lower` and so on, by rank:
//! bounds as their codes with +∞ moved down next to the greatest share, distances up to 255.

use sowbase::table::{Table, TableError};
use sowbase::value::{Code, PLUS_INFINITY, encode};
use std::path::Path;

/// Planes and their names.
const PLANES: [&str; 4] = ["lower", "upper", "lower_distance", "upper_distance"];

fn layer(table: &Table, file: usize) -> Result<[Vec<u8>; 4], TableError> {
    let (layer, blocks) = table.layers()[file];
    let scored = table.setup().game().scored();
    let stake = if scored { layer.seeds() } else { 1 };
    let positions = table.entry(file).positions as usize;
    let mut planes = [(); 4].map(|()| vec![0u8; positions]);
    for block in 0..blocks {
        for row in table.rows(file, block)? {
            let at = row.rank as usize;
            planes[0][at] = encode(row.value.lower, stake);
            planes[1][at] = match encode(row.value.upper, stake) {
                PLUS_INFINITY => stake as Code + 2,
                code => code,
            };
            planes[2][at] = row.value.lower_distance.min(255) as u8;
            planes[3][at] = row.value.upper_distance.min(255) as u8;
        }
    }
    Ok(planes)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, table, out] = &arguments[..] else {
        return Err("expected TABLE and OUT".into());
    };
    let table = Table::open(Path::new(table))?;
    std::fs::create_dir_all(out)?;
    for (file, (name, _)) in table.layers().into_iter().enumerate() {
        for (plane, bytes) in PLANES.iter().zip(layer(&table, file)?) {
            std::fs::write(Path::new(out).join(format!("{name}.{plane}")), bytes)?;
        }
    }
    Ok(())
}
