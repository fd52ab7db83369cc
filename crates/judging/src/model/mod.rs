//! All votes on a list in one model.

mod campaign_law;
mod cholesky;
mod curvature;
mod davidson;
mod decision_table;
mod fit;
mod grouping;
mod outlook;
mod posterior;
mod predictive;
mod reliability;
mod spread;

pub use davidson::Davidson;
pub use decision_table::DecisionTable;
pub use fit::Fit;
pub(crate) use fit::{answers, normal_mean, proportions};
pub use grouping::{Grouping, spread_of_votes};
pub(crate) use outlook::Outlook;
pub use predictive::Predictive;
pub(crate) use reliability::{PeopleVotes, PersonVote, fit_together};
pub use reliability::{PooledLists, pooled_lists};
pub use spread::pair_spread;
