//! Area between the derivatives of two uniform B-splines.
//!
//! The notes of an n-gram are the coefficients of a spline whose degree is one less than their
//! number. The derivative of a uniform B-spline is a spline of the next lower degree over the
//! differences of its coefficients, and the difference of two splines is a spline over the
//! differences of their coefficients. The area therefore depends only on the differences between
//! the intervals of the two n-grams, and has a closed form.

/// Computes the area for n-grams of three notes: the integral from 0 to 1 of |a (1 - x) + b x|,
/// where a and b are the differences between their first and second intervals.
pub(crate) fn area_between_trigrams([a, b]: [f64; 2]) -> f64 {
    if a * b >= 0.0 {
        (a + b).abs() / 2.0
    } else {
        (a * a + b * b) / (2.0 * (a.abs() + b.abs()))
    }
}

/// Computes the area for n-grams of four notes: the integral from 0 to 1 of |a (1 - x)^2 / 2 + b
/// (1/2 + x - x^2) + c x^2 / 2|, where a, b and c are the differences between their three
/// intervals.
pub(crate) fn area_between_four_note_grams([a, b, c]: [f64; 3]) -> f64 {
    // Integrand without the absolute value, as constant + linear x + square x^2.
    let constant = (a + b) / 2.0;
    let linear = b - a;
    let square = (a + c) / 2.0 - b;
    let sum_to = |x: f64| x * (constant + x * (linear / 2.0 + x * square / 3.0));
    let mut cuts = [0.0, 1.0, 1.0, 1.0];
    let mut count = 1;
    for root in roots(constant, linear, square) {
        if root > 0.0 && root < 1.0 {
            cuts[count] = root;
            count += 1;
        }
    }
    if count == 3 && cuts[1] > cuts[2] {
        cuts.swap(1, 2);
    }
    let parts = cuts
        .windows(2)
        .map(|ends| sum_to(ends[1]) - sum_to(ends[0]));
    parts.map(f64::abs).sum()
}

/// Returns the roots of the polynomial `constant` + `linear` x + `square` x^2 at which its sign
/// changes. A missing root is replaced by a value outside of 0 to 1.
fn roots(constant: f64, linear: f64, square: f64) -> [f64; 2] {
    /// Value in place of a missing root; it lies outside of the interval from 0 to 1.
    const NO_ROOT: f64 = -1.0;
    if square == 0.0 {
        let only = if linear == 0.0 {
            NO_ROOT
        } else {
            -constant / linear
        };
        return [only, NO_ROOT];
    }
    let discriminant = linear * linear - 4.0 * square * constant;
    if discriminant <= 0.0 {
        // A double root does not change the sign.
        return [NO_ROOT, NO_ROOT];
    }
    // Numerically stable form: both terms of the sum have the same sign.
    let sum = -(linear + discriminant.sqrt().copysign(linear)) / 2.0;
    [
        sum / square,
        if sum == 0.0 { NO_ROOT } else { constant / sum },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Integrates the absolute value of a function from 0 to 1 by the trapezoidal rule.
    fn integrate_numerically(integrand: impl Fn(f64) -> f64) -> f64 {
        let steps = 200_000;
        let height = |step: i32| integrand(f64::from(step) / f64::from(steps)).abs();
        let inner: f64 = (1..steps).map(height).sum();
        (inner + (height(0) + height(steps)) / 2.0) / f64::from(steps)
    }

    #[test]
    fn areas_equal_numerical_integrals() {
        for differences in [
            [1, 2, 3],
            [-3, 5, -2],
            [0, 0, 7],
            [4, -9, 4],
            [2, 0, -2],
            [-1, -1, -1],
        ] {
            let [a, b, c] = differences.map(f64::from);
            let curve =
                |x: f64| a * (1.0 - x) * (1.0 - x) / 2.0 + b * (0.5 + x - x * x) + c * x * x / 2.0;
            assert!(
                (area_between_four_note_grams([a, b, c]) - integrate_numerically(curve)).abs()
                    < 1e-8,
                "{differences:?}"
            );
            let line = |x: f64| a * (1.0 - x) + b * x;
            assert!(
                (area_between_trigrams([a, b]) - integrate_numerically(line)).abs() < 1e-8,
                "{differences:?}"
            );
        }
    }
}
