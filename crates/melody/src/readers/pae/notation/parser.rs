//! Parser of the data field of Plaine & Easie: notes and rests.
//!
//! It reads version 1 (2019) and version 2 of the code (plaine-and-easie.info). Ambiguities of
//! version 1 are resolved as in Verovio: an accidental holds in its octave until the bar line, and
//! `q` takes part in rhythmic sequences but `g` does not. A tuplet has the duration that precedes
//! it.

use partita_formats::{Diagnostic, DiagnosticCode, diagnostic};

use super::tuplets::Group;
use crate::readers::builder::{MelodyBuilder, out_of_range, too_many};
use crate::readers::pae::signatures::{DURATION_BITS, KeySignature, Metre, parse_clef};
use crate::readers::pae::{PaeRecord, PaeVersion};
use crate::readers::{ChordPolicy, DiagnosticCounts, MelodyReadOptions, syntax};
use crate::{Beats, Melody, Pitch, Spelling, Step};

/// Note or rest as written, before ties are joined.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NotationEvent {
    /// Pitch; `None` for a rest.
    pub(crate) sound: Option<SpelledPitch>,
    /// Written duration, in parts of a quarter note (see [`DURATION_BITS`]).
    pub(crate) parts: u32,
    /// Number of the tuplet ratio in the parser's list of ratios, from 1; 0 for a note outside of
    /// tuplets.
    pub(crate) scale: u16,
    /// True if a tie starts at this note.
    pub(crate) tied: bool,
}

/// Pitch with its spelling and written octave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SpelledPitch {
    pitch: Pitch,
    spelling: Spelling,
    octave: u8,
}

/// Grace note type of the next note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grace {
    None,
    Acciaccatura,
    Appoggiatura,
}

/// Parsed notes of an incipit, with diagnostics.
pub(crate) struct Notes {
    pub(crate) melody: Melody,
    pub(crate) diagnostic_counts: DiagnosticCounts,
}

/// Parser of one data field, with its state at the current position.
pub(crate) struct Parser<'a> {
    pub(crate) data: &'a [u8],
    pub(crate) at: usize,
    pub(crate) version: PaeVersion,
    options: &'a MelodyReadOptions,
    pub(crate) key: KeySignature,
    pub(crate) metre: Metre,
    octave: u8,
    accidental: Option<i8>,
    /// Accidentals of the current measure, by octave and step.
    measure: [i8; 64],
    /// Rhythmic sequence: written durations that the next notes take in turn, its length, and the
    /// position of the next note in it.
    pub(crate) values: [u32; MOST_VALUES],
    pub(crate) value_count: usize,
    pub(crate) next_value: usize,
    /// True while the rhythmic sequence is being read: no note has followed it yet.
    pub(crate) in_sequence: bool,
    pub(crate) events: Vec<NotationEvent>,
    /// Range of events of the previous measure, and first event of the current one.
    pub(crate) last_measure: (usize, usize),
    pub(crate) measure_start: usize,
    pub(crate) groups: Vec<Group>,
    /// Open repeated figure: byte offset, number of events and number of open groups at its start.
    pub(crate) figure: Option<(usize, usize, usize)>,
    /// Distinct tuplet ratios of the events.
    pub(crate) scales: Vec<Beats>,
    pub(crate) grace: Grace,
    /// Byte offset of the open group of grace notes.
    pub(crate) grace_group: Option<usize>,
    /// State of an open chord. In version 1 only the next note belongs to it, in version 2 all
    /// notes until `>`.
    pub(crate) chord: Option<ChordNotes>,
    /// True if the last note was a grace note, so that a tie or chord sign belongs to it.
    pub(crate) last_grace: bool,
    beams: i64,
    pub(crate) diagnostic_counts: DiagnosticCounts,
}

/// Position of the next note in an open chord.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChordNotes {
    /// The next note is the first of the chord.
    First,
    /// The next note is a further note of the chord.
    Further,
}

/// Limit on the length of a rhythmic sequence.
const MOST_VALUES: usize = 32;

/// Entry of `Parser::measure` for a step without an accidental.
const NO_ACCIDENTAL: i8 = i8::MIN;

