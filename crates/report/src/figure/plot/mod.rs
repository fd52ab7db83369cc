//! Plot elements: axes, ticks, legends, panels, bars and rows of intervals. They know nothing of
//! evaluation results and import only `canvas`.

pub(crate) mod axes;
pub(crate) mod bars;
pub(crate) mod box_summary;
pub(crate) mod interval_rows;
pub(crate) mod legend;
pub(crate) mod panels;
pub(crate) mod thinning;
pub(crate) mod ticks;
