//! Owns: `sowbase export`: a table, or one layer of it, for other programs.

use super::Notes;
use super::build::failure;
use super::failure::{Failure, Kind};
use super::flags::parse_threads;
use super::machine::with_threads;
use super::stats::unfinished;
use super::stop::Stopping;
use crate::export::{ExportError, csv, npy, parquet};
use crate::index::Layer;
use crate::table::Table;
use crate::table::files::NewFiles;
use clap::ValueEnum;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// What to write.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// Text, one position a line
    Csv,
    /// Columns in one file, for pandas, polars, DuckDB, Arrow
    Parquet,
    /// Arrays for numpy: a directory with a file a plane and layer
    Npy,
}

/// Writes a table, or one layer of it, for other programs
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ExportArgs {
    /// Directory of the table
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// What to write
    #[arg(long, value_name = "F")]
    format: Format,
    /// File to write (csv, parquet; '-' for standard output) or directory (npy)
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Only this layer, such as 12 or 5-4
    #[arg(long, value_name = "LAYER", value_parser = parse_layer)]
    layer: Option<Layer>,
    /// Adds a column with the text of every position (parquet; csv has it anyway)
    #[arg(long)]
    text: bool,
    /// Threads to work with [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<usize>,
}

const EXAMPLES: &str = "\
Examples:
  sowbase export tables/giuthi-2x3 --format csv --out giuthi.csv
  sowbase export tables/giuthi-2x3 --format parquet --out giuthi.parquet
  sowbase export tables/giuthi-2x3 --format npy --out arrays --layer 6";

fn parse_layer(text: &str) -> Result<Layer, String> {
    let number = |text: &str| {
        text.parse::<u8>()
            .map_err(|_| "expected a layer such as 12 or 5-4, found something else".to_owned())
    };
    match text.split_once('-') {
        Some((own, other)) => Ok(Layer::Sides(number(own)?, number(other)?)),
        None => Ok(Layer::Total(number(text)?)),
    }
}

fn export_failure(error: ExportError) -> Failure {
    match error {
        ExportError::Table(error) => failure(&error),
        ExportError::NoLayer(_) => Failure::usage(error),
        ExportError::Stopped => Failure::new(Kind::Limit, error),
        ExportError::Output(error) => error.into(),
        ExportError::File { path, error } => Failure::writing(&path, "--out", &error),
    }
}

/// Runs the command.
pub fn run(
    args: &ExportArgs,
    out: &mut (impl Write + Send),
    notes: &Notes<'_>,
) -> Result<(), Failure> {
    if args.text && args.format == Format::Npy {
        return Err(Failure::usage(
            "--text adds a column, and arrays have none; leave it out, or ask for parquet",
        ));
    }
    let table = Table::open(&args.directory).map_err(|error| failure(&error))?;
    if let Some(missing) = unfinished(&table) {
        notes(&format!("note: {missing}; the export is without them"));
    }
    let progress = Stopping::new(notes)?;
    let export = || match args.format {
        Format::Csv => to_file(&args.out, out, |mut out| {
            csv(&table, args.layer, &mut out, &progress)
        }),
        Format::Parquet => to_file(&args.out, out, |mut out| {
            parquet(&table, args.layer, args.text, &mut out, &progress)
        }),
        Format::Npy => npy(&table, args.layer, &args.out, &progress),
    };
    with_threads(args.threads, export)?.map_err(export_failure)
}

/// Hands the file to write, or standard output for `-`, to `write`. A file is there whole, or as it was
/// before.
fn to_file(
    path: &Path,
    out: &mut (impl Write + Send),
    write: impl FnOnce(&mut (dyn Write + Send)) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    if path.as_os_str() == "-" {
        return write(out);
    }
    let wrong = |error| ExportError::File {
        path: path.to_owned(),
        error,
    };
    let mut files = NewFiles::default();
    let file = files.create(path).map_err(wrong)?;
    let mut file = BufWriter::new(file);
    write(&mut file).map_err(|error| match error {
        ExportError::Output(error) => wrong(error),
        other => other,
    })?;
    file.flush().map_err(wrong)?;
    files.keep().map_err(wrong)
}
