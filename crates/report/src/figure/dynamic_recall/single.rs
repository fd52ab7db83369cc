//! One query in one large plot.

use super::super::axes::{
    LABEL_SIZE, Side, SideAxis, TICK_SIZE, bottom_axis, gridlines, position_ticks,
};
use super::super::legend::{Entry, Legend, Sample};
use super::super::palette;
use super::super::recall::{RecallCurve, RecallPanel};
use super::super::recall_plot::{RecallPlot, three_decimals};
use super::super::scene::{Anchor, Area, Figure, INK, Point, QUIET, Shape, Stroke, Text};
use super::super::ticks::Ticks;

const WIDTH: f64 = 720.0;
const PLOT_HEIGHT: f64 = 280.0;
const INTERVALS: u32 = 5;
const SMALL: f64 = 10.5;

pub(super) fn figure(panel: &RecallPanel) -> Figure {
    let alone = match panel.curves() {
        [curve] => Some(curve),
        _ => None,
    };
    let (left, right) = (66.0, if alone.is_some() { 58.0 } else { 20.0 });
    let width = WIDTH - left - right;

    let mut shapes = vec![Shape::Text(
        Text::new(panel.query(), Point::new(left, 24.0), 14.0)
            .bold()
            .fitted(width),
    )];
    let mut top = 34.0;
    if let Some(curve) = alone {
        shapes.push(Shape::Text(
            Text::new(curve.run(), Point::new(left, 41.0), LABEL_SIZE)
                .coloured(QUIET)
                .fitted(width),
        ));
        top = 52.0;
    }
    let legend = legend(panel, alone, WIDTH - left - 16.0);
    shapes.extend(legend.shapes(Point::new(left, top)));

    let area = Area {
        left,
        top: top + legend.height() + 26.0,
        width,
        height: PLOT_HEIGHT,
    };
    let plot = RecallPlot::new(area, panel.positions(), panel.curves().len());
    let unit = Ticks::unit(INTERVALS);
    shapes.extend(gridlines(&area, plot.y, &unit));
    shapes.extend(plot.groups(panel.group_ends()));
    shapes.extend(ground_truth_note(panel, &plot));
    match alone {
        Some(curve) => shapes.extend(both_curves(curve, &plot, &unit)),
        None => shapes.extend(many_curves(panel, &plot, &unit)),
    }
    let ticks = position_ticks(panel.positions(), width, TICK_SIZE);
    shapes.extend(bottom_axis(&area, plot.x, &ticks, TICK_SIZE));
    let below = Point::new(left + width / 2.0, area.bottom() + 36.0);
    shapes.push(Shape::Text(
        Text::new("position in the result list", below, LABEL_SIZE).anchored(Anchor::Middle),
    ));

    Figure {
        title: title(panel, alone),
        description: description(panel),
        width: WIDTH,
        height: below.y + 14.0,
        shapes,
    }
}

/// The lines of the figure with one run: recall, documents found, average.
fn strokes_of_one_run() -> [Stroke; 3] {
    let recall = palette::series(0).wide(2.0);
    let found = palette::series(1).wide(1.4).dashed(&[]);
    let average = recall.wide(1.2).dashed(&[5.0, 3.0]);
    [recall, found, average]
}

fn legend(panel: &RecallPanel, alone: Option<&RecallCurve>, width: f64) -> Legend {
    if alone.is_none() {
        let entries = panel
            .curves()
            .iter()
            .enumerate()
            .map(|(number, curve)| Entry {
                sample: Sample::Line(palette::series(number)),
                name: curve.run().to_owned(),
                value: Some(three_decimals(curve.adr())),
            });
        return Legend::new(entries.collect(), Some("ADR"), width);
    }
    let names = [
        "dynamic recall (right)",
        "relevant documents found (left)",
        "average dynamic recall (ADR)",
    ];
    let entries = strokes_of_one_run().into_iter().zip(names);
    let entries = entries.map(|(stroke, name)| Entry {
        sample: Sample::Line(stroke),
        name: name.to_owned(),
        value: None,
    });
    Legend::new(entries.collect(), None, width)
}

fn both_curves(curve: &RecallCurve, plot: &RecallPlot, unit: &Ticks) -> Vec<Shape> {
    let [recall, found, average] = strokes_of_one_run();
    let documents = curve.found();
    let most = documents.last().copied().unwrap_or(0.0);
    let counts = Ticks::counts(most, INTERVALS);
    let beside = plot.beside(counts.last());
    let y = plot.y.at(curve.adr());
    let recall_places = plot.places(curve.recall());
    let found_corners = plot.steps(&documents, beside);
    let label = average_label(curve.adr(), plot, &[&recall_places, &found_corners]);
    let mut shapes = vec![plot.clipped(vec![
        Shape::Line {
            from: Point::new(plot.area.left, y),
            to: Point::new(plot.area.right(), y),
            stroke: average,
        },
        Shape::Polyline {
            points: found_corners,
            stroke: found,
        },
        plot.curve(curve.recall(), recall, (0, 1)),
        Shape::Text(label.coloured(recall.colour)),
    ])];
    let left = SideAxis {
        side: Side::Left,
        scale: beside,
        ticks: &counts,
        label: "relevant documents found",
        colour: found.colour,
    };
    let right = SideAxis {
        side: Side::Right,
        scale: plot.y,
        ticks: unit,
        label: "dynamic recall",
        colour: recall.colour,
    };
    shapes.extend(left.shapes(&plot.area));
    shapes.extend(right.shapes(&plot.area));
    shapes
}

