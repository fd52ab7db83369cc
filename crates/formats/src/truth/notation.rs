//! The papers' own notation, `query: (a, b), (c)`: the best group comes first.

use partita_core::{GroundTruth, Scale};

use super::Rows;
use crate::columns::{Line, starts_line};
use crate::error::FormatError;
use crate::source::Source;
use crate::text::Text;

/// Whether a line is written so.
pub(super) fn looks_like(line: &str) -> bool {
    let before = line.split_once('(').map_or(line, |(before, _)| before);
    before.trim_end().ends_with(':')
}

pub(super) fn read(source: &Source, text: &Text) -> Result<Rows, FormatError> {
    let mut rows = Rows::new(Scale::Groups);
    let mut lines_of = std::collections::HashMap::new();
    for (number, text) in text.lines() {
        let line = Line {
            file: source.name(),
            number,
            text,
        };
        let (query, mut rest) = line_parts(line)?;
        if let Some(first) = lines_of.insert(query, number) {
            let message = format!("the query `{query}` stands twice; first on line {first}");
            return Err(line.error_at(query, message));
        }
        rows.query(query);
        let mut group = 0;
        while !rest.is_empty() {
            let (inside, after) = rest
                .strip_prefix('(')
                .and_then(|inside| inside.split_once(')'))
                .ok_or_else(|| line.error_at(rest, "expected a group in parentheses: (a, b)"))?;
            group += 1;
            for item in inside.split(',') {
                let name = item.trim();
                if name.is_empty() || name.contains('(') {
                    return Err(line.error_at(item, "expected the name of an item"));
                }
                rows.add(line, query, name, f64::from(group))?;
            }
            rest = after.trim_start();
            if let Some(next) = rest.strip_prefix(',') {
                rest = next.trim_start();
                if rest.is_empty() {
                    return Err(line.error_at(next, "expected another group after the comma"));
                }
            } else if !rest.is_empty() {
                return Err(line.error_at(rest, "expected a comma between groups"));
            }
        }
    }
    Ok(rows)
}

/// The query of a line, and its groups.
fn line_parts(line: Line<'_>) -> Result<(&str, &str), FormatError> {
    // The query's name may itself contain colons; the groups start at the first parenthesis.
    let start = line.text.find('(').unwrap_or(line.text.len());
    let expected = "expected `query: (a, b), (c)`";
    let colon = line.text[..start]
        .rfind(':')
        .ok_or_else(|| line.error(expected).column(1))?;
    let query = line.text[..colon].trim();
    if query.is_empty() {
        return Err(line.error(expected).column(1));
    }
    let groups = line.text[colon + 1..].trim();
    Ok((query, groups))
}

pub(super) fn write(truth: &GroundTruth) -> Result<String, FormatError> {
    let mut text = String::new();
    for (query, judged) in truth.iter() {
        let unfit = |name: &str| {
            let message = format!("`{name}` cannot be written in this notation");
            FormatError::file("notation", message).hint("use `--to json`, which can hold any name")
        };
        let trimmed =
            |name: &str| name.trim() == name && !name.is_empty() && !name.contains(['\n', '\0']);
        starts_line("notation", query)?;
        if !trimmed(query) || query.contains('(') {
            return Err(unfit(query));
        }
        let mut groups = Vec::new();
        for group in judged.list().groups() {
            let names: Vec<&str> = group.iter().map(|&i| judged.names().name(i)).collect();
            let wrong = |name: &&&str| !trimmed(name) || name.contains(['(', ')', ',']);
            if let Some(name) = names.iter().find(wrong) {
                return Err(unfit(name));
            }
            groups.push(format!("({})", names.join(", ")));
        }
        text.push_str(format!("{query}: {}", groups.join(", ")).trim_end());
        text.push('\n');
    }
    Ok(text)
}
