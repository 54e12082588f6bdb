//! Owns: finished tables written out for other programs, row by row.
//!
//! Everything streams: blocks are decoded by all threads, a few at a time, and written in the order of
//! ranks, so that memory does not grow with the table. Inside a block of a matrix positions come row
//! by row of the tile; the column `rank` says where each belongs.

mod csv;
mod npy;
mod parquet;

pub use csv::csv;
pub use npy::npy;
pub use parquet::parquet;

use crate::index::Layer;
use crate::progress::Progress;
use crate::table::{Row, Table, TableError};
use rayon::prelude::*;
use serde_json::{Value as Json, json};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Blocks decoded ahead of writing.
const AHEAD: u64 = 16;

/// Why a table was not exported.
#[derive(Debug)]
pub enum ExportError {
    /// The table is damaged.
    Table(TableError),
    /// The output cannot be written.
    Output(io::Error),
    /// A file or directory cannot be written.
    File {
        /// Which.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// There is no such layer in the table.
    NoLayer(Layer),
    /// Told to stop.
    Stopped,
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Table(error) => error.fmt(f),
            Self::Output(error) => write!(f, "cannot write the export: {error}"),
            Self::File { path, error } => {
                let path = path.display();
                write!(f, "{path}: expected to write here, found {error}")
            }
            Self::NoLayer(layer) => write!(
                f,
                "layer {layer} is not in the table; see 'sowbase stats' for those that are"
            ),
            Self::Stopped => f.write_str("stopped before everything was exported"),
        }
    }
}

impl std::error::Error for ExportError {}

impl ExportError {
    fn file(path: &Path, error: io::Error) -> Self {
        let path = path.to_owned();
        Self::File { path, error }
    }
}

impl From<TableError> for ExportError {
    fn from(error: TableError) -> Self {
        Self::Table(error)
    }
}

impl From<io::Error> for ExportError {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// The places in [`Table::layers`] of the layers to export: one, or all. Progress is told of them.
fn chosen(
    table: &Table,
    only: Option<Layer>,
    progress: &dyn Progress,
) -> Result<Vec<usize>, ExportError> {
    let layers = table.layers();
    let files = match only {
        None => (0..layers.len()).collect(),
        Some(layer) => {
            let at = layers.iter().position(|found| found.0 == layer);
            vec![at.ok_or(ExportError::NoLayer(layer))?]
        }
    };
    let positions = files.iter().map(|&file| table.entry(file).positions);
    progress.plan("exporting", positions.sum(), 0);
    Ok(files)
}

/// What the table is, for those who have only the export.
fn about(table: &Table) -> Json {
    json!({
        "game": table.setup().game().as_str(),
        "columns": table.setup().columns(),
        "rules": table.manifest().rules,
        "order": crate::index::ORDER,
    })
}

/// Hands the rows of a layer to `write`, a block at a time, in order.
fn blocks(
    table: &Table,
    file: usize,
    progress: &dyn Progress,
    mut write: impl FnMut(&[Row]) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    let (layer, count) = table.layers()[file];
    progress.begin(&format!("exporting {layer}"), table.entry(file).positions);
    for start in (0..count).step_by(AHEAD as usize) {
        if progress.stopped() {
            return Err(ExportError::Stopped);
        }
        let decoded: Vec<Vec<Row>> = (start..(start + AHEAD).min(count))
            .into_par_iter()
            .map(|block| table.rows(file, block))
            .collect::<Result<_, _>>()?;
        for rows in decoded {
            write(&rows)?;
            progress.advance(rows.len() as u64);
        }
    }
    progress.end();
    Ok(())
}
