//! Detection of the kind of a file from its first bytes. It improves the error message if a file of
//! another kind was given than expected.

use partita_named::NamedEnum;

use crate::diagnostic;
use crate::diagnostic::{DiagnosticCode, FormatError};
use crate::preferences::has_pair_headings;
use crate::remedy::Remedy;
use crate::table::{ASSESSOR, ITEM, InputRow, MEASURE, QUERY, SYSTEM, Separator, VALUE};
use crate::text::is_comment_or_blank;
use crate::text::line::SourceLine;
use crate::text::source::Source;

partita_named::named_enum! {
    /// Kind of data in a file.
    pub enum FileKind: "kind of file" {
        /// a run (query Q0 item rank score tag)
        Run = "run",
        /// a run (system,query,item)
        Systems = "systems",
        /// qrels (query 0 item grade)
        Qrels = "qrels",
        /// a ground truth (query,item,group)
        Truth = "truth",
        /// rankings (query,assessor,item,rank)
        Rankings = "rankings",
        /// orders of PrefLib
        Preflib = "preflib",
        /// preferences (query,a,b,assessor,answer)
        Preferences = "preferences",
        /// results of Mechanical Turk
        Turk = "mturk",
        /// scores (system,query,measure,value)
        Scores = "scores",
        /// the log of a campaign
        Log = "log",
        /// JSON
        Json = "json",
    }
}

partita_named::named_enum! {
    /// Kind of data that can be converted between formats.
    pub enum DataKind: "kind of data" {
        /// a ground truth
        Truth = "truth",
        /// a run
        Run = "run",
        /// rankings
        Rankings = "rankings",
        /// preferences
        Preferences = "preferences",
        /// scores
        Scores = "scores",
    }
}

impl DataKind {
    /// Returns the kinds of data that a file may hold, based on its name and its first bytes.
    ///
    /// A header or another unmistakable mark leaves one kind. Otherwise the caller tries the
    /// readers of all returned kinds.
    ///
    /// ```
    /// use partita_formats::{DataKind, Source};
    ///
    /// let source = |text: &str| Source::from_bytes("file", text);
    /// let kinds = |text: &str| DataKind::possible_kinds(&source(text)).unwrap();
    /// assert_eq!(kinds("query,item,group\nq1,a,1\n"), [DataKind::Truth]);
    /// assert_eq!(kinds("{\"q1\": [[\"a\", \"b\"]]}"), [DataKind::Truth, DataKind::Run]);
    /// ```
    ///
    /// # Errors
    /// Returns [`FormatError`] if the file cannot be read, or if it has no kind that can be
    /// converted: the log of a campaign, candidates, grades or strata.
    pub fn possible_kinds(source: &Source) -> Result<Vec<Self>, FormatError> {
        let head = source.first_bytes(DETECTION_BYTES)?;
        if crate::shared::preflib::is_preflib_extension(source.extension()) {
            return Ok(vec![Self::Truth, Self::Rankings]);
        }
        let text = String::from_utf8_lossy(&head);
        let mut lines = text.trim_start_matches('\u{feff}').lines();
        let first = lines.find(|line| !is_comment_or_blank(line));
        let row = first.map(|text| row_without_position(text, Separator::detect(text, 2)));
        let kind = FileKind::detect_bytes(&head);
        let inconvertible = match (kind, &row) {
            (Some(FileKind::Log), _) => Some((
                "the log of a campaign",
                "`partita campaign export` writes the lists of a campaign",
            )),
            (None, Some(header)) => inconvertible_table(header),
            _ => None,
        };
        if let Some((found, remedy)) = inconvertible {
            let problem = diagnostic!(OtherFormat { found }: "this is {found}");
            return Err(source.error(problem).with_remedy(remedy));
        }
        Ok(match kind {
            Some(FileKind::Json) => vec![Self::Truth, Self::Run],
            Some(FileKind::Preflib) => vec![Self::Truth, Self::Rankings],
            Some(FileKind::Truth | FileKind::Qrels) => vec![Self::Truth],
            Some(FileKind::Systems) => vec![Self::Run],
            Some(FileKind::Run) if row.as_ref().is_some_and(has_trec_constant) => vec![Self::Run],
            Some(FileKind::Rankings) => vec![Self::Rankings],
            Some(FileKind::Turk) => vec![Self::Preferences],
            Some(FileKind::Preferences) if row.as_ref().is_some_and(has_pair_headings) => {
                vec![Self::Preferences]
            }
            Some(FileKind::Scores) => vec![Self::Scores],
            Some(FileKind::Log | FileKind::Run | FileKind::Preferences) | None => row
                .as_ref()
                .map_or(Self::VARIANTS.to_vec(), Self::from_first_row),
        })
    }

