//! Owns: tables as one Parquet file, a row a position, for pandas, polars, DuckDB, Arrow and others.
//!
//! Pits are columns of small integers, since that is what one filters on; the text of a position is a
//! column only when asked for. Rows gather in columns until there are enough for a row group, so what
//! is in memory does not grow with the table; layers do not start new groups, as most are far smaller
//! than one. Statistics are kept a group, not a page, for the same reason.

use super::{ExportError, about, blocks, chosen};
use crate::index::Layer;
use crate::notation::pit_name;
use crate::progress::Progress;
use crate::table::{Row, Table};
use crate::value::Bound;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;
use serde_json::json;
use std::io::{self, Write};
use std::sync::Arc;

/// Rows after which a row group is written; a block more at most.
const GROUP: usize = 1 << 18;

/// Key of the file's metadata under which the table is described.
const ABOUT: &str = "sowbase";

/// A position's number in a column, if it has one.
type Number = dyn Fn(&Row) -> Option<i32>;

/// A column of numbers.
struct Numbers {
    name: String,
    kind: &'static str,
    optional: bool,
    number: Box<Number>,
}

const TINY: &str = "INTEGER(8,true)";
const SEEDS: &str = "INTEGER(8,false)";
const MARGIN: &str = "INTEGER(16,true)";
const PLIES: &str = "INTEGER(16,false)";

impl Numbers {
    fn new(
        name: impl Into<String>,
        kind: &'static str,
        number: impl Fn(&Row) -> Option<i32> + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            kind,
            optional: kind == MARGIN || kind == PLIES,
            number: Box::new(number),
        }
    }
}

/// Columns of numbers, in the order in which they stand.
fn numbers(table: &Table) -> Vec<Numbers> {
    let (pits, kept) = (table.setup().pits(), table.manifest().distances);
    let pit = |pit: usize| {
        let owner = if pit < pits / 2 { "own" } else { "other" };
        let name = format!("{owner}_{}", pit_name(pit % (pits / 2)));
        Numbers::new(name, SEEDS, move |row| Some(row.position.pits[pit].into()))
    };
    let margin = |bound: Bound| bound.finite().map(i32::from);
    let plies = move |distance: Option<u16>| distance.filter(|_| kept).map(i32::from);
    let mut columns: Vec<Numbers> = (0..pits).map(pit).collect();
    columns.push(Numbers::new("outcome", TINY, |row| {
        Some(row.value.outcome(0) as i32 - 1)
    }));
    if table.setup().game().scored() {
        columns.extend([
            Numbers::new("lower", MARGIN, move |row| margin(row.value.lower)),
            Numbers::new("upper", MARGIN, move |row| margin(row.value.upper)),
            Numbers::new("lower_distance", PLIES, move |row| {
                plies(row.value.finite_lower_distance())
            }),
            Numbers::new("upper_distance", PLIES, move |row| {
                plies(row.value.finite_upper_distance())
            }),
        ]);
    } else {
        columns.push(Numbers::new("distance", PLIES, move |row| {
            plies(row.value.distance(0))
        }));
    }
    columns
}

/// The file's columns and how each is packed.
struct Shape {
    numbers: Vec<Numbers>,
    /// Whether the side to move is a column: only where the players' boards differ.
    side: bool,
    /// Whether the position's text is a column.
    text: bool,
}

impl Shape {
    fn schema(&self) -> String {
        let mut fields = vec![
            "required binary layer (STRING)".to_owned(),
            "required int64 rank".to_owned(),
        ];
        if self.side {
            fields.push("required binary side (STRING)".to_owned());
        }
        if self.text {
            fields.push("required binary position (STRING)".to_owned());
        }
        fields.extend(self.numbers.iter().map(|column| {
            let presence = if column.optional {
                "optional"
            } else {
                "required"
            };
            format!("{presence} int32 {} ({})", column.name, column.kind)
        }));
        format!("message positions {{ {}; }}", fields.join("; "))
    }
}

/// Few values that come again and again are packed by a dictionary; ranks are a count, and no text
/// comes twice.
fn properties(table: &Table) -> WriterProperties {
    let [rank, text] = ["rank", "position"].map(ColumnPath::from);
    let mut about = about(table);
    about["outcome"] = json!({"loss": -1, "draw": 0, "win": 1});
    about["null"] = json!("lower: minus infinity; upper: plus infinity; distances: none");
    WriterProperties::builder()
        .set_created_by(table.manifest().built_by.clone())
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true)
        .set_column_dictionary_enabled(rank.clone(), false)
        .set_column_encoding(rank, Encoding::DELTA_BINARY_PACKED)
        .set_column_dictionary_enabled(text.clone(), false)
        .set_column_encoding(text, Encoding::DELTA_BYTE_ARRAY)
        .set_key_value_metadata(Some(vec![KeyValue::new(
            ABOUT.to_owned(),
            about.to_string(),
        )]))
        .build()
}

