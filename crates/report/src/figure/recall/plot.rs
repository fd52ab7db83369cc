//! The area in which curves of recall are drawn over positions.

use crate::figure::canvas::caption::{footnote, heading};
use crate::figure::canvas::scene::{Area, Colour, Figure, Fill, Point, QUIET, Shape, Stroke, Text};
use crate::figure::plot::axes::{
    LABEL_SIZE, Scale, TICK_SIZE, bottom_axis, gridlines, position_ticks,
};
use crate::figure::plot::legend::Legend;
use crate::figure::plot::thinning::thinned;
use crate::figure::plot::ticks::Ticks;

/// All the points of a figure together, so that it stays well under a megabyte.
const POINTS_OF_A_FIGURE: usize = 60_000;
/// Bands narrower than this, on average, would be a grey noise.
const NARROWEST_BAND: f64 = 2.5;
/// Dots nearer to each other than this would be a worm.
const DOTS_APART: f64 = 9.0;
const GROUP_SIZE: f64 = 10.0;
/// Room above the recall of 1, so that its line does not lie on the edge.
const HEADROOM: f64 = 6.0;
pub(super) const WIDTH: f64 = 600.0;
const PLOT_HEIGHT: f64 = 280.0;
/// Between the lines across a large plot.
pub(super) const INTERVALS: u32 = 5;

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
            points: POINTS_OF_A_FIGURE / curves.max(1),
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
        let area = &self.area;
        let end_of = |end: usize| self.x.at(end.min(self.positions) as f64 + 0.5);
        let Some(&last) = group_ends.last() else {
            return shapes;
        };
        let within = || group_ends.iter().filter(|end| **end <= self.positions);
        if end_of(last) - area.left >= NARROWEST_BAND * within().count() as f64 {
            for pair in group_ends.windows(2).step_by(2) {
                let (left, right) = (end_of(pair[0]), end_of(pair[1]));
                if right > left {
                    let band = Area::new((left, area.top), (right - left, area.height));
                    shapes.push(Shape::rect(band, grey(0.06), None));
                }
            }
            shapes.extend(within().map(|end| {
                let (x, stroke) = (end_of(*end), Stroke::solid(QUIET, 0.6));
                Shape::line((x, area.top - 4.0), (x, area.top), stroke)
            }));
        }
        if last <= self.positions {
            let (x, stroke) = (end_of(last), Stroke::solid(QUIET, 0.8).dashed(&[3.0, 2.0]));
            shapes.push(Shape::line((x, area.top - 7.0), (x, area.bottom()), stroke));
        }
        shapes
    }

    /// The places of one value for each position, from 1 on.
    pub(super) fn places(&self, values: &[f64]) -> Vec<Point> {
        let place = |(position, value): (usize, &f64)| {
            (self.x.at(position as f64), self.y.at(*value)).into()
        };
        (1..).zip(values).map(place).collect()
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
            let centre = (self.x.at(place), self.y.at(*value));
            return Shape::circle(centre, 3.0, stroke.colour);
        }
        let points = thinned(&self.places(values), self.points);
        Shape::Polyline(points, stroke)
    }

    /// A dot at each position, where they are few enough to be told from each other.
    pub(super) fn dots(&self, values: &[f64], colour: Colour) -> Vec<Shape> {
        let apart = self.x.at(2.0) - self.x.at(1.0);
        if values.len() < 2 || apart < DOTS_APART {
            return Vec::new();
        }
        let places = self.places(values).into_iter();
        places
            .map(|place| Shape::circle(place, 2.2, colour))
            .collect()
    }

    /// The number of every group over its band, where there is room.
    pub(super) fn group_numbers(&self, group_ends: &[usize]) -> Vec<Shape> {
        let starts = std::iter::once(&0).chain(group_ends);
        let mut shapes = Vec::new();
        for (number, (start, end)) in (1..).zip(starts.zip(group_ends)) {
            let [left, right] = [start, end].map(|end| self.x.at(*end as f64 + 0.5));
            if *end > self.positions {
                break;
            }
            let at = ((left + right) / 2.0, self.area.top - 5.0);
            let words = [format!("group {number}"), format!("{number}")];
            let texts = words.map(|words| Text::new(words, at, GROUP_SIZE).middle().quiet());
            let fits = |text: &Text| text.width() + 3.0 <= right - left;
            shapes.extend(texts.into_iter().find(fits).map(Shape::from));
        }
        shapes
    }

    /// The corners of a curve that is level at each position and steps between.
    pub(super) fn steps(&self, values: &[f64], scale: Scale) -> Vec<Point> {
        let corners = (1..).zip(values).flat_map(|(position, value): (usize, _)| {
            let ends = [position as f64 - 0.5, position as f64 + 0.5];
            ends.map(|end| Point::from((self.x.at(end), scale.at(*value))))
        });
        thinned(&corners.collect::<Vec<_>>(), self.points)
    }

    /// What is drawn in the plot, cut off at its edges; a line along an edge keeps its whole width.
    pub(super) fn clipped(&self, shapes: Vec<Shape>) -> Shape {
        Shape::Clip(self.area.grown(3.0), shapes)
    }

    /// The axis of positions, with numbers of a size.
    pub(super) fn position_axis(&self, size: f64) -> Vec<Shape> {
        let ticks = position_ticks(self.positions, self.area.width, size);
        bottom_axis(&self.area, self.x, &ticks, size)
    }
}

/// A light surface.
pub(super) fn grey(opacity: f64) -> Fill {
    let colour = "#000000";
    Fill { colour, opacity }
}

/// The words below the axis of positions.
pub(super) fn position_label(middle: f64, baseline: f64) -> Shape {
    let words = "position in the result list";
    let label = Text::new(words, (middle, baseline), LABEL_SIZE);
    label.middle().into()
}

/// One large plot below its headings and its legend.
pub(super) struct LargePlot {
    pub(super) shapes: Vec<Shape>,
    pub(super) plot: RecallPlot,
    pub(super) unit: Ticks,
}

impl LargePlot {
    /// The plot is so far below the legend.
    pub(super) fn new(
        (left, right): (f64, f64),
        title: &str,
        legend: Legend,
        gap: f64,
        (positions, curves): (usize, usize),
    ) -> Self {
        let (mut shapes, top) = heading(title, "", WIDTH);
        let corner = (left, legend.draw(top, &mut shapes) + gap);
        let area = Area::new(corner, (WIDTH - left - right, PLOT_HEIGHT));
        Self {
            shapes,
            plot: RecallPlot::new(area, positions, curves),
            unit: Ticks::unit(INTERVALS),
        }
    }

    pub(super) fn gridlines(&self) -> Vec<Shape> {
        gridlines(&self.plot.area, self.plot.y, &self.unit)
    }

    /// The figure, with the axis of positions and what there is to be said below it.
    pub(super) fn finished(mut self, title: String, description: String, note: &str) -> Figure {
        let (area, below) = (self.plot.area, self.plot.area.bottom() + 36.0);
        self.shapes.extend(self.plot.position_axis(TICK_SIZE));
        self.shapes.push(position_label(area.middle(), below));
        let height = match note {
            "" => below + 14.0,
            note => footnote(note, WIDTH, below + 22.0, &mut self.shapes),
        };
        Figure::new(title, description, (WIDTH, height), self.shapes)
    }
}
