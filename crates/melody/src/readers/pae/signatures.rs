//! Clef, key signature and metre of an incipit.

use partita_formats::{Diagnostic, diagnostic};

use super::PaeVersion;
use crate::{Spelling, Step};

/// Binary logarithm of the number of units per quarter note: durations are counted in units of
/// 1/512 quarter note. Even a 128th note with four dots is a whole number of units (31).
pub(super) const DURATION_BITS: u32 = 9;

/// Length of a whole note, in units of 1/512 quarter note.
const WHOLE_NOTE_PARTS: u64 = 4 << DURATION_BITS;

/// Parses the clef field of an incipit. Returns `None` for an empty field, which is an error in
/// version 2.
pub(super) fn parse_clef(text: &str, version: PaeVersion) -> Result<Option<&str>, Diagnostic> {
    let text = text.trim().strip_prefix('%').unwrap_or(text.trim());
    let inner = text
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    let bytes = inner.unwrap_or(text).as_bytes();
    match bytes {
        [] if version == PaeVersion::One => Ok(None),
        [] => Err(diagnostic!(UnknownClef: "version 2 demands a clef")),
        [b'G' | b'g' | b'C' | b'F', kind, b'1'..=b'5'] => match kind {
            b'-' => Ok(Some(inner.unwrap_or(text))),
            b'+' | b'*' => Err(diagnostic!(Mensural: "the clef {text} begins mensural notation")),
            b':' => Err(diagnostic!(Neume: "the clef {text} begins neumes")),
            _ => Err(unknown_clef(text)),
        },
        _ => Err(unknown_clef(text)),
    }
}

/// Shortens the text of a field for an error message.
fn shorten_for_message(text: &str) -> String {
    text.chars().take(20).collect()
}

fn unknown_clef(text: &str) -> Diagnostic {
    let shown = shorten_for_message(text);
    diagnostic!(UnknownClef:
        "no clef is called \"{shown}\"; expected G, g, C or F, -, and a line, as in G-2")
}

/// Key signature: alteration in semitones of each of the seven steps, from C to B.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct KeySignature([i8; 7]);

impl KeySignature {
    /// Parses the key signature field of an incipit, for example `xFC`, `bBE[A]` or `n`. A sign
    /// applies to all steps after it, up to the next sign. Each step may occur only once.
    pub(crate) fn parse(text: &str) -> Result<Self, Diagnostic> {
        let invalid = || {
            let shown = shorten_for_message(text);
            diagnostic!(Syntax: "\"{shown}\" is no key signature, such as xFC or bBE")
        };
        let mut alterations: [Option<i8>; 7] = [None; 7];
        // Current sign, and whether a step has followed it.
        let mut sign: Option<(i8, bool)> = None;
        let signs = text.trim().trim_start_matches('$');
        for byte in signs.bytes() {
            match byte {
                b'x' | b'b' | b'n' if sign.is_none_or(|(_, followed)| followed) => {
                    let alteration = match byte {
                        b'x' => 1,
                        b'b' => -1,
                        _ => 0,
                    };
                    sign = Some((alteration, false));
                }
                b'[' | b']' | b' ' => {}
                b'A'..=b'G' => {
                    let step =
                        Step::from_letter(char::from(byte)).expect("letters from A to G are steps");
                    let (alteration, followed) = sign.as_mut().ok_or_else(invalid)?;
                    *followed = true;
                    if alterations[step as usize].replace(*alteration).is_some() {
                        return Err(invalid());
                    }
                }
                _ => return Err(invalid()),
            }
        }
        // A natural sign alone means that there is no key signature.
        if sign.is_some_and(|(_, followed)| !followed && signs.trim() != "n") {
            return Err(invalid());
        }
        Ok(Self(alterations.map(|found| found.unwrap_or(0))))
    }

    /// Returns the alteration of a step in semitones.
    pub(crate) fn alteration(self, step: Step) -> i8 {
        self.0[step as usize]
    }
}

/// Formats a key signature in Plaine & Easie notation, for example `xFC`, `bB` or `n`.
pub(crate) fn format_key_signature(steps: impl IntoIterator<Item = Spelling>) -> String {
    let mut text = String::new();
    let mut sign = 0;
    for spelling in steps {
        if spelling.alteration != sign {
            text.push(match spelling.alteration {
                ..0 => 'b',
                0 => 'n',
                1.. => 'x',
            });
            sign = spelling.alteration;
        }
        text.push(spelling.step.letter());
    }
    if text.is_empty() {
        text.push('n');
    }
    text
}

