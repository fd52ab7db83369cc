//! Rows of the table of notes that is written as CSV.

use super::MelodyExport;
use crate::note::beats_to_f64;

/// Returns one row per note of a melody: item id, number of the note from 1, pitch as a MIDI note
/// number, onset, duration, note name. Onset and duration are decimal numbers of quarter notes.
pub fn note_rows(written: MelodyExport<'_>) -> impl Iterator<Item = [String; 6]> {
    let notes = (1..).zip(written.melody.notes());
    notes.map(move |(number, note): (u64, _)| {
        [
            written.id.to_owned(),
            number.to_string(),
            note.pitch.number().to_string(),
            beats_to_f64(note.onset).to_string(),
            beats_to_f64(note.duration).to_string(),
            note.name(),
        ]
    })
}
