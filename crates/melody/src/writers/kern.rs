//! Writer of Humdrum `**kern`, with one spine.

use std::fmt::Write;

use super::{ExportFormat, MelodyExport, MelodyWriteError};
use crate::{Beats, Note, Spelling, Step};

/// Writes a melody. A duration is written as a note value with dots, as tied values, or else as a
/// fraction of a whole note.
///
/// # Errors
/// Returns [`MelodyWriteError`] if the format cannot represent a pitch.
pub fn write_kern(written: MelodyExport<'_>) -> Result<String, MelodyWriteError> {
    let mut text = "**kern\n".to_owned();
    let info = written.info;
    if let Some(clef) = info.clef.as_deref().and_then(clef) {
        line(&mut text, format_args!("*{clef}"));
    }
    if let Some(key) = info.key.as_deref().and_then(signature) {
        line(&mut text, format_args!("*k[{key}]"));
    }
    let plain = |time: &&str| {
        time.bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'/')
    };
    match info.time.as_deref() {
        Some("c") => text.push_str("*M4/4\n"),
        Some("c/") => text.push_str("*M2/2\n"),
        Some(time) if plain(&time) && time.contains('/') => {
            line(&mut text, format_args!("*M{time}"));
        }
        _ => {}
    }
    if let Some(tempo) = info.tempo {
        line(&mut text, format_args!("*MM{tempo}"));
    }
    let mut now = Beats::new_raw(0, 1);
    for note in written.melody.notes() {
        if note.onset > now {
            line(&mut text, format_args!("{}r", value(note.onset - now)));
        }
        let pitch = pitch(note).ok_or_else(|| {
            written.cannot(
                ExportFormat::Kern,
                format!("{} has no name there", note.name()),
            )
        })?;
        line(&mut text, format_args!("{}{pitch}", value(note.duration)));
        now = note.end();
    }
    text.push_str("*-\n");
    Ok(text)
}

fn line(text: &mut String, words: std::fmt::Arguments<'_>) {
    writeln!(text, "{words}").expect("memory can be written to");
}

/// Formats a duration in quarter notes as a part of a whole note: `4.`, `12`, `3%2`.
fn value(duration: Beats) -> String {
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
    match *whole.numer() {
        1 => whole.denom().to_string(),
        numer => format!("{}%{numer}", whole.denom()),
    }
}

fn pitch(note: &Note) -> Option<String> {
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

/// Converts `G-2` to `clefG2`.
fn clef(clef: &str) -> Option<String> {
    match clef.as_bytes() {
        [shape @ (b'G' | b'C' | b'F'), b'-', line] => {
            Some(format!("clef{}{}", char::from(*shape), char::from(*line)))
        }
        [b'g', b'-', line] => Some(format!("clefGv{}", char::from(*line))),
        _ => None,
    }
}

/// Converts `xFC` to `f#c#`.
fn signature(key: &str) -> Option<String> {
    let mut text = String::new();
    let mut sign = "";
    for letter in key.chars() {
        match letter {
            'x' => sign = "#",
            'b' => sign = "-",
            'n' => sign = "n",
            '[' | ']' | '$' | ' ' => {}
            'A'..='G' => {
                let step = Step::from_letter(letter)?;
                text.push(step.letter().to_ascii_lowercase());
                text.push_str(sign);
            }
            _ => return None,
        }
    }
    Some(text)
}
