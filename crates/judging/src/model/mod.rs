//! Davidson's model of all votes on a list: fit, grouping, prediction and simulated assessors.
//!
//! Imports `votes`. Only `assessor_model`, which simulates assessors for calibration, also imports
//! `analysis`, `simulate` and `strategy`.

pub(crate) mod assessor_model;
mod cholesky;
mod curvature;
mod davidson;
mod davidson_fit;
mod decision_table;
mod grouping;
mod list_prior;
mod pair_spread;
mod pending_posterior;
mod pooled_fit;
mod posterior;
mod predictive;

pub use davidson::DavidsonModel;
pub use davidson_fit::DavidsonFit;
pub(crate) use davidson_fit::{davidson_probabilities, normal_mean, softmax};
pub use decision_table::DecisionTable;
pub(crate) use grouping::one_group;
pub use grouping::{GroupingRule, vote_spread};
pub use pair_spread::estimate_pair_spread;
pub(crate) use pending_posterior::PendingPosterior;
pub(crate) use pooled_fit::{AssessorVote, ListAssessorVotes, WeightedVotes, fit_pooled_votes};
pub use pooled_fit::{PooledFit, fit_pooled};
pub use predictive::{LAPSE_RATE, PredictiveModel, with_lapses};
