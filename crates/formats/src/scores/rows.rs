//! Scores as rows: `system,query,measure,value`, or `system,query,judge,measure,value` with scores
//! by the judgments of one assessor; the header names the columns, in any order.

use std::collections::HashMap;

use partita_core::measure::is_asked_measure;
use partita_core::{AssessorScores, Names};

use super::partial_matrix::{ASSESSOR_SEPARATOR, PartialScoreMatrix};
use super::{AssessorScoresFile, ScoresFile, ScoresReadOptions, parse_score};
use crate::diagnostic;
use crate::diagnostic::{Diagnostic, DiagnosticCode, FormatError, Warning};
use crate::remedy::Remedy;
use crate::table::{self, ASSESSOR, InputRow, MEASURE, QUERY, SYSTEM, VALUE};
use crate::text::source::Source;
use crate::text::{SourceText, shorten};

/// Indices of the columns of a table of scores; the measure is optional in a file of one measure.
pub(super) struct Columns {
    system: usize,
    query: usize,
    pub(super) judge: Option<usize>,
    /// Index of the column of strata, in rows that are means over the queries of a stratum.
    stratum: Option<usize>,
    measure: Option<usize>,
    value: usize,
    /// Index of the column that tells scores of queries from means, as printed by `evaluate`.
    kind: Option<usize>,
    /// Headings of the columns other than system, query, measure, value and kind.
    other: Vec<String>,
}

impl Columns {
    /// Finds the columns by their headings; `None` if the row is not the header of a table of
    /// scores.
    pub(super) fn from_header(header: &InputRow<'_>) -> Option<Self> {
        let [system, query, measure, value] =
            [SYSTEM, QUERY, MEASURE, VALUE].map(|heading| header.column_index(heading));
        let kind = header.column_index(&[KIND]);
        Some(Self {
            system: system?,
            query: query?,
            judge: header.column_index(ASSESSOR),
            stratum: header.column_index(&["stratum", "group"]),
            measure,
            value: value?,
            kind,
            other: header.headings_except(&[system, query, measure, value, kind]),
        })
    }
}

