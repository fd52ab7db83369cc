//! Tables for people: on a terminal, in a paper, on a wiki.

use partita_core::measure;
use partita_report::{Cell, Column, Table, TableFormat};

use super::EvaluateArgs;
use super::results::{Results, RunResult};
use crate::failure::Failure;

/// How many decimals a score is printed with.
const DECIMALS: usize = 4;

pub(super) fn print(
    args: &EvaluateArgs,
    results: &Results,
    format: TableFormat,
) -> Result<String, Failure> {
    let mut text = String::new();
    if args.printing.per_query {
        for run in &results.runs {
            text.push_str(&format.render(&queries(results, run)?));
            text.push('\n');
        }
    }
    if results.groups.is_some() {
        text.push_str(&format.render(&groups(results)?));
        text.push('\n');
    }
    let (table, notes) = means(args, results)?;
    // On a terminal a note a line reads best; elsewhere they belong to the table.
    if format == TableFormat::Text {
        text.push_str(&format.render(&table));
        text.push_str(&notes.join("\n"));
        text.push('\n');
    } else {
        text.push_str(&format.render(&table.with_note(notes.join(" "))));
    }
    Ok(text)
}

/// The scores of one run, a row a query.
fn queries(results: &Results, run: &RunResult) -> Result<Table, Failure> {
    let columns = std::iter::once(Column::text("Query")).chain(measure_columns(results));
    let mut table = Table::new(columns).with_caption(format!("Run {}", run.scores.run));
    for (query, (name, _)) in results.truth.iter().enumerate() {
        let missing = run.scores.missing.contains(&query);
        let name = if missing {
            format!("{name} (missing)")
        } else {
            name.to_owned()
        };
        let scores = run.scores.by_measure.iter().map(|scores| {
            let range = scores
                .extremes
                .as_ref()
                .and_then(|extremes| extremes[query]);
            score_cell(scores.scores[query], range, None)
        });
        let row: Vec<Cell> = std::iter::once(Cell::text(name)).chain(scores).collect();
        table.push(row);
    }
    Ok(table)
}

/// The means of every run over the groups of queries.
fn groups(results: &Results) -> Result<Table, Failure> {
    let first = ["Run", "Group"].map(Column::text);
    let columns = first.into_iter().chain([Column::integer("Queries")]);
    let mut table = Table::new(columns.chain(measure_columns(results)));
    for run in &results.runs {
        for group in results.group_means(run) {
            let mut row = vec![
                Cell::text(run.scores.run.clone()),
                Cell::text(group.name),
                Cell::integer(group.queries as i64),
            ];
            row.extend(group.means.iter().map(|&mean| score_cell(mean, None, None)));
            table.push(row);
        }
    }
    Ok(table)
}

/// The means of every run over all queries.
fn means(args: &EvaluateArgs, results: &Results) -> Result<(Table, Vec<String>), Failure> {
    let any_unjudged = results.runs.iter().any(|run| {
        run.scores
            .by_measure
            .iter()
            .any(|scores| scores.unjudged_documents > 0.0)
    });
    let mut columns = vec![Column::text("Run")];
    for (name, _) in &results.measures {
        columns.push(Column::number(name, DECIMALS as u8));
        if any_unjudged {
            columns.push(Column::text("unjudged").align(partita_report::Align::Right));
        }
    }
    let any_missing = results
        .runs
        .iter()
        .any(|run| !run.scores.missing.is_empty());
    if any_missing {
        columns.push(Column::integer("missing"));
    }
    let mut table = Table::new(columns);
    let best: Vec<Option<String>> = (0..results.measures.len())
        .map(|i| best(results, i))
        .collect();
    for run in &results.runs {
        let mut row = vec![Cell::text(run.scores.run.clone())];
        for (index, scores) in run.scores.by_measure.iter().enumerate() {
            let mean = scores.mean();
            let interval = run.intervals[index].map(|interval| (interval.lower, interval.upper));
            let cell = score_cell(mean, scores.extreme_means(), interval);
            let is_best = mean.is_some_and(|mean| best[index] == Some(decimals(mean)));
            row.push(if is_best { cell.emphasised() } else { cell });
            if any_unjudged {
                row.push(Cell::text(format!("{:.1}%", 100.0 * scores.unjudged_share)));
            }
        }
        if any_missing {
            row.push(Cell::integer(run.scores.missing.len() as i64));
        }
        table.push(row);
    }
    Ok((table, notes(args, results, any_unjudged)))
}

fn measure_columns(results: &Results) -> impl Iterator<Item = Column> {
    let names = results.measures.iter().map(|(name, _)| name);
    names.map(|name| Column::number(name, DECIMALS as u8))
}

/// The best mean by a measure as it is printed, where there are runs to compare.
fn best(results: &Results, index: usize) -> Option<String> {
    if results.runs.len() < 2 {
        return None;
    }
    let (name, _) = &results.measures[index];
    let higher = measure::definition_of(name).ok()?.higher_is_better?;
    let means = results
        .runs
        .iter()
        .filter_map(|run| run.scores.by_measure[index].mean());
    let best = means.reduce(|a, b| if higher { a.max(b) } else { a.min(b) })?;
    Some(decimals(best))
}

fn decimals(score: f64) -> String {
    format!("{score:.DECIMALS$}")
}

/// A score, with its range over the orders of tied documents and its interval.
fn score_cell(score: Option<f64>, range: Option<(f64, f64)>, interval: Option<(f64, f64)>) -> Cell {
    let Some(score) = score else {
        return Cell::missing();
    };
    if range.is_none() && interval.is_none() {
        return Cell::number(score);
    }
    let mut text = decimals(score);
    if let Some((low, high)) = range {
        text.push_str(&format!(" ({} to {})", decimals(low), decimals(high)));
    }
    if let Some((low, high)) = interval {
        text.push_str(&format!(" [{}, {}]", decimals(low), decimals(high)));
    }
    Cell::text(text)
}

fn notes(args: &EvaluateArgs, results: &Results, any_unjudged: bool) -> Vec<String> {
    let queries = match results.truth.len() {
        1 => "1 query".to_owned(),
        count => format!("{count} queries"),
    };
    let mut lines = vec![format!("Means over {queries}.")];
    if any_unjudged {
        lines.push(
            "Unjudged: the share of unjudged documents as deep as the measure looks.".to_owned(),
        );
    } else {
        lines.push("No document as deep as the measures look is unjudged.".to_owned());
    }
    if results
        .runs
        .iter()
        .any(|run| run.scores.by_measure.iter().any(|s| s.extremes.is_some()))
    {
        lines.push(
            "In parentheses: lowest and highest over all orders of tied documents.".to_owned(),
        );
    }
    if let Some(resampling) = &results.resampling
        && results.truth.len() > 1
    {
        lines.push(format!(
            "In brackets: {}% intervals by resampling queries {} times, seed {}.",
            100.0 * resampling.confidence,
            resampling.resamples,
            resampling.seed
        ));
    }
    lines.extend(
        results
            .measures
            .iter()
            .map(|(_, formula)| format!("{formula}.")),
    );
    if args.printing.details {
        lines.push(format!(
            "Settings: {:?}, {:?}.",
            args.scoring, args.run_reading
        ));
    }
    lines
}