    /// Returns the kinds of data that a table may hold, given its first row, which is the header of
    /// a matrix or a row of a table without a header.
    fn from_first_row(row: &InputRow<'_>) -> Vec<Self> {
        match row.column_index(QUERY) {
            Some(1) => vec![Self::Run, Self::Scores],
            Some(_) => vec![Self::Scores],
            None if row.is_heading(0, ASSESSOR) => vec![Self::Rankings],
            None => Self::VARIANTS.to_vec(),
        }
    }
}

/// Splits a line into columns, without a file name for error messages.
pub(crate) fn row_without_position(text: &str, separator: Separator) -> InputRow<'_> {
    let (file, number) = ("", 1);
    InputRow::new(SourceLine { file, number, text }, separator)
}

/// Returns a description and a remedy for a table that cannot be converted: candidates, grades or
/// strata, recognised by the header. Returns `None` for other tables.
fn inconvertible_table(header: &InputRow<'_>) -> Option<(&'static str, &'static str)> {
    let names = |heading: &[&str]| header.column_index(heading).is_some();
    let candidate_headings = ["prior", "same_as", "content"];
    let count = header.fields.len();
    let optional = candidate_headings.iter().filter(|name| names(&[**name]));
    if !names(QUERY) {
        None
    } else if has_grade_headings(header) {
        Some((
            "grades of assessors (query,assessor,item,broad,fine), which have one format",
            "`partita campaign add` adds them to a campaign that asks for grades",
        ))
    } else if names(ITEM) && count == 2 + optional.count() {
        Some((
            "candidates of a campaign (query,item), which have one format",
            "`partita campaign init` starts a campaign with them",
        ))
    } else if count == 2 && names(&["stratum", "group"]) {
        Some((
            "strata of queries (query,stratum), which have one format",
            "give them as strata to `partita evaluate` or `partita reliability`",
        ))
    } else {
        None
    }
}

/// Returns true if a header names the columns of a table of grades: assessor, item, and `broad` or
/// `fine`. A table of one list needs no column of queries.
pub(crate) fn has_grade_headings(header: &InputRow<'_>) -> bool {
    let names = |heading: &[&str]| header.column_index(heading).is_some();
    names(ITEM) && names(ASSESSOR) && (names(&["broad"]) || names(&["fine"]))
}

/// Returns true if the second column has the constant of TREC formats: `Q0` in runs, `0` in qrels.
fn has_trec_constant(row: &InputRow<'_>) -> bool {
    row.fields
        .get(1)
        .is_some_and(|second| second == "0" || second.eq_ignore_ascii_case("q0"))
}

/// Number of bytes at the start of a file that are inspected to detect its kind.
pub(crate) const DETECTION_BYTES: usize = 8192;

impl FileKind {
    /// Detects the kind of a file. Returns `None` if its first bytes are inconclusive or cannot be
    /// read.
    pub fn detect(source: &Source) -> Option<Self> {
        Self::detect_bytes(&source.first_bytes(DETECTION_BYTES).ok()?)
    }

    /// Detects the kind of a file from its first bytes.
    ///
    /// ```
    /// use partita_formats::FileKind;
    ///
    /// assert_eq!(FileKind::detect_bytes(b"q1 Q0 d7 1 0.9 bm25\n"), Some(FileKind::Run));
    /// assert_eq!(FileKind::detect_bytes(b"q1 0 d7 2\n"), Some(FileKind::Qrels));
    /// assert_eq!(FileKind::detect_bytes(b"one two\n"), None);
    /// ```
    pub fn detect_bytes(bytes: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(bytes);
        let text = text.trim_start_matches('\u{feff}').trim_start();
        if text.starts_with(r#"{"seq":1,"at":"#) {
            return Some(Self::Log);
        }
        if text.starts_with(['{', '[']) {
            return Some(Self::Json);
        }
        if crate::shared::preflib::starts_like_preflib(text) {
            return Some(Self::Preflib);
        }
        let mut lines = text.lines().filter(|line| !is_comment_or_blank(line));
        let first = lines.next()?;
        if first.contains('(') && crate::truth::is_notation(first) {
            return Some(Self::Truth);
        }
        let separator = Separator::detect(first, 2);
        let header = row_without_position(first, separator);
        Self::from_header(&header).or_else(|| {
            let kind = Self::from_row(&header)?;
            // Check the second line too. Unlike the last line, it is rarely cut off.
            let same = |line| Self::from_row(&row_without_position(line, separator)) == Some(kind);
            lines.next().is_none_or(same).then_some(kind)
        })
    }

