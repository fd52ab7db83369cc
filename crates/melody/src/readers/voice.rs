//! Voices of a score: readers add notes in any order, and ties are joined.

use partita_formats::{Diagnostic, DiagnosticCode};

use super::builder::{monophonic_melody, select_voice, time_out_of_range, too_many_notes};
use super::{DiagnosticCounts, MelodyReadOptions, Transcript};
use crate::note::{checked_sum, is_valid_time};
use crate::{Beats, Note, Pitch, Spelling};

/// Largest number of ties per voice that wait for their second note, so that malformed input cannot
/// exhaust memory.
const MAX_OPEN_TIES: usize = 64;

/// Voice of a score: notes, clef, key, metre and tempo.
#[derive(Debug, Default)]
pub(crate) struct ScoreVoice {
    pub(crate) notes: Vec<Note>,
    /// Indices in `notes` of the notes that are tied to a later note which is not read yet.
    open_ties: Vec<usize>,
    pub(crate) grace_notes: u32,
    /// Number of ties that lack a note of the same pitch at one end.
    broken_ties: u32,
    pub(crate) clef: Option<String>,
    pub(crate) key: Option<String>,
    pub(crate) time: Option<String>,
    pub(crate) tempo: Option<f64>,
}

/// Ties between a note and its neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ties {
    /// True if the note is tied to the previous note.
    pub(crate) to_previous: bool,
    /// True if the note is tied to the next note.
    pub(crate) to_next: bool,
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
        if !is_valid_time(onset) || !is_valid_time(duration) {
            return Err(time_out_of_range());
        }
        let leads_here =
            |&at: &usize| self.notes[at].pitch == pitch && self.notes[at].end() == onset;
        let place = match self
            .open_ties
            .iter()
            .position(leads_here)
            .filter(|_| ties.to_previous)
        {
            Some(tie) => {
                let place = self.open_ties.swap_remove(tie);
                let note = &mut self.notes[place];
                note.duration =
                    checked_sum(note.duration, duration).ok_or_else(time_out_of_range)?;
                place
            }
            None => {
                self.broken_ties += u32::from(ties.to_previous);
                self.notes.push(Note {
                    pitch,
                    spelling,
                    onset,
                    duration,
                });
                self.notes.len() - 1
            }
        };
        if ties.to_next {
            if self.open_ties.len() == MAX_OPEN_TIES {
                self.open_ties.remove(0);
                self.broken_ties += 1;
            }
            self.open_ties.push(place);
        }
        Ok(())
    }
}

/// Converts the requested voice, or the only one with notes, to a transcript. `plural` is the
/// plural noun for voices in error messages, for example `parts`.
pub(crate) fn transcribe_voice(
    mut voices: Vec<ScoreVoice>,
    plural: &str,
    options: &MelodyReadOptions,
) -> Result<Transcript, Diagnostic> {
    voices.retain(|voice| !voice.notes.is_empty());
    let chosen = select_voice(voices.len(), plural, options)?;
    let voice = voices.swap_remove(chosen);
    let mut diagnostic_counts = DiagnosticCounts::default();
    diagnostic_counts.add_many(DiagnosticCode::GraceNotes, voice.grace_notes);
    let open = u32::try_from(voice.open_ties.len()).unwrap_or(u32::MAX);
    diagnostic_counts.add_many(
        DiagnosticCode::BrokenTies,
        voice.broken_ties.saturating_add(open),
    );
    let melody = monophonic_melody(voice.notes, options.chords, &mut diagnostic_counts)?;
    if melody.len() > options.max_notes {
        return Err(too_many_notes(options.max_notes));
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

/// Parses a tempo in quarter notes per minute. Returns `None` unless it is finite and positive.
pub(crate) fn parse_tempo(text: &str) -> Option<f64> {
    let tempo = text.parse().ok();
    tempo.filter(|tempo: &f64| tempo.is_finite() && *tempo > 0.0)
}

/// Formats a clef in Plaine & Easie notation, for example `G-2`, or `g-2` for a G clef that sounds
/// an octave lower. Returns `None` for other shapes and for lines outside of the staff.
pub(crate) fn format_clef(shape: &str, line: &str, octave_lower: bool) -> Option<String> {
    let shape = if octave_lower && shape == "G" {
        "g"
    } else {
        shape
    };
    let known =
        matches!(shape, "G" | "g" | "C" | "F") && matches!(line, "1" | "2" | "3" | "4" | "5");
    known.then(|| format!("{shape}-{line}"))
}
