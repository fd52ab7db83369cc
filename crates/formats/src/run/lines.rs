//! Runs as lines `query item item ...`: one line per query, best item first.

use partita_core::Run;

use super::{ParsedRuns, refuse_ties, require_single_run};
use crate::diagnostic::FormatError;
use crate::text::SourceText;
use crate::text::name_rules::check_single_word;
use crate::text::source::Source;

pub(super) fn read(source: &Source, name: &str) -> Result<ParsedRuns, FormatError> {
    let text = SourceText::read(source)?;
    let (mut run, mut lines) = (Run::new(name), Vec::new());
    for line in text.lines() {
        let mut words = line.text.split_whitespace();
        let name = words.next().expect("a line that is not blank has a word");
        let query = run.intern_query(name);
        if let Some(first) = lines.get(query) {
            return Err(line.duplicate_query_error(name, *first));
        }
        run.set_groups(query, words.map(|item| [item]));
        lines.push(line.number);
    }
    ParsedRuns::from_single_run(source, run, lines, text.warning)
}

pub(super) fn write(runs: &[Run]) -> Result<String, FormatError> {
    let mut text = String::new();
    for (query, groups) in require_single_run(runs, "lines")?.queries() {
        refuse_ties("lines", query, &groups)?;
        let words = std::iter::once(query).chain(groups.concat());
        let words: Vec<&str> = words.collect();
        for word in &words {
            check_single_word("lines", word)?;
        }
        text.push_str(&words.join(" "));
        text.push('\n');
    }
    Ok(text)
}
