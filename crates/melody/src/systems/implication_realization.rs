//! GAM: edit distance between sequences of implication-realization structures, a segmentation of
//! melodies by Narmour.
//!
//! ```
//! use partita_melody::systems;
//! # use partita_melody::{Beats, Melody, Note, Pitch};
//! # let melody = |pitches: &[u8]| {
//! #     let note = |(&pitch, beat)| {
//! #         let pitch = Pitch::new(pitch).expect("a key of a piano");
//! #         Note::new(pitch, Beats::from_integer(beat), Beats::from_integer(1))
//! #     };
//! #     Melody::new(pitches.iter().zip(0..).map(note).collect()).expect("notes in a line")
//! # };
//! let documents = [melody(&[60, 62, 64]), melody(&[60, 60, 60])];
//! let system = "GAM(label=0.5,direction=0.25)";
//! let collection = systems::parse(system)?.prepare(&mut documents.into_iter());
//! // Each melody is one structure. The query is a rising process, like the first document. The second
//! // is a duplication with another label and no direction: 0.5 + 0.25 / 2 of 3 + 3.
//! assert_eq!(collection.score(&melody(&[67, 69, 71]), 0), Some(1.0));
//! assert_eq!(collection.score(&melody(&[67, 69, 71]), 1), Some(0.8958333333));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::scorer::Scorer;
use super::shared::ragged::RaggedArray;
use super::{Invariance, ParameterSource, SystemDefinition, SystemParameter, TieRule};
use crate::Melody;

/// Definition of the system `GAM`.
pub(super) static DEFINITION: SystemDefinition = SystemDefinition {
    name: "GAM",
    aliases: &[],
    summary: "Edit distance of the implication-realization structures of two melodies.",
    description: "Narmour's structures are read off pairs of intervals (small: at most 6 semitones): P, D, ID, \
        IP, VP, R, IR, VR, or none of them. Processes and duplications grow as long as they go on. A note \
        that lasts longer than the one before closes a structure, and the next begins with it; else two \
        share two notes. Adding or removing a structure costs its number of notes; replacing one costs by \
        label, size, direction and what it shares. The score is 1 minus the least cost over the cost of \
        removing all and adding all. Reconstructed from publications, without the metrical accents that \
        close structures there and with weights of our own.",
    reference: "Grachten, Arcos & López de Mántaras (2004), Melodic Similarity: Looking for a Good \
        Abstraction Level, ISMIR; (2005), Melody retrieval using the implication/realization model, MIREX",
    parameters: &[
        SystemParameter {
            name: "label",
            values: "a number from 0",
            default: "3",
            description: "what it costs to replace a structure by one of another label",
            source: ParameterSource::Chosen,
            tuning_values: &["1", "2", "3", "4", "6"],
        },
        SystemParameter {
            name: "twin",
            values: "a number from 0 to 1",
            default: "0.5",
            description: "the share of that for labels that are near: P and VP, IP and ID, R and VR and IR",
            source: ParameterSource::Chosen,
            tuning_values: &["0.25", "0.5", "0.75", "1"],
        },
        SystemParameter {
            name: "size",
            values: "a number from 0",
            default: "1",
            description: "what each note of a difference in size costs",
            source: ParameterSource::Chosen,
            tuning_values: &["0.5", "1", "2"],
        },
        SystemParameter {
            name: "direction",
            values: "a number from 0",
            default: "1.5",
            description: "what another direction costs, half of it where one has none",
            source: ParameterSource::Chosen,
            tuning_values: &["0.5", "1", "1.5", "3"],
        },
        SystemParameter {
            name: "overlap",
            values: "a number from 0",
            default: "0.5",
            description: "what each note costs that only one of them shares with the next structure",
            source: ParameterSource::Chosen,
            tuning_values: &["0", "0.5", "1"],
        },
    ],
    invariant_to: &[Invariance::Transposition, Invariance::Rests],
    indexed: false,
    tie_rule: TieRule::Length,
    example: "GAM(label=2)",
    build: |arguments| {
        let number = |name| arguments.number(name, |value| value >= 0.0);
        Ok(Box::new(ImplicationRealization {
            label: number("label")?,
            twin: arguments.number("twin", |share| (0.0..=1.0).contains(&share))?,
            size: number("size")?,
            direction: number("direction")?,
            overlap: number("overlap")?,
        }))
    },
};

/// Costs of replacing one structure by another, as the definition describes them.
#[derive(Clone, Copy, Debug)]
struct ImplicationRealization {
    label: f64,
    twin: f64,
    size: f64,
    direction: f64,
    overlap: f64,
}

/// Label of an implication-realization structure (Narmour 1990), by its first two intervals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StructureLabel {
    Process,
    Duplication,
    IntervallicDuplication,
    IntervallicProcess,
    VectorProcess,
    Reversal,
    IntervallicReversal,
    VectorReversal,
    None,
}

