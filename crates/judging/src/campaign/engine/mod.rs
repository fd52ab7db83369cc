//! DOC judging campaign::engine

pub(crate) mod answer_status;
pub(crate) mod apply;
pub(crate) mod assignment;
pub(crate) mod fitted_lists;
pub(crate) mod history;
pub(crate) mod lease;
pub(crate) mod list;
pub(crate) mod offers;
pub(crate) mod pair;
pub(crate) mod pair_table;
pub(crate) mod records;
pub(crate) mod replay;
pub(crate) mod schedule;
pub(crate) mod schedule_snapshot;
pub(crate) mod validate;
