//! Interface of instruments.

/// Note to play, with times in samples from the start of the clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoteSpan {
    /// MIDI note number.
    pub key: u8,
    /// First sample of the note.
    pub start: usize,
    /// First sample after the note.
    pub end: usize,
}

/// Source of sound for notes: built in or from a soundfont.
pub trait Instrument {
    /// Returns the longest time that a note sounds after its end, in seconds.
    fn release_seconds(&self) -> f64;

    /// Returns true if the instrument can play this MIDI note number.
    fn can_play(&self, key: u8) -> bool {
        let _ = key;
        true
    }

    /// Plays notes into a buffer of `samples` samples. The level is arbitrary and is normalised
    /// later.
    fn play(&self, notes: &[NoteSpan], samples: usize, rate: u32) -> Vec<f64>;
}
