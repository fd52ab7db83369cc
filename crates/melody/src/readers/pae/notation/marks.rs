//! Signs between the notes of the data field: changes of clef, key and metre, grace notes, ties and
//! chords.

use partita_formats::{Diagnostic, DiagnosticCode, diagnostic};

use super::parser::{ChordNotes, GraceKind, NotationParser};
use crate::readers::pae::PaeVersion;
use crate::readers::pae::signatures::{KeySignature, Metre, parse_clef};
use crate::readers::syntax_diagnostic;

impl NotationParser<'_> {
    /// Reads the new clef, key signature or metre after `%`, `$` or `@`, up to a space or the next
    /// of these signs.
    fn read_changed_field(&mut self) -> &str {
        let rest = &self.data[self.at..];
        let end = rest.iter().position(|byte| b" %$@".contains(byte));
        let end = end.unwrap_or(rest.len());
        self.at += end;
        std::str::from_utf8(&rest[..end]).unwrap_or("?")
    }

    /// Reads a change of clef. It is checked and then ignored, because note names do not depend on
    /// it.
    pub(crate) fn change_clef(&mut self) -> Result<(), Diagnostic> {
        let version = self.version;
        match parse_clef(self.read_changed_field(), version)? {
            Some(_) => Ok(()),
            None => Err(diagnostic!(UnknownClef: "\"%\" is followed by no clef")),
        }
    }

    /// Reads a change of key signature.
    pub(crate) fn change_key(&mut self) -> Result<(), Diagnostic> {
        self.key = KeySignature::parse(self.read_changed_field())?;
        Ok(())
    }

    /// Reads a change of metre.
    pub(crate) fn change_metre(&mut self) -> Result<(), Diagnostic> {
        self.metre = Metre::parse(self.read_changed_field())?;
        self.open_measure.has_metre_change |= self.events.len() > self.measure_start;
        Ok(())
    }

    /// Marks the next note as a grace note.
    pub(crate) fn begin_grace(&mut self, grace: GraceKind) -> Result<(), Diagnostic> {
        if self.chord.is_some() {
            return Err(syntax_diagnostic("there is a grace note in a chord"));
        }
        self.grace = grace;
        Ok(())
    }

    /// Marks all notes until `r` as grace notes.
    pub(crate) fn begin_grace_group(&mut self) -> Result<(), Diagnostic> {
        if self.grace_group.is_some() {
            return Err(syntax_diagnostic(
                "a group of grace notes begins in another",
            ));
        }
        self.grace_group = Some(self.at - 1);
        Ok(())
    }

    /// Reads a tie sign of version 1, which ties the last note to the next one.
    pub(crate) fn read_tie(&mut self) {
        if self.last_was_grace {
            return;
        }
        match self.events.last_mut() {
            Some(event) if event.sound.is_some() => event.tied = true,
            _ => self.diagnostic_counts.add(DiagnosticCode::BrokenTies),
        }
    }

    /// Reads a tie sign of version 2. It also stands for the second note of the tie, which is not
    /// written separately.
    pub(crate) fn read_tied_note(&mut self) -> Result<(), Diagnostic> {
        let Some(before) = self
            .events
            .last()
            .copied()
            .filter(|event| event.sound.is_some())
        else {
            return Err(syntax_diagnostic("a tie follows no note"));
        };
        let parts = if self.is_reading_sequence {
            self.next_duration()
        } else {
            before.parts
        };
        self.events
            .last_mut()
            .expect("`before` is the last event")
            .tied = true;
        self.push_event(before.sound, parts)
    }

    /// Reads a chord sign.
    pub(crate) fn begin_chord(&mut self) -> Result<(), Diagnostic> {
        let first = match self.version {
            PaeVersion::One => {
                let note = self
                    .events
                    .last()
                    .is_some_and(|event| event.sound.is_some());
                if !note && !self.last_was_grace {
                    return Err(syntax_diagnostic("a chord follows no note"));
                }
                ChordNotes::Further
            }
            PaeVersion::Two => ChordNotes::First,
        };
        if self.chord.is_some() {
            return Err(syntax_diagnostic("a chord begins in another"));
        }
        self.chord = Some(first);
        Ok(())
    }
}
