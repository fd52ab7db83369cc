//! Preferences: answers of assessors to "which of these two is closer to the query?".
//!
//! | looks like | |
//! |---|---|
//! | `query,a,b,assessor,answer` | the header names the columns, in any order; `seconds`, `batch`, `time` and more are optional |
//! | `left,right,winner` | the query is the file's stem; the winner is `left`, `right` or `tie` |
//! | `topic a b winner` | with or without a header; the winner is an item or `tie` |
//! | any other table | a [`ColumnMap`] assigns the columns |
//!
//! Without a column of batches, a long pause between two times starts a new batch.
//!
//! ```
//! use partita_formats::{Source, preferences};
//!
//! let text = "query,a,b,assessor,answer\nq1,x,y,ann,a\nq1,x,y,bob,equal\n";
//! let file = Source::from_bytes("p.csv", text);
//! let read = preferences::read(&file, &preferences::PreferencesReadOptions::default())?;
//! assert_eq!(read.preferences.len(), 2);
//! # Ok::<(), partita_formats::FormatError>(())
//! ```

mod batches;
mod column_map;
mod question_sheet;
mod timestamp;
mod write;

use std::borrow::Cow;
use std::collections::HashMap;

use partita_core::judgment::{AnswerRow, Judgment};
use partita_core::{BatchRecord, Item, Names, Preference, PreferenceError, Preferences, Vote};

use crate::diagnostic;
use crate::diagnostic::{FormatError, Warning, WarningCounter};
use crate::file_kind::{FileKind, prefer_mismatch_error};
use crate::remedy::Remedy;
use crate::table::{InputRow, Separator, Table};
use crate::text::source::Source;
use crate::text::{SourceText, shorten};

use batches::assign_batches;
use column_map::{AnswerVocabulary, ColumnRole, Columns};
pub use column_map::{ColumnMap, ColumnMapError};
pub use question_sheet::{QuestionSheetRow, read_question_sheet};
pub use write::{PreferencesFormat, PreferencesText, write};

/// Options for reading preferences.
#[derive(Clone, Debug)]
pub struct PreferencesReadOptions {
    /// Column map, for tables whose header does not use the column names of this crate.
    pub map: ColumnMap,
    /// Pause between two questions, in seconds; a longer one starts a new batch if the table names
    /// no batches.
    pub batch_gap: f64,
    /// Names of the queries to read; empty for all. If the table has no column of queries and a
    /// single query is given here, it is the query of all rows.
    pub queries: Vec<String>,
}

impl Default for PreferencesReadOptions {
    fn default() -> Self {
        Self {
            map: ColumnMap::default(),
            batch_gap: 3600.0,
            queries: Vec::new(),
        }
    }
}

/// Content of a file of preferences.
#[derive(Clone, Debug)]
pub struct PreferencesFile {
    /// First answer of each assessor to each question. Each counts as one vote.
    pub preferences: Preferences,
    /// Batches (groups of questions asked together). Named ones are ordered by number if all names
    /// are whole numbers, else by their first row; those found by pauses are in chronological
    /// order.
    pub batches: Vec<BatchRecord>,
    /// Background, such as musical training, that each assessor stated, indexed by assessor number.
    pub backgrounds: Vec<Option<String>>,
    /// Total duration in seconds of the clips that a question plays, indexed by query number and
    /// answer number.
    pub clips: Vec<Vec<Option<f64>>>,
    /// Repeated answers: the first further answer of an assessor to a question that they had
    /// already answered. They do not count as votes.
    pub repeats: Preferences,
    /// Warnings about the file.
    pub warnings: Vec<Warning>,
}

/// Valid rows of a table of preferences. Each name is stored once, and rows refer to it by number.
#[derive(Default)]
struct ParsedRows {
    names: Names,
    rows: Vec<ParsedRow>,
}

