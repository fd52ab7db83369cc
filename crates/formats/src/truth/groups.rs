//! Ground truths as rows `query item group` or `label query item group`: group 1 is best.

use std::collections::BTreeSet;

use partita_core::{GroundTruth, TruthScale};

use super::table::{ValueColumn, for_each_judgment, write as write_table};
use super::{TruthBuilder, TruthFormatDefinition, TruthReadOptions, TruthReader};
use crate::diagnostic;
use crate::diagnostic::FormatError;
use crate::remedy::Remedy;
use crate::text::SourceText;

/// Format `groups`.
pub(super) static FORMAT: TruthFormatDefinition = TruthFormatDefinition {
    scale: TruthScale::Groups,
    by_item: true,
    read: TruthReader::Whole(read),
    write,
};

fn read(text: &SourceText<'_>, options: &TruthReadOptions) -> Result<TruthBuilder, FormatError> {
    let label = options.label.as_deref();
    let mut labels = BTreeSet::new();
    let mut rows = TruthBuilder::new(TruthScale::Groups);
    let mut kept = Vec::new();
    let warning = for_each_judgment(text, ValueColumn::Group, |row, columns| {
        let found = row.fields[columns.number].as_ref();
        let number = match found.parse::<u32>() {
            Ok(number) if number > 0 => f64::from(number),
            _ => {
                let problem = diagnostic!(NotANumber { found }:
                    "a group must be a whole number from 1 on, not `{found}`");
                return Err(row
                    .error(columns.number, problem)
                    .with_remedy(Remedy::parse(
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
        let problem = diagnostic!(Ambiguous { count, labels }:
            "the file holds {count} ground truths: {labels}");
        let remedy = Remedy::parse("choose one with {label}");
        return Err(text.source.error(problem).with_remedy(remedy));
    }
    if let Some(label) = label
        && !labels.contains(label)
    {
        return Err(text.source.error(match labels.len() {
            0 => diagnostic!(UnknownName { label }: "no column of labels, so no label `{label}`"),
            _ => diagnostic!(UnknownName { label, known = names() }:
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
