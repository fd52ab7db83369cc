//! Construction of melodies in readers.

use partita_formats::{Diagnostic, DiagnosticCode, diagnostic};

use super::{ChordPolicy, DiagnosticCounts, MelodyReadOptions, syntax};
use crate::note::checked_sum;
use crate::{Beats, Melody, Note, Pitch, Spelling};

/// Builder of a melody, note by note. It joins ties and enforces limits.
#[derive(Debug)]
pub(crate) struct MelodyBuilder {
    notes: Vec<Note>,
    now: Beats,
    most: usize,
}

impl MelodyBuilder {
    /// Creates a builder for at most `most` notes.
    pub(crate) fn new(most: usize) -> Self {
        Self {
            notes: Vec::new(),
            now: Beats::new_raw(0, 1),
            most,
        }
    }

    /// Reserves memory for a number of notes.
    pub(crate) fn reserve(&mut self, notes: usize) {
        self.notes.reserve_exact(notes.min(self.most));
    }

    /// Advances the current time by a rest.
    pub(crate) fn rest(&mut self, duration: Beats) -> Result<(), Diagnostic> {
        self.now = checked_sum(self.now, duration).ok_or_else(out_of_range)?;
        Ok(())
    }

    /// Appends a note at the current time.
    pub(crate) fn note(
        &mut self,
        pitch: Pitch,
        spelling: Option<Spelling>,
        duration: Beats,
    ) -> Result<(), Diagnostic> {
        if self.notes.len() == self.most {
            return Err(too_many(self.most));
        }
        let onset = self.now;
        self.rest(duration)?;
        self.notes.push(Note {
            pitch,
            spelling,
            onset,
            duration,
        });
        Ok(())
    }

    /// Extends the last note, for a tie.
    pub(crate) fn extend_last_note(&mut self, duration: Beats) -> Result<(), Diagnostic> {
        self.rest(duration)?;
        if let Some(last) = self.notes.last_mut() {
            last.duration = checked_sum(last.duration, duration).ok_or_else(out_of_range)?;
        }
        Ok(())
    }

    /// Returns the melody.
    pub(crate) fn finish(self) -> Result<Melody, Diagnostic> {
        melody(self.notes)
    }
}

/// Creates a melody from notes that a reader has sorted.
pub(crate) fn melody(notes: Vec<Note>) -> Result<Melody, Diagnostic> {
    use crate::MelodyError::{Empty, NoDuration, OutOfRange, Overlap};
    Melody::new(notes).map_err(|error| match error {
        Empty => diagnostic!(NoNotes: "there are no notes"),
        NoDuration(_) => syntax(error.to_string()),
        Overlap(_) => diagnostic!(Polyphonic: "notes sound at once: {error}"),
        OutOfRange(_) => out_of_range(),
    })
}

/// Returns the diagnostic for a time that is too late or divided too finely.
pub(crate) fn out_of_range() -> Diagnostic {
    let (longest, finest) = (crate::MAX_BEATS, crate::MAX_DIVISIONS);
    diagnostic!(TooLong:
        "it lasts longer than {longest} quarter notes, or divides one into more than {finest} parts")
}

/// Returns the diagnostic for a melody with too many notes.
pub(crate) fn too_many(most: usize) -> Diagnostic {
    diagnostic!(TooLong: "there are more than {most} notes")
}

/// Returns the index of the voice to read among `count` voices with notes. Without a requested
/// voice, there must be exactly one. `plural` is the plural noun for voices in error messages.
pub(crate) fn select_voice(
    count: usize,
    plural: &str,
    options: &MelodyReadOptions,
) -> Result<usize, Diagnostic> {
    match (options.voice, count) {
        (_, 0) => Err(diagnostic!(NoNotes: "there are no notes")),
        (None, 1) => Ok(0),
        (None, count) => Err(diagnostic!(SeveralVoices: "{count} {plural} have notes")),
        (Some(number), count) if (1..=count).contains(&number) => Ok(number - 1),
        (Some(number), count) => Err(diagnostic!(SeveralVoices:
            "voice {number} was asked for, and there are {count} with notes")),
    }
}

/// Creates a melody from notes in any order. With [`ChordPolicy::Highest`], the highest of several
/// notes with the same onset is kept, a higher note ends a lower one, and a lower note that begins
/// during a higher one is left out.
pub(crate) fn monophonic_melody(
    mut notes: Vec<Note>,
    chords: ChordPolicy,
    diagnostic_counts: &mut DiagnosticCounts,
) -> Result<Melody, Diagnostic> {
    notes.sort_by_key(|note| (note.onset, note.pitch, note.duration));
    if chords == ChordPolicy::Highest {
        let mut highest: Vec<Note> = Vec::with_capacity(notes.len());
        for note in notes {
            match highest.last_mut().filter(|last| last.end() > note.onset) {
                None => highest.push(note),
                Some(last) => {
                    diagnostic_counts.add(DiagnosticCode::Chords);
                    if last.onset == note.onset {
                        *last = note;
                    } else if last.pitch <= note.pitch {
                        last.duration = note.onset - last.onset;
                        highest.push(note);
                    }
                }
            }
        }
        notes = highest;
    }
    melody(notes)
}
