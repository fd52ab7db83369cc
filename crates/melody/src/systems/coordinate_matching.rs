//! US: number of distinct interval n-grams of the query that a melody contains (coordinate
//! matching).
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
//! let documents = [melody(&[60, 62, 76, 77, 79])];
//! let collection = systems::parse("US(n=2)")?.prepare(&mut documents.into_iter());
//! // The document's intervals 2 14 1 2 are 2 2 1 2 modulo 12. It contains two of the query's pairs
//! // 2 2, 2 1 and 1 3.
//! assert_eq!(collection.score(&melody(&[60, 62, 64, 65, 68]), 0), Some(2.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::scorer::Scorer;
use super::shared::ragged::RaggedArray;
use super::{ALL_INVARIANCES, ParameterSource, SystemDefinition, SystemParameter, TieRule};
use crate::Melody;

/// Definition of the system `US`.
pub(super) static DEFINITION: SystemDefinition = SystemDefinition {
    name: "US",
    aliases: &[],
    summary: "The number of distinct interval grams of the query that a melody has.",
    description: "Intervals keep their direction and are taken modulo 12: an octave stays one, and a ninth \
        is a second. The score is the number of distinct grams of `n` intervals of the query that are \
        found in the document (coordinate matching). Reconstructed from publications.",
    reference: "Suyoto & Uitdenbogerd (2005), Simple efficient n-gram indexing for effective melody \
        retrieval, MIREX 2005; Uitdenbogerd (2002), Music Information Retrieval Technology",
    parameters: &[SystemParameter {
        name: "n",
        values: "a whole number from 1 to 12",
        default: "5",
        description: "how many intervals a gram has",
        source: ParameterSource::Published,
        tuning_values: &["3", "4", "5", "6", "7"],
    }],
    invariant_to: ALL_INVARIANCES,
    indexed: false,
    tie_rule: TieRule::Length,
    example: "US(n=5)",
    build: |arguments| {
        Ok(Box::new(CoordinateMatching {
            n: arguments.count("n", |n| (1..=MAX_GRAM_LENGTH).contains(&n))?,
        }))
    },
};

/// Largest number of intervals in an n-gram. With 25 possible values per interval, an n-gram fits
/// in 64 bits.
const MAX_GRAM_LENGTH: usize = 12;

/// Parameter of the system `US`: number of intervals per n-gram.
#[derive(Clone, Copy, Debug)]
struct CoordinateMatching {
    n: usize,
}

/// Reduces an interval in semitones to at most an octave and keeps its direction: 0 for a repeated
/// pitch, otherwise 1 to 12 up or -1 to -12 down.
fn fold_into_octave(interval: i32) -> i32 {
    match interval {
        0 => 0,
        _ => interval.signum() * (1 + (interval.abs() - 1) % 12),
    }
}

impl CoordinateMatching {
    /// Returns the distinct interval n-grams of a melody, encoded as numbers in ascending order.
    fn distinct_grams(self, melody: &Melody) -> Vec<u64> {
        let intervals: Vec<u64> = (melody.intervals())
            .map(|interval| u64::from((fold_into_octave(interval) + 12).unsigned_abs()))
            .collect();
        let number = |gram: &[u64]| gram.iter().fold(0, |number, value| number * 25 + value);
        let mut grams: Vec<u64> = intervals.windows(self.n).map(number).collect();
        grams.sort_unstable();
        grams.dedup();
        grams
    }
}

impl Scorer for CoordinateMatching {
    type Documents = RaggedArray<u64>;
    type Query = Vec<u64>;
    type Scratch = ();

    fn min_notes(&self) -> usize {
        self.n + 1
    }

    fn add(&self, documents: &mut RaggedArray<u64>, melody: &Melody) {
        documents.push(self.distinct_grams(melody));
    }

    fn prepare_query(&self, _: &RaggedArray<u64>, query: &Melody) -> Vec<u64> {
        self.distinct_grams(query)
    }

    fn score(
        &self,
        documents: &RaggedArray<u64>,
        query: &Vec<u64>,
        document: usize,
        (): &mut (),
    ) -> f64 {
        let mut wanted = query.iter().peekable();
        let mut found = 0;
        for gram in documents.row(document) {
            while wanted.next_if(|next| *next < gram).is_some() {}
            found += usize::from(wanted.next_if_eq(&gram).is_some());
        }
        found as f64
    }
}
