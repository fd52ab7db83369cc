//! A row a query, a column a system; the header names the systems.

use partita_core::Strata;

use super::cells::Cells;
use super::{ReadOptions, ScoresFile, ScoresTable, delimiter, names_queries, score};
use crate::columns::Line;
use crate::error::FormatError;
use crate::source::Source;
use crate::text::{Text, shorten};
use crate::words::real;

/// What the scores of a matrix are called, which does not say what they are.
const MEASURE: &str = "score";

/// What the columns of a matrix hold.
struct Columns {
    query: Option<usize>,
    stratum: Option<usize>,
    systems: Vec<(usize, String)>,
}

pub(super) fn read(
    source: &Source,
    text: &Text,
    options: &ReadOptions,
) -> Result<ScoresFile, FormatError> {
    if let Some(other) = options.measures.iter().find(|name| *name != MEASURE) {
        let message = format!("a matrix does not name its measure, so it is not `{other}`");
        return Err(FormatError::file(source.name(), message).hint(HINT));
    }
    let line = |number, text| Line {
        file: source.name(),
        number,
        text,
    };
    let mut lines = text.lines();
    let Some((number, header)) = lines.next() else {
        return Err(crate::text::empty(source.name()));
    };
    let delimiter = delimiter(header);
    let names = delimiter.split(header);
    let columns = columns(line(number, header), &names)?;
    let (mut queries, mut strata, mut values) = (Vec::new(), Vec::new(), Vec::new());
    let mut seen = std::collections::HashMap::new();
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
        let query = match columns.query {
            Some(column) => fields[column].to_string(),
            None => (queries.len() + 1).to_string(),
        };
        if query.is_empty() {
            return Err(line.error("the query has no name").column(1));
        }
        if let Some(before) = seen.insert(query.clone(), number) {
            let message = format!(
                "the query `{}` is on line {before} already",
                shorten(&query)
            );
            return Err(line.error_at(&query, message));
        }
        queries.push(query);
        if let Some(column) = columns.stratum {
            if fields[column].is_empty() {
                return Err(line.error_at(&fields[column], "the stratum has no name"));
            }
            strata.push(fields[column].to_string());
        }
        for &(column, _) in &columns.systems {
            values.push(score(line, &fields[column])?);
        }
    }
    if queries.is_empty() {
        let message = "there is a header and no scores after it";
        return Err(FormatError::file(source.name(), message).hint(HINT));
    }
    let cells = Cells {
        measure: MEASURE.to_owned(),
        systems: columns.systems.into_iter().map(|(_, name)| name).collect(),
        queries,
        values,
    };
    let mut warnings = Vec::new();
    let (scores, kept) = cells.complete(source, options.missing, &mut warnings)?;
    let named = |_| Strata::new(kept.iter().map(|&query| strata[query].as_str()));
    let strata = columns.stratum.map(named);
    Ok(ScoresFile {
        tables: vec![ScoresTable { scores, strata }],
        warnings,
    })
}

fn columns(line: Line<'_>, names: &[std::borrow::Cow<'_, str>]) -> Result<Columns, FormatError> {
    if names.iter().all(|name| real(name.as_bytes()).is_some()) {
        let message = "the first line holds numbers, where the names of the systems should be";
        return Err(line.error(message).column(1).hint(HINT));
    }
    let is_stratum = |name: &str| name.eq_ignore_ascii_case("stratum");
    let stratum = names.iter().position(|name| is_stratum(name));
    // The column of the strata may come first of all.
    let first = usize::from(stratum == Some(0));
    let query = (names.get(first))
        .is_some_and(|name| names_queries(name))
        .then_some(first);
    let mut systems: Vec<(usize, String)> = Vec::new();
    for (column, name) in names.iter().enumerate() {
        if Some(column) == query || Some(column) == stratum {
            continue;
        }
        if name.is_empty() {
            let message = format!("the system of column {} has no name", column + 1);
            return Err(line.error(message).hint(HINT));
        }
        if systems.iter().any(|(_, known)| known == name.as_ref()) {
            let message = format!("the header names the system `{}` twice", shorten(name));
            return Err(line
                .error_at(name, message)
                .hint("give every system a name of its own"));
        }
        systems.push((column, name.to_string()));
    }
    if systems.is_empty() {
        return Err(line
            .error("the header names no system")
            .column(1)
            .hint(HINT));
    }
    Ok(Columns {
        query,
        stratum,
        systems,
    })
}

const HINT: &str = "a matrix has a row for each query, a column for each system, and a header \
                    that names the systems; another kind of file has the header \
                    `system,query,measure,value`, as `partita evaluate --per-query --format csv` \
                    prints it";
