//! DOC server campaign

pub(crate) mod document;
pub(crate) mod read_cache;
pub(crate) mod recruiter;
pub(crate) mod state;
pub(crate) mod upload;
