//! Column definitions of a row type. The same definitions produce the CSV and the table of its
//! rows.

use std::borrow::Borrow;
use std::io;

use partita_formats::CsvWriter;

use crate::table::{Cell, CellValue, Column, Table};

/// Columns of a row type. Each has a CSV key, a table column, or both, and an accessor for its
/// value.
///
/// ```
/// use partita_report::{Column, ColumnSet, TableFormat};
///
/// struct Mean { system: String, mean: f64, queries: usize }
///
/// let columns = ColumnSet::new()
///     .field("system", Column::text("System"), |row: &Mean| row.system.clone())
///     .field("mean", Column::number("Mean", 2), |row| row.mean)
///     .csv_field("queries", |row| row.queries);
/// let rows = [Mean { system: "EMD".to_owned(), mean: 0.125, queries: 11 }];
/// let mut csv = Vec::new();
/// columns.write_csv(&rows, &mut csv)?;
/// assert_eq!(csv, b"system,mean,queries\nEMD,0.125,11\n");
/// let table = TableFormat::Markdown.render(&columns.to_table(&rows));
/// assert!(table.contains("| EMD    | 0.12 |"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct ColumnSet<'a, R: ?Sized> {
    fields: Vec<Field<'a, R>>,
    emphasised: Option<RowPredicate<'a, R>>,
}

/// Function that returns the cell of a row in one column.
type CellAccessor<'a, R> = Box<dyn Fn(&R) -> Cell + 'a>;

type RowPredicate<'a, R> = Box<dyn Fn(&R) -> bool + 'a>;

/// One column: its CSV key, its table column, or both, and the accessor of its cell.
struct Field<'a, R: ?Sized> {
    key: Option<String>,
    column: Option<Column>,
    content: CellAccessor<'a, R>,
}

impl<R: ?Sized> Default for ColumnSet<'_, R> {
    fn default() -> Self {
        Self {
            fields: Vec::new(),
            emphasised: None,
        }
    }
}

impl<'a, R: ?Sized> ColumnSet<'a, R> {
    /// Creates a column set without columns.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a column that appears in CSV under `key` and in tables under its header.
    pub fn field<C: Into<Cell>>(
        self,
        key: impl Into<String>,
        column: Column,
        content: impl Fn(&R) -> C + 'a,
    ) -> Self {
        self.add_column(Some(key.into()), Some(column), content)
    }

    /// Adds a column that appears in CSV only.
    pub fn csv_field<C: Into<Cell>>(
        self,
        key: impl Into<String>,
        content: impl Fn(&R) -> C + 'a,
    ) -> Self {
        self.add_column(Some(key.into()), None, content)
    }

    /// Adds a column that appears in tables only.
    pub fn table_field<C: Into<Cell>>(
        self,
        column: Column,
        content: impl Fn(&R) -> C + 'a,
    ) -> Self {
        self.add_column(None, Some(column), content)
    }

    /// Emphasises the table rows for which the predicate is true.
    pub fn emphasise_if(mut self, is_emphasised: impl Fn(&R) -> bool + 'a) -> Self {
        self.emphasised = Some(Box::new(is_emphasised));
        self
    }

    /// Applies `more`, which adds further columns, if `holds` is true; otherwise changes nothing.
    pub fn add_if(self, holds: bool, more: impl FnOnce(Self) -> Self) -> Self {
        if holds { more(self) } else { self }
    }

    /// Adds a column with a CSV key, a table column, or both.
    fn add_column<C: Into<Cell>>(
        mut self,
        key: Option<String>,
        column: Option<Column>,
        content: impl Fn(&R) -> C + 'a,
    ) -> Self {
        let content = Box::new(move |row: &R| content(row).into());
        self.fields.push(Field {
            key,
            column,
            content,
        });
        self
    }

    /// Renders the rows as a table.
    pub fn to_table(&self, rows: impl IntoIterator<Item: Borrow<R>>) -> Table {
        let mut table = self.table_without_rows();
        for row in rows {
            self.push_row(row.borrow(), &mut table);
        }
        table
    }

    /// Renders groups of rows as a table with a heading above each group.
    pub fn to_grouped_table<H: Into<String>, G: IntoIterator<Item: Borrow<R>>>(
        &self,
        groups: impl IntoIterator<Item = (H, G)>,
    ) -> Table {
        let mut table = self.table_without_rows();
        for (heading, rows) in groups {
            table.push_heading(heading);
            for row in rows {
                self.push_row(row.borrow(), &mut table);
            }
        }
        table
    }

    fn table_without_rows(&self) -> Table {
        Table::new(self.fields.iter().filter_map(|field| field.column.clone()))
    }

    /// Adds `row` below the rows of a table that was made by this column set, for example totals
    /// below a rule.
    pub fn push_row(&self, row: &R, table: &mut Table) {
        let shown = self.fields.iter().filter(|field| field.column.is_some());
        let emphasised = (self.emphasised.as_ref()).is_some_and(|is| is(row));
        let cells = shown.map(|field| (field.content)(row));
        table.push(cells.map(|cell| {
            if emphasised {
                cell.with_emphasis()
            } else {
                cell
            }
        }));
    }

    /// Writes the rows as CSV with a header.
    ///
    /// # Errors
    /// Returns the I/O error if writing fails.
    pub fn write_csv(
        &self,
        rows: impl IntoIterator<Item: Borrow<R>>,
        writer: &mut dyn io::Write,
    ) -> io::Result<()> {
        let written = || self.fields.iter().filter(|field| field.key.is_some());
        let keys = written().filter_map(|field| field.key.as_deref());
        let cells = |row: &R| Vec::from_iter(written().map(|field| (field.content)(row)));
        write_csv_rows(
            keys,
            rows.into_iter().map(|row| cells(row.borrow())),
            writer,
        )
    }
}

/// Writes a CSV header of `keys` and then the rows, each given as its cells.
pub(crate) fn write_csv_rows<'k>(
    keys: impl IntoIterator<Item = &'k str>,
    rows: impl IntoIterator<Item: IntoIterator<Item = Cell>>,
    place: &mut dyn io::Write,
) -> io::Result<()> {
    let mut writer = CsvWriter::new(place);
    writer.write_row(keys)?;
    for row in rows {
        writer.write_row(row.into_iter().map(|cell| csv_text(cell.value)))?;
    }
    writer.finish()?;
    Ok(())
}

/// Formats a value for CSV. Numbers parse back to the same value; a missing value is empty.
fn csv_text(value: CellValue) -> String {
    match value {
        CellValue::Text(text) => text,
        CellValue::Integer(value) => value.to_string(),
        CellValue::Number(value) => value.to_string(),
        CellValue::Missing => String::new(),
    }
}
