//! One notched box with its whiskers.

use super::super::axes::Scale;
use super::super::palette;
use super::super::sample::BoxSummary;
use super::super::scene::{Fill, INK, Point, Shape, Stroke};

/// The box as a share of the room it has, and the widest box.
const SHARE: f64 = 0.6;
const WIDEST: f64 = 44.0;
/// Outliers nearer to each other than this are one point.
const NEAR: f64 = 0.25;

/// The box plot of a sample in the middle of a slot.
pub(super) fn notched_box(
    summary: &BoxSummary,
    middle: f64,
    slot: f64,
    scale: Scale,
) -> Vec<Shape> {
    let half = (SHARE * slot).min(WIDEST) / 2.0;
    let waist = half / 2.0;
    let y = |value: f64| scale.at(value);
    let thin = Stroke::solid(INK, 0.9);
    let (lower, upper) = (summary.lower_quartile, summary.upper_quartile);
    let mut shapes = Vec::new();
    for (end, quartile) in [(summary.whiskers.0, lower), (summary.whiskers.1, upper)] {
        shapes.push(Shape::Line {
            from: Point::new(middle, y(quartile)),
            to: Point::new(middle, y(end)),
            stroke: thin,
        });
        shapes.push(Shape::Line {
            from: Point::new(middle - waist, y(end)),
            to: Point::new(middle + waist, y(end)),
            stroke: thin,
        });
    }
    let notch = summary.notch();
    let right = [
        (half, lower),
        (half, notch.0),
        (waist, summary.median),
        (half, notch.1),
        (half, upper),
    ];
    let left = right.iter().rev().map(|(x, value)| (-x, *value));
    let corners = right.iter().copied().chain(left);
    shapes.push(Shape::Polygon {
        points: corners
            .map(|(x, value)| Point::new(middle + x, y(value)))
            .collect(),
        fill: Fill::opaque("#D3E4F0"),
        outline: Some(thin),
    });
    // Without a notch to narrow it, the median is as wide as the box.
    let median = if upper > lower { waist } else { half };
    shapes.push(Shape::Line {
        from: Point::new(middle - median, y(summary.median)),
        to: Point::new(middle + median, y(summary.median)),
        stroke: Stroke::solid(INK, 2.0),
    });
    shapes.extend(outliers(summary, middle, scale, half));
    shapes.push(diamond(
        Point::new(middle, y(summary.mean)),
        (0.5 * half).min(4.0),
    ));
    shapes
}

fn outliers(summary: &BoxSummary, middle: f64, scale: Scale, half: f64) -> Vec<Shape> {
    let mut heights: Vec<f64> = summary.outliers.iter().map(|v| scale.at(*v)).collect();
    heights.dedup_by(|next, kept| (*next - *kept).abs() < NEAR);
    let points = heights.into_iter().map(|y| Shape::Circle {
        centre: Point::new(middle, y),
        radius: (0.3 * half).min(2.0),
        fill: Fill::opaque(INK),
    });
    points.collect()
}

fn diamond(centre: Point, half: f64) -> Shape {
    let corners = [(0.0, -half), (half, 0.0), (0.0, half), (-half, 0.0)];
    Shape::Polygon {
        points: corners
            .map(|(x, y)| Point::new(centre.x + x, centre.y + y))
            .to_vec(),
        fill: Fill::opaque(palette::series(1).colour),
        outline: Some(Stroke::solid("#FFFFFF", 0.7)),
    }
}
