//! Plot of one quantity.

use super::boxes::notched_box;
use crate::figure::canvas::scene::{AXIS, Area, Shape};
use crate::figure::plot::axes::{Scale, SideAxis, ends_around, gridlines, horizontal_line, range};
use crate::figure::plot::box_summary::BoxSummary;
use crate::figure::plot::ticks::Ticks;

/// Approximate number of ticks on an axis.
const TICKS: usize = 6;

/// Panel with the summaries of its samples.
pub(super) struct PanelPlot<'a> {
    pub(super) label: &'a str,
    /// Summary per category; `None` for an empty sample.
    pub(super) summaries: Vec<Option<BoxSummary>>,
    /// Values at the ends of the axis.
    ends: (f64, f64),
    ticks: Ticks,
}

impl<'a> PanelPlot<'a> {
    pub(super) fn new((label, samples): &'a (String, Vec<Vec<f64>>)) -> Self {
        let summaries = samples.iter().map(|sample| BoxSummary::from_values(sample));
        let summaries: Vec<_> = summaries.collect();
        let ranges = summaries.iter().flatten().map(|summary| summary.range);
        let around = range(ranges.flat_map(|(least, greatest)| [least, greatest]));
        let ends = around.map_or((0.0, 1.0), |(low, high)| ends_around(low, high));
        Self {
            label,
            summaries,
            ends,
            ticks: Ticks::between(ends.0, ends.1, TICKS),
        }
    }

    /// Returns the axis at the left.
    fn axis(&self, scale: Scale) -> SideAxis<'_> {
        SideAxis::left(scale, &self.ticks, self.label)
    }

    /// Returns the width of the axis with its tick labels.
    pub(super) fn axis_width(&self) -> f64 {
        self.axis(Scale::new((0.0, 1.0), (0.0, 1.0))).width()
    }

    /// Returns the size of each sample.
    pub(super) fn numbers(&self) -> impl Iterator<Item = usize> {
        let counts = self.summaries.iter();
        counts.map(|summary| summary.as_ref().map_or(0, |summary| summary.count))
    }

    /// Draws the plot without category names.
    pub(super) fn shapes(&self, area: &Area, categories: &[String]) -> Vec<Shape> {
        let scale = Scale::new(self.ends, (area.bottom(), area.top));
        let mut shapes = gridlines(area, scale, &self.ticks);
        let slot = area.width / categories.len() as f64;
        for (index, (category, summary)) in categories.iter().zip(&self.summaries).enumerate() {
            if let Some(summary) = summary {
                let middle = area.left + (index as f64 + 0.5) * slot;
                let title = format!("{category}: {}", summary.in_words());
                shapes.push(Shape::titled(
                    title,
                    notched_box(summary, middle, slot, scale),
                ));
            }
        }
        shapes.extend(self.axis(scale).shapes(area));
        shapes.push(horizontal_line(area.bottom(), area, AXIS));
        shapes
    }
}
