//! Opti3: the similarity measure `opti3` of Müllensiefen and Frieler.
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
//! let collection = systems::parse("Opti3")?.prepare(&mut documents.into_iter());
//! // Equal melodies share all grams, all rhythms and all harmonies: 0.505 + 0.417 + 0.24 - 0.146.
//! assert_eq!(collection.score(&melody(&[62, 64, 66, 67, 69]), 0), Some(1.016));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::edit_distance::edit_distance;
use super::scorer::Scorer;
use super::shared::ragged::RaggedArray;
use super::{Invariance, ParameterSource, SystemDefinition, SystemParameter, TieRule};
use crate::features::key;
use crate::note::beats_to_f64;
use crate::{Beats, Melody};

/// Definition of the system `Opti3`.
pub(super) static DEFINITION: SystemDefinition = SystemDefinition {
    name: "Opti3",
    aliases: &["FM"],
    summary: "A weighted sum of what melodies share in interval grams, rhythm and implied harmony.",
    description: "0.505 * ngrukkon + 0.417 * rhytfuzz + 0.24 * harmcore - 0.146 (published). ngrukkon is 1 \
        minus the differences in the counts of grams of 3 intervals over all grams of both. rhytfuzz is \
        1 minus the edit distance of duration classes over the longer: a note's time to the next, in \
        units, up to 0.45, 0.9, 1.8, 3.3 (published) or above. harmcore is the same of the keys that the \
        profiles of Krumhansl and Kessler find in each segment, with the transposition that fits best. A \
        melody has no bars here, so a segment is a number of quarter notes from its first note. \
        Reconstructed from publications; the authors' program melsim gives the last note no class, \
        counts in a fixed unit and takes one harmony per bar. It is not FM, the entry of MIREX 2005 \
        that papers compare: that was optiP, a combination of six measures for short phrases, which is \
        not available here.",
    reference: "Müllensiefen & Frieler (2004), Cognitive Adequacy in the Measurement of Melodic \
        Similarity: Algorithmic vs. Human Judgments, Computing in Musicology 13, 147-176",
    parameters: &[
        SystemParameter {
            name: "unit",
            values: "quarter|usual",
            default: "usual",
            description: "what durations are counted in: quarter notes, or the most frequent time from one \
                note of the melody to the next",
            source: ParameterSource::Chosen,
            tuning_values: &["quarter", "usual"],
        },
        SystemParameter {
            name: "segment",
            values: "a number above 0",
            default: "4",
            description: "the length of a segment that has one harmony, in quarter notes",
            source: ParameterSource::Chosen,
            tuning_values: &["2", "3", "4", "6"],
        },
    ],
    invariant_to: &[Invariance::Transposition, Invariance::Rests],
    indexed: false,
    tie_rule: TieRule::Length,
    example: "Opti3(segment=3)",
    build: |arguments| {
        Ok(Box::new(Opti3 {
            unit: arguments.choice("unit")?,
            segment: arguments.number("segment", |length| length > 0.0)?,
        }))
    },
};

partita_named::named_enum! {
    /// Unit with which durations are compared to classify them as short or long.
    enum DurationUnit: "unit" {
        /// Quarter notes
        Quarter = "quarter",
        /// The most frequent interval between note onsets
        Usual = "usual",
    }
}

/// Parameters of the system `Opti3`.
#[derive(Clone, Copy, Debug)]
struct Opti3 {
    unit: DurationUnit,
    segment: f64,
}

/// Properties of a melody that `opti3` compares: interval n-grams, rhythm and harmony.
struct MelodyProfile {
    /// N-grams of three intervals, encoded as numbers, in ascending order with repetitions.
    grams: Vec<u32>,
    /// Duration class of each note, from -2 (very short) to 2 (very long), by the time to the next
    /// onset; for the last note, by its duration.
    rhythm: Vec<i8>,
    /// Estimated key of each time segment in which a note begins: 0 to 11 major, 12 to 23 minor,
    /// with the tonic in semitones above the first note.
    harmonies: Vec<u8>,
}

/// Documents prepared for the system `Opti3`, with one row per document.
#[derive(Default)]
struct Documents {
    grams: RaggedArray<u32>,
    rhythms: RaggedArray<i8>,
    harmonies: RaggedArray<u8>,
}

impl Opti3 {
    /// Computes the properties of a melody that `opti3` compares.
    fn profile(self, melody: &Melody) -> MelodyProfile {
        let intervals: Vec<i32> = melody.intervals().collect();
        let number = |gram: &[i32]| {
            let digits = gram.iter().map(|interval| (interval + 128).unsigned_abs());
            digits.fold(0, |number, digit| number * 256 + digit)
        };
        let mut grams: Vec<u32> = intervals.windows(3).map(number).collect();
        grams.sort_unstable();
        MelodyProfile {
            grams,
            rhythm: self.duration_classes(melody),
            harmonies: self.segment_keys(melody),
        }
    }

