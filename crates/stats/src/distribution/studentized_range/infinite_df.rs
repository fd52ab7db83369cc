//! Distribution of the range of k standard normal deviates (infinite degrees of freedom).
//!
//! With z the largest deviate, the range exceeds w unless all others lie within w below it (Hartley
//! 1942), so
//!
//! ```text
//! P(W > w) = k ∫ φ(z) Φ(z)ⁿ [1 - (1 - Φ(z-w)/Φ(z))ⁿ] dz,   n = k - 1.
//! ```
//!
//! This form has no cancellation for any size of the tail. The integrand is analytic and falls off
//! like exp(-z²), so the trapezoidal rule converges faster than any power of its step (Goodwin
//! 1949; Trefethen and Weideman 2014): at the steps below the error is that of rounding.

use core::f64::consts::FRAC_1_SQRT_2;

use crate::distribution::normal;
use crate::numeric::mills_ratio::MillsRatioTable;

/// Width w beyond which the tail P(W > w) is below 1e-170 and counts as 0.
const MAX_WIDTH: f64 = 40.0;

/// Precision of the quadrature, which determines its step.
#[derive(Clone, Copy, Debug)]
pub(crate) enum QuadraturePrecision {
    /// Precision of rounding, about 1e-14.
    Full,
    /// Precision of about 1e-11, for use inside another integral.
    Inner,
}

/// Grid point z of the quadrature, with the factors of the integrand that do not depend on the
/// range w.
#[derive(Clone, Copy, Debug)]
struct Node {
    z: f64,
    /// Weight k·step·φ(z)Φ(z)ⁿ, where n = k - 1.
    weight: f64,
    /// Reciprocal 1/Φ(z) of the distribution function at z.
    inverse: f64,
}

/// Distribution of the range of k standard normal deviates, with precomputed grid points for ranges
/// up to a maximum width.
#[derive(Clone, Debug)]
pub(crate) struct NormalRange {
    others: usize,
    step: f64,
    precision: QuadraturePrecision,
    /// Negative natural logarithm of the relative size below which terms are neglected.
    depth: f64,
    nodes: Vec<Node>,
    /// Ratios (n-j+1)/j of neighbouring binomial coefficients C(n, j), j = 2..9, where n = k - 1.
    ratios: [f64; 8],
}

impl NormalRange {
    /// Precomputes the grid points for k >= 2 deviates and ranges up to `widest`.
    pub(crate) fn new(k: usize, widest: f64, precision: QuadraturePrecision) -> Self {
        let others = k - 1;
        // The integrand narrows as k grows. The formula was tuned for k from 2 to 10 000 against
        // steps ten times finer.
        let fineness = 1.0 + 0.6 * libm::log(0.5 * k as f64);
        let (step, depth) = match precision {
            QuadraturePrecision::Full => (0.5 / fineness, 39.0),
            QuadraturePrecision::Inner => (0.6 / fineness, 29.0),
        };
        // Below `lowest` Φⁿ⁻¹ is under 1e-18 of its value above.
        let lowest = match others {
            1 | 2 => -7.0,
            _ => normal::quantile_unchecked(
                libm::exp(-42.0 / (others as f64 - 1.0)).clamp(1e-12, 1.0 - 1e-15),
            ),
        };
        let first = (lowest / step) as i64 - 1;
        let last = (integration_end(widest.min(MAX_WIDTH), depth) / step) as i64 + 1;
        let nodes = (first..=last)
            .map(|i| {
                let z = i as f64 * step;
                let cdf = normal::cdf(z);
                Node {
                    z,
                    weight: k as f64 * step * normal::density(z) * power(cdf, others),
                    inverse: 1.0 / cdf,
                }
            })
            .collect();
        Self {
            others,
            step,
            precision,
            depth,
            nodes,
            ratios: core::array::from_fn(|i| (others as f64 - i as f64 - 1.0) / (i as f64 + 2.0)),
        }
    }

    /// Computes P(W > w) for the range W of k deviates, for w up to the `widest` that was passed to
    /// [`Self::new`].
    pub(crate) fn sf(&self, w: f64) -> f64 {
        if w <= 0.0 {
            return 1.0;
        }
        if w > MAX_WIDTH {
            return 0.0;
        }
        // φ(z)Φ(z-w) is below exp(-w²/4 - (z-w/2)²), so the integrand is negligible outside of
        // these bounds.
        let first = self.nodes.first().map_or(0.0, |node| node.z);
        let index = |z: f64| ((z - first) / self.step).max(0.0) as usize;
        let end = (index(integration_end(w, self.depth)) + 2).min(self.nodes.len());
        let start = index(0.5 * w - self.depth.sqrt()).min(end);
        let nodes = &self.nodes[start..end];
        let sum = match self.precision {
            QuadraturePrecision::Full => {
                self.sum(nodes, w, |x| 0.5 * libm::erfc(x * FRAC_1_SQRT_2))
            }
            QuadraturePrecision::Inner => {
                let mut tails = NormalTailSequence::new(
                    w - nodes.first().map_or(0.0, |node| node.z),
                    self.step,
                );
                self.sum(nodes, w, |x| tails.next(x))
            }
        };
        sum.min(1.0)
    }

