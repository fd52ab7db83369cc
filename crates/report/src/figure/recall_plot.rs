//! The area in which curves of recall are drawn over positions.

use super::axes::Scale;
use super::scene::{Area, Fill, Point, QUIET, Shape, Stroke};
use super::thinning::thinned;

/// All the points of a figure together, so that it stays well under a megabyte.
const POINTS_OF_A_FIGURE: usize = 60_000;
/// A curve keeps its shape, however many there are.
const FEWEST_POINTS: usize = 40;
/// Bands narrower than this, on average, would be a grey noise.
const NARROWEST_BAND: f64 = 2.5;
/// Room above the recall of 1, so that its line does not lie on the edge.
const HEADROOM: f64 = 6.0;

/// A plot of values from 0 to 1 over the positions of a list.
///
/// Position i takes the place from i − ½ to i + ½.
pub(super) struct RecallPlot {
    pub(super) area: Area,
    pub(super) x: Scale,
    pub(super) y: Scale,
    positions: usize,
    points: usize,
}

impl RecallPlot {
    /// A plot for this many positions in a figure with this many curves in all.
    pub(super) fn new(area: Area, positions: usize, curves: usize) -> Self {
        let ends = (0.5, positions as f64 + 0.5);
        Self {
            area,
            x: Scale::new(ends, (area.left, area.right())),
            y: Scale::new((0.0, 1.0), (area.bottom(), area.top + HEADROOM)),
            positions,
            points: (POINTS_OF_A_FIGURE / curves.max(1)).max(FEWEST_POINTS),
        }
    }

    /// The vertical scale of another quantity whose `last` value is beside 1.
    pub(super) fn beside(&self, last: f64) -> Scale {
        Scale::new((0.0, last), (self.y.at(0.0), self.y.at(1.0)))
    }

    /// Light bands behind every second group, a small tick above each end of a
    /// group, and a line where the ground truth ends.
    pub(super) fn groups(&self, group_ends: &[usize]) -> Vec<Shape> {
        let mut shapes = Vec::new();
        let end_of = |end: usize| self.x.at(end.min(self.positions) as f64 + 0.5);
        let within: Vec<usize> = group_ends
            .iter()
            .copied()
            .filter(|end| *end <= self.positions)
            .collect();
        let wide_enough = group_ends.last().is_some_and(|last| {
            end_of(*last) - self.area.left >= NARROWEST_BAND * within.len() as f64
        });
        if wide_enough {
            for pair in group_ends.windows(2).step_by(2) {
                let (left, right) = (end_of(pair[0]), end_of(pair[1]));
                if right > left {
                    shapes.push(Shape::Rect {
                        area: Area {
                            left,
                            width: right - left,
                            ..self.area
                        },
                        corner: 0.0,
                        fill: Fill {
                            colour: "#000000",
                            opacity: 0.06,
                        },
                        outline: None,
                    });
                }
            }
            for end in &within {
                shapes.push(Shape::Line {
                    from: Point::new(end_of(*end), self.area.top - 4.0),
                    to: Point::new(end_of(*end), self.area.top),
                    stroke: Stroke::solid(QUIET, 0.6),
                });
            }
        }
        if let Some(last) = group_ends.last().filter(|last| **last <= self.positions) {
            shapes.push(Shape::Line {
                from: Point::new(end_of(*last), self.area.top - 7.0),
                to: Point::new(end_of(*last), self.area.bottom()),
                stroke: Stroke::solid(QUIET, 0.8).dashed(&[3.0, 2.0]),
            });
        }
        shapes
    }

    /// The places of one value for each position, from 1 on.
    pub(super) fn places(&self, values: &[f64]) -> Vec<Point> {
        let positions = (1..).zip(values);
        positions
            .map(|(position, value): (usize, _)| {
                Point::new(self.x.at(position as f64), self.y.at(*value))
            })
            .collect()
    }

    /// A curve through one value for each position. A curve of one position is
    /// a dot; `slot` of `slots` is its place beside the dots of other curves.
    pub(super) fn curve(
        &self,
        values: &[f64],
        stroke: Stroke,
        (slot, slots): (usize, usize),
    ) -> Shape {
        if let [value] = values {
            let place = (slot as f64 + 0.5) / slots.max(1) as f64 + 0.5;
            return Shape::Circle {
                centre: Point::new(self.x.at(place), self.y.at(*value)),
                radius: 3.0,
                fill: Fill::opaque(stroke.colour),
            };
        }
        Shape::Polyline {
            points: thinned(&self.places(values), self.points),
            stroke,
        }
    }

    /// The corners of a curve that is level at each position and steps between.
    pub(super) fn steps(&self, values: &[f64], scale: Scale) -> Vec<Point> {
        let corners: Vec<Point> = (1..)
            .zip(values)
            .flat_map(|(position, value): (usize, _)| {
                let (middle, y) = (position as f64, scale.at(*value));
                [
                    Point::new(self.x.at(middle - 0.5), y),
                    Point::new(self.x.at(middle + 0.5), y),
                ]
            })
            .collect();
        thinned(&corners, self.points)
    }

    /// What is drawn in the plot, cut off at its edges; a line along an edge
    /// keeps its whole width.
    pub(super) fn clipped(&self, shapes: Vec<Shape>) -> Shape {
        Shape::Group {
            title: None,
            clip: Some(self.area.grown(3.0)),
            shapes,
        }
    }
}

/// The number as the figures write it.
pub(super) fn three_decimals(value: f64) -> String {
    format!("{value:.3}")
}
