//! Scales and axes around the area of a plot.

use super::ticks::Ticks;
use crate::figure::canvas::scene::{AXIS, Anchor, Area, Colour, GRID, INK, Shape, Stroke, Text};
use crate::figure::canvas::text_metrics;

/// Font size of tick labels.
pub(crate) const TICK_SIZE: f64 = 11.0;
/// Font size of axis labels.
pub(crate) const LABEL_SIZE: f64 = 12.0;
const TICK_LENGTH: f64 = 4.0;
/// Maximum number of ticks on a horizontal axis, and minimum distance between their labels.
const MOST_TICKS_ACROSS: usize = 10;
const NUMBERS_APART: f64 = 10.0;
/// Padding beyond the values of an axis, as a share of their range.
const ROOM: f64 = 0.05;
/// Minimum range of an axis, as a share of its largest absolute value.
const LEAST_RANGE: f64 = 1e-6;

/// Linear map from values to drawing coordinates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    first: f64,
    from: f64,
    slope: f64,
}

impl Scale {
    /// Creates the scale that maps `first` to `from` and `last` to `to`; `first` and `last` must
    /// differ.
    pub(crate) fn new((first, last): (f64, f64), (from, to): (f64, f64)) -> Self {
        let slope = (to - from) / (last - first);
        Self { first, from, slope }
    }

    pub(crate) fn at(&self, value: f64) -> f64 {
        self.from + (value - self.first) * self.slope
    }
}

/// Returns the minimum and maximum of some values, `None` if there are none.
pub(crate) fn range(values: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    let ends = values.into_iter().map(|value| (value, value));
    ends.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
}

/// Returns the ends of an axis with some padding around values from `low` to `high`.
pub(crate) fn ends_around(low: f64, high: f64) -> (f64, f64) {
    let largest = low.abs().max(high.abs());
    let range = high - low;
    let room = if range > LEAST_RANGE * largest {
        ROOM * range
    } else if largest > 0.0 {
        // All values are equal.
        ROOM * largest
    } else {
        1.0
    };
    (low - room, high + room)
}

/// Axis at the left or right of a plot.
pub(crate) struct SideAxis<'a> {
    at_left: bool,
    scale: Scale,
    ticks: &'a Ticks,
    /// Label along the axis.
    label: &'a str,
    colour: Colour,
}

impl<'a> SideAxis<'a> {
    pub(crate) fn left(scale: Scale, ticks: &'a Ticks, label: &'a str) -> Self {
        Self {
            at_left: true,
            scale,
            ticks,
            label,
            colour: INK,
        }
    }

    pub(crate) fn right(scale: Scale, ticks: &'a Ticks, label: &'a str) -> Self {
        let at_left = false;
        Self {
            at_left,
            ..Self::left(scale, ticks, label)
        }
    }

    pub(crate) fn coloured(self, colour: Colour) -> Self {
        Self { colour, ..self }
    }

    /// Returns the width of the tick labels and the axis label.
    pub(crate) fn width(&self) -> f64 {
        TICK_LENGTH + 3.0 + self.widest_number() + 8.0 + 0.75 * LABEL_SIZE
    }

    fn widest_number(&self) -> f64 {
        text_metrics::widest(self.ticks.labels().map(|(_, label)| label), TICK_SIZE)
    }

    pub(crate) fn shapes(&self, area: &Area) -> Vec<Shape> {
        let (x, outwards, anchor) = if self.at_left {
            (area.left, -1.0, Anchor::End)
        } else {
            (area.right(), 1.0, Anchor::Start)
        };
        let mut shapes = vec![vertical_line(x, area, AXIS)];
        for (value, label) in self.ticks.labels() {
            let y = self.scale.at(value);
            shapes.push(Shape::line((x, y), (x + outwards * TICK_LENGTH, y), AXIS));
            let at = (x + outwards * (TICK_LENGTH + 3.0), y + 0.36 * TICK_SIZE);
            let number = Text::new(label, at, TICK_SIZE);
            shapes.push(number.anchored(anchor).coloured(self.colour).into());
        }
        // Both labels run upwards. The left label has its baseline next to the tick labels, the
        // right label its top, so the right one needs space for its height.
        let gap = if self.at_left {
            8.0
        } else {
            8.0 + 0.75 * LABEL_SIZE
        };
        let x = x + outwards * (TICK_LENGTH + 3.0 + self.widest_number() + gap);
        let label = Text::new(self.label, (x, area.top + area.height / 2.0), LABEL_SIZE);
        let label = label.middle().coloured(self.colour).upwards();
        shapes.push(label.fitted(area.height + 20.0).into());
        shapes
    }
}

