//! Scales and axes around the area of a plot.

use super::ticks::Ticks;
use crate::figure::canvas::scene::{
    AXIS_STROKE, Anchor, Area, Colour, GRID_STROKE, Shape, Stroke, TEXT_COLOUR, Text,
};
use crate::figure::canvas::text_metrics;

/// Font size of tick labels, in figure units.
pub(crate) const TICK_SIZE: f64 = 11.0;
/// Font size of axis labels.
pub(crate) const LABEL_SIZE: f64 = 12.0;
const TICK_LENGTH: f64 = 4.0;
/// Maximum number of ticks on a horizontal axis.
const MAX_HORIZONTAL_TICKS: usize = 10;
/// Minimum distance between the labels of two ticks on a horizontal axis.
const MIN_LABEL_DISTANCE: f64 = 10.0;
/// Length of an axis beyond the smallest and largest value, as a share of their range.
const AXIS_PADDING: f64 = 0.05;
/// Range of values, as a share of their largest absolute value, up to which an axis treats them as
/// equal.
const MIN_RANGE: f64 = 1e-6;

/// Linear map from values to drawing coordinates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    first: f64,
    from: f64,
    slope: f64,
}

impl Scale {
    /// Creates the scale that maps value `first` to coordinate `from`, and value `last` to
    /// coordinate `to`; `first` and `last` must differ.
    pub(crate) fn new((first, last): (f64, f64), (from, to): (f64, f64)) -> Self {
        let slope = (to - from) / (last - first);
        Self { first, from, slope }
    }

    /// Returns the drawing coordinate of a value.
    pub(crate) fn at(&self, value: f64) -> f64 {
        self.from + (value - self.first) * self.slope
    }
}

/// Returns the minimum and maximum of some values, `None` if there are none.
pub(crate) fn range(values: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    let ends = values.into_iter().map(|value| (value, value));
    ends.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
}

/// Returns the ends of an axis that covers the values from `low` to `high` with some space beyond
/// them.
pub(crate) fn ends_around(low: f64, high: f64) -> (f64, f64) {
    let largest = low.abs().max(high.abs());
    let range = high - low;
    let room = if range > MIN_RANGE * largest {
        AXIS_PADDING * range
    } else if largest > 0.0 {
        // All values are equal.
        AXIS_PADDING * largest
    } else {
        1.0
    };
    (low - room, high + room)
}

/// Vertical axis at the left or right of a plot.
pub(crate) struct SideAxis<'a> {
    at_left: bool,
    scale: Scale,
    ticks: &'a Ticks,
    /// Label of the axis, written along it.
    label: &'a str,
    colour: Colour,
}

impl<'a> SideAxis<'a> {
    /// Creates an axis at the left of a plot.
    pub(crate) fn left(scale: Scale, ticks: &'a Ticks, label: &'a str) -> Self {
        Self {
            at_left: true,
            scale,
            ticks,
            label,
            colour: TEXT_COLOUR,
        }
    }

    /// Creates an axis at the right of a plot.
    pub(crate) fn right(scale: Scale, ticks: &'a Ticks, label: &'a str) -> Self {
        let at_left = false;
        Self {
            at_left,
            ..Self::left(scale, ticks, label)
        }
    }

    /// Returns the axis in another colour.
    pub(crate) fn coloured(self, colour: Colour) -> Self {
        Self { colour, ..self }
    }

    /// Returns the width of the tick labels and the axis label together.
    pub(crate) fn width(&self) -> f64 {
        TICK_LENGTH + 3.0 + self.widest_tick_label() + 8.0 + 0.75 * LABEL_SIZE
    }

    /// Returns the width of the widest tick label.
    fn widest_tick_label(&self) -> f64 {
        text_metrics::widest(self.ticks.labels().map(|(_, label)| label), TICK_SIZE)
    }

