//! Negative Hessian of the log posterior of Davidson's model. It has an off-diagonal entry for each
//! pair with votes; in a long list most pairs have none.

use super::davidson::PairWeights;

/// Negative Hessian of the log posterior with respect to the worths of the items and, in the last
/// row, to the tie parameter η.
pub(super) struct Curvature {
    /// Diagonal entries: one for each item, then that of η.
    pub(super) diagonal: Vec<f64>,
    /// Negated off-diagonal entry between the two items of each pair, in the order of the pairs.
    pub(super) weights: Vec<f64>,
    /// Entries between the worth of each item and η.
    pub(super) eta_entries: Vec<f64>,
}

/// Preconditioned residual norm, relative to that of the right side, at which a solution is
/// accepted.
const RELATIVE_TOLERANCE: f64 = 1e-11;

impl Curvature {
    /// Returns the matrix row by row, with only its lower triangle filled in.
    pub(super) fn lower_triangle(&self, pairs: &[PairWeights]) -> Vec<f64> {
        let width = self.diagonal.len();
        let mut lower = vec![0.0; width * width];
        for (pair, weight) in pairs.iter().zip(&self.weights) {
            lower[pair.a.max(pair.b) * width + pair.a.min(pair.b)] -= weight;
        }
        let last = lower.len() - width;
        lower[last..last + width - 1].copy_from_slice(&self.eta_entries);
        for (i, &weight) in self.diagonal.iter().enumerate() {
            lower[i * width + i] = weight;
        }
        lower
    }

    /// Multiplies the matrix by the vector `x`.
    fn multiply(&self, pairs: &[PairWeights], x: &[f64], product: &mut [f64]) {
        let n = self.eta_entries.len();
        let eta = x[n];
        for (product, (diagonal, x)) in product.iter_mut().zip(self.diagonal.iter().zip(x)) {
            *product = diagonal * x;
        }
        for (item, cross) in self.eta_entries.iter().enumerate() {
            product[item] += cross * eta;
            product[n] += cross * x[item];
        }
        for (pair, weight) in pairs.iter().zip(&self.weights) {
            product[pair.a] -= weight * x[pair.b];
            product[pair.b] -= weight * x[pair.a];
        }
    }

    /// Solves the linear system with right side `b` by conjugate gradients (Hestenes and Stiefel
    /// 1952) with diagonal preconditioning. Returns `None` if it does not converge.
    ///
    /// The time per iteration is proportional to the number of pairs with votes; a factorisation
    /// takes time proportional to the cube of the number of items.
    pub(super) fn solve(&self, pairs: &[PairWeights], b: &[f64]) -> Option<Vec<f64>> {
        let width = b.len();
        let mut x = vec![0.0; width];
        let mut residual = b.to_vec();
        let scaled = residual.iter().zip(&self.diagonal).map(|(r, d)| r / d);
        let mut scaled: Vec<f64> = scaled.collect();
        let mut direction = scaled.clone();
        let mut image = vec![0.0; width];
        let mut size = dot(&residual, &scaled);
        let small = RELATIVE_TOLERANCE * RELATIVE_TOLERANCE * size;
        for _ in 0..width.max(100) {
            if size <= small {
                return Some(x);
            }
            self.multiply(pairs, &direction, &mut image);
            let length = size / dot(&direction, &image);
            for i in 0..width {
                x[i] += length * direction[i];
                residual[i] -= length * image[i];
                scaled[i] = residual[i] / self.diagonal[i];
            }
            let next = dot(&residual, &scaled);
            let ratio = next / size;
            size = next;
            for i in 0..width {
                direction[i] = scaled[i] + ratio * direction[i];
            }
        }
        None
    }
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::cholesky::Cholesky;

    #[test]
    fn conjugate_gradients_agree_with_cholesky_if_pairs_form_a_chain() {
        let n = 400;
        let pair = |a: usize, b: usize| PairWeights {
            a,
            b,
            weights: [1.0, 1.0, 1.0],
        };
        let mut pairs: Vec<PairWeights> = (1..n).map(|b| pair(b - 1, b)).collect();
        pairs.extend((0..n / 7).map(|a| pair((a * 31) % n, (a * 57 + 3) % n)));
        pairs.retain(|pair| pair.a != pair.b);
        let weights: Vec<f64> = (0..pairs.len()).map(|i| 0.2 + (i % 9) as f64).collect();
        let mut diagonal = vec![0.15; n + 1];
        for (pair, weight) in pairs.iter().zip(&weights) {
            diagonal[pair.a] += weight;
            diagonal[pair.b] += weight;
        }
        diagonal[n] = 500.0;
        let curvature = Curvature {
            diagonal,
            weights,
            eta_entries: (0..n).map(|i| 0.3 * (i as f64).sin()).collect(),
        };
        let b: Vec<f64> = (0..=n).map(|i| (1.7 * i as f64).cos()).collect();
        let found = curvature
            .solve(&pairs, &b)
            .expect("the iteration converges");
        let factor = Cholesky::new(curvature.lower_triangle(&pairs), n + 1)
            .expect("the matrix is positive definite");
        for (found, expected) in found.iter().zip(factor.solve(b)) {
            assert!((found - expected).abs() < 1e-9 * (1.0 + expected.abs()));
        }
    }
}
