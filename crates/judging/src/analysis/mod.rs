//! DOC judging analysis

pub(crate) mod agreement;
pub(crate) mod batches;
pub(crate) mod cross_table;
pub(crate) mod price;
pub(crate) mod reference_comparison;
