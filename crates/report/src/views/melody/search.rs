//! Views of melody searches, of the catalogue of melody systems, and of parameter tuning.

use std::io;

use partita_melody::search::tuning::{TuningFold, TuningResult};
use partita_melody::search::{QueryResults, SearchHit, SearchResults};
use partita_melody::systems::{SystemCatalogue, SystemDefinition};

use crate::phrases::{count_noun, join, wrap_paragraph};
use crate::table::{integer, number, text};
use crate::views::definition::{WIDTH, add_parameters_and_reference};
use crate::{ColumnSet, Document, View};

/// Search results: ranked melodies of each query, shown as a table, a TREC run or MIREX lines.
#[derive(Clone, Copy, Debug)]
pub struct SearchView<'a> {
    /// Ranked melodies of each query.
    pub result: &'a SearchResults,
    /// Run tag, the last column of the TREC run format.
    pub run_tag: &'a str,
}

/// Query id with one of its search hits.
type HitRow<'a> = (&'a str, &'a SearchHit);

fn rows(search: &QueryResults) -> impl Iterator<Item = HitRow<'_>> {
    (search.results.iter()).map(|found| (&*search.query, found))
}

fn hit_columns<'a>() -> ColumnSet<'static, HitRow<'a>> {
    ColumnSet::<HitRow<'_>>::new()
        .csv_field("query", |(query, _)| (*query).to_owned())
        .field("rank", integer("Rank"), |(_, found)| found.rank)
        .field("item", text("Item"), |(_, found)| found.item.clone())
        .field("score", number("Score", 4), |(_, found)| found.score)
}

impl SearchView<'_> {
    /// Writes one line per query in the MIREX format: the query, if there are several, and the ids
    /// of its ranked melodies.
    pub fn write_mirex_lines(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        let several = self.result.searches.len() > 1;
        for search in &self.result.searches {
            let query = several.then_some(search.query.as_str());
            let items = search.results.iter().map(|found| found.item.as_str());
            writeln!(writer, "{}", join(query.into_iter().chain(items), " "))?;
        }
        Ok(())
    }

    /// Writes the results in the TREC run format: query, Q0, item, rank, score, run tag. Programs
    /// that read a run order it by score and break ties in their own way, so the score of an item is
    /// lowered where it would not be below the score before it.
    pub fn write_trec_run(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        for search in &self.result.searches {
            let mut previous = None;
            for found in &search.results {
                let (query, item) = (&search.query, &found.item);
                let (rank, tag) = (found.rank, self.run_tag);
                let score = score_below(found.score, &mut previous);
                writeln!(writer, "{query} Q0 {item} {rank} {score} {tag}")?;
            }
        }
        Ok(())
    }
}

/// Returns a score as text, lowered if needed so that it is below the previous one even in single
/// precision, in which trec_eval compares scores. `previous` is the last score that was returned.
fn score_below(score: f64, previous: &mut Option<f32>) -> String {
    /// Smallest difference between two scores, which keeps numbers around 0 short.
    const MIN_STEP: f32 = 1e-9;
    let single = score as f32;
    match *previous {
        Some(last) if single >= last => {
            let step = (2.0 * f32::EPSILON * last.abs()).max(MIN_STEP);
            let lowered = last - step;
            *previous = Some(lowered);
            lowered.to_string()
        }
        _ => {
            *previous = Some(single);
            score.to_string()
        }
    }
}

impl View for SearchView<'_> {
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        hit_columns().write_csv(self.result.searches.iter().flat_map(rows), writer)
    }

    fn document(&self) -> Document {
        let result = self.result;
        let document = result
            .searches
            .iter()
            .fold(Document::new(), |document, search| {
                let document = document
                    .paragraph(format!("{} by {}", search.query, result.system))
                    .table(hit_columns().to_table(rows(search)));
                match search.too_short {
                    0 => document,
                    short => document.note(format!(
                        "{} of {} too short.",
                        count_noun(short, "item is", "items are"),
                        result.items
                    )),
                }
            });
        match result.exhaustive {
            true => document,
            false => document
                .note("An index chose the items that were scored. It may have missed some of the best.")
                .hint("`partita search` scores all of them without --index."),
        }
    }
}

/// Catalogue of melody systems, with one row per system or with full descriptions.
#[derive(Clone, Copy, Debug)]
pub struct SystemsView<'a> {
    /// Melody systems to show.
    pub result: &'a SystemCatalogue,
    /// True to show full descriptions, false for one row per system.
    pub full: bool,
}