    /// Sums the integrand over grid points; `tail(x)` is P(Z > x).
    fn sum(&self, nodes: &[Node], w: f64, mut tail: impl FnMut(f64) -> f64) -> f64 {
        nodes
            .iter()
            .map(|node| node.weight * self.probability_any_below(tail(w - node.z) * node.inverse))
            .sum()
    }

    /// Computes 1 - (1-r)ⁿ, the probability that at least one of the n = k - 1 other deviates lies
    /// more than w below the largest, if each does so with probability r. Uses the binomial series
    /// where the difference would cancel: nr(1 - (n-1)/2·r(1 - (n-2)/3·r(1 - ...))). For small n
    /// the ratios end in a zero, which ends the series.
    fn probability_any_below(&self, r: f64) -> f64 {
        let first = self.others as f64 * r;
        if first > 0.05 {
            return 1.0 - power(1.0 - r, self.others);
        }
        // Number of terms after the first. Relative to the first, the omitted terms are below 1e-15
        // or about 0.05⁹/10!.
        let terms = if first < 1e-5 { 2 } else { 8 };
        let ratios = self.ratios[..terms].iter().rev();
        first * ratios.fold(1.0, |series, ratio| 1.0 - ratio * r * series)
    }
}

/// Normal tail probabilities at equidistant descending points. The density is computed by
/// recurrence, since its logarithm is a parabola, and Mills' ratio is read from a table.
struct NormalTailSequence {
    mills: &'static MillsRatioTable,
    density: f64,
    factor: f64,
    /// Ratio of `factor` at one point to `factor` at the point before; `factor` is the ratio of the
    /// densities at neighbouring points.
    decay: f64,
}

impl NormalTailSequence {
    fn new(first: f64, step: f64) -> Self {
        Self {
            mills: MillsRatioTable::table(),
            density: normal::density(first),
            factor: libm::exp(step * (first - 0.5 * step)),
            decay: libm::exp(-step * step),
        }
    }

    /// Returns P(Z > x) for the next point x of the sequence.
    fn next(&mut self, x: f64) -> f64 {
        let outer = self.density * self.mills.ratio(x.abs());
        self.density *= self.factor;
        self.factor *= self.decay;
        if x < 0.0 { 1.0 - outer } else { outer }
    }
}

/// Returns the z at which φ(z) falls below exp(-depth) of the integrand at its peak, which is about
/// exp(-w²/4).
fn integration_end(w: f64, depth: f64) -> f64 {
    (2.0 * depth + 0.5 * w * w).sqrt()
}

/// Computes base^exponent by repeated squaring, with the same result on every machine.
fn power(base: f64, exponent: usize) -> f64 {
    let (mut square, mut rest, mut result) = (base, exponent, 1.0);
    while rest > 0 {
        if rest & 1 == 1 {
            result *= square;
        }
        square *= square;
        rest >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn finer_quadrature_steps_do_not_change_the_tail() {
        for k in [3, 5, 10, 20, 50, 100, 1000] {
            let full = NormalRange::new(k, 15.0, QuadraturePrecision::Full);
            let inner = NormalRange::new(k, 15.0, QuadraturePrecision::Inner);
            let mut fine = NormalRange::new(k, 15.0, QuadraturePrecision::Full);
            fine.step /= 8.0;
            let ends = (fine.nodes[0].z, fine.nodes[fine.nodes.len() - 1].z);
            fine.nodes = (0..)
                .map(|i| ends.0 + f64::from(i) * fine.step)
                .take_while(|z| *z <= ends.1)
                .map(|z| Node {
                    z,
                    weight: k as f64
                        * fine.step
                        * normal::density(z)
                        * power(normal::cdf(z), k - 1),
                    inverse: 1.0 / normal::cdf(z),
                })
                .collect();
            for w in [0.1, 0.5, 1.0, 2.0, 4.0, 7.0, 11.0, 15.0] {
                let expected = fine.sf(w);
                assert!((full.sf(w) / expected - 1.0).abs() < 2e-13, "{k} at {w}");
                assert!((inner.sf(w) / expected - 1.0).abs() < 3e-11, "{k} at {w}");
            }
        }
    }

    proptest! {
        #[test]
        fn probability_any_below_is_accurate_for_small_r(r in 1e-12..0.3f64, n in 1..200usize) {
            let expected = -libm::expm1(n as f64 * libm::log1p(-r));
            let range = NormalRange::new(n + 1, 1.0, QuadraturePrecision::Full);
            prop_assert!((range.probability_any_below(r) / expected - 1.0).abs() < 1e-12);
        }
    }
}
