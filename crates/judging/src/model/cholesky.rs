//! Symmetric positive definite systems, which are as large as a list is long.

/// The lower triangle L of A = LLᵀ.
pub(super) struct Cholesky {
    n: usize,
    lower: Vec<f64>,
}

impl Cholesky {
    /// Factors a matrix given row by row, of which only the lower triangle is read; `None` if it is not positive definite.
    pub(super) fn new(mut a: Vec<f64>, n: usize) -> Option<Self> {
        for column in 0..n {
            for row in column..n {
                let (start, pivot) = (row * n, column * n);
                let dot = dot(&a[start..start + column], &a[pivot..pivot + column]);
                let rest = a[start + column] - dot;
                if row == column {
                    if rest.is_nan() || rest <= 0.0 {
                        return None;
                    }
                    a[start + column] = rest.sqrt();
                } else {
                    a[start + column] = rest / a[pivot + column];
                }
            }
        }
        Some(Self { n, lower: a })
    }

    /// ln det A.
    pub(super) fn log_determinant(&self) -> f64 {
        let diagonal = (0..self.n).map(|i| self.lower[i * self.n + i]);
        2.0 * diagonal.map(f64::ln).sum::<f64>()
    }

    /// The x with Ax = b.
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

    /// The inverse of A, row by row.
    pub(super) fn inverse(&self) -> Vec<f64> {
        let n = self.n;
        // The inverse of L, a column at a time, kept as the rows of its transpose.
        let mut inverse = vec![0.0; n * n];
        for column in 0..n {
            inverse[column * n + column] = 1.0 / self.lower[column * n + column];
            for row in column + 1..n {
                let dot = dot(
                    &self.lower[row * n + column..row * n + row],
                    &inverse[column * n + column..column * n + row],
                );
                inverse[column * n + row] = -dot / self.lower[row * n + row];
            }
        }
        let mut product = vec![0.0; n * n];
        for row in 0..n {
            for column in 0..=row {
                let dot = dot(
                    &inverse[row * n + row..row * n + n],
                    &inverse[column * n + row..column * n + n],
                );
                product[row * n + column] = dot;
                product[column * n + row] = dot;
            }
        }
        product
    }
}

/// The sum of the products, in eight sums side by side that the processor adds up at once.
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
    fn a_matrix_times_its_inverse_is_one() {
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
        // 4·(15 - 1) - 2·(6 + 0.6) + 0.6·(-2 - 3) = 39.8
        assert!((factor.log_determinant() - 39.8f64.ln()).abs() < 1e-12);
        assert!(Cholesky::new(vec![1.0, 2.0, 2.0, 1.0], 2).is_none());
    }
}
