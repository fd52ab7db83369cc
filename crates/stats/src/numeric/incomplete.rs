//! Incomplete gamma and beta functions.
//!
//! Their leading factors, such as xᵃe⁻ˣ/Γ(a), are products of huge and tiny numbers. Computed from
//! logarithms of gamma functions they would lose a digit for every power of ten in a. The
//! saddle-point form of Loader (2000, *Fast and accurate computation of binomial probabilities*)
//! keeps nearly all digits.

use core::f64::consts::PI;

/// Maximum number of terms in series and continued fractions. Near the middle of a distribution
/// about the square root of its parameter is needed.
const MAX_TERMS: usize = 100_000;
/// Replacement of a zero denominator in continued fractions (Lentz 1976).
const TINY: f64 = 1e-300;

/// Computes ln Γ(z) - [(z - ½) ln z - z + ½ ln 2π], the error of Stirling's formula.
pub(crate) fn stirling_error(z: f64) -> f64 {
    let (mut z, mut error) = (z, 0.0);
    while z < 10.0 {
        error += (z + 0.5) * libm::log1p(1.0 / z) - 1.0;
        z += 1.0;
    }
    /// Coefficients B₂ₖ/(2k(2k-1)) of the asymptotic series, k = 1..7, with the Bernoulli numbers
    /// B₂ₖ.
    const STIRLING_COEFFICIENTS: [f64; 7] = [
        1.0 / 12.0,
        -1.0 / 360.0,
        1.0 / 1260.0,
        -1.0 / 1680.0,
        1.0 / 1188.0,
        -691.0 / 360_360.0,
        1.0 / 156.0,
    ];
    let square = 1.0 / (z * z);
    error
        + STIRLING_COEFFICIENTS
            .iter()
            .rev()
            .fold(0.0, |sum, term| sum * square + term)
            / z
}

/// Computes ln(1 + x) - x without cancellation near 0, for x >= -0.4.
fn log1p_minus_x(x: f64) -> f64 {
    if x >= 0.6 {
        return libm::log1p(x) - x;
    }
    // With r = x/(2+x): ln(1+x) = 2(r + r³/3 + ...) and 2r = x - xr.
    let r = x / (2.0 + x);
    let square = r * r;
    let (mut power, mut sum) = (square, 0.0);
    for k in 1..60 {
        let term = power / f64::from(2 * k + 1);
        sum += term;
        if term < 1e-18 * sum {
            break;
        }
        power *= square;
    }
    r * (2.0 * sum - x)
}

/// Computes P(a, x) and Q(a, x), the regularised incomplete gamma functions, for a > 0 and x >= 0.
pub(crate) fn incomplete_gamma(a: f64, x: f64) -> (f64, f64) {
    if x <= 0.0 {
        return (0.0, 1.0);
    }
    if x == f64::INFINITY {
        return (1.0, 0.0);
    }
    // ln(x/a) - (x/a - 1). For small x it is computed from x/a, because x - a would lose the digits
    // of x.
    let excess = (x - a) / a;
    let exponent = if excess < -0.4 {
        libm::log(x / a) - excess
    } else {
        log1p_minus_x(excess)
    };
    let front = (a / (2.0 * PI)).sqrt() * libm::exp(a * exponent - stirling_error(a));
    if x < a + 1.0 {
        let lower = (front * gamma_series(a, x)).min(1.0);
        (lower, 1.0 - lower)
    } else {
        let upper = (front * gamma_fraction(a, x)).min(1.0);
        (1.0 - upper, upper)
    }
}

/// Computes the series Σ xⁿ/(a(a+1)...(a+n)), n = 0, 1, ..., of the lower incomplete gamma
/// function.
fn gamma_series(a: f64, x: f64) -> f64 {
    let (mut term, mut sum) = (1.0 / a, 1.0 / a);
    for n in 1..MAX_TERMS {
        term *= x / (a + n as f64);
        sum += term;
        if term < sum * 1e-17 {
            break;
        }
    }
    sum
}

