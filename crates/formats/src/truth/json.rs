//! Ground truths in JSON. `{"query": [["a", "b"], ["c"]]}`: the best group comes first. `{"query":
//! {"a": 2, "b": 0}}`: grades, as in pytrec_eval, ranx and BEIR.

use partita_core::{GroundTruth, TruthScale};
use serde_json::Value;

use super::{TruthBuilder, TruthFormatDefinition, TruthReader};
use crate::diagnostic;
use crate::diagnostic::FormatError;
use crate::remedy::Remedy;
use crate::shared::query_json;
use crate::shared::query_json::{QueryObject, RepeatPolicy};
use crate::text::SourceText;
use crate::text::line::{SourceLine, require_number};
use crate::text::name_rules::LONGEST_NAME;

/// Format `json`: a list of groups per query.
pub(super) static LISTS: TruthFormatDefinition = TruthFormatDefinition {
    scale: TruthScale::Groups,
    by_item: false,
    read: TruthReader::Whole(|text, _| read(text, true)),
    write: |truth| Ok(write(truth)),
};

/// Format `qrels-json`: an object of grades per query.
pub(super) static GRADES: TruthFormatDefinition = TruthFormatDefinition {
    scale: TruthScale::Grades,
    by_item: false,
    read: TruthReader::Whole(|text, _| read(text, false)),
    write: |truth| Ok(write_grades(truth)),
};

/// Reads groups or grades, depending on the content. Returns an error for groups unless `lists` is
/// true.
fn read(text: &SourceText<'_>, lists: bool) -> Result<TruthBuilder, FormatError> {
    let object = query_json::read(text.source.name(), &text.text, RepeatPolicy::Refused)?;
    let scale = match &object {
        QueryObject::Groups(_) if !lists => {
            let problem = diagnostic!(OtherFormat: "these are lists, but grades were asked for");
            let remedy = Remedy::parse("say {truth_format json}");
            return Err(text.source.error(problem).with_remedy(remedy));
        }
        QueryObject::Groups(_) => TruthScale::Groups,
        QueryObject::Numbers(_) => TruthScale::Grades,
    };
    let mut rows = TruthBuilder::new(scale);
    match object {
        QueryObject::Groups(queries) => {
            for (query, groups) in queries {
                rows.query(&query);
                for (number, group) in (1..).zip(groups) {
                    for item in group {
                        let line = line_for_warning(text, &item);
                        rows.add(line, &query, &item, f64::from(number))?;
                    }
                }
            }
        }
        QueryObject::Numbers(queries) => {
            for (query, grades) in queries {
                rows.query(&query);
                for (item, grade) in grades {
                    let line = line_for_warning(text, &item);
                    let grade = require_number(Some(grade), "", "a grade");
                    let grade = grade.map_err(|problem| text.source.error(problem))?;
                    rows.add(line, &query, &item, grade)?;
                }
            }
        }
    }
    Ok(rows)
}

/// Returns the line to name in a warning about an item. For a name so long that it causes a
/// warning, it is the first line that contains it. For other names it is line 1; they need no line,
/// because repeated items have been refused.
fn line_for_warning<'a>(text: &'a SourceText<'a>, item: &str) -> SourceLine<'a> {
    let long = item.len() > LONGEST_NAME;
    let start = long.then(|| text.text.find(item)).flatten().unwrap_or(0);
    let number = 1 + text.text[..start].matches('\n').count() as u64;
    SourceLine::new(text.source, number, &text.text[start..])
}

fn write(truth: &GroundTruth) -> String {
    query_json::write(truth.iter().map(|(query, judged)| {
        let name = |&item| Value::from(judged.names().name(item));
        let groups = judged.list().groups();
        let groups: Vec<Value> = groups.map(|g| g.iter().map(name).collect()).collect();
        (query, Value::from(groups).to_string())
    }))
}

fn write_grades(truth: &GroundTruth) -> String {
    query_json::write_numbers(truth.iter().map(|(query, judged)| {
        let grades = judged.gains().iter();
        (
            query,
            grades.map(|(item, grade)| (judged.names().name(item), grade)),
        )
    }))
}
