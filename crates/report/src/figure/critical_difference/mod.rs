//! Critical difference diagram of mean ranks (Demšar 2006, Fig. 1).

mod cliques;
mod labels;

use cliques::Cliques;
use labels::{Labels, MIN_SIDE_WIDTH};
use partita_core::comparison::{Comparison, MeanRankOrder};
use partita_core::significance::ComparedQuantity;

use super::canvas::caption::{footnote, heading};
use super::canvas::scene::{Area, Figure, Point, Shape, Stroke, TEXT_COLOUR, Text};
use super::comparison::{
    ComparisonFigureKind, Groups, require_all_pairs, require_at_most, system_count_text,
    test_caption,
};
use super::error::FigureError;
use super::plot::axes::{LABEL_SIZE, Scale, TICK_SIZE, ends_around, range, ticks_across, top_axis};
use crate::phrases::join;

/// Maximum number of systems in [`critical_difference_figure`], [`means_figure`] and
/// [`hasse_figure`](crate::hasse_figure). A reader could not follow the lines of more.
pub const MAX_DIAGRAM_SYSTEMS: usize = 25;

/// System with its position on the axis.
struct SystemMark<'a> {
    name: &'a str,
    value: f64,
}

/// Draws the mean ranks of systems on an axis, worst at the left and best at the right, with thick
/// bars over systems that do not differ significantly (Demšar 2006).
///
/// The critical difference of mean ranks, if the test has one, is drawn to scale above the axis.
/// Pairwise tests can give sets that skip systems in the order of mean ranks. Such a set has a dot
/// at each of its systems and a dashed line over the skipped ones.
///
/// # Errors
/// Returns [`FigureError`] if there are more than [`MAX_DIAGRAM_SYSTEMS`] systems, if only some
/// pairs were compared, or if the test is an equivalence test.
///
/// ```
/// use partita_core::ScoreMatrix;
/// use partita_core::comparison::{ComparisonOptions, compare};
/// use partita_core::work::SequentialWork;
/// use partita_report::critical_difference_figure;
///
/// let values = (0..8).flat_map(|i| [0.9, 0.2 + 0.02 * f64::from(i), 0.34 - 0.02 * f64::from(i)]);
/// let queries = (1..=8).map(|query| query.to_string());
/// let scores = ScoreMatrix::new("AP", ["EMD", "n-grams", "random"], queries, values.collect())?;
/// let options = ComparisonOptions::default();
/// let comparison = compare(&scores, "friedman-tukey", &options, &SequentialWork)?;
/// let figure = critical_difference_figure(&comparison)?;
/// assert_eq!(figure.title, "Mean ranks of 3 systems by AP");
/// assert!(figure.description.contains("Mean ranks, from the best: EMD 1.00"));
/// assert!(figure.description.contains("Not significantly different: (n-grams, random)"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn critical_difference_figure(comparison: &Comparison) -> Result<Figure, FigureError> {
    let kind = ComparisonFigureKind::CriticalDifference;
    diagram(comparison, kind, ComparedQuantity::MeanRank)
}

/// Draws the same diagram as [`critical_difference_figure`] with mean scores instead of mean ranks
/// on the axis, for tests of means.
///
/// # Errors
/// Returns the errors of [`critical_difference_figure`], and [`FigureError::NotDrawable`] if a mean
/// is beyond ±10¹².
pub fn means_figure(comparison: &Comparison) -> Result<Figure, FigureError> {
    diagram(
        comparison,
        ComparisonFigureKind::Means,
        ComparedQuantity::Mean,
    )
}

