//! Data types shared by all other modules, checked on construction and re-exported at the crate
//! root. They import no other module of this crate.

pub(crate) mod assessor_rankings;
pub(crate) mod assessor_scores;
pub(crate) mod bit_matrix;
pub(crate) mod gains;
pub(crate) mod ground_truth;
pub(crate) mod grouped_list;
pub(crate) mod names;
pub(crate) mod ordered_map;
pub(crate) mod preferences;
pub(crate) mod ranking;
pub(crate) mod ranking_fault;
pub(crate) mod run;
pub(crate) mod score_matrix;
pub(crate) mod strata;
