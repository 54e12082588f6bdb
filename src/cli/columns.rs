//! Owns: text in columns, each as wide as its widest cell.

use std::io::{self, Write};

/// How a column is aligned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Align {
    /// To the left, for words.
    Left,
    /// To the right, for numbers.
    Right,
}

/// A heading and rows of cells.
#[derive(Clone, Debug)]
pub struct Columns {
    heads: Vec<(&'static str, Align)>,
    rows: Vec<Vec<String>>,
}

impl Columns {
    /// No rows yet.
    pub fn new(heads: &[(&'static str, Align)]) -> Self {
        Self {
            heads: heads.to_vec(),
            rows: Vec::new(),
        }
    }

    /// Adds a row; cells that are missing at its end are empty.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Writes the heading and the rows, indented by two, without blanks at the ends of lines. A
    /// column without a single cell is left out with its heading.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let cell = |row: &Vec<String>, at: usize| row.get(at).cloned().unwrap_or_default();
        let used: Vec<usize> = (0..self.heads.len())
            .filter(|&at| self.rows.iter().any(|row| !cell(row, at).is_empty()))
            .collect();
        let heads: Vec<String> = self
            .heads
            .iter()
            .map(|(head, _)| (*head).to_owned())
            .collect();
        let lines = std::iter::once(&heads).chain(&self.rows);
        let width = |at: usize| lines.clone().map(|row| cell(row, at).chars().count()).max();
        let widths: Vec<usize> = used.iter().map(|&at| width(at).unwrap_or(0)).collect();
        for row in lines.clone() {
            let mut line = String::new();
            for (&at, &width) in used.iter().zip(&widths) {
                let text = cell(row, at);
                line.push_str("  ");
                line.push_str(&match self.heads[at].1 {
                    Align::Left => format!("{text:<width$}"),
                    Align::Right => format!("{text:>width$}"),
                });
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_empty_ones_are_dropped() {
        let mut table = Columns::new(&[
            ("move", Align::Left),
            ("n", Align::Right),
            ("x", Align::Left),
        ]);
        table.row(vec!["a".to_owned(), "5".to_owned()]);
        table.row(vec!["b+".to_owned(), "1234".to_owned()]);
        let mut out = Vec::new();
        table.write(&mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, "  move     n\n  a        5\n  b+    1234\n");
    }
}
