//! People's answers to "which of these two is closer to the query?".
//!
//! | looks like | |
//! |---|---|
//! | `query,a,b,assessor,answer` | the header names the columns, in any order; `seconds`, `batch`, `time` and more are read if they are there |
//! | `left,right,winner` | the query is the file's stem; the winner is `left`, `right` or `tie` |
//! | `topic a b winner` | with or without a header; the winner is an item |
//! | any other table | a [`ColumnMap`] says which column is which |
//!
//! Without a column of batches a long pause between two times starts a new one.
//!
//! ```
//! use partita_formats::{Source, preferences};
//!
//! let file = Source::memory("p.csv", "query,a,b,assessor,answer\nq1,x,y,ann,a\nq1,x,y,bob,equal\n");
//! let read = preferences::read(&file, &preferences::ReadOptions::default())?;
//! assert_eq!(read.preferences.len(), 2);
//! # Ok::<(), partita_formats::FormatError>(())
//! ```

mod clock;
mod columns;

use std::borrow::Cow;
use std::collections::HashMap;

use partita_core::{Answer, BatchRecord, Given, PreferenceError, Preferences};

use crate::columns::Delimiter;
use crate::error::{FormatError, Tally, Warning};
use crate::source::Source;
use crate::text::{Text, shorten};

pub use columns::{ColumnMap, MapError};
use columns::{Columns, Role, Words};

/// How answers are read.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// Which column is which, where the header does not say it in our words.
    pub map: ColumnMap,
    /// The pause in seconds after which a new batch starts.
    pub batch_gap: f64,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            map: ColumnMap::default(),
            batch_gap: 3600.0,
        }
    }
}

/// Answers as they were read.
#[derive(Clone, Debug)]
pub struct PreferencesFile {
    /// The answers.
    pub preferences: Preferences,
    /// The batches, in the order of time, or of their first row.
    pub batches: Vec<BatchRecord>,
    /// What assessors say of their background, by the numbers of their names.
    pub backgrounds: Vec<Option<String>>,
    /// How many seconds the clips of each answer's question last, by the numbers of the query and of
    /// the answer.
    pub clips: Vec<Vec<Option<f64>>>,
    /// What there was to remark.
    pub warnings: Vec<Warning>,
}

/// One row of the table.
struct Row {
    query: String,
    assessor: String,
    rest: AnswerRow,
}

/// One row of a table of answers, as it stands there.
#[derive(Clone, Debug, PartialEq)]
pub struct AnswerRow {
    /// The line on which it begins, counted from 1.
    pub line: u64,
    /// The query, if a column says it.
    pub query: Option<String>,
    /// The item shown first.
    pub a: String,
    /// The item shown second.
    pub b: String,
    /// Who answered, if a column says it.
    pub assessor: Option<String>,
    /// What was answered; nothing if it was left blank.
    pub answer: Option<Answer>,
    /// How many seconds it took.
    pub seconds: Option<f64>,
    /// The name of the batch.
    pub batch: Option<String>,
    /// When the question was put, in seconds since 1970.
    pub time: Option<f64>,
    /// When it was answered.
    pub ended: Option<f64>,
    /// What the assessor says of their background.
    pub background: Option<String>,
    /// How many seconds the clips of the question last.
    pub clips: Option<f64>,
    /// The campaign that it belongs to.
    pub campaign: Option<String>,
    /// What the platform calls the answer.
    pub id: Option<String>,
}

/// The rows of a table of answers.
#[derive(Clone, Debug)]
pub struct AnswerRows {
    /// The rows, or what is wrong with each.
    pub rows: Vec<Result<AnswerRow, FormatError>>,
    /// What there was to remark.
    pub warnings: Vec<Warning>,
}

/// Reads the rows of a table of answers one by one, so that a bad one is no bar to the others.
///
/// ```
/// use partita_formats::{Source, preferences};
///
/// let text = "query,a,b,assessor,answer\nq1,x,y,ann,a\nq1,x,y,bob,maybe\n";
/// let read = preferences::read_rows(&Source::memory("p.csv", text), &Default::default())?;
/// assert!(read.rows[0].is_ok());
/// assert_eq!(read.rows[1].as_ref().unwrap_err().line, Some(3));
/// # Ok::<(), partita_formats::FormatError>(())
/// ```
pub fn read_rows(source: &Source, map: &ColumnMap) -> Result<AnswerRows, FormatError> {
    let text = Text::read(source)?;
    Ok(AnswerRows {
        rows: answer_rows(source, &text, map)?,
        warnings: text.warning.clone().into_iter().collect(),
    })
}

