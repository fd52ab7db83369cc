//! One chart.

use super::super::axes::{Scale, TICK_SIZE, bottom_axis, gridlines, ticks_across};
use super::super::marker::Marker;
use super::super::palette;
use super::super::scene::{Area, Fill, INK, Point, Shape, Stroke, Text};
use super::super::thinning::thinned;
use super::super::ticks::Ticks;
use super::references;
use super::{COLUMN_GAP, Curve, CurvePanel, in_words, written};

const TITLE_SIZE: f64 = 12.0;
/// A curve of more points has a marker only now and then, lest it be a worm.
const MANY_POINTS: usize = 40;
const MARKERS_APART: f64 = 60.0;
/// And other curves have theirs at other places.
const STAGGER: f64 = 17.0;
/// Room at the left and the right of the points.
pub(super) const SIDE: f64 = 6.0;
/// All the points of a figure together, so that it stays well under a megabyte.
const POINTS_OF_A_FIGURE: usize = 30_000;
/// A curve keeps its shape, however many there are.
const FEWEST_POINTS: usize = 40;

/// What the panels share, and where this one is.
pub(super) struct Chart<'a> {
    pub(super) area: Area,
    pub(super) x_ends: (f64, f64),
    pub(super) y_ends: (f64, f64),
    /// The numbers of the shared axis.
    pub(super) ticks: &'a Ticks,
    /// The names of the curves of all panels.
    pub(super) names: &'a [&'a str],
    pub(super) percent: bool,
    /// How many points the figure has.
    pub(super) many_points: usize,
}

impl Chart<'_> {
    pub(super) fn y_scale(ends: (f64, f64), area: &Area) -> Scale {
        Scale::new(ends, (area.bottom(), area.top))
    }

    fn x(&self) -> Scale {
        let (left, right) = (self.area.left + SIDE, self.area.right() - SIDE);
        Scale::new(self.x_ends, (left, right))
    }

    pub(super) fn y(&self, value: f64) -> f64 {
        Self::y_scale(self.y_ends, &self.area).at(written(value, self.percent))
    }

    /// The number of the series with this name.
    pub(super) fn series(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| *known == name)
    }
}

pub(super) struct PanelChart<'a> {
    pub(super) panel: &'a CurvePanel,
    pub(super) chart: Chart<'a>,
}

/// A curve where it is drawn.
struct Drawn<'a> {
    curve: &'a Curve,
    number: usize,
    points: Vec<Point>,
    /// The lower and the upper edge of the band.
    band: Option<[Vec<Point>; 2]>,
}

