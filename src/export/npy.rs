//! Owns: tables as arrays that numpy loads or maps into memory: a file a plane and layer, by rank.
//!
//! The format is numpy's own, version 1.0: a magic, a header that is a Python dictionary padded so
//! that data begin at a multiple of 64, then the numbers, little-endian.

use super::{ExportError, about, blocks, chosen};
use crate::index::Layer;
use crate::progress::Progress;
use crate::table::files::NewFiles;
use crate::table::{Row, Table};
use crate::value::Bound;
use serde_json::json;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// What stands for −∞; its negative stands for +∞.
const MINUS_INFINITY: i16 = i16::MIN + 1;

/// A plane: its name, and a position's number in it.
type Plane = (&'static str, fn(&Row) -> i16);

fn bound(bound: Bound) -> i16 {
    match bound {
        Bound::MinusInfinity => MINUS_INFINITY,
        Bound::Finite(margin) => margin,
        Bound::PlusInfinity => -MINUS_INFINITY,
    }
}

/// A distance; −1 where there is none.
fn distance(distance: Option<u16>) -> i16 {
    distance.map_or(-1, |distance| distance.min(i16::MAX as u16) as i16)
}

fn planes(scored: bool, distances: bool) -> Vec<Plane> {
    let mut planes: Vec<Plane> = vec![("outcome", |row| row.value.outcome(0) as i16 - 1)];
    if scored {
        planes.push(("lower", |row| bound(row.value.lower)));
        planes.push(("upper", |row| bound(row.value.upper)));
    }
    match (scored, distances) {
        (_, false) => {}
        (true, true) => {
            planes.push(("lower_distance", |row| {
                distance(row.value.finite_lower_distance())
            }));
            planes.push(("upper_distance", |row| {
                distance(row.value.finite_upper_distance())
            }));
        }
        (false, true) => planes.push(("distance", |row| distance(row.value.distance(0)))),
    }
    planes
}

/// Writes `LAYER.PLANE.npy` into a directory, arrays of 16-bit integers, and `table.json`, which says
/// what they are. They get their names together in the end: a failure leaves none of them, and older
/// ones as they were.
///
/// # Errors
/// When the table is damaged, the layer is not there, or a file cannot be written.
pub fn npy(
    table: &Table,
    only: Option<Layer>,
    directory: &Path,
    progress: &dyn Progress,
) -> Result<(), ExportError> {
    let chosen = chosen(table, only, progress)?;
    let made = !directory.exists();
    let place = fs::create_dir_all(directory);
    place.map_err(|error| ExportError::file(directory, error))?;
    let mut files = NewFiles::default();
    let written = write_all(table, &chosen, directory, &mut files, progress).and_then(|()| {
        files
            .keep()
            .map_err(|error| ExportError::file(directory, error))
    });
    if written.is_err() && made {
        // Only tidying up: it is empty, or somebody else's by now.
        let _ = fs::remove_dir(directory);
    }
    written
}

fn write_all(
    table: &Table,
    chosen: &[usize],
    directory: &Path,
    files: &mut NewFiles,
    progress: &dyn Progress,
) -> Result<(), ExportError> {
    let planes = planes(table.setup().game().scored(), table.manifest().distances);
    let mut layers = Vec::new();
    for &file in chosen {
        let layer = table.layers()[file].0;
        let positions = table.entry(file).positions;
        let mut arrays = vec![vec![0i16; positions as usize]; planes.len()];
        blocks(table, file, progress, |rows| {
            for ((_, number), array) in planes.iter().zip(&mut arrays) {
                for row in rows {
                    array[row.rank as usize] = number(row);
                }
            }
            Ok(())
        })?;
        for ((name, _), array) in planes.iter().zip(&arrays) {
            let path = directory.join(format!("{layer}.{name}.npy"));
            let written = files.create(&path).and_then(|out| write_array(out, array));
            written.map_err(|error| ExportError::file(&path, error))?;
        }
        layers.push(json!({"layer": layer.to_string(), "positions": positions}));
    }
    let names: Vec<&str> = planes.iter().map(|plane| plane.0).collect();
    let mut about = about(table);
    about["file"] = json!("LAYER.PLANE.npy, indexed by rank");
    about["planes"] = json!(names);
    about["layers"] = json!(layers);
    about["outcome"] = json!({"loss": -1, "draw": 0, "win": 1});
    about["minus_infinity"] = json!(MINUS_INFINITY);
    about["plus_infinity"] = json!(-MINUS_INFINITY);
    about["no_distance"] = json!(-1);
    let path = directory.join("table.json");
    let written = files.create(&path);
    let written = written.and_then(|mut out| out.write_all(format!("{about:#}\n").as_bytes()));
    written.map_err(|error| ExportError::file(&path, error))
}

fn write_array(out: impl Write, array: &[i16]) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    out.write_all(&header(array.len()))?;
    for number in array {
        out.write_all(&number.to_le_bytes())?;
    }
    out.flush()
}

/// The bytes before the numbers.
fn header(length: usize) -> Vec<u8> {
    let mut text =
        format!("{{'descr': '<i2', 'fortran_order': False, 'shape': ({length},), }}").into_bytes();
    let before = 10;
    while (before + text.len() + 1) % 64 != 0 {
        text.push(b' ');
    }
    text.push(b'\n');
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend((text.len() as u16).to_le_bytes());
    out.extend(text);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_aligned_and_says_its_length() {
        for length in [0, 1, 12345, usize::MAX] {
            let bytes = header(length);
            assert_eq!(bytes.len() % 64, 0);
            assert_eq!(
                u16::from_le_bytes([bytes[8], bytes[9]]) as usize,
                bytes.len() - 10
            );
            assert!(bytes.ends_with(b"\n"));
        }
    }
}
