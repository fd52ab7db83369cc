//! The law of the range over an independent estimate of the deviation.
//!
//! On ν degrees of freedom the estimate S has density proportional to s^(ν-1) exp(-νs²/2), and P(Q
//! > q) is the mean of P(W > qS).

use super::infinite_df::{NormalRange, QuadraturePrecision};
use crate::numeric::gauss_legendre;
use crate::numeric::incomplete;
use crate::numeric::incomplete::stirling_error;

/// Up to here the mean is taken over the range by a Gauss-Legendre rule.
const SMALL_DF: f64 = 40.0;
/// Ranges beyond this add less than 1e-12 of the tail on few degrees.
const WIDE: f64 = 14.0;

/// The density of ln S, in a form that keeps its digits for any ν: its front factor is (ν/2)^(ν/2)
/// e^(-ν/2)·2/Γ(ν/2) without the large powers.
struct LogDeviationDensity {
    df: f64,
    front: f64,
}

impl LogDeviationDensity {
    fn new(df: f64) -> Self {
        let front = (df / core::f64::consts::PI).sqrt() * libm::exp(-stirling_error(0.5 * df));
        Self { df, front }
    }

    fn exponent(&self, y: f64) -> f64 {
        self.df * (y - 0.5 * libm::expm1(2.0 * y))
    }

    fn density(&self, y: f64) -> f64 {
        self.front * libm::exp(self.exponent(y))
    }

    /// About the standard deviation of ln S.
    fn spread(&self) -> f64 {
        1.0 / (2.0 * self.df).sqrt()
    }

    /// Where the density has fallen to exp(-36) of its peak, on the right.
    fn right_end(&self) -> f64 {
        let mut y = self.spread();
        while self.exponent(y) > -36.0 {
            y += 0.25 * self.spread();
        }
        y
    }
}

/// P(Q > q) for q > 0, k >= 2 and finite ν > 0.
pub(crate) fn sf(q: f64, k: usize, df: f64) -> f64 {
    // A power of s that is not whole is not smooth at 0, unless it is high.
    let smooth = df >= 1.0 && (libm::rint(df) == df || df >= 10.0);
    if df <= SMALL_DF && smooth {
        over_ranges(q, k, df)
    } else {
        over_deviations(q, k, df)
    }
}

/// The mean as an integral over w = qs by 48 nodes: the integrand is smooth in w and, on few
/// degrees of freedom, wide.
fn over_ranges(q: f64, k: usize, df: f64) -> f64 {
    let deviation = LogDeviationDensity::new(df);
    let end = (q * libm::exp(deviation.right_end())).min(WIDE);
    let start = negligible_width(k).min(end);
    let range = NormalRange::new(k, end, QuadraturePrecision::Inner);
    // Below `start` the tail is 1, and its mean the probability of S.
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

/// A width that k deviates keep within with probability below exp(-32): that probability is at most
/// √k (w/√(2π))^(k-1), for the density of their differences is nowhere higher than at 0.
fn negligible_width(k: usize) -> f64 {
    let others = k as f64 - 1.0;
    let log_scale = 0.5 * libm::log(2.0 * core::f64::consts::PI);
    libm::exp((-32.0 - 0.5 * libm::log(k as f64)) / others + log_scale)
}

/// The mean as an integral over y = ln s by the trapezoidal rule, which for a bell-shaped analytic
/// integrand converges faster than any power of its step. The steps were fitted against finer ones,
/// for 2 to 1000 groups.
fn over_deviations(q: f64, k: usize, df: f64) -> f64 {
    let deviation = LogDeviationDensity::new(df);
    let step = match (df > SMALL_DF, k <= 100) {
        (true, true) => 0.6 * deviation.spread(),
        (true, false) => 0.4 * deviation.spread(),
        // Few degrees, not whole: the strip of analyticity is the limit.
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
        // No tail exceeds 1, so nothing further to the left counts.
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
    fn both_rules_agree_where_either_is_good() {
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
            let (one, other) = (over_ranges(q, k, df), over_deviations(q, k, df));
            assert!(
                (one / other - 1.0).abs() < 1e-10,
                "{k} {df} {q}: {one} {other}"
            );
        }
    }
}
