//! Figure of the mean dynamic recall over many queries.

use super::super::three_decimals;
use super::plot::{GRID_INTERVALS, LargePlot, RecallPlot, translucent_grey};
use super::{RecallCurve, RecallPanel, RunStyles, cut_note, mean, runs};
use crate::figure::canvas::scene::{Figure, Point, SECONDARY_COLOUR, Shape};
use crate::figure::plot::axes::SideAxis;
use crate::figure::plot::ticks::Ticks;
use crate::phrases::{count_noun, join};

/// Space at the left of the plot for its axis, in figure units.
const LEFT_MARGIN: f64 = 58.0;

/// Draws the mean dynamic recall by position, one curve per run.
///
/// At each position the mean is over the queries whose curve reaches it. Ground truths differ in
/// length, so fewer queries reach later positions. A light area (right scale) shows how many do,
/// unless all queries reach all positions. The value in the legend is the mean over queries of the
/// average dynamic recall, which is not the mean height of the curve. A run without some of the
/// queries has the number of those that it has after its name.
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
/// assert_eq!(figure.title, "Mean dynamic recall over 2 queries");
/// assert!(figure.to_svg().contains(">0.875</text>"));
/// ```
pub fn mean_recall_figure(panels: &[RecallPanel]) -> Figure {
    if panels.is_empty() {
        return Figure::message("Mean dynamic recall", "There are no queries to draw.");
    }
    let runs = runs(panels).into_iter();
    let means: Vec<MeanCurve> = runs
        .map(|run| MeanCurve::from_panels(run, panels))
        .collect();
    let reaching = queries_reaching(panels);
    let level = reaching.iter().all(|count| *count == reaching[0]);
    let right = if level { 20.0 } else { 66.0 };

    let queries = count_noun(panels.len(), "query", "queries");
    let title = format!("Mean dynamic recall over {queries}");
    let styles = RunStyles::from_values(&means.iter().map(|mean| mean.adr).collect::<Vec<_>>());
    let named: Vec<_> = (means.iter())
        .map(|mean| (mean.legend_name(panels.len()), Some(mean.adr)))
        .collect();
    let legend = styles.legend(&named, Some("mean ADR"));
    let size = (reaching.len(), means.len());
    let mut large = LargePlot::new((LEFT_MARGIN, right), &title, legend, 12.0, size);
    let (plot, mut shapes) = (&large.plot, Vec::new());
    if !level {
        shapes.extend(query_count_area(plot, &reaching, panels.len()));
    }
    shapes.extend(large.gridlines());
    shapes.push(plot.clipped(styles.curves(|number, stroke| {
        let mean = &means[number];
        let line = plot.curve(&mean.recall, stroke, (number, means.len()));
        let title = format!("{}: mean ADR {}", mean.run, three_decimals(mean.adr));
        Some((title, vec![line]))
    })));
    let axis = SideAxis::left(plot.y, &large.unit, "mean dynamic recall");
    shapes.extend(axis.shapes(&plot.area));
    large.shapes.extend(shapes);
    large.into_figure(
        title,
        description(&means, reaching.len()),
        &cut_note(panels),
    )
}

/// Mean dynamic recall of one run over the queries, by position.
struct MeanCurve<'a> {
    run: &'a str,
    queries: usize,
    adr: f64,
    recall: Vec<f64>,
}

impl<'a> MeanCurve<'a> {
    fn from_panels(run: &'a str, panels: &[RecallPanel]) -> Self {
        let curves: Vec<&RecallCurve> = panels.iter().filter_map(|p| p.curve_of(run)).collect();
        let drawn = panels.iter().map(RecallPanel::positions).max();
        let longest = curves.iter().map(|curve| curve.recall.len()).max();
        let mean_at = |at: usize| mean(curves.iter().filter_map(|c| c.recall.get(at).copied()));
        Self {
            run,
            queries: curves.len(),
            adr: mean(curves.iter().map(|curve| curve.adr())),
            recall: (0..longest.min(drawn).unwrap_or(0)).map(mean_at).collect(),
        }
    }

    /// Returns the name of the run for the legend; a run without some of the queries has its number
    /// of queries after it.
    fn legend_name(&self, queries: usize) -> String {
        if self.queries == queries {
            return self.run.to_owned();
        }
        let queries = count_noun(self.queries, "query", "queries");
        format!("{} (of {queries})", self.run)
    }
}

/// Returns for each position the number of queries whose curves reach it.
fn queries_reaching(panels: &[RecallPanel]) -> Vec<usize> {
    let mut lengths: Vec<usize> = panels.iter().map(RecallPanel::positions).collect();
    lengths.sort_unstable();
    let longest = lengths.last().copied().unwrap_or(0);
    (1..=longest)
        .map(|position| lengths.len() - lengths.partition_point(|length| *length < position))
        .collect()
}

/// Draws the light area that shows how many queries reach each position, and its axis at the right.
fn query_count_area(plot: &RecallPlot, reaching: &[usize], queries: usize) -> Vec<Shape> {
    let counts: Vec<f64> = reaching.iter().map(|count| *count as f64).collect();
    let ticks = Ticks::up_to(queries, GRID_INTERVALS);
    let scale = plot.secondary_scale(ticks.last());
    let (area, mut points) = (&plot.area, plot.steps(&counts, scale));
    points.extend([area.right(), area.left].map(|x| Point::from((x, area.bottom()))));
    let axis = SideAxis::right(scale, &ticks, "queries that reach the position (grey)");
    let mut shapes = vec![Shape::Polygon(points, translucent_grey(0.07), None)];
    shapes.extend(axis.coloured(SECONDARY_COLOUR).shapes(area));
    shapes
}

fn description(means: &[MeanCurve], positions: usize) -> String {
    let average = |mean: &MeanCurve| format!("{} {}", mean.run, three_decimals(mean.adr));
    format!(
        "Mean dynamic recall over {positions} positions of the result list. Mean average dynamic \
         recall: {}.",
        join(means.iter().map(average), ", ")
    )
}
