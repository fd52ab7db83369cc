//! Markers at the points of a curve, which distinguish curves without colour.

use super::scene::{Colour, Point, Shape};

/// Corners of each marker shape relative to its centre; no corners means a circle.
const MARKER_CORNERS: [&[(f64, f64)]; 5] = [
    &[],
    &[(-2.7, -2.7), (2.7, -2.7), (2.7, 2.7), (-2.7, 2.7)],
    &[(0.0, -3.9), (3.5, 2.5), (-3.5, 2.5)],
    &[(0.0, -4.0), (4.0, 0.0), (0.0, 4.0), (-4.0, 0.0)],
    &[(0.0, 3.9), (3.5, -2.5), (-3.5, -2.5)],
];

/// Draws the marker of series `number`, counted from 0, centred at `middle`. Markers repeat after
/// five series.
pub(crate) fn marker(number: usize, middle: Point, colour: Colour) -> Shape {
    match MARKER_CORNERS[number % MARKER_CORNERS.len()] {
        [] => Shape::circle(middle, 3.0, colour),
        corners => Shape::polygon_around(middle, corners, colour, 0.4),
    }
}
