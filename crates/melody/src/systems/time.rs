//! Time: alignment of four-note n-grams by the areas between the derivatives of their curves of
//! pitch and of duration.
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
//! let documents = [melody(&[60, 62, 64, 66])];
//! let collection = systems::parse("Time")?.prepare(&mut documents.into_iter());
//! // One gram each. The durations are equal, which adds 1/2 * 2 * 2.1838. The last interval is larger
//! // by 6, so the derivatives of the pitch curves differ by 6 x^2 / 2, with area 1 from 0 to 1.
//! assert_eq!(collection.score(&melody(&[60, 62, 64, 72]), 0), Some(1.1838));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::HashMap;

use super::scorer::Scorer;
use super::shared::hybrid_alignment::{GapCosts, equal_gram_alignment, hybrid_score};
use super::shared::ragged::RaggedArray;
use super::shared::spline_area::area_between_four_note_grams;
use super::tie_breaking::{self, DocumentPitches, TIES, TieGrams};
use super::{ALL_INVARIANCES, ParameterSource, SystemDefinition, SystemParameter, TieRule};
use crate::note::beats_to_f64;
use crate::{Beats, Melody};

/// Definition of the system `Time`.
pub(super) static DEFINITION: SystemDefinition = SystemDefinition {
    name: "Time",
    aliases: &["2012-time"],
    summary: "Alignment of grams of four notes by the areas between their curves of pitch and of duration.",
    description: "Grams are drawn as uniform B-splines of degree 3, one for pitch (from the first note) \
        and one for duration (over the first note's). Equal pitch intervals add 2 * 2.1838, others minus \
        the area between the derivatives; equal ratios of durations (to 3 decimals) add 2 * 0.4772, \
        others minus that area, times `weight` * 2.1838 / 0.4772. The two numbers are the mean areas \
        that were published. Skipping a gram adds minus the area between its pitch curve and a flat one. \
        The score is the highest of any cell of the hybrid alignment over the grams of the shorter melody.",
    reference: "Urbano, Lloréns, Morato & Sánchez-Cuadrado (2011), Melodic Similarity through Shape \
        Similarity, CMMR 2010; MIREX 2011 and 2012 Symbolic Melodic Similarity",
    parameters: &[
        SystemParameter {
            name: "weight",
            values: "a number from 0",
            default: "0.5",
            description: "what duration counts beside pitch; with 0 it is 2011-pitch",
            source: ParameterSource::Published,
            tuning_values: &["0", "0.25", "0.5", "1"],
        },
        TIES,
    ],
    invariant_to: ALL_INVARIANCES,
    indexed: false,
    tie_rule: TieRule::ExactInterval,
    example: "Time(weight=0.5)",
    build: |arguments| {
        Ok(Box::new(Time {
            weight: arguments.number("weight", |weight| weight >= 0.0)?,
            ties: arguments.choice("ties")?,
            tied_pitches: GRAM_NOTES,
        }))
    },
};

/// Published mean area between the derivatives of the pitch curves of two n-grams.
const MEAN_PITCH_AREA: f64 = 2.1838;

/// Published mean area between the derivatives of the duration curves of two n-grams.
const MEAN_DURATION_AREA: f64 = 0.4772;

/// Number of notes of an n-gram.
const GRAM_NOTES: usize = 4;

/// Parameters of the system `Time`: weight of durations relative to pitches, and what breaks ties.
#[derive(Clone, Copy, Debug)]
pub(super) struct Time {
    weight: f64,
    ties: TieGrams,
    /// Number of notes of the n-grams that break ties, if their pitches are compared.
    tied_pitches: usize,
}

impl Time {
    /// Creates the second stage of ShapeTime, in which MelodyShape breaks ties by the n-grams of
    /// ShapeH.
    pub(super) fn second_stage(ties: TieGrams) -> Self {
        Self {
            weight: 0.5,
            ties,
            tied_pitches: 3,
        }
    }
}

/// The three intervals between the four notes of an n-gram, in semitones.
type GramIntervals = [i16; 3];

/// Durations of the notes of an n-gram as ratios to the first: differences between successive
/// ratios, and the ratios in thousandths. N-grams with the same thousandths count as equal.
#[derive(Clone, Copy, Debug)]
struct DurationRatios {
    differences: [f64; 3],
    thousandths: [i64; 3],
}

