//! State machine of a campaign. Only this folder changes a [`Campaign`](crate::campaign::Campaign).
//! Imports the log, the specification, the gold pairs, the input errors and the cache type of
//! `kinds::latest_answers`.

pub(crate) mod answer_ids;
pub(crate) mod answer_status;
pub(crate) mod apply;
pub(crate) mod assignment;
pub(crate) mod campaign;
pub(crate) mod fitted_lists;
pub(crate) mod history;
pub(crate) mod lease;
pub(crate) mod list;
pub(crate) mod pair;
pub(crate) mod pair_table;
pub(crate) mod records;
pub(crate) mod replay;
pub(crate) mod schedule;
pub(crate) mod schedule_snapshot;
pub(crate) mod subject;
pub(crate) mod validate;
