//! Rows of values with their intervals above a shared axis.

use super::axes::{
    LABEL_SIZE, Scale, TICK_SIZE, bottom_axis, ends_around, range, ticks_across,
    vertical_gridlines, vertical_line,
};
use crate::figure::canvas::caption::MARGIN;
use crate::figure::canvas::scene::{AXIS_STROKE, Area, Colour, Shape, Stroke, Text};
use crate::figure::canvas::text_metrics::widest;

/// Maximum number of rows in a forest plot or a plot of mean ranks.
pub const MAX_INTERVAL_ROWS: usize = 100;

/// Width of the figure, in figure units.
pub(crate) const WIDTH: f64 = 560.0;
/// Maximum width of a row name; longer names are shortened.
const MAX_NAME_WIDTH: f64 = 150.0;
/// Font size of names and notes.
const FONT_SIZE: f64 = 11.0;
/// Height of a row.
const ROW_HEIGHT: f64 = 18.0;
/// Distance between the plot and the texts at its sides.
const SIDE_GAP: f64 = 10.0;
/// Radius of the dot that marks a value.
const DOT_RADIUS: f64 = 3.2;

/// Row of the plot: a value, its optional interval, and a note.
pub(crate) struct IntervalRow<'a> {
    pub(crate) name: &'a str,
    pub(crate) value: f64,
    pub(crate) ends: Option<(f64, f64)>,
    pub(crate) colour: Colour,
    /// Note shown at the right end of the row.
    pub(crate) note: String,
    /// Tooltip of the row: name, value, interval and further results.
    pub(crate) title: String,
}

/// Draws the rows from y `top` on and the axis below them. Returns the shapes and the y of their
/// lower end.
///
/// If `zero` is set, a vertical line marks this value. `label` is the label of the axis.
pub(crate) fn rows(
    rows: &[IntervalRow],
    zero: Option<f64>,
    label: &str,
    top: f64,
) -> (Vec<Shape>, f64) {
    let names = widest(rows.iter().map(|row| row.name), FONT_SIZE).min(MAX_NAME_WIDTH);
    let notes = widest(rows.iter().map(|row| &row.note), FONT_SIZE);
    let (left, right) = (MARGIN + names + SIDE_GAP, WIDTH - MARGIN - notes - SIDE_GAP);
    let size = (right - left, rows.len() as f64 * ROW_HEIGHT + 6.0);
    let area = Area::new((left, top), size);
    let ends = rows.iter().filter_map(|row| row.ends);
    let values = rows.iter().map(|row| row.value).chain(zero);
    let values = values.chain(ends.flat_map(|(low, high)| [low, high]));
    let (low, high) = range(values).expect("there are rows, or the axis has a zero");
    let limits = ends_around(low, high);
    let scale = Scale::new(limits, (area.left, area.right()));
    let ticks = ticks_across(
        limits,
        scale,
        (left - SIDE_GAP, right + SIDE_GAP),
        TICK_SIZE,
    );
    let mut shapes = vertical_gridlines(&area, scale, &ticks);
    shapes.extend(zero.map(|zero| vertical_line(scale.at(zero), &area, AXIS_STROKE)));
    for (index, row) in rows.iter().enumerate() {
        let y = area.top + 3.0 + (index as f64 + 0.5) * ROW_HEIGHT;
        let (x, stroke) = (scale.at(row.value), Stroke::solid(row.colour, 1.6));
        let word = |text: &str, x: f64| Text::new(text, (x, y + 0.36 * FONT_SIZE), FONT_SIZE);
        let mut drawn = vec![word(row.name, left - SIDE_GAP).end().fitted(names).into()];
        if let Some((low, high)) = row.ends.map(|(low, high)| (scale.at(low), scale.at(high))) {
            drawn.push(Shape::line((low, y), (high, y), stroke));
            drawn.extend([low, high].map(|x| Shape::line((x, y - 3.0), (x, y + 3.0), stroke)));
        }
        drawn.push(Shape::circle((x, y), DOT_RADIUS, row.colour));
        drawn.push(word(&row.note, WIDTH - MARGIN).end().quiet().into());
        shapes.push(Shape::with_tooltip(&row.title, drawn));
    }
    shapes.extend(bottom_axis(&area, scale, &ticks, TICK_SIZE));
    let below = area.bottom() + 36.0;
    let label = Text::new(label, (area.middle(), below), LABEL_SIZE).middle();
    // The label may be wider than the axis, but not than the figure.
    let room = 2.0 * (area.middle() - MARGIN).min(WIDTH - MARGIN - area.middle());
    shapes.push(label.fitted(room).into());
    (shapes, below + 8.0)
}
