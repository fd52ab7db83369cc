//! Ground truths in the notation `query: (a, b), (c)`: each pair of parentheses encloses a group,
//! and the best group comes first.

use partita_core::{GroundTruth, TruthScale};

use super::{TruthBuilder, TruthFormatDefinition, TruthReadOptions, TruthReader};
use crate::diagnostic;
use crate::diagnostic::FormatError;
use crate::text::SourceText;
use crate::text::line::SourceLine;
use crate::text::name_rules::{check_line_start, unwritable_error};

/// Returns true if a line looks like `query: (a, b), (c)`.
pub(super) fn looks_like(line: &str) -> bool {
    let before = line.split_once('(').map_or(line, |(before, _)| before);
    before.trim_end().ends_with(':')
}

/// Format `notation`.
pub(super) static FORMAT: TruthFormatDefinition = TruthFormatDefinition {
    scale: TruthScale::Groups,
    by_item: false,
    read: TruthReader::Whole(read),
    write,
};

fn read(text: &SourceText<'_>, _: &TruthReadOptions) -> Result<TruthBuilder, FormatError> {
    let mut rows = TruthBuilder::new(TruthScale::Groups);
    let mut lines_of = std::collections::HashMap::new();
    for line in text.lines() {
        let (query, mut rest) = split_query_and_groups(line)?;
        if let Some(first) = lines_of.insert(query, line.number) {
            return Err(line.duplicate_query_error(query, first));
        }
        rows.query(query);
        let mut group = 0;
        while !rest.is_empty() {
            let (inside, after) = rest
                .strip_prefix('(')
                .and_then(|inside| inside.split_once(')'))
                .ok_or_else(|| {
                    let problem = diagnostic!(Syntax: "expected a group in parentheses: (a, b)");
                    line.error_at(rest, problem)
                })?;
            group += 1;
            for item in inside.split(',') {
                let name = item.trim();
                if name.is_empty() || name.contains('(') {
                    let problem = diagnostic!(Syntax: "expected the name of an item");
                    return Err(line.error_at(item, problem));
                }
                rows.add(line, query, name, f64::from(group))?;
            }
            rest = after.trim_start();
            if let Some(next) = rest.strip_prefix(',') {
                rest = next.trim_start();
                if rest.is_empty() {
                    let problem = diagnostic!(Syntax: "expected another group after the comma");
                    return Err(line.error_at(next, problem));
                }
            } else if !rest.is_empty() {
                let problem = diagnostic!(Syntax: "expected a comma between groups");
                return Err(line.error_at(rest, problem));
            }
        }
    }
    Ok(rows)
}

/// Splits a line into the name of its query and the text of its groups.
fn split_query_and_groups(line: SourceLine<'_>) -> Result<(&str, &str), FormatError> {
    // The query's name may itself contain colons; the groups start at the first parenthesis.
    let start = line.text.find('(').unwrap_or(line.text.len());
    let colon = line.text[..start].rfind(':');
    let parts = colon.map(|colon| (line.text[..colon].trim(), line.text[colon + 1..].trim()));
    parts.filter(|(query, _)| !query.is_empty()).ok_or_else(|| {
        let problem = diagnostic!(Syntax: "expected `query: (a, b), (c)`");
        line.error(problem).at_column(1)
    })
}

fn write(truth: &GroundTruth) -> Result<String, FormatError> {
    let mut text = String::new();
    for (query, judged) in truth.iter() {
        let unfit = |name: &str| {
            let problem = diagnostic!(Unrepresentable { name }:
                "`{name}` cannot be written in this notation");
            unwritable_error("notation", problem)
        };
        let trimmed =
            |name: &str| name.trim() == name && !name.is_empty() && !name.contains(['\n', '\0']);
        check_line_start("notation", query)?;
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
