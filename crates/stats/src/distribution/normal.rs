//! Standard normal distribution.
//!
//! All functions build on the complementary error function of `libm`, which is accurate to about
//! one unit in the last place and gives the same bits on every machine. They keep that accuracy in
//! both tails.
//!
//! ```
//! use partita_stats::distribution::normal;
//!
//! assert_eq!(normal::cdf(0.0), 0.5);
//! assert!((normal::sf(1.959963984540054) - 0.025).abs() < 1e-16);
//! assert!((normal::quantile(0.975)? - 1.959963984540054).abs() < 1e-15);
//! # Ok::<(), partita_stats::StatsError>(())
//! ```

use core::f64::consts::FRAC_1_SQRT_2;

use crate::error::StatsError;
use crate::p_value::PValues;

/// Rounding error of the double nearest to 1/√2, added back for full precision in the tail.
const FRAC_1_SQRT_2_REST: f64 = -4.833_646_656_726_457e-17;
/// Square root of 2π.
const SQRT_2_PI: f64 = 2.5066282746310007;

/// Computes the standard normal density exp(-x²/2)/√(2π).
pub fn density(x: f64) -> f64 {
    libm::exp(-0.5 * x * x) / SQRT_2_PI
}

/// Computes P(Z <= x) for a standard normal Z.
pub fn cdf(x: f64) -> f64 {
    sf(-x)
}

/// Computes P(Z > x) for a standard normal Z, with full relative accuracy in the far tail, where
/// subtracting the distribution function from 1 would give zero.
pub fn sf(x: f64) -> f64 {
    let scaled = x * FRAC_1_SQRT_2;
    let tail = 0.5 * libm::erfc(scaled);
    if !(1.0..40.0).contains(&x) {
        return tail;
    }
    // erfc multiplies the relative error of its argument by about 2z², so the rounding of x/√2
    // alone would cost 14 bits at x = 38. The slope of ln erfc lies between the two sides of
    // Birnbaum's (1942) inequality for Mills' ratio; an accuracy of one percent suffices for a
    // correction of this size.
    let rest = libm::fma(x, FRAC_1_SQRT_2, -scaled) + x * FRAC_1_SQRT_2_REST;
    tail * (1.0 - rest * (scaled + (scaled * scaled + 1.6).sqrt()))
}

/// Computes P(|Z| >= |z|), the two-sided p-value of a normal deviate.
pub fn two_sided(z: f64) -> f64 {
    (2.0 * sf(z.abs())).min(1.0)
}

/// Computes the p-values of a statistic that is approximately normal and deviates from its mean by
/// `deviation`. The continuity correction moves the statistic ½ towards its mean.
pub(crate) fn p_values(deviation: f64, variance: f64, continuity: bool) -> PValues {
    let scale = variance.sqrt();
    let half = if continuity { 0.5 } else { 0.0 };
    PValues {
        less: cdf((deviation + half) / scale),
        greater: sf((deviation - half) / scale),
        two_sided: (2.0 * sf((deviation.abs() - half) / scale)).min(1.0),
    }
}

/// Computes the standard normal quantile: the x with P(Z <= x) = p, for p strictly between 0 and 1.
///
/// # Errors
/// Returns [`StatsError::OutOfRange`] if p is not strictly between 0 and 1.
pub fn quantile(p: f64) -> Result<f64, StatsError> {
    crate::validate::require_proportion("p of the normal quantile", p)?;
    Ok(quantile_unchecked(p))
}

/// Computes the x with P(Z <= x) = p for a p that the caller knows to be inside (0, 1).
pub(crate) fn quantile_unchecked(p: f64) -> f64 {
    if (0.25..=0.75).contains(&p) {
        central_quantile(p - 0.5)
    } else if p < 0.25 {
        -upper_quantile(p)
    } else {
        upper_quantile(1.0 - p)
    }
}

/// Computes the x with Φ(x) - 1/2 = q, |q| <= 1/4. The inverse series of erf starts within 4e-4,
/// and each step of Halley's method triples the digits.
fn central_quantile(q: f64) -> f64 {
    let w = q * SQRT_2_PI;
    let w2 = w * w;
    let mut x = w * (1.0 + w2 * (1.0 / 6.0 + w2 * (7.0 / 120.0 + w2 * (127.0 / 5040.0))));
    for _ in 0..2 {
        let excess = (q - 0.5 * libm::erf(x * FRAC_1_SQRT_2)) / density(x);
        x += excess / (1.0 + 0.5 * x * excess);
    }
    x
}

/// Computes the x with P(Z > x) = p, p < 1/4. The rational approximation of Hastings (1955;
/// Abramowitz and Stegun 26.2.23) starts within 4.5e-4.
fn upper_quantile(p: f64) -> f64 {
    let t = (-2.0 * libm::log(p)).sqrt();
    let above = 2.515_517 + t * (0.802_853 + t * 0.010_328);
    let below = 1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308));
    let mut x = t - above / below;
    for _ in 0..2 {
        let excess = (sf(x) - p) / density(x);
        x += excess / (1.0 - 0.5 * x * excess);
    }
    x
}
