//! Tables 3 and 4 of the paper.

use partita_core::truth::FunctionStudy;
use partita_report::{Align, Better, Cell, Column, Table, TableFormat};

use super::{Study, StudyArgs, defined};
use crate::failure::Failure;
use crate::notes::render;

pub(super) fn print(
    args: &StudyArgs,
    study: &Study,
    format: TableFormat,
) -> Result<String, Failure> {
    let mut texts = Vec::new();
    if args.per_query {
        texts.push(format.render(&lists(study)?));
    }
    texts.push(render(functions(study)?, &notes(args), format));
    if !study.systems.is_empty() {
        texts.push(format.render(&systems(study)?));
    }
    Ok(texts.join("\n"))
}

fn notes(args: &StudyArgs) -> Vec<String> {
    let stars = "* p < 0.10, ** p < 0.05, *** p < 0.01: paired 1-tailed t-tests of greater consistency \
                 and of smaller groups than all-2;";
    vec![
        stars.to_owned(),
        "2-tailed test of r, the correlation of items per group with ADR-1.".to_owned(),
        format!(
            "Built at alpha {}, measured at alpha {}; unranked items: {}.",
            args.alpha,
            args.measured_at(),
            args.rankings.unranked_name()
        ),
    ]
}

/// The paper's stars: * below 0.10, ** below 0.05, *** below 0.01.
fn stars(p: Option<f64>, most: usize) -> String {
    let levels = [0.10, 0.05, 0.01];
    let reached = levels[..most]
        .iter()
        .filter(|&&level| p.is_some_and(|p| p < level));
    "*".repeat(reached.count())
}

fn starred(value: Option<f64>, p: Option<f64>, most: usize) -> Cell {
    value.map_or_else(Cell::missing, |value| {
        Cell::text(format!("{value:.3}{}", stars(p, most)))
    })
}

/// Table 3: a row a function.
fn functions(study: &Study) -> Result<Table, Failure> {
    let right = |header| Column::text(header).align(Align::Right);
    let columns = [
        Column::text("Function"),
        right("ADR-1"),
        Column::number("ADR-2", 3),
        right("Items per group"),
        right("Pearson's r"),
    ];
    let queries = study.queries.len();
    let mut table = Table::new(columns).with_caption(format!(
        "Consistency and size of groups, means over {queries} lists"
    ));
    for row in &study.functions {
        let p = row.more_consistent.map(|test| test.p.greater);
        let smaller = row.smaller_groups.map(|test| test.p.less);
        let r = row.correlation;
        let cells = [
            Cell::text(row.aggregation.name()),
            starred(row.adr_1, p, 2),
            row.adr_2.into(),
            starred(row.items_per_group, smaller, 2),
            starred(r.map(|r| r.r), r.map(|r| r.p.two_sided), 3),
        ];
        table.push(cells);
    }
    Ok(table)
}

/// Table 4: a row a system, a column a function.
fn systems(study: &Study) -> Result<Table, Failure> {
    let columns = study
        .functions
        .iter()
        .map(|function| Column::number(function.aggregation.name(), 3));
    let columns = std::iter::once(Column::text("System")).chain(columns);
    let mut table = Table::new(columns)
        .with_caption("Mean ADR of every system against the lists of every function")
        .with_note(
            "tau: Kendall's tau-b with the systems' order by all-2. The best system by each \
             function is marked.",
        );
    for (number, system) in study.systems.iter().enumerate() {
        let score = |function: &FunctionStudy| Cell::from(defined(function.systems[number]));
        let scores = study.functions.iter().map(score);
        let row = std::iter::once(Cell::text(system.clone())).chain(scores);
        table.push(row);
    }
    if study.systems.len() > 1 {
        for column in 1..=study.functions.len() {
            table.emphasise_best(column, Better::Higher);
        }
    }
    table.push_rule();
    let taus = study
        .functions
        .iter()
        .map(|function| Cell::from(function.tau));
    let row = std::iter::once(Cell::text("tau")).chain(taus);
    table.push(row);
    Ok(table)
}

/// A row a list and function.
fn lists(study: &Study) -> Result<Table, Failure> {
    let columns = [
        Column::text("Function"),
        Column::integer("Items"),
        Column::integer("Groups"),
        Column::number("Items per group", 3),
        Column::number("ADR-1", 3),
        Column::number("ADR-2", 3),
    ];
    let mut table = Table::new(columns);
    for (query, lists) in study.queries.iter().zip(&study.lists) {
        table.push_heading(query.name.clone());
        for (function, list) in study.functions.iter().zip(lists) {
            let row = [
                Cell::text(function.aggregation.name()),
                Cell::integer(list.list.len() as i64),
                Cell::integer(list.list.group_count() as i64),
                list.items_per_group.into(),
                list.adr_1.into(),
                list.adr_2.into(),
            ];
            table.push(row);
        }
    }
    Ok(table)
}
