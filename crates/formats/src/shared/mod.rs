//! Syntax that two kinds of files share: PrefLib orders, and JSON objects by query. Imports `text`
//! and `diagnostic`.

pub(crate) mod preflib;
pub(crate) mod query_json;
