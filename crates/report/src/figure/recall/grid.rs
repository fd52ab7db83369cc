//! Grid of small plots of dynamic recall, one panel per query.

use super::super::three_decimals;
use super::plot::{RecallPlot, WIDTH, position_label};
use super::{MAX_COLOURED_RUNS, RecallCurve, RecallPanel, RunStyles, cut_note, mean, runs};
use crate::figure::canvas::caption::{footnote, heading};
use crate::figure::canvas::palette;
use crate::figure::canvas::scene::{AXIS_STROKE, Area, Figure, Point, Shape, Text};
use crate::figure::plot::axes::{LABEL_SIZE, gridlines, horizontal_line, vertical_line};
use crate::figure::plot::panels::Panels;
use crate::figure::plot::ticks::Ticks;
use crate::phrases::join;

/// Space at the left of the grid for its axis, in figure units.
const LEFT_MARGIN: f64 = 52.0;
/// Space at the right of the grid.
const RIGHT_MARGIN: f64 = 14.0;
const COLUMN_GAP: f64 = 22.0;
const ROW_GAP: f64 = 14.0;
/// Font size of panel titles.
const TITLE_FONT_SIZE: f64 = 11.0;
/// Font size of ADR values and tick labels.
const SMALL_FONT_SIZE: f64 = 9.5;
/// Height of the panel title.
const TITLE_HEIGHT: f64 = 14.0;
/// Height of a row of ADR values below the panel title.
const VALUE_ROW_HEIGHT: f64 = 13.0;
/// Height of the tick labels below a plot.
const TICK_LABEL_HEIGHT: f64 = 18.0;
/// Length of the line sample in front of an ADR value.
const LINE_SAMPLE_LENGTH: f64 = 16.0;
/// Width of an ADR value with its line sample.
const VALUE_WIDTH: f64 = LINE_SAMPLE_LENGTH + 32.0;
/// Maximum number of rows of ADR (average dynamic recall) values in a panel. If the runs need more,
/// or are more than [`MAX_COLOURED_RUNS`], only the range of their values is shown.
const MAX_VALUE_ROWS: usize = 2;

/// Sizes that all panels of the grid share.
struct Layout {
    panels: Panels,
    /// Number of ADR values (average dynamic recall) per row below the title of a panel; `None` if
    /// only their range is shown.
    values_in_row: Option<usize>,
}

impl Layout {
    fn new(panels: usize, runs: usize, top: f64) -> Self {
        let columns = match panels {
            0..=3 => panels.max(1),
            4 => 2,
            5..=9 => 3,
            _ => 4,
        };
        let gaps = COLUMN_GAP * (columns - 1) as f64;
        let width = (WIDTH - LEFT_MARGIN - RIGHT_MARGIN - gaps) / columns as f64;
        let height = (width * 0.62).clamp(90.0, 190.0);
        // A float to integer cast saturates; a panel is always wider than a value.
        let values_in_row = ((width / VALUE_WIDTH) as usize).max(1);
        let rows_needed = runs.div_ceil(values_in_row);
        let values_fit = rows_needed <= MAX_VALUE_ROWS && runs <= MAX_COLOURED_RUNS;
        let value_rows = if values_fit { rows_needed } else { 1 };
        let above = TITLE_HEIGHT + value_rows as f64 * VALUE_ROW_HEIGHT + 8.0;
        let panels = Panels {
            columns,
            rows: panels.div_ceil(columns),
            left: LEFT_MARGIN,
            top,
            before: 0.0,
            above,
            plot: (width, height),
            height: above + height + TICK_LABEL_HEIGHT,
            gaps: (COLUMN_GAP, ROW_GAP),
        };
        Self {
            panels,
            values_in_row: values_fit.then_some(values_in_row),
        }
    }
}

/// Draws one panel per query in a grid; `queries` is the total number of queries, including those
/// without a panel.
pub(super) fn figure(panels: &[RecallPanel], queries: usize) -> Figure {
    let runs = &runs(panels)[..];
    let title = match runs {
        [run] => format!("Dynamic recall of {run}"),
        _ => format!(
            "Dynamic recall of {} runs for {queries} queries",
            runs.len()
        ),
    };
    let width = WIDTH - LEFT_MARGIN - RIGHT_MARGIN;
    let (mut shapes, mut top) = heading(&title, "", WIDTH);
    let styles = RunStyles::from_values(&mean_adr_values(panels, runs));
    if runs.len() > 1 {
        let named: Vec<_> = runs.iter().map(|run| ((*run).to_owned(), None)).collect();
        top = styles.legend(&named, None).draw(top, &mut shapes);
    }
    top += 8.0;
    let layout = Layout::new(panels.len(), runs.len(), top);
    for (index, panel) in panels.iter().enumerate() {
        let area = layout.panels.area(index);
        let drawn = panel_shapes(
            panel,
            (runs, &styles),
            &layout,
            area,
            panels.len() * runs.len(),
        );
        shapes.push(Shape::with_tooltip(&panel.query, drawn));
        if layout.panels.is_first_in_row(index) {
            shapes.extend(recall_tick_labels(&area));
        }
    }
    let bottom = layout.panels.bottom();
    shapes.push(position_label(LEFT_MARGIN + width / 2.0, bottom + 18.0));
    let label_at = (
        18.0,
        (top + layout.panels.above + bottom - TICK_LABEL_HEIGHT) / 2.0,
    );
    let label = Text::new("dynamic recall", label_at, LABEL_SIZE);
    shapes.push(label.middle().upwards().into());
    let mut height = bottom + 32.0;
    let mut notes = cut_note(panels);
    if queries > panels.len() {
        let shown = panels.len();
        notes = format!("The first {shown} of {queries} queries. {notes}");
    }
    if !notes.is_empty() {
        height = footnote(&notes, WIDTH, height + 4.0, &mut shapes);
    }
    Figure::new(title, description(panels, queries), (WIDTH, height), shapes)
}

