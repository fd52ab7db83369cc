//! Scores as rows: `system,query,measure,value`, or `system,query,judge,measure,value` with scores
//! by the judgments of one assessor; the header names the columns, in any order.

use std::collections::HashMap;

use partita_core::AssessorScores;
use partita_core::measure::is_same_measure;

use super::partial_matrix::{ASSESSOR_SEPARATOR, PartialScoreMatrix};
use super::{AssessorScoresFile, ScoresFile, ScoresReadOptions, score};
use crate::diagnostic;
use crate::diagnostic::{Diagnostic, DiagnosticCode, FormatError, Warning};
use crate::remedy::Remedy;
use crate::table::{self, ASSESSOR, InputRow, MEASURE, QUERY, SYSTEM, VALUE};
use crate::text::source::Source;
use crate::text::{SourceText, shorten};

/// Positions of the columns; the measure is optional in a file of one measure.
pub(super) struct Columns {
    system: usize,
    query: usize,
    pub(super) judge: Option<usize>,
    /// Column of the stratum, in rows that are means over the queries of a stratum.
    stratum: Option<usize>,
    measure: Option<usize>,
    value: usize,
    /// Headings of the columns besides system, query, measure and value.
    other: Vec<String>,
}

impl Columns {
    /// Finds the columns in a header; `None` if it is not the header of such a table.
    pub(super) fn from_header(header: &InputRow<'_>) -> Option<Self> {
        let [system, query, measure, value] =
            [SYSTEM, QUERY, MEASURE, VALUE].map(|heading| header.column_index(heading));
        Some(Self {
            system: system?,
            query: query?,
            judge: header.column_index(ASSESSOR),
            stratum: header.column_index(&["stratum", "group"]),
            measure,
            value: value?,
            other: header.headings_except(&[system, query, measure, value]),
        })
    }
}

/// Reads scores with one value per system and query.
pub(super) fn read(
    text: &SourceText<'_>,
    columns: &Columns,
    options: &ScoresReadOptions,
) -> Result<ScoresFile, FormatError> {
    let tables = gather(text, columns, options, false)?;
    let measures: Vec<String> = tables.iter().map(|(measure, _)| measure.clone()).collect();
    let mut file = ScoresFile {
        other_columns: columns.other.clone(),
        ..ScoresFile::default()
    };
    let mut passed_over = Vec::new();
    for (measure, table) in tables {
        if options.measures.is_empty() && is_extreme(&measure, &measures) {
            passed_over.push(measure);
        } else if options.includes_measure(&measure) {
            let cells = table.cells(measure);
            let (scores, _) =
                cells.into_complete(text.source, options.missing, &mut file.warnings)?;
            file.tables.push(scores.into());
        }
    }
    if !passed_over.is_empty() {
        let problem = diagnostic!(LeftOut { measures = passed_over.join(", ") }:
            "bounds over tied orders are passed over: {measures} (name one among the measures to \
             take it)");
        file.warnings
            .push(Warning::in_file(text.source.name(), problem));
    }
    Ok(file)
}

/// Reads scores with one value per system, query and assessor.
pub(super) fn read_by_assessor(
    text: &SourceText<'_>,
    columns: &Columns,
    options: &ScoresReadOptions,
) -> Result<AssessorScoresFile, FormatError> {
    let mut file = AssessorScoresFile::default();
    for (measure, table) in gather(text, columns, options, true)? {
        if !options.includes_measure(&measure) {
            continue;
        }
        let [systems, judges] = [&table.systems, &table.judges].map(|known| known.names.clone());
        let cells = table.cells(measure.clone());
        let (scores, _) = cells.into_complete(text.source, options.missing, &mut file.warnings)?;
        let values = scores.rows().flatten().copied().collect();
        let queries = scores.queries().to_vec();
        let scores = AssessorScores::new(measure, systems, queries, judges, values);
        file.tables.push(scores.map_err(|error| {
            let problem = Diagnostic::new(DiagnosticCode::Contradiction, error.to_string());
            text.source.error(problem)
        })?);
    }
    Ok(file)
}

/// Returns true if a measure is a minimum (`:min`) or maximum (`:max`) over the orders of tied
/// documents, and the file also holds the mean over these orders.
fn is_extreme(measure: &str, measures: &[String]) -> bool {
    let stem = measure
        .strip_suffix(":min")
        .or_else(|| measure.strip_suffix(":max"));
    stem.is_some_and(|stem| measures.iter().any(|other| other == stem))
}

