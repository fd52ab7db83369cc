//! The words above and below a figure.

use super::scene::{Point, QUIET, Shape, Text};
use super::typeface;

/// Between the edge of a figure and its words.
pub(super) const MARGIN: f64 = 16.0;
pub(super) const FOOTNOTE_SIZE: f64 = 9.5;
const FOOTNOTE_LINE: f64 = 13.0;

/// The title of a figure of this width.
pub(super) fn heading(title: &str, width: f64) -> Shape {
    let text = Text::new(title, Point::new(MARGIN, 24.0), 14.0).bold();
    Shape::Text(text.fitted(width - 2.0 * MARGIN))
}

/// A footnote of a figure of this width whose first line has this baseline, and
/// the baseline of the line after it.
pub(super) fn footnote(words: &str, width: f64, mut baseline: f64) -> (Vec<Shape>, f64) {
    let room = width - 2.0 * MARGIN;
    let mut shapes = Vec::new();
    for line in typeface::lines(words, room, FOOTNOTE_SIZE) {
        let at = Point::new(MARGIN, baseline);
        let text = Text::new(line, at, FOOTNOTE_SIZE).coloured(QUIET);
        shapes.push(Shape::Text(text.fitted(room)));
        baseline += FOOTNOTE_LINE;
    }
    (shapes, baseline)
}
