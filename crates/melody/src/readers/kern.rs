//! Reader of Humdrum `**kern` (Huron 1999).
//!
//! A voice is a `**kern` spine with notes, including the spines that split from it. Invalid UTF-8
//! occurs in lyrics, which are not read, so the reader accepts text in any encoding.

use partita_formats::{Diagnostic, DiagnosticCode, diagnostic};

use super::builder::{time_out_of_range, too_many_notes};
use super::pae::signatures::format_key_signature;
use super::voice::{ScoreVoice, Ties, parse_tempo, transcribe_voice};
use super::{
    LocatedProblem, MelodyReadOptions, Transcript, empty_file_diagnostic, syntax_diagnostic,
};
use crate::note::{beats_from_halvings, checked_sum, is_valid_time};
use crate::{Beats, Pitch, Spelling, Step};

/// Returns true if the bytes look like a Humdrum file: the first line that is no comment starts
/// with `**`.
pub(crate) fn is_humdrum(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(b"!!"));
    first.is_some_and(|line| line.starts_with(b"**"))
}

/// Largest number of open spines (columns), so that malformed input cannot exhaust memory.
const MAX_SPINES: usize = 1000;

/// Spine of a Humdrum file: a column of tokens that belong to one voice.
#[derive(Clone, Copy, Debug)]
struct Spine {
    /// Index of the voice in `KernReader::voices`; `None` if the spine does not contain `**kern`.
    voice: Option<usize>,
    /// Time that the next token of the spine has, in quarter notes.
    now: Beats,
}

/// Reads the melody of a Humdrum file.
pub(super) fn read(
    bytes: &[u8],
    options: &MelodyReadOptions,
) -> Result<Transcript, LocatedProblem> {
    if bytes.trim_ascii().is_empty() {
        return Err(empty_file_diagnostic().into());
    }
    let mut reader = KernReader {
        spines: Vec::new(),
        voices: Vec::new(),
        other: None,
        has_begun: false,
        most_notes: options.max_notes_of_all_voices(),
        note_count: 0,
    };
    let lines = bytes.split(|&byte| byte == b'\n');
    for (number, line) in (1..).zip(lines) {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let read = reader.read_line(line);
        read.map_err(|problem| LocatedProblem::on_line(problem, number))?;
    }
    Ok(reader.finish(options)?)
}

/// Reader of a Humdrum file, with its open spines and the voices found so far.
struct KernReader {
    spines: Vec<Spine>,
    voices: Vec<ScoreVoice>,
    /// First exclusive interpretation (content type of a spine) that is not `**kern`, for the error
    /// message.
    other: Option<String>,
    /// True after the line of exclusive interpretations, which starts the data.
    has_begun: bool,
    most_notes: usize,
    note_count: usize,
}

impl KernReader {
    fn read_line(&mut self, line: &[u8]) -> Result<(), Diagnostic> {
        match line.first() {
            None | Some(b'!') => return Ok(()),
            Some(_) if line.trim_ascii().is_empty() => return Ok(()),
            Some(_) => {}
        }
        if line.starts_with(b"**") && self.spines.is_empty() {
            return self.open_first_spines(line);
        }
        if self.spines.is_empty() {
            return Err(syntax_diagnostic("something stands outside of all spines"));
        }
        let found = line.split(|&byte| byte == b'\t').count();
        if found != self.spines.len() {
            let spines = self.spines.len();
            return Err(syntax_diagnostic(format!(
                "{spines} spines are open, and the line has {found}"
            )));
        }
        let tokens = line.split(|&byte| byte == b'\t');
        match line[0] {
            b'*' => self.read_interpretations(tokens),
            b'=' => Ok(()),
            _ => {
                for (at, token) in tokens.enumerate() {
                    self.read_note_token(at, token)?;
                }
                Ok(())
            }
        }
    }

