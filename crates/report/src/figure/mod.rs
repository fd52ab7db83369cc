//! Figures: a small scene of lines and words, drawn from data and written as SVG.

mod axes;
mod box_plot;
mod caption;
mod comparison;
mod critical_difference;
mod curves;
mod dynamic_recall;
mod error;
mod hasse;
mod legend;
mod list;
mod marker;
mod mean_recall;
mod pairwise_matrix;
mod palette;
#[cfg(feature = "print")]
mod print;
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

pub use box_plot::{BoxPlots, box_plot_figure};
pub use comparison::ComparisonFigure;
pub use critical_difference::{MAX_DIAGRAM_SYSTEMS, critical_difference_figure};
pub use curves::{Curve, CurvePanel, Curves, curves_figure};
pub use dynamic_recall::{MAX_PANELS, dynamic_recall_figure};
pub use error::FigureError;
pub use hasse::hasse_figure;
pub use list::{MAX_LIST_ITEMS, list_figure};
pub use mean_recall::mean_recall_figure;
pub use pairwise_matrix::{MAX_MATRIX_SYSTEMS, pairwise_matrix_figure};
#[cfg(feature = "print")]
pub use print::FigureFormat;
pub use recall::{RecallCurve, RecallPanel, recall_figure};
pub use scene::Figure;
