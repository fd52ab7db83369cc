//! Views of melody collections, clips, candidates and searches. They import `partita_melody` and
//! the document, column set and table modules of this crate.

#[cfg(feature = "melody")]
pub mod candidates;
#[cfg(feature = "melody")]
pub mod clips;
#[cfg(feature = "melody")]
pub mod collection;
#[cfg(feature = "melody")]
pub mod search;
