//! Reader of MusicXML (W3C 2021), plain or compressed as `.mxl`.
//!
//! A voice is a part with notes, in part-wise and time-wise scores. Pitches are sounding pitches:
//! parts of transposing instruments are transposed. Repeats are not expanded.

use std::collections::HashMap;
use std::io::Cursor;

use partita_formats::{Diagnostic, diagnostic};
use roxmltree::Node;

use super::builder::{time_out_of_range, too_many_notes};
use super::pae::signatures::key_from_fifths;
use super::voice::{ScoreVoice, Ties, format_clef, parse_tempo, transcribe_voice};
use super::xml::{child, child_text, children, line_of, parse_decimal, parse_step, with_xml_tree};
use super::{LocatedProblem, MelodyReadOptions, Transcript, syntax_diagnostic};
use crate::archive::{open_zip, read_zip_member};
use crate::note::{checked_sum, is_valid_time};
use crate::{Beats, Pitch, Spelling};

/// Returns true if the bytes start like a zip archive, which may contain a MusicXML score.
pub(crate) fn is_zip_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04")
}

/// Returns true if the bytes start like a compressed MusicXML score (`.mxl`).
pub(crate) fn is_compressed_score(bytes: &[u8]) -> bool {
    // The first member of a compressed score is the container file or a file with the media type.
    let head = &bytes[..bytes.len().min(200)];
    let has = |word: &[u8]| head.windows(word.len()).any(|window| window == word);
    is_zip_archive(bytes)
        && (has(b"META-INF/container.xml") || has(b"application/vnd.recordare.musicxml"))
}

/// Reads the melody of a MusicXML score, plain or compressed.
pub(super) fn read(
    bytes: &[u8],
    options: &MelodyReadOptions,
) -> Result<Transcript, LocatedProblem> {
    let unpacked = is_zip_archive(bytes)
        .then(|| unpack_score(bytes, options))
        .transpose()?;
    with_xml_tree(unpacked.as_deref().unwrap_or(bytes), |document| {
        read_score(document.root_element(), options)
    })
}

/// Unpacks a compressed score (`.mxl`) and returns the file that its `META-INF/container.xml` names
/// as the score, or the first XML file outside `META-INF` if none is named.
pub(crate) fn unpack_score(
    bytes: &[u8],
    options: &MelodyReadOptions,
) -> Result<Vec<u8>, LocatedProblem> {
    let mut archive = open_zip(Cursor::new(bytes))?;
    let most = options.max_size;
    let named = match archive.index_for_name("META-INF/container.xml") {
        Some(number) => {
            let container = read_zip_member(&mut archive, number, most.min(1 << 20))?;
            with_xml_tree(&container, |document| {
                let mut files = document
                    .descendants()
                    .filter(|node| node.has_tag_name("rootfile"));
                let path = files.find_map(|file| file.attribute("full-path"));
                Ok(path.map(str::to_owned))
            })?
        }
        None => None,
    };
    let number = match named {
        Some(name) => archive.index_for_name(&name),
        None => (0..archive.len()).find(|&number| {
            let name = archive
                .name_for_index(number)
                .and_then(Result::ok)
                .unwrap_or_default();
            let music = name.ends_with(".musicxml") || name.ends_with(".xml");
            music && !name.starts_with("META-INF")
        }),
    };
    match number {
        Some(number) => Ok(read_zip_member(&mut archive, number, most)?),
        None => Err(syntax_diagnostic("the archive has no score").into()),
    }
}

