//! Tables and figures of evaluations.
//!
//! This crate turns plain numbers and names into text that a person reads: a
//! [`Table`] becomes a table for a terminal, a paper (LaTeX), a wiki (MediaWiki)
//! or a README (Markdown); the curves of one or more runs, the audit of a list, samples side by
//! side or comparisons of systems become a [`Figure`], which writes itself as SVG.
//!
//! Nothing here reads a file, looks at the clock or at the terminal: the same
//! data gives the same bytes on every machine.
//!
//! ```
//! use partita_report::{Cell, Column, Table, TableFormat};
//!
//! let mut table = Table::new([Column::text("System"), Column::number("ADR", 3)]);
//! table.push([Cell::text("EMD"), Cell::number(0.7402)]);
//! table.push([Cell::text("n-grams"), Cell::missing()]);
//! assert_eq!(
//!     TableFormat::Markdown.render(&table),
//!     "| System  |   ADR |\n\
//!      | :------ | ----: |\n\
//!      | EMD     | 0.740 |\n\
//!      | n-grams |     – |\n"
//! );
//! ```

mod column_set;
mod document;
mod figure;
pub mod phrases;
mod reply;
mod table;
pub mod views;

pub use crate::column_set::ColumnSet;
pub use crate::views::comparison::ComparisonView;
pub use crate::views::truth::{
    AggregationStudyView, PreferenceListsView, RankingListsView, TruthCheckView,
    TruthComparisonView,
};
pub use document::{Block, Document, Footnote, View};
pub use figure::{
    BoxPlots, ComparisonFigureKind, Figure, FigureError, FigureFormat, LineChart, LinePanel,
    LineSeries, MAX_BAR_ROWS, MAX_COMPARED_ITEMS, MAX_DIAGRAM_SYSTEMS, MAX_INTERVAL_ROWS,
    MAX_LIST_ITEMS, MAX_MATRIX_SYSTEMS, MAX_RECALL_PANELS, RecallCurve, RecallPanel,
    batches_figure, box_plot_figure, critical_difference_figure, dynamic_recall_figure,
    forest_figure, hasse_figure, line_chart_figure, list_comparison_figure, mean_ranks_figure,
    mean_recall_figure, means_figure, pairwise_matrix_figure, plan_figure, preference_list_figure,
    ranking_list_figure, recall_figure, screening_figure, status_figure,
};
#[cfg(feature = "melody")]
pub use figure::{MAX_ROLL_BEATS, MAX_ROLL_NOTES, MelodyTooLongError, piano_roll_figure};
pub use reply::{Reply, SCHEMA_VERSION, write_json};
pub use table::{
    Alignment, Cell, CellValue, Column, ColumnKind, Optimum, Table, TableFormat, TableRow, Terminal,
};
