//! Construction of melodies from the notes that readers find.

use partita_formats::{Diagnostic, DiagnosticCode, diagnostic};

use super::{ChordPolicy, DiagnosticCounts, MelodyReadOptions, syntax_diagnostic};
use crate::note::checked_sum;
use crate::{Beats, Melody, Note, Pitch, Spelling};

/// Builder of a melody, to which notes and rests are added in time order. It joins tied notes and
/// enforces limits.
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

    /// Reserves memory for this number of notes, but not for more than the limit.
    pub(crate) fn reserve(&mut self, notes: usize) {
        self.notes.reserve_exact(notes.min(self.most));
    }

    /// Advances the current time by the duration of a rest.
    pub(crate) fn add_rest(&mut self, duration: Beats) -> Result<(), Diagnostic> {
        self.now = checked_sum(self.now, duration).ok_or_else(time_out_of_range)?;
        Ok(())
    }

    /// Appends a note at the current time and advances the time by its duration.
    pub(crate) fn add_note(
        &mut self,
        pitch: Pitch,
        spelling: Option<Spelling>,
        duration: Beats,
    ) -> Result<(), Diagnostic> {
        if self.notes.len() == self.most {
            return Err(too_many_notes(self.most));
        }
        let onset = self.now;
        self.add_rest(duration)?;
        self.notes.push(Note {
            pitch,
            spelling,
            onset,
            duration,
        });
        Ok(())
    }

    /// Extends the last note by the duration of a note that is tied to it.
    pub(crate) fn extend_last_note(&mut self, duration: Beats) -> Result<(), Diagnostic> {
        self.add_rest(duration)?;
        if let Some(last) = self.notes.last_mut() {
            last.duration = checked_sum(last.duration, duration).ok_or_else(time_out_of_range)?;
        }
        Ok(())
    }

    /// Returns the melody of all notes that were added.
    pub(crate) fn finish(self) -> Result<Melody, Diagnostic> {
        melody_from_sorted_notes(self.notes)
    }
}

/// Creates a melody from notes in time order, and converts errors to diagnostics.
pub(crate) fn melody_from_sorted_notes(notes: Vec<Note>) -> Result<Melody, Diagnostic> {
    use crate::MelodyError::{Empty, NoDuration, OutOfRange, Overlap};
    Melody::new(notes).map_err(|error| match error {
        Empty => diagnostic!(NoNotes: "there are no notes"),
        NoDuration(_) => syntax_diagnostic(error.to_string()),
        Overlap(_) => diagnostic!(Polyphonic: "notes sound at once: {error}"),
        OutOfRange(_) => time_out_of_range(),
    })
}

/// Returns the diagnostic for a time after [`MAX_BEATS`](crate::MAX_BEATS) or with more than
/// [`MAX_DIVISIONS`](crate::MAX_DIVISIONS) divisions of a quarter note.
pub(crate) fn time_out_of_range() -> Diagnostic {
    let (longest, finest) = (crate::MAX_BEATS, crate::MAX_DIVISIONS);
    diagnostic!(TooLong:
        "it lasts longer than {longest} quarter notes, or divides one into more than {finest} parts")
}

/// Returns the diagnostic for a melody with more than `most` notes.
pub(crate) fn too_many_notes(most: usize) -> Diagnostic {
    diagnostic!(TooLong: "there are more than {most} notes")
}

/// Returns the index of the voice to read among `count` voices that have notes: the one that the
/// options request, or the only one. `plural` is the plural noun for voices in error messages.
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

/// Creates a melody from notes in any order. With [`ChordPolicy::Highest`], it keeps the highest of
/// several notes with the same onset, ends a note where one with the same or a higher pitch begins,
/// and leaves out a lower note that begins during a higher one.
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
    melody_from_sorted_notes(notes)
}
