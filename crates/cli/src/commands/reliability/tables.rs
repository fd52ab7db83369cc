//! Tables for people. Shares are percentages of all comparisons.

use partita_core::reliability::{Shares, stable_with_all};
use partita_report::{Cell, Column, Table, TableFormat};

use super::ReliabilityArgs;
use super::studied::{LEVELS, Measured, Tested};
use crate::failure::Failure;
use crate::notes::render;

pub(super) fn print(
    args: &ReliabilityArgs,
    studied: &[Measured],
    format: TableFormat,
) -> Result<String, Failure> {
    let mut tables = Vec::new();
    if args.details {
        for measured in studied {
            for tested in &measured.tests {
                tables.push(details(measured, tested)?);
                tables.push(best_sets(measured, tested)?);
            }
        }
    }
    let conflicts = |shares: &Shares| shares.stability.as_ref().map(|s| s.conflicts);
    for (number, test) in args.tests.iter().enumerate() {
        let caption = format!("Power: significant pairs in %, {test}");
        tables.push(by_size(studied, number, caption, |shares| {
            Some(shares.power)
        })?);
        let caption = format!("Conflicts in %, {test}");
        let table = by_size(studied, number, caption, conflicts)?;
        if !table.rows().is_empty() {
            tables.push(table);
        }
    }
    tables.push(discriminative(studied)?);
    tables.push(classes(studied)?);
    let mut text = String::new();
    for table in &tables {
        text.push_str(&format.render(table));
        text.push('\n');
    }
    text.push_str(&render(table_1(studied)?, &notes(args, studied), format));
    Ok(text)
}

fn percent(share: f64) -> Cell {
    Cell::number(100.0 * share)
}

fn table(columns: impl IntoIterator<Item = Column>, caption: String) -> Result<Table, Failure> {
    Ok(Table::new(columns)
        .map_err(Failure::ours)?
        .with_caption(caption))
}

fn push(table: &mut Table, row: impl IntoIterator<Item = Cell>) -> Result<(), Failure> {
    table.push(row).map_err(Failure::ours)
}

/// A row a size, a column a measure.
fn by_size(
    studied: &[Measured],
    test: usize,
    caption: String,
    value: impl Fn(&Shares) -> Option<f64>,
) -> Result<Table, Failure> {
    let measures = studied
        .iter()
        .map(|measured| Column::number(measured.scores.measure(), 1));
    let columns = std::iter::once(Column::integer("Queries")).chain(measures);
    let mut table = table(columns, caption)?;
    let mut sizes: Vec<usize> = studied
        .iter()
        .flat_map(|measured| measured.tests[test].sizes.iter().map(|(size, _)| *size))
        .collect();
    sizes.sort_unstable();
    sizes.dedup();
    for size in sizes {
        let of_measure = |measured: &Measured| {
            let mut sizes = measured.tests[test].sizes.iter();
            let (_, shares) = sizes.find(|(known, _)| *known == size)?;
            value(shares)
        };
        let values: Vec<Option<f64>> = studied.iter().map(of_measure).collect();
        if values.iter().any(Option::is_some) {
            let cells = values
                .into_iter()
                .map(|value| value.map_or(Cell::missing(), percent));
            push(
                &mut table,
                std::iter::once(Cell::integer(size as i64)).chain(cells),
            )?;
        }
    }
    Ok(table)
}

/// All tests of all measures.
fn every(studied: &[Measured]) -> impl Iterator<Item = (&Measured, &Tested)> {
    studied.iter().flat_map(|measured| {
        let tests = measured.tests.iter();
        tests.map(move |tested| (measured, tested))
    })
}

fn names(measured: &Measured, tested: &Tested) -> [Cell; 2] {
    [
        Cell::text(measured.scores.measure()),
        Cell::text(tested.test.to_string()),
    ]
}

