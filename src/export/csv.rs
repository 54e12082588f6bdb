//! Owns: tables as text, one position a line.

use super::{ExportError, blocks, chosen};
use crate::index::Layer;
use crate::progress::Progress;
use crate::table::{Row, Table};
use std::io::Write;

/// Writes a header and a line for each position: layer, rank, position, outcome, bounds (score games
/// only), distances (where the table has them; empty where there is none).
///
/// # Errors
/// When the table is damaged, the layer is not there, or the output cannot be written.
pub fn csv(
    table: &Table,
    only: Option<Layer>,
    out: &mut impl Write,
    progress: &dyn Progress,
) -> Result<(), ExportError> {
    let files = chosen(table, only, progress)?;
    let scored = table.setup().game().scored();
    let mut head = vec!["layer", "rank", "position", "outcome"];
    if scored {
        head.extend(["lower", "upper", "lower_distance", "upper_distance"]);
    } else {
        head.push("distance");
    }
    writeln!(out, "{}", head.join(","))?;
    for file in files {
        let layer = table.layers()[file].0;
        blocks(table, file, progress, |rows| {
            for row in rows {
                write_row(table, layer, row, scored, out)?;
            }
            Ok(())
        })?;
    }
    Ok(out.flush()?)
}

fn write_row(
    table: &Table,
    layer: Layer,
    row: &Row,
    scored: bool,
    out: &mut impl Write,
) -> Result<(), ExportError> {
    let kept = table.manifest().distances;
    let (value, text) = (&row.value, row.position.text(table.setup()));
    let number = |distance: Option<u16>| {
        distance
            .filter(|_| kept)
            .map_or(String::new(), |distance| distance.to_string())
    };
    // Positions hold commas.
    write!(out, "{layer},{},\"{text}\",{}", row.rank, value.outcome(0))?;
    if scored {
        let (lower, upper) = (value.finite_lower_distance(), value.finite_upper_distance());
        let (lower, upper) = (number(lower), number(upper));
        writeln!(out, ",{},{},{lower},{upper}", value.lower, value.upper)?;
    } else {
        writeln!(out, ",{}", number(value.distance(0)))?;
    }
    Ok(())
}
