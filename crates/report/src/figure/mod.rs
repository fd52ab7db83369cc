//! Figures: a small scene of lines and words, drawn from data and written as SVG.

mod axes;
mod box_plot;
mod dynamic_recall;
mod legend;
mod list;
mod mean_recall;
mod palette;
mod recall;
mod recall_plot;
mod sample;
mod scene;
mod svg;
mod thinning;
mod ticks;
mod typeface;

#[cfg(test)]
mod overlap_tests;

pub use box_plot::{BoxPanel, BoxPlotError, BoxPlots, box_plot_figure};
pub use dynamic_recall::{MAX_PANELS, dynamic_recall_figure};
pub use list::{ListAudit, ListError, ListItem, MAX_LIST_ITEMS, list_figure};
pub use mean_recall::mean_recall_figure;
pub use recall::{RecallCurve, RecallError, RecallPanel};
pub use scene::Figure;
