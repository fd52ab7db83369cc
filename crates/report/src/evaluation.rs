//! How an evaluation is shown.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};

use partita_core::evaluation::{
    Evaluation, MeanInterval, MissingQueries, NoRelevant, PerQuery, Remark, RunEvaluation, Settings,
};
use partita_core::measure::{self, trec_eval_name};
use partita_formats::CsvWriter;
use partita_stats::named::Named;

use crate::words::{count, some};
use crate::{Align, Cell, Column, Document, Present, Table};

/// How many decimals a score is shown with.
const DECIMALS: u8 = 4;

/// What queries are called that no group holds.
const NO_GROUP: &str = "no group";

/// An evaluation, with the score of every query if `per_query`, and its settings if `details`.
#[derive(Clone, Copy, Debug)]
pub struct EvaluationView<'a> {
    /// The evaluation.
    pub result: &'a Evaluation,
    /// Whether the scores of all queries are shown.
    pub per_query: bool,
    /// Whether the settings are shown.
    pub details: bool,
}

impl Present for EvaluationView<'_> {
    /// `run,query,measure,value`, the query of a mean being `all`; with `lower,upper` where there are
    /// intervals, and `group` where there are groups of queries.
    fn csv(&self, place: &mut dyn Write) -> io::Result<()> {
        let mut rows = Rows::new(self.result, place)?;
        for run in &self.result.runs {
            if self.per_query {
                rows.queries(run)?;
            }
            rows.means(run)?;
        }
        rows.writer.finish()?;
        Ok(())
    }

    fn document(&self) -> Document {
        let result = self.result;
        let mut document = Document::new();
        if self.per_query {
            for run in &result.runs {
                document = document.table(queries(result, run));
            }
        }
        if !result.groups.is_empty() {
            document = document.table(groups(result));
        }
        let document = document.table(means(result)).notes(notes(result));
        if self.details {
            document.note(settings(&result.settings))
        } else {
            document
        }
    }
}

impl EvaluationView<'_> {
    /// Writes `measure query value`, as trec_eval prints them: under its names where it has one, its
    /// means over the queries that a run has where the others are left out.
    ///
    /// # Errors
    /// When the place cannot be written to.
    pub fn trec_eval(&self, place: &mut dyn Write) -> io::Result<()> {
        let mut place = io::BufWriter::new(place);
        let mut line = |measure: &str, query: &str, value: &str| {
            writeln!(place, "{measure:<22}\t{query}\t{value}")
        };
        let theirs = |measure: &String| trec_eval_name(measure).unwrap_or_else(|| measure.clone());
        let names: Vec<String> = self.result.measures.iter().map(theirs).collect();
        for run in &self.result.runs {
            let all = run.per_query.queries().iter().enumerate();
            for (number, query) in all.take_while(|_| self.per_query) {
                for (index, name) in names.iter().enumerate() {
                    if let Some(score) = run.per_query.column(index)[number] {
                        line(name, query, &format!("{score:.4}"))?;
                    }
                }
            }
            let left_out = match self.result.settings.missing {
                MissingQueries::Skip => run.missing.len(),
                MissingQueries::Empty => 0,
            };
            line("runid", "all", &run.run)?;
            line("num_q", "all", &(run.queries - left_out).to_string())?;
            for (name, (_, mean)) in names.iter().zip(run.mean.iter()) {
                if let Some(mean) = mean {
                    line(name, "all", &format!("{mean:.4}"))?;
                }
            }
        }
        place.flush()
    }
}

/// The rows of CSV, written as they are made: there may be many.
struct Rows<'a> {
    result: &'a Evaluation,
    writer: CsvWriter<&'a mut dyn Write>,
    group_of: HashMap<&'a str, &'a str>,
    /// The measures, with those of the lowest and highest scores over the orders of tied documents.
    bounds: Vec<[String; 2]>,
    value: Vec<u8>,
}

impl<'a> Rows<'a> {
    fn new(result: &'a Evaluation, place: &'a mut dyn Write) -> io::Result<Self> {
        let mut writer = CsvWriter::new(place);
        let mut header = vec!["run", "query", "measure", "value"];
        if result.settings.confidence.is_some() {
            header.extend(["lower", "upper"]);
        }
        if !result.groups.is_empty() {
            header.push("group");
        }
        writer.row(header)?;
        let groups = result.groups.iter().flat_map(|group| {
            let name = group.group.as_deref().unwrap_or("");
            group
                .queries
                .iter()
                .map(move |query| (query.as_str(), name))
        });
        let bounds = result
            .measures
            .iter()
            .map(|name| ["min", "max"].map(|end| format!("{name}:{end}")));
        Ok(Self {
            result,
            writer,
            group_of: groups.collect(),
            bounds: bounds.collect(),
            value: Vec::new(),
        })
    }

