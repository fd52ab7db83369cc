//! `query,group`: which group a query belongs to (a genre, a stratum, a difficulty).

use std::collections::HashMap;

use crate::columns::{Delimiter, LONGEST_LINE, Line};
use crate::error::{FormatError, Warning};
use crate::source::Source;
use crate::text::Text;

/// The groups of queries, as they were read.
#[derive(Debug)]
pub struct QueryGroups {
    /// The group of each query.
    pub group_of: HashMap<String, String>,
    /// The groups in the order of their first query.
    pub groups: Vec<String>,
    /// What there was to remark.
    pub warnings: Vec<Warning>,
}

/// Reads the groups of queries. A header such as `query,group` is passed over.
pub fn read(source: &Source) -> Result<QueryGroups, FormatError> {
    let text = Text::read(source)?;
    text.refuse_lines_beyond(source, LONGEST_LINE)?;
    let mut group_of: HashMap<String, String> = HashMap::new();
    let mut groups: Vec<String> = Vec::new();
    for (index, (number, row)) in text.lines().enumerate() {
        let line = Line {
            file: source.name(),
            number,
            text: row,
        };
        let delimiter = match () {
            () if row.contains('\t') => Delimiter::Tab,
            () if row.contains(',') => Delimiter::Comma,
            () => Delimiter::Blanks,
        };
        let columns = delimiter.split(row);
        let [query, group] = columns.as_slice() else {
            let message = format!("expected 2 columns (query, group), found {}", columns.len());
            return Err(line.error(message).column(1));
        };
        let is_header = |name: &str| matches!(name, "query" | "topic" | "qid" | "query_id");
        if index == 0 && is_header(query.to_lowercase().as_str()) {
            continue;
        }
        if let Some(nameless) = columns.iter().find(|column| column.is_empty()) {
            return Err(line.error_at(nameless, "an empty column"));
        }
        match group_of.get(query.as_ref()) {
            Some(known) if known != group => {
                let message = format!("the query `{query}` is in group `{known}` already");
                return Err(line.error_at(query, message));
            }
            _ => group_of.insert(query.to_string(), group.to_string()),
        };
        if !groups.iter().any(|known| known == group) {
            groups.push(group.to_string());
        }
    }
    if groups.is_empty() {
        return Err(crate::text::empty(source.name()));
    }
    Ok(QueryGroups {
        group_of,
        groups,
        warnings: text.warning.into_iter().collect(),
    })
}
