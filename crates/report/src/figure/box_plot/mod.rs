//! Notched box plots side by side (Urbano et al. 2010, Fig. 3 and 4).

mod boxes;
mod layout;
mod panel;

use layout::Layout;
use panel::PanelPlot;
use partita_core::truth::{AggregatedListSummary, Aggregation, AggregationStudy};

use super::canvas::caption::{MARGIN, footnote, heading};
use super::canvas::scene::Figure;
use super::plot::box_summary::three_decimals_at_most;
use crate::phrases::{join, plural};

const FOOTNOTE: &str = "Boxes: the quartiles (type 7) and the median; notches: the median ± 1.57 \
                        IQR/√n (where two do not overlap, the medians differ at about the 5% \
                        level); whiskers: the farthest values within 1.5 IQR of the box; points: \
                        values beyond; diamonds: the mean. IQR: interquartile range.";

/// Data of a box plot figure: one panel per quantity, with one sample per category.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxPlots {
    title: String,
    categories: Vec<String>,
    /// Measured quantities: label, and one sample per category.
    panels: Vec<(String, Vec<Vec<f64>>)>,
}

impl BoxPlots {
    /// Creates box plots of these categories without panels.
    ///
    /// # Panics
    /// Panics if there is no category.
    pub fn new<C: Into<String>>(
        title: impl Into<String>,
        categories: impl IntoIterator<Item = C>,
    ) -> Self {
        let categories: Vec<String> = categories.into_iter().map(Into::into).collect();
        assert!(!categories.is_empty(), "box plots are of something");
        Self {
            title: title.into(),
            categories,
            panels: Vec::new(),
        }
    }

    /// Adds a quantity with one sample per category. A sample may be unsorted or empty.
    ///
    /// # Panics
    /// Panics if the number of samples differs from the number of categories, or if a value is not
    /// finite.
    pub fn push(&mut self, label: impl Into<String>, samples: Vec<Vec<f64>>) {
        assert_eq!(samples.len(), self.categories.len(), "a sample a category");
        let mut values = samples.iter().flatten();
        assert!(values.all(|value| value.is_finite()), "samples are numbers");
        self.panels.push((label.into(), samples));
    }

    /// Creates box plots of a study of the six aggregation functions: of the consistency of each
    /// list with the assessors' rankings by one-tailed tests (ADR-1) and by two-tailed tests
    /// (ADR-2), and of the group sizes of the lists (Urbano et al. 2010, Figures 3 and 4).
    pub fn from_study(study: &AggregationStudy) -> Self {
        let lists = plural(study.lists.len(), "list");
        let names = Aggregation::ALL_FUNCTIONS.map(|function| function.to_string());
        type Quantity = fn(&AggregatedListSummary) -> Option<f64>;
        let quantities: [(&str, Quantity); 3] = [
            ("ADR-1 consistency", |list| list.consistency.adr1),
            ("ADR-2 consistency", |list| list.consistency.adr2),
            ("items per group", |list| list.items_per_group),
        ];
        let mut plots = Self::new(
            format!("Six aggregation functions over {lists}"),
            names.clone(),
        );
        for (label, quantity) in quantities {
            let of_function = |function: &String| {
                let lists = study.lists.iter();
                let lists = lists.filter_map(|query| query.functions.get(function));
                lists.filter_map(quantity).collect()
            };
            plots.push(label, names.iter().map(of_function).collect());
        }
        plots
    }
}

/// Draws box plots of the same categories side by side, one panel per quantity.
///
/// A box spans the lower to the upper quartile (type 7 of Hyndman and Fan 1996) with a line at the
/// median. Its notch is the median ± 1.57 IQR/√n (McGill, Tukey and Larsen 1978), cut off at the
/// quartiles: the notch of a small sample would otherwise fold back. Whiskers end at the most
/// extreme values within 1.5 IQR of the box; values beyond are points. A diamond marks the mean.
/// The sample size is below each box, or once above all plots if all are equal. A sample of equal
/// values gives a box without height.
///
/// ```
/// use partita_report::{BoxPlots, box_plot_figure};
///
/// let mut plots = BoxPlots::new("Two aggregation functions", ["All-2", "Any-1"]);
/// plots.push("ADR-1 consistency", vec![vec![0.82, 0.79, 0.9], vec![0.93, 0.91, 0.95]]);
/// plots.push("items per group", vec![vec![4.0, 5.5, 3.0], vec![2.0, 1.5, 2.0]]);
/// let figure = box_plot_figure(&plots);
/// assert_eq!(figure.title, "Two aggregation functions");
/// assert!(figure.description.contains("ADR-1 consistency: All-2 0.82, Any-1 0.93"));
/// ```
pub fn box_plot_figure(plots: &BoxPlots) -> Figure {
    if plots.panels.is_empty() {
        return Figure::message(&plots.title, "There are no samples to draw.");
    }
    let panels: Vec<PanelPlot> = plots.panels.iter().map(PanelPlot::new).collect();
    let mut layout = Layout::new(plots, &panels);
    let width = layout.panels.right() + MARGIN;
    let subtitle = match layout.common_sample_size {
        Some(number) => format!("{number} in each box"),
        None => String::new(),
    };
    let (mut shapes, top) = heading(&plots.title, &subtitle, width);
    layout.panels.top = top + 10.0;
    for (index, panel) in panels.iter().enumerate() {
        let area = layout.panels.area(index);
        shapes.extend(panel.shapes(&area, &plots.categories));
        shapes.extend(layout.draw_category_labels(&area, &plots.categories, panel));
    }
    let height = footnote(FOOTNOTE, width, layout.panels.bottom() + 22.0, &mut shapes);
    let size = (width, height);
    Figure::new(&*plots.title, description(plots, &panels), size, shapes)
}

/// Returns the text description of the figure: the median of every sample.
fn description(plots: &BoxPlots, panels: &[PanelPlot]) -> String {
    let medians = panels.iter().map(|panel| {
        let named = plots.categories.iter().zip(&panel.summaries);
        let medians = named.map(|(category, summary)| match summary {
            Some(summary) => format!("{category} {}", three_decimals_at_most(summary.median)),
            None => format!("{category} none"),
        });
        format!("{}: {}", panel.label, join(medians, ", "))
    });
    format!("Notched box plots. Medians of {}.", join(medians, "; "))
}
