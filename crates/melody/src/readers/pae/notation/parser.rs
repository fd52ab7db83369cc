//! Parser of the data field of Plaine & Easie, which contains notes and rests.
//!
//! It reads version 1 (2019) and version 2 of the code (plaine-and-easie.info). Ambiguities of
//! version 1 are resolved as in Verovio: an accidental holds in its octave until the bar line, and
//! `q` takes part in rhythmic sequences but `g` does not. A tuplet has the duration that precedes
//! it, except three notes without a duration of their own: they are a triplet of notes of that
//! duration, as many catalogue entries write it.

use partita_formats::{Diagnostic, DiagnosticCode, diagnostic};

use super::measures::{Measure, OpenMeasure};
use super::tuplets::ParenthesisGroup;
use crate::readers::builder::{MelodyBuilder, time_out_of_range, too_many_notes};
use crate::readers::pae::signatures::{DURATION_BITS, KeySignature, Metre, parse_clef};
use crate::readers::pae::{PaeRecord, PaeVersion};
use crate::readers::{ChordPolicy, DiagnosticCounts, MelodyReadOptions, syntax_diagnostic};
use crate::{Beats, Melody, Pitch, Spelling, Step};

/// Note or rest as written in the data field, before ties are joined.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NotationEvent {
    /// Pitch of a note; `None` for a rest.
    pub(crate) sound: Option<SpelledPitch>,
    /// Written duration without tuplets, in units of 1/512 quarter note (see [`DURATION_BITS`]).
    pub(crate) parts: u32,
    /// Number of the tuplet ratio in `NotationParser::tuplet_ratios`, from 1; 0 for a note or rest
    /// outside of tuplets.
    pub(crate) ratio_number: u16,
    /// True if this note is tied to the next one.
    pub(crate) tied: bool,
}

/// Pitch with its spelling and written octave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SpelledPitch {
    pitch: Pitch,
    spelling: Spelling,
    octave: u8,
}

/// Kind of grace note that a sign announces for the next note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GraceKind {
    None,
    Acciaccatura,
    Appoggiatura,
}

/// Melody of an incipit, with counts of what the parser left out or corrected.
pub(crate) struct ParsedNotes {
    pub(crate) melody: Melody,
    pub(crate) diagnostic_counts: DiagnosticCounts,
}

/// Parser of the data field of one incipit, with its state at the current position.
pub(crate) struct NotationParser<'a> {
    pub(crate) data: &'a [u8],
    pub(crate) at: usize,
    pub(crate) version: PaeVersion,
    options: &'a MelodyReadOptions,
    pub(crate) key: KeySignature,
    pub(crate) metre: Metre,
    octave: u8,
    accidental: Option<i8>,
    /// Accidentals since the last bar line, by octave and step; [`NO_ACCIDENTAL`] where there is
    /// none.
    measure_accidentals: [i8; 64],
    /// Current rhythmic sequence: written durations that the following notes and rests take in
    /// turn, in units of 1/512 quarter note (see [`DURATION_BITS`]).
    pub(crate) sequence_durations: [u32; MAX_SEQUENCE_LENGTH],
    /// Number of durations in the rhythmic sequence.
    pub(crate) sequence_length: usize,
    /// Index in the rhythmic sequence of the duration of the next note or rest.
    pub(crate) sequence_position: usize,
    /// True while the digits of a rhythmic sequence are being read: no note has followed them yet.
    pub(crate) is_reading_sequence: bool,
    pub(crate) events: Vec<NotationEvent>,
    /// Indices in `events` of the first event of the previous measure and of the event after its
    /// last one.
    pub(crate) last_measure: (usize, usize),
    /// Index in `events` of the first event of the current measure.
    pub(crate) measure_start: usize,
    /// Measures that a bar line ended.
    pub(crate) measures: Vec<Measure>,
    pub(crate) open_measure: OpenMeasure,
    pub(crate) groups: Vec<ParenthesisGroup>,
    /// Open repeated figure (`!...!`): byte offset, number of events and number of open groups at
    /// its start.
    pub(crate) figure: Option<(usize, usize, usize)>,
    /// Distinct factors by which tuplets multiply written durations.
    pub(crate) tuplet_ratios: Vec<Beats>,
    pub(crate) grace: GraceKind,
    /// Byte offset of the start of the open group of grace notes, if any.
    pub(crate) grace_group: Option<usize>,
    /// Position in the open chord, if any. In version 1 a chord sign adds only the next note to the
    /// chord, in version 2 all notes until `>`.
    pub(crate) chord: Option<ChordNotes>,
    /// True if the last note was a grace note, so that a tie or chord sign after it belongs to it.
    pub(crate) last_was_grace: bool,
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