    /// Opens one spine for each exclusive interpretation (content type, such as `**kern`) in the
    /// line.
    fn open_first_spines(&mut self, line: &[u8]) -> Result<(), Diagnostic> {
        for token in line.split(|&byte| byte == b'\t') {
            let voice = (token == b"**kern").then_some(self.voices.len());
            if voice.is_some() {
                self.voices.push(ScoreVoice::default());
            } else {
                self.other
                    .get_or_insert_with(|| String::from_utf8_lossy(token).into_owned());
            }
            self.open_spine(voice, Beats::new_raw(0, 1))?;
        }
        self.has_begun = true;
        Ok(())
    }

    /// Appends a spine to the open spines. Returns an error if there are too many.
    fn open_spine(&mut self, voice: Option<usize>, now: Beats) -> Result<(), Diagnostic> {
        if self.spines.len() == MAX_SPINES {
            return Err(syntax_diagnostic(format!(
                "more than {MAX_SPINES} spines are open"
            )));
        }
        self.spines.push(Spine { voice, now });
        Ok(())
    }

    /// Reads a line of interpretations: splits, joins, ends and exchanges spines, and reads clef,
    /// key, metre and tempo.
    fn read_interpretations<'a>(
        &mut self,
        tokens: impl Iterator<Item = &'a [u8]>,
    ) -> Result<(), Diagnostic> {
        let before = std::mem::take(&mut self.spines);
        // Spine that `*x` exchanges with the next such spine, and the spine that `*v` tokens join.
        let mut exchanged: Option<usize> = None;
        let mut joining: Option<Spine> = None;
        for (&spine, token) in before.iter().zip(tokens) {
            if token != b"*v" {
                self.spines.extend(joining.take());
            }
            let Some(interpretation) = token.strip_prefix(b"*") else {
                return Err(invalid_token(token, "it stands among interpretations"));
            };
            match token {
                b"*-" => {}
                b"*^" => {
                    self.open_spine(spine.voice, spine.now)?;
                    self.open_spine(spine.voice, spine.now)?;
                }
                b"*v" => match &mut joining {
                    Some(joined) if joined.voice == spine.voice => {
                        joined.now = joined.now.max(spine.now);
                    }
                    _ => self.spines.extend(joining.replace(spine)),
                },
                b"*+" => {
                    self.open_spine(spine.voice, spine.now)?;
                    self.open_spine(None, spine.now)?;
                }
                _ => {
                    self.open_spine(spine.voice, spine.now)?;
                    if token == b"*x" {
                        let here = self.spines.len() - 1;
                        match exchanged.take() {
                            Some(there) => self.spines.swap(there, here),
                            None => exchanged = Some(here),
                        }
                    } else if token.starts_with(b"**") {
                        // This exclusive interpretation belongs to a spine that `*+` opened.
                        let voice = (token == b"**kern").then_some(self.voices.len());
                        if voice.is_some() {
                            self.voices.push(ScoreVoice::default());
                        }
                        let here = self.spines.len() - 1;
                        self.spines[here].voice = voice;
                    } else if let Some(voice) = spine.voice {
                        self.voices[voice].read_tandem_interpretation(interpretation);
                    }
                }
            }
        }
        self.spines.extend(joining);
        Ok(())
    }

    /// Reads the note, rest or chord that a token in the spine with index `at` represents.
    fn read_note_token(&mut self, at: usize, token: &[u8]) -> Result<(), Diagnostic> {
        let Some(voice) = self.spines[at].voice else {
            return Ok(());
        };
        let now = self.spines[at].now;
        let mut chord_duration: Option<Beats> = None;
        for part in token.split(|&byte| byte == b' ') {
            if part.is_empty() || part == b"." {
                continue;
            }
            let note = NoteToken::parse(part)?;
            let voice = &mut self.voices[voice];
            let Some(duration) = note.duration else {
                voice.grace_notes += u32::from(note.sound.is_some());
                continue;
            };
            // A chord has the duration of its first note.
            chord_duration.get_or_insert(duration);
            let Some((pitch, spelling)) = note.sound else {
                continue;
            };
            self.note_count += 1;
            if self.note_count > self.most_notes {
                return Err(too_many_notes(self.most_notes));
            }
            voice.add_note((pitch, Some(spelling)), now, duration, note.ties)?;
        }
        if let Some(duration) = chord_duration {
            self.spines[at].now = checked_sum(now, duration).ok_or_else(time_out_of_range)?;
        }
        Ok(())
    }

    fn finish(self, options: &MelodyReadOptions) -> Result<Transcript, Diagnostic> {
        if !self.has_begun {
            return Err(syntax_diagnostic("a file of Humdrum begins with **kern"));
        }
        if self.voices.is_empty() {
            let other = self.other.unwrap_or_default();
            let code = match other.as_str() {
                "**mens" => DiagnosticCode::Mensural,
                _ => DiagnosticCode::Unsupported,
            };
            let message = format!("there is no spine of **kern; the first is {other}");
            return Err(Diagnostic::new(code, message));
        }
        if !self.spines.is_empty() {
            return Err(diagnostic!(Truncated: "the spines are not ended by *-"));
        }
        transcribe_voice(self.voices, "spines", options)
    }
}

