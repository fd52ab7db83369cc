//! Evidence of lists: judgments of several assessors, whatever their kind.

pub(crate) mod resampler;

pub use resampler::AssessorResampler;
