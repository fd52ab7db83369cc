//! The notes of Plaine & Easie: the field of data.
//!
//! Version 1 (2019) and version 2 of the code (plaine-and-easie.info). Where the first leaves something
//! open it is read as Verovio reads it: an accidental holds for its octave until the bar line, `q` takes
//! part in rhythmic sequences and `g` does not. A tuplet lasts what stands before it.

use num_traits::CheckedMul;

use super::super::line::{Line, out_of_range, too_many};
use super::super::{Chords, Oddities, Oddity, ReadOptions, Reason, Unread};
use super::staff::{HALVINGS, Key, Metre, clef};
use super::{Record, Version};
use crate::note::{in_range, parted};
use crate::{Beats, Melody, Pitch, Spelling, Step};

/// A note or rest as it is written, before ties are joined.
#[derive(Clone, Copy, Debug)]
struct Event {
    /// The pitch; nothing for a rest.
    sound: Option<Sound>,
    /// How long it is written, in parts of a quarter note.
    parts: u32,
    /// Which of the scales of tuplets it is in; 0 is none.
    scale: u16,
    /// Whether a tie leads on.
    tied: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sound {
    pitch: Pitch,
    spelling: Spelling,
    octave: u8,
}

/// A group in parentheses that is open.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// Where it began, in bytes.
    at: usize,
    /// The number of events before it.
    start: usize,
    /// How long it lasts, if that was said, in parts.
    total: Option<u32>,
    /// Whether more than one value stood before it.
    sequence: bool,
}

/// What kind of note follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grace {
    None,
    Acciaccatura,
    Appoggiatura,
}

/// What was read of the data: the notes, and what is odd about them.
pub(super) struct Notes {
    pub(super) melody: Melody,
    pub(super) oddities: Oddities,
}

struct Parser<'a> {
    data: &'a [u8],
    at: usize,
    version: Version,
    options: &'a ReadOptions,
    key: Key,
    metre: Metre,
    octave: u8,
    accidental: Option<i8>,
    /// Accidentals of this measure, by octave and step.
    measure: [i8; 64],
    /// The rhythmic sequence, where in it we are, and whether it may still grow.
    values: [u32; MOST_VALUES],
    value_count: usize,
    next_value: usize,
    fresh: bool,
    events: Vec<Event>,
    /// The measure before this one, and where this one begins, in events.
    last_measure: (usize, usize),
    measure_start: usize,
    groups: Vec<Group>,
    figure: Option<(usize, usize, usize)>,
    scales: Vec<Beats>,
    grace: Grace,
    /// Where a group of grace notes began.
    grace_group: Option<usize>,
    /// In a chord: of version 1 the next note belongs to the last, of version 2 all until `>`.
    chord: Option<ChordNotes>,
    /// Whether the last note was a grace note, so that a tie or chord is one of it.
    last_grace: bool,
    beams: i64,
    oddities: Oddities,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ChordNotes {
    /// The next note is the first.
    First,
    /// The next note is a further one.
    Further,
}

/// Longer sequences of values than this are no rhythm.
const MOST_VALUES: usize = 32;

/// Groups that are nested more deeply, and more kinds of tuplets in one incipit, are no music.
const MOST_GROUPS: usize = 16;
const MOST_SCALES: usize = 1000;

const NO_ACCIDENTAL: i8 = i8::MIN;

/// Reads the data of a record.
pub(super) fn read(record: &Record<'_>, options: &ReadOptions) -> Result<Notes, Unread> {
    clef(&record.clef, record.version)?;
    let data = record.data.trim_ascii();
    if data.is_empty() {
        return Err(Unread::new(Reason::Empty, "there is no data"));
    }
    let key = Key::read(&record.keysig)?;
    let metre = Metre::read(&record.timesig)?;
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
        values: [1 << HALVINGS; MOST_VALUES],
        value_count: 1,
        next_value: 0,
        fresh: false,
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
        oddities: Oddities::default(),
    };
    while let Some(&byte) = parser.data.get(parser.at) {
        let start = parser.at;
        parser.at += 1;
        parser.step(byte).map_err(|unread| match unread.place {
            Some(_) => unread,
            None => unread.at(character(&record.data, start)),
        })?;
    }
    parser.finish(&record.data)
}

