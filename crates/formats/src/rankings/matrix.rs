//! A row per assessor, a column per item; the header names the items. A first column `assessor`
//! names the assessors, who are numbered otherwise.

use std::collections::HashSet;

use super::build::Gathered;
use super::rank;
use crate::error::FormatError;
use crate::source::Source;
use crate::table::{Row, Table};
use crate::text::shorten;

pub(super) fn read(
    source: &Source,
    table: &Table<'_>,
    query: &str,
    gathered: &mut Gathered,
) -> Result<(), FormatError> {
    let header = table.header();
    let named = header.place(&["assessor"]) == Some(0);
    let first = usize::from(named);
    check_items(&header, first)?;
    let mut assessors = 0;
    for row in table.rows() {
        let row = row.map_err(|error| error.hint(HINT))?;
        assessors += 1;
        let assessor = if named {
            row.name(0, "assessor")?.to_owned()
        } else {
            assessors.to_string()
        };
        for (column, item) in header.fields.iter().enumerate().skip(first) {
            let rank = rank(&row, column).map_err(|error| match header.fields.len() {
                // One column that is no number is more likely several that were not told apart.
                1 => error.hint("columns are separated by commas, semicolons or tabs"),
                _ => error,
            })?;
            let place = (row.line, row.fields[column].as_ref());
            gathered.add(place, query, (&assessor, item), rank)?;
        }
    }
    if assessors == 0 {
        let message = "there is a header and no ranking after it";
        return Err(FormatError::file(source.name(), message).hint(HINT));
    }
    Ok(())
}

const HINT: &str = "a matrix has a row for each assessor, a column for each item, and a header \
                    that names the items; another kind of file has the header \
                    `query,assessor,item,rank`";

fn check_items(header: &Row<'_>, first: usize) -> Result<(), FormatError> {
    if header.fields.len() == first {
        let error = header.line.error("the header names no item");
        return Err(error.column(1).hint(HINT));
    }
    let mut seen = HashSet::new();
    for (column, item) in header.fields.iter().enumerate().skip(first) {
        if item.is_empty() {
            let message = format!("the item of column {} has no name", column + 1 - first);
            return Err(header.line.error(message).hint(HINT));
        }
        if !seen.insert(item) {
            let message = format!("the header names the item `{}` twice", shorten(item));
            return Err(header.error(column, message).hint(HINT));
        }
    }
    Ok(())
}
