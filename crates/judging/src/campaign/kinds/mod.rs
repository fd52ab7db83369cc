//! DOC judging campaign::kinds

pub(crate) mod latest_answers;
pub(crate) mod ranking;
