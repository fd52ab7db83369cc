//! Hybrid alignment: what two melodies share from their beginnings on.
//!
//! Changes at the beginning cost as in a global alignment, and the score is the best of any cell, so that
//! changes at the end cost nothing (Urbano, Lloréns, Morato and Sánchez-Cuadrado 2010): over the
//! cells H(i, j) of the first i grams of one and the first j of the other, the maximum over the length
//! of the shorter.
//!
//! Written here in the form H'(i, j) = H(i, j) - G(i) - G(j), with G the cost of skipping all grams so
//! far. A gap is then free and only a maximum is left on the way from cell to cell:
//!
//! H'(i, j) = max(H'(i-1, j), H'(i, j-1), H'(i-1, j-1) + s(i, j) - g(i) - g(j)), and 0 at the borders.

use std::ops::{Add, Sub};

/// What alignments add up: whole numbers where a score has them, which makes it exact.
pub(crate) trait ScoreNumber:
    Copy + Default + PartialOrd + Add<Output = Self> + Sub<Output = Self>
{
    /// Below every score.
    const LEAST: Self;
}

impl ScoreNumber for i64 {
    // Half of the range, so that nothing that is added to it leaves the range.
    const LEAST: Self = i64::MIN / 2;
}

impl ScoreNumber for f64 {
    const LEAST: Self = f64::NEG_INFINITY;
}

fn higher<T: ScoreNumber>(one: T, other: T) -> T {
    if one > other { one } else { other }
}

/// The grams of a query and what it costs to skip them.
pub(crate) struct GapCosts<T> {
    /// For each gram.
    each: Vec<T>,
    /// For all up to each.
    so_far: Vec<T>,
}

impl<T: ScoreNumber> GapCosts<T> {
    /// From what each gram adds if it is skipped (which is negative).
    pub(crate) fn new(each: Vec<T>) -> Self {
        let mut sum = T::default();
        let so_far = each.iter().map(|&gap| {
            sum = sum + gap;
            sum
        });
        let so_far = so_far.collect();
        Self { each, so_far }
    }

    /// Turns what each gram scores beside a gram of a document into what [`align`] takes.
    pub(crate) fn subtract_gaps(
        &self,
        scores: impl IntoIterator<Item = T>,
    ) -> impl Iterator<Item = T> {
        let pairs = scores.into_iter().zip(&self.each);
        pairs.map(|(score, &gap)| score - gap)
    }
}

/// What the cells of an alignment come to, not yet divided by a length.
pub(crate) struct AlignmentScores<T> {
    /// The highest of them.
    pub(crate) highest: T,
    /// That of both ends.
    pub(crate) last: T,
}

/// Fills the cells of an alignment that starts with the beginnings or, if `ANYWHERE`, at the best place: no
/// cell is below 0 then, and a gap at a beginning costs nothing.
///
/// `document` gives for each gram what skipping it adds, and the scores of the query's grams beside it,
/// made by [`Skips::less`]. `row` is room to write on.
pub(crate) fn align<'a, const ANYWHERE: bool, T: ScoreNumber + 'a>(
    query: &GapCosts<T>,
    document: impl Iterator<Item = (T, &'a [T])>,
    row: &mut Vec<T>,
) -> AlignmentScores<T> {
    // H' where H is 0 after so much was skipped, or where all of it was paid for.
    let border = |skipped: T| {
        let nothing = T::default();
        if ANYWHERE { nothing - skipped } else { nothing }
    };
    row.clear();
    row.extend(query.so_far.iter().map(|&skipped| border(skipped)));
    let row = row.as_mut_slice();
    let so_far = &query.so_far[..row.len()];
    let mut best = T::LEAST;
    let mut skipped = T::default();
    for (gap, scores) in document {
        let mut diagonal = border(skipped);
        skipped = skipped + gap;
        let mut above = border(skipped);
        let scores = &scores[..row.len()];
        let mut highest = T::LEAST;
        for ((cell, &score), &before) in row.iter_mut().zip(scores).zip(so_far) {
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
    let ends = row.last().zip(query.so_far.last());
    let (&cell, &before) = ends.expect("a query that is long enough has grams");
    AlignmentScores {
        highest: best,
        last: cell + before + skipped,
    }
}

/// The score of a hybrid alignment, not yet divided by a length.
pub(crate) fn hybrid<'a, T: ScoreNumber + 'a>(
    query: &GapCosts<T>,
    document: impl Iterator<Item = (T, &'a [T])>,
    row: &mut Vec<T>,
) -> T {
    align::<false, T>(query, document, row).highest
}

/// The tie rule of MelodyShape: the hybrid alignment in which equal grams add 1, different ones and
/// gaps -1.
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
