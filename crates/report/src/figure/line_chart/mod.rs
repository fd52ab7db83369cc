//! Line charts in panels side by side (Urbano, Martín, Marrero and Morato 2011, Fig. 1 to 4).

mod panel;

use panel::PanelChart;

use super::canvas::caption::{MARGIN, heading};
use super::canvas::scene::{Area, Figure, Text};
use super::canvas::{palette, text_metrics};
use super::distinct;
use super::error::FigureError;
use super::plot::axes::{LABEL_SIZE, Scale, SideAxis, ends_around, range};
use super::plot::box_summary::three_decimals_at_most;
use super::plot::legend::{Legend, LegendEntry, LegendKey};
use super::plot::panels::Panels;
use super::plot::ticks::Ticks;
use crate::phrases::join;

/// Width of the figure in figure units, unless its panels need another width.
const USUAL_WIDTH: f64 = 720.0;
/// Maximum number of panels side by side.
const MAX_PANEL_COLUMNS: usize = 4;
/// Minimum width of a panel.
const MIN_PANEL_WIDTH: f64 = 210.0;
/// Maximum width of a panel.
const MAX_PANEL_WIDTH: f64 = 520.0;
/// Minimum height of the plot of a panel.
const MIN_PLOT_HEIGHT: f64 = 170.0;
/// Maximum height of the plot of a panel.
const MAX_PLOT_HEIGHT: f64 = 260.0;
const COLUMN_GAP: f64 = 20.0;
const ROW_GAP: f64 = 16.0;
/// Height of the panel title above a plot.
const PANEL_TITLE_HEIGHT: f64 = 20.0;
/// Height of the tick labels below a plot.
const TICK_LABEL_HEIGHT: f64 = 20.0;
/// Approximate number of ticks on the y axis.
const APPROXIMATE_TICK_COUNT: usize = 6;
/// The y axis starts at 0 if no value is negative and the smallest is at most this fraction of the
/// largest.
const ZERO_BASED_RATIO: f64 = 0.5;

/// Series of points joined by a line, with an optional band of intervals.
#[derive(Clone, Debug, PartialEq)]
pub struct LineSeries {
    /// Name of the series in the legend. Series of the same name look the same in all panels.
    pub name: String,
    /// Points of the series as (x, y), in any order.
    pub points: Vec<(f64, f64)>,
    /// Lower and upper end of the interval around each point, in the order of `points`.
    pub band: Option<Vec<(f64, f64)>>,
}

impl LineSeries {
    /// Returns the point with the largest x; `None` if the series is empty.
    fn last(&self) -> Option<&(f64, f64)> {
        let points = self.points.iter();
        points.max_by(|one, other| one.0.total_cmp(&other.0))
    }
}

/// One plot of a [`LineChart`].
#[derive(Clone, Debug, PartialEq)]
pub struct LinePanel {
    /// Title of the panel.
    pub title: String,
    /// Series of the panel.
    pub curves: Vec<LineSeries>,
    /// Horizontal reference lines, drawn dotted: value of y, and label in the legend.
    pub references: Vec<(f64, String)>,
}

/// Line charts in panels that share their axes.
#[derive(Clone, Debug, PartialEq)]
pub struct LineChart {
    /// Title of the figure.
    pub title: String,
    /// Label of the x axis.
    pub x_label: String,
    /// Label of the y axis.
    pub y_label: String,
    /// True if y values are shares, shown as percentages: 0.57 as 57%.
    pub y_is_percent: bool,
    /// Panels, row by row from left to right.
    pub panels: Vec<LinePanel>,
}