/// A time in any of the forms that are read, in seconds since 1970.
pub fn read_time(text: &str) -> Option<f64> {
    clock::seconds(text)
}

/// Reads answers.
pub fn read(source: &Source, options: &ReadOptions) -> Result<PreferencesFile, FormatError> {
    let text = Text::read(source)?;
    let mut warnings: Vec<Warning> = text.warning.clone().into_iter().collect();
    let rows = rows(source, &text, &options.map)?;
    if rows.is_empty() {
        let message = "there is a header and no answer after it";
        return Err(FormatError::file(source.name(), message));
    }
    let batches = batches(source, &rows, options.batch_gap)?;
    let mut file = PreferencesFile {
        preferences: Preferences::new(),
        batches: batches.records,
        backgrounds: Vec::new(),
        clips: Vec::new(),
        warnings: Vec::new(),
    };
    let (mut blanks, mut again) = (Tally::default(), Tally::default());
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    for (row, &batch) in rows.iter().zip(&batches.of_row) {
        let line = row.rest.line;
        let Some(answer) = row.rest.answer else {
            blanks.add(line, String::new);
            continue;
        };
        let given = Given {
            query: &row.query,
            a: &row.rest.a,
            b: &row.rest.b,
            assessor: &row.assessor,
            answer,
            seconds: row.rest.seconds,
            batch,
        };
        match file.preferences.add(given) {
            Ok(()) => {
                let next = numbers.len();
                let query = *numbers.entry(&row.query).or_insert(next);
                if query == next {
                    file.clips.push(Vec::new());
                }
                file.clips[query].push(row.rest.clips);
            }
            Err(error @ PreferenceError::Again { .. }) => {
                again.add(line, || error.to_string());
            }
            Err(error) => {
                return Err(FormatError::line(source.name(), line, error.to_string())
                    .hint("a question has two different items"));
            }
        }
    }
    if file.preferences.is_empty() {
        return Err(FormatError::file(source.name(), "every answer is blank"));
    }
    warnings.extend(blanks.warning(source.name(), |count, _| {
        format!("blank answers that do not count: {count}")
    }));
    warnings.extend(again.warning(source.name(), |count, first| {
        format!(
            "answers that do not count, since the same person answered before: {count} ({first})"
        )
    }));
    file.warnings = warnings;
    file.backgrounds = backgrounds(&file.preferences, &rows);
    Ok(file)
}

fn backgrounds(preferences: &Preferences, rows: &[Row]) -> Vec<Option<String>> {
    let mut found = vec![None; preferences.assessors().len()];
    for row in rows {
        if let (Some(who), Some(said)) = (
            preferences.assessors().get(&row.assessor),
            &row.rest.background,
        ) {
            found[who.index()].get_or_insert_with(|| said.clone());
        }
    }
    found
}

/// The rows, of which none may be bad.
fn rows(source: &Source, text: &Text, map: &ColumnMap) -> Result<Vec<Row>, FormatError> {
    let rows = answer_rows(source, text, map)?.into_iter().zip(1..);
    let row = |(row, number): (Result<AnswerRow, FormatError>, usize)| {
        let rest = row?;
        let query = rest.query.clone();
        let assessor = rest.assessor.clone();
        Ok(Row {
            query: query.unwrap_or_else(|| source.stem().to_owned()),
            // Where nobody is named each answer is of somebody else.
            assessor: assessor.unwrap_or_else(|| format!("#{number}")),
            rest,
        })
    };
    rows.map(row).collect()
}

