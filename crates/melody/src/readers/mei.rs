//! Reader of MEI (Music Encoding Initiative), common music notation.
//!
//! A voice is a staff with notes. Accidentals come only from `accid` and `accid.ges`: in MEI a key
//! signature does not change the pitch of a note.

use std::collections::HashSet;

use num_traits::CheckedMul;
use partita_formats::{Diagnostic, diagnostic};
use roxmltree::Node;

use super::builder::{time_out_of_range, too_many_notes};
use super::pae::signatures::key_from_fifths;
use super::voice::{ScoreVoice, Ties, format_clef, parse_tempo, transcribe_voice};
use super::xml::{child, children, line_of, parse_step, with_xml_tree};
use super::{LocatedProblem, MelodyReadOptions, Transcript, syntax_diagnostic};
use crate::note::{beats_from_halvings, checked_sum, is_valid_time};
use crate::{Beats, Pitch, Spelling};

/// Largest depth of nested elements, to bound the recursion.
const MAX_NESTING: usize = 100;

/// Reads the melody of an MEI score.
pub(super) fn read(
    bytes: &[u8],
    options: &MelodyReadOptions,
) -> Result<Transcript, LocatedProblem> {
    with_xml_tree(bytes, |document| {
        let root = document.root_element();
        if root.tag_name().name() != "mei" {
            let name = root.tag_name().name();
            return Err(diagnostic!(Unsupported: "the root is {name}, not mei").into());
        }
        let Some(score) = root.descendants().find(|node| node.has_tag_name("score")) else {
            return Err(syntax_diagnostic("there is no score").into());
        };
        let mut reader = MeiReader::new(root, options);
        for node in score.children().filter(Node::is_element) {
            reader.read_element(node, 0)?;
        }
        let voices = reader.staves.into_iter().map(|staff| staff.voice).collect();
        Ok(transcribe_voice(voices, "staves", options)?)
    })
}

/// Staff of a score, with its voice.
struct Staff {
    number: String,
    voice: ScoreVoice,
    /// Length of a measure on this staff, in quarter notes.
    measure: Beats,
    /// Interval from written to sounding pitches of this staff, in semitones.
    transposition: i32,
}

/// Reader of an MEI score, with the staves found so far.
struct MeiReader<'a> {
    staves: Vec<Staff>,
    /// Ids of the notes at which a `tie` element starts.
    tie_starts: HashSet<&'a str>,
    /// Ids of the notes at which a `tie` element ends.
    tie_ends: HashSet<&'a str>,
    /// Clef that the score defines for all staves without a clef of their own. Key, metre and tempo
    /// below are defined likewise.
    clef: Option<String>,
    key: Option<String>,
    time: Option<String>,
    tempo: Option<f64>,
    /// Length of a measure on staves without a metre of their own, in quarter notes.
    measure: Beats,
    now: Beats,
    most_notes: usize,
    note_count: usize,
}

/// Context of the notes and rests that are being read: their staff and enclosing groups.
#[derive(Clone, Copy)]
struct LayerPosition {
    staff: usize,
    /// Factor for written durations: product of the ratios of the enclosing tuplets.
    scale: Beats,
    /// True inside a group of grace notes.
    in_grace_group: bool,
    depth: usize,
}

impl<'a> MeiReader<'a> {
    fn new(root: Node<'a, '_>, options: &MelodyReadOptions) -> Self {
        let mut reader = Self {
            staves: Vec::new(),
            tie_starts: HashSet::new(),
            tie_ends: HashSet::new(),
            clef: None,
            key: None,
            time: None,
            tempo: None,
            measure: Beats::from_integer(4),
            now: Beats::new_raw(0, 1),
            most_notes: options.max_notes_of_all_voices(),
            note_count: 0,
        };
        for tie in root.descendants().filter(|node| node.has_tag_name("tie")) {
            let id = |name| tie.attribute(name).map(|id| id.trim_start_matches('#'));
            reader.tie_starts.extend(id("startid"));
            reader.tie_ends.extend(id("endid"));
        }
        reader
    }

