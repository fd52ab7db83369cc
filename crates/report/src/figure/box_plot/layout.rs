//! Layout of the panels, and category names below them.

use super::BoxPlots;
use super::panel::PanelPlot;
use crate::figure::canvas::caption::MARGIN;
use crate::figure::canvas::scene::{Area, Shape, Text};
use crate::figure::canvas::text_metrics::widest;
use crate::figure::plot::panels::Panels;

/// Width of a figure with a typical amount of data.
const USUAL_WIDTH: f64 = 720.0;
const LEAST_WIDTH: f64 = 420.0;
/// Maximum width, used if it avoids vertical category names.
const MOST_WIDTH: f64 = 860.0;
/// Font size of category names and sample sizes.
const SIZE: f64 = 9.5;
const PLOT_HEIGHT: f64 = 240.0;
const COLUMN_GAP: f64 = 14.0;
const ROW_GAP: f64 = 20.0;
const MOST_COLUMNS: usize = 3;
/// Maximum width of the slot of a box.
const WIDEST_SLOT: f64 = 110.0;
/// Minimum width of a slot with a vertical name.
const NARROWEST_SLOT: f64 = 15.0;
/// Minimum slot width at which vertical names are as readable as horizontal ones.
const ROOMY_SLOT_DOWN: f64 = 24.0;
const NAME_GAP: f64 = 4.0;
const LONGEST_NAME_DOWN: f64 = 180.0;
const LONGEST_NAME_ACROSS: f64 = 100.0;
const LINE: f64 = 15.0;

pub(super) struct Layout {
    pub(super) panels: Panels,
    /// True if category names are vertical.
    down: bool,
    /// Heights of the category names and of the sample sizes below a plot.
    names: f64,
    numbers: f64,
    /// Common size of all samples, shown once above the plots; `None` if the sizes differ.
    pub(super) same_number: Option<usize>,
}

impl Layout {
    pub(super) fn new(plots: &BoxPlots, panels: &[PanelPlot]) -> Self {
        let categories = plots.categories.len() as f64;
        let before = panels.iter().map(PanelPlot::axis_width).fold(0.0, f64::max);
        let name = widest(&plots.categories, SIZE);
        let mut numbers = panels.iter().flat_map(PanelPlot::numbers);
        let first = numbers.next();
        let same_number = first.filter(|first| numbers.all(|number| number == *first));
        let words = panels.iter().flat_map(PanelPlot::numbers).map(in_words);
        let number = same_number.map_or_else(|| widest(words, SIZE), |_| 0.0);
        let share = |width: f64, columns: usize| {
            let gaps = COLUMN_GAP * (columns - 1) as f64;
            (width - 2.0 * MARGIN - gaps) / columns as f64 - before
        };
        let plot_width = |columns: usize| share(USUAL_WIDTH, columns).min(WIDEST_SLOT * categories);
        let most_width = |columns: usize| share(MOST_WIDTH, columns);
        let fits = |columns: usize, slot: f64| plot_width(columns) >= slot * categories;
        let most = match panels.len() {
            4 => 2,
            many => many.clamp(1, MOST_COLUMNS),
        };
        let most_with = |slot: f64| (1..=most).rev().find(|columns| fits(*columns, slot));
        let across = name.min(LONGEST_NAME_ACROSS).max(number) + NAME_GAP;
        // Prefer vertical names if they have enough space and horizontal names would leave an empty
        // place in the last row of panels.
        let wider = Some(most).filter(|columns| most_width(*columns) >= across * categories);
        let columns_across = wider.or_else(|| most_with(across)).filter(|columns| {
            let hole = !panels.len().is_multiple_of(*columns);
            !(hole && fits(most, ROOMY_SLOT_DOWN))
        });
        let columns = columns_across.or_else(|| most_with(NARROWEST_SLOT));
        let columns = columns.unwrap_or(1);
        let least_slot = columns_across.map_or(NARROWEST_SLOT, |_| across);
        let width = plot_width(columns)
            .max(least_slot * categories)
            .max(share(LEAST_WIDTH, columns));
        let down = columns_across.is_none();
        let (names, numbers) = match (down, same_number) {
            (true, None) => (name.min(LONGEST_NAME_DOWN) + 6.0, number + 10.0),
            (true, Some(_)) => (name.min(LONGEST_NAME_DOWN) + 6.0, 0.0),
            (false, None) => (LINE, LINE),
            (false, Some(_)) => (LINE, 0.0),
        };
        let panels = Panels {
            columns,
            rows: panels.len().div_ceil(columns),
            left: MARGIN,
            top: 0.0,
            before,
            above: 0.0,
            plot: (width, PLOT_HEIGHT),
            height: PLOT_HEIGHT + names + numbers + 6.0,
            gaps: (COLUMN_GAP, ROW_GAP),
        };
        Self {
            panels,
            down,
            names,
            numbers,
            same_number,
        }
    }

    /// Draws the category names and sample sizes below a plot.
    pub(super) fn names_and_numbers(
        &self,
        area: &Area,
        categories: &[String],
        panel: &PanelPlot,
    ) -> Vec<Shape> {
        let slot = area.width / categories.len() as f64;
        let mut shapes = Vec::new();
        let numbers = panel.numbers().map(in_words);
        for (index, (category, number)) in categories.iter().zip(numbers).enumerate() {
            let middle = area.left + (index as f64 + 0.5) * slot;
            let (name, number) = if self.down {
                // The rotated text runs upwards and ends at the axis.
                let x = middle + 0.36 * SIZE;
                let words = |text: &str, y: f64| Text::new(text, (x, y), SIZE).end().upwards();
                let below = area.bottom() + 6.0;
                let name = words(category, below + self.numbers);
                (name.fitted(LONGEST_NAME_DOWN), words(&number, below))
            } else {
                let words = |text: &str, y: f64| Text::new(text, (middle, y), SIZE).middle();
                let below = area.bottom() + 4.0 + SIZE;
                let name = words(category, below).fitted(slot - NAME_GAP);
                (name, words(&number, below + self.names))
            };
            shapes.push(name.into());
            if self.same_number.is_none() {
                shapes.push(number.quiet().into());
            }
        }
        shapes
    }
}

fn in_words(number: usize) -> String {
    format!("n = {number}")
}
