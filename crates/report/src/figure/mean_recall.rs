//! The mean of the dynamic recall curves over many queries.

use super::axes::{LABEL_SIZE, Side, SideAxis, TICK_SIZE, bottom_axis, gridlines, position_ticks};
use super::legend::{Entry, Legend, Sample};
use super::palette;
use super::recall::{RecallCurve, RecallPanel, mean, runs};
use super::recall_plot::{RecallPlot, three_decimals};
use super::scene::{Anchor, Area, Figure, Fill, INK, Point, QUIET, Shape, Text};
use super::ticks::Ticks;

const WIDTH: f64 = 720.0;
const LEFT: f64 = 58.0;
const PLOT_HEIGHT: f64 = 280.0;
const INTERVALS: u32 = 5;

/// The mean dynamic recall by position, one curve for each run.
///
/// At each position the mean is taken over the queries whose curve reaches it.
/// Ground truths differ in length, so fewer queries reach the later positions: a
/// light area (right scale) shows how many do, unless all do everywhere. The
/// value in the legend is the mean over queries of the average dynamic recall,
/// which is not the mean height of the curve; a run that lacks some of the
/// queries has their number after its name.
///
/// ```
/// use partita_report::{RecallCurve, RecallPanel, mean_recall_figure};
///
/// let first = RecallCurve::new("EMD", vec![1., 0.5]);
/// let second = RecallCurve::new("EMD", vec![1.]);
/// let figure = mean_recall_figure(&[
///     RecallPanel::new("q1", vec![2], vec![first]),
///     RecallPanel::new("q2", vec![1], vec![second]),
/// ]);
/// assert_eq!(figure.title(), "Mean dynamic recall over 2 queries");
/// assert!(figure.to_svg().contains(">0.875</text>"));
/// ```
#[must_use]
pub fn mean_recall_figure(panels: &[RecallPanel]) -> Figure {
    if panels.is_empty() {
        return Figure::saying("Mean dynamic recall", "There are no queries to draw.");
    }
    let means: Vec<MeanCurve> = runs(panels)
        .into_iter()
        .map(|run| MeanCurve::of(run, panels))
        .collect();
    let reaching = queries_reaching(panels);
    let level = reaching.iter().all(|count| *count == reaching[0]);
    let right = if level { 20.0 } else { 66.0 };
    let width = WIDTH - LEFT - right;

    let title = match panels.len() {
        1 => "Mean dynamic recall over 1 query".to_owned(),
        many => format!("Mean dynamic recall over {many} queries"),
    };
    let mut shapes = vec![Shape::Text(
        Text::new(&title, Point::new(LEFT, 24.0), 14.0).bold(),
    )];
    let entries = means.iter().enumerate().map(|(number, mean)| Entry {
        sample: Sample::Line(palette::series(number)),
        name: mean.name(panels.len()),
        value: Some(three_decimals(mean.adr)),
    });
    let legend = Legend::new(entries.collect(), Some("mean ADR"), WIDTH - LEFT - 16.0);
    shapes.extend(legend.shapes(Point::new(LEFT, 34.0)));

    let area = Area {
        left: LEFT,
        top: 34.0 + legend.height() + 12.0,
        width,
        height: PLOT_HEIGHT,
    };
    let plot = RecallPlot::new(area, reaching.len(), means.len());
    if !level {
        shapes.extend(number_of_queries(&plot, &reaching));
    }
    let unit = Ticks::unit(INTERVALS);
    shapes.extend(gridlines(&area, plot.y, &unit));
    let curves = means.iter().enumerate().map(|(number, mean)| Shape::Group {
        title: Some(format!(
            "{}: mean ADR {}",
            mean.run,
            three_decimals(mean.adr)
        )),
        clip: None,
        shapes: vec![plot.curve(&mean.recall, palette::series(number), (number, means.len()))],
    });
    shapes.push(plot.clipped(curves.collect()));
    let axis = SideAxis {
        side: Side::Left,
        scale: plot.y,
        ticks: &unit,
        label: "mean dynamic recall",
        colour: INK,
    };
    shapes.extend(axis.shapes(&area));
    let ticks = position_ticks(reaching.len(), width, TICK_SIZE);
    shapes.extend(bottom_axis(&area, plot.x, &ticks, TICK_SIZE));
    let below = Point::new(LEFT + width / 2.0, area.bottom() + 36.0);
    shapes.push(Shape::Text(
        Text::new("position in the result list", below, LABEL_SIZE).anchored(Anchor::Middle),
    ));
    Figure {
        title,
        description: description(&means, reaching.len()),
        width: WIDTH,
        height: below.y + 14.0,
        shapes,
    }
}

/// The mean of the curves of one run.
struct MeanCurve<'a> {
    run: &'a str,
    queries: usize,
    adr: f64,
    recall: Vec<f64>,
}

impl<'a> MeanCurve<'a> {
    fn of(run: &'a str, panels: &[RecallPanel]) -> Self {
        let curves: Vec<&RecallCurve> = panels.iter().filter_map(|p| p.curve_of(run)).collect();
        let longest = curves.iter().map(|curve| curve.recall().len()).max();
        let recall = (0..longest.unwrap_or(0))
            .map(|at| {
                mean(
                    curves
                        .iter()
                        .filter_map(|curve| curve.recall().get(at).copied()),
                )
            })
            .collect();
        Self {
            run,
            queries: curves.len(),
            adr: mean(curves.iter().map(|curve| curve.adr())),
            recall,
        }
    }

    fn name(&self, queries: usize) -> String {
        if self.queries == queries {
            self.run.to_owned()
        } else {
            let noun = if self.queries == 1 {
                "query"
            } else {
                "queries"
            };
            format!("{} (of {} {noun})", self.run, self.queries)
        }
    }
}

/// For each position, the number of queries with a curve that reaches it.
fn queries_reaching(panels: &[RecallPanel]) -> Vec<usize> {
    let mut lengths: Vec<usize> = panels.iter().map(RecallPanel::positions).collect();
    lengths.sort_unstable();
    let longest = lengths.last().copied().unwrap_or(0);
    (1..=longest)
        .map(|position| lengths.len() - lengths.partition_point(|length| *length < position))
        .collect()
}

/// The light area of how many queries reach each position, and its axis.
fn number_of_queries(plot: &RecallPlot, reaching: &[usize]) -> Vec<Shape> {
    let counts: Vec<f64> = reaching.iter().map(|count| *count as f64).collect();
    let most = counts.iter().copied().fold(0.0, f64::max);
    let ticks = Ticks::counts(most, INTERVALS);
    let scale = plot.beside(ticks.last());
    let mut points = plot.steps(&counts, scale);
    points.push(Point::new(plot.area.right(), plot.area.bottom()));
    points.push(Point::new(plot.area.left, plot.area.bottom()));
    let fill = Fill {
        colour: "#000000",
        opacity: 0.07,
    };
    let axis = SideAxis {
        side: Side::Right,
        scale,
        ticks: &ticks,
        label: "queries that reach the position (grey)",
        colour: QUIET,
    };
    let mut shapes = vec![Shape::Polygon {
        points,
        fill,
        outline: None,
    }];
    shapes.extend(axis.shapes(&plot.area));
    shapes
}

fn description(means: &[MeanCurve], positions: usize) -> String {
    let averages: Vec<String> = means
        .iter()
        .map(|mean| format!("{} {}", mean.run, three_decimals(mean.adr)))
        .collect();
    format!(
        "Mean dynamic recall over {positions} positions of the result list. Mean average dynamic \
         recall: {}.",
        averages.join(", ")
    )
}