/// Valid row of a table of preferences. A value of type [`Item`] is the number of a name in
/// [`ParsedRows`], also for queries and assessors.
struct ParsedRow {
    line: u64,
    query: Item,
    a: Item,
    b: Item,
    assessor: Item,
    answer: Option<Preference>,
    seconds: Option<f64>,
    batch: Option<Item>,
    time: Option<f64>,
    ended: Option<f64>,
    background: Option<Item>,
    clips: Option<f64>,
}

impl ParsedRows {
    /// Adds a row. `default_query` is the query of the row if the row names none.
    fn add(&mut self, default_query: &str, row: AnswerRow) {
        let place = row
            .position
            .as_ref()
            .expect("a row that was read from a file has a position");
        // Without assessor names, each answer counts as a different assessor.
        let numbered = || format!("#{}", self.rows.len() + 1);
        let [a, b] = row.pair();
        let assessor = row.assessor.clone().unwrap_or_else(numbered);
        let mut item = |name: &str| {
            let item = self.names.intern(name);
            item.expect("a file in memory has fewer names than there are numbers")
        };
        let row = ParsedRow {
            line: place.line,
            query: item(row.query.as_deref().unwrap_or(default_query)),
            a: item(a),
            b: item(b),
            assessor: item(&assessor),
            answer: row.judgment.preference(),
            seconds: row.seconds,
            batch: row.batch.as_deref().map(&mut item),
            time: row.asked_at,
            ended: row.answered_at,
            background: row.background.as_deref().map(&mut item),
            clips: row.clip_seconds,
        };
        self.rows.push(row);
    }
}

/// Rows of a table of preferences, valid or not.
#[derive(Clone, Debug)]
pub struct PreferenceRows {
    /// Rows that are filled in, each with its error if it is invalid.
    pub rows: Vec<Result<AnswerRow, FormatError>>,
    /// Number of rows that are not filled in: rows without an answer that name no assessor, and on
    /// a question sheet all rows without an answer.
    pub unfilled: usize,
    /// Warnings about the file.
    pub warnings: Vec<Warning>,
}

/// Reads the rows of a table of preferences one by one, so that an invalid row does not prevent
/// reading the others.
///
/// ```
/// use partita_formats::{Source, preferences};
///
/// let text = "query,a,b,assessor,answer\nq1,x,y,ann,a\nq1,x,y,bob,maybe\n";
/// let read = preferences::read_rows(&Source::from_bytes("p.csv", text), &Default::default())?;
/// assert!(read.rows[0].is_ok());
/// assert_eq!(read.rows[1].as_ref().unwrap_err().line, Some(3));
/// # Ok::<(), partita_formats::FormatError>(())
/// ```
pub fn read_rows(source: &Source, map: &ColumnMap) -> Result<PreferenceRows, FormatError> {
    let text = SourceText::read(source)?;
    let mut rows = Vec::new();
    let read = for_each_row(&text, map, |row| {
        rows.push(row);
        Ok(())
    });
    let unfilled = read.map_err(|error| prefer_preferences_mismatch_error(source, map, error))?;
    Ok(PreferenceRows {
        rows,
        unfilled,
        warnings: text.warning.into_iter().collect(),
    })
}

/// Parses a time: seconds since 1970, ISO 8601, `2010-04-14 18:29:32`, or Mechanical Turk's
/// `Wed Apr 14 18:29:32 GMT 2010`. A time without a zone is UTC. Returns seconds since 1970, or
/// `None` for another format.
pub fn parse_timestamp(text: &str) -> Option<f64> {
    timestamp::parse_timestamp(text)
}

/// Reads a table of preferences. The first invalid row is an error.
pub fn read(
    source: &Source,
    options: &PreferencesReadOptions,
) -> Result<PreferencesFile, FormatError> {
    let read = read_file(source, options);
    read.map_err(|error| prefer_preferences_mismatch_error(source, &options.map, error))
}

