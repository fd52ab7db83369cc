//! ShapeH: hybrid alignment of the trigrams (three-note n-grams) of two melodies by their shape.
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
//! // Two grams each: up up and up down; up up and down up. Up up is half of all grams.
//! let documents = [melody(&[60, 62, 64, 60]), melody(&[60, 62, 64, 62])];
//! let collection = systems::parse("ShapeH")?.prepare(&mut documents.into_iter());
//! // The first gram matches and adds 1 - 1/2. The second gram is not in the collection. Aligned with a
//! // gram of the same shape it subtracts 1/2, so the best alignment ends before it: 1/2 over two grams.
//! assert_eq!(collection.score(&melody(&[67, 69, 71, 70]), 0), Some(0.25));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::sync::OnceLock;

use super::scorer::Scorer;
use super::shared::hybrid_alignment::{GapCosts, align, equal_gram_alignment};
use super::shared::shape_index::ShapeIndex;
use super::shared::trigram::{Trigram, TrigramCounts};
use super::tie_breaking::{DocumentPitches, TIES, TieGrams, pitches};
use super::{ALL_INVARIANCES, ParameterSource, SystemDefinition, SystemParameter, TieRule};
use crate::Melody;

/// Definition of the system `ShapeH`.
pub(super) static DEFINITION: SystemDefinition = SystemDefinition {
    name: "ShapeH",
    aliases: &["2012-shapeh"],
    summary: "Alignment of grams of three notes; grams that differ cost by how their shapes differ.",
    description: "Equal grams (by pitch intervals) add 1 - f, where f is the gram's share of all grams \
        of the collection; skipping a gram adds -(1 - f). Grams that differ are compared by shape: \
        valley (first interval <= 0 <= second), peak, rise or fall, the first of them that fits the \
        query's gram. If the document's gram has that shape too it adds -0.5, the opposite shape -8, \
        any other -1; these constants are published. The hybrid score is the highest of any cell of \
        the alignment over the grams of the shorter melody. It is MelodyShape's but for two habits \
        of that program: here the query's gram comes first whatever was compared before, and a gram \
        that is not in the collection costs 1 to skip.",
    reference: "Urbano, Lloréns, Morato & Sánchez-Cuadrado (2012), MIREX 2012 Symbolic Melodic \
        Similarity: Hybrid Sequence Alignment with Geometric Representations",
    parameters: &[
        SystemParameter {
            name: "how",
            values: "hybrid|local|global",
            default: "hybrid",
            description: "which alignment: hybrid is described above; local never falls below 0 and may \
                begin anywhere (2012-shapel); global takes the last cell, not divided (2012-shapeg)",
            source: ParameterSource::Published,
            tuning_values: &[],
        },
        TIES,
    ],
    invariant_to: ALL_INVARIANCES,
    indexed: true,
    tie_rule: TieRule::ExactInterval,
    example: "ShapeH(how=hybrid)",
    build: |arguments| {
        Ok(Box::new(ShapeH {
            how: arguments.choice("how")?,
            ties: arguments.choice("ties")?,
        }))
    },
};

partita_named::named_enum! {
    /// Type of alignment: where in the alignment matrix it may begin and end.
    pub(super) enum AlignmentMode: "alignment" = Hybrid {
        /// From the start of both melodies to the best cell
        Hybrid = "hybrid",
        /// From any cell to any later cell
        Local = "local",
        /// From the start to the end of both melodies
        Global = "global",
    }
}

/// Parameters of the system `ShapeH`: the type of alignment, and what breaks ties.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ShapeH {
    how: AlignmentMode,
    ties: TieGrams,
}

/// Shape of a trigram by the directions of its two intervals. A trigram with a repeated pitch fits
/// several shapes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Valley,
    Peak,
    Rise,
    Fall,
}

