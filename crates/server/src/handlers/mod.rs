//! Request handlers, one file per resource. The only layer that builds responses; it uses
//! `campaign`, `writer` and `store`.

pub(crate) mod health;
pub(crate) mod judge;
pub(crate) mod organise;
pub(crate) mod security_txt;
