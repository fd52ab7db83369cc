//! DOC report views

pub mod campaign;
pub mod comparison;
pub mod evaluation;
pub mod measures;
pub mod melody;
pub mod plan;
pub mod reliability;
pub(crate) mod truth;
