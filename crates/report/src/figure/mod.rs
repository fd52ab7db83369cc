//! Figures: a small scene of lines and words, drawn from data and written as SVG.

mod axes;
mod bars;
mod box_plot;
mod campaign;
mod caption;
mod comparison;
mod critical_difference;
mod curves;
mod error;
mod file_format;
mod forest;
mod hasse;
mod intervals;
mod legend;
mod list;
mod marker;
mod mean_ranks;
mod pairwise_matrix;
mod palette;
mod panels;
#[cfg(feature = "pdf")]
mod pdf;
#[cfg(feature = "melody")]
mod piano_roll;
mod plan;
#[cfg(feature = "pdf")]
mod print;
mod recall;
mod sample;
mod scene;
mod svg;
mod thinning;
mod ticks;
mod two_lists;
mod typeface;

pub use bars::MAX_BAR_ROWS;
pub use box_plot::{BoxPlots, box_plot_figure};
pub use campaign::{batches_figure, screening_figure, status_figure};
pub use comparison::ComparisonFigureKind;
pub use critical_difference::{MAX_DIAGRAM_SYSTEMS, critical_difference_figure, means_figure};
pub use curves::{LineChart, LinePanel, LineSeries, line_chart_figure};
pub use error::FigureError;
pub use file_format::FigureFormat;
pub use forest::forest_figure;
pub use hasse::hasse_figure;
pub use intervals::MAX_INTERVAL_ROWS;
pub use list::{MAX_LIST_ITEMS, preference_list_figure, ranking_list_figure};
pub use mean_ranks::mean_ranks_figure;
pub use pairwise_matrix::{MAX_MATRIX_SYSTEMS, pairwise_matrix_figure};
#[cfg(feature = "melody")]
pub use piano_roll::{MAX_ROLL_BEATS, MAX_ROLL_NOTES, MelodyTooLongError, piano_roll_figure};
pub use plan::plan_figure;
pub use recall::{
    MAX_RECALL_PANELS, RecallCurve, RecallPanel, dynamic_recall_figure, mean_recall_figure,
    recall_figure,
};
pub use scene::Figure;
pub use two_lists::{MAX_COMPARED_ITEMS, list_comparison_figure};

/// The number as most figures write it.
fn three_decimals(value: f64) -> String {
    format!("{value:.3}")
}

/// The names, each once, in the order in which they are met.
fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut distinct = Vec::new();
    for name in names {
        if !distinct.contains(&name) {
            distinct.push(name);
        }
    }
    distinct
}
