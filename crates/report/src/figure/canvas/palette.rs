//! Colours for colour-blind readers, and dash patterns for greyscale print.

use super::scene::{Colour, Stroke};

/// Colours of Okabe and Ito (2008) without yellow, which is too pale for thin lines on white.
const COLOURS: [Colour; 7] = [
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000",
];

/// Dash patterns. Because six and seven are coprime, 42 series have a unique pair of colour and
/// pattern, and the first six differ in both.
const DASHES: [&[f64]; 6] = [
    &[],
    &[7.0, 3.0],
    &[2.0, 2.0],
    &[9.0, 2.5, 2.0, 2.5],
    &[14.0, 3.0],
    &[9.0, 2.0, 2.0, 2.0, 2.0, 2.0],
];

/// Returns the line style of series `number`, counted from 0: its colour and dash pattern.
pub(crate) fn series(number: usize) -> Stroke {
    Stroke::solid(COLOURS[number % COLOURS.len()], 1.6).with_dashes(DASHES[number % DASHES.len()])
}
