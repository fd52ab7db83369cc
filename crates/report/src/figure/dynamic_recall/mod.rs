//! The figure of the dynamic recall curve (Typke, Veltkamp and Wiering 2006, Fig. 1).

mod grid;
mod single;

use super::recall::{RecallPanel, runs};
use super::scene::Figure;

/// The most queries [`dynamic_recall_figure`] shows.
pub const MAX_PANELS: usize = 12;

/// The curves of dynamic recall for one or a few queries.
///
/// One query and one run give the figure of the paper: the number of relevant
/// documents found (left scale, in steps), the dynamic recall (right scale) and
/// its average; the groups of the ground truth are light bands. Several runs
/// give one curve of dynamic recall each, with a legend. Several queries give
/// small plots in a grid, up to [`MAX_PANELS`]; of more queries the first ones
/// are shown and the figure says so ([`mean_recall_figure`] draws them all).
///
/// [`mean_recall_figure`]: crate::mean_recall_figure
///
/// ```
/// use partita_report::{RecallCurve, RecallPanel, dynamic_recall_figure};
///
/// let curve = RecallCurve::new("EMD", vec![1., 0.5, 1., 1., 0.8]);
/// let panel = RecallPanel::new("190.011.224-1.1.1", vec![2, 5], vec![curve]);
/// let figure = dynamic_recall_figure(&[panel]);
/// assert_eq!(figure.title(), "Dynamic recall of EMD for 190.011.224-1.1.1");
/// assert!(figure.to_svg().contains("ADR 0.860"));
/// ```
#[must_use]
pub fn dynamic_recall_figure(panels: &[RecallPanel]) -> Figure {
    match panels {
        [] => Figure::saying("Dynamic recall", "There are no queries to draw."),
        [panel] => single::figure(panel),
        panels => {
            let shown = &panels[..panels.len().min(MAX_PANELS)];
            grid::figure(shown, &runs(shown), panels.len())
        }
    }
}
