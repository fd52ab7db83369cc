//! DOC cli args

pub(crate) mod input;
pub(crate) mod preferences;
pub(crate) mod rankings;
pub(crate) mod scores;
pub(crate) mod threads;
