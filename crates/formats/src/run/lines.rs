//! `query item item ...`: a line per query, best item first.

use partita_core::Run;

use super::{Lists, only, untied};
use crate::columns::one_word;
use crate::error::FormatError;
use crate::source::Source;
use crate::text::Text;

pub(super) fn read(source: &Source, name: &str) -> Result<Lists, FormatError> {
    let text = Text::read(source)?;
    let (mut run, mut lines) = (Run::new(name), Vec::new());
    for line in text.lines() {
        let mut words = line.text.split_whitespace();
        let name = words.next().expect("a line that says something has a word");
        let query = run.query(name);
        if let Some(first) = lines.get(query) {
            return Err(line.query_twice(name, *first));
        }
        run.set(query, words.map(|item| [item]));
        lines.push(line.number);
    }
    Lists::one(source, run, lines, text.warning)
}

pub(super) fn write(runs: &[Run]) -> Result<String, FormatError> {
    let mut text = String::new();
    for (query, groups) in only(runs, "lines")?.queries() {
        untied("lines", query, &groups)?;
        let words = std::iter::once(query).chain(groups.concat());
        let words: Vec<&str> = words.collect();
        for word in &words {
            one_word("lines", word)?;
        }
        text.push_str(&words.join(" "));
        text.push('\n');
    }
    Ok(text)
}
