//! The diagram of mean ranks and critical difference (Demšar 2006, Fig. 1).

mod cliques;
mod labels;

use cliques::Cliques;
use labels::{LEAST_SIDE, Labels};

use partita_core::compare::Comparison;
use partita_core::test::Quantity;

use super::axes::{LABEL_SIZE, Scale, TICK_SIZE, ends_around, ticks_across, top_axis};
use super::caption::{footnote, heading};
use super::comparison::{numbers, title, whole};
use super::error::FigureError;
use super::scene::{Anchor, Area, Figure, INK, Point, QUIET, Shape, Stroke, Text};

/// The most systems that [`critical_difference_figure`] and
/// [`hasse_figure`](crate::hasse_figure) show.
pub const MAX_DIAGRAM_SYSTEMS: usize = 60;

/// Mean ranks of systems, and which of them do not differ, by number.
pub(in crate::figure) struct CriticalDifference {
    pub(in crate::figure) title: String,
    /// Each system with its mean rank. A higher rank is better, as in MIREX: the
    /// best of n systems on a query has rank n there.
    pub(in crate::figure) systems: Vec<(String, f64)>,
    pub(in crate::figure) critical_difference: Option<f64>,
    /// The maximal sets of systems that do not differ. A set of one is not drawn.
    pub(in crate::figure) cliques: Vec<Vec<usize>>,
}

/// The mean ranks of systems on an axis, worst at the left and best at the right,
/// and thick bars over systems that do not differ significantly (Demšar 2006).
///
/// The critical difference is drawn to scale over the axis. Long names are
/// shortened; who points at one reads all of it. A set of systems that skips
/// some in the order of mean ranks, as pairwise tests can give, has a dot at each
/// of its systems and a dashed line over those that it skips.
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
/// assert_eq!(figure.title(), "AP: friedman-tukey, alpha 0.05");
/// assert!(figure.description().contains("Mean ranks, from the best: EMD 3.00"));
/// assert!(figure.description().contains("Not significantly different: (n-grams, random)"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn critical_difference_figure(comparison: &Comparison) -> Result<Figure, FigureError> {
    let groups = whole(comparison)?.groups;
    let numbers = numbers(comparison);
    let systems = comparison.systems.iter();
    draw(&CriticalDifference {
        title: title(comparison),
        systems: systems.map(|s| (s.name.to_string(), s.mean_rank)).collect(),
        critical_difference: (comparison.critical_difference)
            .filter(|critical| critical.of == Quantity::MeanRank)
            .map(|critical| critical.value),
        cliques: groups
            .iter()
            .map(|group| group.iter().map(|name| numbers[name]).collect())
            .collect(),
    })
}

pub(in crate::figure) fn draw(ranks: &CriticalDifference) -> Result<Figure, FigureError> {
    FigureError::if_too_many(&ranks.title, ranks.systems.len(), MAX_DIAGRAM_SYSTEMS)?;
    let order = from_worst_to_best(ranks);
    let labels = Labels::new(ranks, &order);
    let width = labels.figure_width();
    let mut shapes = vec![heading(&ranks.title, width)];

    let above = match ranks.critical_difference {
        Some(_) => 64.0,
        None => 34.0,
    };
    let axis = Area {
        top: above + LABEL_SIZE + 2.0 * TICK_SIZE,
        height: 0.0,
        ..labels.axis()
    };
    let ends = ends_of_axis(ranks);
    let scale = Scale::new(ends, (axis.left, axis.right()));
    let cliques = Cliques::new(ranks, &order, scale);
    if let Some(difference) = ranks.critical_difference {
        let from = Point::new(axis.left, above - 10.0);
        shapes.extend(difference_bar(
            difference,
            from,
            scale.at(ends.0 + difference),
        ));
    }
    let limits = (axis.left - LEAST_SIDE, axis.right() + LEAST_SIDE);
    let ticks = ticks_across(ends, scale, limits, TICK_SIZE);
    shapes.extend(top_axis(&axis, scale, &ticks, TICK_SIZE));
    shapes.extend(directions(&axis, above + LABEL_SIZE));

    let below = axis.top + 12.0 + cliques.height();
    shapes.extend(labels.shapes(axis.top, below, scale));
    shapes.extend(cliques.shapes(axis.top + 12.0));
    let (notes, height) = footnote(&cliques.note(), width, below + labels.height() + 18.0);
    shapes.extend(notes);
    Ok(Figure {
        title: ranks.title.clone(),
        description: description(ranks, &order),
        width,
        height,
        shapes,
    })
}

