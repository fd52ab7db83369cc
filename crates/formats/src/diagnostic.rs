//! What is wrong with a file, or odd about it: data, of which every front makes its own words.

use std::collections::BTreeMap;
use std::fmt;

use partita_core::summarize_names;
use schemars::JsonSchema;
use serde::Serialize;

use crate::remedy::Remedy;

partita_named::named_enum! {
    /// The kind of a problem, by which programs tell one from another.
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

/// The values that a problem is about, by their names.
pub type DiagnosticFields = Box<BTreeMap<&'static str, String>>;

/// What is wrong or odd, wherever it is: its kind, the values that it is about, and a sentence made of
/// them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind.
    pub code: DiagnosticCode,
    /// The values.
    pub fields: DiagnosticFields,
    /// The sentence.
    pub message: String,
}

impl Diagnostic {
    /// A problem in words of its own.
    pub fn new(code: DiagnosticCode, message: impl Into<String>) -> Self {
        Self {
            code,
            fields: DiagnosticFields::default(),
            message: message.into(),
        }
    }

    /// The same problem with another value that it is about.
    #[must_use]
    pub fn with_field(mut self, name: &'static str, value: impl ToString) -> Self {
        self.fields.insert(name, value.to_string());
        self
    }
}

/// Makes a [`Problem`] of its kind, the values that it is about, and a sentence that names them.
///
/// ```
/// use partita_formats::{Code, diagnostic};
///
/// let expected = 3;
/// let few = diagnostic!(ColumnCount { expected, found = 1 + 1 }:
///     "expected {expected} columns, found {found}");
/// assert_eq!((few.code, few.message.as_str()), (Code::ColumnCount, "expected 3 columns, found 2"));
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

/// Why a file could not be read or written: what was expected, what was found, where, and a
/// remedy where there is one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema, thiserror::Error)]
#[error("{}{message}", ErrorPosition { file, line: *line, column: *column })]
pub struct FormatError {
    /// The kind of problem.
    pub code: DiagnosticCode,
    /// The file as the user named it.
    pub file: String,
    /// The line, counted from 1.
    pub line: Option<u64>,
    /// The column in characters, counted from 1.
    pub column: Option<u64>,
    /// What was expected and what was found, in words.
    pub message: String,
    /// The same as values.
    pub fields: DiagnosticFields,
    /// What the user can do about it.
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
    /// Something is wrong with the file as a whole.
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

    /// The same error on a line.
    #[must_use]
    pub fn at_line(self, line: u64) -> Self {
        let line = Some(line);
        Self { line, ..self }
    }

    /// The same error at a column, counted from 1.
    #[must_use]
    pub fn at_column(self, column: u64) -> Self {
        let column = Some(column);
        Self { column, ..self }
    }

    /// The same error with a remedy.
    #[must_use]
    pub fn with_remedy(self, remedy: impl Into<Remedy>) -> Self {
        let remedy = Some(remedy.into());
        Self { remedy, ..self }
    }
}

/// Something in a file that was read all the same, and that the user should know of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Warning {
    /// The kind of problem.
    pub code: DiagnosticCode,
    /// The file as the user named it.
    pub file: String,
    /// The line, counted from 1, where it was first seen.
    pub line: Option<u64>,
    /// What was seen, and what was made of it, in words.
    pub message: String,
    /// The same as values.
    pub fields: DiagnosticFields,
}

impl Warning {
    /// Something is odd about the file as a whole.
    pub fn in_file(file: impl Into<String>, problem: Diagnostic) -> Self {
        Self {
            code: problem.code,
            file: file.into(),
            line: None,
            message: problem.message,
            fields: problem.fields,
        }
    }

    /// The same warning on a line.
    #[must_use]
    pub fn at_line(self, line: u64) -> Self {
        let line = Some(line);
        Self { line, ..self }
    }
}

impl Warning {
    /// These warnings, of which those of one kind on several files are said once, with the first file.
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

/// Counts one kind of oddity, which may occur a million times, and keeps its first place.
#[derive(Clone, Debug, Default)]
pub(crate) struct WarningCounter {
    count: u64,
    first: Option<(u64, String)>,
}

impl WarningCounter {
    pub(crate) fn add(&mut self, line: u64, what: impl FnOnce() -> String) {
        self.count += 1;
        // Scattered queries are sorted out at the end, so a later line may be reported earlier.
        if self.first.as_ref().is_none_or(|(first, _)| line < *first) {
            self.first = Some((line, what()));
        }
    }

    /// The warning of `problem(count, first instance)`, if anything was counted.
    pub(crate) fn warning(
        self,
        file: &str,
        problem: impl FnOnce(u64, &str) -> Diagnostic,
    ) -> Option<Warning> {
        let (line, what) = self.first?;
        Some(Warning::in_file(file, problem(self.count, &what)).at_line(line))
    }
}
