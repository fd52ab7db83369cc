//! Groups in parentheses in the data field: tuplets and fermatas.

use num_traits::CheckedMul;
use partita_formats::{Diagnostic, diagnostic};

use super::parser::{NotationEvent, NotationParser};
use crate::Beats;
use crate::note::{beats_from_halvings, checked_sum, is_valid_time};
use crate::readers::builder::time_out_of_range;
use crate::readers::pae::PaeVersion;
use crate::readers::pae::signatures::DURATION_BITS;
use crate::readers::syntax_diagnostic;

/// Largest depth of nested groups in parentheses.
const MAX_NESTED_GROUPS: usize = 16;

/// Largest number of different tuplet ratios in one incipit.
const MAX_TUPLET_RATIOS: usize = 1000;

/// Group of notes in parentheses that is not closed yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ParenthesisGroup {
    /// Byte offset in the data field of the opening parenthesis or, in version 2, of the `;` after
    /// the duration of the group.
    pub(crate) at: usize,
    /// Number of notes and rests before the group.
    pub(crate) start: usize,
    /// Duration that precedes the group, which is that of the whole group if the group has
    /// durations inside, in units of 1/512 quarter note (see [`DURATION_BITS`]).
    pub(crate) total: Option<u32>,
    /// True if `total` is marked as the duration of the whole group, as in `(4;` of version 2.
    pub(crate) is_total_explicit: bool,
    /// True if a duration stands inside the group.
    pub(crate) has_duration_inside: bool,
    /// True if a rhythmic sequence of more than one duration precedes the group.
    pub(crate) follows_sequence: bool,
}