/// Replaces an error by one that names the actual kind of file, if the file does not hold
/// preferences. Results of Mechanical Turk count as preferences if a column map is given.
fn prefer_preferences_mismatch_error(
    source: &Source,
    map: &ColumnMap,
    error: FormatError,
) -> FormatError {
    if !map.is_empty() && FileKind::detect(source) == Some(FileKind::Turk) {
        return error;
    }
    prefer_mismatch_error(FileKind::Preferences, source, error)
}

/// Returns true if a header names the columns of two items and an answer.
pub(crate) fn has_pair_headings(header: &InputRow<'_>) -> bool {
    Columns::find(header, &ColumnMap::default()).is_ok()
}

/// Reads a file of preferences and separates first answers from repeated ones.
fn read_file(
    source: &Source,
    options: &PreferencesReadOptions,
) -> Result<PreferencesFile, FormatError> {
    let text = SourceText::read(source)?;
    let mut warnings: Vec<Warning> = text.warning.clone().into_iter().collect();
    let mut read = ParsedRows::default();
    let default_query = match &options.queries[..] {
        [only] => only,
        _ => source.stem(),
    };
    let unfilled = for_each_row(&text, &options.map, |row| {
        read.add(default_query, row?);
        Ok(())
    })?;
    let ParsedRows { names, mut rows } = read;
    if unfilled > 0 {
        warnings.push(unfilled_rows_warning(source.name(), unfilled));
    }
    if rows.is_empty() && unfilled > 0 {
        return Err(source.error(diagnostic!(NoRows: "every answer is blank")));
    }
    if rows.is_empty() {
        return Err(source.no_rows_error("answer"));
    }
    for query in &options.queries {
        let is_it = |row: &ParsedRow| names.name(row.query) == query;
        if !rows.iter().any(is_it) {
            return Err(source
                .error(diagnostic!(UnknownQueries { query }: "no answer is to query `{query}`")));
        }
    }
    let wanted = |row: &ParsedRow| {
        options
            .queries
            .iter()
            .any(|query| query == names.name(row.query))
    };
    rows.retain(|row| options.queries.is_empty() || wanted(row));
    let batches = assign_batches(source, &names, &rows, options.batch_gap)?;
    let mut file = PreferencesFile {
        preferences: Preferences::new(),
        batches: batches.records,
        backgrounds: Vec::new(),
        clips: Vec::new(),
        repeats: Preferences::new(),
        warnings: Vec::new(),
    };
    let (mut blanks, mut repeated) = (WarningCounter::default(), WarningCounter::default());
    let mut numbers: HashMap<Item, usize> = HashMap::new();
    for (row, &batch) in rows.iter().zip(&batches.batch_of_row) {
        let line = row.line;
        let Some(answer) = row.answer else {
            blanks.add(line, String::new);
            continue;
        };
        let query = names.name(row.query);
        let given = Vote {
            a: names.name(row.a),
            b: names.name(row.b),
            assessor: names.name(row.assessor),
            preference: answer,
            seconds: row.seconds,
            batch,
        };
        match file.preferences.add(query, given) {
            Ok(()) => {
                let next = numbers.len();
                let query = *numbers.entry(row.query).or_insert(next);
                if query == next {
                    file.clips.push(Vec::new());
                }
                file.clips[query].push(row.clips);
            }
            Err(error @ PreferenceError::RepeatedVote { .. }) => {
                repeated.add(line, || error.to_string());
                // Keep only the first repeated answer: adding a further one fails.
                let _ = file.repeats.add(query, given);
            }
            Err(error) => {
                let problem = diagnostic!(Contradiction { error }: "{error}");
                let error = source.error(problem).at_line(line);
                return Err(error.with_remedy("a question has two different items"));
            }
        }
    }
    if file.preferences.is_empty() {
        return Err(source.error(diagnostic!(NoRows: "every answer is blank")));
    }
    warnings.extend(blanks.warning(
        source.name(),
        |count, _| diagnostic!(UncountedAnswers { count }: "blank answers that do not count: {count}"),
    ));
    warnings.extend(repeated.warning(source.name(), |count, first| {
        diagnostic!(UncountedAnswers { count, first }:
            "answers that do not count, since the same person answered before: {count} ({first})")
    }));
    file.warnings = warnings;
    file.backgrounds = assessor_backgrounds(&file.preferences, &names, &rows);
    Ok(file)
}

