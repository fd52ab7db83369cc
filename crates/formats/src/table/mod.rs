//! Reader of tables, shared by all formats with rows and columns.
//!
//! The first line that is not a comment determines the separator of the columns (tabs, semicolons,
//! commas, else blanks). If it is a header, it names the columns by any of their usual headings. A
//! quoted column may contain separators and line feeds. With semicolons, numbers may have a decimal
//! comma, as in spreadsheets of many countries. Errors name the line and the column.

pub(crate) mod csv_writer;

use std::borrow::Cow;

use crate::diagnostic;
use crate::diagnostic::{Diagnostic, FormatError, Warning};
use crate::text::line::{SourceLine, require_number, with_decimal_comma_remedy};
use crate::text::source::Source;
use crate::text::tokens::parse_number;
use crate::text::{SourceText, is_comment_or_blank, shorten};

/// Headings that a header may use for one column, in lower case, the most usual first.
pub(crate) type HeadingAliases = &'static [&'static str];

/// Headings of a column of query names.
pub(crate) const QUERY: HeadingAliases = &["query", "topic", "qid", "query_id", "query-id", "list"];
/// Headings of a column of item names.
pub(crate) const ITEM: HeadingAliases = &[
    "item",
    "doc",
    "document",
    "docno",
    "docid",
    "doc_id",
    "corpus-id",
    "candidate",
    "image",
    "stimulus",
];
/// Headings of a column of assessor names.
pub(crate) const ASSESSOR: HeadingAliases = &[
    "assessor",
    "judge",
    "expert",
    "user",
    "worker",
    "person",
    "annotator",
    "participant",
    "rater",
    "subject",
];
/// Headings of a column of systems, or of the names of their runs.
pub(crate) const SYSTEM: HeadingAliases = &["system", "run", "model"];
/// Headings of a column of measure names.
pub(crate) const MEASURE: HeadingAliases = &["measure", "metric"];
/// Headings of a column of scores.
pub(crate) const VALUE: HeadingAliases = &["value", "score"];
/// Headings of a column of durations in seconds.
pub(crate) const SECONDS: HeadingAliases = &["seconds", "duration"];

/// Separator of the columns of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Separator {
    /// Any number of blanks and tabs, as in the TREC formats.
    Blanks,
    /// One tab.
    Tab,
    /// One comma; a column that contains commas is in double quotes.
    Comma,
    /// One semicolon; numbers may have a decimal comma.
    Semicolon,
}

impl Separator {
    /// Detects the separator from the first line of a table that is expected to have at least
    /// `least` columns. Tabs are the strongest evidence, then semicolons, then commas.
    pub(crate) fn detect(line: &str, least: usize) -> Self {
        let outside: String = line.split('"').step_by(2).collect();
        let [tabs, semicolons, commas] =
            ['\t', ';', ','].map(|separator| outside.matches(separator).count());
        if tabs > 0 {
            Self::Tab
        } else if semicolons + 1 >= least && semicolons >= commas && semicolons > 0 {
            Self::Semicolon
        } else if commas + 1 >= least && commas > 0 {
            Self::Comma
        } else {
            Self::Blanks
        }
    }

    /// Returns the separator as a byte; `None` for blanks.
    fn byte(self) -> Option<u8> {
        match self {
            Self::Blanks => None,
            Self::Tab => Some(b'\t'),
            Self::Comma => Some(b','),
            Self::Semicolon => Some(b';'),
        }
    }

    /// Splits the text of a row into columns at this separator.
    pub(crate) fn split(self, row: &str) -> Vec<Cow<'_, str>> {
        let Some(byte) = self.byte() else {
            return row.split_whitespace().map(Cow::Borrowed).collect();
        };
        if row.contains('"') {
            return quoted_columns(row, byte);
        }
        let columns = row.split(char::from(byte));
        columns.map(|column| Cow::Borrowed(column.trim())).collect()
    }
}

/// Splits a row whose columns may be in double quotes.
fn quoted_columns(row: &str, separator: u8) -> Vec<Cow<'_, str>> {
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(row.as_bytes());
    let mut record = csv::StringRecord::new();
    match reader.read_record(&mut record) {
        Ok(_) => record.iter().map(|c| Cow::Owned(c.to_owned())).collect(),
        Err(_) => vec![Cow::Borrowed(row)],
    }
}

/// Table in the text of a file, with its separator.
pub(crate) struct Table<'a> {
    source: &'a Source,
    text: &'a str,
    pub(crate) separator: Separator,
}

impl<'a> Table<'a> {
    /// Opens the table in a text, which is expected to have at least two columns.
    pub(crate) fn new(text: &'a SourceText<'a>) -> Result<Self, FormatError> {
        Self::with_columns(text, 2)
    }