/// Draws line charts side by side with shared axes. Colour, dash pattern and marker distinguish the
/// series.
///
/// Bands are pale areas behind the lines. References are dotted lines, named in the legend. Points
/// are connected in the order of x. More than four panels are arranged in several rows.
///
/// # Errors
/// Returns [`FigureError`] if a band does not have one interval per point, or if a value is not a
/// number or beyond ±10¹².
///
/// ```
/// use partita_report::{FigureError, LineChart, LinePanel, LineSeries, line_chart_figure};
///
/// let figure = line_chart_figure(&LineChart {
///     title: "Power".to_owned(),
///     x_label: "queries".to_owned(),
///     y_label: "significant pairs".to_owned(),
///     y_is_percent: true,
///     panels: vec![LinePanel {
///         title: "Friedman".to_owned(),
///         curves: vec![LineSeries {
///             name: "AG".to_owned(),
///             points: vec![(5.0, 0.12), (50.0, 0.52), (100.0, 0.57)],
///             band: None,
///         }],
///         references: vec![(0.57, "all queries".to_owned())],
///     }],
/// })?;
/// assert!(figure.description.contains("AG from 12% at 5 to 57% at 100"));
/// # Ok::<(), FigureError>(())
/// ```
pub fn line_chart_figure(curves: &LineChart) -> Result<Figure, FigureError> {
    check(curves)?;
    let Some((x_ends, y_ends)) = axes_ends(curves) else {
        let words = "There are no curves to draw.";
        return Ok(Figure::message(&curves.title, words));
    };
    let all = || curves.panels.iter().flat_map(|panel| &panel.curves);
    let names = distinct(all().map(|curve| curve.name.as_str()));
    let unit = if curves.y_is_percent { "%" } else { "" };
    let ticks = Ticks::between(y_ends.0, y_ends.1, APPROXIMATE_TICK_COUNT).in_units(unit);
    let y_scale = |area: &Area| Scale::new(y_ends, (area.bottom(), area.top));
    let axis = |area: &Area| SideAxis::left(y_scale(area), &ticks, &curves.y_label);
    let mut layout = layout(curves.panels.len(), &curves.y_label);
    layout.left = MARGIN + axis(&layout.area(0)).width();

    let width = layout.right() + MARGIN;
    let (mut shapes, top) = heading(&curves.title, "", width);
    let references = curves.panels.iter().flat_map(|panel| &panel.references);
    let references = distinct(references.map(|(_, label)| label.as_str()));
    let legend = legend(curves, &names, &references, width);
    layout.top = legend.draw(top, &mut shapes) + 8.0;
    let figure_point_count = all().map(|curve| curve.points.len()).sum();
    for (index, panel) in curves.panels.iter().enumerate() {
        let area = layout.area(index);
        let chart = PanelChart {
            panel,
            area,
            x_ends,
            y: y_scale(&area),
            ticks: &ticks,
            names: &names,
            references: &references,
            percent: curves.y_is_percent,
            figure_point_count,
        };
        shapes.extend(chart.shapes());
        if layout.is_first_in_row(index) {
            shapes.extend(axis(&area).shapes(&area));
        }
    }
    let (middle, below) = ((layout.left + width - MARGIN) / 2.0, layout.bottom() + 16.0);
    let label = Text::new(&curves.x_label, (middle, below), LABEL_SIZE).middle();
    shapes.push(label.fitted(width - layout.left - MARGIN).into());
    let (description, size) = (description(curves), (width, below + 14.0));
    Ok(Figure::new(&*curves.title, description, size, shapes))
}

/// Creates the legend of series and references. A series with a single point in every panel has a
/// marker without a line.
fn legend(curves: &LineChart, names: &[&str], references: &[&str], width: f64) -> Legend {
    let all = || curves.panels.iter().flat_map(|panel| &panel.curves);
    let sample = |number: usize, name: &str| {
        let stroke = palette::series(number);
        let is_line = |curve: &LineSeries| curve.name == name && curve.points.len() > 1;
        if all().any(is_line) {
            LegendKey::MarkedLine(stroke, number)
        } else {
            LegendKey::Marker(stroke.colour, number)
        }
    };
    let named = names.iter().enumerate();
    let mut entries: Vec<LegendEntry> = named
        .map(|(number, name)| LegendEntry::new(sample(number, name), *name))
        .collect();
    entries.extend(references.iter().enumerate().map(|(number, label)| {
        let stroke = panel::reference_stroke(number);
        LegendEntry::new(LegendKey::Line(stroke), *label)
    }));
    Legend::new(entries, None, width)
}

/// Returns an error if a band has another length than its points, or if a value cannot be drawn.
fn check(curves: &LineChart) -> Result<(), FigureError> {
    let title = &curves.title;
    for panel in &curves.panels {
        for curve in &panel.curves {
            let place = || format!("{}, {}", panel.title, curve.name);
            for (x, y) in &curve.points {
                FigureError::check_drawable(title, place, "an x of a curve", *x)?;
                FigureError::check_drawable(title, place, "a y of a curve", *y)?;
            }
            let Some(band) = &curve.band else { continue };
            if band.len() != curve.points.len() {
                return Err(FigureError::BandLength {
                    curve: curve.name.clone(),
                    band: band.len(),
                    points: curve.points.len(),
                });
            }
            for end in band.iter().flat_map(|(low, high)| [low, high]) {
                FigureError::check_drawable(title, place, "an end of a band", *end)?;
            }
        }
        for (value, label) in &panel.references {
            let place = || format!("{}, {label}", panel.title);
            FigureError::check_drawable(title, place, "a reference", *value)?;
        }
    }
    Ok(())
}

