//! Tables of a reliability study.

use std::collections::BTreeSet;

use partita_core::reliability::{
    DiscriminativePower, OutcomeShares, PowerAndStability, ReliabilityStudy, SizeResult, Stability,
    TestConfiguration,
};

use super::{is_informative, is_same_test, percent, rows_of_test, test_label, tests};
use crate::table::{integer, number, text};
use crate::{ColumnSet, Table};

/// Returns a table of one share of a test's outcomes, with a row per query set size and a column
/// per measure.
pub(super) fn share_by_size_table(
    result: &ReliabilityStudy,
    test: &TestConfiguration,
    value: impl Fn(&OutcomeShares) -> Option<f64>,
) -> Table {
    let of_test = |cell: &&SizeResult| is_same_test(&cell.test, test);
    let cells = result.cells.iter().filter(of_test);
    let sizes: BTreeSet<usize> = cells.map(|cell| cell.size).collect();
    let measures = result.measures.iter().map(|m| number(m.measure.clone(), 1));
    let mut table = Table::new([integer("Queries")].into_iter().chain(measures));
    for size in sizes {
        let of_measure = |measure: &str| {
            let is_it = |cell: &&SizeResult| cell.size == size && cell.test.measure == measure;
            let mut cells = result.cells.iter().filter(of_test);
            value(&cells.find(is_it)?.shares)
        };
        let values = result.measures.iter().map(|m| of_measure(&m.measure));
        let values: Vec<Option<f64>> = values.collect();
        if values.iter().any(Option::is_some) {
            let cells = values.into_iter().map(|value| percent(value).into());
            table.push([size.into()].into_iter().chain(cells));
        }
    }
    table
}

/// Returns an accessor for one share of the stability results, in percent.
fn stability_percent<S: Into<Option<f64>>>(
    of: fn(&Stability) -> S,
) -> impl Fn(&SizeResult) -> Option<f64> {
    move |cell| percent(of(cell.shares.stability.as_ref()?))
}

/// Returns the CSV columns of a study, with one row per measure, test and query set size.
pub(super) fn csv_columns(seed: u64) -> ColumnSet<'static, SizeResult> {
    let mut columns = tested_columns(|cell: &SizeResult| &cell.test)
        .csv_field("size", |cell| cell.size)
        .csv_field("trials", |cell| cell.shares.trials)
        .csv_field("seed", move |_| seed)
        .csv_field("power", |cell| cell.shares.power)
        .csv_field("power_error", |cell| cell.shares.power_error);
    /// CSV key and accessor of a share of the stability results.
    type ShareColumn = (&'static str, fn(&Stability) -> Option<f64>);
    let of_samples: [ShareColumn; 11] = [
        ("lack_of_power", |s| Some(s.lack_of_power)),
        ("swap", |s| Some(s.swap)),
        ("significant_swap", |s| Some(s.significant_swap)),
        ("conflicts", |s| Some(s.conflicts)),
        ("conflicts_error", |s| s.conflicts_error),
        ("exclusive_or", |s| Some(s.exclusive_or)),
        ("stable", |s| Some(s.stable)),
        ("mirror_lack_of_power", |s| Some(s.mirror.lack_of_power)),
        ("mirror_swap", |s| Some(s.mirror.swap)),
        ("own_swap", |s| Some(s.own_swap)),
        ("swaps_of_conflicts", |s| s.swaps.of_conflicts),
    ];
    for (key, value) in of_samples {
        columns = columns.csv_field(key, move |cell| {
            cell.shares.stability.as_ref().and_then(value)
        });
    }
    columns
        .csv_field("against_mean", |cell| cell.shares.against_mean)
        .csv_field("missed", |cell| cell.shares.missed.mean)
        .csv_field("missed_deviation", |cell| cell.shares.missed.deviation)
        .csv_field("fewest_missed", |cell| cell.shares.missed.fewest)
        .csv_field("most_missed", |cell| cell.shares.missed.most)
        .csv_field("nothing_missed", |cell| cell.shares.missed.none)
        .csv_field("more", |cell| cell.shares.extra_pairs)
        .csv_field("reversed", |cell| cell.shares.missed.reversed)
        .csv_field("best_trial", |cell| cell.shares.best_trial)
}

/// Returns the columns that identify the significance test and the measure.
fn tested_columns<R>(
    of: impl Fn(&R) -> &TestConfiguration + Copy + 'static,
) -> ColumnSet<'static, R> {
    ColumnSet::new()
        .field("measure", text("Measure"), move |row| {
            of(row).measure.clone()
        })
        .table_field(text("Test"), move |row| of(row).to_string())
        .csv_field("test", move |row| of(row).test.clone())
        .csv_field("alpha", move |row| of(row).alpha)
        .csv_field("correction", move |row| of(row).correction.clone())
}

