//! A comparison for people.

use partita_core::difference::{Aligned, Change, Difference};
use partita_core::measure::Range;
use partita_report::{Align, Cell, Column, Table, TableFormat};

use super::CompareArgs;
use super::compared::{Compared, Query, relations};
use crate::failure::Failure;
use crate::notes::render;

pub(super) fn print(
    args: &CompareArgs,
    compared: &Compared,
    format: TableFormat,
) -> Result<String, Failure> {
    let table = render(queries(args, compared)?, &notes(args, compared), format);
    if !args.diff {
        return Ok(table);
    }
    let changes = diff(compared)?;
    let changes = match changes.rows().is_empty() {
        true => "Nothing changed.\n".to_owned(),
        false => format.render(&changes),
    };
    let pairs = format.render(&pairs(compared)?);
    Ok(format!("{changes}\n{pairs}\n{table}"))
}

fn notes(args: &CompareArgs, compared: &Compared) -> Vec<String> {
    let [first, second] = &compared.names;
    let (p, ties) = (args.rbo_p, args.rbo_ties_name());
    let mut notes = vec![
        format!("1 is {first}, 2 is {second}."),
        "ADR: mean [minimum, maximum] over all orders within groups, exactly.".to_owned(),
        format!("RBO with p = {p} and ties {ties}."),
        "Moved: items that passed others, or are in one list alone. Split, merged: groups of 1."
            .to_owned(),
    ];
    if let Some(samples) = args.samples {
        notes.push(format!(
            "Sampled: mean, minimum and maximum over {samples} random orders, seed {}, of the mean over the queries.",
            args.seed
        ));
    }
    notes
}

fn range(range: Option<Range>) -> Cell {
    range.map_or_else(Cell::missing, |Range { min, mean, max }| {
        Cell::text(format!("{mean:.3} [{min:.3}, {max:.3}]"))
    })
}

fn queries(args: &CompareArgs, compared: &Compared) -> Result<Table, Failure> {
    let columns = [
        Column::text("Query"),
        Column::integer("Items 1"),
        Column::integer("Items 2"),
        Column::integer("Shared"),
        Column::text("ADR of 2 by 1").align(Align::Right),
        Column::text("ADR of 1 by 2").align(Align::Right),
        Column::number("tau-b", 3),
        Column::number("RBO", 3),
        Column::integer("Split"),
        Column::integer("Merged"),
        Column::integer("Moved"),
    ];
    let mut table = Table::new(columns);
    for query in &compared.queries {
        let [two_by_one, one_by_two] = query.adr();
        let mut row = vec![
            Cell::text(query.name.clone()),
            Cell::integer(query.items[0] as i64),
            Cell::integer(query.items[1] as i64),
            Cell::integer(query.likeness.shared as i64),
            range(two_by_one),
            range(one_by_two),
            query.likeness.tau.map(|tau| tau.tau).into(),
            query.likeness.rbo.into(),
        ];
        row.extend(query.counts().map(|(_, count)| Cell::integer(count as i64)));
        table.push(row);
    }
    table.push_rule();
    let sum = |count: fn(&Query) -> usize| {
        Cell::integer(compared.queries.iter().map(count).sum::<usize>() as i64)
    };
    let [two_by_one, one_by_two] = compared.mean_adr();
    let mut row = vec![
        Cell::text("all"),
        sum(|query| query.items[0]),
        sum(|query| query.items[1]),
        sum(|query| query.likeness.shared),
        range(two_by_one),
        range(one_by_two),
        compared.mean_tau().into(),
        compared.mean_rbo().into(),
    ];
    row.extend((0..3).map(|which| {
        let queries = compared.queries.iter();
        Cell::integer(queries.map(|query| query.counts()[which].1).sum::<u64>() as i64)
    }));
    table.push(row);
    if args.samples.is_some() {
        let [two_by_one, one_by_two] = compared
            .sampled
            .each_ref()
            .map(|sampled| range(sampled.as_ref().map(|sampled| sampled.of_means)));
        let mut row = vec![Cell::text("all, sampled")];
        row.extend([Cell::missing(), Cell::missing(), Cell::missing()]);
        row.extend([two_by_one, one_by_two]);
        row.extend((0..5).map(|_| Cell::missing()));
        table.push(row);
    }
    Ok(table)
}

