//! CSV output of an evaluation.

use std::collections::HashMap;
use std::io::{self, Write};

use partita_core::evaluation::{Evaluation, MeanInterval, PerQueryScores, RunEvaluation};
use partita_formats::CsvWriter;

use super::{NO_STRATUM, bounds, interval, stratum_of};

/// Writes the mean scores of every run; if `per_query` is set, first the scores of each of its
/// queries.
pub(super) fn write(result: &Evaluation, per_query: bool, place: &mut dyn Write) -> io::Result<()> {
    let mut rows = CsvRowWriter::new(result, place)?;
    for run in &result.runs {
        if per_query {
            rows.write_queries(run)?;
        }
        rows.write_means(run)?;
    }
    rows.writer.finish()?;
    Ok(())
}

/// Run and queries to which a score belongs.
#[derive(Clone, Copy)]
struct ScorePlace<'a> {
    run: &'a str,
    /// Name of the query; `all` for a mean over queries.
    query: &'a str,
    /// Stratum of the query or of the mean; empty if there is none.
    stratum: &'a str,
    /// Kind of the score: `query`, or `mean` over queries.
    kind: &'static str,
}

impl<'a> ScorePlace<'a> {
    /// Returns the place of a mean over the queries of a stratum, or over all if it is empty.
    fn of_mean(run: &'a str, stratum: &'a str) -> Self {
        Self {
            run,
            query: "all",
            stratum,
            kind: "mean",
        }
    }
}

/// Writer of the CSV rows of an evaluation. It writes each row immediately, because there can be
/// too many to collect.
struct CsvRowWriter<'a> {
    result: &'a Evaluation,
    writer: CsvWriter<&'a mut dyn Write>,
    stratum_of: HashMap<&'a str, &'a str>,
    /// Measure names, per measure, of the rows with the lowest and highest score over orders of
    /// tied documents.
    bounds: Vec<[String; 2]>,
    value: Vec<u8>,
}

impl<'a> CsvRowWriter<'a> {
    fn new(result: &'a Evaluation, place: &'a mut dyn Write) -> io::Result<Self> {
        let mut writer = CsvWriter::new(place);
        let mut header = vec!["run", "query", "measure", "value"];
        if result.settings.confidence.is_some() {
            header.extend(["lower", "upper"]);
        }
        if !result.strata.is_empty() {
            header.push("stratum");
        }
        header.push("kind");
        writer.write_row(header)?;
        let bounds = result
            .measures
            .iter()
            .map(|name| ["min", "max"].map(|end| format!("{name}:{end}")));
        Ok(Self {
            result,
            writer,
            stratum_of: stratum_of(result),
            bounds: bounds.collect(),
            value: Vec::new(),
        })
    }

    /// Writes the scores of a run for each query.
    fn write_queries(&mut self, run: &RunEvaluation) -> io::Result<()> {
        let result = self.result;
        for (number, query) in run.per_query.queries().iter().enumerate() {
            let stratum = self.stratum_of.get(query.as_str()).copied().unwrap_or("");
            for (index, measure) in result.measures.iter().enumerate() {
                let of = |scores: &PerQueryScores| scores.column(index)[number];
                let bound = |scores: &Option<PerQueryScores>| scores.as_ref().and_then(of);
                let bounds = [bound(&run.per_query_min), bound(&run.per_query_max)];
                let place = ScorePlace {
                    run: &run.run,
                    query,
                    stratum,
                    kind: "query",
                };
                self.write_score(place, measure, of(&run.per_query), None)?;
                self.write_bounds(place, index, bounds)?;
            }
        }
        Ok(())
    }

    /// Writes the mean scores of a run, per stratum and over all queries.
    fn write_means(&mut self, run: &RunEvaluation) -> io::Result<()> {
        for stratum in &run.strata {
            let name = stratum.stratum.as_deref().unwrap_or(NO_STRATUM);
            let place = ScorePlace::of_mean(&run.run, name);
            for (measure, mean) in stratum.mean.iter() {
                self.write_score(place, measure, *mean, None)?;
            }
        }
        let place = ScorePlace::of_mean(&run.run, "");
        for (index, (measure, mean)) in run.mean.iter().enumerate() {
            self.write_score(place, measure, *mean, interval(run, measure))?;
            let (low, high) = bounds(run, measure).unzip();
            self.write_bounds(place, index, [low, high])?;
        }
        Ok(())
    }

    /// Writes the lowest and the highest score over orders of tied documents, as rows of their own.
    fn write_bounds(
        &mut self,
        place: ScorePlace<'_>,
        index: usize,
        bounds: [Option<f64>; 2],
    ) -> io::Result<()> {
        for (end, bound) in bounds.into_iter().enumerate() {
            // Taking the name out avoids borrowing it while the writer is borrowed mutably.
            let name = std::mem::take(&mut self.bounds[index][end]);
            self.write_score(place, &name, bound, None)?;
            self.bounds[index][end] = name;
        }
        Ok(())
    }

    /// Writes one score with its interval, unless it is missing.
    fn write_score(
        &mut self,
        place: ScorePlace<'_>,
        measure: &str,
        value: Option<f64>,
        interval: Option<MeanInterval>,
    ) -> io::Result<()> {
        let Some(value) = value else { return Ok(()) };
        self.value.clear();
        write!(self.value, "{value}")?;
        let ends = interval.map(|ends| [ends.lower.to_string(), ends.upper.to_string()]);
        let [lower, upper] = ends.unwrap_or_default();
        let row = [place.run, place.query, measure]
            .map(str::as_bytes)
            .into_iter();
        let row = row.chain([self.value.as_slice()]);
        let ends = [lower.as_bytes(), upper.as_bytes()].into_iter();
        let ends = ends.filter(|_| self.result.settings.confidence.is_some());
        let stratum = [place.stratum.as_bytes()].into_iter();
        let stratum = stratum.filter(|_| !self.result.strata.is_empty());
        let kind = [place.kind.as_bytes()];
        self.writer
            .write_row(row.chain(ends).chain(stratum).chain(kind))
    }
}
