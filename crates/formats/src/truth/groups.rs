//! `query item group` and `label query item group`: group 1 is best.

use std::collections::BTreeMap;

use partita_core::{GroundTruth, Scale};

use super::Rows;
use super::table::{Value, each_row, write as write_table};
use crate::error::FormatError;
use crate::source::Source;
use crate::text::Text;

pub(super) fn read(source: &Source, text: &Text, label: Option<&str>) -> Result<Rows, FormatError> {
    let mut labels = BTreeMap::new();
    let mut rows = Rows::new(Scale::Groups);
    let mut kept = Vec::new();
    let warning = each_row(source, text, Value::Group, |judgment| {
        let found = judgment.row.fields[judgment.number()].as_ref();
        let number = match found.parse::<u32>() {
            Ok(number) if number > 0 => f64::from(number),
            _ => {
                let message = format!("a group must be a whole number from 1 on, not `{found}`");
                let error = judgment.row.error(judgment.number(), message);
                return Err(error.hint(
                    "group 1 is best; for grades, of which a higher one is better, say \
                     `--truth-format qrels` or `--truth-format gains`",
                ));
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
        let message = format!("the file holds {} ground truths: {}", labels.len(), names());
        return Err(FormatError::file(source.name(), message).hint("choose one with `--label`"));
    }
    if let Some(label) = label
        && !labels.contains_key(label)
    {
        let message = match labels.len() {
            0 => format!("no column of labels, so no label `{label}`"),
            _ => format!("no label `{label}`; there is {}", names()),
        };
        return Err(FormatError::file(source.name(), message));
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