impl Shape {
    /// All shapes, in the order in which [`Shape::classify`] tries them.
    const ALL: [Self; 4] = [Self::Valley, Self::Peak, Self::Rise, Self::Fall];

    /// Returns true if a trigram with these two intervals fits the shape.
    fn fits(self, [first, second]: [i32; 2]) -> bool {
        match self {
            Self::Valley => first <= 0 && second >= 0,
            Self::Peak => first >= 0 && second <= 0,
            Self::Rise => first >= 0 && second >= 0,
            Self::Fall => first <= 0 && second <= 0,
        }
    }

    /// Returns the shape in which both intervals have the opposite direction.
    fn opposite(self) -> Self {
        match self {
            Self::Valley => Self::Peak,
            Self::Peak => Self::Valley,
            Self::Rise => Self::Fall,
            Self::Fall => Self::Rise,
        }
    }

    /// Returns the first shape that a trigram fits.
    fn classify(gram: Trigram) -> Self {
        let intervals = gram.intervals();
        let mut all = Self::ALL.into_iter();
        let fitting = all.find(|shape| shape.fits(intervals));
        fitting.expect("every trigram fits one of the shapes")
    }
}

/// Returns the score of aligning a trigram of the query with a different trigram of a document, in
/// units of 1/2. The trigram of the document is given by its intervals.
fn mismatch_score(query: Trigram, document: [i32; 2]) -> i64 {
    let shape = Shape::classify(query);
    if shape.fits(document) {
        -1
    } else if shape.opposite().fits(document) {
        -16
    } else {
        -2
    }
}

/// Documents prepared for ShapeH, as trigrams. Scores are integers in units of 1 / (2 N), where N
/// is the number of trigrams in the collection. All frequencies and constants are multiples of this
/// unit, so scores are exact.
#[derive(Default)]
pub(super) struct ShapeDocuments {
    pub(super) grams: TrigramCounts,
    pitches: DocumentPitches,
    /// Score of skipping each trigram in an alignment, by trigram number; never positive.
    gaps: Vec<i64>,
    /// Index that selects documents to align, built on first use.
    index: OnceLock<ShapeIndex>,
}

/// Query prepared for ShapeH.
pub(super) struct Query {
    pitches: Vec<u8>,
    grams: Vec<Trigram>,
    gaps: GapCosts<i64>,
    /// For each possible trigram of a document, by trigram number, the index of its row in
    /// `scores`.
    rows: Vec<u16>,
    /// Rows of scores, concatenated. A row contains the scores of aligning one trigram of a
    /// document with each trigram of the query, converted by [`GapCosts::subtract_gaps`].
    scores: Vec<i64>,
}

impl Query {
    /// Returns the row of `scores` for a trigram of a document.
    fn row(&self, gram: Trigram) -> &[i64] {
        let length = self.grams.len();
        let start = usize::from(self.rows[gram.number()]) * length;
        &self.scores[start..start + length]
    }
}

/// Number of documents in the collection from which on using the index is faster than aligning all
/// documents.
const MIN_DOCUMENTS_FOR_INDEX: usize = 20_000;

/// Number of combinations of the signs (-1, 0, 1) of the two intervals of a trigram.
const SIGN_PAIR_COUNT: usize = 9;

/// Returns the signs of the two intervals of a trigram, encoded as a number below
/// [`SIGN_PAIR_COUNT`].
fn sign_pair(gram: Trigram) -> u16 {
    let [first, second] = gram.intervals().map(|interval| interval.signum() + 1);
    (first * 3 + second) as u16
}

/// Returns the sign pair of every possible trigram, by trigram number. Trigrams that are not in the
/// query share the row of scores of their sign pair.
fn sign_pairs_of_all_trigrams() -> &'static [u16] {
    static SIGN_PAIRS: OnceLock<Vec<u16>> = OnceLock::new();
    SIGN_PAIRS.get_or_init(|| Trigram::all().map(sign_pair).collect())
}

