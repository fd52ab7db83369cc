//! Writer of Plaine & Easie, version 1.

use num_traits::{CheckedAdd, CheckedMul};

use super::{ExportFormat, MelodyExport, MelodyWriteError};
use crate::note::lcm;
use crate::readers::pae::signatures::{KeySignature, Metre};
use crate::{Beats, Note, Spelling, Step};

partita_named::named_enum! {
    /// File form in which the fields of Plaine & Easie incipits are written.
    pub enum PaeCarrier: "carrier" = Tags {
        /// A field per line, each incipit between @start and @end
        Tags = "tags",
        /// An object per line
        Json = "json",
        /// An incipit per line, after its id and a tab
        Line = "line",
    }
}

/// Writes a melody as one incipit in Plaine & Easie.
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
    let cannot = |why: String| written.unrepresentable(ExportFormat::Pae, why);
    let is_graphic = |text: &&str| text.bytes().all(|byte| byte.is_ascii_graphic());
    let clef = written.info.clef.as_deref().filter(is_graphic);
    let clef = clef.filter(|clef| clef.len() == 3).unwrap_or("G-2");
    let keysig = written.info.key.as_deref().filter(is_graphic);
    let keysig = keysig.unwrap_or_default();
    let key = KeySignature::parse(keysig).ok();
    let keysig = if key.is_none() || keysig == "n" {
        ""
    } else {
        keysig
    };
    let timesig = written.info.time.as_deref().filter(is_graphic);
    let timesig = timesig.filter(|time| Metre::parse(time).is_ok());
    let timesig = timesig.unwrap_or_default();
    let data = write_data(written, key.unwrap_or_default())?;
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
            let head = format!("%{clef}{}{}", sign("@", timesig), sign("$", keysig));
            Ok(format!("{id}\t{head} {data}\n"))
        }
    }
}

/// Note or rest of a melody, or a part of one that was split.
#[derive(Clone, Copy)]
struct NoteOrRest<'a> {
    /// Note of the melody; `None` for a rest.
    note: Option<&'a Note>,
    duration: Beats,
    /// True if the next element is a further part of this note or rest.
    continues: bool,
}

/// Returns the text of the data field, which contains all notes and rests of a melody.
fn write_data(written: MelodyExport<'_>, key: KeySignature) -> Result<String, MelodyWriteError> {
    let mut events = Vec::with_capacity(written.melody.len() * 2);
    let mut now = Beats::new_raw(0, 1);
    for note in written.melody.notes() {
        if note.onset > now {
            events.push(NoteOrRest {
                note: None,
                duration: note.onset - now,
                continues: false,
            });
        }
        events.push(NoteOrRest {
            note: Some(note),
            duration: note.duration,
            continues: false,
        });
        now = note.end();
    }
    let mut writer = DataFieldWriter {
        text: String::new(),
        octave: None,
        value: None,
        accidentals: std::array::from_fn(|_| Step::ALL.map(|step| key.alteration(step))),
    };
    let cannot = |why: String| written.unrepresentable(ExportFormat::Pae, why);
    let no_pitch = |event: &NoteOrRest<'_>| {
        let name = event.note.map_or_else(String::new, Note::name);
        cannot(format!("the code has no {name}"))
    };
    let mut at = 0;
    while let Some(&event) = events.get(at) {
        if let Some(pieces) = split_into_note_values(event.duration) {
            writer
                .write_event(&event, &pieces)
                .ok_or_else(|| no_pitch(&event))?;
            at += 1;
            continue;
        }
        let Some(group) = TupletGroup::from_prefix(&events[at..]) else {
            if let Some((number, duration)) = split_for_tuplet(&events[at..]) {
                split_event(&mut events, at + number, duration);
                continue;
            }
            let time: Beats = events[..at].iter().map(|event| event.duration).sum();
            let beats = event.duration;
            return Err(cannot(format!(
                "what begins at {time} and lasts {beats} quarter notes is part of no tuplet"
            )));
        };
        let (value, dots) = group.total;
        let dots = ".".repeat(dots.into());
        writer
            .text
            .push_str(&format!("{}{dots}(", char::from(value)));
        // The current note value is forgotten, so that the first note of the tuplet states its own.
        writer.value = None;
        for (event, pieces) in events[at..].iter().zip(&group.pieces) {
            writer
                .write_event(event, pieces)
                .ok_or_else(|| no_pitch(event))?;
        }
        for &piece in &group.padding {
            writer.write_note_value(piece, "-", "");
        }
        writer.text.push_str(&format!(";{})", group.number));
        at += group.pieces.len();
    }
    Ok(writer.text)
}

