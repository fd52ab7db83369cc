//! Views of a campaign: plain serialisable data computed from a
//! [`Campaign`](crate::campaign::Campaign). May import the engine and the judgment kinds.

pub(crate) mod blocked_pairs;
pub(crate) mod current_lists;
pub(crate) mod decisions;
pub(crate) mod evidence;
pub(crate) mod export;
pub(crate) mod held_out;
pub(crate) mod open_pairs;
pub(crate) mod predictions;
pub(crate) mod preferences;
pub(crate) mod snapshot;
pub(crate) mod status;
pub(crate) mod vote_forecast;
pub(crate) mod work_forecast;
