//! Reader of MEI (Music Encoding Initiative), common music notation.
//!
//! A voice is a staff with notes. Accidentals come only from `accid` and `accid.ges`: in MEI a key
//! signature does not change the pitch of a note.

use std::collections::HashSet;

use num_traits::CheckedMul;
use partita_formats::{Diagnostic, DiagnosticCode, FormatError};
use roxmltree::Node;

use super::builder::{out_of_range, too_many};
use super::pae::signatures::key_from_fifths;
use super::voice::{ScoreVoice, Ties, transcribe_voice};
use super::xml::{child, line_of, step, with_tree};
use super::{LocatedProblem, MelodyReadOptions, Transcript};
use crate::note::{beats_from_halvings, checked_sum, in_range};
use crate::{Beats, Pitch, Spelling};

/// Limit on nested elements, to bound the recursion.
const MOST_DEPTH: usize = 100;

/// Reads a score. Errors name its file `file`.
///
/// # Errors
/// Returns [`FormatError`] if the score cannot be read.
pub fn read(
    file: &str,
    bytes: &[u8],
    options: &MelodyReadOptions,
) -> Result<Transcript, FormatError> {
    read_bytes(bytes, options).map_err(|problem| problem.in_file(file))
}

fn read_bytes(bytes: &[u8], options: &MelodyReadOptions) -> Result<Transcript, LocatedProblem> {
    with_tree(bytes, |document| {
        let root = document.root_element();
        if root.tag_name().name() != "mei" {
            let name = root.tag_name().name();
            let message = format!("the root is {name}, not mei");
            return Err(Diagnostic::new(DiagnosticCode::Unsupported, message).into());
        }
        let mut scores = root
            .descendants()
            .filter(|node| node.tag_name().name() == "score");
        let Some(score) = scores.next() else {
            return Err(syntax("there is no score").into());
        };
        let mut reader = Reader::new(root, options);
        for node in score.children().filter(Node::is_element) {
            reader.element(node, 0)?;
        }
        let voices = reader.staves.into_iter().map(|staff| staff.voice).collect();
        Ok(transcribe_voice(voices, "staves", options)?)
    })
}

struct Staff {
    number: String,
    voice: ScoreVoice,
    metre: Beats,
    transposed: i32,
}

struct Reader<'a> {
    staves: Vec<Staff>,
    /// Ids of notes at which a tie starts, and of notes at which one ends.
    ties_on: HashSet<&'a str>,
    ties_back: HashSet<&'a str>,
    /// Values defined for the whole score. They apply to staves without values of their own.
    clef: Option<String>,
    key: Option<String>,
    time: Option<String>,
    tempo: Option<f64>,
    metre: Beats,
    now: Beats,
    most: usize,
    count: usize,
}

/// Position in a layer.
#[derive(Clone, Copy)]
struct LayerPosition {
    staff: usize,
    /// Product of the ratios of the enclosing tuplets.
    scale: Beats,
    grace: bool,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn new(root: Node<'a, '_>, options: &MelodyReadOptions) -> Self {
        let mut reader = Self {
            staves: Vec::new(),
            ties_on: HashSet::new(),
            ties_back: HashSet::new(),
            clef: None,
            key: None,
            time: None,
            tempo: None,
            metre: Beats::from_integer(4),
            now: Beats::new_raw(0, 1),
            most: options.max_notes.saturating_mul(16),
            count: 0,
        };
        for tie in root
            .descendants()
            .filter(|node| node.tag_name().name() == "tie")
        {
            let id = |name| tie.attribute(name).map(|id| id.trim_start_matches('#'));
            reader.ties_on.extend(id("startid"));
            reader.ties_back.extend(id("endid"));
        }
        reader
    }

    /// Reads an element of a score or section.
    fn element(&mut self, node: Node<'_, '_>, depth: usize) -> Result<(), LocatedProblem> {
        if depth > MOST_DEPTH {
            let problem = syntax("sections are nested too deeply");
            return Err(LocatedProblem::on_line(problem, line_of(node)));
        }
        match node.tag_name().name() {
            "scoreDef" => {
                self.definition(node, None)?;
                let staves = node
                    .descendants()
                    .filter(|node| node.tag_name().name() == "staffDef");
                for staff in staves {
                    self.staff_definition(staff)?;
                }
                Ok(())
            }
            "staffDef" => Ok(self.staff_definition(node)?),
            "measure" => self.measure(node, "staff"),
            // Score without measures.
            "staff" => self.measure(node.parent().expect("an element has a parent"), "staff"),
            "section" | "ending" | "mdiv" | "score" | "app" | "lem" | "expansion" => {
                let mut children = node.children().filter(Node::is_element);
                if children
                    .clone()
                    .any(|child| child.tag_name().name() == "staff")
                {
                    return self.measure(node, "staff");
                }
                if node.tag_name().name() == "app" {
                    return children
                        .next()
                        .map_or(Ok(()), |child| self.element(child, depth + 1));
                }
                children.try_for_each(|child| self.element(child, depth + 1))
            }
            _ => Ok(()),
        }
    }