/// Draws the diagram of mean ranks or mean scores.
fn diagram(
    comparison: &Comparison,
    kind: ComparisonFigureKind,
    of: ComparedQuantity,
) -> Result<Figure, FigureError> {
    let (groups, _) = require_all_pairs(comparison)?;
    require_at_most(comparison, kind, MAX_DIAGRAM_SYSTEMS)?;
    let critical = comparison.critical_difference;
    let critical = critical.filter(|critical| critical.of == of);
    let critical = critical.map(|critical| critical.value);
    let (measure, many) = (&comparison.measure, system_count_text(comparison));
    let (title, label, decimals) = match of {
        ComparedQuantity::MeanRank => {
            let title = format!("Mean ranks of {many} by {measure}");
            let label = match comparison.settings.ranks {
                MeanRankOrder::OneIsBest => "mean rank (1 is best)",
                MeanRankOrder::HighestIsBest => "mean rank (the highest is best)",
            };
            (title, label.to_owned(), 2)
        }
        ComparedQuantity::Mean => (
            format!("Mean {measure} of {many}"),
            format!("mean {measure}"),
            3,
        ),
    };
    // From the worst to the best. Reversing puts the first of equal systems on the better side.
    let systems = comparison.systems.iter().rev().map(|system| SystemMark {
        name: &system.name,
        value: match of {
            ComparedQuantity::MeanRank => system.mean_rank,
            ComparedQuantity::Mean => system.mean,
        },
    });
    let mut systems: Vec<SystemMark> = systems.collect();
    for system in &systems {
        let place = || system.name.to_owned();
        FigureError::check_drawable(&title, place, "a mean", system.value)?;
    }
    let ranks = match of {
        ComparedQuantity::MeanRank => comparison.settings.ranks,
        ComparedQuantity::Mean => MeanRankOrder::HighestIsBest,
    };
    let rising = |system: &SystemMark| ranks.to_increasing(system.value);
    systems.sort_by(|one, other| rising(one).total_cmp(&rising(other)));

    let labels = Labels::new(&systems, decimals);
    let width = labels.figure_width();
    let (mut shapes, mut above) = heading(&title, &test_caption(comparison), width);
    above += if critical.is_some() { 30.0 } else { 4.0 };
    let top = above + LABEL_SIZE + 2.0 * TICK_SIZE;
    let axis = labels.axis_area(top);
    let ends = axis_ends(&systems, critical);
    let scale = match ranks {
        MeanRankOrder::OneIsBest => Scale::new(ends, (axis.right(), axis.left)),
        MeanRankOrder::HighestIsBest => Scale::new(ends, (axis.left, axis.right())),
    };
    let cliques = Cliques::new(groups, &systems, scale);
    if let Some(difference) = critical {
        let from = Point::from((axis.left, above - 10.0));
        let length = (scale.at(ends.0 + difference) - scale.at(ends.0)).abs();
        let right = axis.left + length;
        shapes.extend(difference_bar(&labels.number(difference), from, right));
    }
    let limits = (axis.left - MIN_SIDE_WIDTH, axis.right() + MIN_SIDE_WIDTH);
    let ticks = ticks_across(ends, scale, limits, TICK_SIZE);
    shapes.extend(top_axis(&axis, scale, &ticks, TICK_SIZE));
    shapes.extend(directions(&label, &axis, above + LABEL_SIZE));

    let below = top + 12.0 + cliques.height();
    shapes.extend(labels.shapes(&axis, below, scale));
    shapes.extend(cliques.shapes(top + 12.0));
    let baseline = below + labels.height() + 18.0;
    let height = footnote(&cliques.note(), width, baseline, &mut shapes);
    let what = match of {
        ComparedQuantity::MeanRank => "Mean ranks",
        ComparedQuantity::Mean => "Means",
    };
    let description = description(what, &labels, critical, groups);
    Ok(Figure::new(title, description, (width, height), shapes))
}

/// Returns the lower and upper end of an axis that covers all values and is at least as long as the
/// critical difference.
fn axis_ends(systems: &[SystemMark], critical: Option<f64>) -> (f64, f64) {
    let values = systems.iter().map(|system| system.value);
    let (least, greatest) = range(values).expect("a comparison has systems");
    let (low, high) = ends_around(least, greatest);
    let lacking = critical.unwrap_or(0.0) - (high - low);
    if lacking > 0.0 {
        ends_around(low - lacking / 2.0, high + lacking / 2.0)
    } else {
        (low, high)
    }
}

/// Draws the critical difference as a bar to the right of a point, with its value.
fn difference_bar(difference: &str, from: Point, right: f64) -> [Shape; 4] {
    let stroke = Stroke::solid(TEXT_COLOUR, 1.2);
    let end = |x: f64| Shape::line((x, from.y - 4.0), (x, from.y + 4.0), stroke);
    let words = format!("critical difference {difference}");
    [
        Shape::line(from, (right, from.y), stroke),
        end(from.x),
        end(right),
        Text::new(words, (from.x, from.y - 8.0), TICK_SIZE).into(),
    ]
}

/// Draws the label of the axis and the directions "worse" and "better".
fn directions(label: &str, axis: &Area, baseline: f64) -> [Shape; 3] {
    let beside = axis.top + 0.36 * TICK_SIZE;
    let quiet = |words: &str, x: f64| Text::new(words, (x, beside), TICK_SIZE).quiet();
    let name = Text::new(label, (axis.middle(), baseline), LABEL_SIZE).middle();
    [
        name.fitted(axis.width).into(),
        quiet("← worse", axis.left - 8.0).end().into(),
        quiet("better →", axis.right() + 8.0).into(),
    ]
}

fn description(quantity: &str, labels: &Labels, critical: Option<f64>, groups: &Groups) -> String {
    let best_first = || labels.systems.iter().rev();
    let values = best_first().map(|place| format!("{} {}", place.name, labels.number(place.value)));
    let mut words = format!("{quantity}, from the best: {}.", join(values, ", "));
    if let Some(difference) = critical {
        words += &format!(" Critical difference: {}.", labels.number(difference));
    }
    let groups = groups.iter().filter(|group| group.len() > 1).map(|group| {
        let is_member = |place: &&SystemMark| group.iter().any(|name| **name == *place.name);
        let names = best_first().filter(is_member);
        format!("({})", join(names.map(|place| place.name), ", "))
    });
    match &join(groups, "; ")[..] {
        "" => words + " No two systems are joined by a bar.",
        groups => words + &format!(" Not significantly different: {groups}."),
    }
}
