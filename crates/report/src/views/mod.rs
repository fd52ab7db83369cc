//! Views: CSV and document of each result, one file per result. They import the kit (document,
//! column set, table) and the figures; no other module of this crate imports them.

pub mod campaign;
pub mod comparison;
mod definition;
pub mod evaluation;
pub mod measures;
pub mod melody;
pub mod plan;
pub mod reliability;
pub(crate) mod truth;
