//! DOC server handlers::organise

pub(crate) mod assessors;
pub(crate) mod campaigns;
pub(crate) mod export;
pub(crate) mod invites;
pub(crate) mod lifecycle;
pub(crate) mod lists;
pub(crate) mod media;
pub(crate) mod session;
pub(crate) mod tokens;