impl ScoreVoice {
    /// Reads a tandem interpretation, which states clef, key, metre or tempo.
    fn read_tandem_interpretation(&mut self, token: &[u8]) {
        let Ok(token) = std::str::from_utf8(token) else {
            return;
        };
        let token = token.trim_end();
        if let Some(clef) = token.strip_prefix("clef") {
            let lower = clef.contains('v');
            let mut letters = clef.chars().filter(|sign| !matches!(sign, 'v' | '^'));
            if let (Some(shape @ ('G' | 'C' | 'F')), Some(line @ '1'..='5'), None) =
                (letters.next(), letters.next(), letters.next())
            {
                let shape = if lower && shape == 'G' { 'g' } else { shape };
                self.clef.get_or_insert(format!("{shape}-{line}"));
            }
        } else if let Some(key) = token
            .strip_prefix("k[")
            .and_then(|key| key.strip_suffix(']'))
        {
            if let Some(key) = convert_key_signature(key) {
                self.key.get_or_insert(key);
            }
        } else if let Some(tempo) = token.strip_prefix("MM") {
            self.tempo = self.tempo.or(parse_tempo(tempo));
        } else if let Some(time) = token.strip_prefix('M') {
            let digits =
                |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            if time
                .split_once('/')
                .is_some_and(|(beats, unit)| digits(beats) && digits(unit))
            {
                self.time.get_or_insert(time.to_owned());
            }
        }
    }
}

/// Converts a `**kern` key signature like `f#c#` to Plaine & Easie notation. Returns `None` if it
/// is invalid.
fn convert_key_signature(text: &str) -> Option<String> {
    let mut steps: Vec<Spelling> = Vec::new();
    for sign in text.chars() {
        match (sign, steps.last_mut()) {
            ('#', Some(last)) => last.alteration = 1,
            ('-', Some(last)) => last.alteration = -1,
            ('n', Some(last)) => last.alteration = 0,
            _ => steps.push(Spelling {
                step: Step::from_letter(sign)?,
                alteration: 0,
            }),
        }
        if steps.len() > 14 {
            return None;
        }
    }
    Some(format_key_signature(steps))
}

/// Duration in a `**kern` token: digits, digits after `%` if any, and number of dots.
type DurationDigits<'a> = (&'a [u8], Option<&'a [u8]>, u32);

/// Note or rest that a `**kern` token, or one part of a chord token, represents.
#[derive(Clone, Copy, Debug)]
struct NoteToken {
    /// Duration in quarter notes; `None` for a grace note.
    duration: Option<Beats>,
    /// Pitch and its spelling; `None` for a rest.
    sound: Option<(Pitch, Spelling)>,
    ties: Ties,
}

