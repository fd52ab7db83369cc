//! Views of melody collections, clips, candidates and searches. They import the kit of this crate
//! and `partita_melody`.

#[cfg(feature = "melody")]
pub mod candidates;
#[cfg(feature = "melody")]
pub mod clips;
#[cfg(feature = "melody")]
pub mod collection;
#[cfg(feature = "melody")]
pub mod search;
