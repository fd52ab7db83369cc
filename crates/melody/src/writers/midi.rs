//! Writer of Standard MIDI Files: format 0, one track, one channel.

use super::{ExportFormat, MelodyExport, MelodyWriteError};
use crate::Beats;
use crate::note::gcd;

/// Writes a melody. The number of ticks per quarter note makes all times whole. It is the largest
/// such number up to 480, or the smallest such number if that exceeds 480.
///
/// # Errors
/// Returns [`MelodyWriteError`] if no division of a MIDI file makes all times whole.
pub fn write_midi(written: MelodyExport<'_>) -> Result<Vec<u8>, MelodyWriteError> {
    let cannot = |why: &str| written.cannot(ExportFormat::Midi, why);
    let fine = || cannot("its times are no whole ticks of any division that a file can have");
    let mut division = 1_i64;
    for note in written.melody.notes() {
        for time in [note.onset, note.duration] {
            let denom = *time.denom();
            if division % denom != 0 {
                division = division / gcd(division, denom) * denom;
            }
            if division > 0x7fff {
                return Err(fine());
            }
        }
    }
    // Other programs expect several hundred ticks per quarter note.
    division *= (480 / division).max(1);
    let ticks = |time: Beats| time.numer() * (division / time.denom());
    let mut track = Vec::new();
    if let Some(tempo) = written.info.tempo {
        let microseconds = (60e6 / tempo).round();
        if (1.0..=16_777_215.0).contains(&microseconds) {
            track.extend_from_slice(&[0, 0xff, 0x51, 3]);
            track.extend_from_slice(&(microseconds as u32).to_be_bytes()[1..]);
        }
    }
    if let Some((beats, power)) = written.info.time.as_deref().and_then(metre) {
        track.extend_from_slice(&[0, 0xff, 0x58, 4, beats, power, 24, 8]);
    }
    let mut now = 0;
    let mut until = |time: i64| -> Result<u32, MelodyWriteError> {
        let delta = u32::try_from(time - now)
            .ok()
            .filter(|&delta| delta < 1 << 28);
        now = time;
        delta.ok_or_else(|| cannot("it has a longer rest or note than a file can have"))
    };
    for note in written.melody.notes() {
        let key = note.pitch.number();
        put(&mut track, until(ticks(note.onset))?);
        track.extend_from_slice(&[0x90, key, 80]);
        put(&mut track, until(ticks(note.end()))?);
        track.extend_from_slice(&[0x80, key, 64]);
    }
    track.extend_from_slice(&[0, 0xff, 0x2f, 0]);
    let mut bytes = b"MThd\0\0\0\x06\0\0\0\x01".to_vec();
    bytes.extend_from_slice(&(division as u16).to_be_bytes());
    bytes.extend_from_slice(b"MTrk");
    let length = u32::try_from(track.len()).map_err(|_| cannot("it has too many notes"))?;
    bytes.extend_from_slice(&length.to_be_bytes());
    bytes.extend_from_slice(&track);
    Ok(bytes)
}

/// Converts `3/4` to the number of beats and the binary logarithm of the unit.
fn metre(time: &str) -> Option<(u8, u8)> {
    let (beats, unit) = match time {
        "c" => ("4", "4"),
        "c/" => ("2", "2"),
        time => time.split_once('/')?,
    };
    let unit: u8 = unit
        .parse()
        .ok()
        .filter(|unit: &u8| unit.is_power_of_two())?;
    Some((beats.parse().ok()?, unit.trailing_zeros() as u8))
}

/// Writes a variable-length quantity.
fn put(bytes: &mut Vec<u8>, number: u32) {
    for place in [21, 14, 7] {
        if number >> place != 0 {
            bytes.push((number >> place) as u8 & 0x7f | 0x80);
        }
    }
    bytes.push(number as u8 & 0x7f);
}
