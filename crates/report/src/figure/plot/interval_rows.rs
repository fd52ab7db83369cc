//! Rows of values with intervals, best on top.

use super::axes::{
    LABEL_SIZE, Scale, TICK_SIZE, bottom_axis, ends_around, range, ticks_across,
    vertical_gridlines, vertical_line,
};
use crate::figure::canvas::caption::MARGIN;
use crate::figure::canvas::scene::{AXIS, Area, Colour, Shape, Stroke, Text};
use crate::figure::canvas::text_metrics::widest;

/// Maximum number of rows in an interval figure.
pub const MAX_INTERVAL_ROWS: usize = 100;

pub(crate) const WIDTH: f64 = 560.0;
const LONGEST_NAME: f64 = 150.0;
const SIZE: f64 = 11.0;
const ROW: f64 = 18.0;
const GAP: f64 = 10.0;
/// Half the height of the marker of a value.
const MARK: f64 = 3.2;

/// Row with a value, its optional interval, and a note.
pub(crate) struct IntervalRow<'a> {
    pub(crate) name: &'a str,
    pub(crate) value: f64,
    pub(crate) ends: Option<(f64, f64)>,
    pub(crate) colour: Colour,
    /// Text at the right of the row.
    pub(crate) note: String,
    /// Tooltip: name, value, interval and further results.
    pub(crate) title: String,
}

/// Draws the rows and their axis, and returns the shapes and the y where they end.
///
/// If `zero` is set, a vertical line marks it. `label` is the axis label.
pub(crate) fn rows(
    rows: &[IntervalRow],
    zero: Option<f64>,
    label: &str,
    top: f64,
) -> (Vec<Shape>, f64) {
    let names = widest(rows.iter().map(|row| row.name), SIZE).min(LONGEST_NAME);
    let notes = widest(rows.iter().map(|row| &row.note), SIZE);
    let (left, right) = (MARGIN + names + GAP, WIDTH - MARGIN - notes - GAP);
    let size = (right - left, rows.len() as f64 * ROW + 6.0);
    let area = Area::new((left, top), size);
    let ends = rows.iter().filter_map(|row| row.ends);
    let values = rows.iter().map(|row| row.value).chain(zero);
    let values = values.chain(ends.flat_map(|(low, high)| [low, high]));
    let (low, high) = range(values).expect("there are rows, or the axis has a zero");
    let limits = ends_around(low, high);
    let scale = Scale::new(limits, (area.left, area.right()));
    let ticks = ticks_across(limits, scale, (left - GAP, right + GAP), TICK_SIZE);
    let mut shapes = vertical_gridlines(&area, scale, &ticks);
    shapes.extend(zero.map(|zero| vertical_line(scale.at(zero), &area, AXIS)));
    for (index, row) in rows.iter().enumerate() {
        let y = area.top + 3.0 + (index as f64 + 0.5) * ROW;
        let (x, stroke) = (scale.at(row.value), Stroke::solid(row.colour, 1.6));
        let word = |text: &str, x: f64| Text::new(text, (x, y + 0.36 * SIZE), SIZE);
        let mut drawn = vec![word(row.name, left - GAP).end().fitted(names).into()];
        if let Some((low, high)) = row.ends.map(|(low, high)| (scale.at(low), scale.at(high))) {
            drawn.push(Shape::line((low, y), (high, y), stroke));
            drawn.extend([low, high].map(|x| Shape::line((x, y - 3.0), (x, y + 3.0), stroke)));
        }
        drawn.push(Shape::circle((x, y), MARK, row.colour));
        drawn.push(word(&row.note, WIDTH - MARGIN).end().quiet().into());
        shapes.push(Shape::titled(&row.title, drawn));
    }
    shapes.extend(bottom_axis(&area, scale, &ticks, TICK_SIZE));
    let below = area.bottom() + 36.0;
    let label = Text::new(label, (area.middle(), below), LABEL_SIZE).middle();
    // The label may be wider than the axis, but not than the figure.
    let room = 2.0 * (area.middle() - MARGIN).min(WIDTH - MARGIN - area.middle());
    shapes.push(label.fitted(room).into());
    (shapes, below + 8.0)
}
