//! Dotted lines across a chart, and their labels.

use super::super::axes::across;
use super::super::palette;
use super::super::scene::{Anchor, Area, Colour, Point, QUIET, Shape, Stroke, Text};
use super::in_words;
use super::panel::{Chart, SIDE};

const SIZE: f64 = 9.5;
/// Between a line and its label.
const GAP: f64 = 3.0;
/// The longest label, as a share of the width of the panel.
const LONGEST: f64 = 0.6;
/// Around the points of a curve.
const NEAR: f64 = 4.0;

impl Chart<'_> {
    /// The line of each reference.
    pub(super) fn references(&self) -> Vec<Shape> {
        let line = |(value, label): &(f64, String)| {
            let stroke = Stroke::solid(self.reference_colour(label), 1.1).dashed(&[1.5, 2.5]);
            let title = format!("{label}: {}", in_words(*value, self.percent));
            Shape::titled(title, vec![across(self.y(*value), &self.area, stroke)])
        };
        self.panel.references.iter().map(line).collect()
    }

    /// One that is named as a curve has its colour.
    fn reference_colour(&self, label: &str) -> Colour {
        let number = self.series(label);
        number.map_or(QUIET, |number| palette::series(number).colour)
    }

    /// The labels that have room beside their line, each where it hides least of the
    /// curves; who points at a line reads its label anyhow.
    pub(super) fn reference_labels(&self, curves: &[&[Point]]) -> Vec<Shape> {
        let (area, references) = (&self.area, &self.panel.references);
        let ends = [
            (area.right() - SIDE, Anchor::End),
            (area.left + SIDE, Anchor::Start),
        ];
        let mut taken: Vec<Area> = Vec::new();
        let mut shapes = Vec::new();
        for (value, label) in references {
            let y = self.y(*value);
            let text = Text::new(label, (0.0, y), SIZE).with_halo();
            let text = text.coloured(self.reference_colour(label));
            let text = text.fitted(LONGEST * area.width);
            let baselines = [y - GAP, y + GAP + 0.75 * SIZE].into_iter();
            let candidates = baselines.flat_map(|baseline| {
                ends.map(|(x, anchor)| Text {
                    at: (x, baseline).into(),
                    anchor,
                    ..text.clone()
                })
            });
            let has_room = |text: &Text| {
                let extent = text.extent();
                let inside = extent.top >= area.top && extent.bottom() <= area.bottom();
                // Beside another line it would be taken for the label of that.
                let around = extent.top - GAP..=extent.bottom() + GAP;
                let mut others = references.iter().filter(|other| other.0 != *value);
                let beside_another = others.any(|(other, _)| around.contains(&self.y(*other)));
                inside && !beside_another && !taken.iter().any(|other| extent.meets(other))
            };
            let best = candidates
                .filter(has_room)
                .min_by_key(|text| hidden(&text.extent().grown(NEAR), curves));
            if let Some(text) = best {
                taken.push(text.extent().grown(1.0));
                shapes.push(text.into());
            }
        }
        shapes
    }
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
            let x = pair[0].x + share * (pair[1].x - pair[0].x);
            (x, pair[0].y + share * (pair[1].y - pair[0].y)).into()
        });
        places.filter(inside).count()
    };
    let of_curve = |curve: &&[Point]| match curve {
        [point] => usize::from(inside(point)),
        _ => curve.windows(2).map(along).sum(),
    };
    curves.iter().map(of_curve).sum()
}