impl DurationRatios {
    /// Computes the differences and thousandths from the ratios of the second, third and fourth
    /// duration to the first.
    fn from_ratios(ratios: [Beats; 3]) -> Self {
        let [a, b, c] = ratios.map(beats_to_f64);
        Self {
            differences: [a - 1.0, b - a, c - b],
            thousandths: [a, b, c].map(round_to_thousandths),
        }
    }
}

/// Rounds a ratio to thousandths as the Java program of the authors does: exact ties go to even,
/// based on the exact binary value. The number formatting of Rust rounds in the same way.
fn round_to_thousandths(ratio: f64) -> i64 {
    let decimals = format!("{ratio:.3}").replace('.', "");
    decimals
        .parse()
        .expect("a formatted number without its point has only digits")
}

/// N-gram of four notes, as indices into the tables of distinct intervals and durations.
#[derive(Clone, Copy)]
struct FourNoteGram {
    pitches: u32,
    times: u32,
}

/// Index of an n-gram of the query whose intervals no document contains.
const UNKNOWN_INTERVALS: u32 = u32::MAX;

/// Documents prepared for the system `Time`.
#[derive(Default)]
pub(super) struct Documents {
    note_pitches: DocumentPitches,
    lines: RaggedArray<FourNoteGram>,
    /// Distinct interval triples of the n-grams of all documents.
    pitches: Vec<GramIntervals>,
    /// Distinct duration ratios of the n-grams of all documents.
    times: Vec<DurationRatios>,
    /// Index in `pitches` of each interval triple.
    pitch_numbers: HashMap<GramIntervals, u32>,
    /// Index in `times` of each triple of duration ratios; empty once all documents are added.
    time_numbers: HashMap<[Beats; 3], u32>,
}

/// Query prepared for the system `Time`.
pub(super) struct Query {
    note_pitches: Vec<u8>,
    pitches: Vec<GramIntervals>,
    times: Vec<DurationRatios>,
    gaps: GapCosts<f64>,
    /// For each n-gram of the query, the index of its intervals in `Documents::pitches`, or
    /// [`UNKNOWN_INTERVALS`].
    numbers: Vec<u32>,
}

/// Returns the intervals of each four-note n-gram of a melody.
fn gram_intervals(melody: &Melody) -> Vec<GramIntervals> {
    let intervals: Vec<i16> = (melody.intervals())
        .map(|interval| i16::try_from(interval).expect("MIDI pitches differ by at most 127"))
        .collect();
    let grams = intervals.windows(3);
    grams.map(|gram| [gram[0], gram[1], gram[2]]).collect()
}

/// Returns, for each four-note n-gram of a melody, the ratios of its second, third and fourth
/// duration to the first.
fn gram_duration_ratios(melody: &Melody) -> Vec<[Beats; 3]> {
    let grams = melody.notes().windows(4);
    grams
        .map(|gram| [1, 2, 3].map(|at| gram[at].duration / gram[0].duration))
        .collect()
}

/// Returns the score of skipping an n-gram: the negative area between the derivatives of its pitch
/// curve and of a flat one.
fn gap_score(pitches: GramIntervals) -> f64 {
    -area_between_four_note_grams(pitches.map(f64::from))
}

/// Cache of the scores of aligning the n-grams of the query with those of the documents, computed
/// on first use.
#[derive(Default)]
pub(super) struct ScratchBuffers {
    row: Vec<f64>,
    /// Scores by pitch, with one row per interval triple in `Documents::pitches`.
    pitches: ScoreRows,
    /// Scores by duration, with one row per triple of duration ratios in `Documents::times`.
    times: ScoreRows,
    /// Sums of the scores by pitch and by duration, converted by [`GapCosts::subtract_gaps`]: for
    /// each n-gram of the current document, the scores of all n-grams of the query, concatenated.
    columns: Vec<f64>,
}

/// Rows of scores that are computed on first use. A row has one score per n-gram of the query.
#[derive(Default)]
struct ScoreRows {
    /// Index in `scores` after the end of each row; 0 if the row is not computed yet.
    ends: Vec<usize>,
    scores: Vec<f64>,
}

impl ScoreRows {
    /// Returns the row with this number. If it is new, it is computed by calling `score` with the
    /// index of each n-gram of the query.
    fn row(&mut self, number: u32, length: usize, score: impl Fn(usize) -> f64) -> &[f64] {
        let number = number as usize;
        if self.ends[number] == 0 {
            self.scores.extend((0..length).map(score));
            self.ends[number] = self.scores.len();
        }
        let end = self.ends[number];
        &self.scores[end - length..end]
    }
}

