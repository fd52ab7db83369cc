//! How searches, systems and their tuning are shown.

use std::io;

use partita_melody::search::tuning::{TuningFold, TuningResult};
use partita_melody::search::{QueryResults, SearchHit, SearchResults};
use partita_melody::systems::{SystemCatalogue, SystemDefinition};

use crate::phrases::{count_noun, join, wrap_paragraph};
use crate::table::{integer, number, text};
use crate::{ColumnSet, Document, View};

/// How wide a description is on a terminal.
const WIDTH: usize = 80;

/// What searches found.
#[derive(Clone, Copy, Debug)]
pub struct SearchView<'a> {
    /// What they found.
    pub result: &'a SearchResults,
    /// What a run of them is called.
    pub run_tag: &'a str,
}

/// A query and an item that was found for it.
type Row<'a> = (&'a str, &'a SearchHit);

fn rows(search: &QueryResults) -> impl Iterator<Item = Row<'_>> {
    (search.results.iter()).map(|found| (&*search.query, found))
}

fn results<'a>() -> ColumnSet<'static, Row<'a>> {
    ColumnSet::new()
        .csv_field("query", |(query, _): &Row<'_>| (*query).to_owned())
        .field("rank", integer("Rank"), |(_, found)| found.rank)
        .field("item", text("Item"), |(_, found)| found.item.clone())
        .field("score", number("Score", 4), |(_, found)| found.score)
}

impl SearchView<'_> {
    /// A line per query, as MIREX has it: the query, if there are several, and its items.
    pub fn write_mirex_lines(&self, place: &mut dyn io::Write) -> io::Result<()> {
        let several = self.result.searches.len() > 1;
        for search in &self.result.searches {
            let query = several.then_some(search.query.as_str());
            let items = search.results.iter().map(|found| found.item.as_str());
            writeln!(place, "{}", join(query.into_iter().chain(items), " "))?;
        }
        Ok(())
    }

    /// The columns of TREC: query, Q0, item, rank, score, tag.
    pub fn write_trec_run(&self, place: &mut dyn io::Write) -> io::Result<()> {
        for search in &self.result.searches {
            for found in &search.results {
                let (query, item) = (&search.query, &found.item);
                let (rank, score, tag) = (found.rank, found.score, self.run_tag);
                writeln!(place, "{query} Q0 {item} {rank} {score} {tag}")?;
            }
        }
        Ok(())
    }
}

impl View for SearchView<'_> {
    fn write_csv(&self, place: &mut dyn io::Write) -> io::Result<()> {
        results().write_csv(self.result.searches.iter().flat_map(rows), place)
    }

    fn document(&self) -> Document {
        let result = self.result;
        let document = result
            .searches
            .iter()
            .fold(Document::new(), |document, search| {
                let document = document
                    .paragraph(format!("{} by {}", search.query, result.system))
                    .table(results().to_table(rows(search)));
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
                .note("An index chose the items that were scored.")
                .hint("`partita search` scores all of them if asked to be exhaustive."),
        }
    }
}

/// Systems: a row each, or all of them in full.
#[derive(Clone, Copy, Debug)]
pub struct SystemsView<'a> {
    /// The systems.
    pub result: &'a SystemCatalogue,
    /// Whether they are described in full.
    pub full: bool,
}

fn systems() -> ColumnSet<'static, &'static SystemDefinition> {
    let parameters = |definition: &SystemDefinition| {
        join(
            definition.parameters.iter().map(|parameter| parameter.name),
            " ",
        )
    };
    let invariances = |definition: &SystemDefinition| {
        let names = definition.invariant_to.iter().map(ToString::to_string);
        names.collect::<Vec<String>>().join(" ")
    };
    ColumnSet::new()
        .field("name", text("System"), |row: &&SystemDefinition| row.name)
        .field("summary", text("What it compares"), |row| row.summary)
        .csv_field("parameters", move |row| parameters(row))
        .csv_field("invariant_to", move |row| invariances(row))
        .csv_field("indexed", |row| row.indexed.to_string())
        .csv_field("tie_rule", |row| row.tie_rule.to_string())
        .field("example", text("Example"), |row| row.example)
        .csv_field("reference", |row| row.reference)
}

impl View for SystemsView<'_> {
    fn write_csv(&self, place: &mut dyn io::Write) -> io::Result<()> {
        systems().write_csv(&self.result.systems, place)
    }

    fn document(&self) -> Document {
        if self.full {
            let all = self.result.systems.iter().map(|system| describe(system));
            return all.fold(Document::new(), Document::append);
        }
        let table = systems().to_table(&self.result.systems);
        (Document::new().table(table)).hint("`partita systems NAME` says all of one.")
    }
}

fn describe(definition: &SystemDefinition) -> Document {
    let same: Vec<String> = definition
        .invariant_to
        .iter()
        .map(ToString::to_string)
        .collect();
    let mut document = Document::new()
        .paragraph(definition.name)
        .note(definition.summary)
        .append(Document::new().notes(wrap_paragraph(definition.description, "", WIDTH)))
        .paragraph(format!("Same for:  {}", same.join(", ")))
        .note(format!("Ties:      {}", definition.tie_rule))
        .note(format!("Example:   {}", definition.example));
    if !definition.aliases.is_empty() {
        document = document.note(format!("Also:      {}", definition.aliases.join(", ")));
    }
    if !definition.parameters.is_empty() {
        document = document.paragraph("Parameters:");
        for parameter in definition.parameters {
            document = document
                .note(format!(
                    "  {} = {} (default: {}, {})",
                    parameter.name, parameter.values, parameter.default, parameter.source
                ))
                .notes(wrap_paragraph(parameter.description, "      ", WIDTH));
        }
    }
    document
        .paragraph("Reference:")
        .notes(wrap_paragraph(definition.reference, "  ", WIDTH))
}

/// What tuning found.
#[derive(Clone, Copy, Debug)]
pub struct TuningView<'a> {
    /// What it found.
    pub result: &'a TuningResult,
}

fn written<'a>(parameters: impl IntoIterator<Item = (&'a String, &'a String)>) -> String {
    let pairs = parameters
        .into_iter()
        .map(|(name, value)| format!("{name}={value}"));
    pairs.collect::<Vec<String>>().join(",")
}

fn fold_rows<'a>() -> ColumnSet<'static, (usize, &'a TuningFold)> {
    ColumnSet::new()
        .field("fold", integer("Fold"), |row: &(usize, &TuningFold)| row.0)
        .field("train", number("Train", 4), |row| row.1.train)
        .field("held_out", number("Held out", 4), |row| row.1.held_out)
        .field("parameters", text("Parameters"), |row| {
            written(&row.1.parameters)
        })
}

impl View for TuningView<'_> {
    fn write_csv(&self, place: &mut dyn io::Write) -> io::Result<()> {
        let rows: Vec<(usize, &TuningFold)> = (1..).zip(&self.result.folds).collect();
        fold_rows().write_csv(&rows, place)
    }

    fn document(&self) -> Document {
        let result = self.result;
        let rows: Vec<(usize, &TuningFold)> = (1..).zip(&result.folds).collect();
        let held_out = &result.held_out;
        Document::new()
            .table(fold_rows().to_table(&rows))
            .note(format!(
                "{} of queries that were held out: mean {:.4}, 95% interval {:.4} to {:.4}.",
                held_out.measure, held_out.mean, held_out.low, held_out.high
            ))
            .note(format!(
                "With all queries: {}({})",
                result.system,
                written(&result.parameters)
            ))
    }
}
