//! Campaigns: which answers count, which questions are asked, and replay from the log.

mod actions;
mod answers;
mod assignment;
mod exclusion;
mod export;
mod fitted_lists;
mod import;
mod log;
mod log_versions;
mod plain_assignment;
mod progress;
mod question_sheets;
mod retries;
mod schedule_snapshot;
mod schema;
mod session;
mod simulated_assessors;
mod spec;
mod strategy_lists;

pub(crate) use simulated_assessors::stamp;
