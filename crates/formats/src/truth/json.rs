//! `{"query": [["a", "b"], ["c"]]}`: the best group comes first.

use partita_core::{GroundTruth, Scale};
use serde_json::Value;

use super::Rows;
use crate::columns::{LONGEST_NAME, Line};
use crate::error::FormatError;
use crate::json::{Repeats, read_groups, write_groups};
use crate::text::Text;

pub(super) fn read(text: &Text<'_>) -> Result<Rows, FormatError> {
    let mut rows = Rows::new(Scale::Groups);
    for (query, groups) in read_groups(text.source.name(), &text.text, Repeats::Refused)? {
        rows.query(&query);
        for (number, group) in (1..).zip(groups) {
            for item in group {
                let line = line_of(text, &item);
                rows.add(line, &query, &item, f64::from(number))?;
            }
        }
    }
    Ok(rows)
}

/// The line on which a name that deserves a remark stands first; others need no line, because
/// repeated items have been refused.
fn line_of<'a>(text: &'a Text<'a>, item: &str) -> Line<'a> {
    let long = item.len() > LONGEST_NAME;
    let start = long.then(|| text.text.find(item)).flatten().unwrap_or(0);
    let number = 1 + text.text[..start].matches('\n').count() as u64;
    Line::new(text.source, number, &text.text[start..])
}

pub(super) fn write(truth: &GroundTruth) -> String {
    write_groups(truth.iter().map(|(query, judged)| {
        let name = |&item| Value::from(judged.names().name(item));
        let groups = judged.list().groups();
        let groups: Vec<Value> = groups.map(|g| g.iter().map(name).collect()).collect();
        (query, Value::from(groups))
    }))
}
