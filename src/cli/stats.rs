//! Owns: `sowbase stats`: what a table holds, from its manifest.

use super::build::failure;
use super::columns::{Align, Columns};
use super::failure::Failure;
use super::units::{counted, show_count, show_size};
use crate::index::Layer;
use crate::table::{LayerEntry, Table, closed_words};
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;

/// Counts per layer, longest wins, bytes per position
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct StatsArgs {
    /// Directory of the table
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Writes JSON to standard output
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  sowbase stats tables/giuthi-2x3
  sowbase stats tables/giuthi-2x3 --json";

/// DESIGN section 5, `stats --json`.
#[derive(Serialize)]
struct Json<'a> {
    game: &'a str,
    columns: usize,
    layers: Vec<JsonLayer<'a>>,
    /// Layers that are still to be built.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing: Vec<String>,
}

#[derive(Serialize)]
struct JsonLayer<'a> {
    layer: &'a str,
    positions: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    lower_ne_upper: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    lower_infinite: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    upper_infinite: Option<u64>,
    max_distance: u64,
    bytes: u64,
}

fn json_layer(entry: &LayerEntry, scored: bool) -> JsonLayer<'_> {
    JsonLayer {
        layer: &entry.layer,
        positions: entry.positions,
        wins: entry.wins,
        draws: entry.draws,
        losses: entry.losses,
        lower_ne_upper: entry.lower_ne_upper,
        lower_infinite: scored.then_some(entry.lower_infinite),
        upper_infinite: scored.then_some(entry.upper_infinite),
        max_distance: entry.max_distance,
        bytes: entry.bytes,
    }
}

/// Runs the command.
pub fn run(args: &StatsArgs, out: &mut impl Write) -> Result<(), Failure> {
    let table = Table::open(&args.directory).map_err(|error| failure(&error))?;
    let (setup, manifest) = (table.setup(), table.manifest());
    let scored = setup.game().scored();
    if args.json {
        let layers = manifest.layers.iter();
        let json = Json {
            game: setup.game().as_str(),
            columns: setup.columns(),
            layers: layers.map(|entry| json_layer(entry, scored)).collect(),
            missing: table.missing().iter().map(Layer::to_string).collect(),
        };
        serde_json::to_writer(&mut *out, &json).map_err(std::io::Error::from)?;
        writeln!(out)?;
        return Ok(());
    }
    write_head(&table, out)?;
    let mut columns = Columns::new(&[
        ("layer", Align::Left),
        ("positions", Align::Right),
        ("wins", Align::Right),
        ("draws", Align::Right),
        ("losses", Align::Right),
        ("lower ≠ upper", Align::Right),
        ("longest", Align::Right),
        ("bits a position, values", Align::Right),
        ("distances", Align::Right),
    ]);
    for entry in &manifest.layers {
        let bits =
            |bytes: u64| format!("{:.3}", bytes as f64 * 8.0 / entry.positions.max(1) as f64);
        columns.row(vec![
            entry.layer.clone(),
            show_count(entry.positions),
            show_count(entry.wins),
            show_count(entry.draws),
            show_count(entry.losses),
            show_count(entry.lower_ne_upper),
            show_count(entry.max_distance),
            bits(entry.value_bytes),
            bits(entry.distance_bytes),
        ]);
    }
    columns.write(out)?;
    if let Some(missing) = unfinished(&table) {
        writeln!(out, "\n{missing}.")?;
    }
    Ok(())
}

/// Which layers of a table are still to be built, and how; nothing of a finished table.
pub fn unfinished(table: &Table) -> Option<String> {
    let missing = table.missing();
    let (first, last) = (missing.first()?, missing.last()?);
    let layers = match missing.len() {
        1 => format!("layer {first} is"),
        _ => format!("layers {first} to {last} are"),
    };
    let directory = table.directory().display();
    Some(format!(
        "{directory} is unfinished: {layers} not built yet; 'sowbase build' with the same config and --out goes on with it"
    ))
}

/// What the table is.
fn write_head(table: &Table, out: &mut impl Write) -> Result<(), Failure> {
    let (setup, manifest) = (table.setup(), table.manifest());
    let rules: Vec<String> = manifest
        .rules
        .iter()
        .map(|(k, v)| format!("{k}={v}"))
        .collect();
    let mut rules = match rules.is_empty() {
        true => "usual rules".to_owned(),
        false => rules.join(", "),
    };
    if let Some(closed) = closed_words(setup.closed()) {
        rules += &format!(", {closed}");
    }
    let sum = |count: fn(&LayerEntry) -> u64| manifest.layers.iter().map(count).sum::<u64>();
    writeln!(
        out,
        "{}, {}, {rules}, up to {}; {}, {}, by {}",
        setup.game(),
        counted(setup.columns() as u64, "column"),
        table.top(),
        counted(sum(|entry| entry.positions), "position"),
        show_size(sum(|entry| entry.bytes)),
        manifest.built_by,
    )?;
    Ok(())
}
