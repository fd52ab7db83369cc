//! Detection of the kind of judgments in a file, from its name and its first bytes.

use partita_named::NamedEnum;

use crate::diagnostic;
use crate::diagnostic::FormatError;
use crate::file_kind::{DETECTION_BYTES, FileKind, has_grade_headings, row_without_position};
use crate::preferences::has_pair_headings;
use crate::rankings::are_orders;
use crate::remedy::Remedy;
use crate::table::{ASSESSOR, InputRow, QUERY, Separator};
use crate::text::is_comment_or_blank;
use crate::text::source::Source;

partita_named::named_enum! {
    /// Kind of judgments from which lists can be built and against which lists can be checked.
    pub enum EvidenceKind: "kind of judgments" {
        /// rankings
        Rankings = "rankings",
        /// preferences
        Preferences = "preferences",
        /// grades
        Grades = "grades",
        /// the log of a campaign
        Log = "log",
    }
}

impl EvidenceKind {
    /// Detects the kind of judgments in a file by its name and its first bytes.
    ///
    /// ```
    /// use partita_formats::{EvidenceKind, Source};
    ///
    /// let source = |text: &str| Source::from_bytes("file", text);
    /// let rankings = source("assessor,x,y\nann,1,2\n");
    /// assert_eq!(EvidenceKind::detect(&rankings), Ok(EvidenceKind::Rankings));
    /// let either = source("a,b,winner\n1,2,1\n");
    /// let error = EvidenceKind::detect(&either).unwrap_err();
    /// assert_eq!(error.to_string(), "file: this can be rankings or preferences");
    /// assert_eq!(error.remedy.unwrap().to_string(), "say which: `rankings` or `preferences`");
    /// ```
    ///
    /// # Errors
    /// Returns [`FormatError`] if the file cannot be read, holds no judgments, or can be read as
    /// several kinds of them.
    pub fn detect(source: &Source) -> Result<Self, FormatError> {
        if crate::shared::preflib::is_preflib_extension(source.extension()) {
            return Ok(Self::Rankings);
        }
        let head = source.first_bytes(DETECTION_BYTES)?;
        let kind = FileKind::detect_bytes(&head);
        match kind {
            Some(FileKind::Log) => return Ok(Self::Log),
            Some(FileKind::Preflib) => return Ok(Self::Rankings),
            Some(FileKind::Turk) => return Ok(Self::Preferences),
            Some(FileKind::Preferences | FileKind::Rankings) | None => {}
            Some(found) => return Err(no_judgments_error(source, Some(found))),
        }
        let text = String::from_utf8_lossy(&head);
        let text = text.trim_start_matches('\u{feff}');
        // The last line of a long file may be cut off.
        let text = match text.rfind('\n') {
            Some(end) if head.len() == DETECTION_BYTES => &text[..end],
            _ => text,
        };
        let mut lines = text.lines().filter(|line| !is_comment_or_blank(line));
        let Some(first) = lines.next() else {
            return Err(source.empty_error());
        };
        let separator = Separator::detect(first, 2);
        let header = row_without_position(first, separator);
        let rows: Vec<InputRow<'_>> = lines
            .map(|line| row_without_position(line, separator))
            .collect();
        let is_grades = has_grade_headings(&header);
        let has_ranks = header.column_index(&["rank"]).is_some();
        let is_rankings = crate::rankings::is_header(&header) && (has_ranks || !is_grades)
            || is_matrix(&header, &rows);
        let is_preferences = kind == Some(FileKind::Preferences) || has_pair_headings(&header);
        let all_rows: Vec<InputRow<'_>> = [header].into_iter().chain(rows).collect();
        let is_rankings = is_rankings || !is_preferences && !is_grades && are_orders(&all_rows);
        let possible: Vec<Self> = [
            (is_rankings, Self::Rankings),
            (is_preferences, Self::Preferences),
            (is_grades, Self::Grades),
        ]
        .into_iter()
        .filter_map(|(is_possible, kind)| is_possible.then_some(kind))
        .collect();
        match possible[..] {
            [only] => Ok(only),
            [] => Err(no_judgments_error(source, None)),
            _ => Err(ambiguous_kind_error(source, &possible)),
        }
    }
}

/// Returns true if a table looks like a matrix of ranks: one row per assessor, one column per item. A
/// first column that holds no ranks names the assessors, also under a heading that the reader refuses
/// with a remedy.
fn is_matrix(header: &InputRow<'_>, rows: &[InputRow<'_>]) -> bool {
    let width = header.fields.len();
    let is_rank = |row: &InputRow<'_>, column: usize| {
        row.fields[column].is_empty() || row.parse_number(column).is_some()
    };
    let has_names = header.is_heading(0, ASSESSOR)
        || (rows.iter()).any(|row| !row.fields.is_empty() && !is_rank(row, 0));
    let first = usize::from(has_names);
    let is_of_ranks = |row: &InputRow<'_>| {
        row.fields.len() == width && (first..width).all(|column| is_rank(row, column))
    };
    // A table of scores by query is a matrix of numbers too.
    header.column_index(QUERY).is_none()
        && width >= first + 2
        && !rows.is_empty()
        && rows.iter().all(is_of_ranks)
}

/// Returns the error for a file that holds no judgments, as far as its first bytes show.
fn no_judgments_error(source: &Source, found: Option<FileKind>) -> FormatError {
    let expected = "rankings, preferences, grades or the log of a campaign";
    match found {
        Some(kind) => {
            let problem = diagnostic!(OtherFormat { found = kind.summary(), expected }:
                "this looks like {found}, not like {expected}");
            source.error(problem).with_remedy("is this the right file?")
        }
        None => {
            let problem = diagnostic!(UnknownFormat { expected }:
                "this is not recognised as {expected}");
            source.error(problem).with_remedy(Remedy::parse(
                "say what it is with {rankings}, {preferences} or {grades}; the error then shows the line \
                 that is wrong",
            ))
        }
    }
}

/// Returns the error for a file that can be read as several kinds of judgments.
fn ambiguous_kind_error(source: &Source, kinds: &[EvidenceKind]) -> FormatError {
    let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
    let problem = diagnostic!(Ambiguous { kinds = names.join(" or ") }: "this can be {kinds}");
    let options: Vec<String> = names.iter().map(|name| format!("{{{name}}}")).collect();
    let remedy = format!("say which: {}", options.join(" or "));
    source.error(problem).with_remedy(Remedy::parse(&remedy))
}
