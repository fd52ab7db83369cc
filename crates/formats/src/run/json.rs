//! `{"query": ["a", ["b", "c"]]}`: best item first, an inner list being tied.

use serde_json::Value;

use super::open::{OpenRanking, OpenRun, OpenRuns};
use crate::error::FormatError;
use crate::json::{Repeats, read_groups, write_groups};
use crate::source::Source;
use crate::text::Text;

pub(super) fn read(source: &Source) -> Result<OpenRuns, FormatError> {
    let text = Text::read(source)?;
    let mut all = OpenRuns::default();
    let mut run = OpenRun::default();
    // Where the last query was found, and its line: queries come in the order of the file.
    let (mut at, mut line) = (0, 1);
    for (query, groups) in read_groups(source.name(), &text.text, Repeats::Allowed)? {
        let key = Value::from(query.as_str()).to_string();
        if let Some(further) = text.text[at..].find(&key) {
            line += text.text[at..at + further].matches('\n').count() as u64;
            at += further;
        }
        let groups = groups.iter();
        let groups = groups.map(|group| {
            let items = group.iter().filter_map(|item| all.documents.intern(item));
            items.collect()
        });
        let groups = groups.collect();
        run.queries.push(OpenRanking {
            query,
            line,
            groups,
        });
    }
    if run.queries.is_empty() {
        return Err(crate::text::empty(source.name()));
    }
    all.runs.push(run);
    all.warnings.extend(text.warning);
    Ok(all)
}

pub(super) fn write(all: &OpenRuns) -> Result<String, FormatError> {
    let run = all.only("json")?;
    let name = |&item| Value::from(all.documents.name(item));
    Ok(write_groups(run.queries.iter().map(|ranking| {
        let groups = ranking.groups.iter().map(|group| match group.as_slice() {
            [alone] => name(alone),
            tied => tied.iter().map(name).collect(),
        });
        (ranking.query.as_str(), groups.collect())
    })))
}
