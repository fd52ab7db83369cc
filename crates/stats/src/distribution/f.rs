//! Fisher's F law: the ratio of two mean squares.
//!
//! P(F <= x) on d₁ and d₂ degrees of freedom is the regularised incomplete beta function I(d₁/2,
//! d₂/2) at the odds d₁x/d₂ (Abramowitz and Stegun 26.6.2). With infinitely many degrees of freedom
//! below, d₁F is chi-squared.
//!
//! ```
//! use partita_stats::f;
//!
//! // The printed .95 quantile on 4 and 18 degrees of freedom is 2.93.
//! assert!((f::quantile(0.95, 4.0, 18.0)? - 2.9277).abs() < 5e-5);
//! // With 2 and 2 degrees of freedom the tail is 1/(1 + x).
//! assert!((f::sf(3.0, 2.0, 2.0)? - 0.25).abs() < 1e-15);
//! # Ok::<(), partita_stats::StatsError>(())
//! ```

use crate::error::{self, StatsError};
use crate::numeric::incomplete::{UnitIntervalPoint, incomplete_beta, incomplete_gamma};

/// P(F > x) on `df1` and `df2` degrees of freedom; `df2` may be infinite.
///
/// # Errors
/// An x that is NaN, or degrees of freedom that are not positive.
pub fn sf(x: f64, df1: f64, df2: f64) -> Result<f64, StatsError> {
    check(x, df1, df2)?;
    Ok(tails(x, df1, df2).1)
}

/// P(F <= x) on `df1` and `df2` degrees of freedom; `df2` may be infinite.
///
/// # Errors
/// As [`sf`].
pub fn cdf(x: f64, df1: f64, df2: f64) -> Result<f64, StatsError> {
    check(x, df1, df2)?;
    Ok(tails(x, df1, df2).0)
}

/// The x below which the law has the share `p`.
///
/// # Errors
/// A p that is not strictly between 0 and 1, or degrees of freedom that are not positive.
pub fn quantile(p: f64, df1: f64, df2: f64) -> Result<f64, StatsError> {
    error::require_proportion("p of the quantile of F", p)?;
    check(1.0, df1, df2)?;
    // Whether x is too small, asked of the tail that is not near 1.
    let is_below = |x: f64| {
        let (below, above) = tails(x, df1, df2);
        if p < 0.5 { below < p } else { above > 1.0 - p }
    };
    let (mut low, mut high) = (1.0, 1.0);
    while is_below(high) && high < f64::MAX / 2.0 {
        high *= 2.0;
    }
    while !is_below(low) && low > f64::MIN_POSITIVE {
        low *= 0.5;
    }
    // Halving an interval ends when no number lies between its ends.
    loop {
        let middle = low + 0.5 * (high - low);
        if middle <= low || middle >= high {
            return Ok(high);
        }
        match is_below(middle) {
            true => low = middle,
            false => high = middle,
        }
    }
}

fn check(x: f64, df1: f64, df2: f64) -> Result<(), StatsError> {
    error::refuse_nan("x", &[x])?;
    error::require_degrees_of_freedom(df1, false)?;
    error::require_degrees_of_freedom(df2, true)
}

/// P(F <= x) and P(F > x).
fn tails(x: f64, df1: f64, df2: f64) -> (f64, f64) {
    if x <= 0.0 {
        (0.0, 1.0)
    } else if x == f64::INFINITY {
        (1.0, 0.0)
    } else if df2 == f64::INFINITY {
        incomplete_gamma(0.5 * df1, 0.5 * df1 * x)
    } else {
        incomplete_beta(
            0.5 * df1,
            0.5 * df2,
            UnitIntervalPoint::from_odds(x * (df1 / df2)),
        )
    }
}