/// Parses the data of a record.
pub(crate) fn read(
    record: &PaeRecord<'_>,
    options: &MelodyReadOptions,
) -> Result<Notes, Diagnostic> {
    parse_clef(&record.clef, record.version)?;
    let data = record.data.trim_ascii();
    if data.is_empty() {
        return Err(diagnostic!(EmptyFile: "there is no data"));
    }
    let key = KeySignature::parse(&record.keysig)?;
    let metre = Metre::parse(&record.timesig)?;
    let mut parser = Parser {
        data: record.data.as_bytes(),
        at: 0,
        version: record.version,
        options,
        key,
        metre,
        octave: 4,
        accidental: None,
        measure: [NO_ACCIDENTAL; 64],
        values: [1 << DURATION_BITS; MOST_VALUES],
        value_count: 1,
        next_value: 0,
        in_sequence: false,
        events: Vec::with_capacity((data.len() / 2).min(64)),
        last_measure: (0, 0),
        measure_start: 0,
        groups: Vec::new(),
        figure: None,
        scales: Vec::new(),
        grace: Grace::None,
        grace_group: None,
        chord: None,
        last_grace: false,
        beams: 0,
        diagnostic_counts: DiagnosticCounts::default(),
    };
    while let Some(&byte) = parser.data.get(parser.at) {
        let start = parser.at;
        parser.at += 1;
        let parsed = parser.sign(byte);
        parsed.map_err(|problem| at_character(problem, &record.data, start))?;
    }
    parser.finish(&record.data)
}

/// Adds the position of a problem, given as a byte offset, to a diagnostic. The field `character`
/// counts characters from 1.
fn at_character(problem: Diagnostic, data: &str, byte: usize) -> Diagnostic {
    let before = data.as_bytes()[..byte.min(data.len())].iter();
    let characters = before.filter(|&&byte| byte & 0xc0 != 0x80).count();
    problem.with_field("character", characters + 1)
}

