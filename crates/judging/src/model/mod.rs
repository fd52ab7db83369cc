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

pub use davidson::DavidsonModel;
pub use decision_table::DecisionTable;
pub use fit::DavidsonFit;
pub(crate) use fit::{answers, normal_mean, softmax};
pub use grouping::{GroupingRule, vote_spread};
pub(crate) use outlook::PendingPosterior;
pub use predictive::PredictiveModel;
pub(crate) use reliability::{AssessorVote, ListAssessorVotes, fit_pooled_votes};
pub use reliability::{PooledFit, fit_pooled};
pub use spread::estimate_pair_spread;