    fn queries(&mut self, run: &RunEvaluation) -> io::Result<()> {
        let result = self.result;
        for (number, query) in run.per_query.queries().iter().enumerate() {
            let group = self.group_of.get(query.as_str()).copied().unwrap_or("");
            for (index, measure) in result.measures.iter().enumerate() {
                let of = |scores: &PerQuery| scores.column(index)[number];
                let bound = |scores: &Option<PerQuery>| scores.as_ref().and_then(of);
                let bounds = [bound(&run.per_query_min), bound(&run.per_query_max)];
                let place = (run.run.as_str(), query.as_str(), group);
                self.score(place, measure, of(&run.per_query), None)?;
                self.bounds(place, index, bounds)?;
            }
        }
        Ok(())
    }

    fn means(&mut self, run: &RunEvaluation) -> io::Result<()> {
        for group in &run.groups {
            let place = (
                run.run.as_str(),
                "all",
                group.group.as_deref().unwrap_or(NO_GROUP),
            );
            for (measure, mean) in group.mean.iter() {
                self.score(place, measure, *mean, None)?;
            }
        }
        let place = (run.run.as_str(), "all", "");
        for (index, (measure, mean)) in run.mean.iter().enumerate() {
            self.score(place, measure, *mean, interval(run, measure))?;
            let (low, high) = bounds(run, measure).unzip();
            self.bounds(place, index, [low, high])?;
        }
        Ok(())
    }

    fn bounds(
        &mut self,
        place: (&str, &str, &str),
        index: usize,
        bounds: [Option<f64>; 2],
    ) -> io::Result<()> {
        for (end, bound) in bounds.into_iter().enumerate() {
            // The name is borrowed from beside the writer, so it is taken out while that writes.
            let name = std::mem::take(&mut self.bounds[index][end]);
            self.score(place, &name, bound, None)?;
            self.bounds[index][end] = name;
        }
        Ok(())
    }

    fn score(
        &mut self,
        (run, query, group): (&str, &str, &str),
        measure: &str,
        value: Option<f64>,
        interval: Option<MeanInterval>,
    ) -> io::Result<()> {
        let Some(value) = value else {
            return Ok(());
        };
        self.value.clear();
        write!(self.value, "{value}")?;
        let ends = interval.map(|ends| [ends.lower.to_string(), ends.upper.to_string()]);
        let [lower, upper] = ends.unwrap_or_default();
        let row = [run, query, measure].map(str::as_bytes).into_iter();
        let row = row.chain([self.value.as_slice()]);
        let ends = [lower.as_bytes(), upper.as_bytes()].into_iter();
        let ends = ends.filter(|_| self.result.settings.confidence.is_some());
        let group = [group.as_bytes()].into_iter();
        let group = group.filter(|_| !self.result.groups.is_empty());
        self.writer.row(row.chain(ends).chain(group))
    }
}

fn interval(run: &RunEvaluation, measure: &str) -> Option<MeanInterval> {
    run.interval.as_ref()?.get(measure).copied().flatten()
}

/// The means of the lowest and the highest scores, if the run ties documents.
fn bounds(run: &RunEvaluation, measure: &str) -> Option<(f64, f64)> {
    let low = run.min.as_ref()?.get(measure).copied().flatten()?;
    let high = run.max.as_ref()?.get(measure).copied().flatten()?;
    Some((low, high))
}

/// The scores of one run, a row per query.
fn queries(result: &Evaluation, run: &RunEvaluation) -> Table {
    let columns = [Column::text("Query")]
        .into_iter()
        .chain(measure_columns(result));
    let mut table = Table::new(columns).with_caption(format!("Run {}", run.run));
    let missing: HashSet<&String> = run.missing.iter().collect();
    for (number, query) in run.per_query.queries().iter().enumerate() {
        let name = if missing.contains(query) {
            format!("{query} (missing)")
        } else {
            query.clone()
        };
        let scores = (0..result.measures.len()).map(|index| {
            let of = |scores: &PerQuery| scores.column(index)[number];
            let bound = |scores: &Option<PerQuery>| scores.as_ref().and_then(of);
            let range = bound(&run.per_query_min).zip(bound(&run.per_query_max));
            score_cell(of(&run.per_query), range, None)
        });
        table.push([Cell::text(name)].into_iter().chain(scores));
    }
    table
}

