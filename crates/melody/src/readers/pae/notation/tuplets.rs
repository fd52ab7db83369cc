//! Groups in parentheses: tuplets and fermatas.

use num_traits::CheckedMul;
use partita_formats::{Diagnostic, diagnostic};

use super::parser::{NotationEvent, Parser};
use crate::Beats;
use crate::note::{beats_from_halvings, checked_sum, in_range};
use crate::readers::builder::out_of_range;
use crate::readers::pae::PaeVersion;
use crate::readers::pae::signatures::DURATION_BITS;
use crate::readers::syntax;

/// Limit on nested groups.
const MOST_GROUPS: usize = 16;

/// Limit on different tuplet ratios in one incipit.
const MOST_SCALES: usize = 1000;

/// Open group in parentheses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    /// Start, as a byte offset.
    pub(crate) at: usize,
    /// Number of events before the group.
    pub(crate) start: usize,
    /// Duration of the group if written, in parts of a quarter note.
    pub(crate) total: Option<u32>,
    /// True if a rhythmic sequence of more than one value precedes the group.
    pub(crate) sequence: bool,
}

impl Parser<'_> {
    pub(crate) fn open_group(&mut self) -> Result<(), Diagnostic> {
        let mut total = self.in_sequence.then(|| self.values[self.value_count - 1]);
        let mut sequence = self.in_sequence && self.value_count > 1;
        if self.version == PaeVersion::Two {
            // `(4;` gives the duration of the group.
            let rest = &self.data[self.at..];
            if let Some(digit @ b'0'..=b'9') = rest.first() {
                let dots = rest[1..].iter().take_while(|&&byte| byte == b'.').count();
                if rest.get(1 + dots) == Some(&b';') {
                    let (values, count, next) = (self.values, self.value_count, self.next_value);
                    self.in_sequence = false;
                    self.at += 1;
                    self.value(*digit)?;
                    total = Some(self.values[0]);
                    sequence = false;
                    (self.values, self.value_count, self.next_value) = (values, count, next);
                    self.at += 1;
                }
            }
        }
        self.in_sequence = false;
        if self.groups.len() == MOST_GROUPS {
            return Err(syntax("groups are nested too deeply"));
        }
        self.groups.push(Group {
            at: self.at - 1,
            start: self.events.len(),
            total,
            sequence,
        });
        Ok(())
    }

    /// Reads `;n)` or, in version 2, `;n:m)`.
    pub(crate) fn group_number(&mut self) -> Result<(), Diagnostic> {
        let number = |parser: &mut Self| -> Result<i64, Diagnostic> {
            let mut number = 0;
            while let Some(digit @ b'0'..=b'9') = parser.peek() {
                parser.at += 1;
                number = number * 10 + i64::from(digit - b'0');
                if number > 1024 {
                    return Err(syntax("a tuplet has a smaller number"));
                }
            }
            if number == 0 {
                return Err(syntax("the number of a tuplet is missing after \";\""));
            }
            Ok(number)
        };
        let notes = number(self)?;
        let mut space = None;
        if self.version == PaeVersion::Two && self.peek() == Some(b':') {
            self.at += 1;
            space = Some(number(self)?);
        }
        match self.peek() {
            Some(b')') => {
                self.at += 1;
                // Default ratio: the notes take the time of the next lower power of two, for
                // example five or seven notes the time of four.
                let usual = 1 << (63 - (notes - 1).max(1).leading_zeros());
                self.close_group(Some((notes, space.unwrap_or(usual))))
            }
            None => Err(diagnostic!(OpenGroup: "a tuplet is not closed")),
            Some(_) => Err(syntax("\")\" is missing after the number of a tuplet")),
        }
    }

    /// Closes a group. The notes of a tuplet share its written duration or else, with `ratio` (n, m),
    /// n notes take the time of m.
    pub(crate) fn close_group(&mut self, ratio: Option<(i64, i64)>) -> Result<(), Diagnostic> {
        let Some(group) = self.groups.pop() else {
            return Err(syntax("\")\" ends a group that did not begin"));
        };
        self.in_sequence = false;
        let written = &self.events[group.start.min(self.events.len())..];
        if written.is_empty() {
            return Ok(());
        }
        if written.len() == 1 && self.version == PaeVersion::One {
            // A group of one note is a fermata.
            return Ok(());
        }
        if group.sequence {
            return Err(syntax("several values stand before a tuplet"));
        }
        let factor = match group.total {
            Some(total) => {
                let total = beats_from_halvings(i64::from(total), DURATION_BITS);
                let mut sum = Beats::new_raw(0, 1);
                for event in written {
                    let duration = self.duration(event).ok_or_else(out_of_range)?;
                    sum = checked_sum(sum, duration).ok_or_else(out_of_range)?;
                }
                total / sum
            }
            None => {
                let (notes, space) = ratio.unwrap_or((3, 2));
                Beats::new(space, notes)
            }
        };
        self.scale(group.start, factor)
    }

    /// Multiplies the durations from an event on by a factor. The events may already be in tuplets.
    fn scale(&mut self, start: usize, factor: Beats) -> Result<(), Diagnostic> {
        // Numbers of ratios before and after the multiplication.
        let mut known: Vec<(u16, u16)> = Vec::new();
        for at in start..self.events.len() {
            let old = self.events[at].scale;
            let new = match known.iter().find(|(from, _)| *from == old) {
                Some((_, to)) => *to,
                None => {
                    let before = match old {
                        0 => Beats::new_raw(1, 1),
                        _ => self.scales[usize::from(old) - 1],
                    };
                    let scale = before.checked_mul(&factor).ok_or_else(out_of_range)?;
                    let new = match self.scales.iter().position(|&known| known == scale) {
                        Some(at) => at + 1,
                        None if self.scales.len() == MOST_SCALES => {
                            return Err(syntax("there are too many kinds of tuplets"));
                        }
                        None => {
                            self.scales.push(scale);
                            self.scales.len()
                        }
                    };
                    let new = u16::try_from(new).expect("there are not so many scales");
                    known.push((old, new));
                    new
                }
            };
            self.events[at].scale = new;
        }
        Ok(())
    }

    /// Returns the duration of a note or rest, scaled by its tuplets.
    pub(crate) fn duration(&self, event: &NotationEvent) -> Option<Beats> {
        let written = beats_from_halvings(i64::from(event.parts), DURATION_BITS);
        let duration = match event.scale {
            0 => written,
            scale => written.checked_mul(&self.scales[usize::from(scale) - 1])?,
        };
        in_range(duration).then_some(duration)
    }
}
