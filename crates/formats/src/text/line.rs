//! Lines split into columns.

use partita_core::{FilePosition, Gains};

use super::source::Source;
use super::tokens::parse_number;
use crate::diagnostic;
use crate::diagnostic::{Diagnostic, FormatError};
use crate::remedy::Remedy;

/// The longest line of a format with a fixed number of columns.
pub(crate) const LONGEST_LINE: usize = 64 * 1024;

/// The longest name that is taken without a remark.
pub(crate) const LONGEST_NAME: usize = 1024;

/// The remark on names longer than that.
pub(crate) fn long_names(count: u64, first: &str) -> Diagnostic {
    let most = LONGEST_NAME;
    diagnostic!(LongNames { most, count, first }:
        "names longer than {most} bytes: {count}, the first starting `{first}`")
}

/// `1 column`, `2 columns`.
pub(crate) fn count_of_columns(count: usize) -> String {
    format!("{count} column{}", if count == 1 { "" } else { "s" })
}

/// Why a name cannot be written in a format.
pub(crate) fn unwritable_error(format: &str, problem: Diagnostic) -> FormatError {
    let remedy = Remedy::parse("use {to json}, which can hold any name");
    FormatError::in_file(format, problem).with_remedy(remedy)
}

/// Refuses a name that would not be read back from a table: what stands around a name is trimmed, a
/// row is a line, and a byte-order mark before a row is no part of it.
pub(crate) fn check_table_name(format: &str, name: &str) -> Result<(), FormatError> {
    let marked = name.starts_with('\u{feff}');
    if name.is_empty() || name.trim() != name || marked || name.contains(['\n', '\r', '\0']) {
        let name = format!("{name:?}");
        let problem = diagnostic!(Unrepresentable { name }:
            "the name {name} cannot be written: it would not be read back");
        return Err(unwritable_error(format, problem));
    }
    Ok(())
}

/// Refuses a name at the start of a line that would not be read back as it is: a comment, or a
/// byte-order mark.
pub(crate) fn check_line_start(format: &str, name: &str) -> Result<(), FormatError> {
    if name.starts_with(['#', '\u{feff}']) {
        let name = format!("{name:?}");
        let problem = diagnostic!(Unrepresentable { name }:
            "the name {name} cannot start a line: it would not be read back");
        return Err(unwritable_error(format, problem));
    }
    Ok(())
}

/// Refuses what cannot stand in a format whose names are single words.
pub(crate) fn check_single_word(format: &str, name: &str) -> Result<(), FormatError> {
    // TREC's formats take every control character for a blank.
    let separates = |c: char| c.is_whitespace() || c <= ' ';
    if name.is_empty() || name.contains(separates) {
        let problem = diagnostic!(Unrepresentable { name }:
            "`{name}` cannot be written: a name there is one word, since blanks separate the columns");
        let other = match format {
            "trec" => Some("systems"),
            "qrels" => Some("gains"),
            _ => None,
        };
        let error = unwritable_error(format, problem);
        return Err(match other {
            None => error,
            Some(other) => error.with_remedy(Remedy::parse(&format!(
                "use {{to {other}}} (separated by commas) or {{to json}}, which can hold any name; a file \
                 with tabs between the columns is read too"
            ))),
        });
    }
    Ok(())
}

/// A line of a file, with what is needed to say where something is wrong with it.
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

    /// Where it stands.
    pub(crate) fn position(&self) -> FilePosition {
        FilePosition {
            file: self.file.to_owned(),
            line: self.number,
        }
    }

    /// An error on this line.
    pub(crate) fn error(&self, problem: Diagnostic) -> FormatError {
        FormatError::in_file(self.file, problem).at_line(self.number)
    }

    /// An error at a part of this line.
    pub(crate) fn error_at(&self, part: &str, problem: Diagnostic) -> FormatError {
        FormatError {
            column: self.column_of(part),
            ..self.error(problem)
        }
    }

    /// The error for a line of TREC's formats that has not as many columns as they have.
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

    /// The error for a query that stands on an earlier line as well.
    pub(crate) fn duplicate_query_error(&self, query: &str, first: u64) -> FormatError {
        let problem = diagnostic!(Duplicate { query, first }:
            "the query `{query}` stands twice; first on line {first}");
        self.error_at(query, problem)
    }

    /// The column, counted in characters from 1, where a part of this line starts.
    pub(crate) fn column_of(&self, part: &str) -> Option<u64> {
        // The part is usually a slice of the line itself; a quoted column is a copy of it.
        let offset = (part.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
        let start = if offset <= self.text.len() && self.text.get(offset..)?.starts_with(part) {
            offset
        } else {
            self.text.find(part)?
        };
        Some(self.text.get(..start)?.chars().count() as u64 + 1)
    }
}

/// The grade, gain, rank or vote that a column must hold.
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

/// The error about a number, with a remedy where it has a decimal comma.
pub(crate) fn with_decimal_point(found: &str, error: FormatError) -> FormatError {
    let point = found.replacen(',', ".", 1);
    if found.contains(',') && parse_number(point.as_bytes()).is_some() {
        return error.with_remedy(format!(
            "write `{point}`; a decimal comma is understood where semicolons separate the columns"
        ));
    }
    error
}
