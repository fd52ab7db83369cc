//! Plot area of dynamic recall over the positions of a result list.

use crate::figure::canvas::caption::{footnote, heading};
use crate::figure::canvas::scene::{
    Area, Colour, Figure, Fill, Point, SECONDARY_COLOUR, Shape, Stroke, Text,
};
use crate::figure::plot::axes::{
    LABEL_SIZE, Scale, TICK_SIZE, bottom_axis, gridlines, position_ticks,
};
use crate::figure::plot::legend::Legend;
use crate::figure::plot::thinning::thinned;
use crate::figure::plot::ticks::Ticks;

/// Maximum number of points in a figure, which keeps the SVG file well below a megabyte.
const MAX_FIGURE_POINTS: usize = 60_000;
/// Minimum mean width of the bands that show groups of the ground truth; narrower bands would look
/// like noise.
const MIN_BAND_WIDTH: f64 = 2.5;
/// Minimum distance between the dots on a curve; closer dots would merge into a line.
const MIN_DOT_DISTANCE: f64 = 9.0;
/// Font size of group numbers.
const GROUP_FONT_SIZE: f64 = 10.0;
/// Space above a recall of 1, so that the curve is not on the edge of the plot.
const HEADROOM: f64 = 6.0;
/// Width of the figure, in figure units.
pub(super) const WIDTH: f64 = 600.0;
const PLOT_HEIGHT: f64 = 280.0;
/// Number of intervals between grid lines in a large plot.
pub(super) const GRID_INTERVALS: u32 = 5;

/// Plot of values from 0 to 1 over the positions of a list.
///
/// Position i covers the interval from i − ½ to i + ½.
pub(super) struct RecallPlot {
    pub(super) area: Area,
    pub(super) x: Scale,
    pub(super) y: Scale,
    positions: usize,
    points: usize,
}

impl RecallPlot {
    /// Creates a plot with this many positions. `curves` is the number of curves in the whole
    /// figure, which share the maximum number of points.
    pub(super) fn new(area: Area, positions: usize, curves: usize) -> Self {
        let ends = (0.5, positions as f64 + 0.5);
        Self {
            area,
            x: Scale::new(ends, (area.left, area.right())),
            y: Scale::new((0.0, 1.0), (area.bottom(), area.top + HEADROOM)),
            positions,
            points: MAX_FIGURE_POINTS / curves.max(1),
        }
    }

    /// Returns the vertical scale of another quantity, with its value `last` at the height of a
    /// recall of 1.
    pub(super) fn secondary_scale(&self, last: f64) -> Scale {
        Scale::new((0.0, last), (self.y.at(0.0), self.y.at(1.0)))
    }

    /// Draws the groups of the ground truth: light bands behind every second group, a small tick
    /// above each group end, and a line at the end of the ground truth.
    pub(super) fn group_bands(&self, group_ends: &[usize]) -> Vec<Shape> {
        let mut shapes = Vec::new();
        let area = &self.area;
        let end_of = |end: usize| self.x.at(end.min(self.positions) as f64 + 0.5);
        let Some(&last) = group_ends.last() else {
            return shapes;
        };
        let within = || group_ends.iter().filter(|end| **end <= self.positions);
        if end_of(last) - area.left >= MIN_BAND_WIDTH * within().count() as f64 {
            for pair in group_ends.windows(2).step_by(2) {
                let (left, right) = (end_of(pair[0]), end_of(pair[1]));
                if right > left {
                    let band = Area::new((left, area.top), (right - left, area.height));
                    shapes.push(Shape::rect(band, translucent_grey(0.06), None));
                }
            }
            shapes.extend(within().map(|end| {
                let (x, stroke) = (end_of(*end), Stroke::solid(SECONDARY_COLOUR, 0.6));
                Shape::line((x, area.top - 4.0), (x, area.top), stroke)
            }));
        }
        if last <= self.positions {
            let (x, stroke) = (
                end_of(last),
                Stroke::solid(SECONDARY_COLOUR, 0.8).with_dashes(&[3.0, 2.0]),
            );
            shapes.push(Shape::line((x, area.top - 7.0), (x, area.bottom()), stroke));
        }
        shapes
    }

