//! Parser of the notes of Plaine & Easie. It depends only on note types, diagnostics and the fields
//! of a record.

pub(crate) mod marks;
pub(crate) mod measures;
pub(crate) mod parser;
pub(crate) mod repeats;
pub(crate) mod tuplets;
