//! DOC cli output

pub(crate) mod destination;
pub(crate) mod error;
pub(crate) mod figure;
pub(crate) mod ground_truth;
pub(crate) mod progress;
pub(crate) mod result;