/// The value at the line of the average, where the curves leave most room.
fn average_label(adr: f64, plot: &RecallPlot, curves: &[&[Point]]) -> Text {
    let words = Text::new(
        format!("ADR {}", three_decimals(adr)),
        Point::new(0.0, 0.0),
        TICK_SIZE,
    );
    let (words_width, y) = (words.width(), plot.y.at(adr));
    let ends = (plot.area.left + 6.0, plot.area.right() - 6.0 - words_width);
    let middle = (ends.0 + ends.1) / 2.0;
    let mut best = (f64::NEG_INFINITY, Point::new(ends.1, y));
    for left in [ends.1, ends.0, middle] {
        for baseline in [y - 5.0, y + 13.0] {
            let centre = baseline - 0.35 * TICK_SIZE;
            let inside = baseline < plot.area.bottom() - 2.0 && centre > plot.area.top + 5.0;
            let room = curves
                .iter()
                .flat_map(|curve| curve.windows(2))
                .filter(|pair| pair[1].x >= left - 4.0 && pair[0].x <= left + words_width + 4.0)
                .map(|pair| {
                    let (low, high) = (pair[0].y.min(pair[1].y), pair[0].y.max(pair[1].y));
                    (low - centre).max(centre - high).max(0.0)
                })
                // Beyond this, more room is no better.
                .fold(18.0, f64::min);
            if inside && room > best.0 {
                best = (room, Point::new(left, baseline));
            }
        }
    }
    Text {
        at: best.1,
        ..words.with_halo()
    }
}

fn many_curves(panel: &RecallPanel, plot: &RecallPlot, unit: &Ticks) -> Vec<Shape> {
    let many = panel.curves().len();
    let curves = panel.curves().iter().enumerate().map(|(number, curve)| {
        let adr = three_decimals(curve.adr());
        Shape::Group {
            title: Some(format!("{}: ADR {adr}", curve.run())),
            clip: None,
            shapes: vec![plot.curve(curve.recall(), palette::series(number), (number, many))],
        }
    });
    let mut shapes = vec![plot.clipped(curves.collect())];
    let axis = SideAxis {
        side: Side::Left,
        scale: plot.y,
        ticks: unit,
        label: "dynamic recall",
        colour: INK,
    };
    shapes.extend(axis.shapes(&plot.area));
    shapes
}

/// The size of the ground truth, above its end.
fn ground_truth_note(panel: &RecallPanel, plot: &RecallPlot) -> Option<Shape> {
    let words = ground_truth_in_words(panel)?;
    let last = panel.group_ends().last().copied()?.min(panel.positions());
    let end = plot.x.at(last as f64 + 0.5);
    let note = Text::new(words, Point::new(end, plot.area.top - 11.0), SMALL).coloured(QUIET);
    let anchor = if end - note.width() < plot.area.left {
        Anchor::Start
    } else {
        Anchor::End
    };
    Some(Shape::Text(note.anchored(anchor)))
}

fn ground_truth_in_words(panel: &RecallPanel) -> Option<String> {
    let groups = panel.group_ends().len();
    let documents = panel.group_ends().last()?;
    let plural = |number| if number == 1 { "" } else { "s" };
    Some(format!(
        "ground truth: {documents} document{} in {groups} group{}",
        plural(*documents),
        plural(groups)
    ))
}

fn title(panel: &RecallPanel, alone: Option<&RecallCurve>) -> String {
    match alone {
        Some(curve) => format!("Dynamic recall of {} for {}", curve.run(), panel.query()),
        None => format!("Dynamic recall for {}", panel.query()),
    }
}

fn description(panel: &RecallPanel) -> String {
    let mut words = format!(
        "Dynamic recall over {} positions of the result list.",
        panel.positions()
    );
    if let Some(truth) = ground_truth_in_words(panel) {
        words += &format!(" Size of the {truth}.");
    }
    let averages: Vec<String> = panel
        .curves()
        .iter()
        .map(|curve| format!("{} {}", curve.run(), three_decimals(curve.adr())))
        .collect();
    words + &format!(" Average dynamic recall: {}.", averages.join(", "))
}
