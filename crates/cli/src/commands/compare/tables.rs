//! Tables for people: on a terminal, in a paper, on a wiki.

use partita_core::compare::{Comparison, Goal, Pair, System};
use partita_report::{Align, Cell, Column, Table, TableFormat};

use super::CompareArgs;
use super::words::{better, notes, p_value};
use crate::failure::Failure;
use crate::notes::render;

/// How many decimals a score is printed with.
const DECIMALS: u8 = 4;

/// As many pairs are printed without being asked for.
const FEW_PAIRS: usize = 45;

pub(super) fn print(
    args: &CompareArgs,
    comparisons: &[Comparison],
    format: TableFormat,
) -> Result<String, Failure> {
    let mut text = String::new();
    if comparisons.len() > 1 {
        text.push_str(&format.render(&side_by_side(comparisons)?));
        text.push('\n');
    }
    for (number, comparison) in comparisons.iter().enumerate() {
        if number > 0 {
            text.push('\n');
        }
        let mut notes = notes(args, comparison);
        if args.pairs || comparison.pairs.len() <= FEW_PAIRS {
            text.push_str(&format.render(&pairs(comparison)?));
            text.push('\n');
        } else {
            let message = "--pairs prints every pair; so do --format csv and json.";
            notes.push(message.to_owned());
        }
        text.push_str(&render(systems(comparison)?, &notes, format));
    }
    Ok(text)
}

/// The means and letters by every measure.
fn side_by_side(comparisons: &[Comparison]) -> Result<Table, Failure> {
    let measures = comparisons.iter().map(|c| c.measure.as_str());
    let measures = measures.map(|name| Column::text(name).align(Align::Left));
    let columns = std::iter::once(Column::text("System")).chain(measures);
    let mut table = Table::new(columns);
    let mut names: Vec<&str> = Vec::new();
    for system in comparisons.iter().flat_map(|c| &c.systems) {
        if !names.contains(&system.name.as_str()) {
            names.push(&system.name);
        }
    }
    for name in names {
        let cells = comparisons.iter().map(|comparison| {
            let known = comparison.systems.iter().find(|system| system.name == name);
            known.map_or_else(Cell::missing, |system| {
                let letters = system.group.as_deref().unwrap_or_default();
                Cell::text(format!("{:.4} {letters}", system.mean).trim_end())
            })
        });
        let row = std::iter::once(Cell::text(name)).chain(cells);
        table.push(row);
    }
    Ok(table)
}

/// The leaderboard.
fn systems(comparison: &Comparison) -> Result<Table, Failure> {
    let lettered = comparison.leaderboard.is_some();
    let ranked = comparison.systems.iter().any(|s| s.ranks.is_some());
    let mut columns = vec![
        Column::text("System"),
        Column::number("Mean", DECIMALS),
        Column::number("Mean rank", 2),
    ];
    if lettered {
        columns.push(Column::text("Group"));
    }
    if ranked {
        columns.push(Column::text("Ranks").align(Align::Right));
    }
    let mut table = Table::new(columns).with_caption(format!("Systems by {}", comparison.measure));
    let row = |system: &System| {
        let mut row = vec![
            Cell::text(system.name.clone()),
            Cell::number(system.mean),
            Cell::number(system.mean_rank),
        ];
        if lettered {
            row.push(system.group.clone().into());
        }
        if ranked {
            row.push(system.ranks.map(|(best, worst)| ranks(best, worst)).into());
        }
        row
    };
    for system in &comparison.systems {
        table.push(row(system));
    }
    Ok(table)
}

fn ranks(best: usize, worst: usize) -> String {
    match best == worst {
        true => best.to_string(),
        false => format!("{best} to {worst}"),
    }
}

/// Every pair.
fn pairs(comparison: &Comparison) -> Result<Table, Failure> {
    let corrected = (comparison.pairs.iter()).any(|pair| pair.p != pair.p_adjusted);
    let equivalence = comparison.test.goal == Goal::Equivalence;
    // Percent without the noise of binary fractions.
    let percent = (1e6 * comparison.confidence).round() / 1e4;
    let mut columns = vec![
        Column::text("A"),
        Column::text("B"),
        Column::number("Difference", DECIMALS),
        Column::text(format!("{percent}% interval")).align(Align::Right),
        Column::number("d", 2),
        Column::number("A12", 2),
        Column::text("Won, tied, lost").align(Align::Right),
        Column::number("p", DECIMALS),
    ];
    if corrected {
        columns.push(Column::number("p adjusted", DECIMALS));
    }
    columns.push(Column::text(match equivalence {
        true => "Equivalent",
        false => "Better",
    }));
    let caption = format!("Pairs by {}", comparison.measure);
    let mut table = Table::new(columns).with_caption(caption);
    let row = |pair: &Pair| {
        let name = |system: usize| Cell::text(comparison.systems[system].name.clone());
        let interval = pair.interval;
        let mut row = vec![
            name(pair.a),
            name(pair.b),
            Cell::number(pair.difference),
            interval
                .map(|(low, high)| format!("[{low:.4}, {high:.4}]"))
                .into(),
            pair.d.into(),
            Cell::number(pair.a12),
            Cell::text(format!("{}, {}, {}", pair.wins, pair.ties, pair.losses)),
            Cell::text(p_value(pair.p)),
        ];
        if corrected {
            row.push(Cell::text(p_value(pair.p_adjusted)));
        }
        row.push(match (equivalence, pair.significant) {
            (true, true) => Cell::text("yes"),
            (true, false) => Cell::text("no"),
            (false, _) => better(comparison, pair).map(str::to_owned).into(),
        });
        row
    };
    for pair in &comparison.pairs {
        table.push(row(pair));
    }
    Ok(table)
}