/// Computes the continued fraction 1/(x+1-a - 1(1-a)/(x+3-a - 2(2-a)/(x+5-a - ...))) of the upper
/// incomplete gamma function.
fn gamma_fraction(a: f64, x: f64) -> f64 {
    continued_fraction(x + 1.0 - a, |n| {
        let n = n as f64;
        (-n * (n - a), x + 2.0 * n + 1.0 - a)
    })
}

/// Computes 1/(b₀ + a₁/(b₁ + a₂/(b₂ + ...))) by the algorithm of Lentz (1976) as modified by
/// Thompson and Barnett (1986); `first` is b₀ and `terms(n)` is (aₙ, bₙ).
fn continued_fraction(first: f64, terms: impl Fn(usize) -> (f64, f64)) -> f64 {
    let nonzero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut c = 1.0 / TINY;
    let mut d = 1.0 / nonzero(first);
    let mut value = d;
    for n in 1..MAX_TERMS {
        let (a, b) = terms(n);
        d = 1.0 / nonzero(b + a * d);
        c = nonzero(b + a / c);
        let factor = c * d;
        value *= factor;
        if (factor - 1.0).abs() < 1e-16 {
            break;
        }
    }
    value
}

/// Point x of (0, 1) with its complement y = 1 - x and the logarithms of both, each computed
/// without cancellation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnitIntervalPoint {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) ln_x: f64,
    pub(crate) ln_y: f64,
}

impl UnitIntervalPoint {
    /// Returns the point x = odds/(1 + odds), whose complement is 1/(1 + odds).
    pub(crate) fn from_odds(odds: f64) -> Self {
        let ln_y = -libm::log1p(odds);
        Self {
            x: odds / (1.0 + odds),
            y: 1.0 / (1.0 + odds),
            ln_x: if odds < 1.0 {
                libm::log(odds) + ln_y
            } else {
                -libm::log1p(1.0 / odds)
            },
            ln_y,
        }
    }

    /// Exchanges x and its complement.
    fn mirrored(self) -> Self {
        Self {
            x: self.y,
            y: self.x,
            ln_x: self.ln_y,
            ln_y: self.ln_x,
        }
    }
}

/// Computes the regularised incomplete beta function I(a, b) at a point, and 1 minus it, for a, b >
/// 0.
pub(crate) fn incomplete_beta(a: f64, b: f64, at: UnitIntervalPoint) -> (f64, f64) {
    if at.x <= 0.0 {
        return (0.0, 1.0);
    }
    if at.y <= 0.0 {
        return (1.0, 0.0);
    }
    // Logarithm of xᵃyᵇ/B(a, b), each power relative to its value at the mean.
    let sum = a + b;
    let log_front = a * (at.ln_x + libm::log1p(b / a))
        + b * (at.ln_y + libm::log1p(a / b))
        + 0.5 * libm::log(a / sum * b / (2.0 * PI))
        + stirling_error(sum)
        - stirling_error(a)
        - stirling_error(b);
    let front = libm::exp(log_front);
    if at.x < (a + 1.0) / (sum + 2.0) {
        let lower = (front * beta_fraction(a, b, at)).clamp(0.0, 1.0);
        (lower, 1.0 - lower)
    } else {
        let upper = (front * beta_fraction(b, a, at.mirrored())).clamp(0.0, 1.0);
        (1.0 - upper, upper)
    }
}

