//! O: n-grams of intervals, of rhythms and of both, weighted by TF-IDF like the words of a text
//! (Orio).
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
//! let documents = [melody(&[60, 62, 64, 65, 67, 69]), melody(&[60, 59, 59, 67, 64, 72])];
//! let collection = systems::parse("O")?.prepare(&mut documents.into_iter());
//! // The first document has all grams of the query with the same frequencies: all cosines are 1. The
//! // second shares only the rhythm, which all melodies have here.
//! assert_eq!(collection.score(&melody(&[65, 67, 69, 70, 72, 74]), 0), Some(1.0));
//! assert!(collection.score(&melody(&[65, 67, 69, 70, 72, 74]), 1) < Some(0.2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::HashMap;

use super::scorer::Scorer;
use super::shared::ragged::RaggedArray;
use super::{ALL_INVARIANCES, ParameterSource, SystemDefinition, SystemParameter, TieRule};
use crate::note::beats_to_f64;
use crate::{Beats, Melody};

/// Definition of the system `O`.
pub(super) static DEFINITION: SystemDefinition = SystemDefinition {
    name: "O",
    aliases: &["Orio"],
    summary: "Grams of intervals, of rhythms and of both, weighed as words of a text are.",
    description: "Three texts are made of a melody: its intervals, its ratios of times from note to note \
        (by powers of 2, rounded), and the pairs of both. Their words are grams of `shortest` to `longest` \
        symbols. A word counts by how often it is found and by the logarithm of 1 + N / d, where d of the N \
        documents have it; one that no document has is left out. The score is the weighted mean of the three \
        cosines. Reconstructed from publications; the weights and lengths were tuned \
        as those of Align were.",
    reference: "Orio (2005), Combining multilevel and multifeature representation to compute melodic \
        similarity, MIREX 2005",
    parameters: &[
        SystemParameter {
            name: "shortest",
            values: "a whole number from 1 to 6",
            default: "2",
            description: "how many symbols the shortest grams have",
            source: ParameterSource::Tuned,
            tuning_values: &["2", "3", "4"],
        },
        SystemParameter {
            name: "longest",
            values: "a whole number from 1 to 6",
            default: "6",
            description: "how many symbols the longest grams have",
            source: ParameterSource::Tuned,
            tuning_values: &["3", "4", "5", "6"],
        },
        SystemParameter {
            name: "pitch",
            values: "a number from 0",
            default: "1",
            description: "what the cosine of intervals weighs",
            source: ParameterSource::Tuned,
            tuning_values: &["0.5", "1", "2"],
        },
        SystemParameter {
            name: "rhythm",
            values: "a number from 0",
            default: "0.25",
            description: "what the cosine of rhythms weighs",
            source: ParameterSource::Tuned,
            tuning_values: &["0", "0.25", "0.5", "1"],
        },
        SystemParameter {
            name: "both",
            values: "a number from 0",
            default: "2",
            description: "what the cosine of pairs weighs",
            source: ParameterSource::Tuned,
            tuning_values: &["0", "0.5", "1", "2"],
        },
    ],
    invariant_to: ALL_INVARIANCES,
    indexed: false,
    tie_rule: TieRule::Length,
    example: "O(rhythm=0.5)",
    build: |arguments| {
        let shortest = arguments.count("shortest", |n| (1..=6).contains(&n))?;
        let longest = arguments.count("longest", |n| (1..=6).contains(&n))?;
        let weight = |name| arguments.number(name, |weight| weight >= 0.0);
        Ok(Box::new(Orio {
            shortest,
            // A lower value of `longest` counts as `shortest`.
            longest: longest.max(shortest),
            weights: [weight("pitch")?, weight("rhythm")?, weight("both")?],
        }))
    },
};

/// Parameters of the system `O`: lengths of n-grams, and weight of each text.
#[derive(Clone, Copy, Debug)]
struct Orio {
    shortest: usize,
    longest: usize,
    weights: [f64; 3],
}

/// Number of symbol sequences ("texts") into which a melody is converted: intervals, rhythms, and
/// both combined.
const TEXT_COUNT: usize = 3;

/// Word (n-gram of symbols of one text), encoded as the bytes of a number: number of the text from
/// 1, length, and symbols.
type WordCode = u64;

/// Documents prepared for the system `O`, as TF-IDF vectors over words.
#[derive(Default)]
struct Documents {
    /// Words of each document, from all of its texts: index in the vocabulary and term frequency.
    words: RaggedArray<(u32, f32)>,
    /// Vocabulary of the collection: index of each word, from 0.
    word_indices: HashMap<WordCode, u32>,
    /// Index of the text (interval, rhythm or both) to which each word belongs, by word index.
    texts: Vec<u8>,
    /// Number of documents that contain each word, by word index.
    document_counts: Vec<u32>,
    /// Inverse document frequency of each word, by word index.
    idf: Vec<f64>,
    /// Euclidean norms of the TF-IDF vectors of each document, one per text.
    norms: Vec<[f64; TEXT_COUNT]>,
}

