//! Changes of clef, key and metre within the notes.

use partita_formats::{Diagnostic, DiagnosticCode};

use super::parser::Parser;
use crate::readers::pae::signatures::{KeySignature, Metre, clef};

impl Parser<'_> {
    /// What follows `%`, `$` or `@`, up to a space or the next of them.
    pub(crate) fn change(&mut self) -> &str {
        let rest = &self.data[self.at..];
        let end = rest
            .iter()
            .position(|byte| matches!(byte, b' ' | b'%' | b'$' | b'@'));
        let end = end.unwrap_or(rest.len());
        self.at += end;
        std::str::from_utf8(&rest[..end]).unwrap_or("?")
    }

    pub(crate) fn change_clef(&mut self) -> Result<(), Diagnostic> {
        let version = self.version;
        match clef(self.change(), version)? {
            Some(_) => Ok(()),
            None => Err(Diagnostic::new(
                DiagnosticCode::UnknownClef,
                "\"%\" is followed by no clef",
            )),
        }
    }

    pub(crate) fn change_key(&mut self) -> Result<(), Diagnostic> {
        self.key = KeySignature::parse(self.change())?;
        Ok(())
    }

    pub(crate) fn change_metre(&mut self) -> Result<(), Diagnostic> {
        self.metre = Metre::parse(self.change())?;
        Ok(())
    }
}
