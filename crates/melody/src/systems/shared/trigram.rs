//! Grams: sequences of neighbouring notes, which most systems compare.

use super::ragged::RaggedArray;
use crate::Melody;

/// Gram of three notes, encoded by its two intervals as one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Trigram(u16);

/// Largest interval between two MIDI pitches, in semitones.
const WIDEST: i32 = 127;
const SIZES: i32 = 2 * WIDEST + 1;

impl Trigram {
    /// Number of possible trigrams.
    pub(crate) const COUNT: usize = (SIZES * SIZES) as usize;

    fn new(first: i32, second: i32) -> Self {
        let number = (first + WIDEST) * SIZES + second + WIDEST;
        Self(u16::try_from(number).expect("two intervals of MIDI pitches make 65,025 pairs"))
    }

    /// Iterates over all possible trigrams.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        (-WIDEST..=WIDEST).flat_map(|first| (-WIDEST..=WIDEST).map(move |s| Self::new(first, s)))
    }

    /// Iterates over the trigrams of a melody in order.
    pub(crate) fn iter_melody(melody: &Melody) -> impl Iterator<Item = Self> + '_ {
        let intervals = melody.intervals();
        let next = melody.intervals().skip(1);
        intervals
            .zip(next)
            .map(|(first, second)| Self::new(first, second))
    }

    /// Returns the index in a table of all trigrams.
    pub(crate) fn number(self) -> usize {
        usize::from(self.0)
    }

    /// Returns the two intervals.
    pub(crate) fn intervals(self) -> [i32; 2] {
        let number = i32::from(self.0);
        [number / SIZES - WIDEST, number % SIZES - WIDEST]
    }
}

/// Trigrams of a collection and their frequencies.
pub(crate) struct TrigramCounts {
    /// Trigrams of each document.
    pub(crate) lines: RaggedArray<Trigram>,
    /// Number of occurrences, by trigram index.
    pub(crate) counts: Vec<u64>,
    /// Total number of trigrams.
    pub(crate) total: u64,
}

impl Default for TrigramCounts {
    fn default() -> Self {
        Self {
            lines: RaggedArray::default(),
            counts: vec![0; Trigram::COUNT],
            total: 0,
        }
    }
}

impl TrigramCounts {
    pub(crate) fn add(&mut self, melody: &Melody) {
        for gram in Trigram::iter_melody(melody) {
            self.counts[gram.number()] += 1;
            self.total += 1;
        }
        self.lines.push(Trigram::iter_melody(melody));
    }

    /// Returns the relative frequency of a trigram.
    pub(crate) fn frequency(&self, gram: Trigram) -> f64 {
        self.counts[gram.number()] as f64 / self.total as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trigram_gives_its_intervals_back() {
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
