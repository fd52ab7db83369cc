//! The names of the systems at both sides, joined to the axis by elbows.

use partita_core::compare::System;

use super::super::axes::Scale;
use super::super::caption::MARGIN;
use super::super::scene::{Anchor, Area, INK, Point, Shape, Stroke, Text};
use super::super::typeface::widest;

const GAP: f64 = 6.0;
/// From the end of the axis to the nearest words.
const ELBOW: f64 = 10.0;
const LONGEST_NAME: f64 = 190.0;
/// The words beside the axis need as much.
pub(super) const LEAST_SIDE: f64 = 60.0;
/// More systems than these are set smaller, on a longer axis.
const MANY: usize = 24;

/// The names of systems, from the worst to the best.
pub(super) struct Labels<'a> {
    systems: &'a [&'a System],
    /// The size of words, the height of a row, and the width of the axis.
    size: f64,
    row: f64,
    axis: f64,
    number_width: f64,
    name_width: f64,
}

impl<'a> Labels<'a> {
    pub(super) fn new(systems: &'a [&'a System]) -> Self {
        let (size, row, axis) = match systems.len() {
            0..=MANY => (11.0, 17.0, 360.0),
            _ => (10.0, 14.0, 480.0),
        };
        let names = systems.iter().map(|system| &system.name);
        let numbers = systems.iter().map(|system| number(system.mean_rank));
        Self {
            systems,
            size,
            row,
            axis,
            number_width: widest(numbers, size),
            name_width: widest(names, size).min(LONGEST_NAME),
        }
    }

    /// The room for words at each side of the axis.
    fn side(&self) -> f64 {
        (ELBOW + self.number_width + GAP + self.name_width).max(LEAST_SIDE)
    }

    pub(super) fn figure_width(&self) -> f64 {
        2.0 * (MARGIN + self.side()) + self.axis
    }

    /// Where the axis is.
    pub(super) fn axis(&self, top: f64) -> Area {
        Area::new((MARGIN + self.side(), top), (self.axis, 0.0))
    }

    pub(super) fn height(&self) -> f64 {
        let rows = self.systems.len() - self.systems.len() / 2;
        rows as f64 * self.row
    }

    /// The names in rows from `below` on, each joined to the axis.
    pub(super) fn shapes(&self, axis: &Area, below: f64, scale: Scale) -> Vec<Shape> {
        let (size, count) = (self.size, self.systems.len());
        let label = |(place, system): (usize, &&System)| {
            let (name, rank) = (&*system.name, system.mean_rank);
            // The outermost system has the first row, so that no elbow crosses another.
            let row = place.min(count - 1 - place) as f64;
            let (x, y) = (scale.at(rank), below + (row + 0.5) * self.row);
            let (end, outwards, anchor) = if place < count / 2 {
                (axis.left, -1.0, Anchor::End)
            } else {
                (axis.right(), 1.0, Anchor::Start)
            };
            let word = |words: &str, from_end: f64| {
                let at = (end + outwards * from_end, y + 0.36 * size);
                Text::new(words, at, size).anchored(anchor)
            };
            let elbow = [(x, axis.top), (x, y), (end + outwards * (ELBOW - 4.0), y)];
            let elbow = Shape::Polyline(elbow.map(Point::from).to_vec(), Stroke::solid(INK, 0.7));
            let number = word(&number(rank), ELBOW).quiet();
            let label = word(name, ELBOW + self.number_width + GAP).fitted(self.name_width);
            let title = format!("{name}: mean rank {rank}");
            Shape::titled(title, vec![elbow, number.into(), label.into()])
        };
        self.systems.iter().enumerate().map(label).collect()
    }
}

fn number(rank: f64) -> String {
    format!("{rank:.2}").replace('-', "−")
}