/// Query prepared for the system `O`.
struct Query {
    /// For each word of the vocabulary, the factor of its term frequency in the score of a
    /// document: normalised TF-IDF weight in the query, times the weight of the symbolic encoding of
    /// the melody to which the word belongs, times IDF.
    weights: Vec<f64>,
}

impl Orio {
    /// Counts the words (n-grams) in all texts of a melody.
    fn count_words(self, melody: &Melody) -> Vec<(WordCode, u32)> {
        let notes = melody.notes();
        let interval = |interval: i32| (interval.clamp(-12, 12) + 12).unsigned_abs();
        let times = notes.windows(2).map(|two| two[1].onset - two[0].onset);
        let last = notes[notes.len() - 1].duration;
        let times: Vec<Beats> = times.chain([last]).collect();
        let ratio = |two: &[Beats]| {
            let ratio = beats_to_f64(two[1] / two[0]);
            (libm::log2(ratio).round().clamp(-3.0, 3.0) + 3.0) as u32
        };
        let symbols: Vec<[u32; TEXT_COUNT]> = (melody.intervals().zip(times.windows(2)))
            .map(|(step, two)| {
                let (pitch, rhythm) = (interval(step), ratio(two));
                [pitch, rhythm, pitch * 7 + rhythm]
            })
            .collect();
        let mut words = Vec::new();
        for length in self.shortest..=self.longest {
            for gram in symbols.windows(length) {
                for text in 0..TEXT_COUNT {
                    let start = (text as u64 + 1) << 8 | length as u64;
                    let symbols = gram.iter().map(|symbols| u64::from(symbols[text]));
                    words.push(symbols.fold(start, |word, symbol| word << 8 | symbol));
                }
            }
        }
        words.sort_unstable();
        let runs = words.chunk_by(|one, other| one == other);
        runs.map(|run| (run[0], run.len() as u32)).collect()
    }
}

/// Returns the index, from 0, of the text to which a word belongs. The first byte of the word is
/// this index + 1.
fn text_of_word(word: WordCode) -> u8 {
    let mut head = word;
    while head > 0xff {
        head >>= 8;
    }
    head as u8 - 1
}

impl Scorer for Orio {
    type Documents = Documents;
    type Query = Query;
    type Scratch = ();

    fn min_notes(&self) -> usize {
        self.shortest + 1
    }

    fn add(&self, documents: &mut Documents, melody: &Melody) {
        let words: Vec<(u32, f32)> = (self.count_words(melody).into_iter())
            .map(|(word, times)| {
                let new = documents.texts.len() as u32;
                let number = *documents.word_indices.entry(word).or_insert(new);
                if number == new {
                    documents.texts.push(text_of_word(word));
                    documents.document_counts.push(0);
                }
                documents.document_counts[number as usize] += 1;
                (number, times as f32)
            })
            .collect();
        documents.words.push(words);
        documents.norms.push([0.0; TEXT_COUNT]);
    }

    fn finish_documents(&self, documents: &mut Documents) {
        let all = documents.norms.len() as f64;
        let idf = |&count: &u32| libm::log(1.0 + all / f64::from(count));
        documents.idf = documents.document_counts.iter().map(idf).collect();
        for (number, norms) in documents.norms.iter_mut().enumerate() {
            for &(word, times) in documents.words.row(number) {
                let weight = f64::from(times) * documents.idf[word as usize];
                norms[usize::from(documents.texts[word as usize])] += weight * weight;
            }
            *norms = norms.map(f64::sqrt);
        }
    }

    fn prepare_query(&self, documents: &Documents, query: &Melody) -> Query {
        let words = self.count_words(query).into_iter();
        let known = words.filter_map(|(word, times)| {
            let number = *documents.word_indices.get(&word)? as usize;
            Some((number, f64::from(times) * documents.idf[number]))
        });
        let known: Vec<(usize, f64)> = known.collect();
        let mut norms = [0.0; TEXT_COUNT];
        for &(number, weight) in &known {
            norms[usize::from(documents.texts[number])] += weight * weight;
        }
        let whole: f64 = self.weights.iter().sum();
        let mut weights = vec![0.0; documents.texts.len()];
        for (number, weight) in known {
            let text = usize::from(documents.texts[number]);
            let share = self.weights[text] / whole;
            weights[number] = weight / norms[text].sqrt() * share * documents.idf[number];
        }
        Query { weights }
    }

    fn score(&self, documents: &Documents, query: &Query, document: usize, (): &mut ()) -> f64 {
        let mut products = [0.0; TEXT_COUNT];
        for &(word, times) in documents.words.row(document) {
            let word = word as usize;
            let text = usize::from(documents.texts[word]);
            products[text] += query.weights[word] * f64::from(times);
        }
        let norms = documents.norms[document];
        let cosines = products.iter().zip(norms).filter(|(_, norm)| *norm > 0.0);
        cosines.map(|(product, norm)| product / norm).sum()
    }
}
