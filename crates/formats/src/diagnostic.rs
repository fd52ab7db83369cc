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
        /// The file cannot be read: it does not exist, or permission is missing
        Unreadable = "unreadable",
        /// The file cannot be written
        Unwritable = "unwritable",
        /// The file is not text: binary data, an archive, another encoding
        NotText = "not-text",
        /// A line is longer than its format allows
        OverlongLine = "overlong-line",
        /// The file is empty
        EmptyFile = "empty-file",
        /// The file has a header but no rows, or no rows that count
        NoRows = "no-rows",
        /// The format cannot be determined
        UnknownFormat = "unknown-format",
        /// The file is of another kind or format than expected
        OtherFormat = "other-format",
        /// The file violates the syntax of its format
        Syntax = "syntax",
        /// A row has too many or too few columns
        ColumnCount = "column-count",
        /// The header lacks a column
        MissingColumn = "missing-column",
        /// A required value is empty or missing
        MissingValue = "missing-value",
        /// A value is not a number
        NotANumber = "not-a-number",
        /// A number is too small or too large
        OutOfRange = "out-of-range",
        /// A value is not an answer
        NotAnAnswer = "not-an-answer",
        /// A value is not a time
        NotATime = "not-a-time",
        /// Something is given twice
        Duplicate = "duplicate",
        /// Two statements contradict each other
        Contradiction = "contradiction",
        /// The name is unknown
        UnknownName = "unknown-name",
        /// The file holds several alternatives, and one must be chosen
        Ambiguous = "ambiguous",
        /// The data exceed a size limit
        TooLarge = "too-large",
        /// The format cannot represent the data
        Unrepresentable = "unrepresentable",
        /// An answer that a campaign refuses
        RefusedAnswer = "refused-answer",
        /// Lines that are not UTF-8
        NotUtf8 = "not-utf-8",
        /// Columns that are ignored
        UnreadColumns = "unread-columns",
        /// Unusually long names
        LongNames = "long-names",
        /// Documents that were returned again for the same query
        RepeatedDocuments = "repeated-documents",
        /// Items with the id of another item, which were numbered
        RepeatedIds = "repeated-ids",
        /// Ranks and scores that disagree on the order
        ConflictingOrder = "conflicting-order",
        /// Ranks that are not numbers
        OddRanks = "odd-ranks",
        /// More than one tag in a run
        SeveralTags = "several-tags",
        /// Groups that are not numbered 1, 2, 3, ...
        NumberingGaps = "numbering-gaps",
        /// The header and the rows disagree
        OddHeader = "odd-header",
        /// Answers that do not count
        UncountedAnswers = "uncounted-answers",
        /// Data that were left out or reinterpreted
        LeftOut = "left-out",
        /// Queries that are not in the ground truth
        UnknownQueries = "unknown-queries",
        /// Queries without results in a run
        MissingQueries = "missing-queries",
        /// Queries that are in only one of two files
        UnmatchedQueries = "unmatched-queries",
        /// Items that are in only one of two files
        UnmatchedItems = "unmatched-items",
        /// Queries without data
        EmptyQueries = "empty-queries",
        /// A name with a reserved meaning
        ReservedName = "reserved-name",
        /// Too little data for the request
        TooLittle = "too-little",
        /// Rankings with many ties or unranked items
        OddRankings = "odd-rankings",
        /// Lists that are not final, or that are incomplete
        OpenLists = "open-lists",
        /// A note about a result
        Remark = "remark",
        /// A figure that cannot be drawn
        NotDrawn = "not-drawn",
        /// A log whose last line is unfinished
        UnfinishedLine = "unfinished-line",
        /// The file ends too early
        Truncated = "truncated",
        /// A melody has only rests
        NoNotes = "no-notes",
        /// Notes of a melody overlap
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
        /// Incipits with bars that do not fill the metre
        UnevenBars = "uneven-bars",
        /// Notes without a duration, which were left out
        NoDuration = "no-duration",
        /// Notes that overlapped the next one by a tick, and were shortened
        CutNotes = "cut-notes",
        /// Chords of which only the highest note was kept
        Chords = "chords",
    }
}

/// Values that a diagnostic's message contains, such as a count or a name, keyed by field name.
pub type DiagnosticFields = Box<BTreeMap<&'static str, String>>;

/// Error or warning without its position: code, values, and a message that contains the values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Kind of problem.
    pub code: DiagnosticCode,
    /// Values that the message contains.
    pub fields: DiagnosticFields,
    /// Message in English, which contains the values of `fields`.
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

    /// Adds a value that the message contains, under a field name.
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

/// Position of an error, displayed as `file:line:column: `.
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

    /// Sets the line, counted from 1.
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

/// Warning about suspicious data that were read nevertheless.
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

    /// Sets the line, counted from 1.
    #[must_use]
    pub fn at_line(self, line: u64) -> Self {
        let line = Some(line);
        Self { line, ..self }
    }
}

impl Warning {
    /// Merges warnings of the same kind about different files into one warning, which is reported
    /// for the first file and names the other files, or some of them if they are many.
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
        let append_files = |(mut warning, others): (Self, Vec<String>)| {
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
        merged.into_iter().map(append_files).collect()
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

/// Counter of one kind of warning, which may occur millions of times in a file. Keeps only the
/// number of occurrences and the first one.
#[derive(Clone, Debug, Default)]
pub(crate) struct WarningCounter {
    count: u64,
    first: Option<(u64, String)>,
}

impl WarningCounter {
    /// Counts an occurrence on a line; `what` describes it, and is called only if no earlier line
    /// was counted.
    pub(crate) fn add(&mut self, line: u64, what: impl FnOnce() -> String) {
        self.count += 1;
        // Queries with scattered lines are processed at the end, so the lines do not come in
        // ascending order.
        if self.first.as_ref().is_none_or(|(first, _)| line < *first) {
            self.first = Some((line, what()));
        }
    }

    /// Creates the warning from `problem(count, first occurrence)`, or `None` if nothing was
    /// counted.
    pub(crate) fn warning(
        self,
        file: &str,
        problem: impl FnOnce(u64, &str) -> Diagnostic,
    ) -> Option<Warning> {
        let (line, what) = self.first?;
        Some(Warning::in_file(file, problem(self.count, &what)).at_line(line))
    }
}
