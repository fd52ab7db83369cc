//! The noncentral t law, which gives the power of the t-test.
//!
//! T = (Z + δ)/S, where Z is standard normal and νS² chi-squared on ν degrees of
//! freedom: what the t statistic is when the true difference is δ standard
//! errors (Fisher 1931; Johnson and Welch 1940). Given S = s, T exceeds t when Z
//! exceeds ts - δ, so
//!
//! P(T > t) = ∫ Φ(δ - ts) f(s) ds,
//!
//! which is integrated over u = ln s by Gauss and Legendre's rule in panels cut
//! where the integrand bends. Both tails are sums of positive terms, so there is
//! no cancellation in either. They are good to 1e-13, and any positive number of
//! degrees of freedom will do.
//!
//! ```
//! use partita_stats::{noncentral_t, student_t};
//!
//! // The power of a two-sided paired t-test at .05 with 34 pairs, to find a
//! // difference of half a standard deviation: 0.8078 (Cohen 1988).
//! let critical = student_t::quantile(0.975, 33.0)?;
//! let power = noncentral_t::sf(critical, 33.0, 0.5 * 34f64.sqrt())?;
//! assert!((power - 0.8078).abs() < 5e-5);
//! # Ok::<(), partita_stats::StatsError>(())
//! ```

use core::f64::consts::PI;

use crate::error::{self, StatsError};
use crate::incomplete::stirling_error;
use crate::normal;
use crate::studentized_range::legendre;

/// P(T > t) on `df` degrees of freedom, which may be infinite, with
/// noncentrality `delta`.
///
/// # Errors
///
/// A t that is NaN, a noncentrality that is not finite, or degrees of freedom
/// that are not positive.
pub fn sf(t: f64, df: f64, delta: f64) -> Result<f64, StatsError> {
    check(t, df, delta)?;
    Ok(upper(t, df, delta))
}

/// P(T <= t) on `df` degrees of freedom with noncentrality `delta`.
///
/// # Errors
///
/// As [`sf`].
pub fn cdf(t: f64, df: f64, delta: f64) -> Result<f64, StatsError> {
    check(t, df, delta)?;
    // -T has the noncentrality -δ.
    Ok(upper(-t, df, -delta))
}

fn check(t: f64, df: f64, delta: f64) -> Result<(), StatsError> {
    error::numbers("t", &[t])?;
    error::finite("noncentrality", &[delta])?;
    if df > 0.0 {
        Ok(())
    } else {
        Err(StatsError::OutOfRange {
            what: "degrees of freedom",
            expected: "a positive number",
            found: df,
        })
    }
}

/// Beyond so many standard deviations the normal law has nothing that counts.
const REACH: f64 = 9.0;
/// Where the density of ln S has fallen by exp of this, it is left out.
const NEGLIGIBLE: f64 = 42.0;

fn upper(t: f64, df: f64, delta: f64) -> f64 {
    if t == f64::INFINITY {
        return 0.0;
    }
    if t == f64::NEG_INFINITY {
        return 1.0;
    }
    // Beyond 10¹² degrees of freedom S is 1 to within 10⁻⁶ and its effect on
    // the tail is of the order of 1/ν.
    if df > 1e12 {
        return normal::sf(t - delta);
    }
    let half = 0.5 * df;
    // ln f(u) = const + ν/2 (2u - (e²ᵘ - 1)), which is 0 at u = 0 and falls on both sides.
    let exponent = |u: f64| half * (2.0 * u - libm::expm1(2.0 * u));
    let left = -end(|distance| exponent(-distance));
    let right = end(exponent);
    let mut cuts = vec![left, 0.0, right];
    // Where ts - δ passes through the bulk of the normal law.
    if t != 0.0 {
        for offset in [-REACH, -2.0, 0.0, 2.0, REACH] {
            let s = (delta + offset) / t;
            if s > 0.0 {
                let u = libm::log(s);
                if left < u && u < right {
                    cuts.push(u);
                }
            }
        }
    }
    cuts.sort_by(f64::total_cmp);
    let front = 2.0 * (half / (2.0 * PI)).sqrt() * libm::exp(-stirling_error(half));
    const PANELS: usize = 3;
    let mut sum = 0.0;
    for ends in cuts.windows(2) {
        let width = (ends[1] - ends[0]) / PANELS as f64;
        if width <= 0.0 {
            continue;
        }
        for panel in 0..PANELS {
            let start = ends[0] + width * panel as f64;
            for (x, weight) in legendre::rule(width) {
                let u = start + x;
                sum += weight * normal::cdf(delta - t * libm::exp(u)) * libm::exp(exponent(u));
            }
        }
    }
    (front * sum).clamp(0.0, 1.0)
}