    /// Opens the table in a text, which is expected to have at least `least` columns.
    pub(crate) fn with_columns(
        text: &'a SourceText<'a>,
        least: usize,
    ) -> Result<Self, FormatError> {
        let first = text
            .lines()
            .next()
            .ok_or_else(|| text.source.empty_error())?;
        Ok(Self {
            source: text.source,
            text: &text.text,
            separator: Separator::detect(first.text, least),
        })
    }

    /// Returns the first row, which may be a header.
    pub(crate) fn header(&self) -> InputRow<'a> {
        let first = self.all_rows().next();
        first.expect("a table has at least one line, so it has a first row")
    }

    /// Returns all rows, including the header.
    pub(crate) fn all_rows(&self) -> impl Iterator<Item = InputRow<'a>> + use<'a> {
        let (source, separator) = (self.source, self.separator);
        let records = Records {
            rest: self.text,
            line: 1,
            quotes: separator.byte().is_some(),
        };
        records.map(move |(number, text)| {
            InputRow::new(SourceLine::new(source, number, text), separator)
        })
    }

    /// Returns the rows after the header, or an error for a row with another number of columns than
    /// the header.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Result<InputRow<'a>, FormatError>> + use<'a> {
        let columns = self.header().fields.len();
        self.all_rows()
            .skip(1)
            .map(move |row| row.require_column_count(columns).map(|()| row))
    }

    /// Creates the warning about columns whose indices are not in `used`, if there are any.
    pub(crate) fn unread_columns_warning(&self, used: &[Option<usize>]) -> Option<Warning> {
        let header = self.header();
        header.unread_columns_warning(header.headings_except(used))
    }
}

/// Iterator over the rows of a text with the lines on which they begin. A line feed inside quotes
/// does not end a row.
struct Records<'a> {
    rest: &'a str,
    line: u64,
    quotes: bool,
}

impl<'a> Iterator for Records<'a> {
    type Item = (u64, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if self.rest.is_empty() {
                return None;
            }
            let first = self.line;
            let mut end = 0;
            let mut open = false;
            loop {
                let tail = &self.rest.as_bytes()[end..];
                let line = memchr::memchr(b'\n', tail).map_or(tail.len(), |at| at + 1);
                let is_comment = end == 0 && is_comment_or_blank(&self.rest[..line]);
                if self.quotes && !is_comment {
                    let quotes = memchr::memchr_iter(b'"', &tail[..line]).count();
                    open ^= quotes % 2 == 1;
                }
                end += line;
                self.line += 1;
                if !open || end == self.rest.len() {
                    break;
                }
            }
            let (record, rest) = self.rest.split_at(end);
            self.rest = rest;
            let record = record.strip_suffix('\n').unwrap_or(record);
            let record = record.strip_suffix('\r').unwrap_or(record);
            if !is_comment_or_blank(record) {
                return Some((first, record));
            }
        }
    }
}

/// Row of a table, split into columns.
#[derive(Clone)]
pub(crate) struct InputRow<'a> {
    pub(crate) line: SourceLine<'a>,
    pub(crate) fields: Vec<Cow<'a, str>>,
    separator: Separator,
}

impl<'a> InputRow<'a> {
    pub(crate) fn new(line: SourceLine<'a>, separator: Separator) -> Self {
        Self {
            fields: separator.split(line.text),
            line,
            separator,
        }
    }

    /// Returns the index of the column of this header row that has one of the given headings; an
    /// earlier heading takes precedence.
    pub(crate) fn column_index(&self, heading: &[&str]) -> Option<usize> {
        // If several columns match, the more usual heading wins.
        let at = |known: &str| {
            let mut names = self.fields.iter();
            names.position(|name| name.to_lowercase() == known)
        };
        heading.iter().find_map(|known| at(known))
    }

    /// Returns true if a column of this header row has one of the given headings.
    pub(crate) fn is_heading(&self, column: usize, heading: &[&str]) -> bool {
        let name = self.fields.get(column).map(|name| name.to_lowercase());
        name.is_some_and(|name| heading.contains(&name.as_str()))
    }

    /// Returns the headings of this header row, in lower case, except those of the given columns.
    pub(crate) fn headings_except(&self, columns: &[Option<usize>]) -> Vec<String> {
        let headings = self.fields.iter().enumerate();
        let others = headings.filter(|(column, _)| !columns.contains(&Some(*column)));
        others.map(|(_, heading)| heading.to_lowercase()).collect()
    }

    /// Creates the warning about unread columns, given their headings, if there are any.
    pub(crate) fn unread_columns_warning(&self, unread: Vec<String>) -> Option<Warning> {
        (!unread.is_empty()).then(|| {
            let problem = diagnostic!(UnreadColumns { columns = unread.join(", ") }:
                "columns that are not read: {columns}");
            Warning::in_file(self.line.file, problem).at_line(self.line.number)
        })
    }

