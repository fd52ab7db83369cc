//! What the operator of a server sees of it: metrics, and the log of failures on standard error.

pub(crate) mod failure_log;
pub(crate) mod histogram;
pub(crate) mod metrics_text;
pub(crate) mod request_observer;
