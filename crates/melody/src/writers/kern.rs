//! Writer of Humdrum `**kern`, with one spine.

use super::{ExportFormat, MelodyExport, MelodyWriteError};
use crate::{Beats, Note, Spelling};

/// Writes a melody as a `**kern` file. A duration is written as a note value with up to two dots,
/// or else as a fraction of a whole note.
///
/// # Errors
/// Returns [`MelodyWriteError`] if the format cannot represent a pitch.
pub fn write_kern(written: MelodyExport<'_>) -> Result<String, MelodyWriteError> {
    let mut text = "**kern\n".to_owned();
    let info = written.info;
    if let Some(clef) = info.clef.as_deref().and_then(convert_clef) {
        text += &format!("*{clef}\n");
    }
    if let Some(key) = info.key.as_deref().and_then(convert_key_signature) {
        text += &format!("*k[{key}]\n");
    }
    let is_fraction = |time: &str| {
        let mut bytes = time.bytes();
        time.contains('/') && bytes.all(|byte| byte.is_ascii_digit() || byte == b'/')
    };
    match info.time.as_deref() {
        Some("c") => text.push_str("*M4/4\n"),
        Some("c/") => text.push_str("*M2/2\n"),
        Some(time) if is_fraction(time) => text += &format!("*M{time}\n"),
        _ => {}
    }
    if let Some(tempo) = info.tempo {
        text += &format!("*MM{tempo}\n");
    }
    let mut now = Beats::new_raw(0, 1);
    for note in written.melody.notes() {
        if note.onset > now {
            text += &format!("{}r\n", format_duration(note.onset - now));
        }
        let pitch = format_pitch(note).ok_or_else(|| {
            let reason = format!("{} has no name there", note.name());
            written.unrepresentable(ExportFormat::Kern, reason)
        })?;
        text += &format!("{}{pitch}\n", format_duration(note.duration));
        now = note.end();
    }
    text.push_str("*-\n");
    Ok(text)
}

/// Formats a duration, given in quarter notes, in `**kern` notation, which divides a whole note:
/// `4.` is a dotted quarter note, `12` a triplet eighth, `3%2` two thirds of a whole note.
fn format_duration(duration: Beats) -> String {
    for dots in 0..3_i64 {
        // A value with d dots is (2^(d+1) - 1) / 2^d times the plain one.
        let plain = duration * Beats::new(1 << dots, (2 << dots) - 1);
        let whole = plain / Beats::from_integer(4);
        let dots = ".".repeat(dots as usize);
        match (*whole.numer(), *whole.denom()) {
            (1, parts) => return format!("{parts}{dots}"),
            (2, 1) => return format!("0{dots}"),
            (4, 1) => return format!("00{dots}"),
            _ => {}
        }
    }
    let whole = duration / Beats::from_integer(4);
    format!("{}%{}", whole.denom(), whole.numer())
}

/// Formats a pitch in `**kern` notation: `c` is middle C, `cc` an octave higher, `C` an octave
/// lower.
fn format_pitch(note: &Note) -> Option<String> {
    let spelling = note.spelling.unwrap_or(note.pitch.default_spelling());
    let Spelling { step, alteration } = spelling;
    let octave = note.pitch.octave(spelling);
    let (letter, count) = if octave >= 4 {
        (step.letter().to_ascii_lowercase(), octave - 3)
    } else {
        (step.letter(), 4 - octave)
    };
    let sign = if alteration < 0 { "-" } else { "#" };
    let count = usize::try_from(count).ok()?;
    Some(letter.to_string().repeat(count) + &sign.repeat(alteration.unsigned_abs().into()))
}

/// Converts a clef from Plaine & Easie, like `G-2`, to `**kern`, like `clefG2`.
fn convert_clef(clef: &str) -> Option<String> {
    match clef.as_bytes() {
        [shape @ (b'G' | b'C' | b'F'), b'-', line] => {
            Some(format!("clef{}{}", char::from(*shape), char::from(*line)))
        }
        [b'g', b'-', line] => Some(format!("clefGv{}", char::from(*line))),
        _ => None,
    }
}

/// Converts a key signature from Plaine & Easie, like `xFC`, to `**kern`, like `f#c#`.
fn convert_key_signature(key: &str) -> Option<String> {
    let mut text = String::new();
    let mut sign = "";
    for letter in key.chars() {
        match letter {
            'x' => sign = "#",
            'b' => sign = "-",
            'n' => sign = "n",
            '[' | ']' | '$' | ' ' => {}
            'A'..='G' => {
                text.push(letter.to_ascii_lowercase());
                text.push_str(sign);
            }
            _ => return None,
        }
    }
    Some(text)
}