/// Draws one panel: title, ADR values, groups of the ground truth, and curves. `curves` is the
/// number of curves in the whole figure.
fn panel_shapes(
    panel: &RecallPanel,
    (runs, styles): (&[&str], &RunStyles),
    layout: &Layout,
    area: Area,
    curves: usize,
) -> Vec<Shape> {
    let plot = RecallPlot::new(area, panel.positions(), curves);
    let title_at = Point::from((area.left, area.top - layout.panels.above + TITLE_FONT_SIZE));
    let title = Text::new(&panel.query, title_at, TITLE_FONT_SIZE).bold();
    let mut shapes = vec![title.fitted(area.width).into()];
    shapes.extend(adr_labels(panel, runs, layout, title_at));
    shapes.extend(gridlines(&area, plot.y, &Ticks::unit_interval(2)));
    shapes.extend(plot.group_bands(&panel.group_ends));
    let mut drawn = Vec::new();
    if let ([_], Some(curve)) = (runs, panel.curves.first()) {
        let stroke = palette::series(0).with_width(1.0).with_dashes(&[4.0, 3.0]);
        drawn.push(horizontal_line(plot.y.at(curve.adr()), &area, stroke));
    }
    drawn.extend(styles.curves(|number, stroke| {
        let curve = panel.curve_of(runs[number])?;
        let stroke = stroke.with_width(stroke.width.min(1.3));
        let line = plot.curve(&curve.recall, stroke, (number, runs.len()));
        Some((curve.in_words(), vec![line]))
    }));
    shapes.push(plot.clipped(drawn));
    shapes.extend(plot.position_axis(SMALL_FONT_SIZE));
    shapes.push(vertical_line(area.left, &area, AXIS_STROKE));
    shapes
}

/// Returns the mean ADR (average dynamic recall) of each run over the panels that have a curve of
/// the run.
fn mean_adr_values(panels: &[RecallPanel], runs: &[&str]) -> Vec<f64> {
    let of = |run: &&str| {
        let curves = panels.iter().filter_map(|panel| panel.curve_of(run));
        mean(curves.map(RecallCurve::adr))
    };
    runs.iter().map(of).collect()
}

/// Draws the ADR (average dynamic recall) of each run below the title of a panel, or only the range
/// of all ADR values.
fn adr_labels(panel: &RecallPanel, runs: &[&str], layout: &Layout, title_at: Point) -> Vec<Shape> {
    let below = (title_at.x, title_at.y + VALUE_ROW_HEIGHT);
    let line = |words: String| vec![Text::new(words, below, SMALL_FONT_SIZE).quiet().into()];
    if let ([_], Some(curve)) = (runs, panel.curves.first()) {
        return line(format!("ADR {}", three_decimals(curve.adr())));
    }
    let Some(in_row) = layout.values_in_row else {
        return line(adr_range_text(panel));
    };
    let mut shapes = Vec::new();
    for (number, run) in runs.iter().enumerate() {
        let x = title_at.x + (number % in_row) as f64 * VALUE_WIDTH;
        let y = title_at.y + (number / in_row + 1) as f64 * VALUE_ROW_HEIGHT;
        let (middle, end) = (y - 0.35 * SMALL_FONT_SIZE, x + LINE_SAMPLE_LENGTH);
        let stroke = palette::series(number).with_width(1.3);
        shapes.push(Shape::line((x, middle), (end, middle), stroke));
        let adr = panel.curve_of(run).map(|curve| three_decimals(curve.adr()));
        let adr = adr.unwrap_or_else(|| "–".to_owned());
        shapes.push(Text::new(adr, (end + 3.0, y), SMALL_FONT_SIZE).into());
    }
    shapes
}

fn adr_range_text(panel: &RecallPanel) -> String {
    let averages = || panel.curves.iter().map(RecallCurve::adr);
    let low = averages().fold(1.0, f64::min);
    let high = averages().fold(0.0, f64::max);
    format!("ADR {} to {}", three_decimals(low), three_decimals(high))
}

/// Draws the tick labels of the y axis at the left of a row of panels.
fn recall_tick_labels(area: &Area) -> Vec<Shape> {
    let scale = RecallPlot::new(*area, 1, 1).y;
    let number = |(value, label)| {
        let at = (area.left - 5.0, scale.at(value) + 0.36 * SMALL_FONT_SIZE);
        Text::new(label, at, SMALL_FONT_SIZE).end().into()
    };
    Ticks::unit_interval(2).labels().map(number).collect()
}

fn description(panels: &[RecallPanel], queries: usize) -> String {
    let in_words = |panel: &RecallPanel| format!("{}: {}", panel.query, panel.averages());
    format!(
        "Dynamic recall by position in the result list for {} of {queries} queries. Average \
         dynamic recall: {}.",
        panels.len(),
        join(panels.iter().map(in_words), "; ")
    )
}
