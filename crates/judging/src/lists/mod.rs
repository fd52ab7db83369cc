//! DOC judging lists

pub(crate) mod audit;
pub(crate) mod bootstrap;
pub(crate) mod build;
pub(crate) mod build_all;
pub(crate) mod check;
pub(crate) mod predictions;
