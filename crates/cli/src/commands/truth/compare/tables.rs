//! A comparison for people.

use partita_core::measure::Range;
use partita_report::{Align, Cell, Column, Table, TableFormat};

use super::super::notes::render;
use super::CompareArgs;
use super::compared::{Compared, Query};
use crate::failure::Failure;

pub(super) fn print(
    args: &CompareArgs,
    compared: &Compared,
    format: TableFormat,
) -> Result<String, Failure> {
    let table = render(queries(args, compared)?, &notes(args, compared), format);
    match args.diff {
        true => Ok(format!("{}\n{table}", format.render(&diff(compared)?))),
        false => Ok(table),
    }
}

fn notes(args: &CompareArgs, compared: &Compared) -> Vec<String> {
    let [first, second] = &compared.names;
    let (p, ties) = (args.rbo_p, args.rbo_ties_name());
    let mut notes = vec![
        format!("1 is {first}, 2 is {second}."),
        "ADR: mean [minimum, maximum] over all orders within groups, exactly.".to_owned(),
        format!("RBO with p = {p} and ties {ties}."),
        "Moved: items in another group, or in one list alone.".to_owned(),
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
        Column::integer("Moved"),
    ];
    let mut table = Table::new(columns).map_err(Failure::ours)?;
    for query in &compared.queries {
        let [two_by_one, one_by_two] = query.adr();
        let row = [
            Cell::text(query.name.clone()),
            Cell::integer(query.items[0] as i64),
            Cell::integer(query.items[1] as i64),
            Cell::integer(query.likeness.shared as i64),
            range(two_by_one),
            range(one_by_two),
            query.likeness.tau.map(|tau| tau.tau).into(),
            query.likeness.rbo.into(),
            Cell::integer(query.moved().count() as i64),
        ];
        table.push(row).map_err(Failure::ours)?;
    }
    table.push_rule();
    let sum = |count: fn(&Query) -> usize| {
        Cell::integer(compared.queries.iter().map(count).sum::<usize>() as i64)
    };
    let [two_by_one, one_by_two] = compared.mean_adr();
    let row = [
        Cell::text("all"),
        sum(|query| query.items[0]),
        sum(|query| query.items[1]),
        sum(|query| query.likeness.shared),
        range(two_by_one),
        range(one_by_two),
        compared.mean_tau().into(),
        compared.mean_rbo().into(),
        sum(|query| query.moved().count()),
    ];
    table.push(row).map_err(Failure::ours)?;
    if args.samples.is_some() {
        let [two_by_one, one_by_two] = compared
            .sampled
            .each_ref()
            .map(|sampled| range(sampled.as_ref().map(|sampled| sampled.of_means)));
        let mut row = vec![Cell::text("all, sampled")];
        row.extend([Cell::missing(), Cell::missing(), Cell::missing()]);
        row.extend([two_by_one, one_by_two]);
        row.extend([Cell::missing(), Cell::missing(), Cell::missing()]);
        table.push(row).map_err(Failure::ours)?;
    }
    Ok(table)
}

/// The items that moved.
fn diff(compared: &Compared) -> Result<Table, Failure> {
    let columns = [
        Column::text("Item"),
        Column::integer("Group in 1"),
        Column::integer("Group in 2"),
        Column::text("Moved").align(Align::Right),
    ];
    let mut table = Table::new(columns).map_err(Failure::ours)?;
    for query in &compared.queries {
        table.push_heading(query.name.clone());
        for place in query.moved() {
            let group = |group: Option<usize>| Cell::from(group.map(|group| group as i64));
            let moved = match place.moved_up() {
                Some(up) if up > 0 => format!("{up} up"),
                Some(up) => format!("{} down", -up),
                None if place.first.is_none() => "new".to_owned(),
                None => "gone".to_owned(),
            };
            let row = [
                Cell::text(place.name.clone()),
                group(place.first),
                group(place.second),
                Cell::text(moved),
            ];
            table.push(row).map_err(Failure::ours)?;
        }
    }
    Ok(table)
}
