//! Reader of MIDI files (Standard MIDI Files 1.0).
//!
//! The parser is our own, so that errors have byte offsets and declared lengths of tracks and
//! events are checked. A voice is a track with notes. In a file of format 0, which merges all
//! tracks, a voice is a channel.

use std::collections::VecDeque;

use partita_formats::{Diagnostic, DiagnosticCode, diagnostic};

use super::builder::{monophonic_melody, select_voice, time_out_of_range, too_many_notes};
use super::pae::signatures::key_from_fifths;
use super::{
    DiagnosticCounts, MelodyReadOptions, Transcript, empty_file_diagnostic, syntax_diagnostic,
};
use crate::note::{beats_from_halvings, is_valid_time};
use crate::{Beats, MAX_BEATS, Note, Pitch};

/// Returns true if the bytes start like a MIDI file.
pub(crate) fn is_midi(bytes: &[u8]) -> bool {
    bytes.starts_with(b"MThd")
}

/// Note of a MIDI file, with times in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct MidiNote {
    voice: u32,
    key: u8,
    start: u64,
    /// Time of the end in ticks; `None` until the note-off message is read.
    end: Option<u64>,
}

/// Notes, first tempo, first metre and first key of a MIDI file.
#[derive(Debug, Default)]
struct MidiScore {
    notes: Vec<MidiNote>,
    tempo: Option<f64>,
    time: Option<String>,
    key: Option<String>,
}