/// Names numbered by first appearance.
#[derive(Default)]
struct NameIndex {
    names: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl NameIndex {
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

/// Scores of one measure while the file is read.
#[derive(Default)]
struct MeasureTable {
    systems: NameIndex,
    queries: NameIndex,
    /// Assessors; empty if the file names none.
    judges: NameIndex,
    /// Score and line, keyed by system, query and assessor (0 if the file names no assessors).
    scores: HashMap<(usize, usize, usize), (Option<f64>, u64)>,
}

impl MeasureTable {
    fn cells(self, measure: String) -> PartialScoreMatrix {
        let judges = self.judges.names.len().max(1);
        let columns = self.systems.names.iter().flat_map(|system| {
            let judged = |judge: &String| format!("{system}{ASSESSOR_SEPARATOR}{judge}");
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
        PartialScoreMatrix {
            measure,
            columns,
            queries: self.queries.names,
            values,
        }
    }
}

/// Collects the scores of a file by measure, in the order in which the measures first appear.
fn gather(
    text: &SourceText<'_>,
    columns: &Columns,
    options: &ScoresReadOptions,
    by_judge: bool,
) -> Result<Vec<(String, MeasureTable)>, FormatError> {
    text.refuse_overlong_lines()?;
    let mut measures = NameIndex::default();
    let mut tables: Vec<MeasureTable> = Vec::new();
    let mut means: HashMap<[String; 4], u64> = HashMap::new();
    for row in table::Table::new(text)?.rows() {
        let row = row?;
        let system = row.require_name(columns.system, "system")?;
        let query = row.require_name(columns.query, "query")?;
        let measure = match columns.measure {
            Some(column) => row.require_name(column, "measure")?,
            None => "score",
        };
        let judge = match columns.judge.filter(|_| by_judge) {
            Some(column) => Some(row.require_name(column, "judge")?),
            None => None,
        };
        if query == MEAN {
            let stratum = columns.stratum.map_or("", |column| &row.fields[column]);
            let names = [system, measure, judge.unwrap_or_default(), stratum].map(str::to_owned);
            if let Some(before) = means.insert(names, row.line.number) {
                let problem = diagnostic!(ReservedName { system = shorten(system), measure, before }:
                    "the system `{system}` has a mean by {measure} already, on line {before}");
                return Err(row.error(columns.query, problem).with_remedy(MEAN_REMEDY));
            }
            continue;
        }
        let value = score(&row, columns.value)?;
        let number = measures.number(measure);
        if number == tables.len() {
            tables.push(MeasureTable::default());
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
            let problem = diagnostic!(Duplicate {
                system = shorten(system), measure, query = shorten(query), by, before
            }:
                "the system `{system}` has a score by {measure} for the query `{query}`{by} \
                 already, on line {before}");
            return Err(row.error(columns.system, problem).with_remedy(match (judge, columns.judge) {
                (None, Some(_)) => Remedy::parse(
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

/// Returns an error if the file has no scores of single queries, or lacks a requested measure.
fn refuse_unwanted(
    source: &Source,
    options: &ScoresReadOptions,
    measures: &[String],
) -> Result<(), FormatError> {
    if measures.is_empty() {
        let problem = diagnostic!(NoRows: "there is no score of a single query");
        let remedy = Remedy::parse("{evaluation} prints the scores of every query");
        return Err(source.error(problem).with_remedy(remedy));
    }
    let missing = options
        .measures
        .iter()
        .find(|wanted| !measures.iter().any(|known| is_same_measure(known, wanted)));
    missing.map_or(Ok(()), |wanted| {
        let problem = diagnostic!(UnknownName { measure = wanted }:
            "there is no score by `{measure}`");
        let known = measures.join(", ");
        Err(source
            .error(problem)
            .with_remedy(format!("the measures are: {known}")))
    })
}

/// Query name of rows that are means over queries, as printed by `evaluate`.
const MEAN: &str = "all";

const MEAN_REMEDY: &str = "rows of the query `all` are means, and are left out; a query of that name \
                           needs another one, as nobody could tell it from a mean";
