//! Handlers of the organisers' endpoints, one file per resource. They use `campaign`, `writer` and
//! `store`.

pub(crate) mod assessors;
pub(crate) mod campaigns;
pub(crate) mod export;
pub(crate) mod invites;
pub(crate) mod lifecycle;
pub(crate) mod lists;
pub(crate) mod media;
pub(crate) mod reports;
pub(crate) mod session;
pub(crate) mod tokens;
