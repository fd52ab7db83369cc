//! Syntax that files of different kinds share: PrefLib orders, and JSON objects keyed by query.

pub(crate) mod preflib;
pub(crate) mod query_json;
