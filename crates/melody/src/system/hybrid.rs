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
pub(super) trait Amount:
    Copy + Default + PartialOrd + Add<Output = Self> + Sub<Output = Self>
{
    /// Below every score.
    const LEAST: Self;
}

impl Amount for i64 {
    // Half of the range, so that nothing that is added to it leaves the range.
    const LEAST: Self = i64::MIN / 2;
}

impl Amount for f64 {
    const LEAST: Self = f64::NEG_INFINITY;
}

fn higher<T: Amount>(one: T, other: T) -> T {
    if one > other { one } else { other }
}

/// The grams of a query and what it costs to skip them.
pub(super) struct Skips<T> {
    /// For each gram.
    each: Vec<T>,
    /// For all up to each.
    so_far: Vec<T>,
}

impl<T: Amount> Skips<T> {
    /// From what each gram adds if it is skipped (which is negative).
    pub(super) fn new(each: Vec<T>) -> Self {
        let mut sum = T::default();
        let so_far = each.iter().map(|&gap| {
            sum = sum + gap;
            sum
        });
        let so_far = so_far.collect();
        Self { each, so_far }
    }

    /// How many grams there are.
    pub(super) fn len(&self) -> usize {
        self.each.len()
    }

    /// Turns what each gram scores beside a gram of a document into what [`hybrid`] takes.
    pub(super) fn less(&self, scores: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
        let pairs = scores.into_iter().zip(&self.each);
        pairs.map(|(score, &gap)| score - gap)
    }
}

/// The maximum over the cells of the alignment, not yet divided by a length.
///
/// `document` gives for each gram what skipping it adds, and the scores of the query's grams beside it,
/// made by [`Skips::less`]. `row` is room to write on.
pub(super) fn hybrid<'a, T: Amount + 'a>(
    query: &Skips<T>,
    document: impl Iterator<Item = (T, &'a [T])>,
    row: &mut Vec<T>,
) -> T {
    row.clear();
    row.resize(query.len(), T::default());
    let row = row.as_mut_slice();
    let so_far = &query.so_far[..row.len()];
    let mut best = T::LEAST;
    let mut skipped = T::default();
    for (gap, scores) in document {
        skipped = skipped + gap;
        let scores = &scores[..row.len()];
        let mut diagonal = T::default();
        let mut above = T::default();
        let mut highest = T::LEAST;
        for ((cell, &score), &before) in row.iter_mut().zip(scores).zip(so_far) {
            let matched = diagonal + score - gap;
            diagonal = *cell;
            above = higher(above, higher(matched, *cell));
            *cell = above;
            highest = higher(highest, above + before);
        }
        best = higher(best, highest + skipped);
    }
    best
}

/// The last cell of a global alignment: from the beginnings to the ends.
pub(super) fn global<'a, T: Amount + 'a>(
    query: &Skips<T>,
    document: impl Iterator<Item = (T, &'a [T])>,
    row: &mut Vec<T>,
) -> T {
    row.clear();
    row.resize(query.len(), T::default());
    let mut skipped = T::default();
    for (gap, scores) in document {
        skipped = skipped + gap;
        let mut diagonal = T::default();
        let mut above = T::default();
        for (cell, &score) in row.iter_mut().zip(scores) {
            let matched = diagonal + score - gap;
            diagonal = *cell;
            above = higher(above, higher(matched, *cell));
            *cell = above;
        }
    }
    let ends = row.last().zip(query.so_far.last());
    let (&cell, &before) = ends.expect("a query that is long enough has grams");
    cell + before + skipped
}

/// The maximum over the cells of a local alignment, which never fall below 0.
pub(super) fn local<'a, T: Amount + 'a>(
    query: &Skips<T>,
    document: impl Iterator<Item = (T, &'a [T])>,
    row: &mut Vec<T>,
) -> T {
    row.clear();
    row.resize(query.len(), T::default());
    let mut best = T::default();
    for (gap, scores) in document {
        let mut diagonal = T::default();
        let mut above = T::default();
        for ((cell, &score), &skip) in row.iter_mut().zip(scores).zip(&query.each) {
            let matched = diagonal + score + skip;
            diagonal = *cell;
            let skipping = higher(above + skip, *cell + gap);
            above = higher(higher(matched, skipping), T::default());
            *cell = above;
            best = higher(best, above);
        }
    }
    best
}

/// The tie rule of MelodyShape: the hybrid alignment in which equal grams add 1, different ones and
/// gaps -1.
pub(super) fn exact<T: PartialEq>(query: &[T], document: &[T]) -> f64 {
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
