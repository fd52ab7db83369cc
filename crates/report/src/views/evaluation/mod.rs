//! View of an evaluation of runs.

mod csv;
mod remarks;
mod trec_eval;

pub use remarks::remark_text;

use std::collections::HashMap;
use std::io::{self, Write};

use partita_core::evaluation::{
    Evaluation, EvaluationSettings, MeanInterval, PerQueryScores, RunEvaluation,
};
use partita_core::measure;
use partita_formats::scores;
use partita_named::NamedEnum;

use crate::phrases::{count_noun, list_names};
use crate::table::{integer, number, right, text};
use crate::{Cell, Column, ColumnSet, Document, Table, View};

/// Number of decimals of a score in tables.
const SCORE_DECIMALS: u8 = 4;

/// Maximum number of run names listed in a sentence.
const MAX_LISTED_RUNS: usize = 8;

/// Name shown for the stratum of queries that have none.
const NO_STRATUM: &str = "no stratum";

/// View of an evaluation, with the scores of every query if `per_query` is set.
#[derive(Clone, Copy, Debug)]
pub struct EvaluationView<'a> {
    /// Scores of all runs by all measures.
    pub result: &'a Evaluation,
    /// True to show the scores of all queries.
    pub per_query: bool,
    /// True to show the settings of the evaluation.
    pub with_settings: bool,
}

impl View for EvaluationView<'_> {
    /// Writes `run,query,measure,value`, where the query of a mean is `all`; plus `lower,upper` if
    /// there are intervals, and `stratum` if there are strata of queries. The last column, `kind`, is
    /// `query` or `mean`.
    fn write_csv(&self, writer: &mut dyn Write) -> io::Result<()> {
        csv::write(self.result, self.per_query, writer)
    }

    /// Returns the table of means with a row per run, then tables with runs side by side: means per
    /// stratum if there are strata, and the scores of all queries if `per_query` is set.
    fn document(&self) -> Document {
        let result = self.result;
        let mut document = Document::new()
            .table(means_table(result))
            .notes(notes(result));
        if self.with_settings {
            document = document.note(settings_text(&result.settings));
        }
        let measures = 0..result.measures.len();
        if !result.strata.is_empty() {
            document = document.tables(
                measures
                    .clone()
                    .map(|measure| strata_table(result, measure)),
            );
        }
        if self.per_query {
            document = document.tables(measures.map(|measure| queries_table(result, measure)));
        }
        document
    }
}

impl EvaluationView<'_> {
    /// Writes the scores by one measure, with a row per query and a column per run, as input for
    /// `compare`.
    ///
    /// # Errors
    /// Returns the I/O error if writing fails.
    ///
    /// # Panics
    /// Panics if there is no measure with this index.
    pub fn write_matrix(&self, measure: usize, writer: &mut dyn Write) -> io::Result<()> {
        let (runs, stratum_of) = (&self.result.runs, stratum_of(self.result));
        let systems: Vec<&str> = runs.iter().map(|run| run.run.as_str()).collect();
        let queries: &[String] = runs.first().map_or(&[], |run| run.per_query.queries());
        let rows = queries.iter().enumerate().map(|(number, query)| {
            let stratum = stratum_of.get(query.as_str()).copied();
            let scores = runs.iter();
            let scores = scores.map(|run| run.per_query.column(measure)[number]);
            (query.as_str(), stratum, scores.collect())
        });
        scores::write_matrix(writer, &systems, !stratum_of.is_empty(), rows)
    }

    /// Writes `measure query value` like trec_eval: with trec_eval's names where it has one, its
    /// means over the queries of a run if missing queries are ignored, and its counts if they were
    /// computed.
    ///
    /// # Errors
    /// Returns the I/O error if writing fails.
    pub fn write_trec_eval(&self, writer: &mut dyn Write) -> io::Result<()> {
        trec_eval::write(self.result, self.per_query, writer)
    }
}

