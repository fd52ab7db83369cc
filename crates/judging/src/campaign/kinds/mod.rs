//! Kinds of judgment: rankings and grades. Imports the log and the engine.

pub(crate) mod latest_answers;
pub(crate) mod ranking;