impl NoteToken {
    fn parse(token: &[u8]) -> Result<Self, Diagnostic> {
        let mut letter: Option<(u8, i32)> = None;
        let mut alteration = 0_i8;
        let mut value: Option<DurationDigits<'_>> = None;
        let (mut rest, mut grace, mut ties) = (false, false, Ties::default());
        let mut at = 0;
        while let Some(&byte) = token.get(at) {
            at += 1;
            let digits = |from: usize| {
                let count = token[from..]
                    .iter()
                    .take_while(|byte| byte.is_ascii_digit())
                    .count();
                &token[from..from + count]
            };
            match byte {
                b'0'..=b'9' => {
                    let number = digits(at - 1);
                    at += number.len() - 1;
                    let mut part = None;
                    if token.get(at) == Some(&b'%') {
                        part = Some(digits(at + 1));
                        at += 1 + digits(at + 1).len();
                    }
                    let dots = token[at..].iter().take_while(|&&byte| byte == b'.').count();
                    at += dots;
                    if value.is_some() {
                        return Err(invalid_token(token, "it has two durations"));
                    }
                    value = Some((number, part, dots as u32));
                }
                b'a'..=b'g' | b'A'..=b'G' => match &mut letter {
                    None => letter = Some((byte, 1)),
                    Some((same, count)) if *same == byte => *count += 1,
                    Some(_) => return Err(invalid_token(token, "it has two pitches")),
                },
                b'#' => alteration = alteration.saturating_add(1),
                b'-' => alteration = alteration.saturating_sub(1),
                b'r' => rest = true,
                b'q' | b'Q' => grace = true,
                b'[' => ties.to_next = true,
                b']' => ties.to_previous = true,
                b'_' => (ties.to_previous, ties.to_next) = (true, true),
                _ => {}
            }
        }
        let duration = match value {
            _ if grace => None,
            Some((number, part, dots)) => Some(
                parse_duration(number, part, dots)
                    .ok_or_else(|| invalid_token(token, "its duration is none"))?,
            ),
            None => return Err(invalid_token(token, "it has no duration")),
        };
        let sound = match letter {
            _ if rest => None,
            None => return Err(invalid_token(token, "it is no note and no rest")),
            Some((letter, count)) => {
                let step =
                    Step::from_letter(char::from(letter)).expect("letters from A to G are steps");
                let spelling = Spelling { step, alteration };
                let octave = if letter.is_ascii_lowercase() {
                    3 + count
                } else {
                    4 - count
                };
                let pitch = Pitch::from_spelling(spelling, octave);
                Some((
                    pitch.ok_or_else(|| invalid_token(token, "MIDI has no such pitch"))?,
                    spelling,
                ))
            }
        };
        Ok(Self {
            duration,
            sound,
            ties,
        })
    }
}

/// Returns a duration in quarter notes, or `None` if it is invalid. In `**kern`, `4` is a quarter
/// note, `0` a breve, and `3%2` two thirds of a whole note.
fn parse_duration(number: &[u8], part: Option<&[u8]>, dots: u32) -> Option<Beats> {
    let value = |digits: &[u8]| -> Option<i64> {
        let text = std::str::from_utf8(digits).ok()?;
        text.parse().ok().filter(|&value: &i64| value <= 1 << 20)
    };
    let plain = match (value(number)?, part) {
        (0, None) if number.len() <= 3 => Beats::from_integer(4 << number.len()),
        (parts, None) if parts > 0 && parts & (parts - 1) == 0 => {
            beats_from_halvings(4, parts.trailing_zeros())
        }
        (parts, part) if parts > 0 => Beats::new(4 * part.map_or(Some(1), value)?, parts),
        _ => return None,
    };
    if dots > 8 {
        return None;
    }
    let dotted = plain * Beats::new((2 << dots) - 1, 1 << dots);
    (is_valid_time(dotted) && *dotted.numer() > 0).then_some(dotted)
}

fn invalid_token(token: &[u8], why: &str) -> Diagnostic {
    let token = String::from_utf8_lossy(&token[..token.len().min(40)]);
    syntax_diagnostic(format!("\"{token}\" is no token of **kern: {why}"))
}