/// The place of a byte in words.
fn character(data: &str, byte: usize) -> String {
    let before = data.as_bytes()[..byte.min(data.len())].iter();
    let characters = before.filter(|&&byte| byte & 0xc0 != 0x80).count();
    format!("character {}", characters + 1)
}

impl Parser<'_> {
    fn step(&mut self, byte: u8) -> Result<(), Unread> {
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
                    self.oddities.add(Oddity::OpenBeams);
                }
                Ok(())
            }
            b't' | b' ' | b'\t' => Ok(()),
            b'g' => self.begin_grace(Grace::Acciaccatura),
            b'q' if self.version == Version::One && self.peek() == Some(b'q') => {
                self.at += 1;
                self.begin_grace_group()
            }
            b'q' => self.begin_grace(Grace::Appoggiatura),
            b'y' if self.version == Version::Two => self.begin_grace_group(),
            b'r' => match self.grace_group.take() {
                Some(_) => Ok(()),
                None => Err(syntax("\"r\" ends a group of grace notes that did not begin")),
            },
            b'+' if self.version == Version::One => {
                self.tie();
                Ok(())
            }
            b'_' if self.version == Version::Two => self.tied_note(),
            b'p' if self.version == Version::Two => Ok(()),
            b'^' => self.begin_chord(),
            b'>' if self.version == Version::Two && self.chord.is_some() => {
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
                // A coded validity note: what follows is no music.
                self.at = self.data.len();
                Ok(())
            }
            _ => Err(self.unknown()),
        }
    }

    fn peek(&self) -> Option<u8> {
        self.data.get(self.at).copied()
    }

    fn unknown(&self) -> Unread {
        let rest = String::from_utf8_lossy(&self.data[self.at - 1..]);
        let found = rest.chars().next().unwrap_or(char::REPLACEMENT_CHARACTER);
        syntax(format!("{found:?} is no sign of Plaine & Easie"))
    }

    fn octave(&mut self, sign: u8) -> Result<(), Unread> {
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

    fn value(&mut self, digit: u8) -> Result<(), Unread> {
        // In parts of a quarter: longa, whole, half, 32nd, quarter, 64th, 16th, 128th, 8th, breve.
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
        if dots > 0 && digit == b'7' && self.version == Version::One {
            return Err(Unread::new(Reason::Neume, "\"7.\" begins neumes"));
        }
        if !self.fresh {
            (self.value_count, self.next_value) = (0, 0);
            self.fresh = true;
        }
        if self.value_count == MOST_VALUES {
            return Err(syntax(format!("more than {MOST_VALUES} values stand in a row")));
        }
        self.values[self.value_count] = parts;
        self.value_count += 1;
        Ok(())
    }

    /// How long the next note of the rhythmic sequence is.
    fn next_value(&mut self) -> u32 {
        self.fresh = false;
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

    fn note(&mut self, letter: u8) -> Result<(), Unread> {
        let step = Step::from_letter(char::from(letter)).expect("these are steps");
        let place = usize::from(self.octave) * 8 + step as usize;
        let before = self.events.last().filter(|event| event.tied);
        let before = before.and_then(|event| event.sound);
        let goes_on = before.filter(|sound| {
            sound.spelling.step == step && sound.octave == self.octave && self.chord.is_none()
        });
        let alteration = match (self.accidental.take(), goes_on) {
            (Some(alteration), _) => {
                self.measure[place] = alteration;
                alteration
            }
            // A tie carries an accidental over the bar line.
            (None, Some(sound)) => sound.spelling.alteration,
            (None, None) if self.measure[place] != NO_ACCIDENTAL => self.measure[place],
            (None, None) => self.key.alteration(step),
        };
        let spelling = Spelling { step, alteration };
        let pitch = Pitch::spelled(spelling, i32::from(self.octave));
        let pitch = pitch.ok_or_else(|| syntax("MIDI has no such pitch"))?;
        let octave = self.octave;
        let sound = Sound { pitch, spelling, octave };
        match self.chord {
            None => {}
            Some(ChordNotes::First) => self.chord = Some(ChordNotes::Further),
            Some(ChordNotes::Further) => return self.further_note(sound),
        }
        if self.grace != Grace::None || self.grace_group.is_some() {
            // An acciaccatura has no value; others have, and take part in sequences.
            if self.grace != Grace::Acciaccatura {
                self.next_value();
            }
            self.grace = Grace::None;
            self.last_grace = true;
            self.oddities.add(Oddity::GraceNotes);
            return Ok(());
        }
        self.last_grace = false;
        let parts = self.next_value();
        self.push(Some(sound), parts)
    }

    /// A note of a chord that is not its first.
    fn further_note(&mut self, sound: Sound) -> Result<(), Unread> {
        if self.version == Version::One {
            self.chord = None;
        }
        if self.last_grace {
            return Ok(());
        }
        if self.options.chords == Chords::Skip {
            return Err(Unread::new(Reason::Polyphonic, "there is a chord"));
        }
        self.oddities.add(Oddity::Chords);
        let event = self.events.last_mut().expect("a chord has a first note");
        let first = event.sound.as_mut().expect("the first note of a chord is no rest");
        if sound.pitch > first.pitch {
            *first = sound;
        }
        Ok(())
    }

    fn rest(&mut self) -> Result<(), Unread> {
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

    fn push(&mut self, sound: Option<Sound>, parts: u32) -> Result<(), Unread> {
        self.room_for(1)?;
        self.events.push(Event {
            sound,
            parts,
            scale: 0,
            tied: false,
        });
        Ok(())
    }

    /// Checks before memory is taken that there is room for more events. A melody has no more rests
    /// than notes, and one more; some room is left for rests that are written in pieces.
    fn room_for(&self, more: usize) -> Result<(), Unread> {
        let most = self.options.max_notes.saturating_mul(2).saturating_add(1024);
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
        self.fresh = false;
        if self.events.len() > self.measure_start {
            self.last_measure = (self.measure_start, self.events.len());
            self.measure_start = self.events.len();
        }
    }

    fn begin_grace(&mut self, grace: Grace) -> Result<(), Unread> {
        if self.chord.is_some() {
            return Err(syntax("there is a grace note in a chord"));
        }
        self.grace = grace;
        Ok(())
    }

    fn begin_grace_group(&mut self) -> Result<(), Unread> {
        if self.grace_group.is_some() {
            return Err(syntax("a group of grace notes begins in another"));
        }
        self.grace_group = Some(self.at - 1);
        Ok(())
    }

    fn tie(&mut self) {
        if self.last_grace {
            return;
        }
        match self.events.last_mut() {
            Some(event) if event.sound.is_some() => event.tied = true,
            _ => self.oddities.add(Oddity::BrokenTies),
        }
    }

    /// Version 2: the sign is the tie and the note to which it leads.
    fn tied_note(&mut self) -> Result<(), Unread> {
        let Some(before) = self.events.last().copied().filter(|event| event.sound.is_some()) else {
            return Err(syntax("a tie follows no note"));
        };
        let parts = if self.fresh { self.next_value() } else { before.parts };
        self.events.last_mut().expect("it was there").tied = true;
        self.push(before.sound, parts)
    }

    fn begin_chord(&mut self) -> Result<(), Unread> {
        let first = match self.version {
            Version::One => {
                let note = self.events.last().is_some_and(|event| event.sound.is_some());
                if !note && !self.last_grace {
                    return Err(syntax("a chord follows no note"));
                }
                ChordNotes::Further
            }
            Version::Two => ChordNotes::First,
        };
        if self.chord.is_some() {
            return Err(syntax("a chord begins in another"));
        }
        self.chord = Some(first);
        Ok(())
    }

    fn open_group(&mut self) -> Result<(), Unread> {
        let mut total = self.fresh.then(|| self.values[self.value_count - 1]);
        let mut sequence = self.fresh && self.value_count > 1;
        if self.version == Version::Two {
            // `(4;` says how long the group lasts.
            let rest = &self.data[self.at..];
            if let Some(digit @ b'0'..=b'9') = rest.first() {
                let dots = rest[1..].iter().take_while(|&&byte| byte == b'.').count();
                if rest.get(1 + dots) == Some(&b';') {
                    let (values, count, next) = (self.values, self.value_count, self.next_value);
                    self.fresh = false;
                    self.at += 1;
                    self.value(*digit)?;
                    total = Some(self.values[0]);
                    sequence = false;
                    (self.values, self.value_count, self.next_value) = (values, count, next);
                    self.at += 1;
                }
            }
        }
        self.fresh = false;
        if self.groups.len() == MOST_GROUPS {
            return Err(syntax("groups are nested too deeply"));
        }
        self.groups.push(Group {
            at: self.at - 1,
            start: self.events.len(),
            total,
            sequence,
        });
        Ok(())
    }

    /// `;n)` or, in version 2, `;n:m)`.
    fn group_number(&mut self) -> Result<(), Unread> {
        let number = |parser: &mut Self| -> Result<i64, Unread> {
            let mut number = 0;
            while let Some(digit @ b'0'..=b'9') = parser.peek() {
                parser.at += 1;
                number = number * 10 + i64::from(digit - b'0');
                if number > 1024 {
                    return Err(syntax("a tuplet has a smaller number"));
                }
            }
            if number == 0 {
                return Err(syntax("the number of a tuplet is missing after \";\""));
            }
            Ok(number)
        };
        let notes = number(self)?;
        let mut space = None;
        if self.version == Version::Two && self.peek() == Some(b':') {
            self.at += 1;
            space = Some(number(self)?);
        }
        match self.peek() {
            Some(b')') => {
                self.at += 1;
                // Five take the time of four, as seven do.
                let usual = 1 << (63 - (notes - 1).max(1).leading_zeros());
                self.close_group(Some((notes, space.unwrap_or(usual))))
            }
            None => Err(Unread::new(Reason::OpenGroup, "a tuplet is not closed")),
            Some(_) => Err(syntax("\")\" is missing after the number of a tuplet")),
        }
    }

    fn close_group(&mut self, ratio: Option<(i64, i64)>) -> Result<(), Unread> {
        let Some(group) = self.groups.pop() else {
            return Err(syntax("\")\" ends a group that did not begin"));
        };
        self.fresh = false;
        let written = &self.events[group.start.min(self.events.len())..];
        if written.is_empty() {
            return Ok(());
        }
        if written.len() == 1 && self.version == Version::One {
            // A fermata.
            return Ok(());
        }
        if group.sequence {
            return Err(syntax("several values stand before a tuplet"));
        }
        let factor = match group.total {
            Some(total) => {
                let total = parted(i64::from(total), HALVINGS);
                let mut sum = Beats::new_raw(0, 1);
                for event in written {
                    let duration = self.duration(event).ok_or_else(out_of_range)?;
                    sum = crate::note::sum(sum, duration).ok_or_else(out_of_range)?;
                }
                total / sum
            }
            None => {
                let (notes, space) = ratio.unwrap_or((3, 2));
                Beats::new(space, notes)
            }
        };
        self.scale(group.start, factor)
    }

    /// Scales the events from here on, which may be in tuplets already.
    fn scale(&mut self, start: usize, factor: Beats) -> Result<(), Unread> {
        let mut known: Vec<(u16, u16)> = Vec::new();
        for at in start..self.events.len() {
            let old = self.events[at].scale;
            let new = match known.iter().find(|(from, _)| *from == old) {
                Some((_, to)) => *to,
                None => {
                    let before = match old {
                        0 => Beats::new_raw(1, 1),
                        _ => self.scales[usize::from(old) - 1],
                    };
                    let scale = before.checked_mul(&factor).ok_or_else(out_of_range)?;
                    let new = match self.scales.iter().position(|&known| known == scale) {
                        Some(at) => at + 1,
                        None if self.scales.len() == MOST_SCALES => {
                            return Err(syntax("there are too many kinds of tuplets"));
                        }
                        None => {
                            self.scales.push(scale);
                            self.scales.len()
                        }
                    };
                    let new = u16::try_from(new).expect("there are not so many scales");
                    known.push((old, new));
                    new
                }
            };
            self.events[at].scale = new;
        }
        Ok(())
    }

    /// How long a note or rest lasts.
    fn duration(&self, event: &Event) -> Option<Beats> {
        let written = parted(i64::from(event.parts), HALVINGS);
        let duration = match event.scale {
            0 => written,
            scale => written.checked_mul(&self.scales[usize::from(scale) - 1])?,
        };
        in_range(duration).then_some(duration)
    }

    /// `!..!ff`: the events in between, as often again.
    fn figure(&mut self) -> Result<(), Unread> {
        let Some((_, start, groups)) = self.figure.take() else {
            self.figure = Some((self.at - 1, self.events.len(), self.groups.len()));
            return Ok(());
        };
        if groups != self.groups.len() || start > self.events.len() {
            return Err(syntax("a repeated figure holds half a tuplet"));
        }
        let end = self.events.len();
        let mut times = 0;
        while self.peek() == Some(b'f') {
            self.at += 1;
            times += 1;
        }
        self.fresh = false;
        self.room_for((end - start).saturating_mul(times))?;
        for _ in 0..times {
            self.events.extend_from_within(start..end);
        }
        Ok(())
    }

    fn repeat_measure(&mut self) -> Result<(), Unread> {
        let (start, end) = self.last_measure;
        if self.events.len() > self.measure_start || !self.groups.is_empty() || start == end {
            return Err(syntax("\"i\" repeats a measure, and stands alone after one"));
        }
        self.room_for(end - start)?;
        self.events.extend_from_within(start..end);
        Ok(())
    }

    fn measure_rest(&mut self) -> Result<(), Unread> {
        let mut measures = 0_u64;
        let mut digits = 0;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            self.at += 1;
            digits += 1;
            measures = (measures * 10 + u64::from(digit - b'0')).min(1 << 32);
        }
        if digits == 0 {
            measures = 1;
        }
        if self.metre.unclear {
            self.oddities.add(Oddity::UnclearMetre);
        }
        let parts = u32::try_from(self.metre.parts * measures).map_err(|_| out_of_range())?;
        self.fresh = false;
        if parts == 0 {
            return Ok(());
        }
        self.push(None, parts)
    }

    /// What follows `%`, `$` or `@`, up to a space or the next of them.
    fn change(&mut self) -> &str {
        let rest = &self.data[self.at..];
        let end = rest.iter().position(|byte| matches!(byte, b' ' | b'%' | b'$' | b'@'));
        let end = end.unwrap_or(rest.len());
        self.at += end;
        std::str::from_utf8(&rest[..end]).unwrap_or("?")
    }

    fn change_clef(&mut self) -> Result<(), Unread> {
        let version = self.version;
        match clef(self.change(), version)? {
            Some(_) => Ok(()),
            None => Err(Unread::new(Reason::UnknownClef, "\"%\" is followed by no clef")),
        }
    }

    fn change_key(&mut self) -> Result<(), Unread> {
        self.key = Key::read(self.change())?;
        Ok(())
    }

    fn change_metre(&mut self) -> Result<(), Unread> {
        self.metre = Metre::read(self.change())?;
        Ok(())
    }

    fn finish(mut self, data: &str) -> Result<Notes, Unread> {
        let open = self.groups.last().map(|group| (group.at, "a group in parentheses"));
        let open = open.or(self.figure.map(|(at, ..)| (at, "a repeated figure")));
        let open = open.or(self.grace_group.map(|at| (at, "a group of grace notes")));
        let chord = (self.chord.is_some() && self.version == Version::Two).then_some((self.at, "a chord"));
        if let Some((at, what)) = open.or(chord) {
            let message = format!("{what} is not closed");
            return Err(Unread::new(Reason::OpenGroup, message).at(character(data, at)));
        }
        if self.chord.is_some() {
            return Err(syntax("a chord ends without its second note").at(character(data, self.at)));
        }
        if self.beams > 0 {
            self.oddities.add(Oddity::OpenBeams);
        }
        let mut line = Line::new(self.options.max_notes);
        line.reserve(self.events.len());
        let mut tied: Option<Sound> = None;
        for event in &self.events {
            let duration = self.duration(event).ok_or_else(out_of_range)?;
            match (event.sound, tied) {
                (Some(sound), Some(before)) if sound.pitch == before.pitch => line.lengthen(duration)?,
                (sound, before) => {
                    self.oddities.add_many(Oddity::BrokenTies, u32::from(before.is_some()));
                    match sound {
                        Some(sound) => line.note(sound.pitch, Some(sound.spelling), duration)?,
                        None => line.rest(duration)?,
                    }
                }
            }
            tied = event.sound.filter(|_| event.tied);
        }
        self.oddities.add_many(Oddity::BrokenTies, u32::from(tied.is_some()));
        Ok(Notes {
            melody: line.finish()?,
            oddities: self.oddities,
        })
    }
}

fn syntax(message: impl Into<String>) -> Unread {
    Unread::new(Reason::Syntax, message)
}
