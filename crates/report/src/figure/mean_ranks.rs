//! Mean ranks with intervals of Tukey's HSD, as drawn by MIREX.

use partita_core::comparison::{ComparedSystem, Comparison, MeanRankOrder};
use partita_core::significance::ComparedQuantity;

use super::canvas::caption::{footnote, heading};
use super::canvas::palette;
use super::canvas::scene::Figure;
use super::comparison::{
    ComparisonFigureKind, require_all_pairs, require_at_most, system_count_text, test_caption,
};
use super::error::FigureError;
use super::plot::interval_rows::{IntervalRow, MAX_INTERVAL_ROWS, WIDTH, rows};
use crate::phrases::join;

/// Footnote of the figure.
const FOOTNOTE: &str = "Lines: the mean rank ± half the critical difference of Tukey's HSD. Systems \
     whose lines have nothing in common differ significantly.";

/// Draws the mean rank of each system, best on top, with half the critical difference on either
/// side. Two systems differ significantly if and only if their intervals do not overlap.
///
/// # Errors
/// Returns [`FigureError`] if the test has no critical difference of mean ranks, if there are more
/// than [`MAX_INTERVAL_ROWS`] systems, if only some pairs were compared, or if the test is an
/// equivalence test.
pub fn mean_ranks_figure(comparison: &Comparison) -> Result<Figure, FigureError> {
    require_all_pairs(comparison)?;
    require_at_most(
        comparison,
        ComparisonFigureKind::MeanRanks,
        MAX_INTERVAL_ROWS,
    )?;
    let critical = comparison.critical_difference;
    let critical = critical.filter(|critical| critical.of == ComparedQuantity::MeanRank);
    let no_ranks = || FigureError::NoCriticalRanks(comparison.test.clone());
    let critical = critical.ok_or_else(no_ranks)?.value;
    let mut systems: Vec<&ComparedSystem> = comparison.systems.iter().collect();
    let ranks = comparison.settings.ranks;
    let rising = |system: &ComparedSystem| ranks.to_increasing(system.mean_rank);
    systems.sort_by(|one, other| rising(other).total_cmp(&rising(one)));
    let intervals = systems.iter().map(|system| {
        let (rank, half) = (system.mean_rank, critical / 2.0);
        let (lower, upper) = (rank - half, rank + half);
        IntervalRow {
            name: &system.name,
            value: rank,
            ends: Some((lower, upper)),
            colour: palette::series(0).colour,
            note: format!("{rank:.2}"),
            title: format!("{} {rank:.2} [{lower:.2}, {upper:.2}]", system.name),
        }
    });
    let intervals: Vec<IntervalRow> = intervals.collect();
    let (measure, many) = (&comparison.measure, system_count_text(comparison));
    let title = format!("Mean ranks of {many} by {measure}, with Tukey's intervals");
    let (mut shapes, top) = heading(&title, &test_caption(comparison), WIDTH);
    let label = match ranks {
        MeanRankOrder::OneIsBest => "mean rank (1 is best)",
        MeanRankOrder::HighestIsBest => "mean rank (the highest is best)",
    };
    let (drawn, bottom) = rows(&intervals, None, label, top + 4.0);
    shapes.extend(drawn);
    let height = footnote(FOOTNOTE, WIDTH, bottom + 14.0, &mut shapes);
    let listed = join(intervals.iter().map(|interval| &interval.title), ", ");
    let description =
        format!("Mean ranks, from the best: {listed}. Critical difference: {critical:.2}.");
    Ok(Figure::new(title, description, (WIDTH, height), shapes))
}
