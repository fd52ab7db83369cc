//! DOC server handlers

pub(crate) mod health;
pub(crate) mod judge;
pub(crate) mod organise;
pub(crate) mod security_txt;
