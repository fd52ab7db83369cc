//! The one reader of tables: all that files of rows and columns have in common.
//!
//! The first line that is no comment tells what separates columns (tabs, semicolons, commas, else
//! blanks) and, where it is a header, what they hold, by any of the names that people give them. A
//! quoted column may hold separators and line feeds. Where semicolons separate, numbers may have a
//! decimal comma, as spreadsheets of half the world write them. Errors name the line and the column.

pub(crate) mod csv_writer;

use std::borrow::Cow;

use crate::diagnostic;
use crate::diagnostic::{Diagnostic, FormatError, Warning};
use crate::text::line::{SourceLine, require_number, with_decimal_point};
use crate::text::source::Source;
use crate::text::tokens::parse_number;
use crate::text::{SourceText, is_comment_or_blank, shorten};

/// What a column holds, by the names that a header may give it, in lower case.
pub(crate) type HeadingAliases = &'static [&'static str];

/// A query.
pub(crate) const QUERY: HeadingAliases = &["query", "topic", "qid", "query_id", "query-id", "list"];
/// An item.
pub(crate) const ITEM: HeadingAliases = &[
    "item",
    "doc",
    "document",
    "docno",
    "docid",
    "doc_id",
    "corpus-id",
    "candidate",
];
/// Somebody who judges.
pub(crate) const ASSESSOR: HeadingAliases = &[
    "assessor",
    "judge",
    "expert",
    "user",
    "worker",
    "person",
    "annotator",
];
/// A system, or its run.
pub(crate) const SYSTEM: HeadingAliases = &["system", "run", "model"];
/// A measure.
pub(crate) const MEASURE: HeadingAliases = &["measure", "metric"];
/// A score by it.
pub(crate) const VALUE: HeadingAliases = &["value", "score"];
/// A time that something takes.
pub(crate) const SECONDS: HeadingAliases = &["seconds", "duration"];

/// What separates the columns of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Separator {
    /// Any number of blanks and tabs, as in TREC's formats.
    Blanks,
    /// One tab.
    Tab,
    /// One comma; a column with commas inside stands in double quotes.
    Comma,
    /// One semicolon; numbers may have a decimal comma.
    Semicolon,
}

impl Separator {
    /// What separates the columns of a table that begins with this line and has at least so many of
    /// them: a tab is the surest sign, then semicolons, then commas.
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

    fn byte(self) -> Option<u8> {
        match self {
            Self::Blanks => None,
            Self::Tab => Some(b'\t'),
            Self::Comma => Some(b','),
            Self::Semicolon => Some(b';'),
        }
    }

    /// The columns of a row.
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

/// A table in a file.
pub(crate) struct Table<'a> {
    source: &'a Source,
    text: &'a str,
    pub(crate) separator: Separator,
}

impl<'a> Table<'a> {
    /// The table of a text.
    pub(crate) fn new(text: &'a SourceText<'a>) -> Result<Self, FormatError> {
        Self::with_columns(text, 2)
    }

    /// A table of at least so many columns.
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

    /// The first row, which may be a header.
    pub(crate) fn header(&self) -> InputRow<'a> {
        let first = self.all_rows().next();
        first.expect("a text with a line that says something has a row")
    }

    /// Every row, the header too.
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

    /// The rows after the header, each of as many columns.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Result<InputRow<'a>, FormatError>> + use<'a> {
        let columns = self.header().fields.len();
        self.all_rows()
            .skip(1)
            .map(move |row| row.require_column_count(columns).map(|()| row))
    }

    /// What there is to say of columns that are not among these.
    pub(crate) fn unread_columns_warning(&self, used: &[Option<usize>]) -> Option<Warning> {
        let header = self.header();
        let names = header.fields.iter().enumerate();
        let unread = names.filter(|(column, _)| !used.contains(&Some(*column)));
        let unread: Vec<String> = unread.map(|(_, name)| name.to_lowercase()).collect();
        (!unread.is_empty()).then(|| {
            let columns = unread.join(", ");
            let problem = diagnostic!(UnreadColumns { columns }:
                "columns that are not read: {columns}");
            Warning::in_file(self.source.name(), problem).at_line(header.line.number)
        })
    }
}

/// The records of a text with the lines on which they begin. A line feed inside quotes is no end.
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

/// A row of a table.
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

    /// Which column of a header is headed like this.
    pub(crate) fn column_index(&self, heading: &[&str]) -> Option<usize> {
        // Of two that would do, the more usual name.
        let at = |known: &str| {
            let mut names = self.fields.iter();
            names.position(|name| name.to_lowercase() == known)
        };
        heading.iter().find_map(|known| at(known))
    }

    /// The columns of a header that are headed like these, all of which are needed.
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
        Ok(places.map(|place| place.expect("none is missing")))
    }

    /// Refuses a row of more or fewer columns.
    pub(crate) fn require_column_count(&self, expected: usize) -> Result<(), FormatError> {
        let found = self.fields.len();
        if found != expected {
            let problem = diagnostic!(ColumnCount { expected, found }:
                "expected {expected} columns as in the header, found {found}");
            return Err(self.line.error(problem).at_column(1));
        }
        Ok(())
    }

    /// The columns of a row that has just these.
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

    /// Refuses a row with an empty column.
    pub(crate) fn refuse_empty(&self) -> Result<(), FormatError> {
        match self.fields.iter().position(|column| column.is_empty()) {
            Some(empty) => Err(self.error(empty, diagnostic!(MissingValue: "an empty column"))),
            None => Ok(()),
        }
    }

    /// The name that a column must hold.
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

    /// What a column holds, unless it is not there or empty.
    pub(crate) fn non_empty(&self, column: Option<usize>) -> Option<&str> {
        let field = self.fields.get(column?)?.as_ref();
        (!field.is_empty()).then_some(field)
    }

    /// The number that a column holds; nothing if it is no number.
    pub(crate) fn parse_number(&self, column: usize) -> Option<f64> {
        let field = self.fields[column].as_ref();
        match self.separator {
            Separator::Semicolon if field.contains(',') && !field.contains('.') => {
                parse_number(field.replacen(',', ".", 1).as_bytes())
            }
            _ => parse_number(field.as_bytes()),
        }
    }

    /// The grade, gain, rank or vote that a column must hold.
    pub(crate) fn require_number(&self, column: usize, what: &str) -> Result<f64, FormatError> {
        let field = &self.fields[column];
        require_number(self.parse_number(column), field, what)
            .map_err(|problem| with_decimal_point(field, self.error(column, problem)))
    }

    /// The seconds that a column may hold.
    pub(crate) fn seconds(&self, column: Option<usize>) -> Result<Option<f64>, FormatError> {
        let Some((column, said)) = column.zip(self.non_empty(column)) else {
            return Ok(None);
        };
        match self.parse_number(column) {
            Some(seconds) if seconds.is_finite() && seconds >= 0.0 => Ok(Some(seconds)),
            _ => {
                let found = shorten(said);
                let problem = diagnostic!(NotANumber { found }:
                    "seconds are a number of at least 0, not `{found}`");
                Err(self.error(column, problem))
            }
        }
    }

    /// An error at a column.
    pub(crate) fn error(&self, column: usize, problem: Diagnostic) -> FormatError {
        self.line.error_at(&self.fields[column], problem)
    }
}