    /// Returns the drawing coordinates of `values`, one per position from position 1 on.
    pub(super) fn points_at_positions(&self, values: &[f64]) -> Vec<Point> {
        let place = |(position, value): (usize, &f64)| {
            (self.x.at(position as f64), self.y.at(*value)).into()
        };
        (1..).zip(values).map(place).collect()
    }

    /// Draws a curve through one value per position. A curve with a single position is a dot, drawn
    /// in column `slot` of `slots` so that the dots of several curves lie side by side.
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
        let points = thinned(&self.points_at_positions(values), self.points);
        Shape::Polyline(points, stroke)
    }

    /// Draws a dot on the curve at each position, unless there are too many to be distinguished.
    pub(super) fn dots(&self, values: &[f64], colour: Colour) -> Vec<Shape> {
        let apart = self.x.at(2.0) - self.x.at(1.0);
        if values.len() < 2 || apart < MIN_DOT_DISTANCE {
            return Vec::new();
        }
        let places = self.points_at_positions(values).into_iter();
        places
            .map(|place| Shape::circle(place, 2.2, colour))
            .collect()
    }

    /// Draws the number of every group of the ground truth above its band if there is space.
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
            let texts = words.map(|words| Text::new(words, at, GROUP_FONT_SIZE).middle().quiet());
            let fits = |text: &Text| text.width() + 3.0 <= right - left;
            shapes.extend(texts.into_iter().find(fits).map(Shape::from));
        }
        shapes
    }

    /// Returns the corners of a step function that is constant from half a position before to half
    /// a position after each position.
    pub(super) fn steps(&self, values: &[f64], scale: Scale) -> Vec<Point> {
        let corners = (1..).zip(values).flat_map(|(position, value): (usize, _)| {
            let ends = [position as f64 - 0.5, position as f64 + 0.5];
            ends.map(|end| Point::from((self.x.at(end), scale.at(*value))))
        });
        thinned(&corners.collect::<Vec<_>>(), self.points)
    }

    /// Clips shapes to the plot area. A line along an edge keeps its full width.
    pub(super) fn clipped(&self, shapes: Vec<Shape>) -> Shape {
        Shape::Clip(self.area.enlarged(3.0), shapes)
    }

    /// Draws the horizontal axis of positions, with tick labels of font size `size`.
    pub(super) fn position_axis(&self, size: f64) -> Vec<Shape> {
        let ticks = position_ticks(self.positions, self.area.width, size);
        bottom_axis(&self.area, self.x, &ticks, size)
    }
}

/// Returns a translucent grey fill.
pub(super) fn translucent_grey(opacity: f64) -> Fill {
    let colour = "#000000";
    Fill { colour, opacity }
}

/// Draws the label of the horizontal axis of positions.
pub(super) fn position_label(middle: f64, baseline: f64) -> Shape {
    let words = "position in the result list";
    let label = Text::new(words, (middle, baseline), LABEL_SIZE);
    label.middle().into()
}

/// Large plot below a title and a legend, with the shapes drawn so far.
pub(super) struct LargePlot {
    pub(super) shapes: Vec<Shape>,
    pub(super) plot: RecallPlot,
    pub(super) unit: Ticks,
}

impl LargePlot {
    /// Creates the plot and draws the title and legend above it.
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
            unit: Ticks::unit_interval(GRID_INTERVALS),
        }
    }

    pub(super) fn gridlines(&self) -> Vec<Shape> {
        gridlines(&self.plot.area, self.plot.y, &self.unit)
    }

    /// Adds the axis of positions and the footnote `note`, and returns the figure.
    pub(super) fn into_figure(mut self, title: String, description: String, note: &str) -> Figure {
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
