//! DOC judging campaign::actions

pub(crate) mod effect;
pub(crate) mod exclusion;
pub(crate) mod intake;
pub(crate) mod question_sheets;
