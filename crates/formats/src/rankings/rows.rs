//! `query,assessor,item,rank`, a row a rank; the header names the columns, in any order.

use super::build::Gathered;
use super::{delimiter, rank};
use crate::columns::{LONGEST_LINE, Line};
use crate::error::{FormatError, Warning};
use crate::source::Source;
use crate::text::Text;

const COLUMNS: [(&str, &[&str]); 4] = [
    ("query", &["query", "topic", "qid", "query_id", "list"]),
    (
        "assessor",
        &["assessor", "judge", "expert", "user", "worker", "person"],
    ),
    (
        "item",
        &["item", "doc", "document", "docno", "docid", "doc_id"],
    ),
    ("rank", &["rank"]),
];

/// Whether a line is meant as a header of such a table: it names items and ranks, or three of the
/// four columns. Reading it then says what is missing, where a matrix would complain of a rank.
pub(super) fn is_header(line: &str) -> bool {
    let places = places(&names(line));
    (places[2].is_some() && places[3].is_some()) || places.iter().flatten().count() >= 3
}

fn names(header: &str) -> Vec<String> {
    let columns = delimiter(header).split(header);
    columns.iter().map(|name| name.to_lowercase()).collect()
}

/// Which column holds what.
fn places(names: &[String]) -> [Option<usize>; 4] {
    COLUMNS.map(|(_, known)| names.iter().position(|name| known.contains(&name.as_str())))
}

pub(super) fn read(
    source: &Source,
    text: &Text,
    gathered: &mut Gathered,
) -> Result<(), FormatError> {
    text.refuse_lines_beyond(source, LONGEST_LINE)?;
    let mut lines = text.lines();
    let Some((number, header)) = lines.next() else {
        return Err(crate::text::empty(source.name()));
    };
    let names = names(header);
    let places = places(&names);
    let missing = COLUMNS
        .iter()
        .zip(places)
        .filter(|(_, place)| place.is_none());
    let missing: Vec<&str> = missing.map(|((name, _), _)| *name).collect();
    let [Some(query), Some(assessor), Some(item), Some(at_rank)] = places else {
        let message = format!("the header names no column {}", missing.join(", "));
        return Err(FormatError::line(source.name(), number, message)
            .column(1)
            .hint("the first line must name the columns query, assessor, item and rank"));
    };
    let used = [query, assessor, item, at_rank];
    let unread = (0..names.len()).filter(|column| !used.contains(column));
    let unread: Vec<&str> = unread.map(|column| names[column].as_str()).collect();
    if !unread.is_empty() {
        gathered.warn(Warning {
            file: source.name().to_owned(),
            line: Some(number),
            message: format!("columns that are not read: {}", unread.join(", ")),
        });
    }
    let delimiter = delimiter(header);
    let mut rows = 0;
    for (number, text) in lines {
        let line = Line {
            file: source.name(),
            number,
            text,
        };
        let fields = delimiter.split(text);
        if fields.len() != names.len() {
            let message = format!(
                "expected {} columns as in the header, found {}",
                names.len(),
                fields.len()
            );
            return Err(line.error(message).column(1));
        }
        for (column, what) in [(query, "query"), (assessor, "assessor"), (item, "item")] {
            if fields[column].is_empty() {
                return Err(line.error_at(&fields[column], format!("the {what} has no name")));
            }
        }
        let rank = rank(line, &fields[at_rank])?;
        let names = (fields[assessor].as_ref(), fields[item].as_ref());
        gathered.add((line, &fields[item]), &fields[query], names, rank)?;
        rows += 1;
    }
    match rows {
        0 => Err(FormatError::file(
            source.name(),
            "there is a header and no ranking after it",
        )),
        _ => Ok(()),
    }
}
