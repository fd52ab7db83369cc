//! Hybrid alignment: similarity of two melodies from their starts.
//!
//! Changes at the start cost as in a global alignment. The score is the best of all cells, so
//! changes at the end cost nothing (Urbano, Lloréns, Morato and Sánchez-Cuadrado 2010). Let H(i, j)
//! be the cell of the first i grams of one melody and the first j of the other. The score is the
//! maximum of H, divided by the length of the shorter melody.
//!
//! Let s(i, j) be the score of aligning two grams, g the negative score of skipping a gram, and G
//! the sum of g over all grams so far. The implementation uses H'(i, j) = H(i, j) - G(i) - G(j). A
//! gap is then free, and each cell needs only a maximum:
//!
//! H'(i, j) = max(H'(i-1, j), H'(i, j-1), H'(i-1, j-1) + s(i, j) - g(i) - g(j)), and 0 at the
//! borders.

use std::ops::{Add, Sub};

/// Number type of alignment scores. Integers make scores exact.
pub(crate) trait ScoreNumber:
    Copy + Default + PartialOrd + Add<Output = Self> + Sub<Output = Self>
{
    /// Value below every score.
    const LEAST: Self;
}

impl ScoreNumber for i64 {
    // Half of the range, so that additions do not overflow.
    const LEAST: Self = i64::MIN / 2;
}

impl ScoreNumber for f64 {
    const LEAST: Self = f64::NEG_INFINITY;
}

fn higher<T: ScoreNumber>(one: T, other: T) -> T {
    if one > other { one } else { other }
}

/// Scores of skipping the grams of a query (gaps).
pub(crate) struct GapCosts<T> {
    /// Score of skipping each gram; at most 0.
    gaps: Vec<T>,
    /// Score of skipping all grams up to and including each gram.
    cumulative: Vec<T>,
}

impl<T: ScoreNumber> GapCosts<T> {
    /// Creates gap costs from the (negative) score of skipping each gram.
    pub(crate) fn new(gaps: Vec<T>) -> Self {
        let mut sum = T::default();
        let cumulative = gaps.iter().map(|&gap| {
            sum = sum + gap;
            sum
        });
        let cumulative = cumulative.collect();
        Self { gaps, cumulative }
    }

    /// Subtracts the gap score of each gram of the query from its score for a gram of a document,
    /// as [`align`] expects.
    pub(crate) fn subtract_gaps(
        &self,
        scores: impl IntoIterator<Item = T>,
    ) -> impl Iterator<Item = T> {
        let pairs = scores.into_iter().zip(&self.gaps);
        pairs.map(|(score, &gap)| score - gap)
    }
}

/// Results of an alignment, not yet divided by a length.
pub(crate) struct AlignmentScores<T> {
    /// Highest value of all cells.
    pub(crate) highest: T,
    /// Value of the last cell, at the ends of both melodies.
    pub(crate) last: T,
}

/// Computes the cells of an alignment. It begins at the starts of both melodies or, if `ANYWHERE`
/// is true, at any cell (local alignment). In a local alignment no cell is below 0, and gaps before
/// the first match cost nothing.
///
/// `document` yields for each gram of the document its gap score and the scores of the query's
/// grams for it, converted by [`GapCosts::subtract_gaps`]. `row` is scratch memory.
pub(crate) fn align<'a, const ANYWHERE: bool, T: ScoreNumber + 'a>(
    query: &GapCosts<T>,
    document: impl Iterator<Item = (T, &'a [T])>,
    row: &mut Vec<T>,
) -> AlignmentScores<T> {
    // Value of H' at the border. In a local alignment H is 0 there, so H' is the negated gap score.
    // Otherwise H is the gap score, so H' is 0.
    let border = |skipped: T| {
        let nothing = T::default();
        if ANYWHERE { nothing - skipped } else { nothing }
    };
    row.clear();
    row.extend(query.cumulative.iter().map(|&skipped| border(skipped)));
    let row = row.as_mut_slice();
    let cumulative = &query.cumulative[..row.len()];
    let mut best = T::LEAST;
    let mut skipped = T::default();
    for (gap, scores) in document {
        let mut diagonal = border(skipped);
        skipped = skipped + gap;
        let mut above = border(skipped);
        let scores = &scores[..row.len()];
        let mut highest = T::LEAST;
        for ((cell, &score), &before) in row.iter_mut().zip(scores).zip(cumulative) {
            let matched = diagonal + score - gap;
            diagonal = *cell;
            above = higher(above, higher(matched, *cell));
            if ANYWHERE {
                above = higher(above, border(before + skipped));
            }
            *cell = above;
            highest = higher(highest, above + before);
        }
        best = higher(best, highest + skipped);
    }
    let ends = row.last().zip(query.cumulative.last());
    let (&cell, &before) = ends.expect("a query that is long enough has grams");
    AlignmentScores {
        highest: best,
        last: cell + before + skipped,
    }
}

/// Returns the score of a hybrid alignment, not yet divided by a length.
pub(crate) fn hybrid<'a, T: ScoreNumber + 'a>(
    query: &GapCosts<T>,
    document: impl Iterator<Item = (T, &'a [T])>,
    row: &mut Vec<T>,
) -> T {
    align::<false, T>(query, document, row).highest
}

/// Computes the tie-breaking score of MelodyShape: the score of a hybrid alignment in which equal
/// grams add 1, and different grams and gaps subtract 1, divided by the length of the shorter
/// melody.
pub(crate) fn exact_pitch_alignment<T: PartialEq>(query: &[T], document: &[T]) -> f64 {
    let mut row: Vec<i32> = (0..=query.len()).map(|skipped| -(skipped as i32)).collect();
    let mut best = i32::MIN;
    for (gram, skipped) in document.iter().zip(1..) {
        let mut diagonal = row[0];
        row[0] = -skipped;
        for at in 1..row.len() {
            let equal = if query[at - 1] == *gram { 1 } else { -1 };
            let gap = row[at].max(row[at - 1]) - 1;
            let cell = gap.max(diagonal + equal);
            diagonal = row[at];
            row[at] = cell;
            best = best.max(cell);
        }
    }
    f64::from(best) / query.len().min(document.len()) as f64
}
