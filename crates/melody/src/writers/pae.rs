//! Writer of Plaine & Easie, version 1.

use std::fmt::Write;

use num_traits::{CheckedAdd, CheckedMul};

use super::{ExportFormat, MelodyExport, MelodyWriteError};
use crate::note::lcm;
use crate::readers::pae::signatures::{KeySignature, Metre};
use crate::{Beats, Note, Spelling, Step};

partita_named::named_enum! {
    /// File form of the fields of Plaine & Easie.
    pub enum PaeCarrier: "carrier" = Tags {
        /// A field per line, each incipit between @start and @end
        Tags = "tags",
        /// An object per line
        Json = "json",
        /// An incipit per line, after its id and a tab
        Line = "line",
    }
}

/// Writes a melody as one incipit.
///
/// Bar lines are left out, because a melody has no measures. Accidentals therefore hold until they
/// are cancelled.
///
/// # Errors
/// Returns [`MelodyWriteError`] if the code cannot represent a pitch, a duration or an id.
pub fn write_pae(
    written: MelodyExport<'_>,
    carrier: PaeCarrier,
) -> Result<String, MelodyWriteError> {
    let id = written.id;
    let cannot = |why: String| written.cannot(ExportFormat::Pae, why);
    let plain = |text: &Option<String>| {
        let text = text.as_deref().unwrap_or_default();
        if text.chars().all(|sign| sign.is_ascii_graphic()) {
            text.to_owned()
        } else {
            String::new()
        }
    };
    let clef = Some(plain(&written.info.clef)).filter(|clef| clef.len() == 3);
    let clef = clef.unwrap_or_else(|| "G-2".to_owned());
    let (keysig, timesig) = (plain(&written.info.key), plain(&written.info.time));
    let key = KeySignature::parse(&keysig).ok();
    let keysig = if key.is_none() || keysig == "n" {
        String::new()
    } else {
        keysig
    };
    let timesig = if Metre::parse(&timesig).is_ok() {
        timesig
    } else {
        String::new()
    };
    let data = data(written, key.unwrap_or_default())?;
    let breaks = |id: &str| id.contains(['\n', '\r']) || id.trim() != id || id.is_empty();
    match carrier {
        PaeCarrier::Json => {
            let object = serde_json::json!({
                "id": id, "clef": clef, "keysig": keysig, "timesig": timesig, "data": data,
            });
            Ok(format!("{object}\n"))
        }
        _ if breaks(id) => Err(cannot("its id does not fit on a line".to_owned())),
        PaeCarrier::Tags => Ok(format!(
            "@start:{id}\n@clef:{clef}\n@keysig:{keysig}\n@timesig:{timesig}\n@data:{data}\n@end:{id}\n"
        )),
        PaeCarrier::Line if id.contains('\t') => Err(cannot("its id has a tab".to_owned())),
        PaeCarrier::Line => {
            let sign = |sign: &str, text: &str| match text {
                "" => String::new(),
                text => format!("{sign}{text}"),
            };
            let head = format!("%{clef}{}{}", sign("@", &timesig), sign("$", &keysig));
            Ok(format!("{id}\t{head} {data}\n"))
        }
    }
}

/// Note or rest of a melody.
#[derive(Clone, Copy)]
struct NoteOrRest<'a> {
    /// Note; `None` for a rest.
    note: Option<&'a Note>,
    duration: Beats,
}

fn data(written: MelodyExport<'_>, key: KeySignature) -> Result<String, MelodyWriteError> {
    let mut events = Vec::with_capacity(written.melody.len() * 2);
    let mut now = Beats::new_raw(0, 1);
    for note in written.melody.notes() {
        if note.onset > now {
            let duration = note.onset - now;
            events.push(NoteOrRest {
                note: None,
                duration,
            });
        }
        let duration = note.duration;
        events.push(NoteOrRest {
            note: Some(note),
            duration,
        });
        now = note.end();
    }
    let mut writer = Writer {
        text: String::new(),
        octave: None,
        value: None,
        accidentals: std::array::from_fn(|_| Step::ALL.map(|step| key.alteration(step))),
    };
    let cannot = |why: String| written.cannot(ExportFormat::Pae, why);
    let no_pitch = |event: &NoteOrRest<'_>| {
        cannot(format!(
            "the code has no {}",
            event.note.map_or_else(String::new, Note::name)
        ))
    };
    let mut at = 0;
    while let Some(event) = events.get(at) {
        if let Some(pieces) = pieces(event.duration) {
            writer
                .event(event, &pieces)
                .ok_or_else(|| no_pitch(event))?;
            at += 1;
            continue;
        }
        let group = TupletGroup::from(&events[at..]).ok_or_else(|| {
            let (time, beats) = (now_at(&events[..at]), event.duration);
            cannot(format!(
                "what begins at {time} and lasts {beats} quarter notes is part of no tuplet"
            ))
        })?;
        let (value, dots) = group.total;
        writer.put(format_args!(
            "{}{}(",
            char::from(value),
            ".".repeat(dots.into())
        ));
        // The current note value is forgotten, so that the first note of the tuplet states its own.
        writer.value = None;
        for (event, pieces) in events[at..].iter().zip(&group.pieces) {
            writer.event(event, pieces).ok_or_else(|| no_pitch(event))?;
        }
        for &piece in &group.padding {
            writer.piece(piece, "-", "");
        }
        writer.put(format_args!(";{})", group.number));
        at += group.pieces.len();
    }
    Ok(writer.text)
}

