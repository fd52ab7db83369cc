//! Interface of the instruments that play melodies.

/// Note to play: its pitch, and its start and end as sample indices in the clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoteSpan {
    /// MIDI note number.
    pub key: u8,
    /// Index of the first sample of the note.
    pub start: usize,
    /// Index of the first sample after the note.
    pub end: usize,
}

/// Instrument that turns notes into sound: the built-in synthesizer or a soundfont.
pub trait Instrument {
    /// Returns the longest time that a note still sounds after its end, in seconds.
    fn release_seconds(&self) -> f64;

    /// Returns true if the instrument can play this MIDI note number.
    fn can_play(&self, key: u8) -> bool {
        let _ = key;
        true
    }

    /// Returns the sound of the notes as `samples` samples at `rate` Hz. Its amplitude is
    /// arbitrary, because loudness is normalised later.
    fn play(&self, notes: &[NoteSpan], samples: usize, rate: u32) -> Vec<f64>;
}
