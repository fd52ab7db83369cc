//! Melodies: notes with exact durations, readers and writers of their file formats, audio,
//! features, and the retrieval systems that compare them.
//!
//! A [`Melody`] is a sequence of [`Note`]s that never overlap. Times are exact fractions of quarter
//! notes ([`Beats`]), so that a triplet is exactly a third and two files of one melody give equal
//! notes.
//!
//! ```
//! use partita_melody::{Beats, Melody, Note, Pitch};
//!
//! let pitches = [67, 69, 71].map(|number| Pitch::new(number).expect("a key of a piano"));
//! let notes = pitches.iter().zip(0..).map(|(&pitch, beat)| {
//!     Note::new(pitch, Beats::from_integer(beat), Beats::from_integer(1))
//! });
//! let melody = Melody::new(notes.collect())?;
//! assert_eq!(melody.intervals().collect::<Vec<i32>>(), [2, 2]);
//! # Ok::<(), partita_melody::MelodyError>(())
//! ```

mod archive;
pub mod audio;
mod checksum;
pub mod collection;
pub mod features;
mod melody;
mod metadata;
mod note;
mod pitch;
pub mod readers;
pub mod search;
pub mod systems;
pub mod writers;

pub use checksum::{Checksum, sha256_hex};
pub use melody::{Melody, MelodyError};
pub use metadata::ItemMetadata;
pub use note::{Beats, MAX_BEATS, MAX_DIVISIONS, Note};
pub use pitch::{Pitch, Spelling, Step};
