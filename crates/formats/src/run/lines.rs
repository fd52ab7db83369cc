//! `query item item ...`: a line a query, best item first.

use std::collections::HashMap;

use super::open::{OpenRanking, OpenRun, OpenRuns, one_word, untied};
use crate::columns::Line;
use crate::error::FormatError;
use crate::source::Source;
use crate::text::Text;

pub(super) fn read(source: &Source) -> Result<OpenRuns, FormatError> {
    let text = Text::read(source)?;
    let mut all = OpenRuns::default();
    let mut run = OpenRun::default();
    let mut lines_of = HashMap::new();
    for (number, text) in text.lines() {
        let line = Line {
            file: source.name(),
            number,
            text,
        };
        let mut words = text.split_whitespace();
        let query = words.next().expect("a line that says something has a word");
        if let Some(first) = lines_of.insert(query, number) {
            let message = format!("the query `{query}` stands twice; first on line {first}");
            return Err(line.error_at(query, message));
        }
        run.queries.push(OpenRanking {
            query: query.to_owned(),
            line: number,
            groups: words
                .filter_map(|item| all.documents.intern(item))
                .map(|item| vec![item])
                .collect(),
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
    let mut text = String::new();
    for ranking in &all.only("lines")?.queries {
        untied("lines", ranking)?;
        one_word("lines", &ranking.query)?;
        text.push_str(&ranking.query);
        for &item in ranking.groups.iter().flatten() {
            let name = all.documents.name(item);
            one_word("lines", name)?;
            text.push(' ');
            text.push_str(name);
        }
        text.push('\n');
    }
    Ok(text)
}
