//! Notched box with whiskers.

use crate::figure::canvas::palette;
use crate::figure::canvas::scene::{Shape, Stroke, TEXT_COLOUR};
use crate::figure::plot::axes::Scale;
use crate::figure::plot::box_summary::BoxSummary;

/// Width of a box as a fraction of the width of its category's slot on the x axis, up to
/// [`MAX_BOX_WIDTH`].
const BOX_SHARE_OF_SLOT: f64 = 0.6;
const MAX_BOX_WIDTH: f64 = 44.0;
/// Minimum vertical distance between two outlier dots, in figure units. Closer outliers are drawn
/// as one dot.
const MIN_OUTLIER_DISTANCE: f64 = 0.25;

/// Draws the box plot of a sample, centred at x `middle` in a slot of width `slot`.
pub(super) fn notched_box(
    summary: &BoxSummary,
    middle: f64,
    slot: f64,
    scale: Scale,
) -> Vec<Shape> {
    let half = (BOX_SHARE_OF_SLOT * slot).min(MAX_BOX_WIDTH) / 2.0;
    let waist = half / 2.0;
    let y = |value: f64| scale.at(value);
    let level = |value: f64, half: f64, width: f64| {
        let (from, to) = ((middle - half, y(value)), (middle + half, y(value)));
        Shape::line(from, to, Stroke::solid(TEXT_COLOUR, width))
    };
    let thin = Stroke::solid(TEXT_COLOUR, 0.9);
    let (lower, upper) = (summary.lower_quartile, summary.upper_quartile);
    let mut shapes = Vec::new();
    for (end, quartile) in [(summary.whiskers.0, lower), (summary.whiskers.1, upper)] {
        shapes.push(Shape::line((middle, y(quartile)), (middle, y(end)), thin));
        shapes.push(level(end, waist, thin.width));
    }
    let notch = summary.notch();
    let notch = (notch.0.max(lower), notch.1.min(upper));
    let right = [
        (half, lower),
        (half, notch.0),
        (waist, summary.median),
        (half, notch.1),
        (half, upper),
    ];
    let left = right.iter().rev().map(|(x, value)| (-x, *value));
    let corners = right.iter().copied().chain(left);
    let corners = corners.map(|(x, value)| (middle + x, y(value)).into());
    shapes.push(Shape::Polygon(
        corners.collect(),
        "#D3E4F0".into(),
        Some(thin),
    ));
    // A box without height has no notch, so its median line spans the box width.
    let median = if upper > lower { waist } else { half };
    shapes.push(level(summary.median, median, 2.0));
    let mut outliers: Vec<f64> = summary.outliers.iter().map(|value| y(*value)).collect();
    outliers.dedup_by(|next, kept| (*next - *kept).abs() < MIN_OUTLIER_DISTANCE);
    let dot = |y: f64| Shape::circle((middle, y), (0.3 * half).min(2.0), TEXT_COLOUR);
    shapes.extend(outliers.into_iter().map(dot));
    let far = (0.5 * half).min(4.0);
    let diamond = [(0.0, -far), (far, 0.0), (0.0, far), (-far, 0.0)];
    let (mean, colour) = ((middle, y(summary.mean)).into(), palette::series(1).colour);
    shapes.push(Shape::polygon_around(mean, &diamond, colour, 0.7));
    shapes
}