fn answer_rows(
    source: &Source,
    text: &Text,
    map: &ColumnMap,
) -> Result<Vec<Result<AnswerRow, FormatError>>, FormatError> {
    let first = text
        .lines()
        .next()
        .map(|(_, line)| line)
        .unwrap_or_default();
    let delimiter = delimiter(first);
    if map.is_empty() && (delimiter == Delimiter::Blanks || is_plain(&delimiter.split(first))) {
        return plain_rows(source, text, delimiter);
    }
    let delimiter = match delimiter {
        Delimiter::Tab => b'\t',
        _ => b',',
    };
    // Comments of people span lines, so this is no matter of lines.
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .trim(csv::Trim::All)
        .comment(Some(b'#'))
        .from_reader(text.text.as_bytes());
    let unreadable = |error: csv::Error| {
        let line = error.position().map(csv::Position::line);
        let message = match error.kind() {
            csv::ErrorKind::UnequalLengths {
                expected_len, len, ..
            } => format!("expected {expected_len} columns as in the header, found {len}"),
            _ => error.to_string(),
        };
        FormatError {
            line,
            ..FormatError::file(source.name(), message)
        }
    };
    let header = reader.headers().map_err(unreadable)?.clone();
    let columns = Columns::find(source, &header, map)?;
    let called = columns.place(Role::Answer).and_then(|at| header.get(at));
    let words = Words::new(map, called.unwrap_or_default());
    let mut rows = Vec::new();
    for record in reader.records() {
        rows.push(record.map_err(unreadable).and_then(|record| {
            let line = record.position().map_or(0, csv::Position::line);
            row(source, line, &columns, &words, &record)
        }));
    }
    Ok(rows)
}

fn row(
    source: &Source,
    line: u64,
    columns: &Columns,
    words: &Words,
    record: &csv::StringRecord,
) -> Result<AnswerRow, FormatError> {
    let error = |message: String| FormatError::line(source.name(), line, message);
    let text = |role| columns.place(role).and_then(|place| record.get(place));
    let filled = |role| text(role).filter(|text| !text.is_empty());
    let needed = |role: Role| {
        let found = filled(role).map(str::to_owned);
        found.ok_or_else(|| error(format!("there is no {}", role.name())))
    };
    let stated = |role: Role| columns.place(role).map(|_| needed(role)).transpose();
    let query = stated(Role::Query)?;
    let (a, b) = (needed(Role::A)?, needed(Role::B)?);
    let assessor = stated(Role::Assessor)?;
    let answer = match filled(Role::Answer) {
        None => None,
        Some(said) => Some(words.answer(said, &a, &b).ok_or_else(|| {
            error(format!(
                "an answer is `a`, `b` or `equal`, not `{}`",
                shorten(said)
            ))
            .hint("`--map first=...,second=...,equal=...` says what the answers are called")
        })?),
    };
    let duration = |role: Role| match filled(role) {
        None => Ok(None),
        Some(said) => {
            let seconds: Option<f64> = said.parse().ok();
            let valid = seconds.filter(|seconds| seconds.is_finite() && *seconds >= 0.0);
            let refused = || {
                let said = shorten(said);
                error(format!("seconds are a number of at least 0, not `{said}`"))
            };
            valid.map(Some).ok_or_else(refused)
        }
    };
    let time = |role: Role| {
        match filled(role) {
        None => Ok(None),
        Some(said) => clock::seconds(said).map(Some).ok_or_else(|| {
            error(format!("`{}` is no time", shorten(said))).hint(
                "write `2010-04-14T18:29:32Z`, `Wed Apr 14 18:29:32 GMT 2010`, or seconds since 1970",
            )
        }),
    }
    };
    Ok(AnswerRow {
        line,
        query,
        a,
        b,
        assessor,
        answer,
        seconds: duration(Role::Seconds)?,
        batch: filled(Role::Batch).map(str::to_owned),
        time: time(Role::Time)?,
        ended: time(Role::Ended)?,
        background: filled(Role::Background).map(str::to_owned),
        clips: duration(Role::Clips)?,
        campaign: filled(Role::Campaign).map(str::to_owned),
        id: filled(Role::Id).map(str::to_owned),
    })
}