impl Scorer for Time {
    type Documents = Documents;
    type Query = Query;
    type Scratch = ScratchBuffers;

    fn min_notes(&self) -> usize {
        GRAM_NOTES
    }

    fn add(&self, documents: &mut Documents, melody: &Melody) {
        let grams = gram_intervals(melody)
            .into_iter()
            .zip(gram_duration_ratios(melody));
        let line = grams.map(|(pitches, ratios)| FourNoteGram {
            pitches: *(documents.pitch_numbers.entry(pitches)).or_insert_with(|| {
                documents.pitches.push(pitches);
                documents.pitches.len() as u32 - 1
            }),
            times: *(documents.time_numbers.entry(ratios)).or_insert_with(|| {
                documents.times.push(DurationRatios::from_ratios(ratios));
                documents.times.len() as u32 - 1
            }),
        });
        documents.lines.push(line);
        documents.note_pitches.add(self.ties, melody);
    }

    fn finish_documents(&self, documents: &mut Documents) {
        // This map is needed only while documents are added.
        documents.time_numbers = HashMap::new();
    }

    fn prepare_query(&self, documents: &Documents, query: &Melody) -> Query {
        let pitches = gram_intervals(query);
        let number = |gram| documents.pitch_numbers.get(gram).copied();
        let numbers = pitches
            .iter()
            .map(|gram| number(gram).unwrap_or(UNKNOWN_INTERVALS))
            .collect();
        Query {
            note_pitches: tie_breaking::pitches(query),
            gaps: GapCosts::new(pitches.iter().copied().map(gap_score).collect()),
            times: gram_duration_ratios(query)
                .into_iter()
                .map(DurationRatios::from_ratios)
                .collect(),
            pitches,
            numbers,
        }
    }

    fn score(
        &self,
        documents: &Documents,
        query: &Query,
        document: usize,
        scratch: &mut ScratchBuffers,
    ) -> f64 {
        let line = documents.lines.row(document);
        let length = query.pitches.len();
        scratch.pitches.ends.resize(documents.pitches.len(), 0);
        scratch.times.ends.resize(documents.times.len(), 0);
        scratch.columns.clear();
        for gram in line {
            let pitches = documents.pitches[gram.pitches as usize];
            let pitch = |at: usize| {
                let ours = query.pitches[at];
                if ours == pitches {
                    return 2.0 * MEAN_PITCH_AREA;
                }
                let difference = |k: usize| f64::from(ours[k] - pitches[k]);
                -area_between_four_note_grams([difference(0), difference(1), difference(2)])
            };
            let times = documents.times[gram.times as usize];
            let time = |at: usize| {
                let ours = query.times[at];
                let score = if ours.thousandths == times.thousandths {
                    2.0 * MEAN_DURATION_AREA
                } else {
                    let difference = |k: usize| ours.differences[k] - times.differences[k];
                    -area_between_four_note_grams([difference(0), difference(1), difference(2)])
                };
                score * (MEAN_PITCH_AREA / MEAN_DURATION_AREA) * self.weight
            };
            let pitch = scratch.pitches.row(gram.pitches, length, pitch);
            let time = scratch.times.row(gram.times, length, time);
            let scores = pitch.iter().zip(time).map(|(pitch, time)| pitch + time);
            scratch.columns.extend(query.gaps.subtract_gaps(scores));
        }
        let gaps = line
            .iter()
            .map(|gram| gap_score(documents.pitches[gram.pitches as usize]));
        let columns = gaps.zip(scratch.columns.chunks_exact(length));
        hybrid_score(&query.gaps, columns, &mut scratch.row) / length.min(line.len()) as f64
    }

    fn tie_break_score(&self, documents: &Documents, query: &Query, document: usize) -> f64 {
        match self.ties {
            TieGrams::Interval => {
                let line = documents.lines.row(document).iter();
                let numbers: Vec<u32> = line.map(|gram| gram.pitches).collect();
                equal_gram_alignment(&query.numbers, &numbers)
            }
            TieGrams::Pitch => {
                let pitches = &documents.note_pitches;
                pitches.alignment(&query.note_pitches, document, self.tied_pitches)
            }
        }
    }
}
