//! Colours that colour-blind readers tell apart, and dashes for grey paper.

use super::scene::{Colour, Stroke};

/// The colours of Okabe and Ito (2008) without yellow, which a thin line on white does not show.
const COLOURS: [Colour; 7] = [
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000",
];

/// Six rhythms; since six and seven have no common divisor, 42 lines have a
/// colour and rhythm of their own, and the first six differ in both.
const DASHES: [&[f64]; 6] = [
    &[],
    &[7.0, 3.0],
    &[2.0, 2.0],
    &[9.0, 2.5, 2.0, 2.5],
    &[14.0, 3.0],
    &[9.0, 2.0, 2.0, 2.0, 2.0, 2.0],
];

/// The line of the series with this number.
pub(crate) fn series(number: usize) -> Stroke {
    Stroke::solid(COLOURS[number % COLOURS.len()], 1.6).dashed(DASHES[number % DASHES.len()])
}