/// Rows that wait for their group, column by column.
#[derive(Default)]
struct Group {
    layers: Vec<ByteArray>,
    ranks: Vec<i64>,
    sides: Vec<ByteArray>,
    texts: Vec<ByteArray>,
    /// Numbers that there are, and for each row whether it has one.
    numbers: Vec<(Vec<i32>, Vec<i16>)>,
}

impl Group {
    fn push(&mut self, table: &Table, shape: &Shape, layer: &ByteArray, rows: &[Row]) {
        self.numbers
            .resize_with(shape.numbers.len(), Default::default);
        self.layers.extend(rows.iter().map(|_| layer.clone()));
        self.ranks.extend(rows.iter().map(|row| row.rank as i64));
        if shape.side {
            let side = |row: &Row| row.position.seat.letter().to_string().as_str().into();
            self.sides.extend(rows.iter().map(side));
        }
        if shape.text {
            let text = |row: &Row| row.position.text(table.setup()).into_bytes().into();
            self.texts.extend(rows.iter().map(text));
        }
        for (column, (values, levels)) in shape.numbers.iter().zip(&mut self.numbers) {
            for row in rows {
                let number = (column.number)(row);
                values.extend(number);
                levels.push(number.is_some().into());
            }
        }
    }

    /// Writes the rows as a group and forgets them.
    fn flush<W: Write + Send>(
        &mut self,
        shape: &Shape,
        file: &mut SerializedFileWriter<W>,
    ) -> Result<(), ParquetError> {
        if self.ranks.is_empty() {
            return Ok(());
        }
        let mut group = file.next_row_group()?;
        write_texts(&mut group, &self.layers)?;
        column(&mut group, |column| {
            column
                .typed::<Int64Type>()
                .write_batch(&self.ranks, None, None)
        })?;
        if shape.side {
            write_texts(&mut group, &self.sides)?;
        }
        if shape.text {
            write_texts(&mut group, &self.texts)?;
        }
        for (number, (values, levels)) in shape.numbers.iter().zip(&self.numbers) {
            let levels = number.optional.then_some(levels.as_slice());
            column(&mut group, |column| {
                column
                    .typed::<Int32Type>()
                    .write_batch(values, levels, None)
            })?;
        }
        group.close()?;
        *self = Self::default();
        Ok(())
    }
}

/// Writes the next column of a group.
fn column<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    write: impl FnOnce(
        &mut parquet::file::writer::SerializedColumnWriter<'_>,
    ) -> Result<usize, ParquetError>,
) -> Result<(), ParquetError> {
    let next = group.next_column()?;
    let mut next = next.ok_or_else(|| ParquetError::General("a column too many".to_owned()))?;
    write(&mut next)?;
    next.close()
}

fn write_texts<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    texts: &[ByteArray],
) -> Result<(), ParquetError> {
    column(group, |column| {
        column
            .typed::<ByteArrayType>()
            .write_batch(texts, None, None)
    })
}

/// The system's error inside, so that a full disk is told as one.
fn output(error: ParquetError) -> ExportError {
    ExportError::Output(match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    })
}

/// Writes a Parquet file: `layer`, `rank`, the pits as their owners name them (`own_a`… of the player
/// to move, `other_a`… of the opponent), `outcome` (−1, 0, 1), then `lower` and `upper` with their
/// distances, or in win-loss games `distance`. Null means an infinite bound, or a distance that there
/// is not or that the table does not keep. `text` adds the column `position`.
///
/// # Errors
/// When the table is damaged, the layer is not there, or the output cannot be written.
pub fn parquet(
    table: &Table,
    only: Option<Layer>,
    text: bool,
    out: &mut (impl Write + Send),
    progress: &dyn Progress,
) -> Result<(), ExportError> {
    let [south, north] = table.setup().closed();
    let shape = Shape {
        numbers: numbers(table),
        side: south != north,
        text,
    };
    let files = chosen(table, only, progress)?;
    let schema = Arc::new(parse_message_type(&shape.schema()).map_err(output)?);
    let properties = Arc::new(properties(table));
    let mut file = SerializedFileWriter::new(out, schema, properties).map_err(output)?;
    let mut group = Group::default();
    for at in files {
        let layer = ByteArray::from(table.layers()[at].0.to_string().as_str());
        blocks(table, at, progress, |rows| {
            group.push(table, &shape, &layer, rows);
            match group.ranks.len() {
                waiting if waiting < GROUP => Ok(()),
                _ => group.flush(&shape, &mut file).map_err(output),
            }
        })?;
    }
    group.flush(&shape, &mut file).map_err(output)?;
    file.close().map_err(output)?;
    Ok(())
}
