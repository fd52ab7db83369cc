//! `query item group` and `label query item group`: group 1 is best.

use std::collections::BTreeSet;

use partita_core::{GroundTruth, Scale};

use super::table::{Value, each_row, write as write_table};
use super::{Definition, ReadOptions, Reader, Rows};
use crate::error::FormatError;
use crate::problem;
use crate::remedy::Remedy;
use crate::text::Text;

pub(super) static FORMAT: Definition = Definition {
    scale: Scale::Groups,
    by_item: true,
    read: Reader::Whole(read),
    write,
};

fn read(text: &Text<'_>, options: &ReadOptions) -> Result<Rows, FormatError> {
    let label = options.label.as_deref();
    let mut labels = BTreeSet::new();
    let mut rows = Rows::new(Scale::Groups);
    let mut kept = Vec::new();
    let warning = each_row(text, Value::Group, |row, columns| {
        let found = row.fields[columns.number].as_ref();
        let number = match found.parse::<u32>() {
            Ok(number) if number > 0 => f64::from(number),
            _ => {
                let problem = problem!(NotANumber { found }:
                    "a group must be a whole number from 1 on, not `{found}`");
                return Err(row
                    .error(columns.number, problem)
                    .remedy(Remedy::with_terms(
                        "group 1 is best; for grades, of which a higher one is better, say \
                     {truth_format qrels} or {truth_format gains}",
                    )));
            }
        };
        let of_row = columns.label.map(|column| row.fields[column].as_ref());
        if let Some(found) = of_row {
            labels.insert(found.to_owned());
        }
        if label.is_none() || label == of_row {
            let [query, item] = [columns.query, columns.item].map(|at| row.fields[at].clone());
            kept.push((row.line, query, item, number));
        }
        Ok(())
    })?;
    let names = || labels.iter().cloned().collect::<Vec<_>>().join(", ");
    if label.is_none() && labels.len() > 1 {
        let (count, labels) = (labels.len(), names());
        let problem = problem!(Ambiguous { count, labels }:
            "the file holds {count} ground truths: {labels}");
        let remedy = Remedy::with_terms("choose one with {label}");
        return Err(text.source.error(problem).remedy(remedy));
    }
    if let Some(label) = label
        && !labels.contains(label)
    {
        return Err(text.source.error(match labels.len() {
            0 => problem!(UnknownName { label }: "no column of labels, so no label `{label}`"),
            _ => problem!(UnknownName { label, known = names() }:
                "no label `{label}`; there is {known}"),
        }));
    }
    for (line, query, item, number) in kept {
        rows.add(line, &query, &item, number)?;
    }
    rows.warn(warning);
    Ok(rows)
}

fn write(truth: &GroundTruth) -> Result<String, FormatError> {
    write_table(truth, "group", |judged| {
        let groups = (1..).zip(judged.list().groups());
        groups.flat_map(move |(number, group)| {
            let name = |&item| (judged.names().name(item), i32::to_string(&number));
            group.iter().map(name).collect::<Vec<_>>()
        })
    })
}
