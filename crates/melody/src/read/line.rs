//! The line of notes that readers make as they go.

use partita_formats::{Code, Problem};

use super::{Chords, DiagnosticCounts, ReadOptions};
use crate::note::sum;
use crate::{Beats, Melody, Note, Pitch, Spelling};

/// Notes one after the other, with ties joined and limits held.
#[derive(Debug)]
pub(super) struct Line {
    notes: Vec<Note>,
    now: Beats,
    most: usize,
}

impl Line {
    /// An empty line that takes so many notes at most.
    pub(super) fn new(most: usize) -> Self {
        Self {
            notes: Vec::new(),
            now: Beats::new_raw(0, 1),
            most,
        }
    }

    /// Room for so many notes.
    pub(super) fn reserve(&mut self, notes: usize) {
        self.notes.reserve_exact(notes.min(self.most));
    }

    /// Time passes.
    pub(super) fn rest(&mut self, duration: Beats) -> Result<(), Problem> {
        self.now = sum(self.now, duration).ok_or_else(out_of_range)?;
        Ok(())
    }

    /// A note sounds.
    pub(super) fn note(
        &mut self,
        pitch: Pitch,
        spelling: Option<Spelling>,
        duration: Beats,
    ) -> Result<(), Problem> {
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
    pub(super) fn lengthen(&mut self, duration: Beats) -> Result<(), Problem> {
        self.rest(duration)?;
        if let Some(last) = self.notes.last_mut() {
            last.duration = sum(last.duration, duration).ok_or_else(out_of_range)?;
        }
        Ok(())
    }

    /// The melody of these notes.
    pub(super) fn finish(self) -> Result<Melody, Problem> {
        melody(self.notes)
    }
}

/// A melody of notes that a reader put in order.
pub(super) fn melody(notes: Vec<Note>) -> Result<Melody, Problem> {
    use crate::MelodyError::{Empty, NoDuration, OutOfRange, Overlap};
    Melody::new(notes).map_err(|error| match error {
        Empty => Problem::new(Code::NoNotes, "there are no notes"),
        NoDuration(_) => Problem::new(Code::Syntax, error.to_string()),
        Overlap(_) => Problem::new(Code::Polyphonic, format!("notes sound at once: {error}")),
        OutOfRange(_) => out_of_range(),
    })
}

/// A time is later, or divided more finely, than those of melodies.
pub(super) fn out_of_range() -> Problem {
    let (longest, finest) = (crate::LONGEST, crate::FINEST);
    Problem::new(
        Code::TooLong,
        format!(
            "it lasts longer than {longest} quarter notes, or divides one into more than {finest} parts"
        ),
    )
}

/// There are more notes than are read.
pub(super) fn too_many(most: usize) -> Problem {
    let message = format!("there are more than {most} notes");
    Problem::new(Code::TooLong, message)
}

/// Which of so many voices with notes is read, from 0.
pub(super) fn chosen_voice(
    count: usize,
    what: &str,
    options: &ReadOptions,
) -> Result<usize, Problem> {
    let several = |message| Err(Problem::new(Code::SeveralVoices, message));
    match (options.voice, count) {
        (_, 0) => Err(Problem::new(Code::NoNotes, "there are no notes")),
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
pub(super) fn one_at_a_time(
    mut notes: Vec<Note>,
    chords: Chords,
    oddities: &mut DiagnosticCounts,
) -> Result<Melody, Problem> {
    notes.sort_by_key(|note| (note.onset, note.pitch, note.duration));
    if chords == Chords::Highest {
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
            oddities.add(Code::Chords);
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
