//! Grams: runs of neighbouring notes, by which most systems compare.

use crate::Melody;

/// Values of many melodies, one after the other.
///
/// One block of memory for all: a search reads it from one end to the other.
pub(crate) struct RaggedArray<T> {
    values: Vec<T>,
    ends: Vec<usize>,
}

impl<T> RaggedArray<T> {
    pub(crate) fn new() -> Self {
        Self {
            values: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// Adds what belongs to the next melody.
    pub(crate) fn push(&mut self, line: impl IntoIterator<Item = T>) {
        self.values.extend(line);
        self.ends.push(self.values.len());
    }

    /// How many melodies there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// What belongs to a melody.
    pub(crate) fn row(&self, number: usize) -> &[T] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.values[start..self.ends[number]]
    }
}

/// A gram of three notes by its two intervals, as one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Trigram(u16);

/// The largest interval between two MIDI pitches.
const WIDEST: i32 = 127;
const SIZES: i32 = 2 * WIDEST + 1;

impl Trigram {
    /// How many there are.
    pub(crate) const COUNT: usize = (SIZES * SIZES) as usize;

    fn new(first: i32, second: i32) -> Self {
        let number = (first + WIDEST) * SIZES + second + WIDEST;
        Self(u16::try_from(number).expect("two intervals of MIDI pitches make 65,025 pairs"))
    }

    /// Every one of them.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        (-WIDEST..=WIDEST).flat_map(|first| (-WIDEST..=WIDEST).map(move |s| Self::new(first, s)))
    }

    /// Those of a melody, in order.
    pub(crate) fn iter_melody(melody: &Melody) -> impl Iterator<Item = Self> + '_ {
        let intervals = melody.intervals();
        let next = melody.intervals().skip(1);
        intervals
            .zip(next)
            .map(|(first, second)| Self::new(first, second))
    }

    /// Its place in a table of all.
    pub(crate) fn number(self) -> usize {
        usize::from(self.0)
    }

    /// Its two intervals.
    pub(crate) fn intervals(self) -> [i32; 2] {
        let number = i32::from(self.0);
        [number / SIZES - WIDEST, number % SIZES - WIDEST]
    }
}

/// The trigrams of a collection and how frequent each is.
pub(crate) struct TrigramCounts {
    pub(crate) lines: RaggedArray<Trigram>,
    /// How often each is found, by its number.
    pub(crate) counts: Vec<u64>,
    /// How many there are in all.
    pub(crate) total: u64,
}

impl TrigramCounts {
    pub(crate) fn none() -> Self {
        Self {
            lines: RaggedArray::new(),
            counts: vec![0; Trigram::COUNT],
            total: 0,
        }
    }

    pub(crate) fn add(&mut self, melody: &Melody) {
        for gram in Trigram::iter_melody(melody) {
            self.counts[gram.number()] += 1;
            self.total += 1;
        }
        self.lines.push(Trigram::iter_melody(melody));
    }

    /// Its share of all grams.
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
