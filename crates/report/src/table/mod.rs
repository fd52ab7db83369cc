//! Tables and the formats that they are rendered in.

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

/// Row of a [`Table`].
#[derive(Clone, Debug, PartialEq)]
pub enum TableRow {
    /// One cell per column.
    Cells(Vec<Cell>),
    /// Subheading above the rows that follow.
    Heading(String),
    /// Rule between the rows before and after.
    Rule,
}

/// Direction in which the values of a column are better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Optimum {
    /// Higher is better, for example a score.
    Highest,
    /// Lower is better, for example an error or a time.
    Lowest,
}

/// Table of results, independent of the output format.
///
/// The columns are fixed at construction, rows are added one by one, and every row is checked
/// against the columns. [`TableFormat`] renders it.
///
/// ```
/// use partita_report::{Cell, Column, Optimum, Table, TableFormat};
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
/// table.emphasise_best(1, Optimum::Highest);
///
/// let text = TableFormat::Text.render(&table);
/// assert!(text.contains("EMD      0.740       11"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Caption above the table.
    pub caption: Option<String>,
    /// Note below the table.
    pub note: Option<String>,
    /// Label for cross-references in LaTeX.
    pub label: Option<String>,
    key_columns: Option<usize>,
    columns: Vec<Column>,
    rows: Vec<TableRow>,
}

impl Table {
    /// Creates a table with these columns and no rows.
    ///
    /// # Panics
    /// Panics if there is no column.
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

    /// Sets the caption.
    pub fn with_caption(mut self, caption: impl Into<String>) -> Self {
        self.caption = Some(caption.into());
        self
    }

    /// Sets the note below the table.
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    /// Sets the number of leading columns that identify a row. They are repeated when a wide table
    /// is split into stacked blocks.
    pub fn with_key_columns(mut self, columns: usize) -> Self {
        self.key_columns = Some(columns);
        self
    }

    /// Adds a row.
    ///
    /// A column of numbers may contain text (`"<0.001"`). A column of text may not contain numbers,
    /// because it does not define their decimals.
    ///
    /// # Panics
    /// Panics if the number of cells differs from the number of columns, if a number is not finite,
    /// or if a number is in a column of text. All are programming errors, because the caller
    /// defines the columns.
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

    /// Adds a subheading above the rows that follow.
    pub fn push_heading(&mut self, heading: impl Into<String>) {
        self.rows.push(TableRow::Heading(heading.into()));
    }

    /// Adds a rule between the rows before and after.
    pub fn push_rule(&mut self) {
        self.rows.push(TableRow::Rule);
    }

    /// Emphasises the best value of a column.
    ///
    /// All values that are displayed like the best one are emphasised: two systems shown as 0.740
    /// do not differ by a digit that the reader cannot see. Text and missing cells are ignored.
    ///
    /// # Panics
    /// Panics if there is no column `index`, counted from 0.
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

    /// Returns the column headers, escaped by the function of the output format.
    fn headers(&self, escaped: fn(&str) -> String) -> Vec<String> {
        let columns = self.columns.iter();
        columns.map(|column| escaped(&column.header)).collect()
    }

    /// Formats and escapes the cells of a row, one text per column.
    fn format_cells(
        &self,
        cells: &[Cell],
        write: impl Fn(&Cell, &Column) -> String,
    ) -> Vec<String> {
        let cells = cells.iter().zip(&self.columns);
        cells.map(|(cell, column)| write(cell, column)).collect()
    }

    /// Returns the columns, from left to right.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Returns the rows, from top to bottom.
    pub fn rows(&self) -> &[TableRow] {
        &self.rows
    }
}
