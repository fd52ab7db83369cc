//! Tests of the tables and figures that the crate writes.

mod box_plot_figure;
mod comparison_figures;
mod curves_figure;
mod figures;
mod layout;
mod list_figure;
#[cfg(feature = "pdf")]
mod print;
mod svg;
mod tables;
