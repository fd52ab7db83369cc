//! The names of the systems at both sides, joined to the axis by elbows.

use super::super::axes::Scale;
use super::super::caption::MARGIN;
use super::super::scene::{Anchor, Area, INK, Point, QUIET, Shape, Stroke, Text};
use super::super::typeface;
use super::CriticalDifference;

const GAP: f64 = 6.0;
/// From the end of the axis to the nearest words.
const ELBOW: f64 = 10.0;
const LONGEST_NAME: f64 = 190.0;
/// The words beside the axis need as much.
pub(super) const LEAST_SIDE: f64 = 60.0;
/// More systems than these are set smaller, on a longer axis.
const MANY: usize = 24;

/// The sizes of the rows.
#[derive(Clone, Copy)]
struct Style {
    size: f64,
    row: f64,
    axis: f64,
}

const ROOMY: Style = Style {
    size: 11.0,
    row: 17.0,
    axis: 360.0,
};

const COMPACT: Style = Style {
    size: 10.0,
    row: 14.0,
    axis: 480.0,
};

/// One system: its name and its mean rank.
struct Label<'a> {
    name: &'a str,
    rank: f64,
    /// The row, counted from the axis, and whether it is at the left.
    row: usize,
    left: bool,
}

pub(super) struct Labels<'a> {
    labels: Vec<Label<'a>>,
    style: Style,
    number_width: f64,
    name_width: f64,
    rows: usize,
}

impl<'a> Labels<'a> {
    pub(super) fn new(ranks: &'a CriticalDifference, order: &[usize]) -> Self {
        let style = if order.len() > MANY { COMPACT } else { ROOMY };
        let left = order.len() / 2;
        let labels: Vec<Label> = order
            .iter()
            .enumerate()
            .map(|(place, index)| {
                let (name, rank) = &ranks.systems[*index];
                // The outermost system has the first row, so that no elbow
                // crosses another.
                Label {
                    name,
                    rank: *rank,
                    row: place.min(order.len() - 1 - place),
                    left: place < left,
                }
            })
            .collect();
        let width = |text: &str| typeface::width(text, style.size, false);
        let names = labels.iter().map(|label| width(label.name));
        let numbers = labels.iter().map(|label| width(&number(label.rank)));
        Self {
            number_width: numbers.fold(0.0, f64::max),
            name_width: names.fold(0.0, f64::max).min(LONGEST_NAME),
            rows: order.len() - left,
            labels,
            style,
        }
    }

    /// The room for words at each side of the axis.
    fn side(&self) -> f64 {
        (ELBOW + self.number_width + GAP + self.name_width).max(LEAST_SIDE)
    }

    pub(super) fn figure_width(&self) -> f64 {
        2.0 * (MARGIN + self.side()) + self.style.axis
    }

    /// Where the axis is, from left to right.
    pub(super) fn axis(&self) -> Area {
        Area {
            left: MARGIN + self.side(),
            top: 0.0,
            width: self.style.axis,
            height: 0.0,
        }
    }

    pub(super) fn height(&self) -> f64 {
        self.rows as f64 * self.style.row
    }

    /// The names in rows from `below` on, each joined to the axis at `axis`.
    pub(super) fn shapes(&self, axis: f64, below: f64, scale: Scale) -> Vec<Shape> {
        let labels = self.labels.iter();
        labels
            .map(|label| self.shape(label, axis, below, scale))
            .collect()
    }

    fn shape(&self, label: &Label, axis: f64, below: f64, scale: Scale) -> Shape {
        let (size, x) = (self.style.size, scale.at(label.rank));
        let y = below + (label.row as f64 + 0.5) * self.style.row;
        let (end, outwards, anchor) = match label.left {
            true => (self.axis().left, -1.0, Anchor::End),
            false => (self.axis().right(), 1.0, Anchor::Start),
        };
        let word = |words: &str, from_end: f64| {
            let at = Point::new(end + outwards * from_end, y + 0.36 * size);
            Text::new(words, at, size).anchored(anchor)
        };
        let rank = number(label.rank);
        let name_from = ELBOW + self.number_width + GAP;
        Shape::Group {
            title: Some(format!("{}: mean rank {}", label.name, label.rank)),
            clip: None,
            shapes: vec![
                Shape::Polyline {
                    points: vec![
                        Point::new(x, axis),
                        Point::new(x, y),
                        Point::new(end + outwards * (ELBOW - 4.0), y),
                    ],
                    stroke: Stroke::solid(INK, 0.7),
                },
                Shape::Text(word(&rank, ELBOW).coloured(QUIET)),
                Shape::Text(word(label.name, name_from).fitted(self.name_width)),
            ],
        }
    }
}

fn number(rank: f64) -> String {
    format!("{rank:.2}").replace('-', "−")
}