/// Maps each query to its stratum, which is empty for a query without one; the map is empty if
/// there are no strata.
fn stratum_of(result: &Evaluation) -> HashMap<&str, &str> {
    let strata = result.strata.iter().flat_map(|stratum| {
        let name = stratum.stratum.as_deref().unwrap_or("");
        let queries = stratum.queries.iter();
        queries.map(move |query| (query.as_str(), name))
    });
    strata.collect()
}

/// Returns the confidence interval of a run's mean by a measure, if it was computed.
fn interval(run: &RunEvaluation, measure: &str) -> Option<MeanInterval> {
    run.interval.as_ref()?.get(measure).copied().flatten()
}

/// Returns the means of the lowest and the highest scores over all orders of tied documents; `None`
/// if they were not computed.
fn bounds(run: &RunEvaluation, measure: &str) -> Option<(f64, f64)> {
    let low = run.min.as_ref()?.get(measure).copied().flatten()?;
    let high = run.max.as_ref()?.get(measure).copied().flatten()?;
    Some((low, high))
}

/// Creates a table of the scores by one measure, with a column per run.
fn side_by_side(
    result: &Evaluation,
    measure: usize,
    first: impl IntoIterator<Item = Column>,
) -> Table {
    let runs = result.runs.iter();
    let runs = runs.map(|run| number(&run.run, SCORE_DECIMALS));
    Table::new(first.into_iter().chain(runs)).with_caption(&result.measures[measure])
}

/// Returns one cell per run: its mean by a measure over all queries.
fn mean_cells(result: &Evaluation, measure: usize) -> impl Iterator<Item = Cell> {
    let name = &result.measures[measure];
    let best = best_mean(result, name);
    let runs = result.runs.iter();
    runs.map(move |run| mean_cell(run, name, best.as_deref()))
}

/// Returns the table of the scores of all queries by a measure, with a column per run.
fn queries_table(result: &Evaluation, measure: usize) -> Table {
    let mut table = side_by_side(result, measure, [text("Query")]);
    let all: &[String] = (result.runs.first()).map_or(&[], |run| run.per_query.queries());
    for (number, query) in all.iter().enumerate() {
        let scores = result.runs.iter().map(|run| {
            let of = |scores: &PerQueryScores| scores.column(measure)[number];
            let bound = |scores: &Option<PerQueryScores>| scores.as_ref().and_then(of);
            let range = bound(&run.per_query_min).zip(bound(&run.per_query_max));
            score_cell(of(&run.per_query), range, None)
        });
        table.push([query.into()].into_iter().chain(scores));
    }
    table.push_rule();
    table.push(
        ["mean".into()]
            .into_iter()
            .chain(mean_cells(result, measure)),
    );
    table
}

/// Returns the table of the means per stratum of queries by a measure, with a column per run.
fn strata_table(result: &Evaluation, measure: usize) -> Table {
    let first = [text("Stratum"), integer("Queries")];
    let mut table = side_by_side(result, measure, first);
    let name = &result.measures[measure];
    for (number, stratum) in result.strata.iter().enumerate() {
        let means = result.runs.iter().map(|run| {
            let mean = run.strata[number].mean.get(name).copied().flatten();
            score_cell(mean, None, None)
        });
        let called = stratum.stratum.as_deref().unwrap_or(NO_STRATUM);
        let first = [called.into(), stratum.queries.len().into()];
        table.push(first.into_iter().chain(means));
    }
    table.push_rule();
    let all = result
        .strata
        .iter()
        .map(|stratum| stratum.queries.len())
        .sum::<usize>();
    let first = ["all".into(), all.into()];
    table.push(first.into_iter().chain(mean_cells(result, measure)));
    table
}