    /// Returns the duration class of each note, from -2 to 2.
    fn duration_classes(self, melody: &Melody) -> Vec<i8> {
        let notes = melody.notes();
        let times = notes.windows(2).map(|two| two[1].onset - two[0].onset);
        let last = notes[notes.len() - 1].duration;
        let times: Vec<Beats> = times.chain([last]).collect();
        let unit = match self.unit {
            DurationUnit::Quarter => Beats::from_integer(1),
            DurationUnit::Usual => most_frequent_time(&times),
        };
        let class = |time: &Beats| {
            let ratio = beats_to_f64(time / unit);
            let limits = [0.45, 0.9, 1.8, 3.3];
            limits.iter().filter(|&&limit| ratio > limit).count() as i8 - 2
        };
        times.iter().map(class).collect()
    }

    /// Returns the number of the estimated key of each time segment in which a note begins.
    fn segment_keys(self, melody: &Melody) -> Vec<u8> {
        let first = i32::from(melody.notes()[0].pitch.number());
        let segment = |time: Beats| (beats_to_f64(time - melody.start()) / self.segment) as usize;
        let mut segments: Vec<(usize, [f64; 12])> = Vec::new();
        for note in melody.notes() {
            let place = segment(note.onset);
            let class = (i32::from(note.pitch.number()) - first).rem_euclid(12) as usize;
            match segments.last_mut() {
                Some((known, weights)) if *known == place => {
                    weights[class] += beats_to_f64(note.duration);
                }
                _ => {
                    let mut weights = [0.0; 12];
                    weights[class] = beats_to_f64(note.duration);
                    segments.push((place, weights));
                }
            }
        }
        segments
            .iter()
            .map(|(_, times)| best_key_number(times))
            .collect()
    }
}

/// Returns the most frequent time, or the shortest of several that are equally frequent.
fn most_frequent_time(times: &[Beats]) -> Beats {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let runs = sorted.chunk_by(|one, other| one == other);
    // `max_by_key` returns the last of equal values, so the values go from the longest to the
    // shortest.
    let runs = runs.collect::<Vec<&[Beats]>>().into_iter().rev();
    let longest = runs.max_by_key(|run| run.len());
    longest.expect("a melody has notes")[0]
}

/// Returns the number of the key that best fits the total durations of the twelve pitch classes (0
/// to 11 major, 12 to 23 minor), or 0 if all keys fit equally well.
fn best_key_number(times: &[f64; 12]) -> u8 {
    key::best_fitting_key(times).map_or(0, |key| key.tonic as u8 + if key.minor { 12 } else { 0 })
}

/// Returns the similarity of two sequences: 1 minus their edit distance divided by the length of
/// the longer one. `row` is scratch memory.
fn edit_similarity<T: PartialEq>(one: &[T], other: &[T], row: &mut Vec<u32>) -> f64 {
    let longer = one.len().max(other.len());
    1.0 - f64::from(edit_distance(one, other, row)) / longer as f64
}

/// Returns Ukkonen's n-gram measure as a similarity: 1 minus the sum of absolute differences
/// between the n-gram counts of two melodies, divided by the number of n-grams of both.
fn gram_similarity(one: &[u32], other: &[u32]) -> f64 {
    let (mut ours, mut theirs) = (one.iter().peekable(), other.iter().peekable());
    let mut shared = 0;
    while let (Some(gram), Some(next)) = (ours.peek(), theirs.peek()) {
        match gram.cmp(next) {
            std::cmp::Ordering::Less => _ = ours.next(),
            std::cmp::Ordering::Greater => _ = theirs.next(),
            std::cmp::Ordering::Equal => {
                shared += 1;
                ours.next();
                theirs.next();
            }
        }
    }
    2.0 * f64::from(shared) / (one.len() + other.len()) as f64
}

/// Scratch memory for comparing a query with a document.
#[derive(Default)]
struct ScratchBuffers {
    row: Vec<u32>,
    transposed: Vec<u8>,
}

impl Scorer for Opti3 {
    type Documents = Documents;
    type Query = MelodyProfile;
    type Scratch = ScratchBuffers;

    fn min_notes(&self) -> usize {
        4
    }

    fn add(&self, documents: &mut Documents, melody: &Melody) {
        let profile = self.profile(melody);
        documents.grams.push(profile.grams);
        documents.rhythms.push(profile.rhythm);
        documents.harmonies.push(profile.harmonies);
    }

    fn prepare_query(&self, _: &Documents, query: &Melody) -> MelodyProfile {
        self.profile(query)
    }

    fn score(
        &self,
        documents: &Documents,
        query: &MelodyProfile,
        document: usize,
        scratch: &mut ScratchBuffers,
    ) -> f64 {
        let grams = gram_similarity(&query.grams, documents.grams.row(document));
        let rhythm = documents.rhythms.row(document);
        let rhythm = edit_similarity(&query.rhythm, rhythm, &mut scratch.row);
        let theirs = documents.harmonies.row(document);
        let mut harmony = 0.0f64;
        for semitones in 0..12 {
            let transposed = query.harmonies.iter().map(|key| match key {
                0..12 => (key + semitones) % 12,
                _ => (key + semitones) % 12 + 12,
            });
            scratch.transposed.clear();
            scratch.transposed.extend(transposed);
            let similarity = edit_similarity(&scratch.transposed, theirs, &mut scratch.row);
            harmony = harmony.max(similarity);
        }
        0.505 * grams + 0.417 * rhythm + 0.24 * harmony - 0.146
    }
}
