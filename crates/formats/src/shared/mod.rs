//! DOC formats shared

pub(crate) mod preflib;
pub(crate) mod query_json;
