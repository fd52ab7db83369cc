//! Request handlers, one file per resource. Handlers are the only layer that builds responses; they
//! use `campaign`, `writer` and `store`.

pub(crate) mod health;
pub(crate) mod judge;
pub(crate) mod organise;
pub(crate) mod security_txt;
