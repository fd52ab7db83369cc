//! `system,query,measure,value`, a row a score; the header names the columns, in any order.

use std::collections::HashMap;

use super::cells::Cells;
use super::{ReadOptions, ScoresFile, ScoresTable, delimiter, names_queries, score};
use crate::columns::{LONGEST_LINE, Line};
use crate::error::{FormatError, Warning};
use crate::source::Source;
use crate::text::{Text, shorten};

/// Which column holds what; a file of one measure need not name it.
struct Columns {
    system: usize,
    query: usize,
    measure: Option<usize>,
    value: usize,
    count: usize,
}

impl Columns {
    fn of(header: &str) -> Option<Self> {
        let names = delimiter(header).split(header);
        let place = |known: &[&str]| {
            let mut names = names.iter();
            names.position(|name| known.contains(&name.to_lowercase().as_str()))
        };
        Some(Self {
            system: place(&["system", "run"])?,
            query: names.iter().position(|name| names_queries(name))?,
            measure: place(&["measure", "metric"]),
            value: place(&["value", "score"])?,
            count: names.len(),
        })
    }
}

/// Whether a line is a header of such a table.
pub(super) fn is_header(line: &str) -> bool {
    Columns::of(line).is_some()
}

/// The scores by one measure as they come.
#[derive(Default)]
struct Table {
    systems: Numbered,
    queries: Numbered,
    /// The score of a system on a query, and its line.
    scores: HashMap<(usize, usize), (Option<f64>, u64)>,
}

/// Names numbered as they first appear.
#[derive(Default)]
pub(super) struct Numbered {
    pub(super) names: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl Numbered {
    pub(super) fn number(&mut self, name: &str) -> usize {
        if let Some(&known) = self.numbers.get(name) {
            return known;
        }
        let number = self.names.len();
        self.numbers.insert(name.to_owned(), number);
        self.names.push(name.to_owned());
        number
    }
}

pub(super) fn read(
    source: &Source,
    text: &Text,
    options: &ReadOptions,
) -> Result<ScoresFile, FormatError> {
    text.refuse_lines_beyond(source, LONGEST_LINE)?;
    let mut lines = text.lines();
    let header = lines.next().map(|(_, header)| header).unwrap_or_default();
    let Some(columns) = Columns::of(header) else {
        return Err(crate::text::empty(source.name()));
    };
    let delimiter = delimiter(header);
    let mut measures = Numbered::default();
    let mut tables: Vec<Table> = Vec::new();
    for (number, text) in lines {
        let line = Line {
            file: source.name(),
            number,
            text,
        };
        let fields = delimiter.split(text);
        if fields.len() != columns.count {
            let message = format!(
                "expected {} columns as in the header, found {}",
                columns.count,
                fields.len()
            );
            return Err(line.error(message).column(1));
        }
        let (system, query) = (&fields[columns.system], &fields[columns.query]);
        let measure = columns.measure.map_or("score", |column| &fields[column]);
        for (name, what) in [
            (system.as_ref(), "system"),
            (query, "query"),
            (measure, "measure"),
        ] {
            if name.is_empty() {
                return Err(line.error_at(name, format!("the {what} has no name")));
            }
        }
        if is_mean(query) {
            continue;
        }
        let value = score(line, &fields[columns.value])?;
        let measure_number = measures.number(measure);
        if measure_number == tables.len() {
            tables.push(Table::default());
        }
        let table = &mut tables[measure_number];
        let place = (table.systems.number(system), table.queries.number(query));
        if let Some((_, before)) = table.scores.insert(place, (value, number)) {
            let message = format!(
                "the system `{}` has a score by {measure} for the query `{}` already, on line \
                 {before}",
                shorten(system),
                shorten(query)
            );
            return Err(line
                .error_at(system, message)
                .hint("give every system a name of its own"));
        }
    }
    finish(source, options, measures.names, tables)
}

/// Refuses a file without scores, or without those that are wanted.
pub(super) fn wanted(
    source: &Source,
    options: &ReadOptions,
    measures: &[String],
) -> Result<(), FormatError> {
    if measures.is_empty() {
        let message = "there is no score of a single query";
        return Err(FormatError::file(source.name(), message)
            .hint("`partita evaluate --per-query` prints the scores of every query"));
    }
    for wanted in &options.measures {
        if !measures.contains(wanted) {
            let message = format!("there is no score by `{wanted}`");
            return Err(FormatError::file(source.name(), message)
                .hint(format!("the measures are: {}", measures.join(", "))));
        }
    }
    Ok(())
}

/// Whether a row is the mean over the queries, or over a group of them, as `evaluate` prints it.
pub(super) fn is_mean(query: &str) -> bool {
    query == "all" || query.starts_with("all:")
}

fn finish(
    source: &Source,
    options: &ReadOptions,
    measures: Vec<String>,
    tables: Vec<Table>,
) -> Result<ScoresFile, FormatError> {
    wanted(source, options, &measures)?;
    let mut file = ScoresFile {
        tables: Vec::new(),
        warnings: Vec::new(),
    };
    let mut passed_over = Vec::new();
    for (measure, table) in measures.iter().zip(tables) {
        match options.measures.is_empty() {
            false if !options.measures.contains(measure) => continue,
            true if is_extreme(measure, &measures) => {
                passed_over.push(measure.as_str());
                continue;
            }
            _ => {}
        }
        let cells = table.cells(measure.clone());
        let (scores, _) = cells.complete(source, options.missing, &mut file.warnings)?;
        let strata = None;
        file.tables.push(ScoresTable { scores, strata });
    }
    if !passed_over.is_empty() {
        file.warnings.push(Warning {
            file: source.name().to_owned(),
            line: None,
            message: format!(
                "bounds over tied orders are passed over: {} (name one with `--measure` to take it)",
                passed_over.join(", ")
            ),
        });
    }
    Ok(file)
}

/// Whether a measure is the lowest or highest score over the orders of tied documents, beside the
/// mean over them.
fn is_extreme(measure: &str, measures: &[String]) -> bool {
    let stem = measure
        .strip_suffix(":min")
        .or_else(|| measure.strip_suffix(":max"));
    stem.is_some_and(|stem| measures.iter().any(|other| other == stem))
}

impl Table {
    fn cells(self, measure: String) -> Cells {
        let (systems, queries) = (self.systems.names, self.queries.names);
        let mut values = vec![None; systems.len() * queries.len()];
        for ((system, query), (value, _)) in self.scores {
            values[query * systems.len() + system] = value;
        }
        Cells {
            measure,
            systems,
            queries,
            values,
        }
    }
}
