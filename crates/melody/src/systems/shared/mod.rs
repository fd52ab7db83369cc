//! Data structures and algorithms that several systems share. They know no system.

pub(crate) mod hybrid_alignment;
pub(crate) mod ragged;
pub(crate) mod shape_index;
pub(crate) mod spline_area;
pub(crate) mod transport;
pub(crate) mod trigram;