/// Largest number of durations in a rhythmic sequence.
const MAX_SEQUENCE_LENGTH: usize = 32;

/// Entry of `NotationParser::measure_accidentals` for a step without an accidental.
const NO_ACCIDENTAL: i8 = i8::MIN;

/// Parses the data field of an incipit, with its key signature and metre.
pub(crate) fn parse_notes(
    record: &PaeRecord<'_>,
    options: &MelodyReadOptions,
) -> Result<ParsedNotes, Diagnostic> {
    parse_clef(&record.clef, record.version)?;
    let data = record.data.trim_ascii();
    if data.is_empty() {
        return Err(diagnostic!(EmptyFile: "there is no data"));
    }
    let key = KeySignature::parse(&record.keysig)?;
    let metre = Metre::parse(&record.timesig)?;
    let mut parser = NotationParser {
        data: record.data.as_bytes(),
        at: 0,
        version: record.version,
        options,
        key,
        metre,
        octave: 4,
        accidental: None,
        measure_accidentals: [NO_ACCIDENTAL; 64],
        sequence_durations: [1 << DURATION_BITS; MAX_SEQUENCE_LENGTH],
        sequence_length: 1,
        sequence_position: 0,
        is_reading_sequence: false,
        events: Vec::with_capacity((data.len() / 2).min(64)),
        last_measure: (0, 0),
        measure_start: 0,
        measures: Vec::new(),
        open_measure: OpenMeasure::default(),
        groups: Vec::new(),
        figure: None,
        tuplet_ratios: Vec::new(),
        grace: GraceKind::None,
        grace_group: None,
        chord: None,
        last_was_grace: false,
        beams: 0,
        diagnostic_counts: DiagnosticCounts::default(),
    };
    while let Some(&byte) = parser.data.get(parser.at) {
        let start = parser.at;
        parser.at += 1;
        let parsed = parser.read_sign(byte);
        parsed.map_err(|problem| at_character(problem, &record.data, start))?;
    }
    parser.finish(&record.data)
}

/// Adds the position of a problem, given as a byte offset, to a diagnostic, in its field
/// `character` that counts characters from 1.
fn at_character(problem: Diagnostic, data: &str, byte: usize) -> Diagnostic {
    let before = data.as_bytes()[..byte.min(data.len())].iter();
    let characters = before.filter(|&&byte| byte & 0xc0 != 0x80).count();
    problem.with_field("character", characters + 1)
}

