//! Scores as a matrix: one row per query, one column per system; the header names the systems.

use std::io;

use partita_core::Strata;

use super::partial_matrix::PartialScoreMatrix;
use super::{ScoresFile, ScoresReadOptions, StratifiedScores, parse_score};
use crate::diagnostic;
use crate::diagnostic::FormatError;
use crate::remedy::Remedy;
use crate::table::csv_writer::CsvWriter;
use crate::table::{InputRow, QUERY, Table};
use crate::text::tokens::parse_number;
use crate::text::{SourceText, shorten};

/// Name of the measure of a score matrix, because this format does not name its measure.
const UNNAMED_MEASURE: &str = "score";

/// Indices of the columns of a score matrix.
struct Columns {
    query: Option<usize>,
    stratum: Option<usize>,
    systems: Vec<(usize, String)>,
}

/// Reads a score matrix.
pub(super) fn read(
    text: &SourceText<'_>,
    options: &ScoresReadOptions,
) -> Result<ScoresFile, FormatError> {
    if let Some(other) = options
        .measures
        .iter()
        .find(|name| *name != UNNAMED_MEASURE)
    {
        let problem = diagnostic!(UnknownName { measure = other }:
            "a matrix does not name its measure, so it is not `{measure}`");
        return Err(text.source.error(problem).with_remedy(remedy()));
    }
    let table = Table::new(text)?;
    let columns = find_columns(&table.header())?;
    let (mut queries, mut strata, mut values) = (Vec::new(), Vec::new(), Vec::new());
    let mut seen = std::collections::HashMap::new();
    for row in table.rows() {
        let row = row.map_err(|error| error.with_remedy(remedy()))?;
        let query = match columns.query {
            Some(column) => row.require_name(column, "query")?.to_owned(),
            None => (queries.len() + 1).to_string(),
        };
        if let Some(before) = seen.insert(query.clone(), row.line.number) {
            let query = shorten(&query);
            let problem = diagnostic!(Duplicate { query, before }:
                "the query `{query}` is on line {before} already");
            return Err(row.error(columns.query.unwrap_or(0), problem));
        }
        queries.push(query);
        if let Some(column) = columns.stratum {
            strata.push(row.require_name(column, "stratum")?.to_owned());
        }
        for &(column, _) in &columns.systems {
            values.push(parse_score(&row, column)?);
        }
    }
    if queries.is_empty() {
        return Err(text.source.no_rows_error("scores").with_remedy(remedy()));
    }
    let cells = PartialScoreMatrix {
        measure: UNNAMED_MEASURE.to_owned(),
        columns: columns.systems.into_iter().map(|(_, name)| name).collect(),
        queries,
        values,
    };
    let mut warnings = Vec::new();
    let (scores, kept) = cells.into_complete(text.source, options.missing, &mut warnings)?;
    let named = |_| Strata::new(kept.iter().map(|&query| strata[query].as_str()));
    let strata = columns.stratum.map(named);
    Ok(ScoresFile {
        tables: vec![StratifiedScores { scores, strata }],
        other_columns: Vec::new(),
        warnings,
    })
}

/// Finds the columns of queries, strata and systems in a header.
fn find_columns(header: &InputRow<'_>) -> Result<Columns, FormatError> {
    let (line, names) = (header.line, &header.fields);
    if names
        .iter()
        .all(|name| parse_number(name.as_bytes()).is_some())
    {
        let problem = diagnostic!(MissingColumn:
            "the first line holds numbers, where the names of the systems should be");
        return Err(line.error(problem).at_column(1).with_remedy(remedy()));
    }
    let is_stratum = |name: &str| name.eq_ignore_ascii_case("stratum");
    let stratum = names.iter().position(|name| is_stratum(name));
    // A column `stratum` may come before the column `query`.
    let first = usize::from(stratum == Some(0));
    let query = header.column_index(QUERY).filter(|column| *column == first);
    let mut systems: Vec<(usize, String)> = Vec::new();
    for (column, name) in names.iter().enumerate() {
        if Some(column) == query || Some(column) == stratum {
            continue;
        }
        if name.is_empty() {
            let column = column + 1;
            let problem = diagnostic!(MissingValue { column }:
                "the system of column {column} has no name");
            return Err(line.error(problem).with_remedy(remedy()));
        }
        if systems.iter().any(|(_, known)| known == name.as_ref()) {
            let system = shorten(name);
            let problem = diagnostic!(Duplicate { system }:
                "the header names the system `{system}` twice");
            let error = line.error_at(name, problem);
            return Err(error.with_remedy("give every system a name of its own"));
        }
        systems.push((column, name.to_string()));
    }
    if systems.is_empty() {
        let problem = diagnostic!(MissingColumn: "the header names no system");
        return Err(line.error(problem).at_column(1).with_remedy(remedy()));
    }
    Ok(Columns {
        query,
        stratum,
        systems,
    })
}

/// Writes the scores of one measure as a matrix, with a column of strata if the queries have
/// strata.
pub(super) fn write(table: &StratifiedScores, place: &mut dyn io::Write) -> io::Result<()> {
    let StratifiedScores { scores, strata } = table;
    let systems: Vec<&str> = scores.systems().iter().map(String::as_str).collect();
    let mut stratum_of = vec![None; scores.queries().len()];
    if let Some(strata) = strata {
        for (stratum, name) in strata.names().iter().enumerate() {
            for &query in strata.queries(stratum) {
                stratum_of[query] = Some(name.as_str());
            }
        }
    }
    let rows = scores.queries().iter().zip(scores.rows()).zip(stratum_of);
    let rows = rows.map(|((query, row), stratum)| {
        let scores = row.iter().copied().map(Some).collect();
        (query.as_str(), stratum, scores)
    });
    write_matrix(place, &systems, strata.is_some(), rows)
}

/// Writes a score matrix with one row per query and one column per system, and with a column of
/// strata if `with_strata`.
///
/// # Errors
/// Returns the error of the underlying writer.
pub fn write_matrix<'a>(
    place: &mut dyn io::Write,
    systems: &[&str],
    with_strata: bool,
    rows: impl IntoIterator<Item = (&'a str, Option<&'a str>, Vec<Option<f64>>)>,
) -> io::Result<()> {
    let mut writer = CsvWriter::new(place);
    let named_columns = 1 + usize::from(with_strata);
    let names = ["query", "stratum"].into_iter().take(named_columns);
    writer.write_row(names.chain(systems.iter().copied()))?;
    for (query, stratum, scores) in rows {
        let names = [query, stratum.unwrap_or_default()].map(str::to_owned);
        let scores = (scores.into_iter())
            .map(|score| score.map_or_else(String::new, |score| score.to_string()));
        writer.write_row(names.into_iter().take(named_columns).chain(scores))?;
    }
    writer.finish().map(|_| ())
}

/// Returns the remedy in errors about a score matrix.
fn remedy() -> Remedy {
    Remedy::parse(
        "a matrix has a row for each query, a column for each system, and a header that names the \
         systems; another kind of file has the header `system,query,measure,value`, as {evaluation \
         csv} prints it",
    )
}
