//! Hybrid alignment: similarity of two melodies from their starts.
//!
//! Changes at the start cost as in a global alignment. The score is the best of all cells, so
//! changes at the end cost nothing (Urbano, Lloréns, Morato and Sánchez-Cuadrado 2010). Let H(i, j)
//! be the cell of the first i n-grams of one melody and the first j of the other. The score is the
//! maximum of H over i, j ≥ 1, divided by the number of n-grams of the shorter melody.
//!
//! Let s(i, j) be the score of aligning two n-grams, g the score of skipping an n-gram (at most 0),
//! and G the sum of g over all n-grams so far. The implementation uses H'(i, j) = H(i, j) - G(i) -
//! G(j). A gap is then free, and each cell needs only a maximum:
//!
//! H'(i, j) = max(H'(i-1, j), H'(i, j-1), H'(i-1, j-1) + s(i, j) - g(i) - g(j)), and 0 at the
//! borders.

use std::ops::{Add, Sub};

/// Number type of alignment scores. With integers, scores are exact.
pub(crate) trait ScoreNumber:
    Copy + Default + PartialOrd + Add<Output = Self> + Sub<Output = Self>
{
    /// Value below every possible score.
    const BELOW_ALL_SCORES: Self;
}

impl ScoreNumber for i64 {
    // Half of the range, so that additions do not overflow.
    const BELOW_ALL_SCORES: Self = i64::MIN / 2;
}

impl ScoreNumber for f64 {
    const BELOW_ALL_SCORES: Self = f64::NEG_INFINITY;
}

/// Returns the larger of two scores.
fn larger<T: ScoreNumber>(one: T, other: T) -> T {
    if one > other { one } else { other }
}

/// Scores of skipping n-grams of a query in an alignment (gaps).
pub(crate) struct GapCosts<T> {
    /// Score of skipping each n-gram; at most 0.
    gaps: Vec<T>,
    /// Score of skipping all n-grams up to and including each n-gram.
    cumulative: Vec<T>,
}

impl<T: ScoreNumber> GapCosts<T> {
    /// Creates gap costs from the score, at most 0, of skipping each n-gram of the query.
    pub(crate) fn new(gaps: Vec<T>) -> Self {
        let mut sum = T::default();
        let cumulative = gaps.iter().map(|&gap| {
            sum = sum + gap;
            sum
        });
        let cumulative = cumulative.collect();
        Self { gaps, cumulative }
    }

    /// Subtracts from the score of each n-gram of the query, for one n-gram of a document, the gap
    /// score of the n-gram of the query. The result is what [`align`] expects.
    pub(crate) fn subtract_gaps(
        &self,
        scores: impl IntoIterator<Item = T>,
    ) -> impl Iterator<Item = T> {
        let pairs = scores.into_iter().zip(&self.gaps);
        pairs.map(|(score, &gap)| score - gap)
    }
}

/// Scores of an alignment, not yet divided by the number of n-grams of a melody.
pub(crate) struct AlignmentScores<T> {
    /// Highest value of all cells of the alignment matrix, without its borders.
    pub(crate) highest: T,
    /// Value of the last cell of the alignment matrix, at the ends of both melodies.
    pub(crate) last: T,
}

/// Computes the cells of the alignment matrix. The alignment begins at the starts of both melodies
/// or, if `LOCAL` is true, at any cell (local alignment). In a local alignment no cell is below 0,
/// and gaps before the first match cost nothing.
///
/// `document` yields for each n-gram of the document its gap score and the scores of the query's
/// n-grams for it, converted by [`GapCosts::subtract_gaps`]. `row` is scratch memory.
pub(crate) fn align<'a, const LOCAL: bool, T: ScoreNumber + 'a>(
    query: &GapCosts<T>,
    document: impl Iterator<Item = (T, &'a [T])>,
    row: &mut Vec<T>,
) -> AlignmentScores<T> {
    // Value of H' at the border. In a local alignment H is 0 there, so H' is the negated gap score.
    // Otherwise H is the gap score, so H' is 0.
    let border = |skipped: T| {
        let nothing = T::default();
        if LOCAL { nothing - skipped } else { nothing }
    };
    row.clear();
    row.extend(query.cumulative.iter().map(|&skipped| border(skipped)));
    let row = row.as_mut_slice();
    let cumulative = &query.cumulative[..row.len()];
    let mut best = T::BELOW_ALL_SCORES;
    let mut skipped = T::default();
    for (gap, scores) in document {
        let mut diagonal = border(skipped);
        skipped = skipped + gap;
        let mut above = border(skipped);
        let scores = &scores[..row.len()];
        let mut highest = T::BELOW_ALL_SCORES;
        for ((cell, &score), &before) in row.iter_mut().zip(scores).zip(cumulative) {
            let matched = diagonal + score - gap;
            diagonal = *cell;
            above = larger(above, larger(matched, *cell));
            if LOCAL {
                above = larger(above, border(before + skipped));
            }
            *cell = above;
            highest = larger(highest, above + before);
        }
        best = larger(best, highest + skipped);
    }
    let ends = row.last().zip(query.cumulative.last());
    let (&cell, &before) = ends.expect("a prepared query has at least one n-gram");
    AlignmentScores {
        highest: best,
        last: cell + before + skipped,
    }
}

/// Returns the score of a hybrid alignment, not yet divided by the number of n-grams of a melody.
pub(crate) fn hybrid_score<'a, T: ScoreNumber + 'a>(
    query: &GapCosts<T>,
    document: impl Iterator<Item = (T, &'a [T])>,
    row: &mut Vec<T>,
) -> T {
    align::<false, T>(query, document, row).highest
}

/// Computes a score for breaking ties, with which the program MelodyShape compares n-grams of
/// pitches: the score of a hybrid alignment in which equal n-grams add 1, and different n-grams and
/// gaps subtract 1, divided by the number of n-grams of the shorter melody.
pub(crate) fn equal_gram_alignment<T: PartialEq>(query: &[T], document: &[T]) -> f64 {
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
