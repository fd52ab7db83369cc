//! Comparison of the written measures with the metre. Measures of another length show errors of the
//! source or of its reading.

use crate::Beats;
use crate::note::{beats_from_halvings, checked_sum};
use crate::readers::pae::signatures::DURATION_BITS;

use super::parser::NotationParser;

/// Measure that a bar line ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measure {
    /// Index in `NotationParser::events` of the first event after the measure.
    end: usize,
    /// Length that the metre demands, in units of 1/512 quarter note (see [`DURATION_BITS`]);
    /// `None` if the metre is missing, a guess, or changed within the measure.
    parts: Option<u64>,
    /// True if the measure may be shorter than the metre demands: it follows the beginning or
    /// borders on a double bar line or repeat sign, which may divide a measure.
    may_be_short: bool,
    /// True if `=` stands for one or more measures of rest in it.
    has_measure_rest: bool,
}

/// State of the current measure.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OpenMeasure {
    /// True if a single bar line precedes the measure.
    pub(crate) follows_single_bar: bool,
    /// True if the metre changed after a note or rest of the measure.
    pub(crate) has_metre_change: bool,
    /// True if `=` stands for one or more measures of rest in it.
    pub(crate) has_measure_rest: bool,
}

impl NotationParser<'_> {
    /// Ends the current measure, if it has notes or rests, at a bar line.
    pub(crate) fn end_measure(&mut self, is_single_bar: bool) {
        let before = std::mem::take(&mut self.open_measure);
        if self.events.len() > self.measure_start {
            let is_known = !self.metre.is_guessed && !before.has_metre_change;
            self.measures.push(Measure {
                end: self.events.len(),
                parts: is_known.then_some(self.metre.parts),
                may_be_short: !before.follows_single_bar || !is_single_bar,
                has_measure_rest: before.has_measure_rest,
            });
            self.last_measure = (self.measure_start, self.events.len());
            self.measure_start = self.events.len();
            self.open_measure.follows_single_bar = is_single_bar;
        } else {
            // Nothing stands between two bar lines: both together divide as a double bar line.
            self.open_measure.follows_single_bar = false;
        }
    }

    /// Returns true if the measures between bar lines have the length that the metre demands. The
    /// last measure is not compared unless a bar line ends it, because an incipit may end anywhere.
    pub(crate) fn fills_measures(&self) -> bool {
        let mut start = 0;
        self.measures.iter().all(|measure| {
            let events = &self.events[start..measure.end];
            start = measure.end;
            let Some(parts) = measure.parts else {
                return true;
            };
            let parts =
                i64::try_from(parts).expect("a measure is shorter than a thousand whole notes");
            let metre = beats_from_halvings(parts, DURATION_BITS);
            let mut durations = events.iter().map(|event| self.scaled_duration(event));
            let sum = durations.try_fold(Beats::new_raw(0, 1), |sum, duration| {
                checked_sum(sum, duration?)
            });
            // A sum beyond the largest time is an error that the end of the parser reports.
            sum.is_none_or(|sum| match sum <= metre {
                true => sum == metre || measure.may_be_short,
                false => measure.has_measure_rest && (sum / metre).is_integer(),
            })
        })
    }
}