/// Returns the table of the means of every run over all queries, with a column per measure.
fn means_table(result: &Evaluation) -> Table {
    let mut columns = ColumnSet::<RunEvaluation>::new();
    columns = columns.table_field(text("Run"), |run| run.run.clone());
    for name in &result.measures {
        let best = best_mean(result, name);
        columns = columns.table_field(number(name, SCORE_DECIMALS), move |run| {
            mean_cell(run, name, best.as_deref())
        });
    }
    for (header, measure) in unjudged_columns(result) {
        columns = columns.table_field(right(header), move |run| {
            let share = run.unjudged.get(measure).copied().unwrap_or(0.0);
            format!("{:.1}%", 100.0 * share)
        });
    }
    let any_missing = result.runs.iter().any(|run| !run.missing.is_empty());
    columns
        .add_if(any_missing, |columns| {
            columns.table_field(integer("missing"), |run| run.missing.len())
        })
        .to_table(&result.runs)
}

/// Returns the columns that show the share of unjudged documents: header, and name of the measure
/// whose share is shown. There is one column per cut-off, a single column if all shares are equal,
/// and none if all documents are judged. Of the measures with the same cut-off, or without one, the
/// one with the most unjudged documents is shown.
fn unjudged_columns(result: &Evaluation) -> Vec<(String, &str)> {
    if !any_unjudged(result) {
        return Vec::new();
    }
    let documents = |name: &str| -> f64 {
        let counts = result.runs.iter();
        counts
            .filter_map(|run| run.unjudged_documents.get(name))
            .sum()
    };
    let mut columns: Vec<(String, &str)> = Vec::new();
    for name in &result.measures {
        let header = match name.rsplit_once('@') {
            Some((_, depth)) => format!("unjudged@{depth}"),
            None => "unjudged".to_owned(),
        };
        match columns.iter_mut().find(|(known, _)| *known == header) {
            Some((_, deepest)) if documents(name) > documents(deepest) => *deepest = name,
            Some(_) => {}
            None => columns.push((header, name)),
        }
    }
    let shares = |name: &str| -> Vec<Option<f64>> {
        let runs = result.runs.iter();
        runs.map(|run| run.unjudged.get(name).copied()).collect()
    };
    let first = columns[0].1;
    if columns
        .iter()
        .all(|(_, name)| shares(name) == shares(first))
    {
        return vec![("unjudged".to_owned(), first)];
    }
    columns
}

fn any_unjudged(result: &Evaluation) -> bool {
    let runs = result.runs.iter();
    let mut documents = runs.flat_map(|run| run.unjudged_documents.iter());
    documents.any(|(_, count)| *count > 0.0)
}

/// Returns the cell of a run's mean by a measure, emphasised if its text equals `best`.
fn mean_cell(run: &RunEvaluation, name: &str, best: Option<&str>) -> Cell {
    let mean = run.mean.get(name).copied().flatten();
    let cell = score_cell(mean, bounds(run, name), interval(run, name));
    let is_best = mean.is_some_and(|mean| best == Some(&format_score(mean)));
    if is_best { cell.with_emphasis() } else { cell }
}

/// Returns the best mean by a measure as it is displayed; `None` if there is only one run, no mean,
/// or no better direction of the measure.
fn best_mean(result: &Evaluation, name: &str) -> Option<String> {
    if result.runs.len() < 2 {
        return None;
    }
    let definition =
        measure::parse_definition(name).expect("the names of evaluated measures are valid");
    let higher = definition.higher_is_better?;
    let runs = result.runs.iter();
    let means = runs.filter_map(|run| run.mean.get(name).copied().flatten());
    let best = means.reduce(|a, b| if higher { a.max(b) } else { a.min(b) })?;
    Some(format_score(best))
}

/// Formats a score with four decimals.
fn format_score(score: f64) -> String {
    format!("{score:.*}", usize::from(SCORE_DECIMALS))
}

