//! Writer of comma-separated values, used for all CSV output.

use std::borrow::Cow;
use std::io;

/// Writer of rows of comma-separated values.
///
/// A first column that starts with `#` is quoted, so that it is not read as a comment.
///
/// ```
/// let mut writer = partita_formats::CsvWriter::new(Vec::new());
/// writer.write_row(["system", "value"])?;
/// writer.write_row(["#1, the best", "0.5"])?;
/// writer.write_row(["#2", "0.25"])?;
/// let text = String::from_utf8(writer.finish()?)?;
/// assert_eq!(text, "system,value\n\"#1, the best\",0.5\n\"#2\",0.25\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
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

/// Formats rows below a header as CSV.
pub(crate) fn table_to_csv<const N: usize, V: AsRef<[u8]>>(
    header: [&str; N],
    rows: &[[V; N]],
) -> String {
    const MEMORY: &str = "memory can be written to";
    let mut writer = CsvWriter::new(Vec::new());
    writer.write_row(header).expect(MEMORY);
    for row in rows {
        writer.write_row(row).expect(MEMORY);
    }
    String::from_utf8(writer.finish().expect(MEMORY)).expect("names and numbers are text")
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
