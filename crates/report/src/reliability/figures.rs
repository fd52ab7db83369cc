//! The figures of a study of reliability.

use partita_core::reliability::{PowerAndStability, Reliability, Shares, Tested};

use super::{conflicts, same, tests};
use crate::figure::{Curve, CurvePanel, Curves, Figure, curves_figure};

/// The share of significant pairs against the number of queries (Urbano, Martín, Marrero and Morato
/// 2011, Figures 1 and 2), with that of the first test and measure on all queries as a reference.
pub fn power_figure(result: &Reliability) -> Figure {
    let reference = |row: &PowerAndStability| Some((row.all.power, row.all.size));
    let words = [
        "Pairs of systems that differ significantly, by the number of queries",
        "queries",
        "significant pairs",
    ];
    by_queries(result, words, |shares| Some(shares.power), reference)
}

/// Conflicts against the number of queries (Figures 3 and 4), with those of the first test and
/// measure at their largest size as a reference.
pub fn conflicts_figure(result: &Reliability) -> Figure {
    let reference = |row: &PowerAndStability| row.half.map(|half| (half.conflicts, half.size));
    let words = [
        "Pairs of systems on which two sets of queries conflict, by their size",
        "queries in each set",
        "conflicts",
    ];
    by_queries(result, words, conflicts, reference)
}

/// The share of significant pairs on all queries, at levels up to 0.1.
pub fn discrimination_figure(result: &Reliability) -> Figure {
    let points = |tested: &Tested| {
        let mut rows = result.discriminative.iter();
        let row = rows.find(|row| row.tested == *tested);
        let levels = (1..=50).map(|step| f64::from(step) * 0.002);
        let share = |alpha| (alpha, row.map_or(0.0, |row| row.share_at(alpha)));
        levels.map(share).collect()
    };
    let words = [
        "Pairs of systems that differ significantly on all queries, by the level",
        "significance level",
        "significant pairs",
    ];
    // These hold at any level, so titles name none.
    draw(result, words, Tested::procedure, points, None)
}

fn by_queries(
    result: &Reliability,
    words: [&str; 3],
    value: impl Fn(&Shares) -> Option<f64>,
    reference: impl Fn(&PowerAndStability) -> Option<(f64, usize)>,
) -> Figure {
    let points = |tested: &Tested| {
        let cells = result.cells.iter().filter(|cell| cell.tested == *tested);
        let points = cells.filter_map(|cell| Some((cell.size as f64, value(&cell.shares)?)));
        points.collect()
    };
    let reference = result.table_1.first().and_then(|row| {
        let (value, queries) = reference(row)?;
        let Tested { measure, test, .. } = &row.tested;
        Some((value, format!("{test} of {measure}, {queries} queries")))
    });
    let title = |tested: &Tested| format!("{}, alpha {}", tested.procedure(), tested.alpha);
    draw(result, words, title, points, reference)
}

/// A panel per test, a curve per measure, with a title and what x and y are.
fn draw(
    result: &Reliability,
    words: [&str; 3],
    title: impl Fn(&Tested) -> String,
    points: impl Fn(&Tested) -> Vec<(f64, f64)>,
    reference: Option<(f64, String)>,
) -> Figure {
    let curve = |row: &PowerAndStability| Curve {
        name: row.tested.measure.clone(),
        points: points(&row.tested),
        band: None,
    };
    let panel = |test: &Tested| {
        let rows = result.table_1.iter().filter(|row| same(&row.tested, test));
        CurvePanel {
            title: title(test),
            curves: rows.map(curve).collect(),
            references: reference.iter().cloned().collect(),
        }
    };
    let panels = tests(result).into_iter().map(panel).collect();
    let [title, x_label, y_label] = words.map(str::to_owned);
    let curves = Curves {
        title,
        x_label,
        y_label,
        percent: true,
        panels,
    };
    curves_figure(&curves).expect("shares are numbers, and sizes rise")
}
