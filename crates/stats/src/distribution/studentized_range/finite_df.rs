//! Studentized range on finite degrees of freedom.
//!
//! On ν degrees of freedom the estimate S of the standard deviation has density proportional to
//! s^(ν-1) exp(-νs²/2), and P(Q > q) is the mean of P(W > qS) for the range W of normal deviates.

use super::infinite_df::{NormalRange, QuadraturePrecision};
use crate::numeric::gauss_legendre;
use crate::numeric::incomplete;
use crate::numeric::incomplete::stirling_error;

/// Largest number of degrees of freedom ν for which a smooth integral is taken over the range w, by
/// a Gauss-Legendre rule, and not over ln s.
const SMALL_DF: f64 = 40.0;
/// Upper limit of the integral over w: with up to [`SMALL_DF`] degrees of freedom, wider ranges add
/// less than 1e-12 of the tail.
const MAX_INTEGRATED_RANGE: f64 = 14.0;

/// Density of ln S, where S is the estimated standard deviation on ν degrees of freedom. By
/// Stirling's formula its leading factor (ν/2)^(ν/2) e^(-ν/2)·2/Γ(ν/2) is computed without large
/// powers, so that it keeps its precision for any ν.
struct LogDeviationDensity {
    df: f64,
    front: f64,
}

impl LogDeviationDensity {
    fn new(df: f64) -> Self {
        let front = (df / core::f64::consts::PI).sqrt() * libm::exp(-stirling_error(0.5 * df));
        Self { df, front }
    }

    /// Returns the logarithm of the density at y = ln s, relative to its peak at 0.
    fn log_relative_density(&self, y: f64) -> f64 {
        self.df * (y - 0.5 * libm::expm1(2.0 * y))
    }

    fn density(&self, y: f64) -> f64 {
        self.front * libm::exp(self.log_relative_density(y))
    }

    /// Returns the approximate standard deviation of ln S, 1/√(2ν).
    fn spread(&self) -> f64 {
        1.0 / (2.0 * self.df).sqrt()
    }

    /// Returns the y > 0 at which the density of ln S has fallen to exp(-36) of its peak.
    fn right_end(&self) -> f64 {
        let mut y = self.spread();
        while self.log_relative_density(y) > -36.0 {
            y += 0.25 * self.spread();
        }
        y
    }
}

/// Computes the tail P(Q > q) of the studentized range of k means, for q > 0, k >= 2 and finite ν >
/// 0.
pub(crate) fn sf(q: f64, k: usize, df: f64) -> f64 {
    // A non-integer power of s is not smooth at 0, unless the exponent is high.
    let smooth = df >= 1.0 && (libm::rint(df) == df || df >= 10.0);
    if df <= SMALL_DF && smooth {
        integrate_over_range(q, k, df)
    } else {
        integrate_over_log_deviation(q, k, df)
    }
}

/// Computes P(Q > q) by integrating over the range w = qs with 48 nodes, or 96 for more than 200
/// groups. With few degrees of freedom the integrand is smooth and wide in w.
fn integrate_over_range(q: f64, k: usize, df: f64) -> f64 {
    let deviation = LogDeviationDensity::new(df);
    let end = (q * libm::exp(deviation.right_end())).min(MAX_INTEGRATED_RANGE);
    let start = negligible_width(k).min(end);
    let range = NormalRange::new(k, end, QuadraturePrecision::Inner);
    // For w below `start` P(W > w) is 1, so that part of the integral is P(S <= start/q).
    let s = start / q;
    let certain = incomplete::incomplete_gamma(0.5 * df, 0.5 * df * s * s).0;
    // With very many groups the tail falls too steeply for one rule.
    let panels = if k <= 200 { 1 } else { 2 };
    let width = (end - start) / f64::from(panels);
    let sum: f64 = (0..panels)
        .flat_map(|panel| {
            let left = start + f64::from(panel) * width;
            gauss_legendre::gauss_legendre_rule(width).map(move |(x, weight)| (left + x, weight))
        })
        .map(|(w, weight)| weight * deviation.density(libm::log(w / q)) / w * range.sf(w))
        .sum();
    (certain + sum).min(1.0)
}

/// Returns a width w such that k normal deviates all lie within w of each other with probability of
/// at most exp(-32). That probability is at most √k (w/√(2π))^(k-1), because the density of their
/// differences is highest at 0.
fn negligible_width(k: usize) -> f64 {
    let others = k as f64 - 1.0;
    let log_scale = 0.5 * libm::log(2.0 * core::f64::consts::PI);
    libm::exp((-32.0 - 0.5 * libm::log(k as f64)) / others + log_scale)
}

/// Computes P(Q > q) by integrating over y = ln s by the trapezoidal rule, which converges faster
/// than any power of its step for a bell-shaped analytic integrand. The steps were tuned against
/// finer ones, for 2 to 1000 groups.
fn integrate_over_log_deviation(q: f64, k: usize, df: f64) -> f64 {
    let deviation = LogDeviationDensity::new(df);
    let step = match (df > SMALL_DF, k <= 100) {
        (true, true) => 0.6 * deviation.spread(),
        (true, false) => 0.4 * deviation.spread(),
        // Few, non-integer degrees of freedom: the strip of analyticity limits the step.
        _ => (0.3 * deviation.spread()).min(0.08),
    };
    let range = NormalRange::new(
        k,
        q * libm::exp(deviation.right_end()),
        QuadraturePrecision::Inner,
    );
    let mut sum = 0.0;
    for i in 0.. {
        let y = f64::from(i) * step;
        let density = deviation.density(y);
        let term = density * range.sf(q * libm::exp(y));
        sum += term;
        if term <= 1e-15 * sum || density == 0.0 {
            break;
        }
    }
    for i in 1.. {
        let y = -f64::from(i) * step;
        let density = deviation.density(y);
        // No tail exceeds 1 and the density falls to the left, so all further terms are negligible.
        if density <= 1e-14 * sum || density == 0.0 {
            break;
        }
        sum += density * range.sf(q * libm::exp(y));
    }
    (step * sum).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_integration_rules_agree_where_both_are_accurate() {
        for (k, df, q) in [
            (2, 12.0, 3.0),
            (3, 20.0, 1.0),
            (10, 50.0, 5.0),
            (40, 30.0, 7.0),
            (5, 10.5, 9.0),
            (3, 2.0, 8.0),
            (8, 5.0, 30.0),
            (4, 1.0, 100.0),
        ] {
            let (one, other) = (
                integrate_over_range(q, k, df),
                integrate_over_log_deviation(q, k, df),
            );
            assert!(
                (one / other - 1.0).abs() < 1e-10,
                "{k} {df} {q}: {one} {other}"
            );
        }
    }
}