fn system_columns() -> ColumnSet<'static, &'static SystemDefinition> {
    ColumnSet::<&SystemDefinition>::new()
        .field("name", text("System"), |row| row.name)
        .field("summary", text("What it compares"), |row| row.summary)
        .csv_field("parameters", |row| {
            join(row.parameters.iter().map(|parameter| parameter.name), " ")
        })
        .csv_field("invariant_to", |row| join(row.invariant_to, " "))
        .csv_field("indexed", |row| row.indexed.to_string())
        .csv_field("tie_rule", |row| row.tie_rule.to_string())
        .field("example", text("Example"), |row| row.example)
        .csv_field("reference", |row| row.reference)
}

impl View for SystemsView<'_> {
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        system_columns().write_csv(&self.result.systems, writer)
    }

    fn document(&self) -> Document {
        if self.full {
            let all = self
                .result
                .systems
                .iter()
                .map(|system| full_description(system));
            return all.fold(Document::new(), Document::append);
        }
        let table = system_columns().to_table(&self.result.systems);
        (Document::new().table(table)).hint("`partita systems NAME` says all of one.")
    }
}

/// Returns the full description of a melody system.
fn full_description(definition: &SystemDefinition) -> Document {
    let document = Document::new()
        .paragraph(definition.name)
        .note(definition.summary)
        .append(Document::new().notes(wrap_paragraph(definition.description, "", WIDTH)))
        .paragraph(format!(
            "Same for:  {}",
            join(definition.invariant_to, ", ")
        ))
        .note(format!("Ties:      {}", definition.tie_rule))
        .note(format!("Example:   {}", definition.example));
    let parameters = definition.parameters.iter().map(|parameter| {
        let (name, values, default) = (parameter.name, parameter.values, parameter.default);
        let line = format!(
            "  {name} = {values} (default: {default}, {})",
            parameter.source
        );
        (line, parameter.description)
    });
    let (aliases, reference) = (definition.aliases, definition.reference);
    add_parameters_and_reference(document, aliases, parameters, reference)
}

fn format_parameters<'a>(parameters: impl IntoIterator<Item = (&'a String, &'a String)>) -> String {
    let pairs = parameters.into_iter();
    join(pairs.map(|(name, value)| format!("{name}={value}")), ",")
}

/// Returns the columns of the table of cross-validation folds.
fn fold_columns<'a>() -> ColumnSet<'static, (usize, &'a TuningFold)> {
    ColumnSet::<(usize, &TuningFold)>::new()
        .field("fold", integer("Fold"), |row| row.0)
        .field("train", number("Train", 4), |row| row.1.train)
        .field("held_out", number("Held out", 4), |row| row.1.held_out)
        .field("parameters", text("Parameters"), |row| {
            format_parameters(&row.1.parameters)
        })
}

impl View for TuningResult {
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        fold_columns().write_csv((1..).zip(&self.folds), writer)
    }

    fn document(&self) -> Document {
        let held_out = &self.held_out;
        let interval = held_out.low.zip(held_out.high);
        let interval = interval.map_or_else(String::new, |(low, high)| {
            format!(", 95% interval {low:.4} to {high:.4}")
        });
        Document::new()
            .table(fold_columns().to_table((1..).zip(&self.folds)))
            .note(format!(
                "{} of queries that were held out: mean {:.4}{interval}.",
                held_out.measure, held_out.mean
            ))
            .note(format!(
                "With all queries: {}({})",
                self.system,
                format_parameters(&self.parameters)
            ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn use_b10_the_scores_of_a_run_fall_in_every_precision() {
        let scores = [
            4.0,
            4.0,
            4.0,
            3.999_999_999,
            3.5,
            0.25,
            0.249_999_999_9,
            0.0,
            0.0,
            -0.0,
            -7.5,
            -7.5,
            -1e6,
            -1e6,
        ];
        let mut previous = None;
        let written: Vec<String> = (scores.iter())
            .map(|&score| score_below(score, &mut previous))
            .collect();
        assert_eq!(
            [&written[0], &written[4], &written[10]],
            ["4", "3.5", "-7.5"]
        );
        for (pair, score) in written.windows(2).zip(&scores[1..]) {
            let [before, after] = [&pair[0], &pair[1]];
            let double = [before, after].map(|text| text.parse::<f64>().unwrap());
            let single = [before, after].map(|text| text.parse::<f32>().unwrap());
            assert!(
                double[0] > double[1] && single[0] > single[1],
                "{before} {after}"
            );
            assert!(
                (double[1] - score).abs() <= 4e-6 * score.abs().max(0.01),
                "{after} {score}"
            );
        }
    }
}
