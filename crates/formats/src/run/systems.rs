//! `system query item`: three columns, each system's items in the order of rank.

use std::collections::HashMap;

use partita_core::Run;

use super::{Lists, untied};
use crate::columns::{LONGEST_LINE, Line, fits_table};
use crate::csv_writer::csv_text;
use crate::error::FormatError;
use crate::source::Source;
use crate::table::{ITEM, QUERY, Row, SYSTEM, Separator};
use crate::text::{Blocks, is_comment_or_blank};

pub(super) fn read(source: &Source) -> Result<Lists, FormatError> {
    let mut blocks = Blocks::new(source, LONGEST_LINE)?;
    let mut lists = Lists::default();
    let mut systems: HashMap<String, usize> = HashMap::new();
    let mut separator = None;
    let mut columns = [0, 1, 2];
    while let Some(block) = blocks.next()? {
        for (number, text) in (block.first_line..).zip(block.text().lines()) {
            if is_comment_or_blank(text) {
                continue;
            }
            let first = separator.is_none();
            let separator = *separator.get_or_insert_with(|| Separator::of(text, 3));
            let row = Row::new(Line::new(source, number, text), separator);
            row.exactly(["system", "query", "item"])?;
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
            row.refuse_empty()?;
            let [system, query, item] = columns.map(|column| row.fields[column].as_ref());
            let at = *systems.entry(system.to_owned()).or_insert_with(|| {
                lists.runs.push((Run::new(system), Vec::new()));
                lists.runs.len() - 1
            });
            let (run, lines) = &mut lists.runs[at];
            let query = run.query(query);
            if query == lines.len() {
                lines.push(number);
            }
            run.push(query, item);
        }
    }
    if lists.runs.is_empty() {
        return Err(source.empty());
    }
    lists.warning = blocks.warning();
    Ok(lists)
}

pub(super) fn write(runs: &[Run]) -> Result<String, FormatError> {
    let mut rows = Vec::new();
    for run in runs {
        fits_table("systems", run.name())?;
        for (query, groups) in run.queries() {
            untied("systems", query, &groups)?;
            fits_table("systems", query)?;
            for item in groups.concat() {
                fits_table("systems", item)?;
                rows.push([run.name(), query, item]);
            }
        }
    }
    Ok(csv_text(["system", "query", "item"], &rows))
}
