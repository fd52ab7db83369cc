//! Voices of a score that are read in parallel: notes in any order, with ties joined.

use partita_formats::{Diagnostic, DiagnosticCode};

use super::builder::{monophonic_melody, out_of_range, select_voice, too_many};
use super::{DiagnosticCounts, MelodyReadOptions, Transcript};
use crate::note::{checked_sum, in_range};
use crate::{Beats, Note, Pitch, Spelling};

/// Limit on open ties per voice; malformed input must not grow the list.
const MOST_TIES: usize = 64;

/// Voice of a score: notes, clef, key, metre and tempo.
#[derive(Debug, Default)]
pub(crate) struct ScoreVoice {
    pub(crate) notes: Vec<Note>,
    /// Indices of the notes with an open tie.
    tied: Vec<usize>,
    pub(crate) graces: u32,
    broken: u32,
    pub(crate) clef: Option<String>,
    pub(crate) key: Option<String>,
    pub(crate) time: Option<String>,
    pub(crate) tempo: Option<f64>,
}

/// Ties of a note.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ties {
    /// True if tied to the previous note.
    pub(crate) back: bool,
    /// True if tied to the next note.
    pub(crate) on: bool,
}

impl ScoreVoice {
    /// Adds a note, or extends an earlier note that is tied to it.
    pub(crate) fn add_note(
        &mut self,
        (pitch, spelling): (Pitch, Option<Spelling>),
        onset: Beats,
        duration: Beats,
        ties: Ties,
    ) -> Result<(), Diagnostic> {
        if !in_range(onset) || !in_range(duration) {
            return Err(out_of_range());
        }
        let leads_here =
            |&at: &usize| self.notes[at].pitch == pitch && self.notes[at].end() == onset;
        let place = match self.tied.iter().position(leads_here).filter(|_| ties.back) {
            Some(tie) => {
                let place = self.tied.swap_remove(tie);
                let note = &mut self.notes[place];
                note.duration = checked_sum(note.duration, duration).ok_or_else(out_of_range)?;
                place
            }
            None => {
                self.broken += u32::from(ties.back);
                self.notes.push(Note {
                    pitch,
                    spelling,
                    onset,
                    duration,
                });
                self.notes.len() - 1
            }
        };
        if ties.on {
            if self.tied.len() == MOST_TIES {
                self.tied.remove(0);
                self.broken += 1;
            }
            self.tied.push(place);
        }
        Ok(())
    }
}

/// Returns the transcript of the requested voice.
pub(crate) fn transcribe_voice(
    mut voices: Vec<ScoreVoice>,
    what: &str,
    options: &MelodyReadOptions,
) -> Result<Transcript, Diagnostic> {
    voices.retain(|voice| !voice.notes.is_empty());
    let chosen = select_voice(voices.len(), what, options)?;
    let voice = voices.swap_remove(chosen);
    let mut diagnostic_counts = DiagnosticCounts::default();
    diagnostic_counts.add_many(DiagnosticCode::GraceNotes, voice.graces);
    let open = u32::try_from(voice.tied.len()).unwrap_or(u32::MAX);
    diagnostic_counts.add_many(
        DiagnosticCode::BrokenTies,
        voice.broken.saturating_add(open),
    );
    let melody = monophonic_melody(voice.notes, options.chords, &mut diagnostic_counts)?;
    if melody.len() > options.max_notes {
        return Err(too_many(options.max_notes));
    }
    Ok(Transcript {
        melody,
        clef: voice.clef,
        key: voice.key,
        time: voice.time,
        tempo: voice.tempo,
        diagnostic_counts,
    })
}
