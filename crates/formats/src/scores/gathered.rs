//! Rows of scores gathered by measure.

use std::collections::HashMap;

use partita_core::measure::is_same;

use super::{ReadOptions, score};
use crate::columns::LONGEST_LINE;
use crate::error::FormatError;
use crate::source::Source;
use crate::table::{self, ASSESSOR, MEASURE, QUERY, Row, SYSTEM, VALUE};
use crate::text::{Text, shorten};

/// Which column holds what; a file of one measure need not name it.
pub(super) struct Columns {
    system: usize,
    query: usize,
    pub(super) judge: Option<usize>,
    /// The group of queries that a mean is over.
    group: Option<usize>,
    measure: Option<usize>,
    value: usize,
}

impl Columns {
    /// The columns that a header names; nothing if it is none of such a table.
    pub(super) fn of(header: &Row<'_>) -> Option<Self> {
        Some(Self {
            system: header.place(SYSTEM)?,
            query: header.place(QUERY)?,
            judge: header.place(ASSESSOR),
            group: header.place(&["group"]),
            measure: header.place(MEASURE),
            value: header.place(VALUE)?,
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
    let rows = table::Table::new(source, text)?;
    let columns = Columns::of(&rows.header()).expect("the header was looked at before");
    let mut measures = Numbered::default();
    let mut tables: Vec<Table> = Vec::new();
    let mut means: HashMap<[String; 4], u64> = HashMap::new();
    for row in rows.rows() {
        let row = row?;
        let system = row.name(columns.system, "system")?;
        let query = row.name(columns.query, "query")?;
        let measure = match columns.measure {
            Some(column) => row.name(column, "measure")?,
            None => "score",
        };
        let judge = match columns.judge.filter(|_| by_judge) {
            Some(column) => Some(row.name(column, "judge")?),
            None => None,
        };
        if query == MEAN {
            let group = columns.group.map_or("", |column| &row.fields[column]);
            let names = [system, measure, judge.unwrap_or_default(), group].map(str::to_owned);
            if let Some(before) = means.insert(names, row.line.number) {
                let message = format!(
                    "the system `{}` has a mean by {measure} already, on line {before}",
                    shorten(system)
                );
                return Err(row.error(columns.query, message).hint(MEAN_HINT));
            }
            continue;
        }
        let value = score(&row, columns.value)?;
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
        if let Some((_, before)) = table.scores.insert(place, (value, row.line.number)) {
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
            return Err(row.error(columns.system, message).hint(hint));
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
        if !measures.iter().any(|known| is_same(known, wanted)) {
            let message = format!("there is no score by `{wanted}`");
            return Err(FormatError::file(source.name(), message)
                .hint(format!("the measures are: {}", measures.join(", "))));
        }
    }
    Ok(())
}

/// What stands for the query in a row that is the mean over queries, as `evaluate` prints it.
const MEAN: &str = "all";

const MEAN_HINT: &str = "rows of the query `all` are means, and are left out; a query of that name \
                         needs another one, as nobody could tell it from a mean";