    /// Reads a `score`, `section`, `measure` or definition element and its children.
    fn read_element(&mut self, node: Node<'_, '_>, depth: usize) -> Result<(), LocatedProblem> {
        if depth > MAX_NESTING {
            let problem = syntax_diagnostic("sections are nested too deeply");
            return Err(LocatedProblem::on_line(problem, line_of(node)));
        }
        match node.tag_name().name() {
            "scoreDef" => {
                self.read_definition(node, None);
                for staff in node
                    .descendants()
                    .filter(|node| node.has_tag_name("staffDef"))
                {
                    self.read_staff_definition(staff)?;
                }
                Ok(())
            }
            "staffDef" => Ok(self.read_staff_definition(node)?),
            "measure" => self.read_measure(node),
            // In a score without measures, the parent element of the staff is read as a measure.
            "staff" => self.read_measure(node.parent().expect("a `staff` element has a parent")),
            "section" | "ending" | "mdiv" | "score" | "app" | "lem" | "expansion" => {
                if child(node, "staff").is_some() {
                    return self.read_measure(node);
                }
                // Of several readings in the sources (`app`), the first is read.
                let most = if node.has_tag_name("app") {
                    1
                } else {
                    usize::MAX
                };
                let mut elements = node.children().filter(Node::is_element).take(most);
                elements.try_for_each(|element| self.read_element(element, depth + 1))
            }
            _ => Ok(()),
        }
    }

    /// Returns the index of the staff with this number in `staves`. The staff is created if it is
    /// new.
    fn staff_index(&mut self, number: &str) -> Result<usize, Diagnostic> {
        if let Some(at) = self.staves.iter().position(|staff| staff.number == number) {
            return Ok(at);
        }
        if self.staves.len() == 1000 {
            return Err(syntax_diagnostic("there are more than 1000 staves"));
        }
        let mut voice = ScoreVoice::default();
        voice.clef.clone_from(&self.clef);
        voice.key.clone_from(&self.key);
        voice.time.clone_from(&self.time);
        voice.tempo = self.tempo;
        self.staves.push(Staff {
            number: number.to_owned(),
            voice,
            measure: self.measure,
            transposition: 0,
        });
        Ok(self.staves.len() - 1)
    }

    /// Reads a `staffDef` element: notation type, transposition, clef, key and metre of a staff.
    fn read_staff_definition(&mut self, node: Node<'_, '_>) -> Result<(), Diagnostic> {
        let staff = self.staff_index(node.attribute("n").unwrap_or("1"))?;
        match node.attribute("notationtype") {
            Some(kind) if kind.starts_with("mensural") => {
                return Err(diagnostic!(Mensural: "a staff is in mensural notation"));
            }
            Some("neume") => {
                return Err(diagnostic!(Neume: "a staff is in neumes"));
            }
            _ => {}
        }
        if let Some(semitones) = node
            .attribute("trans.semi")
            .and_then(|text| text.parse::<i32>().ok())
        {
            self.staves[staff].transposition = semitones.clamp(-127, 127);
        }
        self.read_definition(node, Some(staff));
        Ok(())
    }

