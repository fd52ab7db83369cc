//! One panel of a line chart.

use super::{COLUMN_GAP, LinePanel, LineSeries, to_axis_unit, y_value_text};
use crate::figure::canvas::marker::marker;
use crate::figure::canvas::palette;
use crate::figure::canvas::scene::{
    AXIS_STROKE, Area, Fill, Point, SECONDARY_COLOUR, Shape, Stroke, Text,
};
use crate::figure::plot::axes::{
    Scale, TICK_SIZE, bottom_axis, gridlines, horizontal_line, ticks_across, vertical_line,
};
use crate::figure::plot::thinning::thinned;
use crate::figure::plot::ticks::Ticks;

/// Font size of the panel title.
const TITLE_FONT_SIZE: f64 = 12.0;
/// Number of points above which only some points of a series get a marker.
const MANY_POINTS: usize = 40;
/// Horizontal distance between the markers of a series with many points, in figure units.
const MARKER_DISTANCE: f64 = 60.0;
/// Horizontal offset between the first markers of consecutive series, so that markers of
/// overlapping lines do not coincide.
const MARKER_STAGGER: f64 = 17.0;
/// Horizontal distance between the edge of a plot and the outermost points.
const SIDE_PADDING: f64 = 6.0;
/// Maximum number of points in a figure, which keeps the SVG file well below a megabyte.
const MAX_FIGURE_POINTS: usize = 30_000;

/// One panel of a line chart: its area, its series, and the axes and names shared by all panels.
pub(super) struct PanelChart<'a> {
    pub(super) panel: &'a LinePanel,
    pub(super) area: Area,
    pub(super) x_ends: (f64, f64),
    pub(super) y: Scale,
    /// Ticks of the y axis, which all panels share.
    pub(super) ticks: &'a Ticks,
    /// Names of the series of all panels, in the order of the legend.
    pub(super) names: &'a [&'a str],
    /// Labels of the reference lines of all panels, in the order of the legend.
    pub(super) references: &'a [&'a str],
    pub(super) percent: bool,
    /// Number of data points in the whole figure.
    pub(super) figure_point_count: usize,
}

/// Returns the line style of reference line `number`, counted from 0; the first is grey.
pub(super) fn reference_stroke(number: usize) -> Stroke {
    let colour = match number.checked_sub(1) {
        None => SECONDARY_COLOUR,
        Some(number) => palette::series(number).colour,
    };
    Stroke::solid(colour, 1.1).with_dashes(&[1.5, 2.5])
}

/// Returns the index of a series or reference line in the legend.
fn legend_index(names: &[&str], name: &str) -> usize {
    let index = names.iter().position(|known| *known == name);
    index.expect("the legend has the names of all series and references")
}

/// Series of a panel in drawing coordinates.
struct PlottedSeries<'a> {
    curve: &'a LineSeries,
    number: usize,
    points: Vec<Point>,
    /// Points of the lower and of the upper edge of the band.
    band: Option<[Vec<Point>; 2]>,
}

