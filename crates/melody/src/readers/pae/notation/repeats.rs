//! Abbreviations in the data field: repeated figures, repeated measures, measures of rest.

use partita_formats::{Diagnostic, DiagnosticCode};

use super::parser::NotationParser;
use crate::readers::builder::time_out_of_range;
use crate::readers::syntax_diagnostic;

impl NotationParser<'_> {
    /// Reads `!`, which opens or closes a repeated figure. After the closing `!`, the notes between
    /// both signs are repeated once per letter `f`.
    pub(crate) fn read_repeated_figure(&mut self) -> Result<(), Diagnostic> {
        let Some((_, start, groups)) = self.figure.take() else {
            self.figure = Some((self.at - 1, self.events.len(), self.groups.len()));
            return Ok(());
        };
        if groups != self.groups.len() || start > self.events.len() {
            return Err(syntax_diagnostic("a repeated figure holds half a tuplet"));
        }
        let end = self.events.len();
        let mut times = 0;
        while self.peek() == Some(b'f') {
            self.at += 1;
            times += 1;
        }
        self.is_reading_sequence = false;
        self.check_event_limit((end - start).saturating_mul(times))?;
        for _ in 0..times {
            self.events.extend_from_within(start..end);
        }
        Ok(())
    }

    /// Reads `i`, which repeats the previous measure.
    pub(crate) fn repeat_measure(&mut self) -> Result<(), Diagnostic> {
        let (start, end) = self.last_measure;
        if self.events.len() > self.measure_start || !self.groups.is_empty() || start == end {
            return Err(syntax_diagnostic(
                "\"i\" repeats a measure, and stands alone after one",
            ));
        }
        self.check_event_limit(end - start)?;
        self.events.extend_from_within(start..end);
        Ok(())
    }

    /// Reads `=` and the number of measures of rest that it stands for; 1 if there is no number.
    pub(crate) fn read_measure_rest(&mut self) -> Result<(), Diagnostic> {
        let mut measures = 0_u64;
        let mut digits = 0;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            self.at += 1;
            digits += 1;
            measures = (measures * 10 + u64::from(digit - b'0')).min(1 << 32);
        }
        if digits == 0 {
            measures = 1;
        }
        if self.metre.is_guessed {
            self.diagnostic_counts.add(DiagnosticCode::UnclearMetre);
        }
        let parts = u32::try_from(self.metre.parts * measures).map_err(|_| time_out_of_range())?;
        self.is_reading_sequence = false;
        if parts == 0 {
            return Ok(());
        }
        self.open_measure.has_measure_rest = true;
        self.push_event(None, parts)
    }
}
