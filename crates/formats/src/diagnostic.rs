//! Diagnostics: errors and warnings about files as data, which each front end turns into its own
//! text.

use std::collections::BTreeMap;
use std::fmt;

use partita_core::summarize_names;
use schemars::JsonSchema;
use serde::Serialize;

use crate::remedy::Remedy;

partita_named::named_enum! {
    /// Code of a diagnostic, by which programs distinguish the kinds of problems.
    pub enum DiagnosticCode: "kind of problem" {
        /// It cannot be read: it is not there, or nobody may
        Unreadable = "unreadable",
        /// It cannot be written to
        Unwritable = "unwritable",
        /// It is no text: binary data, an archive, another encoding
        NotText = "not-text",
        /// A line is longer than any of its format
        OverlongLine = "overlong-line",
        /// There is nothing in it
        EmptyFile = "empty-file",
        /// There is a header and nothing after it, or nothing that counts
        NoRows = "no-rows",
        /// Its format cannot be told
        UnknownFormat = "unknown-format",
        /// It is something else than it was taken for
        OtherFormat = "other-format",
        /// It does not follow the rules of its format
        Syntax = "syntax",
        /// A row has too many columns, or too few
        ColumnCount = "column-count",
        /// The header lacks a column
        MissingColumn = "missing-column",
        /// Something that must be there is empty, or was left out
        MissingValue = "missing-value",
        /// Something else stands where a number must
        NotANumber = "not-a-number",
        /// A number is too small or too large
        OutOfRange = "out-of-range",
        /// Something else stands where an answer must
        NotAnAnswer = "not-an-answer",
        /// Something else stands where a time must
        NotATime = "not-a-time",
        /// The same thing is said twice
        Duplicate = "duplicate",
        /// Two things are said that cannot both be so
        Contradiction = "contradiction",
        /// Nothing has that name
        UnknownName = "unknown-name",
        /// It holds several things of which one must be chosen
        Ambiguous = "ambiguous",
        /// It asks for more than can be kept
        TooLarge = "too-large",
        /// A format has no place for it
        Unrepresentable = "unrepresentable",
        /// An answer that a campaign does not take
        RefusedAnswer = "refused-answer",
        /// Lines that are not UTF-8
        NotUtf8 = "not-utf-8",
        /// Columns that are not read
        UnreadColumns = "unread-columns",
        /// Names longer than names are
        LongNames = "long-names",
        /// Documents that were returned again for the same query
        RepeatedDocuments = "repeated-documents",
        /// Ranks and scores that disagree on the order
        ConflictingOrder = "conflicting-order",
        /// Ranks that are no numbers
        OddRanks = "odd-ranks",
        /// More than one tag in a run
        SeveralTags = "several-tags",
        /// Groups that are not numbered 1, 2, 3, ...
        NumberingGaps = "numbering-gaps",
        /// The header and the rows say different things
        OddHeader = "odd-header",
        /// Answers that do not count
        UncountedAnswers = "uncounted-answers",
        /// Something that was left out, or was taken for something else
        LeftOut = "left-out",
        /// Queries that no ground truth has
        UnknownQueries = "unknown-queries",
        /// Queries for which a run has nothing
        MissingQueries = "missing-queries",
        /// Queries that one of two files does not have
        UnmatchedQueries = "unmatched-queries",
        /// Items that one of two files does not have
        UnmatchedItems = "unmatched-items",
        /// Queries of which nothing is said
        EmptyQueries = "empty-queries",
        /// A name that means something else
        ReservedName = "reserved-name",
        /// Too little data for what is asked
        TooLittle = "too-little",
        /// Ranks that leave much open
        OddRankings = "odd-rankings",
        /// Lists that are not settled, or that leave others open
        OpenLists = "open-lists",
        /// What there is to be said of a result
        Remark = "remark",
        /// A figure that cannot be drawn
        NotDrawn = "not-drawn",
        /// A log whose last line is unfinished
        UnfinishedLine = "unfinished-line",
        /// The file ends too early
        Truncated = "truncated",
        /// A melody has rests and no notes
        NoNotes = "no-notes",
        /// Notes of a melody sound at once
        Polyphonic = "polyphonic",
        /// Several voices have notes
        SeveralVoices = "several-voices",
        /// Mensural notation, in which durations depend on the neighbouring notes
        Mensural = "mensural",
        /// Neumes, which have no durations
        Neume = "neume",
        /// The clef does not exist
        UnknownClef = "unknown-clef",
        /// A group of notes is not closed
        OpenGroup = "open-group",
        /// A melody has too many notes, or lasts too long
        TooLong = "too-long",
        /// An XML file declares entities
        Entities = "entities",
        /// The format, or something in the file, is not supported
        Unsupported = "unsupported",
        /// Grace notes that were left out
        GraceNotes = "grace-notes",
        /// Ties that do not lead to a note of the same pitch, and were left out
        BrokenTies = "broken-ties",
        /// Beams that are not closed, or closed without an opening
        OpenBeams = "open-beams",
        /// Measures of rest without a metre that gives their length
        UnclearMetre = "unclear-metre",
        /// Notes without a duration, which were left out
        NoDuration = "no-duration",
        /// Notes that overlapped the next one by a tick, and were shortened
        CutNotes = "cut-notes",
        /// Chords of which only the highest note was kept
        Chords = "chords",
    }
}

