//! DOC server handlers::judge

pub(crate) mod answer;
pub(crate) mod draft;
pub(crate) mod enter;
pub(crate) mod finish;
pub(crate) mod next_tasks;
pub(crate) mod profile;
pub(crate) mod task_report;
pub(crate) mod task_view;
