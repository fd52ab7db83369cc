//! All votes on a list in one model.

mod cholesky;
mod curvature;
mod davidson;
mod fit;
mod grouping;
mod reliability;

pub use davidson::Davidson;
pub use fit::Fit;
pub use grouping::Grouping;
pub use reliability::{PooledLists, pooled_lists};
