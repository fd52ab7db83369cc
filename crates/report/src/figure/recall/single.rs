//! Large plot of the dynamic recall for one query.

use super::super::three_decimals;
use super::plot::{GRID_INTERVALS, LargePlot, RecallPlot, WIDTH};
use super::{RecallCurve, RecallPanel, RunStyles, cut_note};
use crate::figure::canvas::palette;
use crate::figure::canvas::scene::{Anchor, Figure, Point, Shape, Stroke, Text};
use crate::figure::plot::axes::{SideAxis, TICK_SIZE, horizontal_line};
use crate::figure::plot::legend::{Legend, LegendKey};
use crate::figure::plot::ticks::Ticks;
use crate::phrases::plural;

/// Font size of the note on the ground truth.
const NOTE_FONT_SIZE: f64 = 10.5;

/// Draws the plot of one query, by one run with all details or by several runs with a legend.
pub(super) fn figure(panel: &RecallPanel) -> Figure {
    let alone = match &panel.curves[..] {
        [curve] => Some(curve),
        _ => None,
    };
    let (left, right) = (66.0, if alone.is_some() { 58.0 } else { 20.0 });
    let title = match alone {
        Some(curve) => format!("Dynamic recall of {} for {}", curve.run, panel.query),
        None => format!("Dynamic recall for {}", panel.query),
    };
    let averages: Vec<f64> = panel.curves.iter().map(RecallCurve::adr).collect();
    let styles = RunStyles::from_values(&averages);
    let legend = if alone.is_some() {
        let sample = |number| LegendKey::Line(strokes_of_one_run()[number]);
        Legend::from_names(&LINE_NAMES, sample, WIDTH)
    } else {
        let runs: Vec<_> = (panel.curves.iter().zip(&averages))
            .map(|(curve, adr)| (curve.run.clone(), Some(*adr)))
            .collect();
        styles.legend(&runs, Some("ADR"))
    };
    let size = (panel.positions(), panel.curves.len());
    let mut large = LargePlot::new((left, right), &title, legend, 38.0, size);
    let (plot, mut shapes) = (&large.plot, large.gridlines());
    shapes.extend(plot.group_bands(&panel.group_ends));
    shapes.extend(plot.group_numbers(&panel.group_ends));
    shapes.extend(ground_truth_note(panel, plot));
    shapes.extend(match alone {
        Some(curve) => curves_of_one_run(curve, plot, &large.unit),
        None => curves_of_runs(panel, &styles, plot, &large.unit),
    });
    large.shapes.extend(shapes);
    let note = cut_note(std::slice::from_ref(panel));
    large.into_figure(title, description(panel), &note)
}

/// Legend names of the three lines in the figure of one run.
const LINE_NAMES: [&str; 3] = [
    "dynamic recall (right)",
    "relevant documents found (left)",
    "average dynamic recall (ADR)",
];

/// Returns the line styles in the figure of one run: dynamic recall, relevant documents found, and
/// average.
fn strokes_of_one_run() -> [Stroke; 3] {
    let recall = palette::series(0).with_width(2.0);
    let found = palette::series(1).with_width(1.4).with_dashes(&[]);
    let average = recall.with_width(1.2).with_dashes(&[5.0, 3.0]);
    [recall, found, average]
}

/// Draws the two curves of a single run, dynamic recall and relevant documents found, with their
/// axes, and the line of the average dynamic recall.
fn curves_of_one_run(curve: &RecallCurve, plot: &RecallPlot, unit: &Ticks) -> Vec<Shape> {
    let [recall, found, average] = strokes_of_one_run();
    let documents = curve.relevant_found();
    let most = documents.last().copied().unwrap_or(0.0);
    let counts = Ticks::counts(most, GRID_INTERVALS);
    let secondary = plot.secondary_scale(counts.last());
    let points = plot.steps(&documents, secondary);
    let label = average_label(
        curve.adr(),
        plot,
        &[&plot.points_at_positions(&curve.recall), &points],
    );
    let mut shapes = vec![plot.clipped(vec![
        horizontal_line(plot.y.at(curve.adr()), &plot.area, average),
        Shape::Polyline(points, found),
        plot.curve(&curve.recall, recall, (0, 1)),
    ])];
    shapes.extend(plot.dots(&curve.recall, recall.colour));
    shapes.push(label.coloured(recall.colour).into());
    let left = SideAxis::left(secondary, &counts, "relevant documents found");
    let right = SideAxis::right(plot.y, unit, "dynamic recall");
    shapes.extend(left.coloured(found.colour).shapes(&plot.area));
    shapes.extend(right.coloured(recall.colour).shapes(&plot.area));
    shapes
}