    /// Detects the kind of a table by its header.
    fn from_header(header: &InputRow<'_>) -> Option<Self> {
        let names = |heading: &[&str]| header.column_index(heading).is_some();
        if names(&["hitid"]) && names(&["workerid"]) {
            return Some(Self::Turk);
        }
        if has_pair_headings(header) {
            return Some(Self::Preferences);
        }
        if names(ITEM) && names(&["rank"]) && names(ASSESSOR) {
            return Some(Self::Rankings);
        }
        if !names(QUERY) {
            return None;
        }
        if names(SYSTEM) && names(VALUE) && (names(MEASURE) || !names(ITEM)) {
            return Some(Self::Scores);
        }
        let ordered = names(SYSTEM) || names(&["score"]) || names(&["rank"]);
        match names(ITEM) {
            true if crate::truth::is_header(header) && !ordered => Some(Self::Truth),
            true if ordered => Some(Self::Systems),
            _ => None,
        }
    }

    /// Detects the kind of a table without a header by one of its rows.
    fn from_row(row: &InputRow<'_>) -> Option<Self> {
        let is_number = |column: usize| row.parse_number(column).is_some();
        let constant = has_trec_constant(row);
        match row.fields.len() {
            6 if is_number(3) && is_number(4) => Some(Self::Run),
            4 if constant && is_number(3) => Some(Self::Qrels),
            4 if row.fields[3] == row.fields[1] || row.fields[3] == row.fields[2] => {
                Some(Self::Preferences)
            }
            _ => None,
        }
    }

    /// Returns true if a reader of files of the kind `wanted` also accepts a file of this kind.
    fn is_accepted_as(self, wanted: Self) -> bool {
        match wanted {
            Self::Truth => {
                matches!(self, Self::Truth | Self::Qrels | Self::Json | Self::Preflib)
            }
            Self::Run => matches!(self, Self::Run | Self::Systems | Self::Json),
            Self::Rankings => matches!(self, Self::Rankings | Self::Preflib),
            // A log with a modified line may be detected as plain JSON.
            Self::Log => matches!(self, Self::Log | Self::Json),
            _ => self == wanted,
        }
    }

    /// Returns the remedy for a file of this kind that was given where a file of the kind `wanted`
    /// is expected.
    fn remedy(self, wanted: Self) -> Remedy {
        Remedy::parse(match (wanted, self) {
            (Self::Truth, Self::Run | Self::Systems) | (Self::Run, Self::Truth | Self::Qrels) => {
                "are the arguments swapped?"
            }
            (Self::Log, Self::Preferences | Self::Turk) | (Self::Preferences, Self::Log) => {
                "are the arguments swapped? The log comes first, then the answers"
            }
            (Self::Scores, Self::Run | Self::Systems) => {
                "{evaluation csv} gives the scores of runs"
            }
            (Self::Preferences, Self::Turk) => "say {map mturk}",
            (Self::Rankings, Self::Turk) => "give it with {preferences}, and say {map mturk}",
            (Self::Rankings, Self::Preferences) => "give it with {preferences}",
            (Self::Preferences, Self::Rankings) => {
                "give it with {rankings}, where that is an option"
            }
            (Self::Log, _) => "`partita campaign init` creates a campaign",
            _ => "is this the right file?",
        })
    }

    /// Returns the error for a file whose first bytes show another kind than `wanted`, or `None` if
    /// they fit or are inconclusive.
    pub fn mismatch_error(wanted: Self, file: &str, bytes: &[u8]) -> Option<FormatError> {
        let found = Self::detect_bytes(bytes)?;
        if found.is_accepted_as(wanted) {
            return None;
        }
        let expected = match wanted {
            Self::Truth => "a ground truth",
            Self::Run => "a run",
            other => other.summary().split(" (").next().unwrap_or_default(),
        };
        let problem = diagnostic!(OtherFormat { found = found.summary(), expected }:
            "this looks like {found}, not like {expected}");
        Some(FormatError::in_file(file, problem).with_remedy(found.remedy(wanted)))
    }
}

/// Replaces the error of a reader by [`mismatch_error`](FileKind::mismatch_error) if the file is of
/// another kind than `wanted`. Returns other errors unchanged, and also those about files that are
/// unreadable, empty or not text.
pub(crate) fn prefer_mismatch_error(
    wanted: FileKind,
    source: &Source,
    error: FormatError,
) -> FormatError {
    if matches!(
        error.code,
        DiagnosticCode::Unreadable | DiagnosticCode::NotText | DiagnosticCode::EmptyFile
    ) {
        return error;
    }
    let head = source.first_bytes(DETECTION_BYTES).unwrap_or_default();
    FileKind::mismatch_error(wanted, source.name(), &head).unwrap_or(error)
}
