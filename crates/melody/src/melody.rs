//! A line of notes.

use super::note::{Beats, MAX_BEATS, MAX_DIVISIONS, Note, checked_sum, in_range};

/// A line of notes: at least one, one after the other, never two at once.
///
/// Rests are the gaps between notes. The first need not begin at 0, which is where its source begins.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Melody {
    notes: Vec<Note>,
}

/// Why notes are no melody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MelodyError {
    /// There are none.
    #[error("there are no notes")]
    Empty,
    /// A note does not last.
    #[error("note {0} does not last")]
    NoDuration(usize),
    /// A note begins before the one before it ends.
    #[error("note {0} begins before the one before it ends")]
    Overlap(usize),
    /// A note begins before 0, ends too late, or divides a quarter note too finely.
    #[error(
        "note {0} begins before the source does, ends after {MAX_BEATS} quarter notes, or divides one \
         into more than {MAX_DIVISIONS} parts"
    )]
    OutOfRange(usize),
}

impl Melody {
    /// A melody of these notes. With an error, the number of the note that does not fit, from 1.
    pub fn new(notes: Vec<Note>) -> Result<Self, MelodyError> {
        if notes.is_empty() {
            return Err(MelodyError::Empty);
        }
        let mut end = Beats::from_integer(0);
        for (number, note) in (1..).zip(&notes) {
            if !in_range(note.onset) || *note.duration.denom() > MAX_DIVISIONS {
                return Err(MelodyError::OutOfRange(number));
            }
            if *note.duration.numer() <= 0 {
                return Err(MelodyError::NoDuration(number));
            }
            let ends = in_range(note.duration).then(|| checked_sum(note.onset, note.duration));
            let Some(ends) = ends.flatten() else {
                return Err(MelodyError::OutOfRange(number));
            };
            if note.onset < end {
                return Err(MelodyError::Overlap(number));
            }
            end = ends;
        }
        Ok(Self { notes })
    }

    /// The notes, in the order in which they sound.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// How many notes there are; never 0.
    #[expect(clippy::len_without_is_empty, reason = "a melody has notes")]
    pub fn len(&self) -> usize {
        self.notes.len()
    }

    /// When the first note begins.
    pub fn start(&self) -> Beats {
        self.notes[0].onset
    }

    /// When the last note ends.
    pub fn end(&self) -> Beats {
        let last = self.notes.last();
        last.expect("a melody has notes").end()
    }

    /// How long it sounds, outer rests left out.
    pub fn length(&self) -> Beats {
        self.end() - self.start()
    }

    /// The intervals between neighbours, in semitones, upwards positive.
    pub fn intervals(&self) -> impl Iterator<Item = i32> + '_ {
        let pitch = |note: &Note| i32::from(note.pitch.number());
        self.notes
            .windows(2)
            .map(move |two| pitch(&two[1]) - pitch(&two[0]))
    }

    /// The same melody so many semitones higher, with plain spellings; nothing if MIDI has not all
    /// its pitches.
    pub fn transposed(&self, semitones: i32) -> Option<Self> {
        let note = |note: &Note| {
            Some(Note {
                pitch: note.pitch.transposed(semitones)?,
                spelling: None,
                ..*note
            })
        };
        let notes: Option<Vec<Note>> = self.notes.iter().map(note).collect();
        Some(Self { notes: notes? })
    }
}
