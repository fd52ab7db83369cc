//! `system query item`: three columns, each system's items in the order of rank.

use std::collections::HashMap;

use super::open::{OpenRanking, OpenRun, OpenRuns, untied};
use crate::columns::{Delimiter, LONGEST_LINE, Line, fits_table, table_writer};
use crate::error::FormatError;
use crate::source::Source;
use crate::text::{Blocks, is_comment_or_blank};

pub(super) fn read(source: &Source) -> Result<OpenRuns, FormatError> {
    let mut blocks = Blocks::new(source, LONGEST_LINE)?;
    let mut all = OpenRuns::default();
    let mut places: HashMap<(String, String), (usize, usize)> = HashMap::new();
    let mut systems: HashMap<String, usize> = HashMap::new();
    let mut delimiter = None;
    while let Some(block) = blocks.next()? {
        for (number, text) in (block.first_line..).zip(block.text.lines()) {
            if is_comment_or_blank(text) {
                continue;
            }
            let line = Line {
                file: source.name(),
                number,
                text,
            };
            let first = delimiter.is_none();
            let delimiter = *delimiter.get_or_insert_with(|| Delimiter::of(text));
            let columns = delimiter.split(text);
            let [system, query, item] = columns.as_slice() else {
                let found = columns.len();
                let message = format!("expected 3 columns (system, query, item), found {found}");
                return Err(line.error(message).column(1));
            };
            if first && query.eq_ignore_ascii_case("query") {
                continue;
            }
            if let Some(nameless) = columns.iter().find(|column| column.is_empty()) {
                return Err(line.error_at(nameless, "an empty column"));
            }
            let key = (system.to_string(), query.to_string());
            let (run, ranking) = *places.entry(key).or_insert_with(|| {
                let run = *systems.entry(system.to_string()).or_insert_with(|| {
                    all.runs.push(OpenRun {
                        own_name: Some(system.to_string()),
                        queries: Vec::new(),
                    });
                    all.runs.len() - 1
                });
                all.runs[run].queries.push(OpenRanking {
                    query: query.to_string(),
                    line: number,
                    groups: Vec::new(),
                });
                (run, all.runs[run].queries.len() - 1)
            });
            let item = all.documents.intern(item);
            let groups = &mut all.runs[run].queries[ranking].groups;
            groups.extend(item.map(|item| vec![item]));
        }
    }
    if all.runs.is_empty() {
        return Err(crate::text::empty(source.name()));
    }
    all.warnings.extend(blocks.warning());
    Ok(all)
}

pub(super) fn write(all: &OpenRuns) -> Result<String, FormatError> {
    let mut writer = table_writer();
    // Writing to memory cannot fail.
    let _ = writer.write_record(["system", "query", "item"]);
    for run in &all.runs {
        let system = run.own_name.as_deref().unwrap_or("run");
        fits_table("systems", system)?;
        for ranking in &run.queries {
            untied("systems", ranking)?;
            fits_table("systems", &ranking.query)?;
            for &item in ranking.groups.iter().flatten() {
                let name = all.documents.name(item);
                fits_table("systems", name)?;
                let _ = writer.write_record([system, &ranking.query, name]);
            }
        }
    }
    let bytes = writer.into_inner().unwrap_or_default();
    Ok(String::from_utf8(bytes).unwrap_or_default())
}
