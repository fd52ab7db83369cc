//! PrefLib's orders with ties, `1: 1,{2,3},4`, with one voter: the best comes first.

use std::collections::HashMap;

use partita_core::{GroundTruth, Scale};

use super::Rows;
use crate::columns::{Line, fits_table};
use crate::error::FormatError;
use crate::source::Source;
use crate::text::Text;

pub(super) fn read(source: &Source, text: &Text) -> Result<Rows, FormatError> {
    let mut rows = Rows::new(Scale::Groups);
    let names = alternative_names(source, text)?;
    let query = source.stem();
    let mut voter: Option<u64> = None;
    for (number, text) in text.lines() {
        let line = Line {
            file: source.name(),
            number,
            text,
        };
        let (count, order) = text.split_once(':').ok_or_else(|| {
            line.error("expected a vote such as `1: 1,{2,3},4`")
                .column(1)
        })?;
        if let Some(first) = voter {
            return Err(one_voter(
                line,
                format!("a second vote; the first is on line {first}"),
            ));
        }
        if count.trim() != "1" {
            return Err(one_voter(
                line,
                format!("a vote that {} people cast", count.trim()),
            ));
        }
        voter = Some(number);
        rows.query(query);
        each_place(line, order, |group, alternative| {
            let number: u64 = alternative.parse().map_err(|_| {
                let message = format!("expected the number of an alternative, not `{alternative}`");
                line.error_at(alternative, message)
            })?;
            let name = names.name(number);
            let added = rows.add(line, query, &name, f64::from(group));
            // What stands here is the number, not the name.
            let column = || line.error_at(alternative, "").column;
            added.map_err(|error| FormatError {
                column: column(),
                ..error
            })
        })?;
    }
    Ok(rows)
}

fn one_voter(line: Line<'_>, found: String) -> FormatError {
    line.error(format!(
        "a ground truth is one person's order; found {found}"
    ))
    .column(1)
    .hint("many people's orders are rankings, from which a ground truth can be built")
}

/// Calls `visit(group, alternative)` for every alternative of an order such as `1,{2,3},4`.
fn each_place<'a>(
    line: Line<'a>,
    order: &'a str,
    mut visit: impl FnMut(u32, &'a str) -> Result<(), FormatError>,
) -> Result<(), FormatError> {
    let mut rest = order.trim();
    let mut group = 0;
    while !rest.is_empty() {
        group += 1;
        if let Some(inside) = rest.strip_prefix('{') {
            let (tied, after) = inside
                .split_once('}')
                .ok_or_else(|| line.error_at(rest, "a brace that is never closed"))?;
            for alternative in tied.split(',') {
                visit(group, alternative.trim())?;
            }
            rest = after.trim_start();
            if let Some(next) = rest.strip_prefix(',') {
                rest = next.trim_start();
            } else if !rest.is_empty() {
                return Err(line.error_at(rest, "expected a comma"));
            }
        } else {
            let (alternative, after) = rest.split_once(',').unwrap_or((rest, ""));
            visit(group, alternative.trim())?;
            rest = after.trim_start();
        }
    }
    Ok(())
}

/// The names of the alternatives in the header.
struct AlternativeNames {
    names: HashMap<u64, String>,
    unique: bool,
}

impl AlternativeNames {
    /// What an alternative is called: its name where these are unique, else its number.
    fn name(&self, number: u64) -> String {
        match self.names.get(&number) {
            Some(name) if self.unique => name.clone(),
            _ => number.to_string(),
        }
    }
}

fn alternative_names(source: &Source, text: &Text) -> Result<AlternativeNames, FormatError> {
    let mut names = HashMap::new();
    for (number, text) in (1..).zip(text.text.lines()) {
        let Some(entry) = text.strip_prefix("# ALTERNATIVE NAME ") else {
            continue;
        };
        let line = Line {
            file: source.name(),
            number,
            text,
        };
        let parsed = entry.split_once(':').and_then(|(alternative, name)| {
            Some((
                alternative.trim().parse::<u64>().ok()?,
                name.trim().to_owned(),
            ))
        });
        let (alternative, name) = parsed.ok_or_else(|| {
            line.error("expected `# ALTERNATIVE NAME 1: name`")
                .column(1)
        })?;
        names.insert(alternative, name);
    }
    let mut distinct: Vec<&String> = names.values().collect();
    distinct.sort();
    distinct.dedup();
    let unique = distinct.len() == names.len() && !distinct.iter().any(|name| name.is_empty());
    Ok(AlternativeNames { names, unique })
}

pub(super) fn write(truth: &GroundTruth) -> Result<String, FormatError> {
    let mut queries = truth.iter();
    let (Some((query, judged)), None) = (queries.next(), queries.next()) else {
        let message = format!(
            "a file holds one list, but there are {} queries",
            truth.len()
        );
        return Err(FormatError::file("preflib", message)
            .hint("choose one with `--query NAME`, or name a folder with `--output DIR`"));
    };
    let list = judged.list();
    let items = list.items().iter();
    for name in items.map(|&item| judged.names().name(item)).chain([query]) {
        fits_table("preflib", name)?;
    }
    let mut number = 0;
    let mut order = Vec::new();
    let mut names = Vec::new();
    for group in list.groups() {
        let numbers: Vec<String> = group
            .iter()
            .map(|&item| {
                number += 1;
                let name = judged.names().name(item);
                names.push(format!("# ALTERNATIVE NAME {number}: {name}\n"));
                number.to_string()
            })
            .collect();
        order.push(match numbers.as_slice() {
            [alone] => alone.clone(),
            tied => format!("{{{}}}", tied.join(",")),
        });
    }
    let kind = if list.group_count() == list.len() {
        "soc"
    } else {
        "toc"
    };
    let header = format!(
        "# FILE NAME: {query}.{kind}\n# TITLE: {query}\n# DATA TYPE: {kind}\n\
         # NUMBER ALTERNATIVES: {number}\n# NUMBER VOTERS: 1\n# NUMBER UNIQUE ORDERS: 1\n"
    );
    Ok(format!(
        "{header}{}1: {}\n",
        names.concat(),
        order.join(",")
    ))
}