/// Computes the continued fraction of the incomplete beta function by Didonato and Morris (1992,
/// eq. 9), which needs half the terms of the classical one and is stable at its middle.
fn beta_fraction(a: f64, b: f64, at: UnitIntervalPoint) -> f64 {
    let UnitIntervalPoint { x, y, .. } = at;
    let denominator = |n: f64| {
        // At n = 0 the term is 0; the division would be 0/0 for a = 1.
        let rise = if n > 0.0 {
            n * (b - n) * x / (a + 2.0 * n - 1.0)
        } else {
            0.0
        };
        let fall = (a + n) * (a * y - b * x + 1.0 + n * (1.0 + y)) / (a + 2.0 * n + 1.0);
        n + rise + fall
    };
    continued_fraction(denominator(0.0), |n| {
        let n = n as f64;
        let width = a + 2.0 * n - 1.0;
        let above = (a + n - 1.0) * (a + b + n - 1.0) * n * (b - n) * x * x / (width * width);
        (above, denominator(n))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_relative_error(found: f64, expected: f64, tolerance: f64) {
        let error = (found / expected - 1.0).abs();
        assert!(
            error < tolerance,
            "{found:e} is off {expected:e} by {error:e}"
        );
    }

    #[test]
    fn stirling_error_matches_forty_digit_values() {
        for (z, expected) in STIRLING {
            let error = (stirling_error(z) - expected).abs();
            assert!(error < 5e-16, "at {z} off by {error:e}");
        }
    }

    #[test]
    fn incomplete_gamma_matches_forty_digit_values() {
        for (a, x, lower, upper) in GAMMA {
            let found = incomplete_gamma(a, x);
            assert_relative_error(found.0, lower, 3e-14);
            assert_relative_error(found.1, upper, 3e-14);
        }
    }

    #[test]
    fn incomplete_beta_matches_forty_digit_values() {
        for (a, b, odds, lower, upper) in BETA {
            let found = incomplete_beta(a, b, UnitIntervalPoint::from_odds(odds));
            assert_relative_error(found.0, lower, 3e-14);
            assert_relative_error(found.1, upper, 3e-14);
        }
    }

    #[test]
    fn incomplete_functions_are_0_and_1_at_the_ends_of_the_range() {
        assert_eq!(incomplete_gamma(2.0, 0.0), (0.0, 1.0));
        assert_eq!(incomplete_gamma(2.0, f64::INFINITY), (1.0, 0.0));
        assert_eq!(
            incomplete_beta(2.0, 3.0, UnitIntervalPoint::from_odds(0.0)),
            (0.0, 1.0)
        );
        assert_eq!(
            incomplete_beta(2.0, 3.0, UnitIntervalPoint::from_odds(f64::INFINITY)).1,
            0.0
        );
    }

    /// (z, error of Stirling's formula for ln Γ(z)): forty-digit values of mpmath 1.3.
    const STIRLING: [(f64, f64); 5] = [
        (0.25, 0.27251040121343206),
        (0.5, 0.15342640972002736),
        (3.0, 0.02767792568499834),
        (9.5, 0.008768700134139386),
        (120.0, 0.0006944428369660497),
    ];
    /// (a, x, P(a, x), Q(a, x)): forty-digit values.
    const GAMMA: [(f64, f64, f64, f64); 10] = [
        (0.5, 1e-17, 3.568248232305536e-9, 0.9999999964317517),
        (3.0, 1e-7, 1.6666665416666716e-22, 1.0),
        (0.5, 0.1, 0.345279153981423, 0.654720846018577),
        (0.5, 30.0, 0.9999999999999906, 9.485737571073848e-15),
        (2.5, 2.0, 0.4505840486472198, 0.5494159513527802),
        (10.0, 25.0, 0.9997785233617512, 0.00022147663824878357),
        (50.0, 45.0, 0.24680203440017026, 0.7531979655998298),
        (49.5, 120.0, 0.9999999999998982, 1.0186020627195444e-13),
        (1000.0, 1010.0, 0.6276789447369947, 0.3723210552630053),
        (10000.0, 9800.0, 0.022207543813969693, 0.9777924561860303),
    ];
    /// (a, b, odds x/(1-x), I(a, b), 1 - I(a, b)): forty-digit values.
    const BETA: [(f64, f64, f64, f64, f64); 8] = [
        (0.5, 0.5, 0.3, 0.3190057200399771, 0.6809942799600229),
        (0.5, 0.5, 1e-08, 6.366197702455154e-5, 0.9999363380229754),
        (2.0, 3.0, 1.0, 0.6875, 0.3125),
        (15.0, 0.5, 20.0, 0.2302015591908045, 0.7697984408091955),
        (500.0, 0.5, 300.0, 0.06818726316213491, 0.931812736837865),
        (
            50000.0,
            0.5,
            20000.0,
            0.02534951545109076,
            0.9746504845489092,
        ),
        (40.0, 60.0, 0.5, 0.08432270531764628, 0.9156772946823537),
        (600.0, 400.0, 1.6, 0.8396547358942211, 0.1603452641057789),
    ];
}