    pub(crate) fn shapes(&self, area: &Area) -> Vec<Shape> {
        let (x, outwards, anchor) = if self.at_left {
            (area.left, -1.0, Anchor::End)
        } else {
            (area.right(), 1.0, Anchor::Start)
        };
        let mut shapes = vec![vertical_line(x, area, AXIS_STROKE)];
        for (value, label) in self.ticks.labels() {
            let y = self.scale.at(value);
            shapes.push(Shape::line(
                (x, y),
                (x + outwards * TICK_LENGTH, y),
                AXIS_STROKE,
            ));
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
        let x = x + outwards * (TICK_LENGTH + 3.0 + self.widest_tick_label() + gap);
        let label = Text::new(self.label, (x, area.top + area.height / 2.0), LABEL_SIZE);
        let label = label.middle().coloured(self.colour).upwards();
        shapes.push(label.fitted(area.height + 20.0).into());
        shapes
    }
}

/// Draws a vertical line over the whole height of a plot.
pub(crate) fn vertical_line(x: f64, area: &Area, stroke: Stroke) -> Shape {
    Shape::line((x, area.top), (x, area.bottom()), stroke)
}

/// Draws a light vertical line at every tick of the horizontal axis.
pub(crate) fn vertical_gridlines(area: &Area, scale: Scale, ticks: &Ticks) -> Vec<Shape> {
    let line = |value: &f64| vertical_line(scale.at(*value), area, GRID_STROKE);
    ticks.values().iter().map(line).collect()
}

/// Draws a horizontal line over the whole width of a plot.
pub(crate) fn horizontal_line(y: f64, area: &Area, stroke: Stroke) -> Shape {
    Shape::line((area.left, y), (area.right(), y), stroke)
}

/// Draws a light horizontal line at every tick of the vertical axis.
pub(crate) fn gridlines(area: &Area, scale: Scale, ticks: &Ticks) -> Vec<Shape> {
    let line = |value: &f64| horizontal_line(scale.at(*value), area, GRID_STROKE);
    ticks.values().iter().map(line).collect()
}

/// Draws the horizontal axis below a plot, with tick labels of font size `size`.
pub(crate) fn bottom_axis(area: &Area, scale: Scale, ticks: &Ticks, size: f64) -> Vec<Shape> {
    let (y, numbers) = (area.bottom(), area.bottom() + TICK_LENGTH + 1.0 + size);
    draw_horizontal_axis(area, (y, TICK_LENGTH, numbers), scale, ticks, size)
}

/// Draws the horizontal axis above a plot, with tick labels of font size `size`.
pub(crate) fn top_axis(area: &Area, scale: Scale, ticks: &Ticks, size: f64) -> Vec<Shape> {
    let numbers = area.top - TICK_LENGTH - 3.0;
    draw_horizontal_axis(area, (area.top, -TICK_LENGTH, numbers), scale, ticks, size)
}

/// Draws a horizontal axis with ticks of this length downwards (negative: upwards), and tick labels
/// on a baseline.
fn draw_horizontal_axis(
    area: &Area,
    (y, tick, baseline): (f64, f64, f64),
    scale: Scale,
    ticks: &Ticks,
    size: f64,
) -> Vec<Shape> {
    let mut shapes = vec![horizontal_line(y, area, AXIS_STROKE)];
    for (value, label) in ticks.labels() {
        let x = scale.at(value);
        shapes.push(Shape::line((x, y), (x, y + tick), AXIS_STROKE));
        shapes.push(Text::new(label, (x, baseline), size).middle().into());
    }
    shapes
}

/// Returns round values for the ticks of a horizontal axis: as many as fit without overlapping
/// labels and with all labels inside the limits.
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
    let candidates = (1..=MAX_HORIZONTAL_TICKS).rev().map(|at_most| {
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
            // Take the larger of both gaps, because the axis may be reversed.
            let gap = (other.0 - one.1).max(one.0 - other.1);
            gap >= MIN_LABEL_DISTANCE
        })
    };
    let mut fitting = candidates.filter(apart);
    let first = fitting.next();
    // No ticks if the labels are too long for the axis.
    first.unwrap_or_else(|| Ticks::between(low, high, 1).filtered(|_| false))
}

/// Returns ticks for a horizontal axis of the positions 1 to `last`, as many as fit in `width`, but
/// about 12 at most.
pub(crate) fn position_ticks(last: usize, width: f64, size: f64) -> Ticks {
    let number = text_metrics::width(&last.to_string(), size, false);
    let room = (width / (2.5 * number + 8.0)).floor();
    // A float to integer cast saturates. At least two ticks are drawn.
    let at_most = (room as usize).clamp(2, 12);
    Ticks::positions(last, at_most)
}
