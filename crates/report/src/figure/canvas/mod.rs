//! Drawing: shapes of a scene, their SVG, PDF and PNG writers, and text, colours and markers. This
//! module knows nothing of evaluation results and imports neither plots nor views.

pub(crate) mod caption;
#[cfg(feature = "pdf")]
pub(crate) mod figure_format;
pub(crate) mod marker;
pub(crate) mod palette;
#[cfg(feature = "pdf")]
pub(crate) mod pdf;
pub(crate) mod scene;
pub(crate) mod svg;
pub(crate) mod text_metrics;
