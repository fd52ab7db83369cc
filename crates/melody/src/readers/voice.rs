//! Voices of a score that are read side by side: notes wherever they stand, ties joined.

use partita_formats::{Diagnostic, DiagnosticCode};

use super::builder::{monophonic_melody, out_of_range, select_voice, too_many};
use super::{DiagnosticCounts, MelodyReadOptions, Transcript};
use crate::note::{checked_sum, in_range};
use crate::{Beats, Note, Pitch, Spelling};

/// Ties that lead on are few in music, and few are remembered of what is none.
const MOST_TIES: usize = 64;

/// A voice: its notes, and what its staff begins with.
#[derive(Debug, Default)]
pub(crate) struct ScoreVoice {
    pub(crate) notes: Vec<Note>,
    /// The places in the list of notes from which a tie leads on.
    tied: Vec<usize>,
    pub(crate) graces: u32,
    broken: u32,
    pub(crate) clef: Option<String>,
    pub(crate) key: Option<String>,
    pub(crate) time: Option<String>,
    pub(crate) tempo: Option<f64>,
}

/// How a note is tied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ties {
    /// To the note before it.
    pub(crate) back: bool,
    /// To the note after it.
    pub(crate) on: bool,
}

impl ScoreVoice {
    /// A note sounds.
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

/// What is read of the voice that was asked for.
pub(crate) fn transcribe_voice(
    mut voices: Vec<ScoreVoice>,
    what: &str,
    options: &MelodyReadOptions,
) -> Result<Transcript, Diagnostic> {
    voices.retain(|voice| !voice.notes.is_empty());
    let chosen = select_voice(voices.len(), what, options)?;
    let voice = voices.swap_remove(chosen);
    let mut oddities = DiagnosticCounts::default();
    oddities.add_many(DiagnosticCode::GraceNotes, voice.graces);
    let open = u32::try_from(voice.tied.len()).unwrap_or(u32::MAX);
    oddities.add_many(
        DiagnosticCode::BrokenTies,
        voice.broken.saturating_add(open),
    );
    let melody = monophonic_melody(voice.notes, options.chords, &mut oddities)?;
    if melody.len() > options.max_notes {
        return Err(too_many(options.max_notes));
    }
    Ok(Transcript {
        melody,
        clef: voice.clef,
        key: voice.key,
        time: voice.time,
        tempo: voice.tempo,
        diagnostic_counts: oddities,
    })
}