impl Parser<'_> {
    /// Reads a sign of the code and the signs that belong to it.
    fn sign(&mut self, byte: u8) -> Result<(), Diagnostic> {
        match byte {
            b'A'..=b'G' => self.note(byte),
            b'\'' | b',' => self.octave(byte),
            b'0'..=b'9' => self.value(byte),
            b'x' | b'b' | b'n' => {
                self.accidental(byte);
                Ok(())
            }
            b'-' => self.rest(),
            b'/' | b':' => {
                self.bar_line();
                Ok(())
            }
            b'{' | b'}' => {
                self.beams += if byte == b'{' { 1 } else { -1 };
                if self.beams < 0 {
                    self.beams = 0;
                    self.diagnostic_counts.add(DiagnosticCode::OpenBeams);
                }
                Ok(())
            }
            b't' | b' ' | b'\t' => Ok(()),
            b'g' => self.begin_grace(Grace::Acciaccatura),
            b'q' if self.version == PaeVersion::One && self.peek() == Some(b'q') => {
                self.at += 1;
                self.begin_grace_group()
            }
            b'q' => self.begin_grace(Grace::Appoggiatura),
            b'y' if self.version == PaeVersion::Two => self.begin_grace_group(),
            b'r' => match self.grace_group.take() {
                Some(_) => Ok(()),
                None => Err(syntax(
                    "\"r\" ends a group of grace notes that did not begin",
                )),
            },
            b'+' if self.version == PaeVersion::One => {
                self.tie();
                Ok(())
            }
            b'_' if self.version == PaeVersion::Two => self.tied_note(),
            b'p' if self.version == PaeVersion::Two => Ok(()),
            b'^' => self.begin_chord(),
            b'>' if self.version == PaeVersion::Two && self.chord.is_some() => {
                self.chord = None;
                Ok(())
            }
            b'(' => self.open_group(),
            b')' => self.close_group(None),
            b';' => self.group_number(),
            b'!' => self.figure(),
            b'i' => self.repeat_measure(),
            b'=' => self.measure_rest(),
            b'%' => self.change_clef(),
            b'$' => self.change_key(),
            b'@' => self.change_metre(),
            b'~' => {
                // A coded validity note follows; no more music comes after it.
                self.at = self.data.len();
                Ok(())
            }
            _ => Err(self.unknown()),
        }
    }

    pub(crate) fn peek(&self) -> Option<u8> {
        self.data.get(self.at).copied()
    }

    fn unknown(&self) -> Diagnostic {
        let rest = String::from_utf8_lossy(&self.data[self.at - 1..]);
        let found = rest.chars().next().unwrap_or(char::REPLACEMENT_CHARACTER);
        syntax(format!("{found:?} is no sign of Plaine & Easie"))
    }

    fn octave(&mut self, sign: u8) -> Result<(), Diagnostic> {
        let mut count = 1;
        while self.peek() == Some(sign) {
            self.at += 1;
            count += 1;
        }
        self.octave = match (sign, count) {
            (b'\'', 1..=4) => 3 + count,
            (b',', 1..=3) => 4 - count,
            _ => return Err(syntax("there are four octaves of ' and three of , at most")),
        };
        Ok(())
    }

    pub(crate) fn value(&mut self, digit: u8) -> Result<(), Diagnostic> {
        // Durations by digit, in parts of a quarter note: longa, whole, half, 32nd, quarter, 64th,
        // 16th, 128th, 8th, breve.
        const PARTS: [u32; 10] = [8192, 2048, 1024, 64, 512, 32, 128, 16, 256, 4096];
        let plain = PARTS[usize::from(digit - b'0')];
        let mut parts = plain;
        let mut dots = 0;
        while self.peek() == Some(b'.') {
            self.at += 1;
            dots += 1;
            if dots > 4 {
                return Err(syntax("a value has four dots at most"));
            }
            parts += plain >> dots;
        }
        if dots > 0 && digit == b'7' && self.version == PaeVersion::One {
            return Err(diagnostic!(Neume: "\"7.\" begins neumes"));
        }
        if !self.in_sequence {
            (self.value_count, self.next_value) = (0, 0);
            self.in_sequence = true;
        }
        if self.value_count == MOST_VALUES {
            return Err(syntax(format!(
                "more than {MOST_VALUES} values stand in a row"
            )));
        }
        self.values[self.value_count] = parts;
        self.value_count += 1;
        Ok(())
    }

    /// Returns the next duration of the rhythmic sequence.
    pub(crate) fn next_value(&mut self) -> u32 {
        self.in_sequence = false;
        let parts = self.values[self.next_value];
        self.next_value += 1;
        if self.next_value >= self.value_count {
            self.next_value = 0;
        }
        parts
    }

    fn accidental(&mut self, sign: u8) {
        let twice = sign != b'n' && self.peek() == Some(sign);
        self.at += usize::from(twice);
        self.accidental = Some(match (sign, twice) {
            (b'x', false) => 1,
            (b'x', true) => 2,
            (b'b', false) => -1,
            (b'b', true) => -2,
            _ => 0,
        });
    }

    fn note(&mut self, letter: u8) -> Result<(), Diagnostic> {
        let step = Step::from_letter(char::from(letter)).expect("these are steps");
        let slot = usize::from(self.octave) * 8 + step as usize;
        let tied = self.events.last().filter(|event| event.tied);
        let tied = tied.and_then(|event| event.sound).filter(|sound| {
            sound.spelling.step == step && sound.octave == self.octave && self.chord.is_none()
        });
        let alteration = match (self.accidental.take(), tied) {
            (Some(alteration), _) => {
                self.measure[slot] = alteration;
                alteration
            }
            // A tie extends an accidental over the bar line.
            (None, Some(sound)) => sound.spelling.alteration,
            (None, None) if self.measure[slot] != NO_ACCIDENTAL => self.measure[slot],
            (None, None) => self.key.alteration(step),
        };
        let spelling = Spelling { step, alteration };
        let pitch = Pitch::from_spelling(spelling, i32::from(self.octave));
        let sound = SpelledPitch {
            pitch: pitch.ok_or_else(|| syntax("MIDI has no such pitch"))?,
            spelling,
            octave: self.octave,
        };
        match self.chord {
            None => {}
            Some(ChordNotes::First) => self.chord = Some(ChordNotes::Further),
            Some(ChordNotes::Further) => return self.further_chord_note(sound),
        }
        if self.grace != Grace::None || self.grace_group.is_some() {
            // An acciaccatura has no duration. Other grace notes have one and take part in rhythmic
            // sequences.
            if self.grace != Grace::Acciaccatura {
                self.next_value();
            }
            self.grace = Grace::None;
            self.last_grace = true;
            self.diagnostic_counts.add(DiagnosticCode::GraceNotes);
            return Ok(());
        }
        self.last_grace = false;
        let parts = self.next_value();
        self.push(Some(sound), parts)
    }

    /// Reads a note of a chord after the first.
    fn further_chord_note(&mut self, sound: SpelledPitch) -> Result<(), Diagnostic> {
        if self.version == PaeVersion::One {
            self.chord = None;
        }
        if self.last_grace {
            return Ok(());
        }
        if self.options.chords == ChordPolicy::Skip {
            return Err(diagnostic!(Polyphonic: "there is a chord"));
        }
        self.diagnostic_counts.add(DiagnosticCode::Chords);
        let event = self.events.last_mut().expect("a chord has a first note");
        let first = event
            .sound
            .as_mut()
            .expect("the first note of a chord is no rest");
        if sound.pitch > first.pitch {
            *first = sound;
        }
        Ok(())
    }

    fn rest(&mut self) -> Result<(), Diagnostic> {
        self.accidental = None;
        if self.chord.is_some() {
            return Err(syntax("there is a rest in a chord"));
        }
        let parts = self.next_value();
        if self.grace_group.is_some() {
            return Ok(());
        }
        self.last_grace = false;
        self.push(None, parts)
    }

    pub(crate) fn push(
        &mut self,
        sound: Option<SpelledPitch>,
        parts: u32,
    ) -> Result<(), Diagnostic> {
        self.check_event_limit(1)?;
        self.events.push(NotationEvent {
            sound,
            parts,
            scale: 0,
            tied: false,
        });
        Ok(())
    }

    /// Returns an error if `more` events would exceed the event limit. This check precedes the
    /// allocation of memory. A melody has at most one more rest than notes; the limit leaves some
    /// space for rests that are written in parts.
    pub(crate) fn check_event_limit(&self, more: usize) -> Result<(), Diagnostic> {
        let most = self
            .options
            .max_notes
            .saturating_mul(2)
            .saturating_add(1024);
        if more > most.saturating_sub(self.events.len()) {
            return Err(too_many(self.options.max_notes));
        }
        Ok(())
    }

    fn bar_line(&mut self) {
        while matches!(self.peek(), Some(b'/' | b':')) {
            self.at += 1;
        }
        self.measure = [NO_ACCIDENTAL; 64];
        self.accidental = None;
        self.in_sequence = false;
        if self.events.len() > self.measure_start {
            self.last_measure = (self.measure_start, self.events.len());
            self.measure_start = self.events.len();
        }
    }

    fn finish(mut self, data: &str) -> Result<Notes, Diagnostic> {
        let group = self.groups.last();
        let open = group
            .map(|group| (group.at, "a group in parentheses"))
            .or(self.figure.map(|(at, ..)| (at, "a repeated figure")))
            .or(self.grace_group.map(|at| (at, "a group of grace notes")))
            .or((self.chord.is_some() && self.version == PaeVersion::Two)
                .then_some((self.at, "a chord")));
        if let Some((at, what)) = open {
            let problem = diagnostic!(OpenGroup: "{what} is not closed");
            return Err(at_character(problem, data, at));
        }
        if self.chord.is_some() {
            let problem = syntax("a chord ends without its second note");
            return Err(at_character(problem, data, self.at));
        }
        if self.beams > 0 {
            self.diagnostic_counts.add(DiagnosticCode::OpenBeams);
        }
        let mut builder = MelodyBuilder::new(self.options.max_notes);
        builder.reserve(self.events.len());
        let mut tied: Option<SpelledPitch> = None;
        for event in &self.events {
            let duration = self.duration(event).ok_or_else(out_of_range)?;
            match (event.sound, tied) {
                (Some(sound), Some(before)) if sound.pitch == before.pitch => {
                    builder.extend_last_note(duration)?;
                }
                (sound, before) => {
                    self.diagnostic_counts
                        .add_many(DiagnosticCode::BrokenTies, u32::from(before.is_some()));
                    match sound {
                        Some(sound) => builder.note(sound.pitch, Some(sound.spelling), duration)?,
                        None => builder.rest(duration)?,
                    }
                }
            }
            tied = event.sound.filter(|_| event.tied);
        }
        self.diagnostic_counts
            .add_many(DiagnosticCode::BrokenTies, u32::from(tied.is_some()));
        Ok(Notes {
            melody: builder.finish()?,
            diagnostic_counts: self.diagnostic_counts,
        })
    }
}