    /// Returns the indices of the columns of this header row with the given headings. Returns an
    /// error if one is missing.
    pub(crate) fn required_columns<const N: usize>(
        &self,
        headings: [HeadingAliases; N],
        remedy: &str,
    ) -> Result<[usize; N], FormatError> {
        let places = headings.map(|heading| self.column_index(heading));
        let missing = headings.iter().zip(places).filter(|(_, at)| at.is_none());
        let missing: Vec<&str> = missing.map(|(heading, _)| heading[0]).collect();
        if !missing.is_empty() {
            let columns = missing.join(", ");
            let problem = diagnostic!(MissingColumn { columns }:
                "the header names no column {columns}");
            return Err(self.line.error(problem).at_column(1).with_remedy(remedy));
        }
        Ok(places.map(|place| place.expect("missing columns were refused above")))
    }

    /// Returns an error if this row does not have the expected number of columns.
    pub(crate) fn require_column_count(&self, expected: usize) -> Result<(), FormatError> {
        let found = self.fields.len();
        if found != expected {
            let problem = diagnostic!(ColumnCount { expected, found }:
                "expected {expected} columns as in the header, found {found}");
            return Err(self.line.error(problem).at_column(1));
        }
        Ok(())
    }

    /// Returns the columns of this row, which must have exactly `N`. The error names the expected
    /// columns.
    pub(crate) fn expect_columns<const N: usize>(
        &self,
        names: [&str; N],
    ) -> Result<&[Cow<'a, str>; N], FormatError> {
        self.fields.as_slice().try_into().map_err(|_| {
            let (found, columns) = (self.fields.len(), names.join(", "));
            let problem = diagnostic!(ColumnCount { expected = N, columns, found }:
                "expected {expected} columns ({columns}), found {found}");
            self.line.error(problem).at_column(1)
        })
    }

    /// Returns an error if a column of this row is empty.
    pub(crate) fn refuse_empty(&self) -> Result<(), FormatError> {
        match self.fields.iter().position(|column| column.is_empty()) {
            Some(empty) => Err(self.error(empty, diagnostic!(MissingValue: "an empty column"))),
            None => Ok(()),
        }
    }

    /// Returns the name in a column, or an error if it is empty. `what` says in the error what is
    /// named.
    pub(crate) fn require_name(&self, column: usize, what: &str) -> Result<&str, FormatError> {
        let name = self.fields[column].as_ref();
        if name.is_empty() {
            return Err(self.error(
                column,
                diagnostic!(MissingValue { what }: "the {what} has no name"),
            ));
        }
        Ok(name)
    }

    /// Returns the content of a column, or `None` if it is missing or empty.
    pub(crate) fn non_empty(&self, column: Option<usize>) -> Option<&str> {
        let field = self.fields.get(column?)?.as_ref();
        (!field.is_empty()).then_some(field)
    }

    /// Parses the number in a column; `None` if it is not a number.
    pub(crate) fn parse_number(&self, column: usize) -> Option<f64> {
        let field = self.fields[column].as_ref();
        match self.separator {
            Separator::Semicolon if field.contains(',') && !field.contains('.') => {
                parse_number(field.replacen(',', ".", 1).as_bytes())
            }
            _ => parse_number(field.as_bytes()),
        }
    }

    /// Parses the number in a column. `what` says in the error what it is, such as a grade or a
    /// rank.
    pub(crate) fn require_number(&self, column: usize, what: &str) -> Result<f64, FormatError> {
        let field = &self.fields[column];
        require_number(self.parse_number(column), field, what)
            .map_err(|problem| with_decimal_comma_remedy(field, self.error(column, problem)))
    }

    /// Parses the number in an optional column; `None` if the column is missing or empty.
    pub(crate) fn optional_number(
        &self,
        column: Option<usize>,
        what: &str,
    ) -> Result<Option<f64>, FormatError> {
        let filled = column.filter(|_| self.non_empty(column).is_some());
        filled
            .map(|column| self.require_number(column, what))
            .transpose()
    }

    /// Parses the duration in seconds in an optional column; `None` if the column is missing or
    /// empty.
    pub(crate) fn seconds(&self, column: Option<usize>) -> Result<Option<f64>, FormatError> {
        let Some((column, value)) = column.zip(self.non_empty(column)) else {
            return Ok(None);
        };
        match self.parse_number(column) {
            Some(seconds) if seconds.is_finite() && seconds >= 0.0 => Ok(Some(seconds)),
            _ => {
                let found = shorten(value);
                let problem = diagnostic!(NotANumber { found }:
                    "seconds are a number of at least 0, not `{found}`");
                Err(self.error(column, problem))
            }
        }
    }

    /// Creates an error that points to a column of this row.
    pub(crate) fn error(&self, column: usize, problem: Diagnostic) -> FormatError {
        self.line.error_at(&self.fields[column], problem)
    }
}
