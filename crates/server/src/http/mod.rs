//! HTTP transport: connections, rate limits, request extractors and problem responses. It does not
//! depend on campaigns, except for the outcome of an assessor's work that a problem may carry.

pub(crate) mod connections;
pub(crate) mod headers;
pub(crate) mod json;
pub(crate) mod problem;
pub(crate) mod rate_limit;
pub(crate) mod request;
pub(crate) mod table_query;
