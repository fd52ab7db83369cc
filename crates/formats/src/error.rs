//! What is wrong with a file, and where.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

/// Why a file could not be read or written: what was expected, what was found, where, and a
/// remedy where there is one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{message}", Place { file, line: *line, column: *column })]
pub struct FormatError {
    /// The file as the user named it.
    pub file: String,
    /// The line, counted from 1.
    pub line: Option<u64>,
    /// The column in characters, counted from 1.
    pub column: Option<u64>,
    /// What was expected and what was found.
    pub message: String,
    /// What the user can do about it.
    pub hint: Option<String>,
}

struct Place<'a> {
    file: &'a str,
    line: Option<u64>,
    column: Option<u64>,
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.file)?;
        for number in [self.line, self.column].into_iter().flatten() {
            write!(f, ":{number}")?;
        }
        f.write_str(": ")
    }
}

impl FormatError {
    /// Something is wrong with the file as a whole.
    pub fn file(file: &str, message: impl Into<String>) -> Self {
        Self {
            file: file.to_owned(),
            line: None,
            column: None,
            message: message.into(),
            hint: None,
        }
    }

    /// Something is wrong on a line.
    pub fn line(file: &str, line: u64, message: impl Into<String>) -> Self {
        Self {
            line: Some(line),
            ..Self::file(file, message)
        }
    }

    /// The same error at a column, counted from 1.
    #[must_use]
    pub fn column(self, column: u64) -> Self {
        Self {
            column: Some(column),
            ..self
        }
    }

    /// The same error with a remedy.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self {
            hint: Some(hint.into()),
            ..self
        }
    }
}

/// Something in a file that was read all the same, and that the user should know of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Warning {
    /// The file as the user named it.
    pub file: String,
    /// The line, counted from 1, where it was first seen.
    pub line: Option<u64>,
    /// What was seen, and what was made of it.
    pub message: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = Place {
            file: &self.file,
            line: self.line,
            column: None,
        };
        write!(f, "{place}{}", self.message)
    }
}

/// Counts one kind of oddity, which may occur a million times, and keeps its first place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    count: u64,
    first: Option<(u64, String)>,
}

impl Tally {
    pub(crate) fn add(&mut self, line: u64, what: impl FnOnce() -> String) {
        self.count += 1;
        // Scattered queries are sorted out at the end, so a later line may be reported earlier.
        if self.first.as_ref().is_none_or(|(first, _)| line < *first) {
            self.first = Some((line, what()));
        }
    }

    /// The warning that `message(count, first instance)` words, if anything was counted.
    pub(crate) fn warning(
        self,
        file: &str,
        message: impl FnOnce(u64, &str) -> String,
    ) -> Option<Warning> {
        let (line, what) = self.first?;
        Some(Warning {
            file: file.to_owned(),
            line: Some(line),
            message: message(self.count, &what),
        })
    }
}
