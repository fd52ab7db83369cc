//! Where the panels stand, and the names of the categories below them.

use super::super::axes::TICK_SIZE;
use super::super::caption::MARGIN;
use super::super::scene::{Anchor, Area, Point, QUIET, Shape, Text};
use super::super::typeface;
use super::data::BoxPlots;
use super::panel::PanelPlot;

/// The figure is as wide as this, unless there is little or very much to show.
const USUAL_WIDTH: f64 = 720.0;
const LEAST_WIDTH: f64 = 420.0;
const TOP: f64 = 44.0;
const PLOT_HEIGHT: f64 = 240.0;
const COLUMN_GAP: f64 = 14.0;
const ROW_GAP: f64 = 20.0;
const MOST_COLUMNS: usize = 3;
/// A box has at most this much room.
const WIDEST_SLOT: f64 = 110.0;
/// And at least this much, where names run downwards.
const NARROWEST_SLOT: f64 = 15.0;
/// With this much, names that run downwards are as good as others.
const ROOMY_SLOT_DOWN: f64 = 24.0;
const NAME_GAP: f64 = 6.0;
const LONGEST_NAME_DOWN: f64 = 110.0;
const LONGEST_NAME_ACROSS: f64 = 100.0;
const SIZE: f64 = TICK_SIZE;
const LINE: f64 = 15.0;

pub(super) struct Layout {
    columns: usize,
    rows: usize,
    plot_width: f64,
    /// The room for the axis at the left of each panel.
    axis: f64,
    /// Whether the names of the categories run downwards.
    down: bool,
    /// The heights of the names and of the numbers below a plot.
    names: f64,
    numbers: f64,
}

impl Layout {
    pub(super) fn new(plots: &BoxPlots, panels: &[PanelPlot]) -> Self {
        let categories = plots.categories.len();
        let axis = panels.iter().map(PanelPlot::axis_width).fold(0.0, f64::max);
        let name = widest(plots.categories.iter().map(String::as_str));
        let numbers: Vec<String> = panels.iter().flat_map(numbers).collect();
        let number = widest(numbers.iter().map(String::as_str));

        let plot_width = |columns: usize| {
            let gaps = COLUMN_GAP * (columns - 1) as f64;
            let room = USUAL_WIDTH - 2.0 * MARGIN - gaps;
            (room / columns as f64 - axis).min(WIDEST_SLOT * categories as f64)
        };
        let fits = |columns: usize, slot: f64| plot_width(columns) >= slot * categories as f64;
        let most = match panels.len() {
            4 => 2,
            many => many.clamp(1, MOST_COLUMNS),
        };
        let to_fill = |columns: usize| {
            let gaps = COLUMN_GAP * (columns - 1) as f64;
            (LEAST_WIDTH - 2.0 * MARGIN - gaps) / columns as f64 - axis
        };
        let across = name.min(LONGEST_NAME_ACROSS).max(number) + NAME_GAP;
        let columns_across = (1..=most).rev().find(|columns| fits(*columns, across));
        // Rather than to leave a hole in the last row, names run downwards.
        let columns_across = columns_across.filter(|columns| {
            let hole = !panels.len().is_multiple_of(*columns);
            !(hole && fits(most, ROOMY_SLOT_DOWN))
        });
        let down = columns_across.is_none();
        let columns = columns_across
            .or_else(|| {
                (1..=most)
                    .rev()
                    .find(|columns| fits(*columns, NARROWEST_SLOT))
            })
            .unwrap_or(1);
        Self {
            columns,
            rows: panels.len().div_ceil(columns),
            plot_width: plot_width(columns)
                .max(NARROWEST_SLOT * categories as f64)
                .max(to_fill(columns)),
            axis,
            down,
            names: if down {
                name.min(LONGEST_NAME_DOWN) + 6.0
            } else {
                LINE
            },
            numbers: if down { number + 10.0 } else { LINE },
        }
    }

    pub(super) fn width(&self) -> f64 {
        let panels = self.columns as f64 * (self.axis + self.plot_width + COLUMN_GAP);
        panels - COLUMN_GAP + 2.0 * MARGIN
    }

    fn panel_height(&self) -> f64 {
        PLOT_HEIGHT + self.names + self.numbers + 6.0
    }

    pub(super) fn bottom(&self) -> f64 {
        TOP + self.rows as f64 * (self.panel_height() + ROW_GAP) - ROW_GAP
    }

    /// The plot of a panel.
    pub(super) fn area(&self, index: usize) -> Area {
        let (row, column) = (index / self.columns, index % self.columns);
        let across = self.axis + self.plot_width + COLUMN_GAP;
        Area {
            left: MARGIN + self.axis + column as f64 * across,
            top: TOP + row as f64 * (self.panel_height() + ROW_GAP),
            width: self.plot_width,
            height: PLOT_HEIGHT,
        }
    }

    /// Below a plot, the names of the categories and the sizes of the samples.
    pub(super) fn names_and_numbers(
        &self,
        area: &Area,
        categories: &[String],
        panel: &PanelPlot,
    ) -> Vec<Shape> {
        let slot = area.width / categories.len() as f64;
        let mut shapes = Vec::new();
        let numbers = numbers(panel);
        for (index, (category, number)) in categories.iter().zip(numbers).enumerate() {
            let middle = area.left + (index as f64 + 0.5) * slot;
            let (name, number) = if self.down {
                // Read from the right, the words end at the axis.
                let x = middle + 0.36 * SIZE;
                let words = |text: &str, y: f64| {
                    let text = Text::new(text, Point::new(x, y), SIZE);
                    text.anchored(Anchor::End).turned(-90.0)
                };
                let below = area.bottom() + 6.0;
                (
                    words(category, below + self.numbers).fitted(LONGEST_NAME_DOWN),
                    words(&number, below),
                )
            } else {
                let words = |text: &str, y: f64| {
                    Text::new(text, Point::new(middle, y), SIZE).anchored(Anchor::Middle)
                };
                let below = area.bottom() + 4.0 + SIZE;
                (
                    words(category, below).fitted(slot - NAME_GAP),
                    words(&number, below + self.names),
                )
            };
            shapes.push(Shape::Text(name));
            shapes.push(Shape::Text(number.coloured(QUIET)));
        }
        shapes
    }
}

fn widest<'a>(texts: impl Iterator<Item = &'a str>) -> f64 {
    texts
        .map(|text| typeface::width(text, SIZE, false))
        .fold(0.0, f64::max)
}

/// The size of each sample of a panel.
fn numbers(panel: &PanelPlot) -> Vec<String> {
    let counts = panel.summaries.iter().map(|summary| {
        let count = summary.as_ref().map_or(0, |summary| summary.count);
        format!("n = {count}")
    });
    counts.collect()
}
