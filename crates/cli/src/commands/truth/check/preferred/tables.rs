//! Tables for people.

use partita_judging::PreferenceTrust;
use partita_report::{Align, Cell, Column, Table, TableFormat};

use super::super::json::kind;
use super::{Audit, Checked};
use crate::failure::Failure;
use crate::notes::render;

pub(super) fn print(audit: &Audit<'_>, format: TableFormat) -> Result<String, Failure> {
    let mut texts = Vec::new();
    if audit.args.pairs {
        for checked in &audit.lists {
            let table = pairs(checked)?;
            if !table.rows().is_empty() {
                texts.push(format.render(&table));
            }
        }
    }
    texts.push(render(summary(audit)?, &notes(audit), format));
    for checked in &audit.lists {
        if let Some(trust) = &checked.trust {
            texts.push(format.render(&items(audit, checked, trust)?));
            if audit.args.pairs {
                texts.push(format.render(&relations(checked, trust)?));
            }
        }
    }
    Ok(texts.join("\n"))
}

/// A row a list.
fn summary(audit: &Audit<'_>) -> Result<Table, Failure> {
    let columns = [
        Column::text("Query"),
        Column::integer("Items"),
        Column::integer("Groups"),
        Column::integer("Assessors"),
        Column::text("Same group, differ").align(Align::Right),
        Column::text("Other group, equal").align(Align::Right),
        Column::integer("Misordered"),
        Column::integer("Not compared"),
        Column::integer("Non-transitive"),
        Column::number("Agreement", 3),
        Column::number("Alpha", 3),
        Column::number("AC1", 3),
    ];
    let mut table = Table::new(columns);
    let of = |part: usize, all: usize| Cell::text(format!("{part} of {all}"));
    for checked in &audit.lists {
        let found = &checked.audit;
        let row = [
            Cell::text(checked.query.name()),
            Cell::integer(checked.list.len() as i64),
            Cell::integer(checked.list.group_count() as i64),
            Cell::integer(checked.assessors as i64),
            of(found.intra.len(), found.same_group_compared),
            of(found.inter.len(), found.different_group_compared),
            Cell::integer(found.misordered.len() as i64),
            Cell::integer(found.undecided() as i64),
            Cell::integer(found.non_transitive.total() as i64),
            checked.agreement.score.into(),
            checked.agreement.alpha_nominal.into(),
            checked.agreement.ac1.into(),
        ];
        table.push(row);
    }
    if audit.lists.len() > 1 {
        table.push_rule();
        let sum =
            |count: fn(&Checked<'_>) -> usize| -> usize { audit.lists.iter().map(count).sum() };
        let integer = |count: fn(&Checked<'_>) -> usize| Cell::integer(sum(count) as i64);
        let row = [
            Cell::text("all"),
            integer(|c| c.list.len()),
            integer(|c| c.list.group_count()),
            Cell::missing(),
            of(
                sum(|c| c.audit.intra.len()),
                sum(|c| c.audit.same_group_compared),
            ),
            of(
                sum(|c| c.audit.inter.len()),
                sum(|c| c.audit.different_group_compared),
            ),
            integer(|c| c.audit.misordered.len()),
            integer(|c| c.audit.undecided()),
            integer(|c| c.audit.non_transitive.total() as usize),
            audit.agreement.score.into(),
            audit.agreement.alpha_nominal.into(),
            audit.agreement.ac1.into(),
        ];
        table.push(row);
    }
    Ok(table)
}

/// Every inconsistency of a list.
fn pairs(checked: &Checked<'_>) -> Result<Table, Failure> {
    let columns = [
        Column::text("Inconsistency"),
        Column::text("Items"),
        Column::text("Votes").align(Align::Right),
    ];
    let mut table = Table::new(columns).with_caption(format!("Query {}", checked.query.name()));
    for (what, pairs) in checked.pairs() {
        let (what, sign) = match what {
            "intra" => ("same group, differ", "/="),
            "inter" => ("other group, equal", "="),
            _ => ("misordered", ">"),
        };
        for pair in pairs {
            let items = [pair.earlier, pair.later].map(|item| checked.item(item));
            let [a, equal, b] = pair.votes.counts();
            let votes = format!("{a}, {equal}, {b}");
            let row = [what.to_owned(), items.join(&format!(" {sign} ")), votes];
            table.push(row.map(Cell::text));
        }
    }
    for triple in checked.triples(true) {
        let items = triple.items.map(|item| checked.item(item)).join(", ");
        let what = kind(triple.paradox).replace('-', " ");
        let row = [Cell::text(what), Cell::text(items), Cell::missing()];
        table.push(row);
    }
    Ok(table)
}

/// The items of a list, with the groups in which they may stand.
fn items(
    audit: &Audit<'_>,
    checked: &Checked<'_>,
    trust: &PreferenceTrust,
) -> Result<Table, Failure> {
    let columns = [
        Column::integer("Group"),
        Column::text("Item"),
        Column::text("Groups").align(Align::Right),
        Column::number("P(before next)", 2),
        Column::number("P(same group)", 2),
        Column::number("P(after next)", 2),
    ];
    let assumed = match trust.unasked() {
        Some(share) => format!(
            "; {:.0}% of the pairs needed were not compared",
            100.0 * share
        ),
        None => String::new(),
    };
    let note = format!(
        "{}% intervals for other people, by drawing the assessors anew {} times, seed {}{assumed}.",
        100.0 * audit.args.trust.confidence,
        audit.args.trust.bootstrap.unwrap_or_default(),
        audit.args.trust.seed
    );
    let mut table = Table::new(columns)
        .with_caption(format!("Query {}", checked.query.name()))
        .with_note(note);
    let listed = checked.list.items();
    for (place, (group, item)) in checked.groups().enumerate() {
        let range = trust.groups(item, audit.args.trust.confidence);
        let range = range.map(|(lower, upper)| Cell::text(format!("{lower} to {upper}")));
        let next = listed.get(place + 1).map(|&next| trust.pair(item, next));
        let row = [
            Cell::integer(group as i64),
            Cell::text(checked.item(item)),
            range.unwrap_or_else(Cell::missing),
            next.map(|shares| shares.before).into(),
            next.map(|shares| shares.same_group).into(),
            next.map(|shares| shares.after).into(),
        ];
        table.push(row);
    }
    Ok(table)
}

/// Every pair that was compared, with how other people would decide it.
fn relations(checked: &Checked<'_>, trust: &PreferenceTrust) -> Result<Table, Failure> {
    let columns = [
        Column::text("a"),
        Column::text("b"),
        Column::text("Votes").align(Align::Right),
        Column::text("Decided"),
        Column::number("P(less)", 2),
        Column::number("P(equal)", 2),
        Column::number("P(greater)", 2),
    ];
    let mut table = Table::new(columns).with_caption(format!("Query {}", checked.query.name()));
    for ((pair, relation), shares) in checked.built.decisions.iter().zip(trust.relations()) {
        let [a, equal, b] = pair.votes.counts();
        let row = [
            Cell::text(checked.item(pair.a)),
            Cell::text(checked.item(pair.b)),
            Cell::text(format!("{a}, {equal}, {b}")),
            Cell::text(relation.name()),
            Cell::number(shares.less),
            Cell::number(shares.equal),
            Cell::number(shares.greater),
        ];
        table.push(row);
    }
    Ok(table)
}

fn notes(audit: &Audit<'_>) -> Vec<String> {
    let rule = match audit.rule.alpha() {
        Some(alpha) => format!("{} at alpha {}", audit.rule, alpha.value()),
        None => audit.rule.to_string(),
    };
    vec![
        format!("Pairs are decided by {rule}; counts are of pairs that people compared."),
        "Agreement: the mean of two people, a half for one who prefers neither. Alpha \
         (Krippendorff) and AC1 (Gwet) are 0 for chance."
            .to_owned(),
    ]
}
