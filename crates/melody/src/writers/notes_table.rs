//! Rows of the table of notes that is written as CSV.

use super::MelodyExport;
use crate::note::beats_to_f64;

/// Returns one row per note of a melody: item, note, pitch, onset, duration, name. Onset and
/// duration are in quarter notes, as the nearest decimal numbers.
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
