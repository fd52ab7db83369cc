//! Runs in JSON. `{"query": ["a", ["b", "c"]]}`: best item first, an inner list is a tie.
//! `{"query": {"a": 0.9}}`: the score of each item, as in pytrec_eval, ranx and BEIR.

use partita_core::Run;
use serde_json::Value;

use super::{ParsedRuns, RunFormat, RunReadOptions, require_single_run, run_from_scores};
use crate::diagnostic;
use crate::diagnostic::FormatError;
use crate::remedy::Remedy;
use crate::shared::query_json;
use crate::shared::query_json::{QueryObject, RepeatPolicy};
use crate::text::SourceText;
use crate::text::source::Source;

/// Reads a run from JSON: lists or scores, depending on the content, or only scores if the format
/// requires them.
pub(super) fn read(
    source: &Source,
    format: RunFormat,
    options: &RunReadOptions,
) -> Result<ParsedRuns, FormatError> {
    let (text, name) = (SourceText::read(source)?, options.name_or_stem(source));
    let run = match query_json::read(source.name(), &text.text, RepeatPolicy::Allowed)? {
        QueryObject::Groups(_) if format == RunFormat::ScoresJson => {
            let problem = diagnostic!(OtherFormat: "these are lists, but scores were asked for");
            let remedy = Remedy::parse("say {run_format json}");
            return Err(source.error(problem).with_remedy(remedy));
        }
        QueryObject::Groups(queries) => {
            let mut run = Run::new(name);
            for (query, groups) in queries {
                let query = run.intern_query(&query);
                run.set_groups(query, &groups);
            }
            run
        }
        QueryObject::Numbers(queries) => run_from_scores(name, queries, options),
    };
    // Offset and line number of the query that was found last. Queries are in the order of the
    // file, so the search for the next one continues there.
    let (mut at, mut line) = (0, 1);
    let lines = run.queries().map(|(query, _)| {
        let key = Value::from(query).to_string();
        if let Some(further) = text.text[at..].find(&key) {
            line += text.text[at..at + further].matches('\n').count() as u64;
            at += further;
        }
        line
    });
    let lines = lines.collect();
    ParsedRuns::from_single_run(source, run, lines, text.warning)
}

pub(super) fn write(runs: &[Run]) -> Result<String, FormatError> {
    let queries = require_single_run(runs, "json")?.queries();
    Ok(query_json::write(queries.map(|(query, groups)| {
        let groups = groups.into_iter().map(|group| match group.as_slice() {
            [alone] => Value::from(*alone),
            _ => Value::from(group),
        });
        (query, groups.collect::<Value>().to_string())
    })))
}

/// Writes a single run as scores; more runs are an error. The scores only express the order: the
/// score of a document is the number of documents that are not ranked before it, itself included.
pub(super) fn write_scores(runs: &[Run]) -> Result<String, FormatError> {
    /// Name of the format in error messages.
    const FORMAT: &str = "scores-json";
    let mut queries = Vec::new();
    for (query, groups) in require_single_run(runs, FORMAT)?.queries() {
        let mut left = groups.iter().map(Vec::len).sum::<usize>();
        let mut seen = std::collections::HashSet::new();
        let mut scores = Vec::new();
        for group in groups {
            for &item in &group {
                if !seen.insert(item) {
                    let problem = diagnostic!(Unrepresentable { item, query }:
                        "the document `{item}` stands twice for query `{query}`, and has one score");
                    let remedy = Remedy::parse("use {to json} or {to trec}");
                    return Err(FormatError::in_file(FORMAT, problem).with_remedy(remedy));
                }
                scores.push((item, left as f64));
            }
            left -= group.len();
        }
        queries.push((query, scores));
    }
    Ok(query_json::write_numbers(queries))
}