fn read_score(
    root: Node<'_, '_>,
    options: &MelodyReadOptions,
) -> Result<Transcript, LocatedProblem> {
    let mut parts: Vec<PartReader> = Vec::new();
    match root.tag_name().name() {
        "score-partwise" => {
            for node in children(root, "part") {
                let mut part = PartReader::new(options);
                for measure in children(node, "measure") {
                    part.read_measure(measure)?;
                }
                parts.push(part);
            }
        }
        // Time-wise scores have parts inside measures. Parts are identified by id, or by position
        // if they have none.
        "score-timewise" => {
            let mut known: HashMap<(Option<&str>, usize), usize> = HashMap::new();
            for measure in children(root, "measure") {
                for (position, node) in children(measure, "part").enumerate() {
                    let id = node.attribute("id");
                    let position = if id.is_some() { 0 } else { position };
                    let number = *known.entry((id, position)).or_insert(parts.len());
                    if number == parts.len() {
                        parts.push(PartReader::new(options));
                    }
                    parts[number].read_measure(node)?;
                }
            }
        }
        "opus" => {
            return Err(diagnostic!(Unsupported: "an opus names other files: import those").into());
        }
        name => {
            let message = format!("the root is {name}, not score-partwise or score-timewise");
            return Err(syntax_diagnostic(message).into());
        }
    }
    let voices = parts.into_iter().map(|part| part.voice).collect();
    Ok(transcribe_voice(voices, "parts", options)?)
}

/// Reader of one part of a score, which is one voice.
struct PartReader {
    voice: ScoreVoice,
    now: Beats,
    /// Onset of the previous note, which the other notes of a chord share.
    last_onset: Beats,
    /// Number of duration units per quarter note (element `divisions`).
    divisions: Beats,
    /// Interval from written to sounding pitches of the part, in semitones.
    transposition: i32,
    most_notes: usize,
}

impl PartReader {
    fn new(options: &MelodyReadOptions) -> Self {
        Self {
            voice: ScoreVoice::default(),
            now: Beats::new_raw(0, 1),
            last_onset: Beats::new_raw(0, 1),
            divisions: Beats::new_raw(1, 1),
            transposition: 0,
            most_notes: options.max_notes_of_all_voices(),
        }
    }

    fn read_measure(&mut self, measure: Node<'_, '_>) -> Result<(), LocatedProblem> {
        let mut end = self.now;
        for node in measure.children().filter(Node::is_element) {
            let result = match node.tag_name().name() {
                "attributes" => self.read_attributes(node),
                "note" => self.read_note(node),
                "backup" => self.parse_duration(node).map(|duration| {
                    self.now = (self.now - duration).max(Beats::new_raw(0, 1));
                }),
                "forward" => self
                    .parse_duration(node)
                    .and_then(|duration| self.advance_time(duration)),
                "direction" | "sound" => {
                    self.read_tempo(node);
                    Ok(())
                }
                _ => Ok(()),
            };
            result.map_err(|problem| LocatedProblem::on_line(problem, line_of(node)))?;
            end = end.max(self.now);
        }
        self.now = end;
        Ok(())
    }

    /// Reads an `attributes` element: divisions, transposition, key, metre and clef.
    fn read_attributes(&mut self, node: Node<'_, '_>) -> Result<(), Diagnostic> {
        if let Some(text) = child_text(node, "divisions") {
            let divisions = parse_decimal(text).filter(|divisions| *divisions.numer() > 0);
            self.divisions = divisions
                .ok_or_else(|| syntax_diagnostic(format!("{text:?} divides no quarter note")))?;
        }
        let number = |node, name| child_text(node, name)?.parse::<i32>().ok();
        if let Some(transpose) = child(node, "transpose") {
            let chromatic = number(transpose, "chromatic").unwrap_or(0).clamp(-127, 127);
            let octaves = number(transpose, "octave-change")
                .unwrap_or(0)
                .clamp(-10, 10);
            self.transposition = chromatic + 12 * octaves;
        }
        let voice = &mut self.voice;
        if let Some(fifths) = child(node, "key").and_then(|key| number(key, "fifths")) {
            voice.key = voice.key.take().or_else(|| key_from_fifths(fifths));
        }
        if let Some(time) = child(node, "time") {
            let both = child_text(time, "beats").zip(child_text(time, "beat-type"));
            let text = both.map(|(beats, unit)| format!("{beats}/{unit}"));
            voice.time = voice.time.take().or(text);
        }
        if let Some(clef) = child(node, "clef") {
            let sign = child_text(clef, "sign").unwrap_or_default();
            let lower = number(clef, "clef-octave-change").is_some_and(|octaves| octaves < 0);
            let usual = match sign {
                "G" => 2,
                "C" => 3,
                _ => 4,
            };
            let line = number(clef, "line").unwrap_or(usual);
            let clef = || format_clef(sign, &line.to_string(), lower);
            voice.clef = voice.clef.take().or_else(clef);
        }
        Ok(())
    }

