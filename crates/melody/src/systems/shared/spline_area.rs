//! The area between the derivatives of two melodies that are drawn as uniform B-splines.
//!
//! The notes of a gram are the coefficients of a spline of one degree less than there are notes. The
//! derivative of a uniform B-spline is one of the next lower degree over the differences of its
//! coefficients, and the difference of two splines is a spline over the differences of theirs. So the
//! area depends only on how the two grams' neighbouring differences differ, and has a closed form.

/// Of grams of three notes: the integral from 0 to 1 of |a (1 - x) + b x|.
pub(crate) fn area_of_two([a, b]: [f64; 2]) -> f64 {
    if a * b >= 0.0 {
        (a + b).abs() / 2.0
    } else {
        (a * a + b * b) / (2.0 * (a.abs() + b.abs()))
    }
}

/// Of grams of four notes: the integral from 0 to 1 of
/// |a (1 - x)^2 / 2 + b (1/2 + x - x^2) + c x^2 / 2|.
pub(crate) fn area_of_three([a, b, c]: [f64; 3]) -> f64 {
    // The integrand before the bars are put, as constant + linear x + square x^2.
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

/// Where constant + linear x + square x^2 is 0; a place outside of 0 to 1 where it is nowhere.
fn roots(constant: f64, linear: f64, square: f64) -> [f64; 2] {
    const NOWHERE: f64 = -1.0;
    if square == 0.0 {
        let only = if linear == 0.0 {
            NOWHERE
        } else {
            -constant / linear
        };
        return [only, NOWHERE];
    }
    let discriminant = linear * linear - 4.0 * square * constant;
    if discriminant <= 0.0 {
        // A root where the curve only touches 0 divides nothing.
        return [NOWHERE, NOWHERE];
    }
    // The form that loses no digits: both terms of the sum have one sign.
    let sum = -(linear + discriminant.sqrt().copysign(linear)) / 2.0;
    [
        sum / square,
        if sum == 0.0 { NOWHERE } else { constant / sum },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The trapezium rule with many steps.
    fn by_steps(integrand: impl Fn(f64) -> f64) -> f64 {
        let steps = 200_000;
        let height = |step: i32| integrand(f64::from(step) / f64::from(steps)).abs();
        let inner: f64 = (1..steps).map(height).sum();
        (inner + (height(0) + height(steps)) / 2.0) / f64::from(steps)
    }

    #[test]
    fn areas_are_what_summing_small_steps_gives() {
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
                (area_of_three([a, b, c]) - by_steps(curve)).abs() < 1e-8,
                "{differences:?}"
            );
            let line = |x: f64| a * (1.0 - x) + b * x;
            assert!(
                (area_of_two([a, b]) - by_steps(line)).abs() < 1e-8,
                "{differences:?}"
            );
        }
    }
}
