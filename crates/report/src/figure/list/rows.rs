//! One item: its number, its name and its ranks.

use super::super::sample::BoxSummary;
use super::super::scene::{Anchor, Area, Fill, INK, Point, QUIET, Shape, Stroke, Text};
use super::data::DrawnItem;
use super::layout::Layout;

/// The row of the item with this index.
pub(super) fn row(index: usize, item: &DrawnItem<'_>, layout: &Layout) -> Shape {
    let (size, middle) = (layout.style.size, layout.rows[index]);
    let baseline = middle + 0.36 * size;
    let word = |words: &str, x: f64| Text::new(words, Point::new(x, baseline), size);
    let number = word(&(index + 1).to_string(), layout.number_right);
    let count = word(&item.ranks.len().to_string(), layout.count_right);
    let mut shapes = vec![
        Shape::Text(number.anchored(Anchor::End).coloured(QUIET)),
        Shape::Text(word(item.name, layout.name_left).fitted(layout.name_width)),
        Shape::Text(count.anchored(Anchor::End).coloured(QUIET)),
    ];
    let summary = BoxSummary::of(&item.ranks);
    let in_words = match &summary {
        Some(summary) => {
            shapes.extend(box_plot(summary, middle, layout));
            summary.in_words()
        }
        None => {
            let nothing = word("not ranked", layout.plot.left);
            shapes.push(Shape::Text(nothing.coloured(QUIET)));
            "not ranked".to_owned()
        }
    };
    Shape::Group {
        title: Some(format!("{}. {}: {in_words}", index + 1, item.name)),
        clip: None,
        shapes,
    }
}

/// A box plot along a row.
fn box_plot(summary: &BoxSummary, middle: f64, layout: &Layout) -> Vec<Shape> {
    let x = |rank: f64| layout.ranks.at(rank);
    let line = |from: f64, to: f64| Shape::Line {
        from: Point::new(x(from), middle),
        to: Point::new(x(to), middle),
        stroke: Stroke::solid(INK, 0.8),
    };
    let height = layout.style.box_height;
    let (lower, upper) = (summary.lower_quartile, summary.upper_quartile);
    let mut shapes = vec![
        line(summary.whiskers.0, lower),
        line(upper, summary.whiskers.1),
        Shape::Rect {
            area: Area {
                left: x(lower),
                top: middle - height / 2.0,
                width: x(upper) - x(lower),
                height,
            },
            corner: 0.0,
            fill: Fill::opaque("#C9D6DF"),
            outline: Some(Stroke::solid(INK, 0.7)),
        },
        Shape::Line {
            from: Point::new(x(summary.median), middle - height / 2.0),
            to: Point::new(x(summary.median), middle + height / 2.0),
            stroke: Stroke::solid(INK, 1.8),
        },
    ];
    // A white edge keeps the mean apart from the median.
    for (edge, colour) in [(0.8, "#FFFFFF"), (0.0, INK)] {
        shapes.push(Shape::Circle {
            centre: Point::new(x(summary.mean), middle),
            radius: layout.style.dot + edge,
            fill: Fill::opaque(colour),
        });
    }
    // Equal ranks are one point.
    let mut outliers = summary.outliers.clone();
    outliers.dedup();
    shapes.extend(outliers.into_iter().map(|rank| Shape::Circle {
        centre: Point::new(x(rank), middle),
        radius: 0.75 * layout.style.dot,
        fill: Fill::opaque(QUIET),
    }));
    shapes
}
