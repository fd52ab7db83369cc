//! Figures: scenes of lines and text, drawn from results and written as SVG, PDF or PNG.

mod box_plot;
mod campaign;
pub(crate) mod canvas;
mod comparison;
mod critical_difference;
mod error;
mod file_format;
mod forest;
mod hasse;
mod line_chart;
mod list_audit;
mod list_comparison;
mod mean_ranks;
mod pairwise_matrix;
#[cfg(feature = "melody")]
mod piano_roll;
mod plan;
pub(crate) mod plot;
mod recall;

pub use box_plot::{BoxPlots, box_plot_figure};
pub use campaign::{batches_figure, screening_figure, status_figure};
pub use canvas::scene::Figure;
pub use comparison::ComparisonFigureKind;
pub use critical_difference::{MAX_DIAGRAM_SYSTEMS, critical_difference_figure, means_figure};
pub use error::FigureError;
pub use file_format::FigureFormat;
pub use forest::forest_figure;
pub use hasse::hasse_figure;
pub use line_chart::{LineChart, LinePanel, LineSeries, line_chart_figure};
pub use list_audit::{MAX_LIST_ITEMS, preference_list_figure, ranking_list_figure};
pub use list_comparison::{MAX_COMPARED_ITEMS, list_comparison_figure};
pub use mean_ranks::mean_ranks_figure;
pub use pairwise_matrix::{MAX_MATRIX_SYSTEMS, pairwise_matrix_figure};
#[cfg(feature = "melody")]
pub use piano_roll::{MAX_ROLL_BEATS, MAX_ROLL_NOTES, MelodyTooLongError, piano_roll_figure};
pub use plan::plan_figure;
pub use plot::bars::MAX_BAR_ROWS;
pub use plot::interval_rows::MAX_INTERVAL_ROWS;
pub use recall::{
    MAX_RECALL_PANELS, RecallCurve, RecallPanel, dynamic_recall_figure, mean_recall_figure,
    recall_figure,
};

/// Formats a number with three decimals, the usual precision in figures.
fn three_decimals(value: f64) -> String {
    format!("{value:.3}")
}

/// Returns the distinct names in order of first occurrence.
fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut distinct = Vec::new();
    for name in names {
        if !distinct.contains(&name) {
            distinct.push(name);
        }
    }
    distinct
}