/// Returns the table of conflicts by class (such as swaps), at the largest query set size for which
/// there is a second, disjoint set.
pub(super) fn conflict_classes_table(result: &ReliabilityStudy) -> Table {
    let columns = tested_columns(|cell: &SizeResult| &cell.test)
        .table_field(integer("Queries"), |cell| cell.size)
        .table_field(
            number("Lack of power", 2),
            stability_percent(|s| s.lack_of_power),
        )
        .table_field(number("Swap", 3), stability_percent(|s| s.swap))
        .table_field(
            number("Significant swap", 3),
            stability_percent(|s| s.significant_swap),
        )
        .table_field(number("Conflicts", 2), stability_percent(|s| s.conflicts))
        .table_field(
            number("Swaps in % of conflicts", 2),
            stability_percent(|s| s.swaps.of_conflicts),
        )
        .table_field(
            number("Exclusive or", 2),
            stability_percent(|s| s.exclusive_or),
        );
    let halves = result.table_1.iter().filter_map(|row| {
        let size = row.half?.size;
        let mut cells = result.cells.iter();
        cells.find(|cell| cell.size == size && cell.test == row.test)
    });
    columns
        .to_table(halves)
        .with_caption("Conflicts in % of comparisons, by kind")
        .with_key_columns(3)
}

/// Returns the table of discriminative power: the share of pairs that are significant on all
/// queries, at every significance level.
pub(super) fn discriminative_power_table(result: &ReliabilityStudy) -> Table {
    let mut columns = ColumnSet::<DiscriminativePower>::new()
        .table_field(text("Measure"), |row| row.test.measure.clone())
        .table_field(text("Test"), |row| row.test.procedure());
    let levels = result.discriminative.first();
    for (place, level) in levels.iter().flat_map(|row| &row.shares).enumerate() {
        let column = number(level.alpha.to_string(), 1);
        columns = columns.table_field(column, move |row| percent(row.shares[place].share));
    }
    columns
        .to_table(&result.discriminative)
        .with_caption("Significant pairs on all queries in %, by level")
}

/// Returns Table 1 of Urbano, Martín, Marrero and Morato (2011), extended by the sufficient number
/// of queries.
pub(super) fn table_1(result: &ReliabilityStudy) -> Table {
    let only = |sizes: BTreeSet<usize>| match Vec::from_iter(sizes)[..] {
        [size] => format!(", {size} queries"),
        _ => String::new(),
    };
    let rows = || result.table_1.iter();
    let half = only(rows().filter_map(|row| Some(row.half?.size)).collect());
    let all = only(rows().map(|row| row.all.size).collect());
    let enough = |row: &PowerAndStability| {
        let mut smaller = result.smaller.iter();
        let of_row = smaller.find(|one| one.test == row.test)?;
        of_row.size.filter(|_| is_informative(of_row))
    };
    let halved = rows().any(|row| row.half.is_some());
    let columns = ColumnSet::<PowerAndStability>::new()
        .table_field(text("Measure"), |row| row.test.measure.clone())
        .table_field(number(format!("Power{all}"), 1), |row| {
            percent(row.all.power)
        })
        .add_if(halved, |columns| {
            columns
                .table_field(number("Stable", 1), |row| percent(row.all.stable))
                .table_field(number(format!("Power{half}"), 1), |row| {
                    percent(row.half.map(|half| half.power))
                })
                .table_field(number("Conflicts", 1), |row| {
                    percent(row.half.map(|half| half.conflicts))
                })
                .table_field(number("Stable", 1), |row| {
                    percent(row.half.map(|half| half.stable))
                })
        })
        .table_field(integer("Enough"), enough);
    let groups = tests(result).into_iter();
    let groups = groups.map(|test| (test_label(test), rows_of_test(result, test)));
    columns
        .to_grouped_table(groups)
        .with_caption("Power and stability in % of comparisons")
}

/// Returns the columns of the detailed table of a test, with one row per query set size.
pub(super) fn details_columns() -> ColumnSet<'static, SizeResult> {
    ColumnSet::<SizeResult>::new()
        .table_field(integer("Queries"), |cell| cell.size)
        .table_field(integer("Trials"), |cell| cell.shares.trials)
        .table_field(number("Power", 2), |cell| percent(cell.shares.power))
        .table_field(number("±", 2), |cell| percent(cell.shares.power_error))
        .table_field(
            number("Lack of power", 2),
            stability_percent(|s| s.lack_of_power),
        )
        .table_field(number("Swap", 3), stability_percent(|s| s.swap))
        .table_field(
            number("Significant swap", 3),
            stability_percent(|s| s.significant_swap),
        )
        .table_field(number("Conflicts", 2), stability_percent(|s| s.conflicts))
        .table_field(number("±", 2), stability_percent(|s| s.conflicts_error))
        .table_field(number("Stable", 2), stability_percent(|s| s.stable))
        .table_field(
            number("Exclusive or", 2),
            stability_percent(|s| s.exclusive_or),
        )
        .table_field(number("Missed", 1), |cell| cell.shares.missed.mean)
        .table_field(number("More", 1), |cell| cell.shares.extra_pairs)
}

/// Returns the columns of the table of best query sets: for each size the drawn set that misses the
/// fewest significant pairs.
pub(super) fn best_set_columns() -> ColumnSet<'static, SizeResult> {
    ColumnSet::<SizeResult>::new()
        .table_field(integer("Queries"), |cell| cell.size)
        .table_field(integer("Missed"), |cell| cell.shares.missed.fewest)
        .table_field(text("The set drawn that misses fewest"), |cell| {
            cell.best_queries.join(" ")
        })
}