/// What the conflicts at the largest size with second samples are.
fn classes(studied: &[Measured]) -> Result<Table, Failure> {
    let columns = [
        Column::text("Measure"),
        Column::text("Test"),
        Column::integer("Queries"),
        Column::number("Lack of power", 2),
        Column::number("Swap", 3),
        Column::number("Significant swap", 3),
        Column::number("Conflicts", 2),
        Column::number("Swaps in % of conflicts", 2),
        Column::number("Exclusive or", 2),
    ];
    let mut table = table(columns, "Conflicts in % of comparisons, by kind".to_owned())?;
    for (measured, tested) in every(studied) {
        let Some((size, shares)) = tested.half() else {
            continue;
        };
        let Some(stability) = &shares.stability else {
            continue;
        };
        let cells = [
            Cell::integer(*size as i64),
            percent(stability.lack_of_power),
            percent(stability.swap),
            percent(stability.significant_swap),
            percent(stability.conflicts),
            stability
                .swaps_of_conflicts
                .map_or(Cell::missing(), percent),
            percent(stability.exclusive_or),
        ];
        push(&mut table, names(measured, tested).into_iter().chain(cells))?;
    }
    Ok(table)
}

/// The share of significant pairs on all queries at every level.
fn discriminative(studied: &[Measured]) -> Result<Table, Failure> {
    let levels = LEVELS.map(|alpha| Column::number(alpha.to_string(), 1));
    let columns = ["Measure", "Test"]
        .map(Column::text)
        .into_iter()
        .chain(levels);
    let caption = "Significant pairs on all queries in %, by level".to_owned();
    let mut table = table(columns, caption)?;
    for (measured, tested) in every(studied) {
        let [measure, _] = names(measured, tested);
        let test = Cell::text(match tested.test.correction() {
            Some(correction) => format!("{}, {correction}", tested.test.name()),
            None => tested.test.name().to_owned(),
        });
        let shares = LEVELS.map(|alpha| percent(tested.share_at(alpha)));
        push(&mut table, [measure, test].into_iter().chain(shares))?;
    }
    Ok(table)
}

/// Table 1 of the paper.
fn table_1(studied: &[Measured]) -> Result<Table, Failure> {
    let sizes = |of: fn(&Measured, &Tested) -> Option<usize>| {
        let mut sizes: Vec<usize> = every(studied)
            .filter_map(|(measured, tested)| of(measured, tested))
            .collect();
        sizes.sort_unstable();
        sizes.dedup();
        match sizes[..] {
            [size] => format!(", {size} queries"),
            _ => String::new(),
        }
    };
    let half = sizes(|_, tested| tested.half().map(|(size, _)| *size));
    let all = sizes(|measured, _| Some(measured.study.queries()));
    let columns = [
        Column::text("Measure"),
        Column::text("Test"),
        Column::number(format!("Power{half}"), 1),
        Column::number("Conflicts", 1),
        Column::number("Stable", 1),
        Column::number(format!("Power{all}"), 1),
        Column::number("Stable", 1),
    ];
    let caption = "Power and stability in % of comparisons".to_owned();
    let mut table = table(columns, caption)?;
    for (measured, tested) in every(studied) {
        let half = tested.half();
        let stability = half.and_then(|(_, shares)| shares.stability.as_ref());
        let stable =
            stability.map(|stability| stable_with_all(tested.whole_power, stability.conflicts));
        let share = |share: Option<f64>| share.map_or(Cell::missing(), percent);
        let cells = [
            share(half.map(|(_, shares)| shares.power)),
            share(stability.map(|stability| stability.conflicts)),
            share(stability.map(|stability| stability.stable)),
            percent(tested.whole_power),
            share(stable),
        ];
        push(&mut table, names(measured, tested).into_iter().chain(cells))?;
    }
    Ok(table)
}