    /// Reads the tempo of a `direction` or `sound` element. The first tempo of the part is kept.
    fn read_tempo(&mut self, node: Node<'_, '_>) {
        let sound = if node.has_tag_name("sound") {
            Some(node)
        } else {
            child(node, "sound")
        };
        let tempo = sound.and_then(|sound| parse_tempo(sound.attribute("tempo")?));
        self.voice.tempo = self.voice.tempo.or(tempo);
    }

    /// Returns the duration that an element states, in quarter notes.
    fn parse_duration(&self, node: Node<'_, '_>) -> Result<Beats, Diagnostic> {
        let text = child_text(node, "duration")
            .ok_or_else(|| syntax_diagnostic("the duration is missing"))?;
        let units = parse_decimal(text).filter(|units| *units.numer() >= 0);
        let units = units.ok_or_else(|| syntax_diagnostic(format!("{text:?} is no duration")))?;
        let duration = units / self.divisions;
        is_valid_time(duration)
            .then_some(duration)
            .ok_or_else(time_out_of_range)
    }

    /// Advances the current time of the part by a duration.
    fn advance_time(&mut self, duration: Beats) -> Result<(), Diagnostic> {
        self.now = checked_sum(self.now, duration).ok_or_else(time_out_of_range)?;
        Ok(())
    }

    fn read_note(&mut self, node: Node<'_, '_>) -> Result<(), Diagnostic> {
        let has = |name| child(node, name).is_some();
        if has("grace") {
            self.voice.grace_notes += u32::from(has("pitch"));
            return Ok(());
        }
        let duration = self.parse_duration(node)?;
        if !has("chord") {
            self.last_onset = self.now;
            self.advance_time(duration)?;
        }
        // Cue notes are played by other parts, so they count as rests here.
        if has("rest") || has("cue") {
            return Ok(());
        }
        let Some(pitch) = child(node, "pitch") else {
            return Err(diagnostic!(Unsupported: "a note has no pitch"));
        };
        if *duration.numer() == 0 {
            return Err(syntax_diagnostic("a note does not last"));
        }
        if self.voice.notes.len() == self.most_notes {
            return Err(too_many_notes(self.most_notes));
        }
        let mut ties = Ties::default();
        for tie in children(node, "tie") {
            match tie.attribute("type") {
                Some("start") => ties.to_next = true,
                Some("stop") => ties.to_previous = true,
                _ => {}
            }
        }
        let sound = self
            .parse_pitch(pitch)
            .ok_or_else(|| syntax_diagnostic("a pitch is none"))?;
        self.voice.add_note(sound, self.last_onset, duration, ties)
    }

    /// Returns the sounding pitch of a `pitch` element, with its spelling if the transposition
    /// keeps it. Returns `None` if the pitch is invalid.
    fn parse_pitch(&self, node: Node<'_, '_>) -> Option<(Pitch, Option<Spelling>)> {
        let step = parse_step(child_text(node, "step")?)?;
        let octave: i32 = child_text(node, "octave")?.parse().ok()?;
        let alteration: f64 =
            child_text(node, "alter").map_or(Some(0.0), |text| text.parse().ok())?;
        // Quarter tones have no MIDI note number.
        let whole = alteration.fract() == 0.0 && alteration.abs() <= 4.0;
        let alteration = whole.then_some(alteration as i8)?;
        let spelling = Spelling { step, alteration };
        let pitch = Pitch::from_spelling(spelling, octave)?.transposed(self.transposition)?;
        // A transposition by octaves keeps the note names.
        Some((pitch, (self.transposition % 12 == 0).then_some(spelling)))
    }
}
