//! Writer of Standard MIDI Files: format 0, one track, one channel.

use super::{ExportFormat, MelodyExport, MelodyWriteError};
use crate::Beats;
use crate::note::gcd;

/// Writes a melody as a MIDI file. Its number of ticks per quarter note is the largest up to 480
/// that makes all times whole or, if there is none, the smallest that does.
///
/// # Errors
/// Returns [`MelodyWriteError`] if no division of a MIDI file makes all times whole, or if a note,
/// a rest or the melody is too long for a MIDI file.
pub fn write_midi(written: MelodyExport<'_>) -> Result<Vec<u8>, MelodyWriteError> {
    let cannot = |why: &str| written.unrepresentable(ExportFormat::Midi, why);
    let mut division = 1_i64;
    for note in written.melody.notes() {
        for time in [note.onset, note.duration] {
            let denom = *time.denom();
            division = division / gcd(division, denom) * denom;
            if division > 0x7fff {
                return Err(cannot(
                    "its times are no whole ticks of any division that a file can have",
                ));
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
    if let Some((beats, power)) = written.info.time.as_deref().and_then(parse_metre) {
        track.extend_from_slice(&[0, 0xff, 0x58, 4, beats, power, 24, 8]);
    }
    let mut now = 0;
    // Number of ticks since the previous event.
    let mut delta = |time: i64| -> Result<u32, MelodyWriteError> {
        let ticks = u32::try_from(time - now).ok();
        now = time;
        ticks
            .filter(|&ticks| ticks < 1 << 28)
            .ok_or_else(|| cannot("it has a longer rest or note than a file can have"))
    };
    for note in written.melody.notes() {
        let key = note.pitch.number();
        write_variable_length(&mut track, delta(ticks(note.onset))?);
        track.extend_from_slice(&[0x90, key, 80]);
        write_variable_length(&mut track, delta(ticks(note.end()))?);
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

/// Converts a metre like `3/4` to its number of beats and the binary logarithm of its beat unit, as
/// MIDI files store them.
fn parse_metre(time: &str) -> Option<(u8, u8)> {
    let (beats, unit) = match time {
        "c" => ("4", "4"),
        "c/" => ("2", "2"),
        time => time.split_once('/')?,
    };
    let (beats, unit): (u8, u8) = (beats.parse().ok()?, unit.parse().ok()?);
    unit.is_power_of_two()
        .then(|| (beats, unit.trailing_zeros() as u8))
}

/// Appends a number as a variable-length quantity of MIDI: seven bits per byte, highest first.
fn write_variable_length(bytes: &mut Vec<u8>, number: u32) {
    for shift in [21, 14, 7] {
        if number >> shift != 0 {
            bytes.push((number >> shift) as u8 & 0x7f | 0x80);
        }
    }
    bytes.push(number as u8 & 0x7f);
}
