//! Layout of the panels of a box plot figure, and the category names below them.

use super::BoxPlots;
use super::panel::PanelPlot;
use crate::figure::canvas::caption::MARGIN;
use crate::figure::canvas::scene::{Area, Shape, Text};
use crate::figure::canvas::text_metrics::widest;
use crate::figure::plot::panels::Panels;

/// Figure width in figure units (CSS pixels), unless the names or the boxes need another width.
const USUAL_WIDTH: f64 = 720.0;
/// Minimum figure width.
const MIN_WIDTH: f64 = 420.0;
/// Maximum figure width. A figure is made this wide only if category names then fit horizontally.
const MAX_WIDTH: f64 = 860.0;
/// Font size of category names and sample sizes, in figure units.
const FONT_SIZE: f64 = 9.5;
const PLOT_HEIGHT: f64 = 240.0;
const COLUMN_GAP: f64 = 14.0;
const ROW_GAP: f64 = 20.0;
/// Maximum number of panels side by side.
const MAX_PANEL_COLUMNS: usize = 3;
/// Maximum width of the slot of one box on the x axis.
const MAX_SLOT_WIDTH: f64 = 110.0;
/// Minimum width of the slot of a box whose category name is vertical.
const MIN_SLOT_WIDTH: f64 = 15.0;
/// Minimum slot width at which vertical category names are preferred if horizontal ones would leave
/// the last row of panels incomplete.
const PREFERRED_VERTICAL_SLOT_WIDTH: f64 = 24.0;
/// Minimum distance between two horizontal category names.
const NAME_GAP: f64 = 4.0;
/// Maximum length of a vertical category name; longer names are shortened.
const MAX_VERTICAL_NAME_LENGTH: f64 = 180.0;
/// Maximum width that is reserved for a horizontal category name; a name that is longer than its
/// slot is shortened.
const MAX_HORIZONTAL_NAME_WIDTH: f64 = 100.0;
/// Line height of horizontal category names and sample sizes.
const LINE_HEIGHT: f64 = 15.0;

/// Sizes and positions of the panels of a box plot figure.
pub(super) struct Layout {
    pub(super) panels: Panels,
    /// True if category names are vertical.
    vertical_names: bool,
    /// Heights of the row of category names and of the row of sample sizes (`numbers`) below a
    /// plot.
    names: f64,
    numbers: f64,
    /// Size of every sample, shown once above the plots; `None` if the samples differ in size.
    pub(super) common_sample_size: Option<usize>,
}

impl Layout {
    pub(super) fn new(plots: &BoxPlots, panels: &[PanelPlot]) -> Self {
        let categories = plots.categories.len() as f64;
        let before = panels.iter().map(PanelPlot::axis_width).fold(0.0, f64::max);
        let name = widest(&plots.categories, FONT_SIZE);
        let mut numbers = panels.iter().flat_map(PanelPlot::sample_sizes);
        let first = numbers.next();
        let common_sample_size = first.filter(|first| numbers.all(|number| number == *first));
        let words = panels
            .iter()
            .flat_map(PanelPlot::sample_sizes)
            .map(sample_size_text);
        let number = common_sample_size.map_or_else(|| widest(words, FONT_SIZE), |_| 0.0);
        let share = |width: f64, columns: usize| {
            let gaps = COLUMN_GAP * (columns - 1) as f64;
            (width - 2.0 * MARGIN - gaps) / columns as f64 - before
        };
        let plot_width =
            |columns: usize| share(USUAL_WIDTH, columns).min(MAX_SLOT_WIDTH * categories);
        let most_width = |columns: usize| share(MAX_WIDTH, columns);
        let fits = |columns: usize, slot: f64| plot_width(columns) >= slot * categories;
        let most = match panels.len() {
            4 => 2,
            many => many.clamp(1, MAX_PANEL_COLUMNS),
        };
        let most_with = |slot: f64| (1..=most).rev().find(|columns| fits(*columns, slot));
        let across = name.min(MAX_HORIZONTAL_NAME_WIDTH).max(number) + NAME_GAP;
        // Prefer vertical names if they have enough space and horizontal names would leave an empty
        // place in the last row of panels.
        let wider = Some(most).filter(|columns| most_width(*columns) >= across * categories);
        let columns_across = wider.or_else(|| most_with(across)).filter(|columns| {
            let hole = !panels.len().is_multiple_of(*columns);
            !(hole && fits(most, PREFERRED_VERTICAL_SLOT_WIDTH))
        });
        let columns = columns_across.or_else(|| most_with(MIN_SLOT_WIDTH));
        let columns = columns.unwrap_or(1);
        let least_slot = columns_across.map_or(MIN_SLOT_WIDTH, |_| across);
        let width = plot_width(columns)
            .max(least_slot * categories)
            .max(share(MIN_WIDTH, columns));
        let vertical_names = columns_across.is_none();
        let (names, numbers) = match (vertical_names, common_sample_size) {
            (true, None) => (name.min(MAX_VERTICAL_NAME_LENGTH) + 6.0, number + 10.0),
            (true, Some(_)) => (name.min(MAX_VERTICAL_NAME_LENGTH) + 6.0, 0.0),
            (false, None) => (LINE_HEIGHT, LINE_HEIGHT),
            (false, Some(_)) => (LINE_HEIGHT, 0.0),
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
            vertical_names,
            names,
            numbers,
            common_sample_size,
        }
    }

    /// Draws the name and, unless all samples have the same size, the sample size of each category
    /// below a plot.
    pub(super) fn draw_category_labels(
        &self,
        area: &Area,
        categories: &[String],
        panel: &PanelPlot,
    ) -> Vec<Shape> {
        let slot = area.width / categories.len() as f64;
        let mut shapes = Vec::new();
        let numbers = panel.sample_sizes().map(sample_size_text);
        for (index, (category, number)) in categories.iter().zip(numbers).enumerate() {
            let middle = area.left + (index as f64 + 0.5) * slot;
            let (name, number) = if self.vertical_names {
                // The rotated text runs upwards and ends at the axis.
                let x = middle + 0.36 * FONT_SIZE;
                let words = |text: &str, y: f64| Text::new(text, (x, y), FONT_SIZE).end().upwards();
                let below = area.bottom() + 6.0;
                let name = words(category, below + self.numbers);
                (name.fitted(MAX_VERTICAL_NAME_LENGTH), words(&number, below))
            } else {
                let words = |text: &str, y: f64| Text::new(text, (middle, y), FONT_SIZE).middle();
                let below = area.bottom() + 4.0 + FONT_SIZE;
                let name = words(category, below).fitted(slot - NAME_GAP);
                (name, words(&number, below + self.names))
            };
            shapes.push(name.into());
            if self.common_sample_size.is_none() {
                shapes.push(number.quiet().into());
            }
        }
        shapes
    }
}

/// Formats the size of a sample as `n = 12`.
fn sample_size_text(number: usize) -> String {
    format!("n = {number}")
}