/// Draws a vertical line over the height of a plot.
pub(crate) fn vertical_line(x: f64, area: &Area, stroke: Stroke) -> Shape {
    Shape::line((x, area.top), (x, area.bottom()), stroke)
}

/// Draws a light vertical line at every tick.
pub(crate) fn vertical_gridlines(area: &Area, scale: Scale, ticks: &Ticks) -> Vec<Shape> {
    let line = |value: &f64| vertical_line(scale.at(*value), area, GRID);
    ticks.values().iter().map(line).collect()
}

/// Draws a horizontal line over the width of a plot.
pub(crate) fn horizontal_line(y: f64, area: &Area, stroke: Stroke) -> Shape {
    Shape::line((area.left, y), (area.right(), y), stroke)
}

/// Draws a light horizontal line at every tick.
pub(crate) fn gridlines(area: &Area, scale: Scale, ticks: &Ticks) -> Vec<Shape> {
    let line = |value: &f64| horizontal_line(scale.at(*value), area, GRID);
    ticks.values().iter().map(line).collect()
}

/// Draws the axis below a plot with its tick labels.
pub(crate) fn bottom_axis(area: &Area, scale: Scale, ticks: &Ticks, size: f64) -> Vec<Shape> {
    let (y, numbers) = (area.bottom(), area.bottom() + TICK_LENGTH + 1.0 + size);
    axis_across(area, (y, TICK_LENGTH, numbers), scale, ticks, size)
}

/// Draws the axis above a plot with its tick labels.
pub(crate) fn top_axis(area: &Area, scale: Scale, ticks: &Ticks, size: f64) -> Vec<Shape> {
    let numbers = area.top - TICK_LENGTH - 3.0;
    axis_across(area, (area.top, -TICK_LENGTH, numbers), scale, ticks, size)
}

/// Draws a horizontal axis with ticks of this length downwards and labels on a baseline.
fn axis_across(
    area: &Area,
    (y, tick, baseline): (f64, f64, f64),
    scale: Scale,
    ticks: &Ticks,
    size: f64,
) -> Vec<Shape> {
    let mut shapes = vec![horizontal_line(y, area, AXIS)];
    for (value, label) in ticks.labels() {
        let x = scale.at(value);
        shapes.push(Shape::line((x, y), (x, y + tick), AXIS));
        shapes.push(Text::new(label, (x, baseline), size).middle().into());
    }
    shapes
}

/// Returns round values of a horizontal axis: as many as fit without overlapping labels and with
/// all labels inside the limits.
pub(crate) fn ticks_across(
    (low, high): (f64, f64),
    scale: Scale,
    limits: (f64, f64),
    size: f64,
) -> Ticks {
    let extent = |ticks: &Ticks, value: f64| {
        let half = text_metrics::width(&ticks.label(value), size, false) / 2.0;
        (scale.at(value) - half, scale.at(value) + half)
    };
    let candidates = (1..=MOST_TICKS_ACROSS).rev().map(|at_most| {
        let all = Ticks::between(low, high, at_most);
        let known = all.clone();
        all.filtered(|value| {
            let (left, right) = extent(&known, value);
            left >= limits.0 && right <= limits.1
        })
    });
    let apart = |ticks: &Ticks| {
        let mut pairs = ticks.values().windows(2);
        pairs.all(|pair| {
            let (one, other) = (extent(ticks, pair[0]), extent(ticks, pair[1]));
            // The axis may be reversed.
            let gap = (other.0 - one.1).max(one.0 - other.1);
            gap >= NUMBERS_APART
        })
    };
    let mut fitting = candidates.filter(apart);
    let first = fitting.next();
    // No ticks if the labels are too long for the axis.
    first.unwrap_or_else(|| Ticks::between(low, high, 1).filtered(|_| false))
}

/// Returns the ticks of an axis with positions 1 to `last`, as many as fit.
pub(crate) fn position_ticks(last: usize, width: f64, size: f64) -> Ticks {
    let number = text_metrics::width(&last.to_string(), size, false);
    let room = (width / (2.5 * number + 8.0)).floor();
    // A float to integer cast saturates; two always fit.
    let at_most = (room as usize).clamp(2, 12);
    Ticks::positions(last, at_most)
}