/// Values of a diagnostic, by name.
pub type DiagnosticFields = Box<BTreeMap<&'static str, String>>;

/// Error or warning without its position: code, values, and a message that contains the values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Kind of problem.
    pub code: DiagnosticCode,
    /// Values that the message contains.
    pub fields: DiagnosticFields,
    /// Message in English.
    pub message: String,
}

impl Diagnostic {
    /// Creates a diagnostic without values.
    pub fn new(code: DiagnosticCode, message: impl Into<String>) -> Self {
        Self {
            code,
            fields: DiagnosticFields::default(),
            message: message.into(),
        }
    }

    /// Adds a value.
    #[must_use]
    pub fn with_field(mut self, name: &'static str, value: impl ToString) -> Self {
        self.fields.insert(name, value.to_string());
        self
    }
}

/// Creates a [`Diagnostic`] from its code, its values, and a message that names them.
///
/// ```
/// use partita_formats::{DiagnosticCode, diagnostic};
///
/// let expected = 3;
/// let few = diagnostic!(ColumnCount { expected, found = 1 + 1 }:
///     "expected {expected} columns, found {found}");
/// assert_eq!(few.code, DiagnosticCode::ColumnCount);
/// assert_eq!(few.message, "expected 3 columns, found 2");
/// assert_eq!(few.fields["found"], "2");
/// ```
#[macro_export]
macro_rules! diagnostic {
    (@ $name:ident) => { $name };
    (@ $name:ident = $value:expr) => { $value };
    ($code:ident $({ $($name:ident $(= $value:expr)?),* })?: $sentence:literal) => {{
        $($(let $name = $crate::diagnostic!(@ $name $(= $value)?).to_string();)*)?
        $crate::Diagnostic {
            code: $crate::DiagnosticCode::$code,
            message: format!($sentence),
            fields: Box::new([$($((stringify!($name), $name)),*)?].into()),
        }
    }};
}

/// Error of reading or writing a file: what was expected, what was found, where, and a remedy if
/// there is one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema, thiserror::Error)]
#[error("{}{message}", ErrorPosition { file, line: *line, column: *column })]
pub struct FormatError {
    /// Kind of problem.
    pub code: DiagnosticCode,
    /// Name of the file, as given by the user.
    pub file: String,
    /// Line, counted from 1.
    pub line: Option<u64>,
    /// Column in characters, counted from 1.
    pub column: Option<u64>,
    /// Message: what was expected and what was found.
    pub message: String,
    /// Values that the message contains.
    pub fields: DiagnosticFields,
    /// Remedy for the user, if there is one.
    pub remedy: Option<Remedy>,
}

struct ErrorPosition<'a> {
    file: &'a str,
    line: Option<u64>,
    column: Option<u64>,
}

