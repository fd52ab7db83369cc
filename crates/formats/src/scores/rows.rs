//! `system,query,measure,value`, a row a score, and `system,query,judge,measure,value`, a row a score by
//! the judgments of one person; the header names the columns, in any order.

use std::collections::HashMap;

use partita_core::JudgedScores;
use partita_core::measure::is_same;

use super::cells::{Cells, JUDGE};
use super::{JudgedFile, ReadOptions, ScoresFile, ScoresTable, score};
use crate::error::{Code, FormatError, Problem, Warning};
use crate::problem;
use crate::remedy::Remedy;
use crate::source::Source;
use crate::table::{self, ASSESSOR, MEASURE, QUERY, Row, SYSTEM, VALUE};
use crate::text::{Text, shorten};

/// Which column holds what; a file of one measure need not name it.
pub(super) struct Columns {
    system: usize,
    query: usize,
    pub(super) judge: Option<usize>,
    /// The stratum of queries that a mean is over.
    stratum: Option<usize>,
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
            stratum: header.place(&["stratum", "group"]),
            measure: header.place(MEASURE),
            value: header.place(VALUE)?,
        })
    }
}

/// Reads scores of which each system has one for a query.
pub(super) fn read(
    text: &Text<'_>,
    columns: &Columns,
    options: &ReadOptions,
) -> Result<ScoresFile, FormatError> {
    let tables = gather(text, columns, options, false)?;
    let measures: Vec<String> = tables.iter().map(|(measure, _)| measure.clone()).collect();
    let mut file = ScoresFile::default();
    let mut passed_over = Vec::new();
    for (measure, table) in tables {
        if options.measures.is_empty() && is_extreme(&measure, &measures) {
            passed_over.push(measure);
        } else if options.wants(&measure) {
            let cells = table.cells(measure);
            let (scores, _) = cells.complete(text.source, options.missing, &mut file.warnings)?;
            let strata = None;
            file.tables.push(ScoresTable { scores, strata });
        }
    }
    if !passed_over.is_empty() {
        let problem = problem!(LeftOut { measures = passed_over.join(", ") }:
            "bounds over tied orders are passed over: {measures} (name one among the measures to \
             take it)");
        file.warnings
            .push(Warning::file(text.source.name(), problem));
    }
    Ok(file)
}

/// Reads scores of which each system has one for a query and a judge.
pub(super) fn read_judged(
    text: &Text<'_>,
    columns: &Columns,
    options: &ReadOptions,
) -> Result<JudgedFile, FormatError> {
    let mut file = JudgedFile::default();
    for (measure, table) in gather(text, columns, options, true)? {
        if !options.wants(&measure) {
            continue;
        }
        let [systems, judges] = [&table.systems, &table.judges].map(|known| known.names.clone());
        let cells = table.cells(measure.clone());
        let (scores, _) = cells.complete(text.source, options.missing, &mut file.warnings)?;
        let values = scores.rows().flatten().copied().collect();
        let queries = scores.queries().to_vec();
        let scores = JudgedScores::new(measure, systems, queries, judges, values);
        file.tables.push(scores.map_err(|error| {
            let problem = Problem::new(Code::Contradiction, error.to_string());
            text.source.error(problem)
        })?);
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

/// Names numbered as they first appear.
#[derive(Default)]
struct Numbered {
    names: Vec<String>,
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
struct Table {
    systems: Numbered,
    queries: Numbered,
    /// Who judged; nobody if the file does not say.
    judges: Numbered,
    /// The score of a system on a query by a judge (the first if the file names none), and its
    /// line.
    scores: HashMap<(usize, usize, usize), (Option<f64>, u64)>,
}

impl Table {
    fn cells(self, measure: String) -> Cells {
        let judges = self.judges.names.len().max(1);
        let columns = self.systems.names.iter().flat_map(|system| {
            let judged = |judge: &String| format!("{system}{JUDGE}{judge}");
            let mut columns: Vec<String> = self.judges.names.iter().map(judged).collect();
            if columns.is_empty() {
                columns.push(system.clone());
            }
            columns
        });
        let columns: Vec<String> = columns.collect();
        let mut values = vec![None; columns.len() * self.queries.names.len()];
        for ((system, query, judge), (value, _)) in self.scores {
            values[query * columns.len() + system * judges + judge] = value;
        }
        Cells {
            measure,
            columns,
            queries: self.queries.names,
            values,
        }
    }
}

/// The scores of a file by measure, in the order of the measures' first score.
fn gather(
    text: &Text<'_>,
    columns: &Columns,
    options: &ReadOptions,
    by_judge: bool,
) -> Result<Vec<(String, Table)>, FormatError> {
    text.refuse_overlong_lines()?;
    let mut measures = Numbered::default();
    let mut tables: Vec<Table> = Vec::new();
    let mut means: HashMap<[String; 4], u64> = HashMap::new();
    for row in table::Table::new(text)?.rows() {
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
            let stratum = columns.stratum.map_or("", |column| &row.fields[column]);
            let names = [system, measure, judge.unwrap_or_default(), stratum].map(str::to_owned);
            if let Some(before) = means.insert(names, row.line.number) {
                let problem = problem!(ReservedName { system = shorten(system), measure, before }:
                    "the system `{system}` has a mean by {measure} already, on line {before}");
                return Err(row.error(columns.query, problem).remedy(MEAN_REMEDY));
            }
            continue;
        }
        let value = score(&row, columns.value)?;
        let number = measures.number(measure);
        if number == tables.len() {
            tables.push(Table::default());
        }
        let table = &mut tables[number];
        let place = (
            table.systems.number(system),
            table.queries.number(query),
            judge.map_or(0, |judge| table.judges.number(judge)),
        );
        if let Some((_, before)) = table.scores.insert(place, (value, row.line.number)) {
            let by = judge.map_or(String::new(), |j| {
                format!(" and the judge `{}`", shorten(j))
            });
            let problem = problem!(Duplicate {
                system = shorten(system), measure, query = shorten(query), by, before
            }:
                "the system `{system}` has a score by {measure} for the query `{query}`{by} \
                 already, on line {before}");
            return Err(row.error(columns.system, problem).remedy(match (judge, columns.judge) {
                (None, Some(_)) => Remedy::with_terms(
                    "the scores are by several judges: {plan} reads them so, other commands want one \
                     score of a system on a query",
                ),
                _ => "give every system, and every judge, a name of its own".into(),
            }));
        }
    }
    refuse_unwanted(text.source, options, &measures.names)?;
    Ok(measures.names.into_iter().zip(tables).collect())
}

/// Refuses a file without scores, or without those that are wanted.
fn refuse_unwanted(
    source: &Source,
    options: &ReadOptions,
    measures: &[String],
) -> Result<(), FormatError> {
    if measures.is_empty() {
        let problem = problem!(NoRows: "there is no score of a single query");
        let remedy = Remedy::with_terms("{evaluation} prints the scores of every query");
        return Err(source.error(problem).remedy(remedy));
    }
    let missing = options
        .measures
        .iter()
        .find(|wanted| !measures.iter().any(|known| is_same(known, wanted)));
    missing.map_or(Ok(()), |wanted| {
        let problem = problem!(UnknownName { measure = wanted }:
            "there is no score by `{measure}`");
        let known = measures.join(", ");
        Err(source
            .error(problem)
            .remedy(format!("the measures are: {known}")))
    })
}

/// What stands for the query in a row that is the mean over queries, as `evaluate` prints it.
const MEAN: &str = "all";

const MEAN_REMEDY: &str = "rows of the query `all` are means, and are left out; a query of that name \
                           needs another one, as nobody could tell it from a mean";
