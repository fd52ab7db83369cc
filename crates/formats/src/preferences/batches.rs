//! Assignment of answers to batches.

use std::collections::HashMap;

use partita_core::{BatchRecord, Item, Names};

use super::ParsedRow;
use crate::diagnostic;
use crate::diagnostic::FormatError;
use crate::text::source::Source;

/// Index of the batch of each row, and the records of the batches.
pub(super) struct BatchAssignment {
    pub(super) of_row: Vec<usize>,
    pub(super) records: Vec<BatchRecord>,
}

/// Assigns each row to a batch: by the column of batches if there is one, else by pauses longer
/// than `gap` seconds, else to a single batch.
pub(super) fn batches(
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
    let mut of_row = vec![0; rows.len()];
    let mut names: Vec<String> = Vec::new();
    if named {
        let mut numbers: HashMap<Item, usize> = HashMap::new();
        for (row, batch) in rows.iter().zip(&mut of_row) {
            let Some(name) = row.batch else {
                return Err(absent("batch", row.line));
            };
            *batch = *numbers.entry(name).or_insert_with(|| {
                names.push(texts.name(name).to_owned());
                names.len() - 1
            });
        }
        number_in_order(&mut names, &mut of_row);
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
    let by_question = is_by_question(rows);
    for (row, &batch) in rows.iter().zip(&of_row) {
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
    Ok(BatchAssignment { of_row, records })
}

/// Returns true if the times belong to questions rather than answers: all answers to the same
/// question have the same time, and some question has several answers. The times of the answers are
/// unknown then.
fn is_by_question(rows: &[ParsedRow]) -> bool {
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

/// Renumbers the batches in ascending numerical order if all their names are numbers. Otherwise
/// they stay in the order of the rows.
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
