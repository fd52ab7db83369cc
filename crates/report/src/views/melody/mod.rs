//! DOC report views::melody

#[cfg(feature = "melody")]
pub mod candidates;
#[cfg(feature = "melody")]
pub mod clips;
#[cfg(feature = "melody")]
pub mod collection;
#[cfg(feature = "melody")]
pub mod search;
