//! Melodies as validated sequences of notes.

use super::note::{Beats, MAX_BEATS, MAX_DIVISIONS, Note, checked_sum, is_valid_time};

/// Melody: one or more notes in time order that never overlap.
///
/// Rests are the gaps between notes. Time 0 is the start of the source, so the first note may begin
/// later.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Melody {
    notes: Vec<Note>,
}

/// Error for notes that do not form a melody. The values are positions of notes, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MelodyError {
    /// There are no notes.
    #[error("there are no notes")]
    Empty,
    /// The note at this position has a duration of 0 or less.
    #[error("note {0} does not last")]
    NoDuration(usize),
    /// The note at this position begins before the end of the previous note.
    #[error("note {0} begins before the one before it ends")]
    Overlap(usize),
    /// A note begins before 0, ends after [`MAX_BEATS`], or needs more than [`MAX_DIVISIONS`]
    /// divisions of a quarter note.
    #[error(
        "note {0} begins before the source does, ends after {MAX_BEATS} quarter notes, or divides one \
         into more than {MAX_DIVISIONS} parts"
    )]
    OutOfRange(usize),
}

impl Melody {
    /// Creates a melody from notes in time order. The error contains the position of the first
    /// invalid note, from 1.
    pub fn new(notes: Vec<Note>) -> Result<Self, MelodyError> {
        if notes.is_empty() {
            return Err(MelodyError::Empty);
        }
        let mut end = Beats::from_integer(0);
        for (number, note) in (1..).zip(&notes) {
            if !is_valid_time(note.onset) || *note.duration.denom() > MAX_DIVISIONS {
                return Err(MelodyError::OutOfRange(number));
            }
            if *note.duration.numer() <= 0 {
                return Err(MelodyError::NoDuration(number));
            }
            let note_end =
                is_valid_time(note.duration).then(|| checked_sum(note.onset, note.duration));
            let Some(note_end) = note_end.flatten() else {
                return Err(MelodyError::OutOfRange(number));
            };
            if note.onset < end {
                return Err(MelodyError::Overlap(number));
            }
            end = note_end;
        }
        Ok(Self { notes })
    }

    /// Returns the notes in time order.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Returns the number of notes, which is never 0.
    #[expect(clippy::len_without_is_empty, reason = "a melody has notes")]
    pub fn len(&self) -> usize {
        self.notes.len()
    }

    /// Returns the onset of the first note, in quarter notes from the start of the source.
    pub fn start(&self) -> Beats {
        self.notes[0].onset
    }

    /// Returns the end of the last note, in quarter notes from the start of the source.
    pub fn end(&self) -> Beats {
        self.notes[self.notes.len() - 1].end()
    }

    /// Returns the length from the first onset to the last end, in quarter notes.
    pub fn length(&self) -> Beats {
        self.end() - self.start()
    }

    /// Returns the intervals between successive notes in semitones; upward intervals are positive.
    pub fn intervals(&self) -> impl Iterator<Item = i32> + '_ {
        let pitch = |note: &Note| i32::from(note.pitch.number());
        self.notes
            .windows(2)
            .map(move |two| pitch(&two[1]) - pitch(&two[0]))
    }

    /// Transposes the melody by a number of semitones, with default spellings. Returns `None` if a
    /// pitch leaves the MIDI range.
    pub fn transposed(&self, semitones: i32) -> Option<Self> {
        let transposed = |note: &Note| {
            let pitch = note.pitch.transposed(semitones)?;
            Some(Note::new(pitch, note.onset, note.duration))
        };
        let notes: Option<Vec<Note>> = self.notes.iter().map(transposed).collect();
        Some(Self { notes: notes? })
    }
}