/// Returns the cell of a score, with its range over orders of tied documents and its confidence
/// interval if they are known.
fn score_cell(score: Option<f64>, range: Option<(f64, f64)>, ends: Option<MeanInterval>) -> Cell {
    let Some(score) = score else {
        return Cell::missing();
    };
    if range.is_none() && ends.is_none() {
        return Cell::number(score);
    }
    let mut text = format_score(score);
    if let Some((low, high)) = range {
        text += &format!(" ({} to {})", format_score(low), format_score(high));
    }
    if let Some(ends) = ends {
        text += &format!(
            " [{}, {}]",
            format_score(ends.lower),
            format_score(ends.upper)
        );
    }
    text.into()
}

/// Returns a note on the number of queries behind the means, per run if the numbers differ: those
/// with a score by the first measure, and those for which it is undefined.
fn query_count_note(result: &Evaluation) -> String {
    let scored = |run: &RunEvaluation| {
        let undefined = result.measures.first();
        let undefined = undefined.and_then(|measure| run.undefined.get(measure));
        let scores = run.per_query.column(0).iter().flatten();
        scores.count() + undefined.map_or(0, Vec::len)
    };
    let all = result.runs.first().map_or(0, |run| run.queries);
    let mut each = result.runs.iter().map(scored);
    let first = each.next().unwrap_or(0);
    if each.all(|queries| queries == first) {
        let of = if first < all {
            format!("{first} of ")
        } else {
            String::new()
        };
        return format!("Means over {of}{}.", count_noun(all, "query", "queries"));
    }
    let each = |run: &RunEvaluation| format!("{} {}", run.run, scored(run));
    let each: Vec<String> = result.runs.iter().map(each).collect();
    let each = list_names(&each, MAX_LISTED_RUNS);
    format!("Means over the queries that each run has, of {all}: {each}.")
}

/// Returns the notes below the tables.
fn notes(result: &Evaluation) -> Vec<String> {
    let queries = result.runs.first().map_or(0, |run| run.queries);
    let unjudged = if any_unjudged(result) {
        "Unjudged: the share of unjudged documents as deep as the measure looks."
    } else {
        "No document as deep as the measures look is unjudged."
    };
    let mut notes = vec![query_count_note(result), unjudged.to_owned()];
    if result.runs.iter().any(|run| run.min.is_some()) {
        let note = "In parentheses: lowest and highest over all orders of tied documents.";
        notes.push(note.to_owned());
    }
    let settings = &result.settings;
    let resampled = settings.confidence.zip(settings.resamples);
    if let Some((confidence, resamples)) = resampled.filter(|_| queries > 1) {
        let (percent, seed) = (100.0 * confidence, settings.seed);
        notes.push(format!(
            "In brackets: {percent}% intervals by resampling queries {resamples} times, seed {seed}."
        ));
    }
    let formulas = result.formulas.iter();
    notes.extend(formulas.map(|(_, formula)| format!("{formula}.")));
    notes
}

/// Returns the settings of an evaluation as text.
pub fn settings_text(settings: &EvaluationSettings) -> String {
    /// Formats a setting and its chosen value.
    fn setting_text<T: NamedEnum>(what: &str, choice: T) -> String {
        format!("{what} {} ({})", choice.name(), choice.summary())
    }
    let yes = |flag: bool| if flag { "yes" } else { "no" };
    let mut parts = Vec::new();
    if let Some(reading) = &settings.input {
        let keep_zero = yes(reading.keep_zero);
        parts.extend([
            format!("truth {}", reading.truth),
            format!("grades of 0 kept as a group {keep_zero}"),
            setting_text("order", reading.order),
            setting_text("ties", reading.ties),
            setting_text("score precision", reading.score_precision),
        ]);
    }
    parts.extend([
        setting_text("scale", settings.scale),
        setting_text("missing queries", settings.missing),
        setting_text("queries without anything relevant", settings.no_relevant),
        format!("judged documents only {}", yes(settings.judged_only)),
    ]);
    let method = settings.interval_method;
    parts.extend(method.map(|method| setting_text("intervals", method)));
    parts.push(format!("seed {}", settings.seed));
    format!("Settings: {}.", parts.join("; "))
}