/// Whether these are the columns of a row `topic a b winner`, in which the winner is an item.
fn is_plain(columns: &[Cow<'_, str>]) -> bool {
    match columns {
        [_, a, b, winner] => winner == a || winner == b,
        _ => false,
    }
}

fn delimiter(line: &str) -> Delimiter {
    match () {
        () if line.contains('\t') => Delimiter::Tab,
        () if line.contains(',') => Delimiter::Comma,
        () => Delimiter::Blanks,
    }
}

/// `topic a b winner`, without a header and without names of people.
fn plain_rows(
    source: &Source,
    text: &Text,
    delimiter: Delimiter,
) -> Result<Vec<Result<AnswerRow, FormatError>>, FormatError> {
    let mut rows = Vec::new();
    for (number, (line, row)) in text.lines().enumerate() {
        let words = delimiter.split(row);
        let [query, a, b, winner] = words.as_slice() else {
            let message = format!(
                "expected 4 columns (topic, a, b, winner), found {}",
                words.len()
            );
            return Err(FormatError::line(source.name(), line, message).hint(
                "another kind of file has the header `query,a,b,assessor,answer`; `--map` reads any",
            ));
        };
        if number == 0 && Role::Query.heads(query) && Role::Answer.heads(winner) {
            continue;
        }
        let (a, b, winner) = (a.as_ref(), b.as_ref(), winner.as_ref());
        let answer = match winner {
            _ if winner == a => Some(Answer::A),
            _ if winner == b => Some(Answer::B),
            "=" | "tie" | "equal" => Some(Answer::Equal),
            _ => None,
        };
        let neither = || {
            let message = format!("the winner `{winner}` is neither `{a}` nor `{b}`");
            FormatError::line(source.name(), line, message)
        };
        rows.push(answer.ok_or_else(neither).map(|answer| AnswerRow {
            line,
            query: Some(query.to_string()),
            a: a.to_owned(),
            b: b.to_owned(),
            assessor: None,
            answer: Some(answer),
            seconds: None,
            batch: None,
            time: None,
            ended: None,
            background: None,
            clips: None,
            campaign: None,
            id: None,
        }));
    }
    Ok(rows)
}

struct Batches {
    of_row: Vec<usize>,
    records: Vec<BatchRecord>,
}

/// Which batch each row belongs to: by its column, else by pauses in time, else the only one.
fn batches(source: &Source, rows: &[Row], gap: f64) -> Result<Batches, FormatError> {
    let named = rows.iter().any(|row| row.rest.batch.is_some());
    let timed = rows.iter().any(|row| row.rest.time.is_some());
    let mut of_row = vec![0; rows.len()];
    let mut names: Vec<String> = Vec::new();
    if named {
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        for (row, batch) in rows.iter().zip(&mut of_row) {
            let Some(name) = row.rest.batch.as_deref() else {
                let message = "there is no batch, though other rows have one";
                return Err(FormatError::line(source.name(), row.rest.line, message));
            };
            *batch = *numbers.entry(name).or_insert_with(|| {
                names.push(name.to_owned());
                names.len() - 1
            });
        }
        number_in_order(&mut names, &mut of_row);
    } else if timed {
        let mut order: Vec<(f64, usize)> = Vec::with_capacity(rows.len());
        for (index, row) in rows.iter().enumerate() {
            let Some(time) = row.rest.time else {
                let message = "there is no time, though other rows have one";
                return Err(FormatError::line(source.name(), row.rest.line, message)
                    .hint("batches are told apart by pauses; name a column of batches instead"));
            };
            order.push((time, index));
        }
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut batch = 0;
        for (at, &(time, index)) in order.iter().enumerate() {
            if at > 0 && time - order[at - 1].0 > gap {
                batch += 1;
            }
            of_row[index] = batch;
        }
        names = (1..=batch + 1).map(|number| number.to_string()).collect();
    } else {
        names.push("1".to_owned());
    }
    let mut records: Vec<BatchRecord> = (names.into_iter())
        .map(|name| BatchRecord {
            name,
            ..BatchRecord::default()
        })
        .collect();
    for (row, &batch) in rows.iter().zip(&of_row) {
        let record = &mut records[batch];
        record.returned += 1;
        record.blanks += usize::from(row.rest.answer.is_none());
        let least = |known: Option<f64>, new: f64| Some(known.map_or(new, |known| known.min(new)));
        let most = |known: Option<f64>, new: f64| Some(known.map_or(new, |known| known.max(new)));
        if let Some(time) = row.rest.time {
            record.first = least(record.first, time);
        }
        if let Some(time) = row.rest.ended.or(row.rest.time) {
            record.first_answer = least(record.first_answer, time);
            record.last = most(record.last, time);
        }
    }
    Ok(Batches { of_row, records })
}

/// Batches that are numbers come in their order, whatever the order of the rows.
fn number_in_order(names: &mut Vec<String>, of_row: &mut [usize]) {
    let numbers: Option<Vec<u64>> = names.iter().map(|name| name.parse().ok()).collect();
    let Some(numbers) = numbers else {
        return;
    };
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by_key(|&batch| numbers[batch]);
    let mut place = vec![0; names.len()];
    for (new, &old) in order.iter().enumerate() {
        place[old] = new;
    }
    of_row.iter_mut().for_each(|batch| *batch = place[*batch]);
    *names = order.iter().map(|&batch| names[batch].clone()).collect();
}
