//! Parser of the notes of Plaine & Easie. It imports only note types, diagnostics and the fields of
//! a record.

pub(crate) mod marks;
pub(crate) mod parser;
pub(crate) mod repeats;
pub(crate) mod tuplets;
