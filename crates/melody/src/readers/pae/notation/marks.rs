//! Marks inside the notes: changes of clef, key and metre, grace notes, ties and chords.

use partita_formats::{Diagnostic, DiagnosticCode, diagnostic};

use super::parser::{ChordNotes, Grace, Parser};
use crate::readers::pae::PaeVersion;
use crate::readers::pae::signatures::{KeySignature, Metre, parse_clef};
use crate::readers::syntax;

impl Parser<'_> {
    /// Returns the text after `%`, `$` or `@`, up to a space or the next of these signs.
    fn changed_field(&mut self) -> &str {
        let rest = &self.data[self.at..];
        let end = rest.iter().position(|byte| b" %$@".contains(byte));
        let end = end.unwrap_or(rest.len());
        self.at += end;
        std::str::from_utf8(&rest[..end]).unwrap_or("?")
    }

    pub(crate) fn change_clef(&mut self) -> Result<(), Diagnostic> {
        let version = self.version;
        match parse_clef(self.changed_field(), version)? {
            Some(_) => Ok(()),
            None => Err(diagnostic!(UnknownClef: "\"%\" is followed by no clef")),
        }
    }

    pub(crate) fn change_key(&mut self) -> Result<(), Diagnostic> {
        self.key = KeySignature::parse(self.changed_field())?;
        Ok(())
    }

    pub(crate) fn change_metre(&mut self) -> Result<(), Diagnostic> {
        self.metre = Metre::parse(self.changed_field())?;
        Ok(())
    }

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
            _ => self.diagnostic_counts.add(DiagnosticCode::BrokenTies),
        }
    }

    /// Reads a tie sign of version 2. It also stands for the second note of the tie, which is not
    /// written.
    pub(crate) fn tied_note(&mut self) -> Result<(), Diagnostic> {
        let Some(before) = self
            .events
            .last()
            .copied()
            .filter(|event| event.sound.is_some())
        else {
            return Err(syntax("a tie follows no note"));
        };
        let parts = if self.in_sequence {
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
