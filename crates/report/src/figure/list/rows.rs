//! One item: its number, its name and its ranks.

use super::super::sample::BoxSummary;
use super::super::scene::{AXIS, Area, INK, QUIET, Shape, Stroke, Text, WHITE};
use super::data::DrawnItem;
use super::layout::Layout;

/// The row of the item with this index.
pub(super) fn row(index: usize, item: &DrawnItem<'_>, layout: &Layout) -> Shape {
    let (size, middle) = (layout.style.size, layout.rows[index]);
    let word = |words: &str, x: f64| Text::new(words, (x, middle + 0.36 * size), size);
    let number = word(&(index + 1).to_string(), layout.number_right);
    let count = word(&item.ranks.len().to_string(), layout.count_right);
    let name = word(item.name, layout.name_left).fitted(layout.name_width);
    let mut shapes = vec![
        number.end().quiet().into(),
        name.into(),
        count.end().quiet().into(),
    ];
    let in_words = match BoxSummary::of(&item.ranks) {
        Some(summary) => {
            shapes.extend(box_plot(&summary, middle, layout));
            summary.in_words()
        }
        None => {
            shapes.push(word("not ranked", layout.plot.left).quiet().into());
            "not ranked".to_owned()
        }
    };
    Shape::titled(format!("{}. {}: {in_words}", index + 1, item.name), shapes)
}

/// A box plot along a row.
fn box_plot(summary: &BoxSummary, middle: f64, layout: &Layout) -> Vec<Shape> {
    let x = |rank: f64| layout.ranks.at(rank);
    let line = |from: f64, to: f64| Shape::line((x(from), middle), (x(to), middle), AXIS);
    let dot = |rank, radius, colour| Shape::circle((x(rank), middle), radius, colour);
    let (height, radius) = (layout.style.box_height, layout.style.dot);
    let (top, bottom) = (middle - height / 2.0, middle + height / 2.0);
    let (lower, upper) = (summary.lower_quartile, summary.upper_quartile);
    let area = Area::new((x(lower), top), (x(upper) - x(lower), height));
    let median = x(summary.median);
    let mut shapes = vec![
        line(summary.whiskers.0, lower),
        line(upper, summary.whiskers.1),
        Shape::rect(area, "#C9D6DF", Some(Stroke::solid(INK, 0.7))),
        Shape::line((median, top), (median, bottom), Stroke::solid(INK, 1.8)),
        // A white edge keeps the mean apart from the median.
        dot(summary.mean, radius + 0.8, WHITE),
        dot(summary.mean, radius, INK),
    ];
    // Equal ranks are one point.
    let mut outliers = summary.outliers.clone();
    outliers.dedup();
    let small = |rank| dot(rank, 0.75 * radius, QUIET);
    shapes.extend(outliers.into_iter().map(small));
    shapes
}
