//! Rankings as a matrix: one row per assessor, one column per item; the header names the items. A
//! first column `assessor`, or with another heading for people, names the assessors; without it, they
//! are numbered.

use std::collections::HashSet;

use super::builder::RankingsBuilder;
use super::parse_rank;
use crate::diagnostic;
use crate::diagnostic::FormatError;
use crate::table::{ASSESSOR, ITEM, InputRow, Table};
use crate::text::{SourceText, shorten};

/// Reads a matrix of ranks of one query into the builder.
pub(super) fn read(
    text: &SourceText<'_>,
    query: &str,
    builder: &mut RankingsBuilder,
) -> Result<(), FormatError> {
    let table = Table::new(text)?;
    let header = table.header();
    let named = header.is_heading(0, ASSESSOR);
    let first = usize::from(named);
    check_items(&header, first)?;
    let mut assessors = 0;
    for row in table.rows() {
        let row = row.map_err(|error| error.with_remedy(REMEDY))?;
        assessors += 1;
        let assessor = if named {
            row.require_name(0, "assessor")?.to_owned()
        } else {
            assessors.to_string()
        };
        for (column, item) in header.fields.iter().enumerate().skip(first) {
            let rank = parse_rank(&row, column).map_err(|error| match header.fields.len() {
                // A table that seems to have a single column probably has an unsupported separator.
                1 => error.with_remedy("columns are separated by commas, semicolons or tabs"),
                _ if column == 0 && row.parse_number(0).is_none() => {
                    first_column_error(&header, &row)
                }
                _ => error,
            })?;
            let place = (row.line, row.fields[column].as_ref());
            builder.add(place, query, (&assessor, item), rank)?;
        }
    }
    if assessors == 0 {
        return Err(text.source.no_rows_error("ranking").with_remedy(REMEDY));
    }
    Ok(())
}

/// Remedy in errors about a matrix of ranks: what its rows, columns and header are.
const REMEDY: &str = "a matrix has a row for each assessor, a column for each item, and a header \
                    that names the items; another kind of file has the header \
                    `query,assessor,item,rank`";

/// Returns the error for a first column that holds no ranks, under a heading that does not name
/// assessors.
fn first_column_error(header: &InputRow<'_>, row: &InputRow<'_>) -> FormatError {
    let (heading, found) = (shorten(&header.fields[0]), shorten(&row.fields[0]));
    if header.is_heading(0, ITEM) {
        let problem = diagnostic!(OtherFormat { heading, found }:
            "the first column, `{heading}`, names an item in each row (`{found}`)");
        return row.error(0, problem).with_remedy(
            "is the table turned? A row holds the ranks by one assessor, and a column those of one \
             item",
        );
    }
    let known = ASSESSOR.join(", ");
    let problem = diagnostic!(UnknownName { heading, found }:
        "the first column is called `{heading}`, which is no name for assessors, and `{found}` is no \
         rank");
    let remedy = format!("call the column of people by one of these names: {known}");
    row.error(0, problem).with_remedy(remedy)
}

/// Checks that the item names of the header, from column `first` on, exist and are distinct.
fn check_items(header: &InputRow<'_>, first: usize) -> Result<(), FormatError> {
    if header.fields.len() == first {
        let problem = diagnostic!(MissingColumn: "the header names no item");
        return Err(header.line.error(problem).at_column(1).with_remedy(REMEDY));
    }
    let mut seen = HashSet::new();
    for (column, item) in header.fields.iter().enumerate().skip(first) {
        if item.is_empty() {
            let column = column + 1 - first;
            let problem = diagnostic!(MissingValue { column }:
                "the item of column {column} has no name");
            return Err(header.line.error(problem).with_remedy(REMEDY));
        }
        if !seen.insert(item) {
            let item = shorten(item);
            let problem =
                diagnostic!(Duplicate { item }: "the header names the item `{item}` twice");
            return Err(header.error(column, problem).with_remedy(REMEDY));
        }
    }
    Ok(())
}
