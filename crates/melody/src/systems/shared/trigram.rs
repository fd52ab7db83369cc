//! Trigrams: n-grams of three successive notes, which several systems compare.

use super::ragged::RaggedArray;
use crate::Melody;

/// Three successive notes, given by their two intervals, which are encoded as one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Trigram(u16);

/// Largest interval between two MIDI pitches, in semitones.
const MAX_INTERVAL: i32 = 127;
/// Number of possible intervals between two MIDI pitches, up and down.
const INTERVAL_COUNT: i32 = 2 * MAX_INTERVAL + 1;

impl Trigram {
    /// Number of possible trigrams.
    pub(crate) const COUNT: usize = (INTERVAL_COUNT * INTERVAL_COUNT) as usize;

    /// Creates a trigram from its two intervals, in semitones.
    fn new(first: i32, second: i32) -> Self {
        let number = (first + MAX_INTERVAL) * INTERVAL_COUNT + second + MAX_INTERVAL;
        Self(u16::try_from(number).expect("two intervals of MIDI pitches make 65,025 pairs"))
    }

    /// Iterates over all possible trigrams, in order of their numbers.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        (-MAX_INTERVAL..=MAX_INTERVAL)
            .flat_map(|first| (-MAX_INTERVAL..=MAX_INTERVAL).map(move |s| Self::new(first, s)))
    }

    /// Iterates over the trigrams of a melody, in time order.
    pub(crate) fn iter_melody(melody: &Melody) -> impl Iterator<Item = Self> + '_ {
        let intervals = melody.intervals();
        let next = melody.intervals().skip(1);
        intervals
            .zip(next)
            .map(|(first, second)| Self::new(first, second))
    }

    /// Returns the index of the trigram among all possible trigrams, from 0.
    pub(crate) fn number(self) -> usize {
        usize::from(self.0)
    }

    /// Returns the two intervals of the trigram, in semitones.
    pub(crate) fn intervals(self) -> [i32; 2] {
        let number = i32::from(self.0);
        [
            number / INTERVAL_COUNT - MAX_INTERVAL,
            number % INTERVAL_COUNT - MAX_INTERVAL,
        ]
    }
}

/// Trigrams of the documents of a collection, and their frequencies.
pub(crate) struct TrigramCounts {
    /// Trigrams of each document, in time order.
    pub(crate) by_document: RaggedArray<Trigram>,
    /// Number of occurrences of each possible trigram in the collection, by trigram number.
    pub(crate) counts: Vec<u64>,
    /// Number of occurrences of all trigrams in the collection.
    pub(crate) total: u64,
}

impl Default for TrigramCounts {
    fn default() -> Self {
        Self {
            by_document: RaggedArray::default(),
            counts: vec![0; Trigram::COUNT],
            total: 0,
        }
    }
}

impl TrigramCounts {
    /// Adds the trigrams of a melody as the next document.
    pub(crate) fn add(&mut self, melody: &Melody) {
        for gram in Trigram::iter_melody(melody) {
            self.counts[gram.number()] += 1;
            self.total += 1;
        }
        self.by_document.push(Trigram::iter_melody(melody));
    }

    /// Returns the share of a trigram among all trigram occurrences in the collection.
    pub(crate) fn frequency(&self, gram: Trigram) -> f64 {
        self.counts[gram.number()] as f64 / self.total as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trigram_numbers_encode_intervals_reversibly() {
        for intervals in [[-127, -127], [0, 0], [-12, 127], [127, 127]] {
            let gram = Trigram::new(intervals[0], intervals[1]);
            assert_eq!(gram.intervals(), intervals);
        }
        assert_eq!(Trigram::all().count(), Trigram::COUNT);
        assert!(
            (0..)
                .zip(Trigram::all())
                .all(|(n, gram)| gram.number() == n)
        );
    }
}