impl StructureLabel {
    /// Returns the label of a structure that starts with these two intervals, in semitones.
    fn from_intervals(first: i32, second: i32) -> Self {
        if first == 0 && second == 0 {
            return Self::Duplication;
        }
        let goes_on = first.signum() == second.signum();
        let growth = second.abs() - first.abs();
        if first.abs() <= 6 {
            match goes_on {
                true if growth.abs() <= 3 => Self::Process,
                true if growth > 3 => Self::VectorProcess,
                false if growth == 0 => Self::IntervallicDuplication,
                false if growth.abs() <= 2 => Self::IntervallicProcess,
                _ => Self::None,
            }
        } else {
            match goes_on {
                false if growth < 0 => Self::Reversal,
                false => Self::VectorReversal,
                true if growth < 0 => Self::IntervallicReversal,
                true => Self::None,
            }
        }
    }

    /// Returns the number of the class of similar labels to which the label belongs. Replacing a
    /// label by another one of its class costs less.
    fn confusion_class(self) -> u8 {
        match self {
            Self::Process | Self::VectorProcess => 0,
            Self::IntervallicProcess | Self::IntervallicDuplication => 1,
            Self::Reversal | Self::VectorReversal | Self::IntervallicReversal => 2,
            Self::Duplication => 3,
            Self::None => 4,
        }
    }
}

/// Implication-realization structure: a group of three or more notes.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Structure {
    label: StructureLabel,
    /// Number of notes in the structure.
    size: i32,
    /// Direction from the first to the last note of the structure: 1 up, -1 down, 0 for the same
    /// pitch.
    direction: i32,
    /// Number of notes that the structure shares with the next one.
    overlap: i32,
}

/// Splits a melody into implication-realization structures.
fn parse_structures(melody: &Melody) -> Vec<Structure> {
    let intervals: Vec<i32> = melody.intervals().collect();
    let notes = melody.notes();
    // A note that is longer than the previous one is perceived as a closure.
    let closes = |note: usize| notes[note].duration > notes[note - 1].duration;
    let mut found = Vec::new();
    let mut at = 0;
    while at + 1 < intervals.len() {
        let label = StructureLabel::from_intervals(intervals[at], intervals[at + 1]);
        let grows = matches!(label, StructureLabel::Process | StructureLabel::Duplication);
        let mut last = at + 1;
        let goes_on = |last: usize| {
            grows
                && last + 1 < intervals.len()
                && !closes(last + 1)
                && StructureLabel::from_intervals(intervals[last], intervals[last + 1]) == label
        };
        while goes_on(last) {
            last += 1;
        }
        let closed = closes(last + 1);
        let direction = intervals[at..=last].iter().sum::<i32>().signum();
        found.push(Structure {
            label,
            size: (last - at) as i32 + 2,
            direction,
            overlap: if closed { 1 } else { 2 },
        });
        at = if closed { last + 1 } else { last };
    }
    found
}

impl ImplicationRealization {
    /// Returns the cost of replacing one structure by another in the edit distance.
    fn replacement_cost(self, one: Structure, other: Structure) -> f64 {
        let label = if one.label == other.label {
            0.0
        } else if one.label.confusion_class() == other.label.confusion_class() {
            self.label * self.twin
        } else {
            self.label
        };
        let size = f64::from((one.size - other.size).abs());
        let direction = f64::from((one.direction - other.direction).abs()) / 2.0;
        let overlap = f64::from((one.overlap - other.overlap).abs());
        label + self.size * size + self.direction * direction + self.overlap * overlap
    }
}

impl Scorer for ImplicationRealization {
    type Documents = RaggedArray<Structure>;
    type Query = Vec<Structure>;
    type Scratch = Vec<f64>;

    fn min_notes(&self) -> usize {
        3
    }

    fn add(&self, documents: &mut RaggedArray<Structure>, melody: &Melody) {
        documents.push(parse_structures(melody));
    }

    fn prepare_query(&self, _: &RaggedArray<Structure>, query: &Melody) -> Vec<Structure> {
        parse_structures(query)
    }

    fn score(
        &self,
        documents: &RaggedArray<Structure>,
        query: &Vec<Structure>,
        document: usize,
        row: &mut Vec<f64>,
    ) -> f64 {
        let line = documents.row(document);
        row.clear();
        let mut removed = 0.0;
        row.push(removed);
        for structure in query {
            removed += f64::from(structure.size);
            row.push(removed);
        }
        let mut added = 0.0;
        for &theirs in line {
            let mut diagonal = row[0];
            added += f64::from(theirs.size);
            row[0] = added;
            let mut left = added;
            for (cell, &ours) in row[1..].iter_mut().zip(query) {
                let replaced = diagonal + self.replacement_cost(ours, theirs);
                diagonal = *cell;
                let one_less = (left + f64::from(ours.size)).min(*cell + f64::from(theirs.size));
                left = replaced.min(one_less);
                *cell = left;
            }
        }
        1.0 - row[query.len()] / (removed + added)
    }
}
