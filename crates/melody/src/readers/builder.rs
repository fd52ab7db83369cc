//! The line of notes that readers make as they go.

use partita_formats::{Diagnostic, DiagnosticCode};

use super::{ChordPolicy, DiagnosticCounts, MelodyReadOptions};
use crate::note::checked_sum;
use crate::{Beats, Melody, Note, Pitch, Spelling};

/// Notes one after the other, with ties joined and limits held.
#[derive(Debug)]
pub(crate) struct MelodyBuilder {
    notes: Vec<Note>,
    now: Beats,
    most: usize,
}

impl MelodyBuilder {
    /// An empty line that takes so many notes at most.
    pub(crate) fn new(most: usize) -> Self {
        Self {
            notes: Vec::new(),
            now: Beats::new_raw(0, 1),
            most,
        }
    }

    /// Room for so many notes.
    pub(crate) fn reserve(&mut self, notes: usize) {
        self.notes.reserve_exact(notes.min(self.most));
    }

    /// Time passes.
    pub(crate) fn rest(&mut self, duration: Beats) -> Result<(), Diagnostic> {
        self.now = checked_sum(self.now, duration).ok_or_else(out_of_range)?;
        Ok(())
    }

    /// A note sounds.
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

    /// The last note sounds on.
    pub(crate) fn extend_last_note(&mut self, duration: Beats) -> Result<(), Diagnostic> {
        self.rest(duration)?;
        if let Some(last) = self.notes.last_mut() {
            last.duration = checked_sum(last.duration, duration).ok_or_else(out_of_range)?;
        }
        Ok(())
    }

    /// The melody of these notes.
    pub(crate) fn finish(self) -> Result<Melody, Diagnostic> {
        melody(self.notes)
    }
}

/// A melody of notes that a reader put in order.
pub(crate) fn melody(notes: Vec<Note>) -> Result<Melody, Diagnostic> {
    use crate::MelodyError::{Empty, NoDuration, OutOfRange, Overlap};
    Melody::new(notes).map_err(|error| match error {
        Empty => Diagnostic::new(DiagnosticCode::NoNotes, "there are no notes"),
        NoDuration(_) => Diagnostic::new(DiagnosticCode::Syntax, error.to_string()),
        Overlap(_) => Diagnostic::new(
            DiagnosticCode::Polyphonic,
            format!("notes sound at once: {error}"),
        ),
        OutOfRange(_) => out_of_range(),
    })
}

/// A time is later, or divided more finely, than those of melodies.
pub(crate) fn out_of_range() -> Diagnostic {
    let (longest, finest) = (crate::MAX_BEATS, crate::MAX_DIVISIONS);
    Diagnostic::new(
        DiagnosticCode::TooLong,
        format!(
            "it lasts longer than {longest} quarter notes, or divides one into more than {finest} parts"
        ),
    )
}

/// There are more notes than are read.
pub(crate) fn too_many(most: usize) -> Diagnostic {
    let message = format!("there are more than {most} notes");
    Diagnostic::new(DiagnosticCode::TooLong, message)
}

/// Which of so many voices with notes is read, from 0.
pub(crate) fn select_voice(
    count: usize,
    what: &str,
    options: &MelodyReadOptions,
) -> Result<usize, Diagnostic> {
    let several = |message| Err(Diagnostic::new(DiagnosticCode::SeveralVoices, message));
    match (options.voice, count) {
        (_, 0) => Err(Diagnostic::new(
            DiagnosticCode::NoNotes,
            "there are no notes",
        )),
        (None, 1) => Ok(0),
        (None, count) => several(format!("{count} {what} have notes")),
        (Some(number), count) if (1..=count).contains(&number) => Ok(number - 1),
        (Some(number), count) => several(format!(
            "voice {number} was asked for, and there are {count} with notes"
        )),
    }
}

/// A melody of notes in any order. Of what sounds at once the highest is kept, where that is asked for: of
/// notes that begin together the highest, a higher note ends a lower one, and a lower one that begins
/// while a higher one sounds is left out.
pub(crate) fn monophonic_melody(
    mut notes: Vec<Note>,
    chords: ChordPolicy,
    oddities: &mut DiagnosticCounts,
) -> Result<Melody, Diagnostic> {
    notes.sort_by_key(|note| (note.onset, note.pitch, note.duration));
    if chords == ChordPolicy::Highest {
        let mut kept: Vec<Note> = Vec::with_capacity(notes.len());
        for note in notes {
            let Some(last) = kept.last_mut() else {
                kept.push(note);
                continue;
            };
            if last.end() <= note.onset {
                kept.push(note);
                continue;
            }
            oddities.add(DiagnosticCode::Chords);
            if last.onset == note.onset {
                *last = note;
            } else if last.pitch <= note.pitch {
                last.duration = note.onset - last.onset;
                kept.push(note);
            }
        }
        notes = kept;
    }
    melody(notes)
}