/// What became of groups and items.
fn diff(compared: &Compared) -> Result<Table, Failure> {
    let columns = [
        Column::text("Group in 1").align(Align::Right),
        Column::text("Group in 2").align(Align::Right),
        Column::text("Change"),
        // At the end, because it may be wide.
        Column::text("Items"),
    ];
    let mut table = Table::new(columns);
    let changed = |query: &&Query| query.counts().iter().any(|(_, count)| *count > 0);
    for query in compared.queries.iter().filter(changed) {
        table.push_heading(query.name.clone());
        let difference = &query.difference;
        for (blocks, change) in [
            (difference.splits().collect::<Vec<_>>(), "split"),
            (difference.merges().collect(), "merged"),
        ] {
            for block in blocks {
                let row = [
                    Cell::text(numbers(&block.first)),
                    Cell::text(numbers(&block.second)),
                    Cell::text(change),
                    Cell::text(members(difference, block)),
                ];
                table.push(row);
            }
        }
        for item in difference.moved() {
            let group = |group: Option<usize>| {
                group.map_or_else(Cell::missing, |group| Cell::text(group.to_string()))
            };
            let change = match item.change {
                Change::OnlyFirst => "only in 1",
                Change::OnlySecond => "only in 2",
                other => other.name(),
            };
            let row = [
                group(item.first),
                group(item.second),
                Cell::text(change),
                Cell::text(item.name.clone()),
            ];
            table.push(row);
        }
    }
    Ok(table)
}

fn numbers(groups: &[usize]) -> String {
    let numbers: Vec<String> = groups.iter().map(ToString::to_string).collect();
    numbers.join(", ")
}

/// The parts of a group that was split, or the groups that were merged, in the papers' notation.
fn members(difference: &Difference, block: &Aligned) -> String {
    let is_split = block.second.len() > 1;
    let parts = if is_split {
        &block.second
    } else {
        &block.first
    };
    let parts = parts.iter().map(|&part| {
        let members = difference.items.iter().filter(|item| {
            let groups = [item.first, item.second];
            let [whole, own] = if is_split {
                groups
            } else {
                [groups[1], groups[0]]
            };
            let wholes = if is_split {
                &block.first
            } else {
                &block.second
            };
            own == Some(part) && whole.is_some_and(|whole| wholes.contains(&whole))
        });
        let members: Vec<&str> = members.map(|item| item.name.as_str()).collect();
        let more = members.len().saturating_sub(MOST_MEMBERS);
        let mut told = members[..members.len() - more].join(", ");
        if more > 0 {
            told.push_str(&format!(", {more} more"));
        }
        format!("({told})")
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// The most items of a part that are named.
const MOST_MEMBERS: usize = 4;

/// How many pairs have which relations.
fn pairs(compared: &Compared) -> Result<Table, Failure> {
    let columns = [
        Column::text("Pairs of shared items"),
        Column::integer("Same relation"),
        Column::integer("Tied in 1 only"),
        Column::integer("Tied in 2 only"),
        Column::integer("Reversed"),
    ];
    let mut table = Table::new(columns);
    let mut push = |name: &str, counts: [(&str, u64); 4]| {
        let mut row = vec![Cell::text(name.to_owned())];
        row.extend(counts.map(|(_, count)| Cell::integer(count as i64)));
        table.push(row)
    };
    for query in &compared.queries {
        push(&query.name, relations(query.difference.pairs));
    }
    push("all", compared.all_relations());
    Ok(table)
}
