//! Writer of comma-separated values, used for all CSV output.

use std::borrow::Cow;
use std::io;

/// Writer of rows of comma-separated values.
///
/// A first column that starts with `#` is quoted, so that it is not read as a comment.
///
/// ```
/// let mut writer = partita_formats::CsvWriter::in_memory();
/// writer.push_row(["system", "value"]);
/// writer.push_row(["#1, the best", "0.5"]);
/// writer.push_row(["#2", "0.25"]);
/// assert_eq!(writer.into_text(), "system,value\n\"#1, the best\",0.5\n\"#2\",0.25\n");
/// ```
pub struct CsvWriter<W: io::Write> {
    writer: csv::Writer<W>,
}

/// Escapes text that a spreadsheet would run as a formula: prefixes an apostrophe if it starts with
/// `= + - @`, a tab or a carriage return. Use it for text from assessors.
///
/// ```
/// use partita_formats::escape_formula;
///
/// assert_eq!(escape_formula("=HYPERLINK(\"http://x\")"), "'=HYPERLINK(\"http://x\")");
/// assert_eq!(escape_formula("ann"), "ann");
/// ```
pub fn escape_formula(cell: &str) -> Cow<'_, str> {
    if cell.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        return Cow::Owned(format!("'{cell}"));
    }
    Cow::Borrowed(cell)
}

/// Reason why writing to memory succeeds, for a panic message.
const IN_MEMORY: &str = "writing to memory cannot fail";

/// CSV in memory, where writing cannot fail.
impl CsvWriter<Vec<u8>> {
    /// Creates a writer of CSV text in memory, without rows.
    pub fn in_memory() -> Self {
        Self::new(Vec::new())
    }

    /// Adds a row.
    ///
    /// # Panics
    /// Panics if the row has another number of columns than the first one.
    pub fn push_row(&mut self, row: impl IntoIterator<Item = impl AsRef<[u8]>>) {
        self.write_row(row).expect(IN_MEMORY);
    }

    /// Returns the CSV text of all rows.
    ///
    /// # Panics
    /// Panics if a cell was not UTF-8.
    pub fn into_text(self) -> String {
        String::from_utf8(self.finish().expect(IN_MEMORY)).expect("cells are UTF-8 text")
    }
}

impl<W: io::Write> CsvWriter<W> {
    /// Creates a buffered writer to `place`.
    pub fn new(place: W) -> Self {
        let mut builder = csv::WriterBuilder::new();
        let writer = builder.comment(Some(b'#')).from_writer(place);
        Self { writer }
    }

    /// Writes a row.
    ///
    /// # Errors
    /// Returns the error of the underlying writer.
    ///
    /// # Panics
    /// Panics if the row has another number of columns than the first one.
    pub fn write_row(&mut self, row: impl IntoIterator<Item = impl AsRef<[u8]>>) -> io::Result<()> {
        match self.writer.write_record(row) {
            Ok(()) => Ok(()),
            Err(error) => match error.into_kind() {
                csv::ErrorKind::Io(error) => Err(error),
                other => panic!("a row of a table does not fit its header: {other:?}"),
            },
        }
    }

    /// Flushes the buffer and returns the underlying writer.
    ///
    /// # Errors
    /// Returns the error of the underlying writer.
    pub fn finish(self) -> io::Result<W> {
        self.writer
            .into_inner()
            .map_err(csv::IntoInnerError::into_error)
    }
}
