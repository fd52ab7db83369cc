//! Reports on collected answers: agreement, batches, cost, and comparison with reference judgments.
//!
//! Does not depend on `campaign`.

pub(crate) mod agreement;
pub(crate) mod batches;
pub(crate) mod cross_table;
pub(crate) mod price;
pub(crate) mod reference_comparison;
