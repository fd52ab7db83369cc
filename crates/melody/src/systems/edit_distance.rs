//! DP: edit distance between the interval sequences of two melodies.
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
//! let documents = [melody(&[60, 62, 64, 65, 67])];
//! let collection = systems::parse("DP")?.prepare(&mut documents.into_iter());
//! // 2 2 1 2 becomes 2 3 2 by one deletion and one replacement: 1 - 2/4.
//! assert_eq!(collection.score(&melody(&[60, 62, 65, 67]), 0), Some(0.5));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::scorer::Scorer;
use super::shared::ragged::RaggedArray;
use super::{ALL_INVARIANCES, SystemDefinition, TieRule};
use crate::Melody;

/// Definition of the system `DP`.
pub(super) static DEFINITION: SystemDefinition = SystemDefinition {
    name: "DP",
    aliases: &["L(DP)"],
    summary: "Edit distance of pitch intervals: every change costs 1.",
    description: "1 minus the fewest insertions, deletions and replacements that turn one sequence of \
        intervals into the other, over the length of the longer. It has no constant.",
    reference: "Lemström, Mikkilä, Mäkinen & Ukkonen (2005), String Matching and Geometric Algorithm for \
        Melodic Similarity, MIREX 2005",
    parameters: &[],
    invariant_to: ALL_INVARIANCES,
    indexed: false,
    tie_rule: TieRule::Length,
    example: "DP",
    build: |_| Ok(Box::new(EditDistance)),
};

#[derive(Clone, Copy, Debug)]
struct EditDistance;

/// Iterates over the intervals between successive notes, in semitones.
fn intervals(melody: &Melody) -> impl Iterator<Item = i8> + '_ {
    let narrow = |interval| i8::try_from(interval).expect("MIDI pitches differ by at most 127");
    melody.intervals().map(narrow)
}

impl Scorer for EditDistance {
    type Documents = RaggedArray<i8>;
    type Query = Vec<i8>;
    type Scratch = Vec<u32>;

    fn min_notes(&self) -> usize {
        2
    }

    fn add(&self, documents: &mut RaggedArray<i8>, melody: &Melody) {
        documents.push(intervals(melody));
    }

    fn prepare_query(&self, _: &RaggedArray<i8>, query: &Melody) -> Vec<i8> {
        intervals(query).collect()
    }

    fn score(
        &self,
        documents: &RaggedArray<i8>,
        query: &Vec<i8>,
        document: usize,
        row: &mut Vec<u32>,
    ) -> f64 {
        let line = documents.row(document);
        let longer = query.len().max(line.len());
        1.0 - f64::from(edit_distance(query, line, row)) / longer as f64
    }
}

/// Returns the Levenshtein distance between two sequences. `row` is scratch memory.
pub(crate) fn edit_distance<T: PartialEq>(one: &[T], other: &[T], row: &mut Vec<u32>) -> u32 {
    row.clear();
    row.extend(0..=one.len() as u32);
    for (value, inserted) in other.iter().zip(1..) {
        let mut diagonal = row[0];
        row[0] = inserted;
        let mut left = inserted;
        for (cell, known) in row[1..].iter_mut().zip(one) {
            let replaced = diagonal + u32::from(known != value);
            diagonal = *cell;
            left = replaced.min(left.min(*cell) + 1);
            *cell = left;
        }
    }
    row[one.len()]
}
