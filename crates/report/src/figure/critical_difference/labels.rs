//! System names at both sides of a critical difference diagram, connected to the axis by elbow
//! lines.

use super::SystemMark;
use crate::figure::canvas::caption::MARGIN;
use crate::figure::canvas::scene::{Anchor, Area, Point, Shape, Stroke, TEXT_COLOUR, Text};
use crate::figure::canvas::text_metrics::widest;
use crate::figure::plot::axes::Scale;

/// Distance between the number and the name of a system, in figure units.
const NAME_GAP: f64 = 6.0;
/// Distance from the end of the axis to the nearest text.
const AXIS_TO_TEXT: f64 = 10.0;
/// Maximum width of a system name; longer names are shortened.
const MAX_NAME_WIDTH: f64 = 240.0;
/// Minimum width reserved for text at each side of the axis.
pub(super) const MIN_SIDE_WIDTH: f64 = 60.0;
/// Font size of names and numbers.
const FONT_SIZE: f64 = 11.0;
/// Height of the row of one name.
const ROW_HEIGHT: f64 = 17.0;
/// Length of the axis.
const AXIS_LENGTH: f64 = 360.0;

/// Labels of the systems, ordered from the worst system to the best.
pub(super) struct Labels<'a> {
    pub(super) systems: &'a [SystemMark<'a>],
    decimals: usize,
    number_width: f64,
    name_width: f64,
}

impl<'a> Labels<'a> {
    pub(super) fn new(systems: &'a [SystemMark<'a>], decimals: usize) -> Self {
        let mut labels = Self {
            systems,
            decimals,
            number_width: 0.0,
            name_width: widest(systems.iter().map(|place| place.name), FONT_SIZE)
                .min(MAX_NAME_WIDTH),
        };
        let numbers = systems.iter().map(|place| labels.number(place.value));
        labels.number_width = widest(numbers, FONT_SIZE);
        labels
    }

    /// Formats a mean rank or mean score with the decimals of this figure.
    pub(super) fn number(&self, value: f64) -> String {
        format!("{value:.*}", self.decimals).replace('-', "−")
    }

    /// Returns the width reserved for text at each side of the axis.
    fn side_width(&self) -> f64 {
        (AXIS_TO_TEXT + self.number_width + NAME_GAP + self.name_width).max(MIN_SIDE_WIDTH)
    }

    pub(super) fn figure_width(&self) -> f64 {
        2.0 * (MARGIN + self.side_width()) + AXIS_LENGTH
    }

    /// Returns the axis, placed at y `top`, as a rectangle of height 0.
    pub(super) fn axis_area(&self, top: f64) -> Area {
        Area::new((MARGIN + self.side_width(), top), (AXIS_LENGTH, 0.0))
    }

    /// Returns the height of all rows of names.
    pub(super) fn height(&self) -> f64 {
        let rows = self.systems.len() - self.systems.len() / 2;
        rows as f64 * ROW_HEIGHT
    }

    /// Draws the names in rows from y `below` downwards, each connected to its value on the axis.
    pub(super) fn shapes(&self, axis: &Area, below: f64, scale: Scale) -> Vec<Shape> {
        let count = self.systems.len();
        let label = |(index, place): (usize, &SystemMark)| {
            // The outermost system gets the first row, so that elbow lines do not cross.
            let row = index.min(count - 1 - index) as f64;
            let (x, y) = (scale.at(place.value), below + (row + 0.5) * ROW_HEIGHT);
            let at_left = index < count / 2;
            let (end, outwards) = if at_left {
                (axis.left, -1.0)
            } else {
                (axis.right(), 1.0)
            };
            let word = |words: &str, from_end: f64, anchor| {
                let at = (end + outwards * from_end, y + 0.36 * FONT_SIZE);
                Text::new(words, at, FONT_SIZE).anchored(anchor)
            };
            let elbow = [
                (x, axis.top),
                (x, y),
                (end + outwards * (AXIS_TO_TEXT - 4.0), y),
            ];
            let elbow = Shape::Polyline(
                elbow.map(Point::from).to_vec(),
                Stroke::solid(TEXT_COLOUR, 0.7),
            );
            // Numbers are right-aligned at both sides.
            let (number_end, anchor) = if at_left {
                (AXIS_TO_TEXT, Anchor::End)
            } else {
                (AXIS_TO_TEXT + self.number_width, Anchor::Start)
            };
            let number = self.number(place.value);
            let title = format!("{}: {number}", place.name);
            let number = word(&number, number_end, Anchor::End).quiet();
            let label = word(
                place.name,
                AXIS_TO_TEXT + self.number_width + NAME_GAP,
                anchor,
            );
            let label = label.fitted(self.name_width);
            Shape::with_tooltip(title, vec![elbow, number.into(), label.into()])
        };
        self.systems.iter().enumerate().map(label).collect()
    }
}
