//! Signs that join notes: graces, ties and chords.

use partita_formats::{Diagnostic, DiagnosticCode};

use super::super::PaeVersion;
use super::parser::{ChordNotes, Grace, Parser, syntax};

impl Parser<'_> {
    pub(crate) fn begin_grace(&mut self, grace: Grace) -> Result<(), Diagnostic> {
        if self.chord.is_some() {
            return Err(syntax("there is a grace note in a chord"));
        }
        self.grace = grace;
        Ok(())
    }

    pub(crate) fn begin_grace_group(&mut self) -> Result<(), Diagnostic> {
        if self.grace_group.is_some() {
            return Err(syntax("a group of grace notes begins in another"));
        }
        self.grace_group = Some(self.at - 1);
        Ok(())
    }

    pub(crate) fn tie(&mut self) {
        if self.last_grace {
            return;
        }
        match self.events.last_mut() {
            Some(event) if event.sound.is_some() => event.tied = true,
            _ => self.oddities.add(DiagnosticCode::BrokenTies),
        }
    }

    /// Version 2: the sign is the tie and the note to which it leads.
    pub(crate) fn tied_note(&mut self) -> Result<(), Diagnostic> {
        let Some(before) = self
            .events
            .last()
            .copied()
            .filter(|event| event.sound.is_some())
        else {
            return Err(syntax("a tie follows no note"));
        };
        let parts = if self.fresh {
            self.next_value()
        } else {
            before.parts
        };
        self.events.last_mut().expect("it was there").tied = true;
        self.push(before.sound, parts)
    }

    pub(crate) fn begin_chord(&mut self) -> Result<(), Diagnostic> {
        let first = match self.version {
            PaeVersion::One => {
                let note = self
                    .events
                    .last()
                    .is_some_and(|event| event.sound.is_some());
                if !note && !self.last_grace {
                    return Err(syntax("a chord follows no note"));
                }
                ChordNotes::Further
            }
            PaeVersion::Two => ChordNotes::First,
        };
        if self.chord.is_some() {
            return Err(syntax("a chord begins in another"));
        }
        self.chord = Some(first);
        Ok(())
    }
}
