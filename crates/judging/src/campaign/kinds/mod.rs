//! Kinds of judgment other than preferences: rankings and grades. Imports the log and the engine.

pub(crate) mod grade;
pub(crate) mod latest_answers;
pub(crate) mod ranking;
