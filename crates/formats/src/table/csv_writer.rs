//! The one writer of comma-separated values.

use std::borrow::Cow;
use std::io;

/// Writes rows that our readers, and any other, read back as they were.
///
/// A first column that starts with `#` is quoted, so that it is no comment.
///
/// ```
/// let mut writer = partita_formats::CsvWriter::new(Vec::new());
/// writer.row(["system", "value"])?;
/// writer.row(["#1, the best", "0.5"])?;
/// writer.row(["#2", "0.25"])?;
/// let text = String::from_utf8(writer.finish()?)?;
/// assert_eq!(text, "system,value\n\"#1, the best\",0.5\n\"#2\",0.25\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct CsvWriter<W: io::Write> {
    writer: csv::Writer<W>,
}

/// A cell that no spreadsheet takes for a formula: what strangers wrote and begins with one of
/// `= + - @`, a tab or a carriage return has an apostrophe before it.
///
/// ```
/// assert_eq!(partita_formats::defused("=HYPERLINK(\"http://x\")"), "'=HYPERLINK(\"http://x\")");
/// assert_eq!(partita_formats::defused("ann"), "ann");
/// ```
pub fn escape_formula(cell: &str) -> Cow<'_, str> {
    if cell.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        return Cow::Owned(format!("'{cell}"));
    }
    Cow::Borrowed(cell)
}

/// A table with a header, as a text.
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
    /// A writer to this place, which is buffered.
    pub fn new(place: W) -> Self {
        let mut builder = csv::WriterBuilder::new();
        let writer = builder.comment(Some(b'#')).from_writer(place);
        Self { writer }
    }

    /// Writes a row.
    ///
    /// # Errors
    /// When the place cannot be written to.
    ///
    /// # Panics
    /// When the row has another number of columns than the first one.
    pub fn write_row(&mut self, row: impl IntoIterator<Item = impl AsRef<[u8]>>) -> io::Result<()> {
        match self.writer.write_record(row) {
            Ok(()) => Ok(()),
            Err(error) => match error.into_kind() {
                csv::ErrorKind::Io(error) => Err(error),
                other => panic!("a row of a table does not fit its header: {other:?}"),
            },
        }
    }

    /// Writes what is still in the buffer, and gives the place back.
    ///
    /// # Errors
    /// When the place cannot be written to.
    pub fn finish(self) -> io::Result<W> {
        self.writer
            .into_inner()
            .map_err(csv::IntoInnerError::into_error)
    }
}
