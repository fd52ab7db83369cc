//! DOC melody readers::pae::notation

pub(crate) mod join;
pub(crate) mod marks;
pub(crate) mod parser;
pub(crate) mod repeats;
pub(crate) mod tuplets;
