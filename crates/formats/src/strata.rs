//! `query,stratum`: which stratum a query belongs to (a genre, a difficulty).

use std::collections::HashMap;

use crate::diagnostic;
use crate::diagnostic::{FormatError, Warning};
use crate::table::{QUERY, Table};
use crate::text::SourceText;
use crate::text::source::Source;

/// The strata of queries, as they were read.
#[derive(Debug)]
pub struct StrataFile {
    /// The stratum of each query.
    pub stratum_of: HashMap<String, String>,
    /// The strata in the order of their first query.
    pub strata: Vec<String>,
    /// What there was to remark.
    pub warnings: Vec<Warning>,
}

/// Reads the strata of queries. A header such as `query,stratum` is passed over.
pub fn read(source: &Source) -> Result<StrataFile, FormatError> {
    let text = SourceText::read(source)?;
    text.refuse_overlong_lines()?;
    let mut group_of: HashMap<String, String> = HashMap::new();
    let mut groups: Vec<String> = Vec::new();
    for (index, row) in Table::new(&text)?.all_rows().enumerate() {
        let [query, group] = row.expect_columns(["query", "stratum or group"])?;
        if index == 0 && row.column_index(QUERY) == Some(0) {
            continue;
        }
        row.refuse_empty()?;
        match group_of.get(query.as_ref()) {
            Some(known) if known != group => {
                let problem = diagnostic!(Contradiction { query, known }:
                    "the query `{query}` is in `{known}` already");
                return Err(row.error(0, problem));
            }
            _ => group_of.insert(query.to_string(), group.to_string()),
        };
        if !groups.iter().any(|known| known == group) {
            groups.push(group.to_string());
        }
    }
    if groups.is_empty() {
        return Err(source.empty_error());
    }
    Ok(StrataFile {
        stratum_of: group_of,
        strata: groups,
        warnings: text.warning.into_iter().collect(),
    })
}