impl Scorer for ShapeH {
    type Documents = ShapeDocuments;
    type Query = Query;
    type Scratch = Vec<i64>;

    fn min_notes(&self) -> usize {
        3
    }

    fn add(&self, documents: &mut ShapeDocuments, melody: &Melody) {
        documents.grams.add(melody);
        documents.pitches.add(self.ties, melody);
    }

    fn finish_documents(&self, documents: &mut ShapeDocuments) {
        let grams = &documents.grams;
        let gap = |&count: &u64| 2 * (count as i64 - grams.total as i64);
        documents.gaps = grams.counts.iter().map(gap).collect();
    }

    fn prepare_query(&self, documents: &ShapeDocuments, query: &Melody) -> Query {
        let grams: Vec<Trigram> = Trigram::iter_melody(query).collect();
        let gap = |gram: &Trigram| documents.gaps[gram.number()];
        let gaps = GapCosts::new(grams.iter().map(gap).collect());
        let half = documents.grams.total as i64;
        let mut scores = Vec::with_capacity((SIGN_PAIR_COUNT + grams.len()) * grams.len());
        // One row per sign pair serves all grams that are not in the query.
        for first in [-1, 0, 1] {
            for second in [-1, 0, 1] {
                let score = |&gram: &Trigram| half * mismatch_score(gram, [first, second]);
                scores.extend(gaps.subtract_gaps(grams.iter().map(score)));
            }
        }
        let mut rows = sign_pairs_of_all_trigrams().to_vec();
        let mut known = SIGN_PAIR_COUNT;
        for document in &grams {
            if usize::from(rows[document.number()]) >= SIGN_PAIR_COUNT {
                continue;
            }
            let score = |gram: &Trigram| match gram == document {
                // The score of a match is the negated score of skipping the gram.
                true => -gap(gram),
                false => half * mismatch_score(*gram, document.intervals()),
            };
            scores.extend(gaps.subtract_gaps(grams.iter().map(score)));
            rows[document.number()] =
                u16::try_from(known).expect("there are at most 65,025 trigrams");
            known += 1;
        }
        Query {
            pitches: pitches(query),
            grams,
            gaps,
            rows,
            scores,
        }
    }

    fn score(
        &self,
        documents: &ShapeDocuments,
        query: &Query,
        document: usize,
        row: &mut Vec<i64>,
    ) -> f64 {
        let line = documents.grams.by_document.row(document);
        let columns = (line.iter()).map(|&gram| (documents.gaps[gram.number()], query.row(gram)));
        let unit = 2.0 * documents.grams.total as f64;
        let shorter = query.grams.len().min(line.len()) as f64;
        let gaps = &query.gaps;
        match self.how {
            AlignmentMode::Hybrid => {
                align::<false, i64>(gaps, columns, row).highest as f64 / unit / shorter
            }
            AlignmentMode::Local => {
                align::<true, i64>(gaps, columns, row).highest as f64 / unit / shorter
            }
            AlignmentMode::Global => align::<false, i64>(gaps, columns, row).last as f64 / unit,
        }
    }

    fn index_candidates(
        &self,
        documents: &ShapeDocuments,
        query: &Query,
        top: usize,
    ) -> Option<Vec<u32>> {
        let by_document = &documents.grams.by_document;
        if self.how != AlignmentMode::Hybrid || by_document.len() < MIN_DOCUMENTS_FOR_INDEX {
            return None;
        }
        let index = documents
            .index
            .get_or_init(|| ShapeIndex::build(by_document));
        index.candidates(&query.grams, top)
    }

    fn tie_break_score(&self, documents: &ShapeDocuments, query: &Query, document: usize) -> f64 {
        match self.ties {
            TieGrams::Interval => {
                equal_gram_alignment(&query.grams, documents.grams.by_document.row(document))
            }
            TieGrams::Pitch => documents.pitches.alignment(&query.pitches, document, 3),
        }
    }
}
