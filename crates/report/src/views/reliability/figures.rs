//! Figures of a reliability study (agreement of test results between query sets).

use partita_core::reliability::{
    OutcomeShares, PowerAndStability, ReliabilityStudy, TestConfiguration,
};

use super::{conflicts, is_same_test, tests};
use crate::figure::{Figure, LineChart, LinePanel, LineSeries, line_chart_figure};

/// Draws the power, the share of pairs of systems with a significant difference, against the number
/// of queries (Urbano, Martín, Marrero and Morato 2011, Figures 1 and 2). The reference line is the
/// share by the first test and measure on all queries.
pub fn power_figure(result: &ReliabilityStudy) -> Figure {
    let reference = |row: &PowerAndStability| Some((row.all.power, row.all.size));
    let words = [
        "Pairs of systems that differ significantly, by the number of queries",
        "queries",
        "significant pairs",
    ];
    share_by_queries(result, words, |shares| Some(shares.power), reference)
}

/// Draws the share of conflicts, pairs that are significant on one query set and not confirmed on
/// another, against the number of queries (Urbano, Martín, Marrero and Morato 2011, Figures 3 and
/// 4). The reference line is the share by the first test and measure at the largest size that
/// allows two disjoint query sets.
pub fn conflicts_figure(result: &ReliabilityStudy) -> Figure {
    let reference = |row: &PowerAndStability| row.half.map(|half| (half.conflicts, half.size));
    let words = [
        "Pairs of systems on which two sets of queries conflict, by their size",
        "queries in each set",
        "conflicts",
    ];
    share_by_queries(result, words, conflicts, reference)
}

/// Draws the discriminative power: the share of pairs of systems that are significant on all
/// queries, against the significance level up to 0.1.
pub fn discrimination_figure(result: &ReliabilityStudy) -> Figure {
    let points = |tested: &TestConfiguration| {
        let mut rows = result.discriminative.iter();
        let row = rows.find(|row| row.test == *tested);
        let levels = (1..=50).map(|step| f64::from(step) * 0.002);
        let share = |alpha| (alpha, row.map_or(0.0, |row| row.share_at(alpha)));
        levels.map(share).collect()
    };
    let words = [
        "Pairs of systems that differ significantly on all queries, by the level",
        "significance level",
        "significant pairs",
    ];
    // The curves cover all significance levels, so the panel titles name none.
    draw_panels(result, words, TestConfiguration::procedure, points, None)
}

/// Draws a share against the number of queries. `words` are title and axis labels, `value` selects
/// the share, and `reference` returns the reference line with its number of queries.
fn share_by_queries(
    result: &ReliabilityStudy,
    words: [&str; 3],
    value: impl Fn(&OutcomeShares) -> Option<f64>,
    reference: impl Fn(&PowerAndStability) -> Option<(f64, usize)>,
) -> Figure {
    let points = |tested: &TestConfiguration| {
        let cells = result.cells.iter().filter(|cell| cell.test == *tested);
        let points = cells.filter_map(|cell| Some((cell.size as f64, value(&cell.shares)?)));
        points.collect()
    };
    let reference = result.table_1.first().and_then(|row| {
        let (value, queries) = reference(row)?;
        let TestConfiguration { measure, test, .. } = &row.test;
        Some((value, format!("{test} of {measure}, {queries} queries")))
    });
    let title =
        |tested: &TestConfiguration| format!("{}, alpha {}", tested.procedure(), tested.alpha);
    draw_panels(result, words, title, points, reference)
}

/// Draws one panel per test with one curve per measure.
fn draw_panels(
    result: &ReliabilityStudy,
    words: [&str; 3],
    title: impl Fn(&TestConfiguration) -> String,
    points: impl Fn(&TestConfiguration) -> Vec<(f64, f64)>,
    reference: Option<(f64, String)>,
) -> Figure {
    let curve = |row: &PowerAndStability| LineSeries {
        name: row.test.measure.clone(),
        points: points(&row.test),
        band: None,
    };
    let panel = |test: &TestConfiguration| {
        let rows = result
            .table_1
            .iter()
            .filter(|row| is_same_test(&row.test, test));
        LinePanel {
            title: title(test),
            curves: rows.map(curve).collect(),
            references: reference.iter().cloned().collect(),
        }
    };
    let panels = tests(result).into_iter().map(panel).collect();
    let [title, x_label, y_label] = words.map(str::to_owned);
    let curves = LineChart {
        title,
        x_label,
        y_label,
        y_is_percent: true,
        panels,
    };
    line_chart_figure(&curves).expect("shares are numbers, and sizes rise")
}