/// Splits the note or rest with index `at` in two parts, of which the first has the given duration.
fn split_event(events: &mut Vec<NoteOrRest<'_>>, at: usize, duration: Beats) {
    let rest = NoteOrRest {
        duration: events[at].duration - duration,
        ..events[at]
    };
    events[at] = NoteOrRest {
        duration,
        continues: true,
        ..events[at]
    };
    events.insert(at + 1, rest);
}

/// Finds a note or rest to split if no prefix of the notes and rests forms a tuplet. Returns its
/// index and the duration of its first part, in quarter notes, or `None` if there is none.
///
/// The first part completes a tuplet, and the code has values for the second part. Otherwise the
/// whole quarter notes of the first event are split off: the tuplet starts after them.
fn split_for_tuplet(events: &[NoteOrRest<'_>]) -> Option<(usize, Beats)> {
    let mut start = Beats::new_raw(0, 1);
    for (at, event) in events.iter().enumerate().take(MAX_TUPLET_EVENTS) {
        let end = start.checked_add(&event.duration)?;
        let within = NOTE_VALUES.iter().rev().find_map(|&(value, numer, denom)| {
            let whole = Beats::new(numer, denom);
            if whole <= start || whole >= end || split_into_note_values(end - whole).is_none() {
                return None;
            }
            let duration = whole - start;
            let mut group = events[..=at].to_vec();
            group[at].duration = duration;
            let fits = TupletGroup::with_duration(&group, (value, 0), whole, Beats::new_raw(0, 1))
                .is_some();
            fits.then_some((at, duration))
        });
        if within.is_some() {
            return within;
        }
        start = end;
        if start > LONGEST_TUPLET {
            break;
        }
    }
    let first = events[0].duration;
    (first.trunc() != first && *first.trunc().numer() > 0).then_some((0, first.trunc()))
}

/// Note value in Plaine & Easie: its digit, as an ASCII code, and its number of dots.
type NoteValue = (u8, u8);

/// Notes and rests that are written as a tuplet, for example `4(8ABC;3)`. The duration of the whole
/// tuplet is written before the parenthesis. The notes share it in proportion to their written
/// values.
struct TupletGroup {
    total: NoteValue,
    number: i64,
    pieces: Vec<Vec<NoteValue>>,
    /// Rest at the end of the last tuplet of a melody, which extends the tuplet to the duration of
    /// a note value.
    padding: Vec<NoteValue>,
}

/// Largest number of notes and rests in a tuplet.
const MAX_TUPLET_EVENTS: usize = 256;

/// Duration of the longest plain note value in quarter notes. The search for the end of a tuplet
/// stops at longer durations.
const LONGEST_TUPLET: Beats = Beats::new_raw(16, 1);

impl TupletGroup {
    /// Finds the shortest prefix of the notes and rests that can be written as a tuplet. At the end
    /// of the melody, the tuplet may be completed by a rest.
    fn from_prefix(events: &[NoteOrRest<'_>]) -> Option<Self> {
        let mut sum = Beats::new_raw(0, 1);
        for (count, event) in (1..=MAX_TUPLET_EVENTS).zip(events) {
            sum = sum.checked_add(&event.duration)?;
            let none = Beats::new_raw(0, 1);
            let group = note_value_of(sum)
                .and_then(|total| Self::with_duration(&events[..count], total, sum, none));
            if group.is_some() {
                return group;
            }
            if sum > LONGEST_TUPLET {
                return None;
            }
        }
        // At the end of the melody, a rest may fill the tuplet; it is not part of the melody.
        if events.len() > MAX_TUPLET_EVENTS {
            return None;
        }
        let mut longer = NOTE_VALUES
            .iter()
            .rev()
            .filter(|(_, numer, denom)| Beats::new(*numer, *denom) > sum);
        longer.find_map(|&(value, numer, denom)| {
            let whole = Beats::new(numer, denom);
            Self::with_duration(events, (value, 0), whole, whole - sum)
        })
    }

    /// Creates a tuplet of the given notes and rests that lasts `whole` quarter notes, which is the
    /// duration of the note value `total`. A rest of the duration `rest` follows them inside the
    /// tuplet. Returns `None` if Plaine & Easie has no note values for one of the durations, or if
    /// the tuplet would have only one note or rest.
    fn with_duration(
        events: &[NoteOrRest<'_>],
        total: NoteValue,
        whole: Beats,
        rest: Beats,
    ) -> Option<Self> {
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
            let written = |time: Beats| split_into_note_values(time.checked_mul(&factor)?);
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

/// Text of the data field written so far, with the octave and note value that the next note
/// inherits.
struct DataFieldWriter {
    text: String,
    octave: Option<i32>,
    value: Option<NoteValue>,
    /// Accidentals in force, by octave and step. They never expire, because no bar lines are
    /// written.
    accidentals: [[i8; 7]; 8],
}

impl DataFieldWriter {
    /// Writes a note as tied note values, or a rest as successive note values. Returns `None` if
    /// Plaine & Easie cannot represent the pitch.
    fn write_event(&mut self, event: &NoteOrRest<'_>, pieces: &[NoteValue]) -> Option<()> {
        let Some(note) = event.note else {
            pieces
                .iter()
                .for_each(|&piece| self.write_note_value(piece, "-", ""));
            return Some(());
        };
        let has_octave = |octave: i32| (1..=7).contains(&octave);
        let can_write = |spelling: &Spelling| {
            spelling.alteration.abs() <= 2 && has_octave(note.pitch.octave(*spelling))
        };
        let spelling = note.spelling.filter(can_write);
        let spelling = spelling.unwrap_or(note.pitch.default_spelling());
        let Spelling { step, alteration } = spelling;
        let octave = note.pitch.octave(spelling);
        if !has_octave(octave) {
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
        let current = &mut self.accidentals[octave as usize][step as usize];
        let accidental = match alteration {
            same if same == *current => "",
            -2 => "bb",
            -1 => "b",
            0 => "n",
            1 => "x",
            _ => "xx",
        };
        *current = alteration;
        let letter = step.letter();
        for (number, &piece) in pieces.iter().enumerate() {
            let accidental = if number == 0 { accidental } else { "" };
            let is_tied = event.continues || number + 1 < pieces.len();
            let tie = if is_tied { "+" } else { "" };
            self.write_note_value(piece, &format!("{accidental}{letter}"), tie);
        }
        Some(())
    }

    /// Writes one note or rest, with its note value unless it is the current one. `name` is the
    /// letter with accidentals, `tie` the tie sign or empty.
    fn write_note_value(&mut self, piece: NoteValue, name: &str, tie: &str) {
        if self.value != Some(piece) {
            let (value, dots) = piece;
            self.text.push(char::from(value));
            self.text.push_str(&".".repeat(dots.into()));
            self.value = Some(piece);
        }
        self.text.push_str(name);
        self.text.push_str(tie);
    }
}

/// Note values of Plaine & Easie: digit, and duration in quarter notes as numerator and
/// denominator, longest first.
const NOTE_VALUES: [(u8, i64, i64); 10] = [
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

/// Returns the note value with at most four dots that has exactly this duration in quarter notes.
fn note_value_of(duration: Beats) -> Option<NoteValue> {
    NOTE_VALUES.iter().find_map(|&(value, numer, denom)| {
        // A 128th note cannot be dotted, because `7.` marks neumes.
        let most = if value == b'7' { 0 } else { 4 };
        (0..=most).find_map(|dots| {
            let length = Beats::new(numer, denom) * Beats::new((2 << dots) - 1, 1 << dots);
            (length == duration).then_some((value, dots as u8))
        })
    })
}

/// Splits a duration in quarter notes into note values that add up to it. Returns `None` if that is
/// impossible or the duration is above 65,536 quarter notes.
fn split_into_note_values(duration: Beats) -> Option<Vec<NoteValue>> {
    if duration > Beats::from_integer(16 * 4096) {
        return None;
    }
    let mut left = duration;
    let mut pieces = Vec::new();
    if let Some(piece) = note_value_of(left) {
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
        if let Some(piece) = note_value_of(left) {
            pieces.push(piece);
            break;
        }
        let fits = NOTE_VALUES
            .iter()
            .find(|(_, numer, denom)| Beats::new(*numer, *denom) <= left);
        let &(value, numer, denom) = fits?;
        pieces.push((value, 0));
        left -= Beats::new(numer, denom);
    }
    Some(pieces)
}
