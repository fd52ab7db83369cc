//! Audio: rendering of melodies with instruments, decoding and normalisation of recordings, and
//! clips with their file formats. Nothing in this module opens a file.

pub(crate) mod built_in;
pub(crate) mod clip;
pub(crate) mod collection_clips;
pub mod decoder;
pub(crate) mod flac;
pub(crate) mod instrument;
pub(crate) mod loudness;
pub(crate) mod mp3_length;
pub(crate) mod recording;
pub mod renderer;
pub(crate) mod resampler;
pub(crate) mod soundfont;
pub(crate) mod wav;
