//! `query item group` and `label query item group`: group 1 is best.

use std::collections::BTreeMap;

use partita_core::{GroundTruth, Scale};

use super::Rows;
use super::table::{Value, each_row, write as write_table};
use crate::error::FormatError;
use crate::problem;
use crate::remedy::Remedy;
use crate::text::Text;

pub(super) fn read(text: &Text<'_>, label: Option<&str>) -> Result<Rows, FormatError> {
    let mut labels = BTreeMap::new();
    let mut rows = Rows::new(Scale::Groups);
    let mut kept = Vec::new();
    let warning = each_row(text, Value::Group, |judgment| {
        let found = judgment.row.fields[judgment.number()].as_ref();
        let number = match found.parse::<u32>() {
            Ok(number) if number > 0 => f64::from(number),
            _ => {
                let problem = problem!(NotANumber { found }:
                    "a group must be a whole number from 1 on, not `{found}`");
                let error = judgment.row.error(judgment.number(), problem);
                return Err(error.remedy(Remedy::with_terms(
                    "group 1 is best; for grades, of which a higher one is better, say \
                     {truth_format qrels} or {truth_format gains}",
                )));
            }
        };
        if let Some(found) = judgment.label() {
            *labels.entry(found.to_owned()).or_insert(0usize) += 1;
        }
        if label.is_none() || label == judgment.label() {
            kept.push((judgment, number));
        }
        Ok(())
    })?;
    let names = || labels.keys().cloned().collect::<Vec<_>>().join(", ");
    if label.is_none() && labels.len() > 1 {
        let (count, labels) = (labels.len(), names());
        let problem = problem!(Ambiguous { count, labels }:
            "the file holds {count} ground truths: {labels}");
        let remedy = Remedy::with_terms("choose one with {label}");
        return Err(text.source.error(problem).remedy(remedy));
    }
    if let Some(label) = label
        && !labels.contains_key(label)
    {
        return Err(text.source.error(match labels.len() {
            0 => problem!(UnknownName { label }: "no column of labels, so no label `{label}`"),
            _ => problem!(UnknownName { label, known = names() }:
                "no label `{label}`; there is {known}"),
        }));
    }
    for (judgment, number) in kept {
        rows.add(judgment.row.line, judgment.query(), judgment.item(), number)?;
    }
    rows.warn(warning);
    Ok(rows)
}

pub(super) fn write(truth: &GroundTruth) -> Result<String, FormatError> {
    write_table(truth, "group", |judged| {
        let groups = (1..).zip(judged.list().groups());
        groups.flat_map(move |(number, group)| {
            let name = |&item| (judged.names().name(item), i32::to_string(&number));
            group.iter().map(name).collect::<Vec<_>>()
        })
    })
}
