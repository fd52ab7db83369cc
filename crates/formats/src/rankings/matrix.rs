//! A row an assessor, a column an item; the header names the items. A first column `assessor`
//! names the assessors, who are numbered otherwise.

use std::collections::HashSet;

use super::build::Gathered;
use super::{delimiter, rank};
use crate::columns::Line;
use crate::error::FormatError;
use crate::source::Source;
use crate::text::{Text, shorten};

pub(super) fn read(
    source: &Source,
    text: &Text,
    query: &str,
    gathered: &mut Gathered,
) -> Result<(), FormatError> {
    let mut lines = text.lines();
    let Some((number, header)) = lines.next() else {
        return Err(crate::text::empty(source.name()));
    };
    let line = |number, text| Line {
        file: source.name(),
        number,
        text,
    };
    let delimiter = delimiter(header);
    let names = delimiter.split(header);
    let named = names[0].eq_ignore_ascii_case("assessor");
    let items = &names[usize::from(named)..];
    check_items(line(number, header), items)?;
    let mut assessors = 0;
    for (number, text) in lines {
        let line = line(number, text);
        let fields = delimiter.split(text);
        if fields.len() != names.len() {
            let message = format!(
                "expected {} columns as in the header, found {}",
                names.len(),
                fields.len()
            );
            return Err(line.error(message).column(1).hint(HINT));
        }
        assessors += 1;
        let (assessor, ranks) = match named {
            true => (fields[0].to_string(), &fields[1..]),
            false => (assessors.to_string(), &fields[..]),
        };
        if assessor.is_empty() {
            return Err(line.error("the assessor has no name").column(1));
        }
        for (item, column) in items.iter().zip(ranks) {
            let rank = rank(line, column).map_err(|error| match names.len() {
                // One column that is no number is more likely several that were not told apart.
                1 => error.hint("columns are separated by commas or tabs"),
                _ => error,
            })?;
            gathered.add((line, column), query, (&assessor, item), rank)?;
        }
    }
    match assessors {
        0 => Err(
            FormatError::file(source.name(), "there is a header and no ranking after it")
                .hint(HINT),
        ),
        _ => Ok(()),
    }
}

const HINT: &str = "a matrix has a row for each assessor, a column for each item, and a header \
                    that names the items; another kind of file has the header \
                    `query,assessor,item,rank`";

fn check_items(line: Line<'_>, items: &[std::borrow::Cow<'_, str>]) -> Result<(), FormatError> {
    if items.is_empty() {
        return Err(line.error("the header names no item").column(1).hint(HINT));
    }
    if items.len() == 1 && items[0].contains(';') {
        let message = "expected columns separated by commas or tabs, found semicolons";
        return Err(line.error(message).column(1));
    }
    let mut seen = HashSet::new();
    for (index, item) in items.iter().enumerate() {
        if item.is_empty() {
            let message = format!("the item of column {} has no name", index + 1);
            return Err(line.error(message).hint(HINT));
        }
        if !seen.insert(item) {
            let message = format!("the header names the item `{}` twice", shorten(item));
            return Err(line.error_at(item, message).hint(HINT));
        }
    }
    Ok(())
}
