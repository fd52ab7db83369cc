//! Time: alignment of four-note grams by the areas between their curves of pitch and of duration.
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
use super::shared::hybrid_alignment::{GapCosts, exact_pitch_alignment, hybrid};
use super::shared::ragged::RaggedArray;
use super::shared::spline_area::area_of_three;
use super::{ALL_INVARIANCES, ParameterSource, SystemDefinition, SystemParameter, TieRule};
use crate::note::beats_to_f64;
use crate::{Beats, Melody};

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
    parameters: &[SystemParameter {
        name: "weight",
        values: "a number from 0",
        default: "0.5",
        description: "what duration counts beside pitch; with 0 it is 2011-pitch",
        source: ParameterSource::Published,
        tuning_values: &["0", "0.25", "0.5", "1"],
    }],
    invariant_to: ALL_INVARIANCES,
    indexed: false,
    tie_rule: TieRule::ExactPitch,
    example: "Time(weight=0.5)",
    build: |arguments| {
        Ok(Box::new(Time {
            weight: arguments.number("weight", |weight| weight >= 0.0)?,
        }))
    },
};

/// Mean area between pitch curves in the authors' collection.
const MEAN_PITCH_AREA: f64 = 2.1838;

/// Mean area between duration curves in the authors' collection.
const MEAN_DURATION_AREA: f64 = 0.4772;

#[derive(Clone, Copy, Debug)]
pub(super) struct Time {
    weight: f64,
}

impl Default for Time {
    fn default() -> Self {
        Self { weight: 0.5 }
    }
}

/// The three intervals between the four notes of a gram.
type Pitches = [i16; 3];

/// Durations of a gram as ratios to its first duration: differences between successive ratios, and
/// the ratios in thousandths. Grams with the same thousandths count as equal.
#[derive(Clone, Copy, Debug)]
struct DurationRatios {
    differences: [f64; 3],
    thousandths: [i64; 3],
}

impl DurationRatios {
    fn from_ratios(ratios: [Beats; 3]) -> Self {
        let [a, b, c] = ratios.map(beats_to_f64);
        Self {
            differences: [a - 1.0, b - a, c - b],
            thousandths: [a, b, c].map(thousandths),
        }
    }
}

/// Rounds a ratio to thousandths. Java rounds exact ties to even, based on the exact binary value;
/// Rust's formatting does the same.
fn thousandths(ratio: f64) -> i64 {
    let decimals = format!("{ratio:.3}").replace('.', "");
    decimals.parse().expect("a ratio of durations has digits")
}

/// Gram as indices into the tables of distinct pitches and durations.
#[derive(Clone, Copy)]
struct Gram {
    pitches: u32,
    times: u32,
}

/// Index of a gram of the query whose pitches are not in the collection.
const UNKNOWN: u32 = u32::MAX;

#[derive(Default)]
pub(super) struct Documents {
    lines: RaggedArray<Gram>,
    /// Distinct pitches and durations of grams.
    pitches: Vec<Pitches>,
    times: Vec<DurationRatios>,
    /// Indices in `pitches` and `times`.
    pitch_numbers: HashMap<Pitches, u32>,
    time_numbers: HashMap<[Beats; 3], u32>,
}

pub(super) struct Query {
    pitches: Vec<Pitches>,
    times: Vec<DurationRatios>,
    gaps: GapCosts<f64>,
    /// For each gram of the query, the index of its pitches in the collection, or [`UNKNOWN`].
    numbers: Vec<u32>,
}

fn pitches_of(melody: &Melody) -> Vec<Pitches> {
    let intervals: Vec<i16> = (melody.intervals())
        .map(|interval| i16::try_from(interval).expect("MIDI's pitches are near"))
        .collect();
    let grams = intervals.windows(3);
    grams.map(|gram| [gram[0], gram[1], gram[2]]).collect()
}

fn ratios_of(melody: &Melody) -> Vec<[Beats; 3]> {
    let grams = melody.notes().windows(4);
    grams
        .map(|gram| [1, 2, 3].map(|at| gram[at].duration / gram[0].duration))
        .collect()
}

/// Returns the score of skipping a gram: the negative area between its pitch curve and a flat one.
fn gap(pitches: Pitches) -> f64 {
    -area_of_three(pitches.map(f64::from))
}

/// Cache of the scores of all grams of the query for each gram of the documents, computed on first
/// use.
#[derive(Default)]
pub(super) struct ScratchBuffers {
    row: Vec<f64>,
    /// Rows of scores by pitches, and rows of scores by durations.
    pitches: ScoreRows,
    times: ScoreRows,
    /// Total scores of the query's grams for each gram of the current document, concatenated.
    columns: Vec<f64>,
}

#[derive(Default)]
struct ScoreRows {
    /// End of each row in `scores`; 0 if the row is not computed yet.
    ends: Vec<usize>,
    scores: Vec<f64>,
}

impl ScoreRows {
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
        4
    }

    fn add(&self, documents: &mut Documents, melody: &Melody) {
        let grams = pitches_of(melody).into_iter().zip(ratios_of(melody));
        let line = grams.map(|(pitches, ratios)| Gram {
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
    }

    fn finish_documents(&self, documents: &mut Documents) {
        // This map is needed only while documents are added.
        documents.time_numbers = HashMap::new();
    }

    fn prepare_query(&self, documents: &Documents, query: &Melody) -> Query {
        let pitches = pitches_of(query);
        let number = |gram| documents.pitch_numbers.get(gram).copied();
        let numbers = pitches
            .iter()
            .map(|gram| number(gram).unwrap_or(UNKNOWN))
            .collect();
        Query {
            gaps: GapCosts::new(pitches.iter().copied().map(gap).collect()),
            times: ratios_of(query)
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
                -area_of_three([difference(0), difference(1), difference(2)])
            };
            let times = documents.times[gram.times as usize];
            let time = |at: usize| {
                let ours = query.times[at];
                let score = if ours.thousandths == times.thousandths {
                    2.0 * MEAN_DURATION_AREA
                } else {
                    let difference = |k: usize| ours.differences[k] - times.differences[k];
                    -area_of_three([difference(0), difference(1), difference(2)])
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
            .map(|gram| gap(documents.pitches[gram.pitches as usize]));
        let columns = gaps.zip(scratch.columns.chunks_exact(length));
        hybrid(&query.gaps, columns, &mut scratch.row) / length.min(line.len()) as f64
    }

    fn tie_break_score(&self, documents: &Documents, query: &Query, document: usize) -> f64 {
        let line = documents.lines.row(document).iter();
        let numbers: Vec<u32> = line.map(|gram| gram.pitches).collect();
        exact_pitch_alignment(&query.numbers, &numbers)
    }
}