impl PanelChart<'_> {
    /// Returns the scale of the x axis.
    fn x(&self) -> Scale {
        let (left, right) = (
            self.area.left + SIDE_PADDING,
            self.area.right() - SIDE_PADDING,
        );
        Scale::new(self.x_ends, (left, right))
    }

    /// Returns the drawing coordinate of a y value.
    fn y(&self, value: f64) -> f64 {
        self.y.at(to_axis_unit(value, self.percent))
    }

    /// Draws a dotted line across the panel for each reference value.
    fn references(&self) -> Vec<Shape> {
        let line = |(value, label): &(f64, String)| {
            let number = legend_index(self.references, label);
            let title = format!("{label}: {}", y_value_text(*value, self.percent));
            let line = horizontal_line(self.y(*value), &self.area, reference_stroke(number));
            Shape::with_tooltip(title, vec![line])
        };
        self.panel.references.iter().map(line).collect()
    }

    /// Draws the panel with its title, axes, reference lines and series.
    pub(super) fn shapes(&self) -> Vec<Shape> {
        let area = &self.area;
        let title = Text::new(
            &self.panel.title,
            (area.left, area.top - 8.0),
            TITLE_FONT_SIZE,
        )
        .bold();
        let mut shapes = vec![title.fitted(area.width).into()];
        shapes.extend(gridlines(area, self.y, self.ticks));
        let curves = self.panel.curves.iter();
        let drawn: Vec<PlottedSeries> = curves.map(|curve| self.plot_series(curve)).collect();
        shapes.extend(drawn.iter().filter_map(|curve| self.band(curve)));
        shapes.extend(self.references());
        shapes.extend(drawn.iter().map(|curve| self.line(curve)));
        // Tick labels must not touch those of the neighbouring panels.
        let beyond = COLUMN_GAP / 2.0 - 2.0;
        let limits = (area.left - beyond, area.right() + beyond);
        let ticks = ticks_across(self.x_ends, self.x(), limits, TICK_SIZE);
        shapes.extend(bottom_axis(area, self.x(), &ticks, TICK_SIZE));
        shapes.push(vertical_line(area.left, area, AXIS_STROKE));
        shapes
    }

    /// Converts the points and the band of a series to drawing coordinates.
    fn plot_series<'a>(&self, curve: &'a LineSeries) -> PlottedSeries<'a> {
        let x = self.x();
        let mut order: Vec<usize> = (0..curve.points.len()).collect();
        order.sort_by(|one, other| curve.points[*one].0.total_cmp(&curve.points[*other].0));
        let places = |value: &dyn Fn(usize) -> f64| {
            let at = |&i: &usize| (x.at(curve.points[i].0), self.y(value(i))).into();
            order.iter().map(at).collect()
        };
        let band = curve.band.as_ref();
        PlottedSeries {
            curve,
            number: legend_index(self.names, &curve.name),
            points: places(&|i| curve.points[i].1),
            band: band.map(|band| [places(&|i| band[i].0), places(&|i| band[i].1)]),
        }
    }

    /// Simplifies a line so that all lines of the figure together have about [`MAX_FIGURE_POINTS`]
    /// points at most.
    fn thinned(&self, points: &[Point]) -> Vec<Point> {
        let share = MAX_FIGURE_POINTS as f64 / self.figure_point_count.max(1) as f64;
        // A float to integer cast saturates.
        let at_most = (points.len() as f64 * share) as usize;
        thinned(points, at_most)
    }

    fn band(&self, drawn: &PlottedSeries) -> Option<Shape> {
        let [lower, upper] = drawn.band.as_ref()?;
        let mut points = self.thinned(lower);
        points.extend(self.thinned(upper).into_iter().rev());
        // More than two bands are drawn paler, so that their overlap does not become too dark.
        let bands = self
            .panel
            .curves
            .iter()
            .filter(|curve| curve.band.is_some());
        let opacity = if bands.count() > 2 { 0.07 } else { 0.14 };
        let colour = palette::series(drawn.number).colour;
        (lower.len() > 1).then_some(Shape::Polygon(points, Fill { colour, opacity }, None))
    }

    fn line(&self, drawn: &PlottedSeries) -> Shape {
        let stroke = palette::series(drawn.number);
        let mut shapes = Vec::new();
        if drawn.points.len() > 1 {
            let points = self.thinned(&drawn.points);
            shapes.push(Shape::Polyline(points, stroke));
        } else if let (Some([lower, upper]), [_]) = (&drawn.band, &drawn.points[..]) {
            // The band of a single point is a vertical line.
            let stroke = stroke.with_dashes(&[]).with_opacity(0.5);
            shapes.push(Shape::line(lower[0], upper[0], stroke));
        }
        let (apart, mut next) = if drawn.points.len() > MANY_POINTS {
            let stagger = (drawn.number as f64 * MARKER_STAGGER) % MARKER_DISTANCE;
            (MARKER_DISTANCE, self.area.left + stagger)
        } else {
            (0.0, f64::NEG_INFINITY)
        };
        for point in &drawn.points {
            if point.x >= next {
                shapes.push(marker(drawn.number, *point, stroke.colour));
                next = point.x + apart;
            }
        }
        Shape::with_tooltip(self.series_tooltip(drawn.curve), shapes)
    }

    /// Returns the tooltip of a series: its name and its last point.
    fn series_tooltip(&self, curve: &LineSeries) -> String {
        match curve.last() {
            Some((x, y)) => format!("{}: {} at {x}", curve.name, y_value_text(*y, self.percent)),
            None => curve.name.clone(),
        }
    }
}
