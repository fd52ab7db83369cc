//! The diagram of mean ranks and critical difference (Demšar 2006, Fig. 1).

mod cliques;
mod labels;

use cliques::Cliques;
use labels::{LEAST_SIDE, Labels};
use partita_core::compare::{Comparison, RankOrder, System};
use partita_core::test::Quantity;

use super::axes::{LABEL_SIZE, Scale, TICK_SIZE, ends_around, ticks_across, top_axis};
use super::caption::{footnote, heading};
use super::comparison::{Groups, of_at_most, title, whole};
use super::error::FigureError;
use super::scene::{Area, Figure, INK, Point, Shape, Stroke, Text};
use crate::words::joined;

/// The most systems that [`critical_difference_figure`] and
/// [`hasse_figure`](crate::hasse_figure) show.
pub const MAX_DIAGRAM_SYSTEMS: usize = 60;

/// The mean ranks of systems on an axis, worst at the left and best at the right,
/// and thick bars over systems that do not differ significantly (Demšar 2006).
///
/// The critical difference is drawn to scale over the axis. Long names are shortened; who points at
/// one reads all of it. A set of systems that skips some in the order of mean ranks, as pairwise
/// tests can give, has a dot at each of its systems and a dashed line over those that it skips.
///
/// # Errors
/// When there are more than [`MAX_DIAGRAM_SYSTEMS`] systems, when only some pairs
/// were compared, or when equivalence was asked for.
///
/// ```
/// use partita_core::Scores;
/// use partita_core::compare::{Settings, compare};
/// use partita_core::work::InTurn;
/// use partita_report::critical_difference_figure;
///
/// let values = (0..8).flat_map(|i| [0.9, 0.2 + 0.02 * f64::from(i), 0.34 - 0.02 * f64::from(i)]);
/// let queries = (1..=8).map(|query| query.to_string());
/// let scores = Scores::new("AP", ["EMD", "n-grams", "random"], queries, values.collect())?;
/// let found = compare(&scores, "friedman-tukey", &Settings::default(), &InTurn)?;
/// let figure = critical_difference_figure(&found)?;
/// assert_eq!(figure.title, "AP: friedman-tukey, alpha 0.05");
/// assert!(figure.description.contains("Mean ranks, from the best: EMD 1.00"));
/// assert!(figure.description.contains("Not significantly different: (n-grams, random)"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn critical_difference_figure(comparison: &Comparison) -> Result<Figure, FigureError> {
    let (groups, _) = whole(comparison)?;
    of_at_most(comparison, MAX_DIAGRAM_SYSTEMS)?;
    let critical = comparison.critical_difference;
    let critical = critical.filter(|critical| critical.of == Quantity::MeanRank);
    let critical = critical.map(|critical| critical.value);
    // From the worst to the best; of equal systems the first is to be the better one.
    let mut systems: Vec<&System> = comparison.systems.iter().rev().collect();
    let ranks = comparison.settings.ranks;
    let rising = |system: &System| ranks.rising(system.mean_rank);
    systems.sort_by(|one, other| rising(one).total_cmp(&rising(other)));

    let labels = Labels::new(&systems);
    let width = labels.figure_width();
    let title = title(comparison);
    let mut shapes = vec![heading(&title, width)];
    let above = if critical.is_some() { 64.0 } else { 34.0 };
    let top = above + LABEL_SIZE + 2.0 * TICK_SIZE;
    let axis = labels.axis(top);
    let ends = ends_of_axis(&systems, critical);
    let scale = match ranks {
        RankOrder::OneIsBest => Scale::new(ends, (axis.right(), axis.left)),
        RankOrder::HighestIsBest => Scale::new(ends, (axis.left, axis.right())),
    };
    let cliques = Cliques::new(groups, &systems, scale);
    if let Some(difference) = critical {
        let from = Point::from((axis.left, above - 10.0));
        let length = (scale.at(ends.0 + difference) - scale.at(ends.0)).abs();
        let right = axis.left + length;
        shapes.extend(difference_bar(difference, from, right));
    }
    let limits = (axis.left - LEAST_SIDE, axis.right() + LEAST_SIDE);
    let ticks = ticks_across(ends, scale, limits, TICK_SIZE);
    shapes.extend(top_axis(&axis, scale, &ticks, TICK_SIZE));
    shapes.extend(directions(&axis, above + LABEL_SIZE, ranks));

    let below = top + 12.0 + cliques.height();
    shapes.extend(labels.shapes(&axis, below, scale));
    shapes.extend(cliques.shapes(top + 12.0));
    let baseline = below + labels.height() + 18.0;
    let height = footnote(&cliques.note(), width, baseline, &mut shapes);
    let (description, size) = (description(&systems, critical, groups), (width, height));
    Ok(Figure::new(title, description, size, shapes))
}

/// The axis reaches around all mean ranks and is longer than the critical difference.
fn ends_of_axis(systems: &[&System], critical: Option<f64>) -> (f64, f64) {
    let values = || systems.iter().map(|system| system.mean_rank);
    let low = values().fold(f64::INFINITY, f64::min);
    let high = values().fold(f64::NEG_INFINITY, f64::max);
    let (low, high) = ends_around(low, high);
    let lacking = critical.unwrap_or(0.0) - (high - low);
    if lacking > 0.0 {
        ends_around(low - lacking / 2.0, high + lacking / 2.0)
    } else {
        (low, high)
    }
}

/// The critical difference as a bar from a point to the right, and its value.
fn difference_bar(difference: f64, from: Point, right: f64) -> [Shape; 4] {
    let stroke = Stroke::solid(INK, 1.2);
    let end = |x: f64| Shape::line((x, from.y - 4.0), (x, from.y + 4.0), stroke);
    let words = format!("critical difference {difference:.2}");
    [
        Shape::line(from, (right, from.y), stroke),
        end(from.x),
        end(right),
        Text::new(words, (from.x, from.y - 8.0), TICK_SIZE).into(),
    ]
}

/// What the axis is, and where on it the better systems are.
fn directions(axis: &Area, baseline: f64, ranks: RankOrder) -> [Shape; 3] {
    let beside = axis.top + 0.36 * TICK_SIZE;
    let quiet = |words: &str, x: f64| Text::new(words, (x, beside), TICK_SIZE).quiet();
    let name = match ranks {
        RankOrder::OneIsBest => "mean rank (1 is best)",
        RankOrder::HighestIsBest => "mean rank (the highest is best)",
    };
    let name = Text::new(name, (axis.middle(), baseline), LABEL_SIZE);
    [
        name.middle().into(),
        quiet("← worse", axis.left - 8.0).end().into(),
        quiet("better →", axis.right() + 8.0).into(),
    ]
}

fn description(systems: &[&System], critical: Option<f64>, groups: &Groups) -> String {
    let best_first = || systems.iter().rev();
    let ranks = best_first().map(|system| format!("{} {:.2}", system.name, system.mean_rank));
    let mut words = format!("Mean ranks, from the best: {}.", joined(ranks, ", "));
    if let Some(difference) = critical {
        words += &format!(" Critical difference: {difference:.2}.");
    }
    let groups = groups.iter().filter(|group| group.len() > 1).map(|group| {
        let names = best_first().filter(|system| group.contains(&system.name));
        format!("({})", joined(names.map(|system| &system.name), ", "))
    });
    match &joined(groups, "; ")[..] {
        "" => words + " No two systems are joined by a bar.",
        groups => words + &format!(" Not significantly different: {groups}."),
    }
}