/// The indices of the systems by mean rank; equal ones as they were given.
fn from_worst_to_best(ranks: &CriticalDifference) -> Vec<usize> {
    let mut order: Vec<usize> = (0..ranks.systems.len()).collect();
    // Of equal systems the first is to be the better one.
    order.reverse();
    order.sort_by(|one, other| ranks.systems[*one].1.total_cmp(&ranks.systems[*other].1));
    order
}

/// The axis reaches around all mean ranks and is longer than the critical difference.
fn ends_of_axis(ranks: &CriticalDifference) -> (f64, f64) {
    let values = || ranks.systems.iter().map(|(_, rank)| *rank);
    let low = values().fold(f64::INFINITY, f64::min);
    let high = values().fold(f64::NEG_INFINITY, f64::max);
    let (low, high) = ends_around(low, high);
    let lacking = ranks.critical_difference.unwrap_or(0.0) - (high - low);
    if lacking > 0.0 {
        ends_around(low - lacking / 2.0, high + lacking / 2.0)
    } else {
        (low, high)
    }
}

/// The critical difference as a bar from a point to the right, and its value.
fn difference_bar(difference: f64, from: Point, right: f64) -> Vec<Shape> {
    let stroke = Stroke::solid(INK, 1.2);
    let line = |from: Point, to: Point| Shape::Line { from, to, stroke };
    let end = |x: f64| line(Point::new(x, from.y - 4.0), Point::new(x, from.y + 4.0));
    let words = format!("critical difference {difference:.2}");
    let at = Point::new(from.x, from.y - 8.0);
    vec![
        line(from, Point::new(right, from.y)),
        end(from.x),
        end(right),
        Shape::Text(Text::new(words, at, TICK_SIZE)),
    ]
}

/// What the axis is, and where on it the better systems are.
fn directions(axis: &Area, baseline: f64) -> Vec<Shape> {
    let beside = axis.top + 0.36 * TICK_SIZE;
    let quiet = |words: &str, x: f64, anchor: Anchor| {
        let text = Text::new(words, Point::new(x, beside), TICK_SIZE);
        Shape::Text(text.anchored(anchor).coloured(QUIET))
    };
    let middle = Point::new(axis.left + axis.width / 2.0, baseline);
    vec![
        Shape::Text(Text::new("mean rank", middle, LABEL_SIZE).anchored(Anchor::Middle)),
        quiet("← worse", axis.left - 8.0, Anchor::End),
        quiet("better →", axis.right() + 8.0, Anchor::Start),
    ]
}

fn description(ranks: &CriticalDifference, order: &[usize]) -> String {
    let names: Vec<String> = order
        .iter()
        .rev()
        .map(|index| {
            let (name, rank) = &ranks.systems[*index];
            format!("{name} {rank:.2}")
        })
        .collect();
    let mut words = format!("Mean ranks, from the best: {}.", names.join(", "));
    if let Some(difference) = ranks.critical_difference {
        words += &format!(" Critical difference: {difference:.2}.");
    }
    let cliques: Vec<String> = ranks
        .cliques
        .iter()
        .filter(|clique| clique.len() > 1)
        .map(|clique| {
            let names = order.iter().rev().filter(|index| clique.contains(index));
            let names: Vec<&str> = names.map(|i| ranks.systems[*i].0.as_str()).collect();
            format!("({})", names.join(", "))
        })
        .collect();
    words += &match cliques.is_empty() {
        true => " No two systems are joined by a bar.".to_owned(),
        false => format!(" Not significantly different: {}.", cliques.join("; ")),
    };
    words
}
