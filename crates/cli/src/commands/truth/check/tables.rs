//! Tables for people.

use partita_core::truth::Audit;
use partita_report::{Align, Cell, Column, Table, TableFormat};

use super::CheckArgs;
use super::checked::{Checked, KINDS, means};
use super::json::kind;
use crate::failure::Failure;
use crate::notes::render;

pub(super) fn print(
    args: &CheckArgs,
    lists: &[Checked],
    format: TableFormat,
) -> Result<String, Failure> {
    let mut text = String::new();
    if args.pairs {
        for checked in lists {
            let table = pairs(args, checked)?;
            if !table.rows().is_empty() {
                text.push_str(&format.render(&table));
                text.push('\n');
            }
        }
    }
    text.push_str(&render(summary(lists)?, &notes(args, lists), format));
    Ok(text)
}

/// A row a list.
fn summary(lists: &[Checked]) -> Result<Table, Failure> {
    let columns = [
        Column::text("Query"),
        Column::integer("Items"),
        Column::integer("Groups"),
        Column::integer("Assessors"),
        Column::number("W", 3),
        Column::number("ADR-1", 4),
        Column::number("ADR-2", 4),
        Column::text("Same group, differ").align(Align::Right),
        Column::text("Other group, equal").align(Align::Right),
        Column::integer("Misordered"),
        Column::integer("Non-transitive"),
    ];
    let mut table = Table::new(columns);
    for checked in lists {
        let [adr1, adr2] = &checked.consistency;
        let audit = &checked.audit;
        let row = [
            Cell::text(checked.query.name.clone()),
            Cell::integer(checked.list.len() as i64),
            Cell::integer(checked.list.group_count() as i64),
            Cell::integer(checked.agreement.assessors as i64),
            checked.agreement.common.map(|c| c.w).into(),
            adr1.as_ref().map(|c| c.value).into(),
            adr2.as_ref().map(|c| c.value).into(),
            share(audit.intra.len(), audit.same_group_pairs),
            share(audit.inter.len(), audit.different_group_pairs),
            Cell::integer(audit.misordered.len() as i64),
            Cell::integer(audit.non_transitive.total() as i64),
        ];
        table.push(row);
    }
    if lists.len() > 1 {
        table.push_rule();
        let [adr1, adr2] = means(lists);
        let sum = |count: fn(&Audit) -> usize| -> usize {
            lists.iter().map(|list| count(&list.audit)).sum()
        };
        let row = [
            Cell::text("all"),
            Cell::integer(lists.iter().map(|l| l.list.len()).sum::<usize>() as i64),
            Cell::integer(lists.iter().map(|l| l.list.group_count()).sum::<usize>() as i64),
            Cell::missing(),
            Cell::missing(),
            adr1.into(),
            adr2.into(),
            share(sum(|a| a.intra.len()), sum(|a| a.same_group_pairs)),
            share(sum(|a| a.inter.len()), sum(|a| a.different_group_pairs)),
            Cell::integer(sum(|a| a.misordered.len()) as i64),
            Cell::integer(sum(|a| a.non_transitive.total() as usize) as i64),
        ];
        table.push(row);
    }
    Ok(table)
}

fn share(count: usize, of: usize) -> Cell {
    Cell::text(format!("{count} of {of}"))
}

/// Every inconsistency of a list.
fn pairs(args: &CheckArgs, checked: &Checked) -> Result<Table, Failure> {
    let columns = ["Inconsistency", "Items"].map(Column::text);
    let columns = columns
        .into_iter()
        .chain([Column::text("p").align(Align::Right)]);
    let mut table = Table::new(columns).with_caption(format!("Query {}", checked.query.name));
    for (what, pairs) in KINDS.iter().zip(checked.pairs()) {
        let (what, sign) = match *what {
            "intra" => ("same group, differ", "/="),
            "inter" => ("other group, equal", "="),
            _ => ("misordered", ">"),
        };
        for pair in pairs {
            let items = [pair.earlier, pair.later].map(|item| checked.item(item));
            let p = match sign {
                ">" => pair.p.map(|p| p.p.greater),
                _ => pair.p_value(args.tails.tails()),
            };
            let about = if pair.p.is_some_and(|p| p.approximate) {
                "~"
            } else {
                ""
            };
            let p = match p {
                None => "untestable".to_owned(),
                // Four zeros would read as impossible.
                Some(p) if p < 0.00005 => format!("{about}<0.0001"),
                Some(p) => format!("{about}{p:.4}"),
            };
            let row = [what.to_owned(), items.join(&format!(" {sign} ")), p];
            table.push(row.map(Cell::text));
        }
    }
    for (tails, triple) in checked.triples(true) {
        let items = triple.items.map(|item| checked.item(item)).join(", ");
        let what = format!("{}, {tails}-tailed", kind(triple.paradox).replace('-', " "));
        let row = [Cell::text(what), Cell::text(items), Cell::missing()];
        table.push(row);
    }
    Ok(table)
}

fn notes(args: &CheckArgs, lists: &[Checked]) -> Vec<String> {
    let tails = args.tails.number();
    let sum =
        |count: fn(&Audit) -> usize| -> usize { lists.iter().map(|list| count(&list.audit)).sum() };
    let mut notes = vec![
        format!(
            "{} of {} pairs in the same group differ; {} of {} pairs in different groups do not.",
            sum(|a| a.intra.len()),
            sum(|a| a.same_group_pairs),
            sum(|a| a.inter.len()),
            sum(|a| a.different_group_pairs)
        ),
        format!(
            "{tails}-tailed Mann-Whitney tests at alpha {}; unranked items: {}.",
            args.alpha,
            args.rankings.unranked_name()
        ),
        "W: Kendall's coefficient of concordance over the items that every assessor ranked."
            .to_owned(),
    ];
    if let Some((function, alpha)) = args.built_by() {
        notes.insert(1, format!("Lists built by {function} at alpha {alpha}."));
    }
    let untestable = sum(|a| a.untestable_pairs);
    if untestable > 0 {
        let (pairs, count) = match untestable {
            1 => ("pair", "it counts"),
            _ => ("pairs", "they count"),
        };
        notes.push(format!(
            "{untestable} {pairs} cannot be tested, because an item has fewer than 2 ranks; {count} as equal."
        ));
    }
    let approximate = lists.iter().any(|list| {
        let pairs = list.pairs().into_iter().flatten();
        pairs
            .into_iter()
            .any(|pair| pair.p.is_some_and(|p| p.approximate))
    });
    if approximate && args.pairs {
        notes.push("~ marks an approximate p-value; `--exact` gives the exact one.".to_owned());
    }
    notes
}