fn now_at(events: &[NoteOrRest<'_>]) -> Beats {
    events.iter().map(|event| event.duration).sum()
}

/// Note value as a digit of Plaine & Easie, with its number of dots.
type Piece = (u8, u8);

/// Events that are written as a tuplet, for example `4(8ABC;3)`. The duration of the whole tuplet
/// is written before the parenthesis. The events share it in proportion to their written values.
struct TupletGroup {
    total: Piece,
    number: i64,
    pieces: Vec<Vec<Piece>>,
    /// Rest that extends the last tuplet of a melody to the duration of a note value.
    padding: Vec<Piece>,
}

/// Limit on the events of a tuplet.
const MOST_IN_GROUP: usize = 256;

impl TupletGroup {
    /// Finds the shortest prefix of the events that forms a tuplet.
    fn from(events: &[NoteOrRest<'_>]) -> Option<Self> {
        let mut sum = Beats::new_raw(0, 1);
        for (count, event) in (1..=MOST_IN_GROUP).zip(events) {
            sum = sum.checked_add(&event.duration)?;
            let none = Beats::new_raw(0, 1);
            let group = single(sum).and_then(|total| Self::fit(&events[..count], total, sum, none));
            if group.is_some() {
                return group;
            }
            if sum > Beats::from_integer(16) {
                return None;
            }
        }
        // At the end of the melody, a rest may fill the tuplet; it is not part of the melody.
        if events.len() > MOST_IN_GROUP {
            return None;
        }
        let mut longer = VALUES
            .iter()
            .rev()
            .filter(|(_, numer, denom)| Beats::new(*numer, *denom) > sum);
        longer.find_map(|&(value, numer, denom)| {
            let whole = Beats::new(numer, denom);
            Self::fit(events, (value, 0), whole, whole - sum)
        })
    }

    fn fit(events: &[NoteOrRest<'_>], total: Piece, whole: Beats, rest: Beats) -> Option<Self> {
        let padded = usize::from(*rest.numer() > 0);
        if events.len() + padded < 2 {
            return None;
        }
        // Smallest number of divisions of a quarter note that makes all durations whole.
        let times = events
            .iter()
            .map(|event| event.duration)
            .chain([rest, whole]);
        let parts = times.clone().try_fold(1, |parts, time| {
            lcm(parts, *time.denom()).filter(|&multiple| multiple <= 1 << 20)
        })?;
        let odd = parts >> parts.trailing_zeros();
        // As usual, three notes are written with the values of two notes, and five with those of
        // four. The values are doubled while they are too short for the code.
        let usual = Beats::new(odd, 1 << (63 - odd.leading_zeros()));
        (0..8).find_map(|doublings| {
            let factor = usual * Beats::from_integer(1 << doublings);
            let written = |time: Beats| pieces(time.checked_mul(&factor)?);
            let pieces: Option<Vec<_>> =
                events.iter().map(|event| written(event.duration)).collect();
            let pieces = pieces?;
            let padding = if padded == 0 {
                Vec::new()
            } else {
                written(rest)?
            };
            let notes = pieces.iter().map(Vec::len).sum::<usize>() + padding.len();
            // A single note in parentheses would be a fermata.
            let number = if odd > 1 { odd } else { notes as i64 };
            (notes > 1 && number <= 1024).then_some(Self {
                total,
                number,
                pieces,
                padding,
            })
        })
    }
}

struct Writer {
    text: String,
    octave: Option<i32>,
    value: Option<Piece>,
    /// Current accidentals by octave and step. They never expire, because there are no bar lines.
    accidentals: [[i8; 7]; 8],
}

impl Writer {
    fn put(&mut self, words: std::fmt::Arguments<'_>) {
        self.text
            .write_fmt(words)
            .expect("memory can be written to");
    }

    /// Writes a note as tied values, or a rest as successive values. Returns `None` if the code
    /// cannot represent the pitch.
    fn event(&mut self, event: &NoteOrRest<'_>, pieces: &[Piece]) -> Option<()> {
        let Some(note) = event.note else {
            pieces.iter().for_each(|&piece| self.piece(piece, "-", ""));
            return Some(());
        };
        let has = |octave: i32| (1..=7).contains(&octave);
        let plain = note.pitch.default_spelling();
        let spelled = note
            .spelling
            .filter(|spelling| spelling.alteration.abs() <= 2 && has(note.pitch.octave(*spelling)));
        let Spelling { step, alteration } = spelled.unwrap_or(plain);
        let octave = note.pitch.octave(spelled.unwrap_or(plain));
        if !has(octave) {
            return None;
        }
        if self.octave != Some(octave) {
            self.octave = Some(octave);
            let (sign, count) = if octave >= 4 {
                ("'", octave - 3)
            } else {
                (",", 4 - octave)
            };
            self.text.push_str(&sign.repeat(count as usize));
        }
        let held = &mut self.accidentals[octave as usize][step as usize];
        let accidental = match alteration {
            same if same == *held => "",
            -2 => "bb",
            -1 => "b",
            0 => "n",
            1 => "x",
            _ => "xx",
        };
        *held = alteration;
        let letter = step.letter();
        for (number, &piece) in pieces.iter().enumerate() {
            let accidental = if number == 0 { accidental } else { "" };
            let tie = if number + 1 < pieces.len() { "+" } else { "" };
            self.piece(piece, &format!("{accidental}{letter}"), tie);
        }
        Some(())
    }

    fn piece(&mut self, piece: Piece, name: &str, tie: &str) {
        if self.value != Some(piece) {
            let (value, dots) = piece;
            self.put(format_args!(
                "{}{}",
                char::from(value),
                ".".repeat(dots.into())
            ));
            self.value = Some(piece);
        }
        self.put(format_args!("{name}{tie}"));
    }
}

/// Note values of the code with their durations in quarter notes, longest first.
const VALUES: [(u8, i64, i64); 10] = [
    (b'0', 16, 1),
    (b'9', 8, 1),
    (b'1', 4, 1),
    (b'2', 2, 1),
    (b'4', 1, 1),
    (b'8', 1, 2),
    (b'6', 1, 4),
    (b'3', 1, 8),
    (b'5', 1, 16),
    (b'7', 1, 32),
];

/// Returns the note value, plain or dotted, that has exactly this duration.
fn single(duration: Beats) -> Option<Piece> {
    VALUES.iter().find_map(|&(value, numer, denom)| {
        // A 128th note cannot be dotted, because `7.` marks neumes.
        let most = if value == b'7' { 0 } else { 4 };
        (0..=most).find_map(|dots| {
            let length = Beats::new(numer, denom) * Beats::new((2 << dots) - 1, 1 << dots);
            (length == duration).then_some((value, dots as u8))
        })
    })
}

/// Splits a duration into tied values, longest first. Returns `None` if that is impossible.
fn pieces(duration: Beats) -> Option<Vec<Piece>> {
    if duration > Beats::from_integer(16 * 4096) {
        return None;
    }
    let mut left = duration;
    let mut pieces = Vec::new();
    if let Some(piece) = single(left) {
        return Some(vec![piece]);
    }
    // The shortest plain value is 1/32 of a quarter note, so finer parts need dots. A 64th note
    // with this many dots is split off, and the remainder is coarser.
    for (denom, dots) in [(256, 4), (128, 3), (64, 2)] {
        if *left.denom() == denom {
            left -= Beats::new((2 << dots) - 1, denom);
            pieces.push((b'5', dots));
        }
    }
    if *left.numer() < 0 || 32 % left.denom() != 0 {
        return None;
    }
    while *left.numer() > 0 {
        if let Some(piece) = single(left) {
            pieces.push(piece);
            break;
        }
        let fits = VALUES
            .iter()
            .find(|(_, numer, denom)| Beats::new(*numer, *denom) <= left);
        let &(value, numer, denom) = fits?;
        pieces.push((value, 0));
        left -= Beats::new(numer, denom);
    }
    Some(pieces)
}
