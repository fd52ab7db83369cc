//! Figures: a small scene of lines and words, drawn from data and written as SVG.

mod axes;
mod dynamic_recall;
mod legend;
mod mean_recall;
mod palette;
mod recall;
mod recall_plot;
mod scene;
mod svg;
mod thinning;
mod ticks;
mod typeface;

#[cfg(test)]
mod overlap_tests;

pub use dynamic_recall::{MAX_PANELS, dynamic_recall_figure};
pub use mean_recall::mean_recall_figure;
pub use recall::{RecallCurve, RecallError, RecallPanel};
pub use scene::Figure;
