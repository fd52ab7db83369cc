//! Syntax that two kinds of files share: PrefLib orders, and JSON objects by query.

pub(crate) mod preflib;
pub(crate) mod query_json;
