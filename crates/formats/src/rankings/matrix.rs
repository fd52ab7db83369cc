//! Rankings as a matrix: one row per assessor, one column per item; the header names the items. A
//! first column `assessor` names the assessors; without it, they are numbered.

use std::collections::HashSet;

use super::builder::RankingsBuilder;
use super::parse_rank;
use crate::diagnostic;
use crate::diagnostic::FormatError;
use crate::table::{InputRow, Table};
use crate::text::{SourceText, shorten};

/// Reads a matrix of ranks of one query into the builder.
pub(super) fn read(
    text: &SourceText<'_>,
    query: &str,
    builder: &mut RankingsBuilder,
) -> Result<(), FormatError> {
    let table = Table::new(text)?;
    let header = table.header();
    let named = header.column_index(&["assessor"]) == Some(0);
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
