//! Lists from votes: building, auditing, bootstrap and predicted decisions.
//!
//! Imports `analysis`, `model`, `sort`, `strategy` and `votes`; does not depend on `campaign`.

pub(crate) mod audit;
pub(crate) mod bootstrap;
pub(crate) mod build;
pub(crate) mod build_all;
pub(crate) mod check;
pub(crate) mod grades;
pub(crate) mod predictions;
pub(crate) mod strategy_list;
