//! Assignment of the rows of a table of preferences to batches: groups of questions asked together.

use std::collections::HashMap;

use partita_core::{BatchRecord, Item, Names};

use super::ParsedRow;
use crate::diagnostic;
use crate::diagnostic::FormatError;
use crate::text::source::Source;

/// Index of the batch of each row, and a description of each batch.
pub(super) struct BatchAssignment {
    pub(super) batch_of_row: Vec<usize>,
    pub(super) records: Vec<BatchRecord>,
}

/// Assigns each row to a batch: by the column of batches if there is one, else by pauses longer
/// than `gap` seconds between two questions, else all rows to one batch.
pub(super) fn assign_batches(
    source: &Source,
    texts: &Names,
    rows: &[ParsedRow],
    gap: f64,
) -> Result<BatchAssignment, FormatError> {
    let absent = |what: &str, line: u64| {
        let problem = diagnostic!(MissingValue { what }:
            "there is no {what}, though other rows have one");
        source.error(problem).at_line(line)
    };
    let named = rows.iter().any(|row| row.batch.is_some());
    let timed = rows.iter().any(|row| row.time.is_some());
    let mut batch_of_row = vec![0; rows.len()];
    let mut names: Vec<String> = Vec::new();
    if named {
        let mut numbers: HashMap<Item, usize> = HashMap::new();
        for (row, batch) in rows.iter().zip(&mut batch_of_row) {
            let Some(name) = row.batch else {
                return Err(absent("batch", row.line));
            };
            *batch = *numbers.entry(name).or_insert_with(|| {
                names.push(texts.name(name).to_owned());
                names.len() - 1
            });
        }
        sort_numeric_batches(&mut names, &mut batch_of_row);
    } else if timed {
        let mut order: Vec<(f64, usize)> = Vec::with_capacity(rows.len());
        for (index, row) in rows.iter().enumerate() {
            let Some(time) = row.time else {
                let remedy = "a pause starts a new batch; name a column of batches instead";
                return Err(absent("time", row.line).with_remedy(remedy));
            };
            order.push((time, index));
        }
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut batch = 0;
        for (at, &(time, index)) in order.iter().enumerate() {
            if at > 0 && time - order[at - 1].0 > gap {
                batch += 1;
            }
            batch_of_row[index] = batch;
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
    let by_question = has_question_times(rows);
    for (row, &batch) in rows.iter().zip(&batch_of_row) {
        let record = &mut records[batch];
        record.rows += 1;
        record.blanks += usize::from(row.answer.is_none());
        let ended = row.ended.or(row.time.filter(|_| !by_question));
        let either = |known: Option<f64>, new, choose: fn(f64, f64) -> f64| {
            known.into_iter().chain(new).reduce(choose)
        };
        record.first_asked_at = either(record.first_asked_at, row.time, f64::min);
        record.first_answered_at = either(record.first_answered_at, ended, f64::min);
        record.last_answered_at = either(record.last_answered_at, ended, f64::max);
    }
    Ok(BatchAssignment {
        batch_of_row,
        records,
    })
}

/// Returns true if the times are those at which questions were asked, not answered: all answers to
/// the same question have the same time, and some question has several answers.
fn has_question_times(rows: &[ParsedRow]) -> bool {
    let mut times: HashMap<[Item; 3], Option<f64>> = HashMap::new();
    let mut several = false;
    for row in rows {
        let question = [row.query, row.a.min(row.b), row.a.max(row.b)];
        if let Some(known) = times.insert(question, row.time) {
            several = true;
            if known != row.time {
                return false;
            }
        }
    }
    several
}

/// Sorts the batches by number if all their names are whole numbers, and renumbers the rows
/// accordingly. Otherwise the batches stay in the order of their first rows.
fn sort_numeric_batches(names: &mut Vec<String>, batch_of_row: &mut [usize]) {
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
    batch_of_row
        .iter_mut()
        .for_each(|batch| *batch = place[*batch]);
    *names = order.iter().map(|&batch| names[batch].clone()).collect();
}