impl NotationParser<'_> {
    /// Reads one sign of Plaine & Easie, given by its first byte, and the signs that belong to it.
    fn read_sign(&mut self, byte: u8) -> Result<(), Diagnostic> {
        match byte {
            b'A'..=b'G' => self.read_note(byte),
            b'\'' | b',' => self.read_octave(byte),
            b'0'..=b'9' => self.read_duration(byte),
            b'x' | b'b' | b'n' => {
                self.read_accidental(byte);
                Ok(())
            }
            b'-' => self.read_rest(),
            b'/' | b':' => {
                self.read_bar_line(byte);
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
            b'g' => self.begin_grace(GraceKind::Acciaccatura),
            b'q' if self.version == PaeVersion::One && self.peek() == Some(b'q') => {
                self.at += 1;
                self.begin_grace_group()
            }
            b'q' => self.begin_grace(GraceKind::Appoggiatura),
            b'y' if self.version == PaeVersion::Two => self.begin_grace_group(),
            b'r' => match self.grace_group.take() {
                Some(_) => Ok(()),
                None => Err(syntax_diagnostic(
                    "\"r\" ends a group of grace notes that did not begin",
                )),
            },
            b'+' if self.version == PaeVersion::One => {
                self.read_tie();
                Ok(())
            }
            b'_' if self.version == PaeVersion::Two => self.read_tied_note(),
            b'p' if self.version == PaeVersion::Two => Ok(()),
            b'^' => self.begin_chord(),
            b'>' if self.version == PaeVersion::Two && self.chord.is_some() => {
                self.chord = None;
                Ok(())
            }
            b'(' => self.open_group(),
            b')' => self.close_group(None),
            b';' => self.read_tuplet_number(),
            b'!' => self.read_repeated_figure(),
            b'i' => self.repeat_measure(),
            b'=' => self.read_measure_rest(),
            b'%' => self.change_clef(),
            b'$' => self.change_key(),
            b'@' => self.change_metre(),
            b'~' => {
                // `~` starts a coded validity note, which is a remark of the cataloguer. No music
                // follows it.
                self.at = self.data.len();
                Ok(())
            }
            _ => Err(self.unknown_sign()),
        }
    }

    /// Returns the next byte without advancing.
    pub(crate) fn peek(&self) -> Option<u8> {
        self.data.get(self.at).copied()
    }

    /// Returns the diagnostic for a character that is no sign of Plaine & Easie.
    fn unknown_sign(&self) -> Diagnostic {
        let rest = String::from_utf8_lossy(&self.data[self.at - 1..]);
        let found = rest.chars().next().unwrap_or(char::REPLACEMENT_CHARACTER);
        syntax_diagnostic(format!("{found:?} is no sign of Plaine & Easie"))
    }

    /// Reads an octave sign: `'` for the octave of middle C and above, `,` for lower octaves.
    fn read_octave(&mut self, sign: u8) -> Result<(), Diagnostic> {
        let mut count = 1;
        while self.peek() == Some(sign) {
            self.at += 1;
            count += 1;
        }
        self.octave = match (sign, count) {
            (b'\'', 1..=4) => 3 + count,
            (b',', 1..=3) => 4 - count,
            _ => {
                return Err(syntax_diagnostic(
                    "there are four octaves of ' and three of , at most",
                ));
            }
        };
        Ok(())
    }

    /// Reads a duration, which is a digit with dots, and appends it to the rhythmic sequence. The
    /// first duration after a note or rest starts a new sequence.
    pub(crate) fn read_duration(&mut self, digit: u8) -> Result<(), Diagnostic> {
        /// Durations of the digits 0 to 9, in units of 1/512 quarter note: longa, whole, half,
        /// 32nd, quarter, 64th, 16th, 128th, 8th, breve.
        const DIGIT_DURATIONS: [u32; 10] = [8192, 2048, 1024, 64, 512, 32, 128, 16, 256, 4096];
        let plain = DIGIT_DURATIONS[usize::from(digit - b'0')];
        let mut parts = plain;
        let mut dots = 0;
        while self.peek() == Some(b'.') {
            self.at += 1;
            dots += 1;
            if dots > 4 {
                return Err(syntax_diagnostic("a value has four dots at most"));
            }
            parts += plain >> dots;
        }
        if dots > 0 && digit == b'7' && self.version == PaeVersion::One {
            return Err(diagnostic!(Neume: "\"7.\" begins neumes"));
        }
        if !self.is_reading_sequence {
            (self.sequence_length, self.sequence_position) = (0, 0);
            self.is_reading_sequence = true;
        }
        if self.sequence_length == MAX_SEQUENCE_LENGTH {
            return Err(syntax_diagnostic(format!(
                "more than {MAX_SEQUENCE_LENGTH} values stand in a row"
            )));
        }
        self.sequence_durations[self.sequence_length] = parts;
        self.sequence_length += 1;
        for group in &mut self.groups {
            group.has_duration_inside = true;
        }
        Ok(())
    }

    /// Returns the duration that the rhythmic sequence gives to the next note or rest, in units of
    /// 1/512 quarter note (see [`DURATION_BITS`]), and moves on in the sequence.
    pub(crate) fn next_duration(&mut self) -> u32 {
        self.is_reading_sequence = false;
        let parts = self.sequence_durations[self.sequence_position];
        self.sequence_position += 1;
        if self.sequence_position >= self.sequence_length {
            self.sequence_position = 0;
        }
        parts
    }

    /// Reads a sharp (`x`) or flat (`b`) sign, single or double, or a natural sign (`n`).
    fn read_accidental(&mut self, sign: u8) {
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

    /// Reads a note, given by its letter from A to G.
    fn read_note(&mut self, letter: u8) -> Result<(), Diagnostic> {
        let step = Step::from_letter(char::from(letter)).expect("letters from A to G are steps");
        let slot = usize::from(self.octave) * 8 + step as usize;
        let tied = self.events.last().filter(|event| event.tied);
        let tied = tied.and_then(|event| event.sound).filter(|sound| {
            sound.spelling.step == step && sound.octave == self.octave && self.chord.is_none()
        });
        let alteration = match (self.accidental.take(), tied) {
            (Some(alteration), _) => {
                self.measure_accidentals[slot] = alteration;
                alteration
            }
            // A tie extends an accidental over the bar line.
            (None, Some(sound)) => sound.spelling.alteration,
            (None, None) if self.measure_accidentals[slot] != NO_ACCIDENTAL => {
                self.measure_accidentals[slot]
            }
            (None, None) => self.key.alteration(step),
        };
        let spelling = Spelling { step, alteration };
        let pitch = Pitch::from_spelling(spelling, i32::from(self.octave));
        let sound = SpelledPitch {
            pitch: pitch.ok_or_else(|| syntax_diagnostic("MIDI has no such pitch"))?,
            spelling,
            octave: self.octave,
        };
        match self.chord {
            None => {}
            Some(ChordNotes::First) => self.chord = Some(ChordNotes::Further),
            Some(ChordNotes::Further) => return self.read_further_chord_note(sound),
        }
        if self.grace != GraceKind::None || self.grace_group.is_some() {
            // An acciaccatura has no duration. Other grace notes have one and take part in rhythmic
            // sequences.
            if self.grace != GraceKind::Acciaccatura {
                self.next_duration();
            }
            self.grace = GraceKind::None;
            self.last_was_grace = true;
            self.diagnostic_counts.add(DiagnosticCode::GraceNotes);
            return Ok(());
        }
        self.last_was_grace = false;
        let parts = self.next_duration();
        self.push_event(Some(sound), parts)
    }

    /// Reads the second or a later note of a chord.
    fn read_further_chord_note(&mut self, sound: SpelledPitch) -> Result<(), Diagnostic> {
        if self.version == PaeVersion::One {
            self.chord = None;
        }
        if self.last_was_grace {
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
            .expect("the first note of a chord is not a rest");
        if sound.pitch > first.pitch {
            *first = sound;
        }
        Ok(())
    }

    /// Reads a rest.
    fn read_rest(&mut self) -> Result<(), Diagnostic> {
        self.accidental = None;
        if self.chord.is_some() {
            return Err(syntax_diagnostic("there is a rest in a chord"));
        }
        let parts = self.next_duration();
        if self.grace_group.is_some() {
            return Ok(());
        }
        self.last_was_grace = false;
        self.push_event(None, parts)
    }

    /// Appends a note, or a rest if `sound` is `None`, with its written duration.
    pub(crate) fn push_event(
        &mut self,
        sound: Option<SpelledPitch>,
        parts: u32,
    ) -> Result<(), Diagnostic> {
        self.check_event_limit(1)?;
        self.events.push(NotationEvent {
            sound,
            parts,
            ratio_number: 0,
            tied: false,
        });
        Ok(())
    }

    /// Returns an error if `more` further notes and rests would exceed the limit on both, before
    /// memory is allocated for them. A melody has at most one more rest than notes; the limit
    /// leaves some space for rests that are written in several parts.
    pub(crate) fn check_event_limit(&self, more: usize) -> Result<(), Diagnostic> {
        let most = self
            .options
            .max_notes
            .saturating_mul(2)
            .saturating_add(1024);
        if more > most.saturating_sub(self.events.len()) {
            return Err(too_many_notes(self.options.max_notes));
        }
        Ok(())
    }

    /// Reads a bar line, given by its first sign, which cancels accidentals.
    fn read_bar_line(&mut self, sign: u8) {
        let mut is_single = sign == b'/';
        while matches!(self.peek(), Some(b'/' | b':')) {
            self.at += 1;
            is_single = false;
        }
        self.measure_accidentals = [NO_ACCIDENTAL; 64];
        self.accidental = None;
        self.is_reading_sequence = false;
        self.end_measure(is_single);
    }

    /// Checks that nothing is left open, joins tied notes and returns the melody.
    fn finish(mut self, data: &str) -> Result<ParsedNotes, Diagnostic> {
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
            let problem = syntax_diagnostic("a chord ends without its second note");
            return Err(at_character(problem, data, self.at));
        }
        if self.beams > 0 {
            self.diagnostic_counts.add(DiagnosticCode::OpenBeams);
        }
        if !self.fills_measures() {
            self.diagnostic_counts.add(DiagnosticCode::UnevenBars);
        }
        let mut builder = MelodyBuilder::new(self.options.max_notes);
        builder.reserve(self.events.len());
        let mut tied: Option<SpelledPitch> = None;
        for event in &self.events {
            let duration = self.scaled_duration(event).ok_or_else(time_out_of_range)?;
            match (event.sound, tied) {
                (Some(sound), Some(before)) if sound.pitch == before.pitch => {
                    builder.extend_last_note(duration)?;
                }
                (sound, before) => {
                    self.diagnostic_counts
                        .add_many(DiagnosticCode::BrokenTies, u32::from(before.is_some()));
                    match sound {
                        Some(sound) => {
                            builder.add_note(sound.pitch, Some(sound.spelling), duration)?;
                        }
                        None => builder.add_rest(duration)?,
                    }
                }
            }
            tied = event.sound.filter(|_| event.tied);
        }
        self.diagnostic_counts
            .add_many(DiagnosticCode::BrokenTies, u32::from(tied.is_some()));
        Ok(ParsedNotes {
            melody: builder.finish()?,
            diagnostic_counts: self.diagnostic_counts,
        })
    }
}