/// Returns the key signature with this number of sharps, or of flats if negative, in Plaine & Easie
/// notation, or `None` for more than seven.
pub(crate) fn key_from_fifths(fifths: i32) -> Option<String> {
    /// Steps in the order in which key signatures add sharps.
    const ORDER_OF_SHARPS: [Step; 7] = [
        Step::F,
        Step::C,
        Step::G,
        Step::D,
        Step::A,
        Step::E,
        Step::B,
    ];
    let count = fifths.unsigned_abs() as usize;
    if count > 7 {
        return None;
    }
    let alteration = fifths.signum() as i8;
    // Flats come in the reverse order of sharps.
    let steps = (0..count).map(|at| ORDER_OF_SHARPS[if fifths > 0 { at } else { 6 - at }]);
    let spellings = steps.map(|step| Spelling { step, alteration });
    Some(format_key_signature(spellings))
}

/// Metre of an incipit, reduced to the length of a measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Metre {
    /// Length of a measure, in units of 1/512 quarter note.
    pub(super) parts: u64,
    /// True if the length is a guess: the metre is missing, alternates with others, or has a sign
    /// that does not define a length.
    pub(super) is_guessed: bool,
}

impl Metre {
    /// Metre of an incipit that states none: measures of four quarter notes, as is customary.
    pub(super) const UNSPECIFIED: Self = Self {
        parts: WHOLE_NOTE_PARTS,
        is_guessed: true,
    };

    /// Parses the metre field of an incipit, for example `3/4` or `c`. If several metres alternate,
    /// the first one counts.
    pub(crate) fn parse(text: &str) -> Result<Self, Diagnostic> {
        let text = text.trim().trim_start_matches('@').trim();
        let first = text.split([' ', '|', ';']).next().unwrap_or(text);
        let alternates = first.len() < text.len();
        if first.is_empty() {
            return Ok(Self::UNSPECIFIED);
        }
        let number = first.trim_start_matches(['c', 'C', 'o', 'O', '.']);
        let has_sign = number.len() < first.len();
        let (parts, is_guessed) = match number.split_once('/') {
            // `c/` is alla breve.
            Some(("", "")) if has_sign => (Some(WHOLE_NOTE_PARTS), alternates),
            // `c3/2` is a proportion with a fraction.
            Some((beats, unit)) => {
                let both = beats.parse().ok().zip(unit.parse().ok());
                let parts = both.and_then(|(beats, unit)| measure_parts(beats, unit));
                (parts, alternates)
            }
            None if number.is_empty() => (Some(WHOLE_NOTE_PARTS), alternates || first != "c"),
            None if number == "2" || (number == "1" && !has_sign) => (Some(WHOLE_NOTE_PARTS), true),
            None => {
                let beats = number.parse().ok();
                (beats.and_then(|beats| measure_parts(beats, 4)), true)
            }
        };
        let invalid = || {
            let shown = shorten_for_message(text);
            diagnostic!(Syntax: "\"{shown}\" is no metre, such as 3/4, c or c/")
        };
        let parts = parts.ok_or_else(invalid)?;
        Ok(Self { parts, is_guessed })
    }
}

/// Returns the length of a measure in the metre `beats`/`unit`, in units of 1/512 quarter note, or
/// `None` if it is out of range or no whole number of units.
fn measure_parts(beats: u64, unit: u64) -> Option<u64> {
    let fits = (1..=999).contains(&beats)
        && (1..=WHOLE_NOTE_PARTS).contains(&unit)
        && (WHOLE_NOTE_PARTS * beats).is_multiple_of(unit);
    fits.then(|| WHOLE_NOTE_PARTS * beats / unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_from_fifths_writes_accidentals_in_signature_order() {
        let keys = [-3, -1, 0, 1, 2].map(|fifths| key_from_fifths(fifths).unwrap());
        assert_eq!(keys, ["bBEA", "bB", "n", "xF", "xFC"]);
        assert_eq!(key_from_fifths(8), None);
    }

    #[test]
    fn metre_determines_the_length_of_a_measure() {
        let quarters = |text| Metre::parse(text).map(|metre| metre.parts as f64 / 512.0);
        for (text, expected) in [
            ("3/4", 3.0),
            ("c", 4.0),
            ("c/", 4.0),
            ("6/8", 3.0),
            ("3/2", 6.0),
            ("3", 3.0),
            ("c3/2", 6.0),
        ] {
            assert_eq!(quarters(text), Ok(expected), "{text}");
        }
        assert!(Metre::parse("waltz").is_err() && Metre::parse("4/0").is_err());
        assert!(Metre::parse("3").unwrap().is_guessed && !Metre::parse("3/4").unwrap().is_guessed);
    }
}