impl NotationParser<'_> {
    /// Reads an opening parenthesis and the duration of the group, if it is written.
    pub(crate) fn open_group(&mut self) -> Result<(), Diagnostic> {
        let mut total = self
            .is_reading_sequence
            .then(|| self.sequence_durations[self.sequence_length - 1]);
        let mut follows_sequence = self.is_reading_sequence && self.sequence_length > 1;
        let mut is_total_explicit = false;
        if self.version == PaeVersion::Two {
            // `(4;` gives the duration of the group.
            let rest = &self.data[self.at..];
            if let Some(digit @ b'0'..=b'9') = rest.first() {
                let dots = rest[1..].iter().take_while(|&&byte| byte == b'.').count();
                if rest.get(1 + dots) == Some(&b';') {
                    let (values, count, next) = (
                        self.sequence_durations,
                        self.sequence_length,
                        self.sequence_position,
                    );
                    self.is_reading_sequence = false;
                    self.at += 1;
                    self.read_duration(*digit)?;
                    total = Some(self.sequence_durations[0]);
                    follows_sequence = false;
                    is_total_explicit = true;
                    (
                        self.sequence_durations,
                        self.sequence_length,
                        self.sequence_position,
                    ) = (values, count, next);
                    self.at += 1;
                }
            }
        }
        self.is_reading_sequence = false;
        if self.groups.len() == MAX_NESTED_GROUPS {
            return Err(syntax_diagnostic("groups are nested too deeply"));
        }
        self.groups.push(ParenthesisGroup {
            at: self.at - 1,
            start: self.events.len(),
            total,
            is_total_explicit,
            has_duration_inside: false,
            follows_sequence,
        });
        Ok(())
    }

    /// Reads the end of a tuplet of n notes: `;n)` or, in version 2, `;n:m)` for n notes in the
    /// time of m.
    pub(crate) fn read_tuplet_number(&mut self) -> Result<(), Diagnostic> {
        let number = |parser: &mut Self| -> Result<i64, Diagnostic> {
            let mut number = 0;
            while let Some(digit @ b'0'..=b'9') = parser.peek() {
                parser.at += 1;
                number = number * 10 + i64::from(digit - b'0');
                if number > 1024 {
                    return Err(syntax_diagnostic("a tuplet has a smaller number"));
                }
            }
            if number == 0 {
                return Err(syntax_diagnostic(
                    "the number of a tuplet is missing after \";\"",
                ));
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
            Some(_) => Err(syntax_diagnostic(
                "\")\" is missing after the number of a tuplet",
            )),
        }
    }

    /// Closes a group. The notes of a tuplet are scaled to fill its written duration or, if there
    /// is none, by m/n if `ratio` is (n, m) and by 2/3 if it is `None`. A group of one note in
    /// version 1 is a fermata and is not scaled.
    ///
    /// Three notes with neither a duration inside the group nor a ratio, as in `8(ABC)`, are a
    /// triplet of notes of the duration before the group.
    pub(crate) fn close_group(&mut self, ratio: Option<(i64, i64)>) -> Result<(), Diagnostic> {
        let Some(group) = self.groups.pop() else {
            return Err(syntax_diagnostic("\")\" ends a group that did not begin"));
        };
        self.is_reading_sequence = false;
        let written = &self.events[group.start.min(self.events.len())..];
        if written.is_empty() {
            return Ok(());
        }
        if written.len() == 1 && self.version == PaeVersion::One {
            // A group of one note is a fermata.
            return Ok(());
        }
        if group.follows_sequence {
            return Err(syntax_diagnostic("several values stand before a tuplet"));
        }
        let is_plain_triplet = written.len() == 3
            && ratio.is_none()
            && !group.has_duration_inside
            && !group.is_total_explicit;
        let factor = match group.total {
            Some(total) if !is_plain_triplet => {
                let total = beats_from_halvings(i64::from(total), DURATION_BITS);
                let mut sum = Beats::new_raw(0, 1);
                for event in written {
                    let duration = self.scaled_duration(event).ok_or_else(time_out_of_range)?;
                    sum = checked_sum(sum, duration).ok_or_else(time_out_of_range)?;
                }
                total / sum
            }
            _ => {
                let (notes, space) = ratio.unwrap_or((3, 2));
                Beats::new(space, notes)
            }
        };
        self.scale_durations(group.start, factor)
    }

    /// Multiplies the durations of all notes and rests from index `start` on by a factor. Notes and
    /// rests of inner tuplets already have a ratio, which is multiplied too.
    fn scale_durations(&mut self, start: usize, factor: Beats) -> Result<(), Diagnostic> {
        // Number of each ratio before the multiplication and of its product after it.
        let mut product_numbers: Vec<(u16, u16)> = Vec::new();
        for at in start..self.events.len() {
            let old = self.events[at].ratio_number;
            let new = match product_numbers.iter().find(|(from, _)| *from == old) {
                Some((_, to)) => *to,
                None => {
                    let before = match old {
                        0 => Beats::new_raw(1, 1),
                        _ => self.tuplet_ratios[usize::from(old) - 1],
                    };
                    let scale = before.checked_mul(&factor).ok_or_else(time_out_of_range)?;
                    let new = match self.tuplet_ratios.iter().position(|&known| known == scale) {
                        Some(at) => at + 1,
                        None if self.tuplet_ratios.len() == MAX_TUPLET_RATIOS => {
                            return Err(syntax_diagnostic("there are too many kinds of tuplets"));
                        }
                        None => {
                            self.tuplet_ratios.push(scale);
                            self.tuplet_ratios.len()
                        }
                    };
                    let new = u16::try_from(new).expect("the number of tuplet ratios is limited");
                    product_numbers.push((old, new));
                    new
                }
            };
            self.events[at].ratio_number = new;
        }
        Ok(())
    }

    /// Returns the duration of a note or rest in quarter notes, after multiplication by its tuplet
    /// ratio, or `None` if it is no valid time.
    pub(crate) fn scaled_duration(&self, event: &NotationEvent) -> Option<Beats> {
        let written = beats_from_halvings(i64::from(event.parts), DURATION_BITS);
        let duration = match event.ratio_number {
            0 => written,
            scale => written.checked_mul(&self.tuplet_ratios[usize::from(scale) - 1])?,
        };
        is_valid_time(duration).then_some(duration)
    }
}
