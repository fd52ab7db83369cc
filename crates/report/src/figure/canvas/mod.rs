//! DOC report figure::canvas

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