/// How far from 0 a falling function first is below what counts.
fn end(falling: impl Fn(f64) -> f64) -> f64 {
    let mut far = 1e-6;
    while falling(far) > -NEGLIGIBLE {
        far *= 2.0;
    }
    let mut near = 0.5 * far;
    for _ in 0..20 {
        let middle = 0.5 * (near + far);
        match falling(middle) > -NEGLIGIBLE {
            true => near = middle,
            false => far = middle,
        }
    }
    far
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::student_t;
    use proptest::prelude::*;

    #[test]
    fn tails_match_thirty_digit_values() {
        for (t, df, delta, expected) in TAILS {
            let found = sf(t, df, delta).unwrap();
            let error = (found - expected).abs();
            assert!(error < 1e-13, "sf({t}, {df}, {delta}) is off by {error:e}");
            assert!((found / expected - 1.0).abs() < 1e-10, "{found} {expected}");
            assert!((cdf(t, df, delta).unwrap() + found - 1.0).abs() < 1e-13);
        }
    }

    #[test]
    fn limits_and_wrong_arguments() {
        assert_eq!(sf(f64::INFINITY, 3.0, 1.0).unwrap(), 0.0);
        assert_eq!(cdf(f64::NEG_INFINITY, 3.0, 1.0).unwrap(), 0.0);
        assert_eq!(sf(1.5, f64::INFINITY, 0.5).unwrap(), normal::sf(1.0));
        assert!((sf(1.5, 1e12, 0.5).unwrap() - normal::sf(1.0)).abs() < 1e-11);
        assert!(sf(f64::NAN, 3.0, 0.0).is_err());
        assert!(sf(1.0, 0.0, 0.0).is_err());
        assert!(sf(1.0, 3.0, f64::INFINITY).is_err());
    }

    proptest! {
        #[test]
        fn without_noncentrality_it_is_students_law(t in -40.0..40.0f64, df in 0.3..3000.0f64) {
            let expected = student_t::sf(t, df).unwrap();
            prop_assert!((sf(t, df, 0.0).unwrap() - expected).abs() < 1e-12);
        }

        #[test]
        fn zero_is_exceeded_as_often_as_by_the_normal_law(df in 0.3..3000.0f64, delta in -8.0..8.0f64) {
            prop_assert!((sf(0.0, df, delta).unwrap() - normal::cdf(delta)).abs() < 1e-13);
        }

        #[test]
        fn a_larger_difference_is_found_more_often(
            t in -5.0..20.0f64, df in 0.5..300.0f64, delta in -5.0..20.0f64,
        ) {
            let (near, far) = (sf(t, df, delta).unwrap(), sf(t, df, delta + 0.3).unwrap());
            // Where both are 1 or 0 but for rounding, rounding decides.
            prop_assert!(far > near || (near > 1.0 - 1e-12 || far < 1e-12));
        }
    }

    /// (t, df, delta, P(T > t)): the integral in the thirty digits of mpmath
    /// 1.3, cut elsewhere; scipy.stats.nct of SciPy 1.17 agrees to 1e-14.
    const TAILS: [(f64, f64, f64, f64); 12] = [
        (2.0, 9.0, 1.0, 0.19585598174440963),
        (0.5, 1.0, 0.0, 0.35241638234956674),
        (3.0, 2.5, 1.5, 0.23073998868972115),
        (-1.0, 5.0, 0.7, 0.943041952634213),
        (1.984, 99.0, 2.8, 0.7918891499026975),
        (2.0, 49.0, 10.0, 0.9999999999999978),
        (30.0, 4.0, 12.0, 0.042696009976633996),
        (1.96, 5000.0, 3.24, 0.8997014378299519),
        (12.0, 3.0, 0.5, 0.0014849356541571336),
        (0.0, 7.0, 1.3, 0.9031995154143897),
        (2.2, 10.0, -2.0, 8.065780630579932e-5),
        (1.0, 0.7, 0.4, 0.4011609237793426),
    ];
}