/// Reads scores with one value per system and query.
pub(super) fn read(
    text: &SourceText<'_>,
    columns: &Columns,
    options: &ScoresReadOptions,
) -> Result<ScoresFile, FormatError> {
    let tables = collect_by_measure(text, columns, options, false)?;
    let measures: Vec<String> = tables.iter().map(|(measure, _)| measure.clone()).collect();
    let mut file = ScoresFile {
        other_columns: columns.other.clone(),
        ..ScoresFile::default()
    };
    let mut passed_over = Vec::new();
    for (measure, table) in tables {
        if options.measures.is_empty() && is_extreme_over_ties(&measure, &measures) {
            passed_over.push(measure);
        } else if options.includes_measure(&measure) {
            let matrix = table.into_matrix(measure);
            let (scores, _) =
                matrix.into_complete(text.source, options.missing, &mut file.warnings)?;
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
    for (measure, table) in collect_by_measure(text, columns, options, true)? {
        if !options.includes_measure(&measure) {
            continue;
        }
        let [systems, judges] = [&table.systems, &table.judges].map(to_strings);
        let matrix = table.into_matrix(measure.clone());
        let (scores, _) = matrix.into_complete(text.source, options.missing, &mut file.warnings)?;
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

/// Returns true if a measure is a minimum (suffix `:min`) or maximum (`:max`) over the orders of
/// tied documents, and the file also holds the mean over these orders.
fn is_extreme_over_ties(measure: &str, measures: &[String]) -> bool {
    let stem = measure
        .strip_suffix(":min")
        .or_else(|| measure.strip_suffix(":max"));
    stem.is_some_and(|stem| measures.iter().any(|other| other == stem))
}

/// Scores of one measure while the file is read.
#[derive(Default)]
struct MeasureTable {
    systems: Names,
    queries: Names,
    /// Names of the assessors; empty if the file names none.
    judges: Names,
    /// Score and its line number, keyed by the indices of system, query and assessor (0 if the file
    /// names no assessors).
    scores: HashMap<(usize, usize, usize), (Option<f64>, u64)>,
}

impl MeasureTable {
    /// Returns the scores as a matrix with one column per system, or per system and assessor.
    fn into_matrix(self, measure: String) -> PartialScoreMatrix {
        let judges = to_strings(&self.judges);
        let mut columns = to_strings(&self.systems);
        if !judges.is_empty() {
            let by_judge = |system| {
                let judges = judges.iter();
                judges.map(move |judge| format!("{system}{ASSESSOR_SEPARATOR}{judge}"))
            };
            columns = columns.iter().flat_map(by_judge).collect();
        }
        let judges = judges.len().max(1);
        let mut values = vec![None; columns.len() * self.queries.len()];
        for ((system, query, judge), (value, _)) in self.scores {
            values[query * columns.len() + system * judges + judge] = value;
        }
        PartialScoreMatrix {
            measure,
            columns,
            queries: to_strings(&self.queries),
            values,
        }
    }
}

/// Collects the scores of a file by measure, in the order in which the measures first appear.
fn collect_by_measure(
    text: &SourceText<'_>,
    columns: &Columns,
    options: &ScoresReadOptions,
    by_judge: bool,
) -> Result<Vec<(String, MeasureTable)>, FormatError> {
    text.refuse_overlong_lines()?;
    let mut measures = Names::new();
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
        let kind = columns.kind.map(|column| row.fields[column].as_ref());
        if kind == Some(KIND_MEAN) {
            continue;
        }
        if query == MEAN_QUERY_NAME && kind != Some(KIND_QUERY) {
            let stratum = columns.stratum.map_or("", |column| &row.fields[column]);
            let names = [system, measure, judge.unwrap_or_default(), stratum].map(str::to_owned);
            if let Some(before) = means.insert(names, row.line.number) {
                let problem = diagnostic!(ReservedName { system = shorten(system), measure, before }:
                    "the system `{system}` has a mean by {measure} already, on line {before}");
                return Err(row.error(columns.query, problem).with_remedy(MEAN_REMEDY));
            }
            continue;
        }
        let value = parse_score(&row, columns.value)?;
        let number = index_of(&mut measures, measure);
        if number == tables.len() {
            tables.push(MeasureTable::default());
        }
        let table = &mut tables[number];
        let key = (
            index_of(&mut table.systems, system),
            index_of(&mut table.queries, query),
            judge.map_or(0, |judge| index_of(&mut table.judges, judge)),
        );
        if let Some((_, before)) = table.scores.insert(key, (value, row.line.number)) {
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
    let measures = to_strings(&measures);
    refuse_missing_scores(text.source, options, &measures)?;
    Ok(measures.into_iter().zip(tables).collect())
}

/// Returns the index of a name, counted from 0 in the order of first appearance.
fn index_of(names: &mut Names, name: &str) -> usize {
    let item = names.intern(name);
    item.expect("a file in memory has fewer names than there are numbers")
        .index()
}

fn to_strings(names: &Names) -> Vec<String> {
    let items = names.items();
    items.map(|item| names.name(item).to_owned()).collect()
}

/// Returns an error if the file holds only means over queries, or lacks a requested measure.
fn refuse_missing_scores(
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
        .find(|wanted| !measures.iter().any(|known| is_asked_measure(wanted, known)));
    missing.map_or(Ok(()), |wanted| {
        let problem = diagnostic!(UnknownName { measure = wanted }:
            "there is no score by `{measure}`");
        let known = measures.join(", ");
        Err(source
            .error(problem)
            .with_remedy(format!("the measures are: {known}")))
    })
}

/// Query name of rows that hold means over all queries, as printed by `evaluate`.
pub(super) const MEAN_QUERY_NAME: &str = "all";

/// Heading of the column that tells scores of queries from means over queries.
pub(super) const KIND: &str = "kind";

/// Value of the column [`KIND`] in rows with the score of a query.
pub(super) const KIND_QUERY: &str = "query";

/// Value of the column [`KIND`] in rows with a mean over queries.
const KIND_MEAN: &str = "mean";

/// Remedy in errors about rows of the query `all`.
const MEAN_REMEDY: &str = "rows of the query `all` are means, and are left out; for a query of that \
                           name, add a column `kind` with `query` or `mean` in every row";
