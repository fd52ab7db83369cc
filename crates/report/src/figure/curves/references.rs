//! Dotted lines across a chart, and their labels.

use super::super::palette;
use super::super::scene::{Anchor, Area, Colour, Point, QUIET, Shape, Stroke, Text};
use super::panel::{Chart, SIDE};
use super::{CurvePanel, in_words};

const SIZE: f64 = 9.5;
/// Between a line and its label.
const GAP: f64 = 3.0;
/// The longest label, as a share of the width of the panel.
const LONGEST: f64 = 0.6;
/// Around the points of a curve.
const NEAR: f64 = 4.0;

/// The line of each reference.
pub(super) fn lines(panel: &CurvePanel, chart: &Chart) -> Vec<Shape> {
    let lines = panel.references.iter().map(|(value, label)| {
        let y = chart.y(*value);
        Shape::Group {
            title: Some(format!("{label}: {}", in_words(*value, chart.percent))),
            clip: None,
            shapes: vec![Shape::Line {
                from: Point::new(chart.area.left, y),
                to: Point::new(chart.area.right(), y),
                stroke: Stroke::solid(colour(chart, label), 1.1).dashed(&[1.5, 2.5]),
            }],
        }
    });
    lines.collect()
}

/// One that is named as a curve has its colour.
fn colour(chart: &Chart, label: &str) -> Colour {
    let number = chart.series(label);
    number.map_or(QUIET, |number| palette::series(number).colour)
}

/// The labels that have room beside their line, each where it hides least of the
/// curves; who points at a line reads its label anyhow.
pub(super) fn labels(panel: &CurvePanel, chart: &Chart, curves: &[&[Point]]) -> Vec<Shape> {
    let area = &chart.area;
    let mut taken: Vec<Area> = Vec::new();
    let mut shapes = Vec::new();
    for (value, label) in &panel.references {
        let y = chart.y(*value);
        let ends = [
            (area.right() - SIDE, Anchor::End),
            (area.left + SIDE, Anchor::Start),
        ];
        let places = [y - GAP, y + GAP + 0.75 * SIZE]
            .into_iter()
            .flat_map(|baseline| ends.map(|(x, anchor)| (Point::new(x, baseline), anchor)));
        let text = Text::new(label, Point::new(0.0, y), SIZE)
            .coloured(colour(chart, label))
            .with_halo()
            .fitted(LONGEST * area.width);
        let candidates = places.map(|(at, anchor)| Text {
            at,
            anchor,
            ..text.clone()
        });
        let best = candidates
            .filter(|text| {
                let extent = text.extent();
                let inside = extent.top >= area.top && extent.bottom() <= area.bottom();
                // Beside another line it would be taken for the label of that.
                let mut others = panel.references.iter().filter(|other| other.0 != *value);
                let beside_another = others.any(|(other, _)| {
                    (extent.top - GAP..=extent.bottom() + GAP).contains(&chart.y(*other))
                });
                inside && !beside_another && !taken.iter().any(|other| extent.meets(other))
            })
            .min_by_key(|text| hidden(&text.extent().grown(NEAR), curves));
        if let Some(text) = best {
            taken.push(text.extent().grown(1.0));
            shapes.push(Shape::Text(text));
        }
    }
    shapes
}

/// How much of the curves a label would hide: their points in it, and the lines
/// that pass through it.
fn hidden(area: &Area, curves: &[&[Point]]) -> usize {
    let inside = |point: &Point| {
        (area.left..=area.right()).contains(&point.x)
            && (area.top..=area.bottom()).contains(&point.y)
    };
    // Places along each stretch are as good as the stretch.
    let along = |pair: &[Point]| {
        let places = (0..=16).map(|step| {
            let share = f64::from(step) / 16.0;
            Point::new(
                pair[0].x + share * (pair[1].x - pair[0].x),
                pair[0].y + share * (pair[1].y - pair[0].y),
            )
        });
        places.filter(inside).count()
    };
    let of_curve = |curve: &&[Point]| match curve {
        [point] => usize::from(inside(point)),
        _ => curve.windows(2).map(along).sum(),
    };
    curves.iter().map(of_curve).sum()
}
