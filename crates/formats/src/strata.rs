//! Strata of queries (such as a genre or a difficulty): `query,stratum`.

use std::collections::HashMap;

use crate::diagnostic;
use crate::diagnostic::{FormatError, Warning};
use crate::table::{QUERY, Table};
use crate::text::SourceText;
use crate::text::source::Source;

/// Content of a file of strata.
#[derive(Debug)]
pub struct StrataFile {
    /// Name of the stratum of each query, keyed by the name of the query.
    pub stratum_of: HashMap<String, String>,
    /// Names of the strata in the order of their first query.
    pub strata: Vec<String>,
    /// Warnings about the file.
    pub warnings: Vec<Warning>,
}

/// Reads the strata of queries. A header such as `query,stratum` is skipped.
pub fn read(source: &Source) -> Result<StrataFile, FormatError> {
    let text = SourceText::read(source)?;
    text.refuse_overlong_lines()?;
    let mut stratum_of: HashMap<String, String> = HashMap::new();
    let mut strata: Vec<String> = Vec::new();
    for (index, row) in Table::new(&text)?.all_rows().enumerate() {
        let [query, stratum] = row.expect_columns(["query", "stratum or group"])?;
        if index == 0 && row.column_index(QUERY) == Some(0) {
            continue;
        }
        row.refuse_empty()?;
        match stratum_of.get(query.as_ref()) {
            Some(known) if known != stratum => {
                let problem = diagnostic!(Contradiction { query, known }:
                    "the query `{query}` is in `{known}` already");
                return Err(row.error(0, problem));
            }
            _ => stratum_of.insert(query.to_string(), stratum.to_string()),
        };
        if !strata.iter().any(|known| known == stratum) {
            strata.push(stratum.to_string());
        }
    }
    if strata.is_empty() {
        return Err(source.empty_error());
    }
    Ok(StrataFile {
        stratum_of,
        strata,
        warnings: text.warning.into_iter().collect(),
    })
}
