//! `{"query": [["a", "b"], ["c"]]}`: the best group comes first. `{"query": {"a": 2, "b": 0}}`: grades, as
//! pytrec_eval, ranx and BEIR have them.

use partita_core::{GroundTruth, Scale};
use serde_json::Value;

use super::{Definition, Reader, Rows};
use crate::columns::{LONGEST_NAME, Line, number};
use crate::error::FormatError;
use crate::json::{self, Object, Repeats};
use crate::problem;
use crate::remedy::Remedy;
use crate::text::Text;

pub(super) static LISTS: Definition = Definition {
    scale: Scale::Groups,
    by_item: false,
    read: Reader::Whole(|text, _| read(text, true)),
    write: |truth| Ok(write(truth)),
};

pub(super) static GRADES: Definition = Definition {
    scale: Scale::Grades,
    by_item: false,
    read: Reader::Whole(|text, _| read(text, false)),
    write: |truth| Ok(write_grades(truth)),
};

/// Reads lists, if they are allowed, or grades: which they are they say themselves.
fn read(text: &Text<'_>, lists: bool) -> Result<Rows, FormatError> {
    let object = json::read(text.source.name(), &text.text, Repeats::Refused)?;
    let scale = match &object {
        Object::Groups(_) if !lists => {
            let problem = problem!(OtherFormat: "these are lists, but grades were asked for");
            let remedy = Remedy::with_terms("say {truth_format json}");
            return Err(text.source.error(problem).remedy(remedy));
        }
        Object::Groups(_) => Scale::Groups,
        Object::Numbers(_) => Scale::Grades,
    };
    let mut rows = Rows::new(scale);
    match object {
        Object::Groups(queries) => {
            for (query, groups) in queries {
                rows.query(&query);
                for (number, group) in (1..).zip(groups) {
                    for item in group {
                        let line = line_of(text, &item);
                        rows.add(line, &query, &item, f64::from(number))?;
                    }
                }
            }
        }
        Object::Numbers(queries) => {
            for (query, grades) in queries {
                rows.query(&query);
                for (item, grade) in grades {
                    let line = line_of(text, &item);
                    let grade = number(Some(grade), "", "a grade");
                    let grade = grade.map_err(|problem| text.source.error(problem))?;
                    rows.add(line, &query, &item, grade)?;
                }
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

fn write(truth: &GroundTruth) -> String {
    json::write(truth.iter().map(|(query, judged)| {
        let name = |&item| Value::from(judged.names().name(item));
        let groups = judged.list().groups();
        let groups: Vec<Value> = groups.map(|g| g.iter().map(name).collect()).collect();
        (query, Value::from(groups).to_string())
    }))
}

fn write_grades(truth: &GroundTruth) -> String {
    json::write_numbers(truth.iter().map(|(query, judged)| {
        let grades = judged.gains().iter();
        (
            query,
            grades.map(|(item, grade)| (judged.names().name(item), grade)),
        )
    }))
}
