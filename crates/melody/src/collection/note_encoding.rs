//! Encoding of notes and metadata in collection files, with variable-length integers (LEB128).

use crate::note::{beats_from_halvings, checked_sum, is_valid_time, lcm};
use crate::{Beats, ItemMetadata, MAX_DIVISIONS, Melody, Note, Pitch, Spelling, Step};

/// Appends an unsigned integer as LEB128: seven bits per byte, lowest bits first.
fn write_varint(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads an unsigned LEB128 integer and advances the slice past it. Returns `None` if it is
/// incomplete or too long.
fn read_varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for place in 0..10 {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f).checked_shl(7 * place)?;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// Encodes the spelling of a pitch as one byte: 0 for none, else 1 + 31 step + alteration + 15,
/// with step 0 for C and the alteration limited to -15 to 15.
fn encode_spelling(spelling: Option<Spelling>) -> u8 {
    spelling.map_or(0, |spelling| {
        let alteration = spelling.alteration.clamp(-15, 15) + 15;
        1 + spelling.step as u8 * 31 + alteration as u8
    })
}

/// Decodes a byte of [`encode_spelling`]. Returns `None` if the byte is invalid, and `Some(None)`
/// for no spelling.
fn decode_spelling(code: u8) -> Option<Option<Spelling>> {
    let Some(code) = code.checked_sub(1) else {
        return Some(None);
    };
    let step = *Step::ALL.get(usize::from(code / 31))?;
    let alteration = (code % 31) as i8 - 15;
    Some(Some(Spelling { step, alteration }))
}

/// Encodes the notes of a melody. The first number is the number of divisions of a quarter note
/// that makes all times whole, or 0 if there is none. Each note follows with pitch, spelling, rest
/// before it and duration. Times are numbers of divisions, or numerator and denominator if there
/// are no divisions.
pub(super) fn encode(melody: &Melody) -> Vec<u8> {
    let notes = melody.notes();
    let mut bytes = Vec::with_capacity(2 + notes.len() * 5);
    let parts = notes.iter().try_fold(1_i64, |parts, note| {
        let both = [note.onset, note.duration];
        both.iter().try_fold(parts, |parts, time| {
            let denom = *time.denom();
            if parts % denom == 0 {
                return Some(parts);
            }
            let common = lcm(parts, denom)?;
            (common <= MAX_DIVISIONS).then_some(common)
        })
    });
    write_varint(&mut bytes, parts.unwrap_or(0) as u64);
    let mut end = Beats::new_raw(0, 1);
    for note in notes {
        bytes.push(note.pitch.number());
        bytes.push(encode_spelling(note.spelling));
        for time in [note.onset - end, note.duration] {
            match parts {
                Some(parts) => {
                    write_varint(&mut bytes, (time.numer() * (parts / time.denom())) as u64);
                }
                None => {
                    write_varint(&mut bytes, *time.numer() as u64);
                    write_varint(&mut bytes, *time.denom() as u64);
                }
            }
        }
        end = note.end();
    }
    bytes
}

/// Decodes the notes of a melody with `count` notes. Returns `None` if the bytes are invalid.
pub(super) fn decode(mut bytes: &[u8], count: usize) -> Option<Melody> {
    let parts = i64::try_from(read_varint(&mut bytes)?)
        .ok()
        .filter(|&parts| parts <= MAX_DIVISIONS)?;
    // A note has at least four bytes. The limit avoids allocating memory for notes that are not
    // there.
    let mut notes = Vec::with_capacity(count.min(bytes.len() / 4));
    let mut now = Beats::new_raw(0, 1);
    for _ in 0..count {
        let [pitch, spelling, rest @ ..] = bytes else {
            return None;
        };
        let (pitch, spelling) = (Pitch::new(*pitch)?, decode_spelling(*spelling)?);
        bytes = rest;
        let onset = checked_sum(now, read_time(&mut bytes, parts)?)?;
        let duration = read_time(&mut bytes, parts)?;
        now = checked_sum(onset, duration)?;
        notes.push(Note {
            pitch,
            spelling,
            onset,
            duration,
        });
    }
    if !bytes.is_empty() {
        return None;
    }
    Melody::new(notes).ok()
}

/// Reads a time. `parts` is the number of divisions of a quarter note, or 0 if the time is stored
/// as numerator and denominator.
fn read_time(bytes: &mut &[u8], parts: i64) -> Option<Beats> {
    let whole = |bytes: &mut &[u8]| i64::try_from(read_varint(bytes)?).ok();
    let numer = whole(bytes)?;
    let time = match parts {
        0 => match whole(bytes)? {
            0 => return None,
            denom => Beats::new(numer, denom),
        },
        parts if parts & (parts - 1) == 0 => beats_from_halvings(numer, parts.trailing_zeros()),
        parts => Beats::new(numer, parts),
    };
    is_valid_time(time).then_some(time)
}

impl ItemMetadata {
    /// Encodes the metadata of an item.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(24 + self.source.len());
        let texts = [
            Some(&self.source),
            self.clef.as_ref(),
            self.key.as_ref(),
            self.time.as_ref(),
        ];
        for text in texts {
            // 0 encodes an unknown value.
            match text {
                None => bytes.push(0),
                Some(text) => {
                    write_varint(&mut bytes, text.len() as u64 + 1);
                    bytes.extend_from_slice(text.as_bytes());
                }
            }
        }
        if let Some(tempo) = self.tempo {
            bytes.extend_from_slice(&tempo.to_le_bytes());
        }
        bytes
    }

    /// Decodes the metadata of an item. Returns `None` if the bytes are invalid.
    pub(super) fn decode(mut bytes: &[u8]) -> Option<Self> {
        let mut text = || -> Option<Option<String>> {
            let Some(length) = read_varint(&mut bytes)?.checked_sub(1) else {
                return Some(None);
            };
            let (text, rest) = bytes.split_at_checked(usize::try_from(length).ok()?)?;
            bytes = rest;
            Some(Some(std::str::from_utf8(text).ok()?.to_owned()))
        };
        let (source, clef, key, time) = (text()??, text()?, text()?, text()?);
        let tempo = match bytes {
            [] => None,
            bytes => Some(f64::from_le_bytes(bytes.try_into().ok()?)),
        };
        Some(Self {
            source,
            clef,
            key,
            time,
            tempo,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variable_length_integers_round_trip() {
        for number in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            let mut bytes = Vec::new();
            write_varint(&mut bytes, number);
            assert_eq!(read_varint(&mut bytes.as_slice()), Some(number));
        }
        assert_eq!(read_varint(&mut [0x80; 11].as_slice()), None);
    }

    #[test]
    fn spellings_round_trip() {
        for step in Step::ALL {
            for alteration in -4..=4 {
                let spelling = Some(Spelling { step, alteration });
                assert_eq!(decode_spelling(encode_spelling(spelling)), Some(spelling));
            }
        }
        assert_eq!(decode_spelling(encode_spelling(None)), Some(None));
        assert_eq!(decode_spelling(218), None);
    }

    #[test]
    fn metadata_round_trips_and_truncated_metadata_is_rejected() {
        let info = ItemMetadata {
            source: "a/b.mid".to_owned(),
            key: Some("xF".to_owned()),
            tempo: Some(132.5),
            ..ItemMetadata::default()
        };
        assert_eq!(ItemMetadata::decode(&info.encode()), Some(info.clone()));
        assert_eq!(ItemMetadata::decode(&info.encode()[..5]), None);
    }
}
