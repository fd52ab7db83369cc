//! The names of the systems at both sides, joined to the axis by elbows.

use super::SystemMark;
use crate::figure::canvas::caption::MARGIN;
use crate::figure::canvas::scene::{Anchor, Area, INK, Point, Shape, Stroke, Text};
use crate::figure::canvas::text_metrics::widest;
use crate::figure::plot::axes::Scale;

const GAP: f64 = 6.0;
/// From the end of the axis to the nearest words.
const ELBOW: f64 = 10.0;
const LONGEST_NAME: f64 = 240.0;
/// The words beside the axis need as much.
pub(super) const LEAST_SIDE: f64 = 60.0;
const SIZE: f64 = 11.0;
const ROW: f64 = 17.0;
const AXIS: f64 = 360.0;

/// The names of systems, from the worst to the best.
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
            name_width: widest(systems.iter().map(|place| place.name), SIZE).min(LONGEST_NAME),
        };
        let numbers = systems.iter().map(|place| labels.number(place.value));
        labels.number_width = widest(numbers, SIZE);
        labels
    }

    /// The number as the figure writes it.
    pub(super) fn number(&self, value: f64) -> String {
        format!("{value:.*}", self.decimals).replace('-', "−")
    }

    /// The room for words at each side of the axis.
    fn side(&self) -> f64 {
        (ELBOW + self.number_width + GAP + self.name_width).max(LEAST_SIDE)
    }

    pub(super) fn figure_width(&self) -> f64 {
        2.0 * (MARGIN + self.side()) + AXIS
    }

    /// Where the axis is.
    pub(super) fn axis(&self, top: f64) -> Area {
        Area::new((MARGIN + self.side(), top), (AXIS, 0.0))
    }

    pub(super) fn height(&self) -> f64 {
        let rows = self.systems.len() - self.systems.len() / 2;
        rows as f64 * ROW
    }

    /// The names in rows from `below` on, each joined to the axis.
    pub(super) fn shapes(&self, axis: &Area, below: f64, scale: Scale) -> Vec<Shape> {
        let count = self.systems.len();
        let label = |(index, place): (usize, &SystemMark)| {
            // The outermost system has the first row, so that no elbow crosses another.
            let row = index.min(count - 1 - index) as f64;
            let (x, y) = (scale.at(place.value), below + (row + 0.5) * ROW);
            let at_left = index < count / 2;
            let (end, outwards) = if at_left {
                (axis.left, -1.0)
            } else {
                (axis.right(), 1.0)
            };
            let word = |words: &str, from_end: f64, anchor| {
                let at = (end + outwards * from_end, y + 0.36 * SIZE);
                Text::new(words, at, SIZE).anchored(anchor)
            };
            let elbow = [(x, axis.top), (x, y), (end + outwards * (ELBOW - 4.0), y)];
            let elbow = Shape::Polyline(elbow.map(Point::from).to_vec(), Stroke::solid(INK, 0.7));
            // Numbers end below each other, at both sides.
            let (number_end, anchor) = if at_left {
                (ELBOW, Anchor::End)
            } else {
                (ELBOW + self.number_width, Anchor::Start)
            };
            let number = self.number(place.value);
            let title = format!("{}: {number}", place.name);
            let number = word(&number, number_end, Anchor::End).quiet();
            let label = word(place.name, ELBOW + self.number_width + GAP, anchor);
            let label = label.fitted(self.name_width);
            Shape::titled(title, vec![elbow, number.into(), label.into()])
        };
        self.systems.iter().enumerate().map(label).collect()
    }
}