impl PanelChart<'_> {
    pub(super) fn shapes(&self) -> Vec<Shape> {
        let area = &self.chart.area;
        let title_at = Point::new(area.left, area.top - 8.0);
        let title = Text::new(&self.panel.title, title_at, TITLE_SIZE).bold();
        let mut shapes = vec![Shape::Text(title.fitted(area.width))];
        let y = Chart::y_scale(self.chart.y_ends, area);
        shapes.extend(gridlines(area, y, self.chart.ticks));
        let curves = self.panel.curves.iter();
        let drawn: Vec<Drawn> = curves.map(|curve| self.drawn(curve)).collect();
        shapes.extend(drawn.iter().filter_map(|curve| self.band(curve)));
        shapes.extend(references::lines(self.panel, &self.chart));
        shapes.extend(drawn.iter().map(|curve| self.line(curve)));
        let points: Vec<&[Point]> = drawn.iter().map(|curve| &curve.points[..]).collect();
        shapes.extend(references::labels(self.panel, &self.chart, &points));
        let ticks = self.x_ticks();
        shapes.extend(bottom_axis(area, self.chart.x(), &ticks, TICK_SIZE));
        shapes.push(Shape::Line {
            from: Point::new(area.left, area.top),
            to: Point::new(area.left, area.bottom()),
            stroke: Stroke::solid(INK, 0.8),
        });
        shapes
    }

    /// The numbers below the panel, apart from those of its neighbours.
    fn x_ticks(&self) -> Ticks {
        let (area, beyond) = (&self.chart.area, COLUMN_GAP / 2.0 - 2.0);
        let limits = (area.left - beyond, area.right() + beyond);
        ticks_across(self.chart.x_ends, self.chart.x(), limits, TICK_SIZE)
    }

    fn drawn<'a>(&self, curve: &'a Curve) -> Drawn<'a> {
        let (x, chart) = (self.chart.x(), &self.chart);
        let mut order: Vec<usize> = (0..curve.points.len()).collect();
        order.sort_by(|one, other| curve.points[*one].0.total_cmp(&curve.points[*other].0));
        let at =
            |index: &usize, value: f64| Point::new(x.at(curve.points[*index].0), chart.y(value));
        let band = curve.band.as_ref().map(|band| {
            let edge = |pick: fn(&(f64, f64)) -> f64| {
                order.iter().map(|i| at(i, pick(&band[*i]))).collect()
            };
            [edge(|ends| ends.0), edge(|ends| ends.1)]
        });
        Drawn {
            curve,
            number: (self.chart.series(&curve.name)).expect("every curve is in the legend"),
            points: order.iter().map(|i| at(i, curve.points[*i].1)).collect(),
            band,
        }
    }

    /// How many points a line may have.
    fn at_most(&self, points: usize) -> usize {
        let share = POINTS_OF_A_FIGURE as f64 / self.chart.many_points.max(1) as f64;
        // A float to integer cast saturates.
        ((points as f64 * share) as usize).max(FEWEST_POINTS)
    }

    fn band(&self, drawn: &Drawn) -> Option<Shape> {
        let [lower, upper] = drawn.band.as_ref()?;
        let at_most = self.at_most(lower.len());
        let mut points = thinned(lower, at_most);
        points.extend(thinned(upper, at_most).into_iter().rev());
        (lower.len() > 1).then(|| Shape::Polygon {
            points,
            fill: Fill {
                colour: palette::series(drawn.number).colour,
                opacity: 0.14,
            },
            outline: None,
        })
    }

    fn line(&self, drawn: &Drawn) -> Shape {
        let stroke = palette::series(drawn.number);
        let mut shapes = Vec::new();
        if drawn.points.len() > 1 {
            shapes.push(Shape::Polyline {
                points: thinned(&drawn.points, self.at_most(drawn.points.len())),
                stroke,
            });
        } else if let (Some([lower, upper]), [point]) = (&drawn.band, &drawn.points[..]) {
            // The band of one point is a line.
            shapes.push(Shape::Line {
                from: Point::new(point.x, lower[0].y),
                to: Point::new(point.x, upper[0].y),
                stroke: stroke.dashed(&[]).faded(0.5),
            });
        }
        let apart = match drawn.points.len() > MANY_POINTS {
            true => MARKERS_APART,
            false => 0.0,
        };
        let stagger = (drawn.number as f64 * STAGGER) % MARKERS_APART;
        let mut next = match apart > 0.0 {
            true => self.chart.area.left + stagger,
            false => f64::NEG_INFINITY,
        };
        for point in &drawn.points {
            if point.x >= next {
                shapes.push(Marker::of(drawn.number).at(*point, stroke.colour));
                next = point.x + apart;
            }
        }
        Shape::Group {
            title: Some(self.in_words(drawn.curve)),
            clip: None,
            shapes,
        }
    }

    fn in_words(&self, curve: &Curve) -> String {
        let last = curve
            .points
            .iter()
            .max_by(|one, other| one.0.total_cmp(&other.0));
        match last {
            Some((x, y)) => format!(
                "{}: {} at {x}",
                curve.name,
                in_words(*y, self.chart.percent)
            ),
            None => curve.name.clone(),
        }
    }
}
