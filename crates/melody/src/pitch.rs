//! Pitches by their MIDI numbers, and how a source spells them.

use std::fmt;

/// A pitch by its MIDI number: 60 is the C in the middle of the piano, C4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pitch(u8);

impl Pitch {
    /// The pitch of this MIDI number; nothing above 127.
    pub fn new(number: u8) -> Option<Self> {
        (number < 128).then_some(Self(number))
    }

    /// The pitch of a spelled note in an octave (middle C begins octave 4), if MIDI has it.
    pub fn from_spelling(spelling: Spelling, octave: i32) -> Option<Self> {
        let above = octave.checked_add(1)?.checked_mul(12)?;
        let number = above + i32::from(spelling.step.semitones()) + i32::from(spelling.alteration);
        Self::new(u8::try_from(number).ok()?)
    }

    /// The MIDI number.
    pub fn number(self) -> u8 {
        self.0
    }

    /// The pitch so many semitones higher, if MIDI has it.
    pub fn transposed(self, semitones: i32) -> Option<Self> {
        let number = i32::from(self.0).checked_add(semitones)?;
        Self::new(u8::try_from(number).ok()?)
    }

    /// The octave of this pitch if it is spelled so: B♯3 sounds as C4 does.
    pub fn octave(self, spelling: Spelling) -> i32 {
        let natural = i32::from(self.0) - i32::from(spelling.alteration);
        (natural - i32::from(spelling.step.semitones())).div_euclid(12) - 1
    }

    /// The spelling of a pitch of which nothing is known: sharps but for E♭ and B♭, as most music
    /// has them.
    pub fn default_spelling(self) -> Spelling {
        use Step::{A, B, C, D, E, F, G};
        let (step, alteration) = match self.0 % 12 {
            0 => (C, 0),
            1 => (C, 1),
            2 => (D, 0),
            3 => (E, -1),
            4 => (E, 0),
            5 => (F, 0),
            6 => (F, 1),
            7 => (G, 0),
            8 => (G, 1),
            9 => (A, 0),
            10 => (B, -1),
            _ => (B, 0),
        };
        Spelling { step, alteration }
    }
}

/// A note name without its octave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// C.
    C,
    /// D.
    D,
    /// E.
    E,
    /// F.
    F,
    /// G.
    G,
    /// A.
    A,
    /// B.
    B,
}

impl Step {
    /// Every step, from C.
    pub const ALL: [Self; 7] = [
        Self::C,
        Self::D,
        Self::E,
        Self::F,
        Self::G,
        Self::A,
        Self::B,
    ];

    /// The step of a letter, whatever its case.
    pub fn from_letter(letter: char) -> Option<Self> {
        let letter = letter.to_ascii_uppercase();
        Self::ALL.into_iter().find(|step| step.letter() == letter)
    }

    /// Its letter.
    pub fn letter(self) -> char {
        ['C', 'D', 'E', 'F', 'G', 'A', 'B'][self as usize]
    }

    /// How many semitones it lies above C.
    pub fn semitones(self) -> i8 {
        [0, 2, 4, 5, 7, 9, 11][self as usize]
    }
}

/// How a source writes a pitch: F sharp or G flat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spelling {
    /// The note name.
    pub step: Step,
    /// The accidental in semitones: 1 is a sharp, -1 a flat.
    pub alteration: i8,
}

impl fmt::Display for Spelling {
    /// `F#`, `Bb`, `C##`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.step.letter())?;
        let sign = if self.alteration < 0 { "b" } else { "#" };
        f.write_str(&sign.repeat(self.alteration.unsigned_abs().into()))
    }
}
