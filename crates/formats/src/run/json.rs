//! `{"query": ["a", ["b", "c"]]}`: best item first, an inner list being tied.

use partita_core::Run;
use serde_json::Value;

use super::{Lists, only};
use crate::error::FormatError;
use crate::json::{Repeats, read_groups, write_groups};
use crate::source::Source;
use crate::text::Text;

pub(super) fn read(source: &Source, name: &str) -> Result<Lists, FormatError> {
    let text = Text::read(source)?;
    let (mut run, mut lines) = (Run::new(name), Vec::new());
    // Where the last query was found, and its line: queries come in the order of the file.
    let (mut at, mut line) = (0, 1);
    for (query, groups) in read_groups(source.name(), &text.text, Repeats::Allowed)? {
        let key = Value::from(query.as_str()).to_string();
        if let Some(further) = text.text[at..].find(&key) {
            line += text.text[at..at + further].matches('\n').count() as u64;
            at += further;
        }
        let query = run.query(&query);
        run.set(query, &groups);
        lines.push(line);
    }
    Lists::one(source, run, lines, text.warning)
}

pub(super) fn write(runs: &[Run]) -> Result<String, FormatError> {
    let queries = only(runs, "json")?.queries();
    let queries: Vec<(&str, Vec<Vec<&str>>)> = queries.collect();
    Ok(write_groups(queries.into_iter().map(|(query, groups)| {
        let groups = groups.into_iter().map(|group| match group.as_slice() {
            [alone] => Value::from(*alone),
            _ => Value::from(group),
        });
        (query, groups.collect())
    })))
}