/// Bytes of a MIDI file or track, with a read position.
struct ByteCursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> ByteCursor<'a> {
    /// Returns the next `count` bytes, or a diagnostic if there are fewer.
    fn take_bytes(&mut self, count: usize) -> Result<&'a [u8], Diagnostic> {
        let rest = &self.bytes[self.at..];
        let Some(taken) = rest.get(..count) else {
            return Err(truncated_diagnostic(self.bytes.len()));
        };
        self.at += count;
        Ok(taken)
    }

    fn read_byte(&mut self) -> Result<u8, Diagnostic> {
        Ok(self.take_bytes(1)?[0])
    }

    fn read_u16(&mut self) -> Result<u16, Diagnostic> {
        let bytes = self.take_bytes(2)?;
        Ok(u16::from_be_bytes([bytes[0], bytes[1]]))
    }

    fn read_u32(&mut self) -> Result<u32, Diagnostic> {
        let bytes = self.take_bytes(4)?;
        Ok(u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// Reads a variable-length quantity of MIDI: seven bits per byte, highest first, at most four
    /// bytes.
    fn read_variable_length(&mut self) -> Result<u32, Diagnostic> {
        let mut number = 0;
        for _ in 0..4 {
            let byte = self.read_byte()?;
            number = number << 7 | u32::from(byte & 0x7f);
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(syntax_diagnostic_at(
            "a number is longer than four bytes",
            self.at - 1,
        ))
    }
}

/// Returns the diagnostic for a file or track that ends too early, at byte `at` of the file.
fn truncated_diagnostic(at: usize) -> Diagnostic {
    diagnostic!(Truncated { byte = at }: "the file ends in the middle of something")
}

/// Returns the diagnostic for a syntax error at a byte of the file, counted from 0 as in hex
/// viewers.
fn syntax_diagnostic_at(message: impl Into<String>, at: usize) -> Diagnostic {
    syntax_diagnostic(message).with_field("byte", at)
}

/// Reads the melody of a MIDI file.
pub(super) fn read(bytes: &[u8], options: &MelodyReadOptions) -> Result<Transcript, Diagnostic> {
    if bytes.is_empty() {
        return Err(empty_file_diagnostic());
    }
    let mut cursor = ByteCursor { bytes, at: 0 };
    if bytes.len() < 4 && b"MThd".starts_with(bytes) {
        return Err(truncated_diagnostic(bytes.len()));
    }
    if !is_midi(bytes) {
        return Err(syntax_diagnostic_at("a MIDI file begins with MThd", 0));
    }
    cursor.at = 4;
    let length = cursor.read_u32()? as usize;
    if length < 6 {
        return Err(syntax_diagnostic_at(
            "the head is shorter than six bytes",
            4,
        ));
    }
    let head = cursor.at;
    let (format, tracks, division) = (cursor.read_u16()?, cursor.read_u16()?, cursor.read_u16()?);
    cursor.at = head;
    cursor.take_bytes(length)?;
    if format > 1 {
        return Err(diagnostic!(Unsupported { byte = head }:
            "this is a file of format {format}, whose tracks are no voices of one piece"));
    }
    if division & 0x8000 != 0 {
        return Err(diagnostic!(Unsupported { byte = head + 4 }:
            "time is counted in frames of a film here, not in beats"));
    }
    if division == 0 {
        return Err(syntax_diagnostic_at(
            "a quarter note is divided into 0 ticks",
            head + 4,
        ));
    }
    let most = options.max_notes_of_all_voices();
    let mut score = MidiScore::default();
    let mut sounding: Vec<VecDeque<u32>> = vec![VecDeque::new(); 16 * 128];
    let mut found = 0;
    while found < tracks {
        let start = cursor.at;
        let kind = cursor.take_bytes(4)?;
        let length = cursor.read_u32()? as usize;
        let body = cursor.at;
        if body + length > bytes.len() {
            // The track is truncated. Its existing part is parsed first, so that an earlier error
            // in it is reported instead.
            let rest = ByteCursor { bytes, at: body };
            if kind == b"MTrk" {
                read_track(rest, (found, format), most, &mut score, &mut sounding)?;
            }
            let left = bytes.len() - body;
            return Err(diagnostic!(Truncated { byte = start }:
                "a chunk of {length} bytes begins, and {left} are left"));
        }
        cursor.at = body + length;
        if kind == b"MTrk" {
            let inside = ByteCursor {
                bytes: &bytes[..body + length],
                at: body,
            };
            read_track(inside, (found, format), most, &mut score, &mut sounding)?;
            sounding.iter_mut().for_each(VecDeque::clear);
            found += 1;
        }
    }
    transcribe_score(score, i64::from(division), options)
}

/// Reads the events of a track and adds its notes to the score. `sounding` has the indices of the
/// notes that have not ended yet, by channel and MIDI note number.
fn read_track(
    mut cursor: ByteCursor<'_>,
    (track, format): (u16, u16),
    most: usize,
    score: &mut MidiScore,
    sounding: &mut [VecDeque<u32>],
) -> Result<(), Diagnostic> {
    let mut now = 0_u64;
    let mut running: Option<u8> = None;
    while cursor.at < cursor.bytes.len() {
        now += u64::from(cursor.read_variable_length()?);
        let at = cursor.at;
        let first = cursor.read_byte()?;
        let status = if first & 0x80 != 0 {
            first
        } else {
            cursor.at -= 1;
            running.ok_or_else(|| {
                syntax_diagnostic_at("an event has no status, and none came before it", at)
            })?
        };
        match status {
            0x80..=0xef => {
                running = Some(status);
                let length = if matches!(status & 0xf0, 0xc0 | 0xd0) {
                    1
                } else {
                    2
                };
                let data = cursor.take_bytes(length)?;
                if data.iter().any(|byte| byte & 0x80 != 0) {
                    return Err(syntax_diagnostic_at("an event ends in the middle", at));
                }
                let channel = status & 0x0f;
                let slot = usize::from(channel) * 128 + usize::from(data[0]);
                let voice = u32::from(if format == 0 {
                    u16::from(channel)
                } else {
                    track
                });
                match status & 0xf0 {
                    0x90 if data[1] > 0 => {
                        if score.notes.len() == most {
                            return Err(too_many_notes(most));
                        }
                        let number =
                            u32::try_from(score.notes.len()).map_err(|_| too_many_notes(most))?;
                        sounding[slot].push_back(number);
                        let (key, start) = (data[0], now);
                        score.notes.push(MidiNote {
                            voice,
                            key,
                            start,
                            end: None,
                        });
                    }
                    // A note-off ends the oldest sounding note of its key.
                    0x80 | 0x90 => {
                        if let Some(number) = sounding[slot].pop_front() {
                            score.notes[number as usize].end = Some(now);
                        }
                    }
                    _ => {}
                }
            }
            0xf0 | 0xf7 => {
                let length = cursor.read_variable_length()? as usize;
                cursor.take_bytes(length)?;
                running = None;
            }
            0xff => {
                let kind = cursor.read_byte()?;
                let length = cursor.read_variable_length()? as usize;
                let data = cursor.take_bytes(length)?;
                match (kind, data) {
                    (0x2f, _) => return Ok(()),
                    (0x51, &[a, b, c]) => {
                        let microseconds = u32::from_be_bytes([0, a, b, c]);
                        if microseconds > 0 && score.tempo.is_none() {
                            score.tempo = Some(60e6 / f64::from(microseconds));
                        }
                    }
                    (0x58, &[beats, power, ..]) if power < 8 => {
                        let time = || format!("{beats}/{}", 1_u32 << power);
                        score.time.get_or_insert_with(time);
                    }
                    (0x59, &[fifths, _]) if score.key.is_none() => {
                        score.key = key_from_fifths(i32::from(fifths as i8));
                    }
                    _ => {}
                }
            }
            _ => {
                return Err(syntax_diagnostic_at(
                    format!("a file has no event {status:#04x}"),
                    at,
                ));
            }
        }
    }
    Ok(())
}

/// Converts the notes of the requested or only voice to a melody. `division` is the number of ticks
/// per quarter note.
fn transcribe_score(
    score: MidiScore,
    division: i64,
    options: &MelodyReadOptions,
) -> Result<Transcript, Diagnostic> {
    let mut voices: Vec<u32> = score.notes.iter().map(|note| note.voice).collect();
    voices.sort_unstable();
    voices.dedup();
    let voice = voices[select_voice(voices.len(), "tracks", options)?];
    let mut diagnostic_counts = DiagnosticCounts::default();
    let mut notes: Vec<(u64, u64, u8)> = Vec::new();
    for note in score.notes.iter().filter(|note| note.voice == voice) {
        let Some(end) = note.end else {
            let start = note.start;
            return Err(diagnostic!(Truncated: "a note that begins at tick {start} never ends"));
        };
        if end == note.start {
            diagnostic_counts.add(DiagnosticCode::NoDuration);
        } else {
            notes.push((note.start, end, note.key));
        }
    }
    trim_one_tick_overlaps(&mut notes, &mut diagnostic_counts);
    if notes.len() > options.max_notes {
        return Err(too_many_notes(options.max_notes));
    }
    let time = |ticks: u64| {
        let ticks = i64::try_from(ticks)
            .ok()
            .filter(|&ticks| ticks <= MAX_BEATS * division)?;
        let time = match division & (division - 1) {
            0 => beats_from_halvings(ticks, division.trailing_zeros()),
            _ => Beats::new(ticks, division),
        };
        is_valid_time(time).then_some(time)
    };
    let made = notes.iter().map(|&(start, end, key)| {
        let pitch = Pitch::new(key).expect("data bytes of MIDI messages are below 128");
        Some(Note::new(pitch, time(start)?, time(end - start)?))
    });
    let made: Option<Vec<Note>> = made.collect();
    Ok(Transcript {
        melody: monophonic_melody(
            made.ok_or_else(time_out_of_range)?,
            options.chords,
            &mut diagnostic_counts,
        )?,
        clef: None,
        key: score.key,
        time: score.time,
        tempo: score.tempo,
        diagnostic_counts,
    })
}

/// Shortens notes that end one tick after the next note begins, which happens in performed or
/// rounded music.
fn trim_one_tick_overlaps(notes: &mut [(u64, u64, u8)], diagnostic_counts: &mut DiagnosticCounts) {
    notes.sort_unstable();
    for at in 1..notes.len() {
        let next = notes[at].0;
        let before = &mut notes[at - 1];
        if before.1 == next + 1 && before.0 < next {
            before.1 = next;
            diagnostic_counts.add(DiagnosticCode::CutNotes);
        }
    }
}
