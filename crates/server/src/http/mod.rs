//! HTTP transport: connections, rate limits, extractors and problems. It does not depend on
//! campaigns, except for the outcome that a problem may carry.

pub(crate) mod canonical_json;
pub(crate) mod connections;
pub(crate) mod headers;
pub(crate) mod json;
pub(crate) mod problem;
pub(crate) mod rate_limit;
pub(crate) mod request;