/// The means of every run over the groups of queries.
fn groups(result: &Evaluation) -> Table {
    let columns = ["Run", "Group"].map(Column::text).into_iter();
    let columns = columns.chain([Column::integer("Queries")]);
    let mut table = Table::new(columns.chain(measure_columns(result)));
    for run in &result.runs {
        for group in &run.groups {
            let name = group.group.as_deref().unwrap_or(NO_GROUP);
            let first = [(&run.run).into(), name.into(), group.queries.into()];
            let means = group
                .mean
                .iter()
                .map(|(_, mean)| score_cell(*mean, None, None));
            table.push(first.into_iter().chain(means));
        }
    }
    table
}

/// The means of every run over all queries.
fn means(result: &Evaluation) -> Table {
    let any_unjudged = any_unjudged(result);
    let any_missing = result.runs.iter().any(|run| !run.missing.is_empty());
    let mut columns = vec![Column::text("Run")];
    for column in measure_columns(result) {
        columns.push(column);
        if any_unjudged {
            columns.push(Column::text("unjudged").align(Align::Right));
        }
    }
    if any_missing {
        columns.push(Column::integer("missing"));
    }
    let mut table = Table::new(columns);
    let best: Vec<Option<String>> = result
        .measures
        .iter()
        .map(|name| best(result, name))
        .collect();
    for run in &result.runs {
        let mut row = vec![Cell::from(&run.run)];
        for (((measure, mean), best), (_, unjudged)) in
            run.mean.iter().zip(&best).zip(run.unjudged.iter())
        {
            let cell = score_cell(*mean, bounds(run, measure), interval(run, measure));
            let is_best = mean.is_some_and(|mean| best.as_deref() == Some(&decimals(mean)));
            row.push(if is_best { cell.emphasised() } else { cell });
            if any_unjudged {
                row.push(Cell::text(format!("{:.1}%", 100.0 * unjudged)));
            }
        }
        if any_missing {
            row.push(run.missing.len().into());
        }
        table.push(row);
    }
    table
}

fn any_unjudged(result: &Evaluation) -> bool {
    let documents = result
        .runs
        .iter()
        .flat_map(|run| run.unjudged_documents.iter());
    documents.into_iter().any(|(_, count)| *count > 0.0)
}

fn measure_columns(result: &Evaluation) -> impl Iterator<Item = Column> {
    result
        .measures
        .iter()
        .map(|name| Column::number(name, DECIMALS))
}

/// The best mean by a measure as it is shown, where there are runs to compare.
fn best(result: &Evaluation, name: &str) -> Option<String> {
    if result.runs.len() < 2 {
        return None;
    }
    let definition = measure::definition_of(name).expect("a measure that scored");
    let higher = definition.higher_is_better?;
    let means = result
        .runs
        .iter()
        .filter_map(|run| run.mean.get(name).copied().flatten());
    let best = means.reduce(|a, b| if higher { a.max(b) } else { a.min(b) })?;
    Some(decimals(best))
}

fn decimals(score: f64) -> String {
    format!("{score:.*}", usize::from(DECIMALS))
}

/// A score, with its range over the orders of tied documents and its interval.
fn score_cell(score: Option<f64>, range: Option<(f64, f64)>, ends: Option<MeanInterval>) -> Cell {
    let Some(score) = score else {
        return Cell::missing();
    };
    if range.is_none() && ends.is_none() {
        return Cell::number(score);
    }
    let mut text = decimals(score);
    if let Some((low, high)) = range {
        text.push_str(&format!(" ({} to {})", decimals(low), decimals(high)));
    }
    if let Some(ends) = ends {
        text.push_str(&format!(
            " [{}, {}]",
            decimals(ends.lower),
            decimals(ends.upper)
        ));
    }
    Cell::text(text)
}

