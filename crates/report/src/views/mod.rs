//! Views: CSV and document of each kind of result, one file per kind. They import the documents,
//! column sets, tables and figures of this crate; no other module of this crate imports them.

pub mod campaign;
pub mod comparison;
mod definition;
pub mod evaluation;
pub mod measures;
pub mod melody;
pub mod plan;
pub mod reliability;
pub(crate) mod truth;
