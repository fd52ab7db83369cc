//! All votes on a list in one model.

mod cholesky;
mod curvature;
mod davidson;
mod fit;
mod grouping;
mod outlook;
mod reliability;

pub use davidson::Davidson;
pub use fit::Fit;
pub use grouping::{Grouping, spread_of_votes};
pub(crate) use outlook::Outlook;
pub use reliability::{
    PersonVote, PooledLists, fit_by_people, pooled_lists, reliability_of_people,
};
