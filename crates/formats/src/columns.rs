//! Lines split into columns.

use partita_core::Gains;

use crate::error::FormatError;
use crate::words::real;

/// The longest line of a format with a fixed number of columns.
pub(crate) const LONGEST_LINE: usize = 64 * 1024;

/// The longest name that is taken without a remark.
pub(crate) const LONGEST_NAME: usize = 1024;

/// Refuses a name that would not be read back from a table: what stands around a name is trimmed, a
/// row is a line, and a byte-order mark before a row is no part of it.
pub(crate) fn fits_table(format: &str, name: &str) -> Result<(), FormatError> {
    let marked = name.starts_with('\u{feff}');
    if name.is_empty() || name.trim() != name || marked || name.contains(['\n', '\r', '\0']) {
        let message = format!("the name {name:?} cannot be written: it would not be read back");
        return Err(
            FormatError::file(format, message).hint("use `--to json`, which can hold any name")
        );
    }
    Ok(())
}

/// Refuses a name at the start of a line that would not be read back as it is: a comment, or a
/// byte-order mark.
pub(crate) fn starts_line(format: &str, name: &str) -> Result<(), FormatError> {
    if name.starts_with(['#', '\u{feff}']) {
        let message = format!("the name {name:?} cannot start a line: it would not be read back");
        return Err(
            FormatError::file(format, message).hint("use `--to json`, which can hold any name")
        );
    }
    Ok(())
}

/// Refuses what cannot stand in a format whose names are single words.
pub(crate) fn one_word(format: &str, name: &str) -> Result<(), FormatError> {
    // TREC's formats take every control character for a blank.
    let separates = |c: char| c.is_whitespace() || c <= ' ';
    if name.is_empty() || name.contains(separates) {
        let message = format!("`{name}` cannot be written: a name there is one word");
        return Err(
            FormatError::file(format, message).hint("use `--to json`, which can hold any name")
        );
    }
    Ok(())
}

/// A line of a file, with what is needed to say where something is wrong with it.
#[derive(Clone, Copy)]
pub(crate) struct Line<'a> {
    pub(crate) file: &'a str,
    pub(crate) number: u64,
    pub(crate) text: &'a str,
}

impl Line<'_> {
    /// An error on this line.
    pub(crate) fn error(&self, message: impl Into<String>) -> FormatError {
        FormatError::line(self.file, self.number, message)
    }

    /// An error at a part of this line.
    pub(crate) fn error_at(&self, part: &str, message: impl Into<String>) -> FormatError {
        let error = self.error(message);
        match self.column_of(part) {
            Some(column) => error.column(column),
            None => error,
        }
    }

    /// The column, counted in characters from 1, where a part of this line starts.
    fn column_of(&self, part: &str) -> Option<u64> {
        // The part is usually a slice of the line itself; a quoted column is a copy of it.
        let offset = (part.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
        let start = if offset <= self.text.len() && self.text.get(offset..)?.starts_with(part) {
            offset
        } else {
            self.text.find(part)?
        };
        Some(self.text.get(..start)?.chars().count() as u64 + 1)
    }

    /// The grade or gain that a column holds.
    pub(crate) fn number(&self, column: &str, what: &str) -> Result<f64, FormatError> {
        match real(column.as_bytes()) {
            Some(number) if number.abs() <= Gains::MOST => Ok(number),
            Some(number) if number.is_finite() => {
                let most = Gains::MOST;
                let message = format!("{what} must be between -{most:e} and {most:e}");
                Err(self.error_at(column, message))
            }
            Some(number) => {
                let message = format!("{what} must be a finite number, not {number}");
                Err(self.error_at(column, message))
            }
            None => {
                let message = format!("{what} must be a number, not `{column}`");
                Err(self.error_at(column, message))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_errors_are_counted_in_characters() {
        let line = Line {
            file: "f",
            number: 3,
            text: "é ü x",
        };
        let error = line.error_at(&line.text[6..], "wrong");
        assert_eq!(error.to_string(), "f:3:5: wrong");
    }
}