/// Labels the line of the average dynamic recall with its value, at the place farthest from the
/// curves.
fn average_label(adr: f64, plot: &RecallPlot, curves: &[&[Point]]) -> Text {
    let words = Text::new(
        format!("ADR {}", three_decimals(adr)),
        (0.0, 0.0),
        TICK_SIZE,
    );
    let (words_width, y) = (words.width(), plot.y.at(adr));
    let ends = (plot.area.left + 6.0, plot.area.right() - 6.0 - words_width);
    let middle = (ends.0 + ends.1) / 2.0;
    let mut best = (f64::NEG_INFINITY, (ends.1, y));
    for left in [ends.1, ends.0, middle] {
        for baseline in [y - 5.0, y + 13.0] {
            let centre = baseline - 0.35 * TICK_SIZE;
            let inside = baseline < plot.area.bottom() - 2.0 && centre > plot.area.top + 5.0;
            let stretches = curves.iter().flat_map(|curve| curve.windows(2));
            let distance = stretches
                .filter(|pair| pair[1].x >= left - 4.0 && pair[0].x <= left + words_width + 4.0)
                .map(|pair| {
                    let (low, high) = (pair[0].y.min(pair[1].y), pair[0].y.max(pair[1].y));
                    (low - centre).max(centre - high).max(0.0)
                })
                // All distances of 18 or more are equally good.
                .fold(18.0, f64::min);
            if inside && distance > best.0 {
                best = (distance, (left, baseline));
            }
        }
    }
    Text {
        at: best.1.into(),
        ..words.with_halo()
    }
}

/// Draws the recall curves of several runs, with a shared axis.
fn curves_of_runs(
    panel: &RecallPanel,
    styles: &RunStyles,
    plot: &RecallPlot,
    unit: &Ticks,
) -> Vec<Shape> {
    let many = panel.curves.len();
    let mut shapes = vec![plot.clipped(styles.curves(|number, stroke| {
        let curve = &panel.curves[number];
        let mut drawn = vec![plot.curve(&curve.recall, stroke, (number, many))];
        if styles.numbers[number].is_some() {
            drawn.extend(plot.dots(&curve.recall, stroke.colour));
        }
        Some((curve.in_words(), drawn))
    }))];
    shapes.extend(SideAxis::left(plot.y, unit, "dynamic recall").shapes(&plot.area));
    shapes
}

/// Draws the size of the ground truth above the position at which it ends.
fn ground_truth_note(panel: &RecallPanel, plot: &RecallPlot) -> Option<Shape> {
    let words = ground_truth_in_words(panel)?;
    let last = panel.group_ends.last().copied()?.min(panel.positions());
    let end = plot.x.at(last as f64 + 0.5);
    let note = Text::new(words, (end, plot.area.top - 20.0), NOTE_FONT_SIZE).quiet();
    let has_room = end - note.width() >= plot.area.left;
    let anchor = if has_room { Anchor::End } else { Anchor::Start };
    Some(note.anchored(anchor).into())
}

fn ground_truth_in_words(panel: &RecallPanel) -> Option<String> {
    let documents = plural(*panel.group_ends.last()?, "document");
    let groups = plural(panel.group_ends.len(), "group");
    Some(format!("ground truth: {documents} in {groups}"))
}

fn description(panel: &RecallPanel) -> String {
    let positions = panel.positions();
    let mut words = format!("Dynamic recall over {positions} positions of the result list.");
    if let Some(truth) = ground_truth_in_words(panel) {
        words += &format!(" Size of the {truth}.");
    }
    words + &format!(" Average dynamic recall: {}.", panel.averages())
}