    fn staff(&mut self, number: &str) -> Result<usize, Diagnostic> {
        if let Some(at) = self.staves.iter().position(|staff| staff.number == number) {
            return Ok(at);
        }
        if self.staves.len() == 1000 {
            return Err(syntax("there are more than 1000 staves"));
        }
        let mut voice = ScoreVoice::default();
        voice.clef.clone_from(&self.clef);
        voice.key.clone_from(&self.key);
        voice.time.clone_from(&self.time);
        voice.tempo = self.tempo;
        self.staves.push(Staff {
            number: number.to_owned(),
            voice,
            metre: self.metre,
            transposed: 0,
        });
        Ok(self.staves.len() - 1)
    }

    fn staff_definition(&mut self, node: Node<'_, '_>) -> Result<(), Diagnostic> {
        let staff = self.staff(node.attribute("n").unwrap_or("1"))?;
        match node.attribute("notationtype") {
            Some(kind) if kind.starts_with("mensural") => {
                return Err(Diagnostic::new(
                    DiagnosticCode::Mensural,
                    "a staff is in mensural notation",
                ));
            }
            Some("neume") => {
                return Err(Diagnostic::new(
                    DiagnosticCode::Neume,
                    "a staff is in neumes",
                ));
            }
            _ => {}
        }
        if let Some(semitones) = node
            .attribute("trans.semi")
            .and_then(|text| text.parse::<i32>().ok())
        {
            self.staves[staff].transposed = semitones.clamp(-127, 127);
        }
        self.definition(node, Some(staff))
    }

    /// Reads clef, key and metre of one staff or of all staves.
    fn definition(&mut self, node: Node<'_, '_>, staff: Option<usize>) -> Result<(), Diagnostic> {
        let below = |name: &str| child(node, name);
        let clef_node = below("clef");
        let shape = node
            .attribute("clef.shape")
            .or(clef_node.and_then(|clef| clef.attribute("shape")));
        let line = node
            .attribute("clef.line")
            .or(clef_node.and_then(|clef| clef.attribute("line")));
        let lower = node
            .attribute("clef.dis.place")
            .or(clef_node.and_then(|clef| clef.attribute("dis.place")));
        let clef = shape.zip(line).and_then(|(shape, line)| {
            let shape = if shape == "G" && lower == Some("below") {
                "g"
            } else {
                shape
            };
            let known = matches!(shape, "G" | "g" | "C" | "F")
                && matches!(line, "1" | "2" | "3" | "4" | "5");
            known.then(|| format!("{shape}-{line}"))
        });
        let signature = node.attribute("key.sig").or(node.attribute("keysig"));
        let signature = signature.or(below("keySig").and_then(|key| key.attribute("sig")));
        let key = signature.and_then(|text| {
            let count: i32 = text.trim_end_matches(['s', 'f']).parse().ok()?;
            key_from_fifths(if text.ends_with('f') { -count } else { count })
        });
        let metre_node = below("meterSig");
        let attribute = |long: &str, short: &str| {
            node.attribute(long)
                .or(metre_node.and_then(|metre| metre.attribute(short)))
        };
        let time = match attribute("meter.sym", "sym") {
            Some("common") => Some("4/4".to_owned()),
            Some("cut") => Some("2/2".to_owned()),
            _ => attribute("meter.count", "count")
                .zip(attribute("meter.unit", "unit"))
                .map(|(count, unit)| format!("{count}/{unit}")),
        };
        let metre = time.as_deref().and_then(|time| {
            let (count, unit) = time.split_once('/')?;
            let (count, unit): (i64, i64) = (count.parse().ok()?, unit.parse().ok()?);
            let fits = (1..=999).contains(&count) && (1..=1024).contains(&unit);
            fits.then(|| Beats::new(count * 4, unit))
        });
        let tempo = node
            .attribute("midi.bpm")
            .and_then(|text| text.parse().ok());
        let tempo = tempo.filter(|tempo: &f64| tempo.is_finite() && *tempo > 0.0);
        // Definitions of the score apply to all staves without a definition of their own.
        let staves = match staff {
            Some(at) => at..at + 1,
            None => {
                self.clef = clef.clone().or(self.clef.take());
                self.key = key.clone().or(self.key.take());
                self.time = time.clone().or(self.time.take());
                self.tempo = self.tempo.or(tempo);
                self.metre = metre.unwrap_or(self.metre);
                0..self.staves.len()
            }
        };
        for staff in &mut self.staves[staves] {
            let voice = &mut staff.voice;
            let begun = !voice.notes.is_empty();
            for (known, new) in [
                (&mut voice.clef, &clef),
                (&mut voice.key, &key),
                (&mut voice.time, &time),
            ] {
                if !begun && new.is_some() {
                    known.clone_from(new);
                }
            }
            voice.tempo = voice.tempo.or(tempo);
            staff.metre = metre.unwrap_or(staff.metre);
        }
        Ok(())
    }