/// Returns the background that each assessor stated first, indexed by assessor number.
fn assessor_backgrounds(
    preferences: &Preferences,
    names: &Names,
    rows: &[ParsedRow],
) -> Vec<Option<String>> {
    let mut found = vec![None; preferences.assessors().len()];
    for row in rows {
        let who = preferences.assessors().get(names.name(row.assessor));
        if let (Some(who), Some(value)) = (who, row.background) {
            found[who.index()].get_or_insert_with(|| names.name(value).to_owned());
        }
    }
    found
}

/// Creates the warning about `count` rows that are not filled in.
pub fn unfilled_rows_warning(file: &str, count: usize) -> Warning {
    let problem =
        diagnostic!(LeftOut { count }: "rows without an answer, which are passed over: {count}");
    Warning::in_file(file, problem)
}

/// Calls `visit` with every filled-in row, or with its error if it is invalid. Returns the number
/// of rows that are not filled in.
fn for_each_row(
    text: &SourceText<'_>,
    map: &ColumnMap,
    mut visit: impl FnMut(Result<AnswerRow, FormatError>) -> Result<(), FormatError>,
) -> Result<usize, FormatError> {
    let table = Table::new(text)?;
    let header = table.header();
    if map.is_empty() && (table.separator == Separator::Blanks || is_headerless_row(&header.fields))
    {
        return read_headerless_rows(&table, visit).map(|()| 0);
    }
    let columns = Columns::find(&header, map)?;
    let answer_column = columns
        .index_of(ColumnRole::Answer)
        .expect("Columns::find requires a column of answers");
    let words = AnswerVocabulary::new(map, &header.fields[answer_column]);
    let has = |names: &[&str]| {
        names
            .iter()
            .all(|name| header.column_index(&[name]).is_some())
    };
    // A header with these columns is taken for that of a question sheet.
    let is_sheet = has(&["pair", "votes", "state"]) || has(&["question"]);
    let mut unfilled = 0;
    for found in table.rows() {
        let filled = |row: &InputRow<'_>, role| row.non_empty(columns.index_of(role)).is_some();
        let is_unfilled = |row: &InputRow<'_>| {
            let named = columns.index_of(ColumnRole::Assessor).is_none()
                || filled(row, ColumnRole::Assessor);
            !filled(row, ColumnRole::Answer) && (is_sheet || !named)
        };
        if found.as_ref().is_ok_and(is_unfilled) {
            unfilled += 1;
            continue;
        }
        visit(found.and_then(|found| parse_row(&columns, &words, &found)))?;
    }
    Ok(unfilled)
}