fn notes(result: &Evaluation) -> Vec<String> {
    let mut notes = Vec::new();
    let queries = result.runs.first().map_or(0, |run| run.queries);
    notes.push(format!(
        "Means over {}.",
        count(queries, "query", "queries")
    ));
    let unjudged = if any_unjudged(result) {
        "Unjudged: the share of unjudged documents as deep as the measure looks."
    } else {
        "No document as deep as the measures look is unjudged."
    };
    notes.push(unjudged.to_owned());
    if result.runs.iter().any(|run| run.min.is_some()) {
        let note = "In parentheses: lowest and highest over all orders of tied documents.";
        notes.push(note.to_owned());
    }
    let Settings {
        confidence,
        resamples,
        seed,
        ..
    } = &result.settings;
    if let (Some(confidence), Some(resamples), true) = (confidence, resamples, queries > 1) {
        notes.push(format!(
            "In brackets: {}% intervals by resampling queries {resamples} times, seed {seed}.",
            100.0 * confidence
        ));
    }
    notes.extend(
        result
            .formulas
            .iter()
            .map(|(_, formula)| format!("{formula}.")),
    );
    notes
}

/// The settings of an evaluation in words.
#[must_use]
pub fn settings(settings: &Settings) -> String {
    fn chosen<T: Named>(what: &str, choice: T) -> String {
        format!("{what} {} ({})", choice.name(), choice.about())
    }
    let yes = |flag: bool| if flag { "yes" } else { "no" };
    let mut parts = Vec::new();
    if let Some(reading) = &settings.reading {
        parts.push(format!("truth {}", reading.truth));
        parts.push(format!(
            "grades of 0 kept as a group {}",
            yes(reading.keep_zero)
        ));
        parts.push(chosen("order", reading.order));
        parts.push(chosen("ties", reading.ties));
        parts.push(chosen("score precision", reading.score_precision));
    }
    parts.push(chosen("scale", settings.scale));
    parts.push(chosen("missing queries", settings.missing));
    parts.push(chosen(
        "queries without anything relevant",
        settings.no_relevant,
    ));
    parts.push(format!(
        "judged documents only {}",
        yes(settings.judged_only)
    ));
    if let Some(method) = settings.interval_method {
        parts.push(chosen("intervals", method));
    }
    parts.push(format!("seed {}", settings.seed));
    format!("Settings: {}.", parts.join("; "))
}

/// What there is to be said of an evaluation.
#[must_use]
pub fn remark(remark: &Remark) -> String {
    let named = |queries: &[String], of: usize| {
        format!("{} of {of}, namely {}", queries.len(), some(queries, NAMED))
    };
    match remark {
        Remark::NothingRelevant {
            queries,
            of,
            no_relevant,
        } => {
            let fate = match no_relevant {
                NoRelevant::Skip => "they are left out",
                NoRelevant::Score => "there ADR is undefined, and other measures are 0",
            };
            format!("queries without any relevant item: {}; {fate}", named(queries, *of))
        }
        Remark::CalledAll => {
            "a query is called `all`, as the mean is in CSV, so that commands which read its scores \
             from there pass it over; JSON keeps them apart"
                .to_owned()
        }
        Remark::TooFewToResample => {
            "one query is too few to resample: there is no interval".to_owned()
        }
        Remark::InNoGroup { queries, of } => {
            format!("queries in no group: {}", named(queries, *of))
        }
        Remark::FewInCommon { runs, of } => {
            let each = |(run, count): &(String, usize)| format!("`{run}` has {count}");
            let each: Vec<String> = runs.iter().map(each).collect();
            format!(
                "less than half of the {of} queries are in {}: {}; do both call the queries alike?",
                counted_runs(runs.iter().map(|(run, _)| run)),
                some(&each, NAMED)
            )
        }
        Remark::Missing { runs, of, missing } => {
            let fate = match missing {
                MissingQueries::Empty => "they count as empty results",
                MissingQueries::Skip => "they are left out",
            };
            let mut all: Vec<&String> = Vec::new();
            for query in runs.iter().flat_map(|(_, queries)| queries) {
                if !all.contains(&query) {
                    all.push(query);
                }
            }
            let most = runs.iter().map(|(_, queries)| queries.len()).max();
            let most = most.unwrap_or(0);
            let up_to = if runs.iter().all(|(_, queries)| queries.len() == most) {
                ""
            } else {
                "up to "
            };
            format!(
                "queries missing in {}: {up_to}{most} of {of}, namely {}; {fate}",
                counted_runs(runs.iter().map(|(run, _)| run)),
                some(&all, NAMED)
            )
        }
    }
}

/// How many names a sentence lists.
const NAMED: usize = 5;

/// `the run `a``, or how many runs there are and what some of them are called.
fn counted_runs<'a>(runs: impl Iterator<Item = &'a String>) -> String {
    let runs: Vec<&String> = runs.collect();
    match runs[..] {
        [run] => format!("the run `{run}`"),
        _ => format!("{} runs ({})", runs.len(), some(&runs, 3)),
    }
}
