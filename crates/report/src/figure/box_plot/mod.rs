//! Notched box plots side by side (Urbano et al. 2010, Fig. 3 and 4).

mod boxes;
mod data;
mod layout;
mod panel;

pub use data::BoxPlots;

use layout::Layout;
use panel::PanelPlot;

use super::caption::{footnote, heading};
use super::sample::three_decimals_at_most;
use super::scene::Figure;

const FOOTNOTE: &str = "Boxes: the quartiles (type 7) and the median; notches: the median ± 1.57 \
                        IQR/√n (where two do not overlap, the medians differ at about the 5% \
                        level); whiskers: the farthest values within 1.5 IQR of the box; points: \
                        values beyond; diamonds: the mean. IQR: interquartile range.";

/// Box plots of the same categories side by side, one panel for each quantity.
///
/// A box goes from the lower to the upper quartile (type 7 of Hyndman and Fan
/// 1996) with a line at the median. Its notch is the median ± 1.57 IQR/√n
/// (McGill, Tukey and Larsen 1978); that of a small sample can go beyond the
/// box, whose edge then folds back, as it should. Whiskers end at the most
/// extreme values within 1.5 IQR of the box, and what is beyond is drawn as
/// points; a diamond is the mean. The number of values stands below each box.
/// Equal values, or one, give a box without height.
///
/// ```
/// use partita_report::{BoxPlots, box_plot_figure};
///
/// let mut plots = BoxPlots::new("Two aggregation functions", ["All-2", "Any-1"]);
/// plots.push("ADR-1 consistency", vec![vec![0.82, 0.79, 0.9], vec![0.93, 0.91, 0.95]]);
/// plots.push("items per group", vec![vec![4.0, 5.5, 3.0], vec![2.0, 1.5, 2.0]]);
/// let figure = box_plot_figure(&plots);
/// assert_eq!(figure.title(), "Two aggregation functions");
/// assert!(figure.description().contains("ADR-1 consistency: All-2 0.82, Any-1 0.93"));
/// ```
#[must_use]
pub fn box_plot_figure(plots: &BoxPlots) -> Figure {
    if plots.panels.is_empty() {
        return Figure::saying(&plots.title, "There are no samples to draw.");
    }
    let panels: Vec<PanelPlot> = plots.panels.iter().map(PanelPlot::new).collect();
    let layout = Layout::new(plots, &panels);
    let width = layout.width();
    let mut shapes = vec![heading(&plots.title, width)];
    for (index, panel) in panels.iter().enumerate() {
        let area = layout.area(index);
        shapes.extend(panel.shapes(&area, &plots.categories));
        shapes.extend(layout.names_and_numbers(&area, &plots.categories, panel));
    }
    let (notes, height) = footnote(FOOTNOTE, width, layout.bottom() + 22.0);
    shapes.extend(notes);
    Figure {
        title: plots.title.clone(),
        description: description(plots, &panels),
        width,
        height,
        shapes,
    }
}

fn description(plots: &BoxPlots, panels: &[PanelPlot]) -> String {
    let medians = panels.iter().map(|panel| {
        let named = plots.categories.iter().zip(&panel.summaries);
        let medians: Vec<String> = named
            .map(|(category, summary)| match summary {
                Some(summary) => {
                    format!("{category} {}", three_decimals_at_most(summary.median))
                }
                None => format!("{category} none"),
            })
            .collect();
        format!("{}: {}", panel.label, medians.join(", "))
    });
    let medians: Vec<String> = medians.collect();
    format!("Notched box plots. Medians of {}.", medians.join("; "))
}
