//! Cholesky factorisation of symmetric positive definite matrices, one row per item of a list.

/// Cholesky factor: lower triangle L with A = LLᵀ.
pub(super) struct Cholesky {
    n: usize,
    lower: Vec<f64>,
}

/// Number of matrix rows processed per block. In a large matrix each row above is fetched from
/// memory; blocking fetches it once per block instead of once per row.
const BLOCK_ROWS: usize = 16;

/// Number of rows from which the inverse of a matrix is computed in blocks of rows. The order of
/// summation then differs from that of smaller matrices.
const MIN_BLOCKED_ROWS: usize = 256;

impl Cholesky {
    /// Factors the `n` × `n` matrix A, given row by row. Only its lower triangle is read. Returns
    /// `None` if A is not positive definite.
    pub(super) fn new(mut a: Vec<f64>, n: usize) -> Option<Self> {
        for first in (0..n).step_by(BLOCK_ROWS) {
            let last = n.min(first + BLOCK_ROWS);
            let (above, block) = a.split_at_mut(first * n);
            let block = &mut block[..(last - first) * n];
            // Subtract the contributions of the rows above the block, column by column.
            for (column, pivot) in above.chunks_exact(n).enumerate() {
                let (known, diagonal) = (&pivot[..column], pivot[column]);
                let mut pairs = block.chunks_exact_mut(2 * n);
                for pair in &mut pairs {
                    let (one, two) = pair.split_at_mut(n);
                    let dots = two_dots([&one[..column], &two[..column]], known);
                    for (row, dot) in [one, two].into_iter().zip(dots) {
                        row[column] = (row[column] - dot) / diagonal;
                    }
                }
                let odd = pairs.into_remainder();
                if !odd.is_empty() {
                    odd[column] = (odd[column] - dot(&odd[..column], known)) / diagonal;
                }
            }
            // Subtract the contributions within the block.
            for place in 0..last - first {
                let (before, row) = block.split_at_mut(place * n);
                for (earlier, pivot) in before.chunks_exact(n).enumerate() {
                    let column = first + earlier;
                    let dot = dot(&row[..column], &pivot[..column]);
                    row[column] = (row[column] - dot) / pivot[column];
                }
                let column = first + place;
                let rest = row[column] - dot(&row[..column], &row[..column]);
                if rest.is_nan() || rest <= 0.0 {
                    return None;
                }
                row[column] = rest.sqrt();
            }
        }
        Some(Self { n, lower: a })
    }

    /// Returns the natural logarithm of the determinant of A.
    pub(super) fn log_determinant(&self) -> f64 {
        let diagonal = (0..self.n).map(|i| self.lower[i * self.n + i]);
        2.0 * diagonal.map(f64::ln).sum::<f64>()
    }

    /// Solves Ax = b for x.
    pub(super) fn solve(&self, mut b: Vec<f64>) -> Vec<f64> {
        let n = self.n;
        for row in 0..n {
            let dot: f64 = (0..row).map(|i| self.lower[row * n + i] * b[i]).sum();
            b[row] = (b[row] - dot) / self.lower[row * n + row];
        }
        for row in (0..n).rev() {
            let dot: f64 = (row + 1..n).map(|i| self.lower[i * n + row] * b[i]).sum();
            b[row] = (b[row] - dot) / self.lower[row * n + row];
        }
        b
    }

    /// Returns the inverse of A, row by row.
    pub(super) fn inverse(&self) -> Vec<f64> {
        let n = self.n;
        // Large matrices use several columns at a time.
        let step = if n < MIN_BLOCKED_ROWS { 1 } else { BLOCK_ROWS };
        let inverse = self.inverse_of_lower(step);
        let row_of = |row: usize, from: usize| &inverse[row * n + from..(row + 1) * n];
        let mut product = vec![0.0; n * n];
        let mut set_both = |row: usize, column: usize, dot: f64| {
            product[row * n + column] = dot;
            product[column * n + row] = dot;
        };
        for first in (0..n).step_by(step) {
            let last = n.min(first + step);
            for column in 0..last {
                let mut row = first.max(column);
                // Entries before the diagonal are zero, so two rows can start at the same column.
                while row + 1 < last {
                    let rows = [row, row + 1].map(|row| row_of(row, first));
                    let dots = two_dots(rows, row_of(column, first));
                    set_both(row, column, dots[0]);
                    set_both(row + 1, column, dots[1]);
                    row += 2;
                }
                if row < last {
                    set_both(row, column, dot(row_of(row, row), row_of(column, row)));
                }
            }
        }
        product
    }

