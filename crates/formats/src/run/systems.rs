//! `system query item`: three columns, each system's items in the order of rank.

use std::collections::HashMap;

use super::open::{OpenRanking, OpenRun, OpenRuns, untied};
use crate::columns::{LONGEST_LINE, Line, fits_table};
use crate::csv_writer::CsvWriter;
use crate::error::FormatError;
use crate::source::Source;
use crate::table::{ITEM, QUERY, Row, SYSTEM, Separator};
use crate::text::{Blocks, is_comment_or_blank};

pub(super) fn read(source: &Source) -> Result<OpenRuns, FormatError> {
    let mut blocks = Blocks::new(source, LONGEST_LINE)?;
    let mut all = OpenRuns::default();
    let mut places: HashMap<(String, String), (usize, usize)> = HashMap::new();
    let mut systems: HashMap<String, usize> = HashMap::new();
    let mut separator = None;
    let mut columns = [0, 1, 2];
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
            let first = separator.is_none();
            let separator = *separator.get_or_insert_with(|| Separator::of(text, 3));
            let row = Row::new(line, separator);
            if row.fields.len() != 3 {
                let found = row.fields.len();
                let message = format!("expected 3 columns (system, query, item), found {found}");
                return Err(line.error(message).column(1));
            }
            if first && let Some(named) = row.place(QUERY) {
                // A header may name the columns in any order.
                let named = [row.place(SYSTEM), Some(named), row.place(ITEM)];
                if let [Some(system), Some(query), Some(item)] = named {
                    columns = [system, query, item];
                }
                if columns[1] == named[1].expect("it was found") {
                    continue;
                }
            }
            if let Some(nameless) = row.fields.iter().position(|column| column.is_empty()) {
                return Err(row.error(nameless, "an empty column"));
            }
            let [system, query, item] = columns.map(|column| row.fields[column].as_ref());
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
    let mut writer = CsvWriter::new(Vec::new());
    writer.row(["system", "query", "item"]).expect(MEMORY);
    for run in &all.runs {
        let system = run.own_name.as_deref().unwrap_or("run");
        fits_table("systems", system)?;
        for ranking in &run.queries {
            untied("systems", ranking)?;
            fits_table("systems", &ranking.query)?;
            for &item in ranking.groups.iter().flatten() {
                let name = all.documents.name(item);
                fits_table("systems", name)?;
                writer.row([system, &ranking.query, name]).expect(MEMORY);
            }
        }
    }
    let bytes = writer.finish().expect(MEMORY);
    Ok(String::from_utf8(bytes).expect("names are text"))
}

const MEMORY: &str = "memory can be written to";
