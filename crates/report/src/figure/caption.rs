//! The words above and below a figure.

use super::scene::{Shape, Text};
use super::typeface;

/// Between the edge of a figure and its words.
pub(super) const MARGIN: f64 = 16.0;
const FOOTNOTE_SIZE: f64 = 9.5;
const FOOTNOTE_LINE: f64 = 13.0;

/// The title of a figure of this width.
pub(super) fn heading(title: &str, width: f64) -> Shape {
    let text = Text::new(title, (MARGIN, 24.0), 14.0).bold();
    text.fitted(width - 2.0 * MARGIN).into()
}

/// Adds a footnote to a figure of this width whose first line has this baseline, and gives the
/// baseline of the line after it.
pub(super) fn footnote(words: &str, width: f64, mut baseline: f64, shapes: &mut Vec<Shape>) -> f64 {
    let room = width - 2.0 * MARGIN;
    for line in typeface::lines(words, room, FOOTNOTE_SIZE) {
        let text = Text::new(line, (MARGIN, baseline), FOOTNOTE_SIZE).quiet();
        shapes.push(text.fitted(room).into());
        baseline += FOOTNOTE_LINE;
    }
    baseline
}