    /// Returns the inverse of L as the rows of its transpose, computed `step` columns at a time.
    fn inverse_of_lower(&self, step: usize) -> Vec<f64> {
        let n = self.n;
        let mut inverse = vec![0.0; n * n];
        for first in (0..n).step_by(step) {
            let last = n.min(first + step);
            let block = &mut inverse[first * n..last * n];
            for (place, column) in block.chunks_exact_mut(n).enumerate() {
                column[first + place] = 1.0 / self.lower[(first + place) * (n + 1)];
            }
            for row in first + 1..n {
                let lower = &self.lower[(row * n)..=(row * n + row)];
                let (known, diagonal) = (&lower[first..row], lower[row]);
                // Entries above the diagonal are zero, so all columns can start together.
                let columns = (row - first).min(last - first);
                let mut pairs = block[..columns * n].chunks_exact_mut(2 * n);
                for pair in &mut pairs {
                    let (one, two) = pair.split_at_mut(n);
                    let dots = two_dots([&one[first..row], &two[first..row]], known);
                    one[row] = -dots[0] / diagonal;
                    two[row] = -dots[1] / diagonal;
                }
                let odd = pairs.into_remainder();
                if !odd.is_empty() {
                    odd[row] = -dot(known, &odd[first..row]) / diagonal;
                }
            }
        }
        inverse
    }
}

/// Returns the [`dot`] products of two vectors with a third.
fn two_dots(x: [&[f64]; 2], y: &[f64]) -> [f64; 2] {
    let mut sums = [[0.0; 8]; 2];
    let (y, y_rest) = y.as_chunks::<8>();
    let [(one, one_rest), (two, two_rest)] = x.map(<[f64]>::as_chunks::<8>);
    for ((one, two), y) in one.iter().zip(two).zip(y) {
        for i in 0..8 {
            sums[0][i] += one[i] * y[i];
            sums[1][i] += two[i] * y[i];
        }
    }
    let rest = |x: &[f64]| x.iter().zip(y_rest).map(|(x, y)| x * y).sum::<f64>();
    [
        sums[0].iter().sum::<f64>() + rest(one_rest),
        sums[1].iter().sum::<f64>() + rest(two_rest),
    ]
}

/// Returns the dot product, in eight partial sums that the compiler vectorises.
fn dot(x: &[f64], y: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (x, y) = (x.chunks_exact(8), y.chunks_exact(8));
    let rest: f64 = (x.remainder().iter())
        .zip(y.remainder())
        .map(|(x, y)| x * y)
        .sum();
    for (x, y) in x.zip(y) {
        for (sum, (x, y)) in sums.iter_mut().zip(x.iter().zip(y)) {
            *sum += x * y;
        }
    }
    sums.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matrix_times_inverse_is_identity() {
        let a = [4.0, 2.0, 0.6, 2.0, 5.0, -1.0, 0.6, -1.0, 3.0];
        let factor = Cholesky::new(a.to_vec(), 3).unwrap();
        let inverse = factor.inverse();
        for row in 0..3 {
            for column in 0..3 {
                let product: f64 = (0..3)
                    .map(|i| a[row * 3 + i] * inverse[i * 3 + column])
                    .sum();
                let expected = f64::from(u8::from(row == column));
                assert!((product - expected).abs() < 1e-12);
            }
        }
        let x = factor.solve(vec![1.0, 2.0, 3.0]);
        let back: f64 = (0..3).map(|i| a[i] * x[i]).sum();
        assert!((back - 1.0).abs() < 1e-12);
        // Determinant by cofactor expansion: 4·(15 - 1) - 2·(6 + 0.6) + 0.6·(-2 - 3) = 39.8
        assert!((factor.log_determinant() - 39.8f64.ln()).abs() < 1e-12);
        assert!(Cholesky::new(vec![1.0, 2.0, 2.0, 1.0], 2).is_none());
    }

    /// Returns a matrix that is far from diagonal, row by row.
    fn dense_test_matrix(n: usize) -> Vec<f64> {
        let cell = |place: usize| {
            let (row, column) = (place / n, place % n);
            let apart = row.abs_diff(column) as f64;
            let more = if row == column { 2.0 } else { 0.0 };
            (-apart / 7.0).exp() * (0.3 * apart).cos() + more + 8.0 / (1.0 + apart)
        };
        (0..n * n).map(cell).collect()
    }

    #[test]
    fn factor_and_inverse_are_correct_around_block_boundaries() {
        // Sizes around the block boundaries.
        for n in [
            15,
            16,
            17,
            33,
            MIN_BLOCKED_ROWS - 1,
            MIN_BLOCKED_ROWS,
            MIN_BLOCKED_ROWS + 17,
        ] {
            let a = dense_test_matrix(n);
            let factor = Cholesky::new(a.clone(), n).expect("the matrix is positive definite");
            for row in (0..n).step_by(3) {
                for column in 0..=row {
                    let [x, y] = [row, column].map(|i| &factor.lower[(i * n)..=(i * n + column)]);
                    let product: f64 = x.iter().zip(y).map(|(x, y)| x * y).sum();
                    assert!((product - a[row * n + column]).abs() < 1e-10, "{n}");
                }
            }
            let inverse = factor.inverse();
            for row in (0..n).step_by(7) {
                for column in 0..n {
                    let product: f64 = (0..n)
                        .map(|i| a[row * n + i] * inverse[i * n + column])
                        .sum();
                    let expected = f64::from(u8::from(row == column));
                    assert!((product - expected).abs() < 1e-9, "{n} {row} {column}");
                }
            }
        }
    }
}