/// Converts a y value to the unit of the axis: a share to a percentage if `percent` is true.
fn to_axis_unit(value: f64, percent: bool) -> f64 {
    if percent { 100.0 * value } else { value }
}

/// Values at the two ends of an axis.
type AxisEnds = (f64, f64);

/// Returns the ends of the x and the y axis, which cover all drawn values; `None` without points.
fn axes_ends(curves: &LineChart) -> Option<(AxisEnds, AxisEnds)> {
    let all = || curves.panels.iter().flat_map(|panel| &panel.curves);
    let points = || all().flat_map(|curve| &curve.points);
    let bands = all().flat_map(|curve| curve.band.iter().flatten());
    let references = curves.panels.iter().flat_map(|panel| &panel.references);
    let x = range(points().map(|point| point.0))?;
    let y = range(
        (points().map(|point| point.1))
            .chain(bands.flat_map(|(low, high)| [*low, *high]))
            .chain(references.map(|(value, _)| *value)),
    )?;
    let (low, high) = (
        to_axis_unit(y.0, curves.y_is_percent),
        to_axis_unit(y.1, curves.y_is_percent),
    );
    let mut ends = ends_around(low, high);
    if low >= 0.0 && low <= ZERO_BASED_RATIO * high {
        ends.0 = 0.0;
    }
    if curves.y_is_percent && high <= 100.0 {
        // Percentages end at 100; a series at 100% lies on the edge.
        ends.1 = ends.1.min(100.0);
    }
    if ends.1 - ends.0 <= 0.0 {
        ends = ends_around(low, high);
    }
    Some((ends_around(x.0, x.1), ends))
}

/// Computes the sizes and the grid of panels. The caller sets the left and top offsets later.
fn layout(panels: usize, y_label: &str) -> Panels {
    let columns = match panels {
        0..=MAX_PANEL_COLUMNS => panels.max(1),
        5..=9 => 3,
        _ => MAX_PANEL_COLUMNS,
    };
    let left = MARGIN + 50.0;
    let gaps = COLUMN_GAP * (columns - 1) as f64;
    let available = (USUAL_WIDTH - left - MARGIN - gaps) / columns as f64;
    let width = available.clamp(MIN_PANEL_WIDTH, MAX_PANEL_WIDTH);
    // The plot is high enough for its y label, within limits.
    let height = text_metrics::width(y_label, LABEL_SIZE, false)
        .max(0.8 * width)
        .clamp(MIN_PLOT_HEIGHT, MAX_PLOT_HEIGHT);
    Panels {
        columns,
        rows: panels.div_ceil(columns),
        left,
        top: 0.0,
        before: 0.0,
        above: PANEL_TITLE_HEIGHT,
        plot: (width, height),
        height: PANEL_TITLE_HEIGHT + height + TICK_LABEL_HEIGHT,
        gaps: (COLUMN_GAP, ROW_GAP),
    }
}

/// Formats a y value in the unit of the axis, for tooltips and the text description of the figure.
fn y_value_text(value: f64, percent: bool) -> String {
    let unit = if percent { "%" } else { "" };
    three_decimals_at_most(to_axis_unit(value, percent)) + unit
}

fn description(curves: &LineChart) -> String {
    let value = |y: f64| y_value_text(y, curves.y_is_percent);
    let panels = curves.panels.iter().map(|panel| {
        let curves = panel.curves.iter().filter_map(|curve| {
            let by_x = |one: &&(f64, f64), other: &&(f64, f64)| one.0.total_cmp(&other.0);
            let ends = [curve.points.iter().min_by(by_x)?, curve.last()?];
            let [from, to] =
                ends.map(|(x, y)| format!("{} at {}", value(*y), three_decimals_at_most(*x)));
            Some(match curve.points.len() {
                1 => format!("{} {from}", curve.name),
                _ => format!("{} from {from} to {to}", curve.name),
            })
        });
        let references = panel.references.iter();
        let references = references.map(|(y, label)| format!("{label} {}", value(*y)));
        format!("{}: {}", panel.title, join(curves.chain(references), ", "))
    });
    let (x, y) = (&curves.x_label, &curves.y_label);
    format!("{y} by {x}. {}.", join(panels, "; "))
}