    /// Reads clef, key, metre and tempo of one staff, or of all staves if `staff` is `None`.
    fn read_definition(&mut self, node: Node<'_, '_>, staff: Option<usize>) {
        // A value is an attribute of the definition or of a child element.
        let value = |name: &str, element: &str, attribute: &str| {
            node.attribute(name)
                .or_else(|| child(node, element)?.attribute(attribute))
        };
        let octave_lower = value("clef.dis.place", "clef", "dis.place") == Some("below");
        let clef = value("clef.shape", "clef", "shape")
            .zip(value("clef.line", "clef", "line"))
            .and_then(|(shape, line)| format_clef(shape, line, octave_lower));
        let signature = node
            .attribute("key.sig")
            .or_else(|| value("keysig", "keySig", "sig"));
        let key = signature.and_then(|text| {
            let count: i32 = text.trim_end_matches(['s', 'f']).parse().ok()?;
            key_from_fifths(if text.ends_with('f') { -count } else { count })
        });
        let time = match value("meter.sym", "meterSig", "sym") {
            Some("common") => Some("4/4".to_owned()),
            Some("cut") => Some("2/2".to_owned()),
            _ => value("meter.count", "meterSig", "count")
                .zip(value("meter.unit", "meterSig", "unit"))
                .map(|(count, unit)| format!("{count}/{unit}")),
        };
        let measure = time.as_deref().and_then(|time| {
            let (count, unit) = time.split_once('/')?;
            let (count, unit): (i64, i64) = (count.parse().ok()?, unit.parse().ok()?);
            let fits = (1..=999).contains(&count) && (1..=1024).contains(&unit);
            fits.then(|| Beats::new(count * 4, unit))
        });
        let tempo = node.attribute("midi.bpm").and_then(parse_tempo);
        // Definitions of the score apply to all staves without a definition of their own.
        let staves = match staff {
            Some(at) => at..at + 1,
            None => {
                self.clef = clef.clone().or(self.clef.take());
                self.key = key.clone().or(self.key.take());
                self.time = time.clone().or(self.time.take());
                self.tempo = self.tempo.or(tempo);
                self.measure = measure.unwrap_or(self.measure);
                0..self.staves.len()
            }
        };
        for staff in &mut self.staves[staves] {
            let voice = &mut staff.voice;
            for (known, new) in [
                (&mut voice.clef, &clef),
                (&mut voice.key, &key),
                (&mut voice.time, &time),
            ] {
                if voice.notes.is_empty() && new.is_some() {
                    known.clone_from(new);
                }
            }
            voice.tempo = voice.tempo.or(tempo);
            staff.measure = measure.unwrap_or(staff.measure);
        }
    }

    /// Reads a `measure` element. All its staves start at the same time.
    fn read_measure(&mut self, measure: Node<'_, '_>) -> Result<(), LocatedProblem> {
        let mut end = self.now;
        for node in measure.children().filter(Node::is_element) {
            match node.tag_name().name() {
                "scoreDef" | "staffDef" => self.read_element(node, 1)?,
                "staff" => {
                    let position = LayerPosition {
                        staff: self.staff_index(node.attribute("n").unwrap_or("1"))?,
                        scale: Beats::new_raw(1, 1),
                        in_grace_group: false,
                        depth: 0,
                    };
                    for layer in children(node, "layer") {
                        let mut now = self.now;
                        self.read_events(layer, position, &mut now)?;
                        end = end.max(now);
                    }
                }
                "tempo" => {
                    let tempo = node.attribute("midi.bpm").and_then(parse_tempo);
                    self.tempo = self.tempo.or(tempo);
                    for staff in &mut self.staves {
                        staff.voice.tempo = staff.voice.tempo.or(tempo);
                    }
                }
                _ => {}
            }
        }
        self.now = end;
        Ok(())
    }

    /// Reads the notes, rests and groups inside a layer or group element.
    fn read_events(
        &mut self,
        node: Node<'_, '_>,
        position: LayerPosition,
        now: &mut Beats,
    ) -> Result<(), LocatedProblem> {
        if position.depth > MAX_NESTING {
            let problem = syntax_diagnostic("groups are nested too deeply");
            return Err(LocatedProblem::on_line(problem, line_of(node)));
        }
        let position = LayerPosition {
            depth: position.depth + 1,
            ..position
        };
        for child in node.children().filter(Node::is_element) {
            let read = self.read_event(child, position, now);
            read.map_err(|problem| problem.or_line(line_of(child)))?;
        }
        Ok(())
    }

