//! Mean ranks with the intervals of Tukey's HSD, as MIREX draws them.

use partita_core::compare::{Comparison, RankOrder, System};
use partita_core::test::Quantity;

use super::caption::{footnote, heading};
use super::comparison::{ComparisonFigure, many_systems, of_at_most, tested, whole};
use super::error::FigureError;
use super::intervals::{Interval, MAX_INTERVALS, WIDTH, rows};
use super::palette;
use super::scene::Figure;
use crate::words::joined;

const NOTE: &str = "Lines: the mean rank ± half the critical difference of Tukey's HSD. Systems \
                    whose lines have nothing in common differ significantly.";

/// The mean rank of each system, best on top, with half the critical difference at either side, so
/// that systems differ significantly if and only if their intervals do not overlap.
///
/// # Errors
/// When the test has no critical difference of mean ranks, when there are more than
/// [`MAX_INTERVALS`] systems, when only some pairs were compared, or when equivalence was asked for.
pub fn mean_ranks_figure(comparison: &Comparison) -> Result<Figure, FigureError> {
    whole(comparison)?;
    of_at_most(comparison, ComparisonFigure::MeanRanks, MAX_INTERVALS)?;
    let critical = comparison.critical_difference;
    let critical = critical.filter(|critical| critical.of == Quantity::MeanRank);
    let no_ranks = || FigureError::NoCriticalRanks(comparison.test.clone());
    let critical = critical.ok_or_else(no_ranks)?.value;
    let mut systems: Vec<&System> = comparison.systems.iter().collect();
    let ranks = comparison.settings.ranks;
    let rising = |system: &System| ranks.rising(system.mean_rank);
    systems.sort_by(|one, other| rising(other).total_cmp(&rising(one)));
    let interval = |system: &&'_ System| {
        let (rank, half) = (system.mean_rank, critical / 2.0);
        let note = format!("{rank:.2}");
        (system.name.clone(), rank, (rank - half, rank + half), note)
    };
    let found: Vec<_> = systems.iter().map(interval).collect();
    let intervals = found.iter().map(|(name, rank, ends, note)| Interval {
        name,
        value: *rank,
        ends: Some(*ends),
        colour: palette::series(0).colour,
        note: note.clone(),
        title: format!("{name} {note} [{:.2}, {:.2}]", ends.0, ends.1),
    });
    let intervals: Vec<Interval> = intervals.collect();
    let (measure, many) = (&comparison.measure, many_systems(comparison));
    let title = format!("Mean ranks of {many} by {measure}, with Tukey's intervals");
    let (mut shapes, top) = heading(&title, &tested(comparison), WIDTH);
    let label = match ranks {
        RankOrder::OneIsBest => "mean rank (1 is best)",
        RankOrder::HighestIsBest => "mean rank (the highest is best)",
    };
    let (drawn, bottom) = rows(&intervals, None, label, top + 4.0);
    shapes.extend(drawn);
    let height = footnote(NOTE, WIDTH, bottom + 14.0, &mut shapes);
    let listed = joined(intervals.iter().map(|interval| &interval.title), ", ");
    let description =
        format!("Mean ranks, from the best: {listed}. Critical difference: {critical:.2}.");
    Ok(Figure::new(title, description, (WIDTH, height), shapes))
}
