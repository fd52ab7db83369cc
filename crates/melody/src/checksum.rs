//! What makes two melodies the same.

use std::fmt;

use sha2::{Digest, Sha256};

use super::melody::Melody;
use super::note::Beats;

/// SHA-256 of what sounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Checksum(pub [u8; 32]);

impl fmt::Display for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Melody {
    /// Of the notes: pitch, onset and duration. Clef, key, metre and spelling have no part in it, so
    /// one melody has one checksum in all formats.
    pub fn checksum(&self) -> Checksum {
        self.digest(0, Beats::from_integer(0))
    }

    /// The same for melodies that are equal but for transposition and outer rests: judges would
    /// compare them as one.
    pub fn content(&self) -> Checksum {
        let first = self.notes()[0];
        self.digest(i32::from(first.pitch.number()), first.onset)
    }

    /// Of the notes from this pitch and time. Each number is written in 8 bytes, the highest first:
    /// pitch, then numerator and denominator of onset and of duration.
    fn digest(&self, pitch: i32, start: Beats) -> Checksum {
        let mut hash = Sha256::new();
        for note in self.notes() {
            let semitones = i64::from(i32::from(note.pitch.number()) - pitch);
            hash.update(semitones.to_be_bytes());
            for time in [note.onset - start, note.duration] {
                hash.update(time.numer().to_be_bytes());
                hash.update(time.denom().to_be_bytes());
            }
        }
        Checksum(hash.finalize().into())
    }
}
