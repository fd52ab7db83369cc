//! Small signs at the points of a curve, which tell curves apart without colour.

use super::scene::{Colour, Point, Shape};

/// The corners of signs around their middle; one without corners is a circle.
const FORMS: [&[(f64, f64)]; 5] = [
    &[],
    &[(-2.7, -2.7), (2.7, -2.7), (2.7, 2.7), (-2.7, 2.7)],
    &[(0.0, -3.9), (3.5, 2.5), (-3.5, 2.5)],
    &[(0.0, -4.0), (4.0, 0.0), (0.0, 4.0), (-4.0, 0.0)],
    &[(0.0, 3.9), (3.5, -2.5), (-3.5, -2.5)],
];

/// The marker of the series with this number, in a colour with its middle at a point.
pub(crate) fn marker(number: usize, middle: Point, colour: Colour) -> Shape {
    match FORMS[number % FORMS.len()] {
        [] => Shape::circle(middle, 3.0, colour),
        corners => Shape::around(middle, corners, colour, 0.4),
    }
}