    /// Reads one note, chord, rest or group, and advances `now` by its duration.
    fn read_event(
        &mut self,
        node: Node<'_, '_>,
        position: LayerPosition,
        now: &mut Beats,
    ) -> Result<(), LocatedProblem> {
        let missing = |name: &str| syntax_diagnostic(format!("a {name} has no duration"));
        match node.tag_name().name() {
            name @ ("note" | "chord") => {
                if position.in_grace_group || node.attribute("grace").is_some() {
                    self.staves[position.staff].voice.grace_notes += 1;
                    return Ok(());
                }
                let notes: Vec<Node<'_, '_>> = match name {
                    "note" => vec![node],
                    _ => children(node, "note").collect(),
                };
                let duration =
                    parse_duration(node, notes.first().copied())?.ok_or_else(|| missing(name))?;
                let ties = self.ties_of_note(node);
                for note in notes {
                    self.add_note(note, position, *now, duration, ties)?;
                }
                Ok(advance_time(
                    now,
                    scale_duration(duration, position.scale)?,
                )?)
            }
            "rest" | "space" => {
                let duration = parse_duration(node, None)?.ok_or_else(|| missing("rest"))?;
                Ok(advance_time(
                    now,
                    scale_duration(duration, position.scale)?,
                )?)
            }
            "mRest" | "mSpace" => Ok(advance_time(now, self.staves[position.staff].measure)?),
            "multiRest" => {
                let count = node
                    .attribute("num")
                    .map_or(Some(1), |text| text.parse().ok());
                let count = count.filter(|count: &i64| (1..=100_000).contains(count));
                let count =
                    count.ok_or_else(|| syntax_diagnostic("a rest has no number of measures"))?;
                Ok(advance_time(
                    now,
                    self.staves[position.staff].measure * count,
                )?)
            }
            "tuplet" => {
                let number = |name, other: i64| match node.attribute(name) {
                    None => Some(other),
                    Some(text) => text
                        .parse()
                        .ok()
                        .filter(|number| (1..=1024).contains(number)),
                };
                let num =
                    number("num", 3).ok_or_else(|| syntax_diagnostic("a tuplet has no number"))?;
                let usual = 1 << (63 - (num - 1).max(1).leading_zeros());
                let base = number("numbase", usual)
                    .ok_or_else(|| syntax_diagnostic("a tuplet has no number"))?;
                let scale = scale_duration(position.scale, Beats::new(base, num))?;
                self.read_events(node, LayerPosition { scale, ..position }, now)
            }
            "graceGrp" => {
                let in_grace_group = true;
                let position = LayerPosition {
                    in_grace_group,
                    ..position
                };
                self.read_events(node, position, now)
            }
            "app" | "choice" | "subst" => {
                let children = || node.children().filter(Node::is_element);
                let preferred = |node: &Node<'_, '_>| {
                    matches!(node.tag_name().name(), "lem" | "corr" | "reg" | "add")
                };
                let chosen = children().find(preferred).or(children().next());
                chosen.map_or(Ok(()), |chosen| self.read_events(chosen, position, now))
            }
            "meterSig" | "keySig" | "clef" | "del" | "fermata" | "verse" | "syl" | "barLine"
            | "dot" | "accid" | "artic" => Ok(()),
            "mRpt" | "mRpt2" | "multiRpt" | "beatRpt" | "halfmRpt" => {
                Err(diagnostic!(Unsupported: "signs of repetition are not read").into())
            }
            _ => self.read_events(node, position, now),
        }
    }

    /// Returns the ties of a note or chord, from its `tie` attribute and from `tie` elements.
    fn ties_of_note(&self, node: Node<'_, '_>) -> Ties {
        let tie = node.attribute("tie").unwrap_or_default();
        let id = node
            .attribute(("http://www.w3.org/XML/1998/namespace", "id"))
            .unwrap_or_default();
        Ties {
            to_previous: tie.contains(['m', 't']) || self.tie_ends.contains(id),
            to_next: tie.contains(['i', 'm']) || self.tie_starts.contains(id),
        }
    }

