//! Rankings as rows `query,assessor,item,rank`, one row per rank; the header names the columns, in
//! any order. A table of one list may lack the column of queries.

use super::builder::RankingsBuilder;
use super::parse_rank;
use crate::diagnostic::FormatError;
use crate::remedy::Remedy;
use crate::table::{ASSESSOR, HeadingAliases, ITEM, InputRow, QUERY, Table};
use crate::text::SourceText;

/// Headings of the required columns: query, assessor, item and rank.
const HEADINGS: [HeadingAliases; 4] = [QUERY, ASSESSOR, ITEM, &["rank"]];

/// Remedy in errors about the header of a table of ranks.
const REMEDY: &str = "the first line must name the columns query, assessor, item and rank; {query NAME} \
                      names the list of a table without queries";

/// Returns true if a row looks like the header of a table `query,assessor,item,rank`: it names
/// items and ranks, or at least three of the four columns. If a column is missing, the error then
/// names that column, instead of reporting an invalid rank in a matrix.
pub(super) fn is_header(row: &InputRow<'_>) -> bool {
    let places = HEADINGS.map(|heading| row.column_index(heading));
    (places[2].is_some() && places[3].is_some()) || places.iter().flatten().count() >= 3
}

/// Reads a table `query,assessor,item,rank` into the builder. Without a column of queries, all rows
/// are of the query `only_query`.
pub(super) fn read(
    text: &SourceText<'_>,
    only_query: Option<&str>,
    builder: &mut RankingsBuilder,
) -> Result<(), FormatError> {
    let table = Table::new(text)?;
    let header = table.header();
    let [query, others @ ..] = HEADINGS;
    let query_column = header.column_index(query);
    let places = if query_column.is_some() || only_query.is_some() {
        header.required_columns(others, REMEDY)
    } else {
        header
            .required_columns(HEADINGS, REMEDY)
            .map(|[_, others @ ..]| others)
    };
    let places = places.map_err(|error| error.with_remedy(Remedy::parse(REMEDY)))?;
    let [assessor, item, at_rank] = places;
    let used = [query_column, Some(assessor), Some(item), Some(at_rank)];
    builder.warn(table.unread_columns_warning(&used));
    let mut rows = 0;
    for row in table.rows() {
        let row = row?;
        let query = match query_column {
            Some(column) => row.require_name(column, "query")?,
            None => only_query.expect("the header must name queries unless one is given"),
        };
        let names = (
            row.require_name(assessor, "assessor")?,
            row.require_name(item, "item")?,
        );
        let rank = parse_rank(&row, at_rank)?;
        builder.add((row.line, &row.fields[item]), query, names, rank)?;
        rows += 1;
    }
    if rows == 0 {
        return Err(text.source.no_rows_error("ranking"));
    }
    Ok(())
}
