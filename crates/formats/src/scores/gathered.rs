//! Rows of scores gathered by measure.

use std::collections::HashMap;

use super::{ReadOptions, delimiter, names_queries, score};
use crate::columns::{LONGEST_LINE, Line};
use crate::error::FormatError;
use crate::source::Source;
use crate::text::{Text, shorten};

/// Which column holds what; a file of one measure need not name it.
pub(super) struct Columns {
    system: usize,
    query: usize,
    pub(super) judge: Option<usize>,
    measure: Option<usize>,
    value: usize,
    count: usize,
}

impl Columns {
    /// The columns that a header names; nothing if it is none of such a table.
    pub(super) fn of(header: &str) -> Option<Self> {
        let names = delimiter(header).split(header);
        let place = |known: &[&str]| {
            let mut names = names.iter();
            names.position(|name| known.contains(&name.to_lowercase().as_str()))
        };
        Some(Self {
            system: place(&["system", "run"])?,
            query: names.iter().position(|name| names_queries(name))?,
            judge: place(&["judge", "assessor"]),
            measure: place(&["measure", "metric"]),
            value: place(&["value", "score"])?,
            count: names.len(),
        })
    }
}

/// Names numbered as they first appear.
#[derive(Default)]
pub(super) struct Numbered {
    pub(super) names: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl Numbered {
    fn number(&mut self, name: &str) -> usize {
        if let Some(&known) = self.numbers.get(name) {
            return known;
        }
        let number = self.names.len();
        self.numbers.insert(name.to_owned(), number);
        self.names.push(name.to_owned());
        number
    }
}

/// The scores by one measure as they come.
#[derive(Default)]
pub(super) struct Table {
    pub(super) systems: Numbered,
    pub(super) queries: Numbered,
    /// Who judged; nobody if they are not told apart.
    pub(super) judges: Numbered,
    /// The score of a system on a query by a judge (the first if they are not told apart), and its
    /// line.
    pub(super) scores: HashMap<(usize, usize, usize), (Option<f64>, u64)>,
}

/// The rows of a file by measure, in the order of the measures' first score.
pub(super) struct Gathered {
    pub(super) measures: Vec<String>,
    pub(super) tables: Vec<Table>,
}

/// Gathers the rows of a file, and refuses one without the scores that are wanted.
pub(super) fn gather(
    source: &Source,
    text: &Text,
    options: &ReadOptions,
    by_judge: bool,
) -> Result<Gathered, FormatError> {
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
        let judge = columns.judge.filter(|_| by_judge);
        let judge = judge.map(|column| fields[column].as_ref());
        let names = [
            (system.as_ref(), "system"),
            (query, "query"),
            (measure, "measure"),
        ];
        for (name, what) in names.into_iter().chain(judge.map(|name| (name, "judge"))) {
            if name.is_empty() {
                return Err(line.error_at(name, format!("the {what} has no name")));
            }
        }
        // The mean over all queries, or over a group of them, as `evaluate` prints it.
        if query.as_ref() == "all" {
            continue;
        }
        let value = score(line, &fields[columns.value])?;
        let measure_number = measures.number(measure);
        if measure_number == tables.len() {
            tables.push(Table::default());
        }
        let table = &mut tables[measure_number];
        let place = (
            table.systems.number(system),
            table.queries.number(query),
            judge.map_or(0, |judge| table.judges.number(judge)),
        );
        if let Some((_, before)) = table.scores.insert(place, (value, number)) {
            let by = judge.map_or(String::new(), |j| {
                format!(" and the judge `{}`", shorten(j))
            });
            let message = format!(
                "the system `{}` has a score by {measure} for the query `{}`{by} already, on line \
                 {before}",
                shorten(system),
                shorten(query)
            );
            let hint = match (judge, columns.judge) {
                (None, Some(_)) => {
                    "the scores are by several judges: `partita plan` reads them so, other commands \
                     want one score of a system on a query"
                }
                _ => "give every system, and every judge, a name of its own",
            };
            return Err(line.error_at(system, message).hint(hint));
        }
    }
    let measures = measures.names;
    refuse_unwanted(source, options, &measures)?;
    Ok(Gathered { measures, tables })
}

/// Refuses a file without scores, or without those that are wanted.
fn refuse_unwanted(
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