    /// Adds a note to the voice of its staff.
    fn add_note(
        &mut self,
        node: Node<'_, '_>,
        position: LayerPosition,
        onset: Beats,
        duration: Beats,
        chord_ties: Ties,
    ) -> Result<(), Diagnostic> {
        self.note_count += 1;
        if self.note_count > self.most_notes {
            return Err(too_many_notes(self.most_notes));
        }
        let own_ties = self.ties_of_note(node);
        let ties = Ties {
            to_previous: own_ties.to_previous || chord_ties.to_previous,
            to_next: own_ties.to_next || chord_ties.to_next,
        };
        let staff = &mut self.staves[position.staff];
        let sound = parse_pitch(node, staff.transposition)
            .ok_or_else(|| syntax_diagnostic("a note has no pitch"))?;
        let duration = scale_duration(duration, position.scale)?;
        staff.voice.add_note(sound, onset, duration, ties)
    }
}

/// Advances `now` by a duration. Returns an error if the time becomes invalid.
fn advance_time(now: &mut Beats, duration: Beats) -> Result<(), Diagnostic> {
    if !is_valid_time(duration) {
        return Err(time_out_of_range());
    }
    *now = checked_sum(*now, duration).ok_or_else(time_out_of_range)?;
    Ok(())
}

/// Multiplies a written duration by the ratio of its tuplets.
fn scale_duration(duration: Beats, scale: Beats) -> Result<Beats, Diagnostic> {
    let scaled = duration
        .checked_mul(&scale)
        .filter(|&time| is_valid_time(time));
    scaled.ok_or_else(time_out_of_range)
}

/// Returns the written duration of a note, chord or rest in quarter notes, or `None` if it has
/// none. A chord without a duration has that of its first note.
fn parse_duration(
    node: Node<'_, '_>,
    first: Option<Node<'_, '_>>,
) -> Result<Option<Beats>, Diagnostic> {
    let attribute = |name| node.attribute(name).or_else(|| first?.attribute(name));
    let Some(text) = attribute("dur") else {
        return Ok(None);
    };
    let plain = match text {
        "breve" => Beats::from_integer(8),
        "long" => Beats::from_integer(16),
        "maxima" | "longa" | "brevis" | "semibrevis" | "minima" | "semiminima" | "fusa"
        | "semifusa" => {
            return Err(diagnostic!(Mensural: "{text} is a value of mensural notation"));
        }
        text => {
            let value = text
                .parse()
                .ok()
                .filter(|value: &i64| (1..=2048).contains(value) && value & (value - 1) == 0);
            let value =
                value.ok_or_else(|| syntax_diagnostic(format!("{text:?} is no duration")))?;
            beats_from_halvings(4, value.trailing_zeros())
        }
    };
    let dots = match attribute("dots") {
        Some(text) => text.parse().ok(),
        None => Some(children(node, "dot").count()),
    };
    let dots = dots
        .filter(|&dots| dots <= 8)
        .ok_or_else(|| syntax_diagnostic("a note has too many dots"))?;
    Ok(Some(plain * Beats::new((2 << dots) - 1, 1 << dots)))
}

/// Returns the sounding pitch of a note, transposed by `transposed` semitones, with its spelling if
/// the transposition keeps it. Returns `None` if the note has no valid pitch.
fn parse_pitch(node: Node<'_, '_>, transposed: i32) -> Option<(Pitch, Option<Spelling>)> {
    let step = parse_step(node.attribute("pname")?)?;
    let octave: i32 = node
        .attribute("oct.ges")
        .or(node.attribute("oct"))?
        .parse()
        .ok()?;
    let sign = child(node, "accid");
    let attribute = |name: &str| {
        node.attribute(name)
            .or(sign.and_then(|sign| sign.attribute(name)))
    };
    let alteration = match attribute("accid.ges").or(attribute("accid")).unwrap_or("n") {
        "n" => 0,
        "s" | "ns" => 1,
        "f" | "nf" => -1,
        "ss" | "x" => 2,
        "ff" => -2,
        "xs" | "sx" | "ts" => 3,
        "tf" => -3,
        _ => return None,
    };
    let spelling = Spelling { step, alteration };
    let pitch = Pitch::from_spelling(spelling, octave)?.transposed(transposed)?;
    Some((pitch, (transposed % 12 == 0).then_some(spelling)))
}