/// Parses a row of a table of preferences with a header.
fn parse_row(
    columns: &Columns,
    words: &AnswerVocabulary,
    row: &InputRow<'_>,
) -> Result<AnswerRow, FormatError> {
    let filled = |role| row.non_empty(columns.index_of(role));
    let needed = |role: ColumnRole| {
        let found = filled(role).map(str::to_owned);
        let missing = || diagnostic!(MissingValue { what = role.name() }: "there is no {what}");
        found.ok_or_else(|| row.line.error(missing()))
    };
    let stated = |role: ColumnRole| columns.index_of(role).map(|_| needed(role)).transpose();
    let query = stated(ColumnRole::Query)?;
    let (a, b) = (needed(ColumnRole::A)?, needed(ColumnRole::B)?);
    let assessor = stated(ColumnRole::Assessor)?;
    let answer = match filled(ColumnRole::Answer) {
        None => None,
        Some(value) => Some(words.parse_answer(value, &a, &b).map_err(|ambiguous| {
            let found = shorten(value);
            let (problem, remedy) = if ambiguous {
                let problem = diagnostic!(NotAnAnswer { found }:
                    "the answer `{found}` is the name of an item and the word for the other one");
                (
                    problem,
                    "{map first=a,second=b} if answers are sides, {map first=left,second=right} \
                           if they are names of items",
                )
            } else {
                let problem = diagnostic!(NotAnAnswer { found }:
                    "an answer is `a`, `b` or `equal`, not `{found}`");
                (
                    problem,
                    "{map first=...,second=...,equal=...} says what the answers are called",
                )
            };
            row.line.error(problem).with_remedy(Remedy::parse(remedy))
        })?),
    };
    let duration = |role: ColumnRole| row.seconds(columns.index_of(role));
    let time = |role: ColumnRole| {
        let Some(value) = filled(role) else {
            return Ok(None);
        };
        timestamp::parse_timestamp(value).map(Some).ok_or_else(|| {
            let problem = diagnostic!(NotATime { found = shorten(value) }: "`{found}` is no time");
            row.line.error(problem).with_remedy(
                "write `2010-04-14T18:29:32Z`, `Wed Apr 14 18:29:32 GMT 2010`, or seconds since 1970",
            )
        })
    };
    Ok(AnswerRow {
        position: Some(row.line.position()),
        query,
        items: vec![a, b],
        assessor,
        judgment: Judgment::Preference(answer),
        seconds: duration(ColumnRole::Seconds)?,
        batch: filled(ColumnRole::Batch).map(str::to_owned),
        asked_at: time(ColumnRole::Time)?,
        answered_at: time(ColumnRole::Ended)?,
        background: filled(ColumnRole::Background).map(str::to_owned),
        clip_seconds: duration(ColumnRole::Clips)?,
        campaign: filled(ColumnRole::Campaign).map(str::to_owned),
        id: filled(ColumnRole::Id).map(str::to_owned),
    })
}

/// Returns true if a row looks like `topic a b winner` of a table without a header: the last of
/// four columns equals the second or third.
fn is_headerless_row(columns: &[Cow<'_, str>]) -> bool {
    match columns {
        [_, a, b, winner] => winner == a || winner == b,
        _ => false,
    }
}

/// Reads rows `topic a b winner`, without assessors. A header in the first row is skipped.
fn read_headerless_rows(
    table: &Table<'_>,
    mut visit: impl FnMut(Result<AnswerRow, FormatError>) -> Result<(), FormatError>,
) -> Result<(), FormatError> {
    for (number, row) in table.all_rows().enumerate() {
        let line = row.line;
        let columns = row.expect_columns(["topic", "a", "b", "winner"]);
        let [query, a, b, winner] = columns.map_err(|error| {
            error.with_remedy(Remedy::parse(
                "another kind of file has the header `query,a,b,assessor,answer`; {map} reads any",
            ))
        })?;
        if number == 0
            && ColumnRole::Query.matches_heading(query)
            && ColumnRole::Answer.matches_heading(winner)
        {
            continue;
        }
        let (a, b, winner) = (a.as_ref(), b.as_ref(), winner.as_ref());
        let answer = match winner {
            _ if winner == a => Some(Preference::A),
            _ if winner == b => Some(Preference::B),
            "=" | "tie" | "equal" => Some(Preference::Equal),
            _ => None,
        };
        let neither = || {
            line.error(diagnostic!(NotAnAnswer { winner, a, b }:
                "the winner `{winner}` is neither `{a}` nor `{b}`"))
        };
        visit(answer.ok_or_else(neither).map(|answer| AnswerRow {
            position: Some(line.position()),
            query: Some(query.to_string()),
            ..AnswerRow::preference(a, b, Some(answer))
        }))?;
    }
    Ok(())
}
