//! Splines: alignment of trigrams (three-note n-grams) by the area between the derivatives of their
//! pitch curves, or by the mean difference of their intervals.
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
//! let collection = systems::parse("Splines")?.prepare(&mut documents.into_iter());
//! // One gram each: 2 2 and 2 1. The slopes of the curves are equal at the start and differ by 1 at the
//! // end: the area between the derivatives is 1/2.
//! assert_eq!(collection.score(&melody(&[60, 62, 63]), 0), Some(-0.5));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::scorer::Scorer;
use super::shared::hybrid_alignment::{GapCosts, equal_gram_alignment, hybrid_score};
use super::shared::spline_area::area_between_trigrams;
use super::shared::trigram::{Trigram, TrigramCounts};
use super::tie_breaking::{DocumentPitches, TIES, TieGrams, pitches};
use super::{ALL_INVARIANCES, ParameterSource, SystemDefinition, SystemParameter, TieRule};
use crate::Melody;

/// Definition of the system `Splines`.
pub(super) static DEFINITION: SystemDefinition = SystemDefinition {
    name: "Splines",
    aliases: &["2010-pitchderiv"],
    summary: "Alignment of grams of three notes; grams that differ cost the area between their curves.",
    description: "Equal grams (by pitch intervals) add 1 - f, where f is the gram's share of all grams \
        of the collection; skipping a gram adds -(1 - f). Grams that differ are drawn as uniform \
        B-splines of degree 2, and what they add is minus the area between the derivatives. The score \
        is the highest of any cell of the hybrid alignment over the grams of the shorter melody. It \
        is MelodyShape's, but that a gram that is not in the collection costs 1 to skip and that \
        MelodyShape breaks ties by pitches.",
    reference: "Urbano, Lloréns, Morato & Sánchez-Cuadrado (2010), Using the Shape of Music to Compute \
        the Similarity between Symbolic Musical Pieces, CMMR",
    parameters: &[
        SystemParameter {
            name: "mismatch",
            values: "derivative|domain",
            default: "derivative",
            description: "what grams that differ cost: the area between the derivatives of their curves, \
                or the mean difference of their intervals (2010-domain)",
            source: ParameterSource::Published,
            tuning_values: &[],
        },
        TIES,
    ],
    invariant_to: ALL_INVARIANCES,
    indexed: false,
    tie_rule: TieRule::ExactInterval,
    example: "Splines(mismatch=domain)",
    build: |arguments| {
        Ok(Box::new(Splines {
            mismatch: arguments.choice("mismatch")?,
            ties: arguments.choice("ties")?,
        }))
    },
};

partita_named::named_enum! {
    /// Cost of aligning two different trigrams.
    enum MismatchCost: "mismatch" {
        /// The area between the derivatives of their curves
        Derivative = "derivative",
        /// The mean difference of their intervals
        Domain = "domain",
    }
}

/// Parameters of the system `Splines`: the cost of aligning different trigrams, and what breaks ties.
#[derive(Clone, Copy, Debug)]
struct Splines {
    mismatch: MismatchCost,
    ties: TieGrams,
}

/// Documents prepared for the system `Splines`.
#[derive(Default)]
struct Documents {
    grams: TrigramCounts,
    pitches: DocumentPitches,
}

/// Query prepared for the system `Splines`.
struct Query {
    pitches: Vec<u8>,
    grams: Vec<Trigram>,
    gaps: GapCosts<f64>,
}

/// Cache of the scores of aligning the trigrams of the query with those of the documents, computed
/// on first use.
#[derive(Default)]
struct ScratchBuffers {
    row: Vec<f64>,
    /// Number of the row in `scores` of each possible trigram of a document, from 1; 0 if its
    /// scores are not computed yet.
    row_numbers: Vec<u32>,
    scores: Vec<f64>,
}

impl Splines {
    /// Returns the negative score of aligning two different trigrams.
    fn mismatch_score(&self, one: Trigram, other: Trigram) -> f64 {
        let ([a, b], [c, d]) = (one.intervals(), other.intervals());
        let differences = [a - c, b - d].map(f64::from);
        match self.mismatch {
            MismatchCost::Derivative => -area_between_trigrams(differences),
            MismatchCost::Domain => -(differences[0].abs() + differences[1].abs()) / 2.0,
        }
    }
}

impl Scorer for Splines {
    type Documents = Documents;
    type Query = Query;
    type Scratch = ScratchBuffers;

    fn min_notes(&self) -> usize {
        3
    }

    fn add(&self, documents: &mut Documents, melody: &Melody) {
        documents.grams.add(melody);
        documents.pitches.add(self.ties, melody);
    }

    fn prepare_query(&self, documents: &Documents, query: &Melody) -> Query {
        let grams: Vec<Trigram> = Trigram::iter_melody(query).collect();
        let gap = |&gram: &Trigram| documents.grams.frequency(gram) - 1.0;
        let gaps = GapCosts::new(grams.iter().map(gap).collect());
        Query {
            pitches: pitches(query),
            grams,
            gaps,
        }
    }

    fn score(
        &self,
        documents: &Documents,
        query: &Query,
        document: usize,
        scratch: &mut ScratchBuffers,
    ) -> f64 {
        let line = documents.grams.by_document.row(document);
        let length = query.grams.len();
        scratch.row_numbers.resize(Trigram::COUNT, 0);
        for &gram in line {
            if scratch.row_numbers[gram.number()] == 0 {
                let score = |&of_query: &Trigram| match of_query == gram {
                    true => 1.0 - documents.grams.frequency(gram),
                    false => self.mismatch_score(of_query, gram),
                };
                let scores = query.gaps.subtract_gaps(query.grams.iter().map(score));
                scratch.scores.extend(scores);
                scratch.row_numbers[gram.number()] = (scratch.scores.len() / length) as u32;
            }
        }
        let columns = line.iter().map(|&gram| {
            let end = scratch.row_numbers[gram.number()] as usize * length;
            let scores = &scratch.scores[end - length..end];
            (documents.grams.frequency(gram) - 1.0, scores)
        });
        hybrid_score(&query.gaps, columns, &mut scratch.row) / length.min(line.len()) as f64
    }

    fn tie_break_score(&self, documents: &Documents, query: &Query, document: usize) -> f64 {
        match self.ties {
            TieGrams::Interval => {
                equal_gram_alignment(&query.grams, documents.grams.by_document.row(document))
            }
            TieGrams::Pitch => documents.pitches.alignment(&query.pitches, document, 3),
        }
    }
}