/// Everything about a test, a row a size.
fn details(measured: &Measured, tested: &Tested) -> Result<Table, Failure> {
    let columns = [
        Column::integer("Queries"),
        Column::integer("Trials"),
        Column::number("Power", 2),
        Column::number("±", 2),
        Column::number("Lack of power", 2),
        Column::number("Swap", 3),
        Column::number("Significant swap", 3),
        Column::number("Conflicts", 2),
        Column::number("±", 2),
        Column::number("Stable", 2),
        Column::number("Exclusive or", 2),
        Column::number("Missed", 1),
        Column::number("More", 1),
    ];
    let (measure, test) = (measured.scores.measure(), tested.test);
    let caption = format!("{measure}, {test}: shares in %, missed and further pairs a trial");
    let mut table = table(columns, caption)?;
    for (size, shares) in &tested.sizes {
        let stability = shares.stability.as_ref();
        let share = |share: Option<f64>| share.map_or(Cell::missing(), percent);
        let cells = [
            Cell::integer(*size as i64),
            Cell::integer(shares.trials as i64),
            percent(shares.power),
            share(shares.power_error),
            share(stability.map(|s| s.lack_of_power)),
            share(stability.map(|s| s.swap)),
            share(stability.map(|s| s.significant_swap)),
            share(stability.map(|s| s.conflicts)),
            share(stability.and_then(|s| s.conflicts_error)),
            share(stability.map(|s| s.stable)),
            share(stability.map(|s| s.exclusive_or)),
            Cell::number(shares.subset.missed),
            Cell::number(shares.subset.more),
        ];
        push(&mut table, cells)?;
    }
    Ok(table)
}

/// The query set of every size that misses the fewest pairs.
fn best_sets(measured: &Measured, tested: &Tested) -> Result<Table, Failure> {
    let columns = [
        Column::integer("Queries"),
        Column::integer("Missed"),
        Column::text("The set drawn that misses fewest"),
    ];
    let (measure, test) = (measured.scores.measure(), tested.test);
    let mut table = table(columns, format!("{measure}, {test}: best query sets"))?;
    for (size, shares) in &tested.sizes {
        if *size == measured.study.queries() {
            continue;
        }
        let (queries, _) = measured.study.sample(*size, shares.subset.best_trial);
        let names: Vec<&str> = queries
            .iter()
            .map(|&query| measured.scores.queries()[query].as_str())
            .collect();
        let cells = [
            Cell::integer(*size as i64),
            Cell::integer(shares.subset.fewest_missed as i64),
            Cell::text(names.join(" ")),
        ];
        push(&mut table, cells)?;
    }
    Ok(table)
}

fn notes(args: &ReliabilityArgs, studied: &[Measured]) -> Vec<String> {
    let mut notes = vec![
        "Stable with all queries is their power less the conflicts of the smaller sets.".to_owned(),
    ];
    for (measured, tested) in every(studied) {
        notes.push(smaller(args, measured, tested));
    }
    let trials = args.trials;
    notes.push(match studied.first() {
        Some(measured) if measured.stratified => {
            let strata = measured.strata.names().len();
            format!(
                "{trials} query sets of each size, drawn evenly from {strata} strata; seed {}.",
                args.seed
            )
        }
        _ => format!(
            "{trials} query sets of each size, not stratified; seed {}.",
            args.seed
        ),
    });
    notes
}

/// Which smaller query set would have led to the same conclusions.
fn smaller(args: &ReliabilityArgs, measured: &Measured, tested: &Tested) -> String {
    let (all, significant) = (measured.study.queries(), tested.significant);
    let of = match significant {
        1 => "the 1 significant pair".to_owned(),
        _ => format!("the {significant} significant pairs"),
    };
    let enough = tested.enough(args.miss).filter(|(size, _)| *size < all);
    let what = match (significant, enough) {
        (0, _) => format!("nothing is significant on the {all} queries."),
        (_, Some((size, shares))) => format!(
            "{size} of {all} queries would have missed {:.1} of {of} on average, and found {:.1} more.",
            shares.subset.missed, shares.subset.more
        ),
        (_, None) => {
            let largest = tested.sizes.iter().rev().find(|(size, _)| *size < all);
            match largest {
                None => format!("all {all} queries find {of}."),
                Some((size, shares)) => format!(
                    "even {size} of {all} queries would have missed {:.1} of {of} on average.",
                    shares.subset.missed
                ),
            }
        }
    };
    format!("{}, {}: {what}", measured.scores.measure(), tested.test)
}