impl fmt::Display for ErrorPosition<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.file)?;
        for number in [self.line, self.column].into_iter().flatten() {
            write!(f, ":{number}")?;
        }
        f.write_str(": ")
    }
}

impl FormatError {
    /// Creates an error about the file as a whole.
    pub fn in_file(file: &str, problem: Diagnostic) -> Self {
        Self {
            code: problem.code,
            file: file.to_owned(),
            line: None,
            column: None,
            message: problem.message,
            fields: problem.fields,
            remedy: None,
        }
    }

    /// Sets the line.
    #[must_use]
    pub fn at_line(self, line: u64) -> Self {
        let line = Some(line);
        Self { line, ..self }
    }

    /// Sets the column, counted from 1.
    #[must_use]
    pub fn at_column(self, column: u64) -> Self {
        let column = Some(column);
        Self { column, ..self }
    }

    /// Sets the remedy.
    #[must_use]
    pub fn with_remedy(self, remedy: impl Into<Remedy>) -> Self {
        let remedy = Some(remedy.into());
        Self { remedy, ..self }
    }
}

/// Warning about data that were read all the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Warning {
    /// Kind of problem.
    pub code: DiagnosticCode,
    /// Name of the file, as given by the user.
    pub file: String,
    /// Line of the first occurrence, counted from 1.
    pub line: Option<u64>,
    /// Message: what was found, and how it was treated.
    pub message: String,
    /// Values that the message contains.
    pub fields: DiagnosticFields,
}

impl Warning {
    /// Creates a warning about the file as a whole.
    pub fn in_file(file: impl Into<String>, problem: Diagnostic) -> Self {
        Self {
            code: problem.code,
            file: file.into(),
            line: None,
            message: problem.message,
            fields: problem.fields,
        }
    }

    /// Sets the line.
    #[must_use]
    pub fn at_line(self, line: u64) -> Self {
        let line = Some(line);
        Self { line, ..self }
    }
}

impl Warning {
    /// Merges warnings of the same kind on several files into one, with the first file.
    #[must_use]
    pub fn merge(warnings: Vec<Self>) -> Vec<Self> {
        let mut merged: Vec<(Self, Vec<String>)> = Vec::new();
        for warning in warnings {
            let same = |(first, _): &&mut (Self, _)| {
                first.code == warning.code && first.file != warning.file
            };
            match merged.iter_mut().find(same) {
                Some((_, others)) if others.last() != Some(&warning.file) => {
                    others.push(warning.file);
                }
                _ => merged.push((warning, Vec::new())),
            }
        }
        let said = |(mut warning, others): (Self, Vec<String>)| {
            warning.message += &match &others[..] {
                [] => String::new(),
                [other] => format!("; likewise in {other}"),
                others => format!(
                    "; likewise in {} more files ({})",
                    others.len(),
                    summarize_names(others, 3)
                ),
            };
            warning
        };
        merged.into_iter().map(said).collect()
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (file, line, column) = (&self.file, self.line, None);
        write!(
            f,
            "{}{}",
            ErrorPosition { file, line, column },
            self.message
        )
    }
}

/// Counter for one kind of warning, which may occur a million times. Keeps the first occurrence.
#[derive(Clone, Debug, Default)]
pub(crate) struct WarningCounter {
    count: u64,
    first: Option<(u64, String)>,
}

impl WarningCounter {
    pub(crate) fn add(&mut self, line: u64, what: impl FnOnce() -> String) {
        self.count += 1;
        // Scattered queries are processed at the end, so lines do not come in ascending order.
        if self.first.as_ref().is_none_or(|(first, _)| line < *first) {
            self.first = Some((line, what()));
        }
    }

    /// Creates the warning `problem(count, first instance)`, if anything was counted.
    pub(crate) fn warning(
        self,
        file: &str,
        problem: impl FnOnce(u64, &str) -> Diagnostic,
    ) -> Option<Warning> {
        let (line, what) = self.first?;
        Some(Warning::in_file(file, problem(self.count, &what)).at_line(line))
    }
}
