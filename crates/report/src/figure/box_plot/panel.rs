//! Box plot panel of one quantity: a box per category and a y axis.

use super::boxes::notched_box;
use crate::figure::canvas::scene::{AXIS_STROKE, Area, Shape};
use crate::figure::plot::axes::{Scale, SideAxis, ends_around, gridlines, horizontal_line, range};
use crate::figure::plot::box_summary::BoxSummary;
use crate::figure::plot::ticks::Ticks;

/// Approximate number of ticks on the y axis.
const APPROXIMATE_TICK_COUNT: usize = 6;

/// Panel of one quantity with the summary statistics of its samples.
pub(super) struct PanelPlot<'a> {
    pub(super) label: &'a str,
    /// Summary statistics of the sample of each category; `None` for an empty sample.
    pub(super) summaries: Vec<Option<BoxSummary>>,
    /// Values at the lower and upper end of the y axis.
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
            ticks: Ticks::between(ends.0, ends.1, APPROXIMATE_TICK_COUNT),
        }
    }

    /// Returns the y axis, at the left of the panel.
    fn axis(&self, scale: Scale) -> SideAxis<'_> {
        SideAxis::left(scale, &self.ticks, self.label)
    }

    /// Returns the width of the y axis with its label and tick labels.
    pub(super) fn axis_width(&self) -> f64 {
        self.axis(Scale::new((0.0, 1.0), (0.0, 1.0))).width()
    }

    /// Returns the number of values in the sample of each category.
    pub(super) fn sample_sizes(&self) -> impl Iterator<Item = usize> {
        let counts = self.summaries.iter();
        counts.map(|summary| summary.as_ref().map_or(0, |summary| summary.count))
    }

    /// Draws the grid lines, boxes and axes of the panel. The category names below it are drawn by
    /// [`Layout`](super::layout::Layout); here they only appear in tooltips.
    pub(super) fn shapes(&self, area: &Area, categories: &[String]) -> Vec<Shape> {
        let scale = Scale::new(self.ends, (area.bottom(), area.top));
        let mut shapes = gridlines(area, scale, &self.ticks);
        let slot = area.width / categories.len() as f64;
        for (index, (category, summary)) in categories.iter().zip(&self.summaries).enumerate() {
            if let Some(summary) = summary {
                let middle = area.left + (index as f64 + 0.5) * slot;
                let title = format!("{category}: {}", summary.in_words());
                shapes.push(Shape::with_tooltip(
                    title,
                    notched_box(summary, middle, slot, scale),
                ));
            }
        }
        shapes.extend(self.axis(scale).shapes(area));
        shapes.push(horizontal_line(area.bottom(), area, AXIS_STROKE));
        shapes
    }
}
