//! Tables: what they hold, and the formats they are written in.

mod cell;
mod column;
mod format;
mod layout;

mod latex;
mod markdown;
mod mediawiki;
mod text;

pub use cell::{Cell, Value};
pub use column::{Align, Column, ColumnKind};
pub use format::{TableFormat, UnknownTableFormat};

/// A row of a [`Table`].
#[derive(Debug, Clone, PartialEq)]
pub enum Row {
    /// One cell for each column.
    Cells(Vec<Cell>),
    /// A subheading over the rows that follow it.
    Heading(String),
    /// A line between the rows before it and the rows after it.
    Rule,
}

/// Which end of a column is the good one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Better {
    /// More is better, as for a score.
    Higher,
    /// Less is better, as for an error or a time.
    Lower,
}

/// Why a table could not be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TableError {
    /// A table without columns was asked for.
    #[error("a table needs at least one column")]
    NoColumns,
    /// A row has more or fewer cells than the table has columns.
    #[error("the row has {found} cells where the table has {expected} columns")]
    RowLength {
        /// The number of columns of the table.
        expected: usize,
        /// The number of cells of the row.
        found: usize,
    },
    /// A number is infinite or not a number.
    #[error("the number {value} in column \"{column}\" is not finite; use a missing cell")]
    NotFinite {
        /// The header of the column.
        column: String,
        /// The number.
        value: f64,
    },
    /// A number stands in a column that does not say how many decimals to show.
    #[error("the number {value} is in column \"{column}\", which is a column of text")]
    NumberInTextColumn {
        /// The header of the column.
        column: String,
        /// The number.
        value: f64,
    },
    /// There is no column at that place.
    #[error("there is no column {index}; the table has {columns}, counted from 0")]
    NoSuchColumn {
        /// The place that was asked for.
        index: usize,
        /// The number of columns.
        columns: usize,
    },
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
/// ])?
/// .with_caption("Average dynamic recall")
/// .with_note("* the best value of its column");
/// table.push_heading("Symbolic melodic similarity 2005");
/// table.push([Cell::text("EMD"), Cell::number(0.7402), Cell::integer(11)])?;
/// table.push([Cell::text("n-grams"), Cell::number(0.6591), Cell::integer(11)])?;
/// table.emphasise_best(1, Better::Higher)?;
///
/// let text = TableFormat::Text.render(&table);
/// assert!(text.contains("EMD      0.740*       11"));
/// # Ok::<(), partita_report::TableError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    caption: Option<String>,
    note: Option<String>,
    columns: Vec<Column>,
    rows: Vec<Row>,
}

impl Table {
    /// A table with these columns and no rows yet.
    ///
    /// # Errors
    /// [`TableError::NoColumns`] when there is no column.
    pub fn new(columns: impl IntoIterator<Item = Column>) -> Result<Self, TableError> {
        let columns: Vec<Column> = columns.into_iter().collect();
        if columns.is_empty() {
            return Err(TableError::NoColumns);
        }
        Ok(Self {
            caption: None,
            note: None,
            columns,
            rows: Vec::new(),
        })
    }

    /// The same table with a caption above it.
    #[must_use]
    pub fn with_caption(mut self, caption: impl Into<String>) -> Self {
        self.caption = Some(caption.into());
        self
    }

    /// The same table with a note below it.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    /// Adds a row.
    ///
    /// Text may stand in a column of numbers (`"< .001"`); a number may not
    /// stand in a column of text, which does not know its decimals.
    ///
    /// # Errors
    /// When the number of cells is not the number of columns, when a number is
    /// not finite, or when a number stands in a column of text.
    ///
    /// ```
    /// use partita_report::{Cell, Column, Table, TableError};
    ///
    /// let mut table = Table::new([Column::text("System"), Column::number("ADR", 2)])?;
    /// assert_eq!(
    ///     table.push([Cell::text("EMD")]),
    ///     Err(TableError::RowLength { expected: 2, found: 1 })
    /// );
    /// table.push(["EMD".into(), Some(0.74).into()])?;
    /// # Ok::<(), TableError>(())
    /// ```
    pub fn push(&mut self, row: impl IntoIterator<Item = Cell>) -> Result<(), TableError> {
        let cells: Vec<Cell> = row.into_iter().collect();
        if cells.len() != self.columns.len() {
            return Err(TableError::RowLength {
                expected: self.columns.len(),
                found: cells.len(),
            });
        }
        for (cell, column) in cells.iter().zip(&self.columns) {
            if let Value::Number(value) = *cell.value() {
                let column_name = || column.header().to_owned();
                if column.kind() == ColumnKind::Text {
                    return Err(TableError::NumberInTextColumn {
                        column: column_name(),
                        value,
                    });
                }
                if !value.is_finite() {
                    return Err(TableError::NotFinite {
                        column: column_name(),
                        value,
                    });
                }
            }
        }
        self.rows.push(Row::Cells(cells));
        Ok(())
    }

    /// Adds a subheading over the rows that follow.
    pub fn push_heading(&mut self, heading: impl Into<String>) {
        self.rows.push(Row::Heading(heading.into()));
    }

    /// Adds a line between the rows before and the rows after.
    pub fn push_rule(&mut self) {
        self.rows.push(Row::Rule);
    }

    /// Emphasises the best value of a column.
    ///
    /// Values that *read* as the best one are all emphasised: two systems that
    /// both show 0.740 are not told apart by a digit the reader cannot see.
    /// Text and missing cells are passed over.
    ///
    /// # Errors
    /// [`TableError::NoSuchColumn`] when there is no column `index`, counted from 0.
    ///
    /// ```
    /// use partita_report::{Better, Cell, Column, Table, TableFormat};
    ///
    /// let mut table = Table::new([Column::number("seconds", 1)])?;
    /// table.push([Cell::number(2.04)])?;
    /// table.push([Cell::number(2.01)])?;
    /// table.push([Cell::number(3.0)])?;
    /// table.emphasise_best(0, Better::Lower)?;
    /// assert!(TableFormat::Markdown.render(&table).matches("**2.0**").count() == 2);
    /// # Ok::<(), partita_report::TableError>(())
    /// ```
    pub fn emphasise_best(&mut self, index: usize, better: Better) -> Result<(), TableError> {
        let columns = self.columns.len();
        let column = self
            .columns
            .get(index)
            .ok_or(TableError::NoSuchColumn { index, columns })?;
        let cells = || {
            self.rows.iter().filter_map(|row| match row {
                Row::Cells(cells) => cells.get(index),
                Row::Heading(_) | Row::Rule => None,
            })
        };
        let best = cells()
            .filter_map(|cell| Some((cell.value().as_number()?, cell)))
            .reduce(|best, next| {
                let wins = match better {
                    Better::Higher => next.0 > best.0,
                    Better::Lower => next.0 < best.0,
                };
                if wins { next } else { best }
            })
            .map(|(_, cell)| column.shown(cell.value()));
        for row in &mut self.rows {
            if let Row::Cells(cells) = row
                && let Some(cell) = cells.get_mut(index)
                && cell.value().as_number().is_some()
                && Some(column.shown(cell.value())) == best
            {
                cell.emphasise();
            }
        }
        Ok(())
    }

    /// The text above the table.
    #[must_use]
    pub fn caption(&self) -> Option<&str> {
        self.caption.as_deref()
    }

    /// The text below the table.
    #[must_use]
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// The columns, from left to right.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The rows, from top to bottom.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }
}
