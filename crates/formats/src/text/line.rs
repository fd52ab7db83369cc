//! Lines with their positions in the file, and errors about their columns.

use partita_core::{FilePosition, Gains};

use super::source::Source;
use super::tokens::parse_number;
use crate::diagnostic;
use crate::diagnostic::{Diagnostic, FormatError};

/// Length in bytes of the longest allowed line of a format with a fixed number of columns.
pub(crate) const LONGEST_LINE: usize = 64 * 1024;

/// Formats a number of columns with its noun: `1 column`, `2 columns`.
pub(crate) fn count_of_columns(count: usize) -> String {
    format!("{count} column{}", if count == 1 { "" } else { "s" })
}

/// Line of a file with its position, for error messages.
#[derive(Clone, Copy)]
pub(crate) struct SourceLine<'a> {
    pub(crate) file: &'a str,
    pub(crate) number: u64,
    pub(crate) text: &'a str,
}

impl<'a> SourceLine<'a> {
    pub(crate) fn new(source: &'a Source, number: u64, text: &'a str) -> Self {
        Self {
            file: source.name(),
            number,
            text,
        }
    }

    /// Returns the file name and line number.
    pub(crate) fn position(&self) -> FilePosition {
        FilePosition {
            file: self.file.to_owned(),
            line: self.number,
        }
    }

    /// Creates an error that names this line.
    pub(crate) fn error(&self, problem: Diagnostic) -> FormatError {
        FormatError::in_file(self.file, problem).at_line(self.number)
    }

    /// Creates an error that points to `part`, a part of this line's text or a copy of one.
    pub(crate) fn error_at(&self, part: &str, problem: Diagnostic) -> FormatError {
        FormatError {
            column: self.column_of(part),
            ..self.error(problem)
        }
    }

    /// Creates the error for a line of a TREC format with another number of columns than expected.
    #[cold]
    pub(crate) fn column_count_error(&self, expected: usize, columns: &str) -> FormatError {
        let by_tabs = self.text.contains('\t') && self.text.contains(' ');
        let found = if by_tabs {
            self.text.split('\t').count()
        } else {
            self.text.split_ascii_whitespace().count()
        };
        let start = self.column_of(self.text.trim_start());
        let error = |problem| FormatError {
            column: start,
            ..self.error(problem)
        };
        let mut columns_there = self.text.split('\t').take(expected);
        if by_tabs && columns_there.any(|column| column.trim().is_empty()) {
            return error(diagnostic!(MissingValue: "an empty column"));
        }
        let error = error(diagnostic!(ColumnCount { expected, columns, found }:
            "expected {expected} columns ({columns}), found {found}"));
        if found > expected {
            return error.with_remedy(
                "a name with blanks in it needs columns that are separated by tabs, or JSON",
            );
        }
        error
    }

    /// Creates the error for a query that is also on an earlier line.
    pub(crate) fn duplicate_query_error(&self, query: &str, first: u64) -> FormatError {
        let problem = diagnostic!(Duplicate { query, first }:
            "the query `{query}` stands twice; first on line {first}");
        self.error_at(query, problem)
    }

    /// Returns the column, in characters from 1, at which `part` starts; its first occurrence if it
    /// is a copy; `None` if this line's text does not contain it.
    pub(crate) fn column_of(&self, part: &str) -> Option<u64> {
        // The part is usually a slice of the line itself, so that its address gives its position; a
        // quoted column is a copy.
        let offset = (part.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
        let start = if offset <= self.text.len() && self.text.get(offset..)?.starts_with(part) {
            offset
        } else {
            self.text.find(part)?
        };
        Some(self.text.get(..start)?.chars().count() as u64 + 1)
    }
}

/// Returns the number that was parsed from a column, or an error if there is none or its absolute
/// value exceeds [`Gains::MAX_ABS`].
pub(crate) fn require_number(
    read: Option<f64>,
    column: &str,
    what: &str,
) -> Result<f64, Diagnostic> {
    Err(match read {
        Some(number) if number.abs() <= Gains::MAX_ABS => return Ok(number),
        Some(number) if number.is_finite() => {
            let most = format!("{:e}", Gains::MAX_ABS);
            diagnostic!(OutOfRange { what, most }: "{what} must be between -{most} and {most}")
        }
        Some(found) => diagnostic!(NotANumber { what, found }:
            "{what} must be a finite number, not {found}"),
        None => diagnostic!(NotANumber { what, found = column }:
            "{what} must be a number, not `{found}`"),
    })
}

/// Adds a remedy to the error about a text that is not a number, if the text is a number with a
/// decimal comma.
pub(crate) fn with_decimal_comma_remedy(found: &str, error: FormatError) -> FormatError {
    let point = found.replacen(',', ".", 1);
    if found.contains(',') && parse_number(point.as_bytes()).is_some() {
        return error.with_remedy(format!(
            "write `{point}`; a decimal comma is understood where semicolons separate the columns"
        ));
    }
    error
}
