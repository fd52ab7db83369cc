//! Trust as tables for people.

use partita_core::truth::{SystemTrust, Tails};
use partita_report::{Align, Cell, Column, Table, TableFormat};
use partita_stats::bootstrap::Interval;

use super::super::CheckArgs;
use super::super::checked::Checked;
use super::Trust;
use crate::failure::Failure;

pub(in super::super) fn print(
    args: &CheckArgs,
    lists: &[Checked],
    trust: &Trust,
    format: TableFormat,
) -> Result<String, Failure> {
    let mut tables = Vec::new();
    for (number, checked) in lists.iter().enumerate() {
        tables.push(items(args, checked, trust, number)?);
        if args.pairs {
            tables.push(pairs(checked, trust, number)?);
        }
    }
    tables.push(consistency(args, lists, trust)?);
    if let Some((names, of_systems)) = &trust.systems {
        tables.push(systems(args, names, of_systems)?);
        if names.len() > 1 {
            tables.push(differences(args, names, of_systems)?);
        }
    }
    let texts: Vec<String> = tables.iter().map(|table| format.render(table)).collect();
    Ok(texts.join("\n"))
}

fn settings(args: &CheckArgs) -> String {
    format!(
        "{}% intervals by drawing the assessors anew {} times, {}, seed {}.",
        100.0 * args.trust.confidence,
        args.trust.bootstrap.unwrap_or_default(),
        match args.trust.shared_assessors {
            true => "for all queries at once",
            false => "for each query apart",
        },
        args.trust.seed
    )
}

/// The items of a list, with the groups in which they may stand.
fn items(
    args: &CheckArgs,
    checked: &Checked,
    trust: &Trust,
    number: usize,
) -> Result<Table, Failure> {
    let columns = [
        Column::integer("Group"),
        Column::text("Item"),
        Column::text("Groups").align(Align::Right),
        Column::number("P(before next)", 2),
        Column::number("P(same group)", 2),
        Column::number("P(after next)", 2),
    ];
    let mut table = Table::new(columns).with_caption(format!("Query {}", checked.query.name));
    let of_list = &trust.lists[number];
    let listed = checked.list.items();
    let mut place = 0;
    for (group, members) in (1..).zip(checked.list.groups()) {
        for &item in members {
            place += 1;
            let range = of_list.groups(item, args.trust.confidence);
            let range = range.map(|(lower, upper)| Cell::text(format!("{lower} to {upper}")));
            let next = listed.get(place).map(|&next| of_list.pair(item, next));
            let row = [
                Cell::integer(group),
                Cell::text(checked.item(item)),
                range.unwrap_or_else(Cell::missing),
                next.map(|shares| shares.before).into(),
                next.map(|shares| shares.same_group).into(),
                next.map(|shares| shares.after).into(),
            ];
            table.push(row);
        }
    }
    Ok(table)
}

/// All pairs of a list.
fn pairs(checked: &Checked, trust: &Trust, number: usize) -> Result<Table, Failure> {
    let columns = [
        Column::text("a"),
        Column::text("b"),
        Column::number("P(a before b)", 3),
        Column::number("P(same group)", 3),
        Column::number("P(a after b)", 3),
    ];
    let mut table = Table::new(columns).with_caption(format!("Query {}", checked.query.name));
    let items = checked.list.items();
    for (place, &a) in items.iter().enumerate() {
        for &b in &items[place + 1..] {
            let shares = trust.lists[number].pair(a, b);
            let row = [
                Cell::text(checked.item(a)),
                Cell::text(checked.item(b)),
                Cell::number(shares.before),
                Cell::number(shares.same_group),
                Cell::number(shares.after),
            ];
            table.push(row);
        }
    }
    Ok(table)
}

/// The consistency of all lists.
fn consistency(args: &CheckArgs, lists: &[Checked], trust: &Trust) -> Result<Table, Failure> {
    let columns = [
        Column::text("Query"),
        Column::text("ADR-1").align(Align::Right),
        Column::text("ADR-2").align(Align::Right),
    ];
    let mut table = Table::new(columns).with_note(settings(args));
    for (checked, of_list) in lists.iter().zip(&trust.lists) {
        let cell = |tails| with_interval(of_list.consistency(tails, args.trust.confidence));
        let query = Cell::text(checked.query.name.clone());
        table.push([query, cell(Tails::One), cell(Tails::Two)]);
    }
    Ok(table)
}

/// The scores of all systems.
fn systems(args: &CheckArgs, names: &[String], trust: &SystemTrust) -> Result<Table, Failure> {
    let columns = [
        Column::text("System"),
        Column::text("ADR").align(Align::Right),
    ];
    let mut table = Table::new(columns).with_note(settings(args));
    for (number, name) in names.iter().enumerate() {
        let score = with_interval(trust.interval(number, args.trust.confidence));
        table.push([Cell::text(name.clone()), score]);
    }
    Ok(table)
}

/// The differences of all pairs of systems.
fn differences(args: &CheckArgs, names: &[String], trust: &SystemTrust) -> Result<Table, Failure> {
    let columns = [
        Column::text("a"),
        Column::text("b"),
        Column::text("ADR of a - b").align(Align::Right),
        Column::number("P(a better)", 3),
    ];
    let mut table = Table::new(columns);
    for (a, first) in names.iter().enumerate() {
        for (b, second) in names.iter().enumerate().skip(a + 1) {
            let row = [
                Cell::text(first.clone()),
                Cell::text(second.clone()),
                with_interval(trust.difference(a, b, args.trust.confidence)),
                trust.better(a, b).into(),
            ];
            table.push(row);
        }
    }
    Ok(table)
}

fn with_interval(interval: Option<Interval>) -> Cell {
    let Some(Interval {
        estimate,
        lower,
        upper,
        ..
    }) = interval
    else {
        return Cell::missing();
    };
    Cell::text(format!("{estimate:.4} [{lower:.4}, {upper:.4}]"))
}
