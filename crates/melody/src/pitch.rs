//! Pitches as MIDI note numbers, and their spellings.

use std::fmt;

/// Pitch as a MIDI note number; 60 is middle C (C4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pitch(u8);

impl Pitch {
    /// Creates a pitch from a MIDI note number. Returns `None` above 127.
    pub fn new(number: u8) -> Option<Self> {
        (number < 128).then_some(Self(number))
    }

    /// Returns the pitch of a spelling in an octave (middle C starts octave 4), or `None` outside
    /// the MIDI range.
    pub fn from_spelling(spelling: Spelling, octave: i32) -> Option<Self> {
        let octave_start = octave.checked_add(1)?.checked_mul(12)?;
        let number =
            octave_start + i32::from(spelling.step.semitones()) + i32::from(spelling.alteration);
        Self::new(u8::try_from(number).ok()?)
    }

    /// Returns the MIDI note number.
    pub fn number(self) -> u8 {
        self.0
    }

    /// Transposes the pitch by a number of semitones. Returns `None` outside the MIDI range.
    pub fn transposed(self, semitones: i32) -> Option<Self> {
        let number = i32::from(self.0).checked_add(semitones)?;
        Self::new(u8::try_from(number).ok()?)
    }

    /// Returns the octave number in the name of this pitch with a given spelling: C4 spelled as B♯
    /// is in octave 3.
    pub fn octave(self, spelling: Spelling) -> i32 {
        let natural = i32::from(self.0) - i32::from(spelling.alteration);
        (natural - i32::from(spelling.step.semitones())).div_euclid(12) - 1
    }

    /// Returns the default spelling of a pitch: sharps except for E♭ and B♭, the most common
    /// spellings in music.
    pub fn default_spelling(self) -> Spelling {
        use Step::{A, B, C, D, E, F, G};
        let steps = [C, C, D, E, E, F, F, G, G, A, B, B];
        let alterations = [0, 1, 0, -1, 0, 0, 1, 0, 1, 0, -1, 0];
        let pitch_class = usize::from(self.0 % 12);
        Spelling {
            step: steps[pitch_class],
            alteration: alterations[pitch_class],
        }
    }
}

/// Letter of a note name, without accidental and octave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// Note letter C.
    C,
    /// Note letter D.
    D,
    /// Note letter E.
    E,
    /// Note letter F.
    F,
    /// Note letter G.
    G,
    /// Note letter A.
    A,
    /// Note letter B.
    B,
}

impl Step {
    /// All seven steps, from C upwards.
    pub const ALL: [Self; 7] = [
        Self::C,
        Self::D,
        Self::E,
        Self::F,
        Self::G,
        Self::A,
        Self::B,
    ];

    /// Returns the step for a letter from A to G, in upper or lower case; `None` for others.
    pub fn from_letter(letter: char) -> Option<Self> {
        let letter = letter.to_ascii_uppercase();
        Self::ALL.into_iter().find(|step| step.letter() == letter)
    }

    /// Returns the upper-case letter of the step.
    pub fn letter(self) -> char {
        ['C', 'D', 'E', 'F', 'G', 'A', 'B'][self as usize]
    }

    /// Returns the number of semitones from C up to the step.
    pub fn semitones(self) -> i8 {
        [0, 2, 4, 5, 7, 9, 11][self as usize]
    }
}

/// Spelling of a pitch, for example F sharp or G flat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spelling {
    /// Letter of the note name.
    pub step: Step,
    /// Alteration by accidentals in semitones: 1 for a sharp, -1 for a flat, 0 for none.
    pub alteration: i8,
}

impl fmt::Display for Spelling {
    /// Writes the spelling as `F#`, `Bb` or `C##`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.step.letter())?;
        let sign = if self.alteration < 0 { "b" } else { "#" };
        f.write_str(&sign.repeat(self.alteration.unsigned_abs().into()))
    }
}