    /// Reads the staves of a measure, which all start at the same time.
    fn measure(&mut self, measure: Node<'_, '_>, name: &str) -> Result<(), LocatedProblem> {
        let mut end = self.now;
        for node in measure.children().filter(Node::is_element) {
            match node.tag_name().name() {
                "scoreDef" | "staffDef" => self.element(node, 1)?,
                found if found == name => {
                    let staff = self.staff(node.attribute("n").unwrap_or("1"))?;
                    for layer in node
                        .children()
                        .filter(|node| node.tag_name().name() == "layer")
                    {
                        let mut now = self.now;
                        let place = LayerPosition {
                            staff,
                            scale: Beats::new_raw(1, 1),
                            grace: false,
                            depth: 0,
                        };
                        self.children(layer, place, &mut now)?;
                        end = end.max(now);
                    }
                }
                "tempo" => {
                    let tempo = node
                        .attribute("midi.bpm")
                        .and_then(|text| text.parse().ok());
                    let tempo = tempo.filter(|tempo: &f64| tempo.is_finite() && *tempo > 0.0);
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

    fn children(
        &mut self,
        node: Node<'_, '_>,
        place: LayerPosition,
        now: &mut Beats,
    ) -> Result<(), LocatedProblem> {
        if place.depth > MOST_DEPTH {
            let problem = syntax("groups are nested too deeply");
            return Err(LocatedProblem::on_line(problem, line_of(node)));
        }
        let place = LayerPosition {
            depth: place.depth + 1,
            ..place
        };
        for child in node.children().filter(Node::is_element) {
            let read = self.event(child, place, now);
            read.map_err(|problem| problem.or_line(line_of(child)))?;
        }
        Ok(())
    }

    fn event(
        &mut self,
        node: Node<'_, '_>,
        place: LayerPosition,
        now: &mut Beats,
    ) -> Result<(), LocatedProblem> {
        match node.tag_name().name() {
            "note" => {
                if place.grace || node.attribute("grace").is_some() {
                    self.staves[place.staff].voice.graces += 1;
                    return Ok(());
                }
                let duration =
                    duration(node, None)?.ok_or_else(|| syntax("a note has no duration"))?;
                self.note(node, place, *now, duration, Ties::default())?;
                Ok(pass(now, scaled(duration, place.scale)?)?)
            }
            "chord" => {
                let notes = node
                    .children()
                    .filter(|node| node.tag_name().name() == "note");
                if place.grace || node.attribute("grace").is_some() {
                    self.staves[place.staff].voice.graces += 1;
                    return Ok(());
                }
                let mut notes = notes.peekable();
                let first = notes.peek().copied();
                let duration =
                    duration(node, first)?.ok_or_else(|| syntax("a chord has no duration"))?;
                let ties = self.ties(node);
                for note in notes {
                    self.note(note, place, *now, duration, ties)?;
                }
                Ok(pass(now, scaled(duration, place.scale)?)?)
            }
            "rest" | "space" => {
                let duration =
                    duration(node, None)?.ok_or_else(|| syntax("a rest has no duration"))?;
                Ok(pass(now, scaled(duration, place.scale)?)?)
            }
            "mRest" | "mSpace" => Ok(pass(now, self.staves[place.staff].metre)?),
            "multiRest" => {
                let count = node
                    .attribute("num")
                    .map_or(Some(1), |text| text.parse().ok());
                let count = count.filter(|count: &i64| (1..=100_000).contains(count));
                let count = count.ok_or_else(|| syntax("a rest has no number of measures"))?;
                Ok(pass(now, self.staves[place.staff].metre * count)?)
            }
            "tuplet" => {
                let number = |name, other: i64| match node.attribute(name) {
                    None => Some(other),
                    Some(text) => text
                        .parse()
                        .ok()
                        .filter(|number| (1..=1024).contains(number)),
                };
                let num = number("num", 3).ok_or_else(|| syntax("a tuplet has no number"))?;
                let usual = 1 << (63 - (num - 1).max(1).leading_zeros());
                let base =
                    number("numbase", usual).ok_or_else(|| syntax("a tuplet has no number"))?;
                let scale = scaled(place.scale, Beats::new(base, num))?;
                self.children(node, LayerPosition { scale, ..place }, now)
            }
            "graceGrp" => self.children(
                node,
                LayerPosition {
                    grace: true,
                    ..place
                },
                now,
            ),
            "meterSig" | "keySig" | "clef" => Ok(()),
            "app" | "choice" | "subst" => {
                let children = || node.children().filter(Node::is_element);
                let preferred = |node: &Node<'_, '_>| {
                    matches!(node.tag_name().name(), "lem" | "corr" | "reg" | "add")
                };
                let chosen = children().find(preferred).or(children().next());
                chosen.map_or(Ok(()), |chosen| self.children(chosen, place, now))
            }
            "del" | "fermata" | "verse" | "syl" | "barLine" | "dot" | "accid" | "artic" => Ok(()),
            "mRpt" | "mRpt2" | "multiRpt" | "beatRpt" | "halfmRpt" => {
                let message = "signs of repetition are not read";
                Err(Diagnostic::new(DiagnosticCode::Unsupported, message).into())
            }
            _ => self.children(node, place, now),
        }
    }

    fn ties(&self, node: Node<'_, '_>) -> Ties {
        let tie = node.attribute("tie").unwrap_or_default();
        let id = node
            .attribute(("http://www.w3.org/XML/1998/namespace", "id"))
            .unwrap_or_default();
        Ties {
            back: tie.contains(['m', 't']) || self.ties_back.contains(id),
            on: tie.contains(['i', 'm']) || self.ties_on.contains(id),
        }
    }

    fn note(
        &mut self,
        node: Node<'_, '_>,
        place: LayerPosition,
        onset: Beats,
        duration: Beats,
        chord: Ties,
    ) -> Result<(), Diagnostic> {
        self.count += 1;
        if self.count > self.most {
            return Err(too_many(self.most));
        }
        let ties = self.ties(node);
        let ties = Ties {
            back: ties.back || chord.back,
            on: ties.on || chord.on,
        };
        let staff = &mut self.staves[place.staff];
        let sound = pitch(node, staff.transposed).ok_or_else(|| syntax("a note has no pitch"))?;
        let duration = scaled(duration, place.scale)?;
        staff.voice.add_note(sound, onset, duration, ties)
    }
}

pub(crate) fn syntax(message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(DiagnosticCode::Syntax, message)
}

fn pass(now: &mut Beats, duration: Beats) -> Result<(), Diagnostic> {
    if !in_range(duration) {
        return Err(out_of_range());
    }
    *now = checked_sum(*now, duration).ok_or_else(out_of_range)?;
    Ok(())
}

fn scaled(duration: Beats, scale: Beats) -> Result<Beats, Diagnostic> {
    let scaled = duration.checked_mul(&scale).filter(|&time| in_range(time));
    scaled.ok_or_else(out_of_range)
}

/// Returns the duration of a note from its own attributes or those of its chord, or `None` if
/// neither has one.
fn duration(node: Node<'_, '_>, first: Option<Node<'_, '_>>) -> Result<Option<Beats>, Diagnostic> {
    let attribute = |name| node.attribute(name).or_else(|| first?.attribute(name));
    let Some(text) = attribute("dur") else {
        return Ok(None);
    };
    let plain = match text {
        "breve" => Beats::from_integer(8),
        "long" => Beats::from_integer(16),
        "maxima" | "longa" | "brevis" | "semibrevis" | "minima" | "semiminima" | "fusa"
        | "semifusa" => {
            return Err(Diagnostic::new(
                DiagnosticCode::Mensural,
                format!("{text} is a value of mensural notation"),
            ));
        }
        text => {
            let value = text
                .parse()
                .ok()
                .filter(|value: &i64| (1..=2048).contains(value) && value & (value - 1) == 0);
            let value = value.ok_or_else(|| syntax(format!("{text:?} is no duration")))?;
            beats_from_halvings(4, value.trailing_zeros())
        }
    };
    let signs = node
        .children()
        .filter(|node| node.tag_name().name() == "dot")
        .count();
    let dots = attribute("dots").map_or(Some(signs), |text| text.parse().ok());
    let dots = dots
        .filter(|&dots| dots <= 8)
        .ok_or_else(|| syntax("a note has too many dots"))?;
    Ok(Some(plain * Beats::new((2 << dots) - 1, 1 << dots)))
}

fn pitch(node: Node<'_, '_>, transposed: i32) -> Option<(Pitch, Option<Spelling>)> {
    let step = step(node.attribute("pname")?)?;
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
