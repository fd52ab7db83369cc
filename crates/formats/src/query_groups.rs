//! `query,group`: which group a query belongs to (a genre, a stratum, a difficulty).

use std::collections::HashMap;

use crate::columns::LONGEST_LINE;
use crate::error::{FormatError, Warning};
use crate::source::Source;
use crate::table::{QUERY, Table};
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
    for (index, row) in Table::new(source, &text)?.all_rows().enumerate() {
        let [query, group] = row.fields.as_slice() else {
            let found = row.fields.len();
            let message = format!("expected 2 columns (query, group), found {found}");
            return Err(row.line.error(message).column(1));
        };
        if index == 0 && row.place(QUERY) == Some(0) {
            continue;
        }
        if let Some(nameless) = row.fields.iter().position(|column| column.is_empty()) {
            return Err(row.error(nameless, "an empty column"));
        }
        match group_of.get(query.as_ref()) {
            Some(known) if known != group => {
                let message = format!("the query `{query}` is in group `{known}` already");
                return Err(row.error(0, message));
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
