//! DOC melody systems::shared

pub(crate) mod hybrid_alignment;
pub(crate) mod shape_index;
pub(crate) mod spline_area;
pub(crate) mod transport;
pub(crate) mod trigram;
