//! Tables: what they hold, and the formats they are written in.

mod cell;
mod column;
mod format;
mod text_width;

mod latex;
mod markdown;
mod mediawiki;
pub(crate) mod plain_text;

pub use cell::{Cell, CellValue};
pub use column::{Alignment, Column, ColumnKind};
pub(crate) use column::{integer, number, right, text};
pub use format::TableFormat;
pub use plain_text::Terminal;
pub(crate) use text_width::wrap_to_width;

/// A row of a [`Table`].
#[derive(Debug, Clone, PartialEq)]
pub enum TableRow {
    /// One cell for each column.
    Cells(Vec<Cell>),
    /// A subheading over the rows that follow it.
    Heading(String),
    /// A line between the rows before it and the rows after it.
    Rule,
}

/// Which end of a column is the good one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Optimum {
    /// More is better, as for a score.
    Highest,
    /// Less is better, as for an error or a time.
    Lowest,
}

/// A table of results, independent of how it is written.
///
/// Columns are fixed when the table is made, rows are added one by one, and
/// every row is checked against the columns. [`TableFormat`] writes it.
///
/// ```
/// use partita_report::{Better, Cell, Column, Table, TableFormat};
///
/// let mut table = Table::new([
///     Column::text("System"),
///     Column::number("ADR", 3),
///     Column::integer("Queries"),
/// ])
/// .with_caption("Average dynamic recall")
/// .with_note("Bold: the best value of its column");
/// table.push_heading("Symbolic melodic similarity 2005");
/// table.push([Cell::text("EMD"), Cell::number(0.7402), Cell::integer(11)]);
/// table.push([Cell::text("n-grams"), Cell::number(0.6591), Cell::integer(11)]);
/// table.emphasise_best(1, Better::Higher);
///
/// let text = TableFormat::Text.render(&table);
/// assert!(text.contains("EMD      0.740       11"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// The text above it.
    pub caption: Option<String>,
    /// The text below it.
    pub note: Option<String>,
    /// What a paper refers to it by.
    pub label: Option<String>,
    key_columns: Option<usize>,
    columns: Vec<Column>,
    rows: Vec<TableRow>,
}

impl Table {
    /// A table with these columns and no rows yet.
    ///
    /// # Panics
    /// When there is no column.
    pub fn new(columns: impl IntoIterator<Item = Column>) -> Self {
        let columns: Vec<Column> = columns.into_iter().collect();
        assert!(!columns.is_empty(), "a table needs at least one column");
        Self {
            caption: None,
            note: None,
            label: None,
            key_columns: None,
            columns,
            rows: Vec::new(),
        }
    }

    /// The same table with a caption above it.
    pub fn with_caption(mut self, caption: impl Into<String>) -> Self {
        self.caption = Some(caption.into());
        self
    }

    /// The same table with a note below it.
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    /// The same table, of which so many columns at the left say what a row is about: where columns are
    /// stacked, these are repeated.
    pub fn with_key_columns(mut self, columns: usize) -> Self {
        self.key_columns = Some(columns);
        self
    }

    /// Adds a row.
    ///
    /// Text may stand in a column of numbers (`"<0.001"`); a number may not
    /// stand in a column of text, which does not know its decimals.
    ///
    /// # Panics
    /// When the number of cells is not the number of columns, when a number is
    /// not finite, or when a number stands in a column of text: whoever makes a
    /// table knows its columns, so this is a mistake in a program.
    pub fn push(&mut self, row: impl IntoIterator<Item = Cell>) {
        let cells: Vec<Cell> = row.into_iter().collect();
        let columns = self.columns.len();
        assert_eq!(cells.len(), columns, "a row has a cell for each column");
        for (cell, column) in cells.iter().zip(&self.columns) {
            if let CellValue::Number(value) = cell.value {
                let header = &column.header;
                assert!(
                    column.kind != ColumnKind::Text,
                    "the number {value} is in column \"{header}\", which is a column of text"
                );
                assert!(
                    value.is_finite(),
                    "the number {value} in column \"{header}\" is not finite; use a missing cell"
                );
            }
        }
        self.rows.push(TableRow::Cells(cells));
    }

    /// Adds a subheading over the rows that follow.
    pub fn push_heading(&mut self, heading: impl Into<String>) {
        self.rows.push(TableRow::Heading(heading.into()));
    }

    /// Adds a line between the rows before and the rows after.
    pub fn push_rule(&mut self) {
        self.rows.push(TableRow::Rule);
    }

    /// Emphasises the best value of a column.
    ///
    /// Values that *read* as the best one are all emphasised: two systems that both show 0.740 are
    /// not told apart by a digit the reader cannot see. Text and missing cells are passed over.
    ///
    /// # Panics
    /// When there is no column `index`, counted from 0.
    pub fn emphasise_best(&mut self, index: usize, better: Optimum) {
        let column = &self.columns[index];
        let cells = self.rows.iter_mut().filter_map(|row| match row {
            TableRow::Cells(cells) => Some(&mut cells[index]),
            TableRow::Heading(_) | TableRow::Rule => None,
        });
        let numbers = cells.filter_map(|cell| Some((cell.value.as_number()?, cell)));
        let numbers: Vec<(f64, &mut Cell)> = numbers.collect();
        let values = numbers.iter();
        let values = values.map(|(value, cell)| (*value, column.format_value(&cell.value)));
        let best = values.reduce(|best, next| {
            let wins = match better {
                Optimum::Highest => next.0 > best.0,
                Optimum::Lowest => next.0 < best.0,
            };
            if wins { next } else { best }
        });
        let best = best.map(|(_, shown)| shown);
        for (_, cell) in numbers {
            cell.emphasised |= Some(column.format_value(&cell.value)) == best;
        }
    }

    /// The words over the columns, as a format escapes them.
    fn headers(&self, escaped: fn(&str) -> String) -> Vec<String> {
        let columns = self.columns.iter();
        columns.map(|column| escaped(&column.header)).collect()
    }

    /// Cells of a row, as a format writes them.
    fn written(&self, cells: &[Cell], write: impl Fn(&Cell, &Column) -> String) -> Vec<String> {
        let cells = cells.iter().zip(&self.columns);
        cells.map(|(cell, column)| write(cell, column)).collect()
    }

    /// The columns, from left to right.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The rows, from top to bottom.
    pub fn rows(&self) -> &[TableRow] {
        &self.rows
    }
}
