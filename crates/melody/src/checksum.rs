//! Checksums that identify melodies with equal notes.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};
use sha2::{Digest, Sha256};

use super::melody::Melody;
use super::note::Beats;

/// SHA-256 of the notes of a melody or of the samples of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Checksum(pub [u8; 32]);

impl fmt::Display for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Returns the SHA-256 of some bytes in hexadecimal digits.
pub fn sha256_hex(bytes: &[u8]) -> String {
    Checksum(Sha256::digest(bytes).into()).to_string()
}

impl Serialize for Checksum {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for Checksum {
    fn schema_name() -> Cow<'static, str> {
        "Checksum".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({"type": "string"})
    }
}

impl Melody {
    /// Returns a checksum of pitches, onsets and durations. Clef, key, metre and spelling are left
    /// out, so that a melody has the same checksum in all formats.
    pub fn checksum(&self) -> Checksum {
        self.digest(0, Beats::from_integer(0))
    }

    /// Returns a checksum of the notes that ignores transposition and rests before the first and
    /// after the last note. Assessors judge melodies with the same checksum as one item.
    pub fn content_checksum(&self) -> Checksum {
        let first = self.notes()[0];
        self.digest(i32::from(first.pitch.number()), first.onset)
    }

    /// Hashes the notes with pitches relative to `pitch` and times relative to `start`. Each number
    /// is written as 8 big-endian bytes: pitch, then numerator and denominator of onset and
    /// duration.
    fn digest(&self, pitch: i32, start: Beats) -> Checksum {
        let mut hash = Sha256::new();
        let mut bytes = [0; 40];
        for note in self.notes() {
            let semitones = i64::from(i32::from(note.pitch.number()) - pitch);
            let onset = if *start.numer() == 0 {
                note.onset
            } else {
                note.onset - start
            };
            let (duration, parts) = (note.duration.numer(), note.duration.denom());
            let numbers = [semitones, *onset.numer(), *onset.denom(), *duration, *parts];
            for (field, number) in bytes.chunks_exact_mut(8).zip(numbers) {
                field.copy_from_slice(&number.to_be_bytes());
            }
            hash.update(bytes);
        }
        Checksum(hash.finalize().into())
    }
}
