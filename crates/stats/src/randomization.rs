//! Randomisation test of paired differences.
//!
//! If two systems were equal, each difference could equally have had the other sign. Over all 2ⁿ
//! choices of signs, the p-value is the share with a sum at least as extreme as the observed one,
//! itself included (Fisher 1935; for retrieval Smucker, Allan and Carterette 2007). The two-sided
//! p-value counts sums at least as large in absolute value.
//!
//! Up to [`MAX_EXACT`] differences all choices are counted, by splitting the sample into two halves
//! and matching their sorted sums. Beyond, B choices are drawn and p = (1 + #)/(B + 1). Sums are
//! compared as integer multiples of the rounding unit of the [`Differences`], so that rounding
//! error cannot break a tie with the observed sum. Without rounding the unit is 2⁻⁹⁰ times the
//! largest difference, far below the precision of a double.
//!
//! ```
//! use partita_stats::{random::stream, randomization};
//!
//! let differences = [0.1, 0.2, 0.3, -0.1, 0.2];
//! let test = randomization::randomization_test(&differences, 10_000, &mut stream(1, &[]))?;
//! // 3 of the 32 sign patterns reach the observed sum 0.7: besides the observed
//! // one, all positive, and the one with the other 0.1 negative.
//! assert_eq!((test.p.greater, test.exact), (3.0 / 32.0, true));
//! # Ok::<(), partita_stats::StatsError>(())
//! ```

use crate::differences::{Differences, Rounding, max_abs};
use crate::error::StatsError;
use crate::p_value::PValues;
use crate::random::Rng;
use crate::validate;

/// Largest number n of differences for which all 2ⁿ choices of signs are counted.
pub const MAX_EXACT: usize = 20;

/// Result of a randomisation test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RandomizationTest {
    /// P-values; `greater` is the alternative that the mean difference is above 0.
    pub p: PValues,
    /// True if all 2ⁿ choices of signs were counted, false if a sample of them was drawn.
    pub exact: bool,
}

/// Runs the randomisation test on paired differences, rounded with [`Rounding::Relative`]. If both
/// samples are known, use [`test_differences`].
///
/// `resamples` and `rng` are used only beyond [`MAX_EXACT`] differences.
///
/// # Errors
/// Returns a [`StatsError`] for no differences, values that are not finite, or no resamples where
/// some are needed.
pub fn randomization_test(
    differences: &[f64],
    resamples: usize,
    rng: &mut impl Rng,
) -> Result<RandomizationTest, StatsError> {
    let differences = Differences::from_differences(differences, Rounding::Relative)?;
    test_differences(&differences, resamples, rng)
}

/// Runs the randomisation test on paired differences, rounded by the rule of the [`Differences`].
///
/// # Errors
/// Returns a [`StatsError`] for no differences, or no resamples where some are needed.
pub fn test_differences(
    differences: &Differences,
    resamples: usize,
    rng: &mut impl Rng,
) -> Result<RandomizationTest, StatsError> {
    let quanta = to_integer_quanta(differences);
    validate::require_length("differences", 1, quanta.len())?;
    let exact = quanta.len() <= MAX_EXACT;
    let p = if exact {
        exact_p_values(&quanta)
    } else {
        validate::require_length("resamples", 1, resamples)?;
        sampled_p_values(&quanta, resamples, rng)
    };
    Ok(RandomizationTest { p, exact })
}

/// Converts the differences to integer multiples of their rounding unit, or of about 2⁻⁹⁰ times the
/// largest difference if there is no unit or it is too fine. Sums of a hundred million such
/// integers fit 128 bits.
fn to_integer_quanta(differences: &Differences) -> Vec<i128> {
    let exact = differences.exact();
    let largest = max_abs(exact);
    let counted: Option<Vec<f64>> = differences.quantum().map(|quantum| {
        let counts = exact.iter().map(|&d| quantum.in_quanta(d));
        counts.collect()
    });
    let fits = |counts: &Vec<f64>| max_abs(counts) < 2f64.powi(100);
    let counts = counted.filter(fits).unwrap_or_else(|| {
        // Multiplication by a power of two is exact. The first one scales all differences to below
        // 1, so that the second cannot overflow.
        let exponent = libm::frexp(largest).1;
        let scaled = |&d: &f64| libm::ldexp(libm::ldexp(d, -exponent), 90);
        exact.iter().map(scaled).collect()
    });
    counts
        .iter()
        .map(|&count| libm::rint(count) as i128)
        .collect()
}

fn exact_p_values(quanta: &[i128]) -> PValues {
    let observed: i128 = quanta.iter().sum();
    let (left, right) = quanta.split_at(quanta.len() / 2);
    let (left, right) = (signed_sums(left), signed_sums(right));
    let at_least = |bound: i128| {
        // As the left sums ascend, the smallest right sum that reaches the bound descends.
        let mut enough = right.len();
        let mut count = 0usize;
        for sum in &left {
            while enough > 0 && sum + right[enough - 1] >= bound {
                enough -= 1;
            }
            count += right.len() - enough;
        }
        count
    };
    let patterns = (left.len() * right.len()) as f64;
    // The sums s and -s are equally frequent, so the lower tail at the observed sum equals the
    // upper tail at its negative.
    let two_sided = if observed == 0 {
        left.len() * right.len()
    } else {
        2 * at_least(observed.abs())
    };
    PValues {
        less: at_least(-observed) as f64 / patterns,
        greater: at_least(observed) as f64 / patterns,
        two_sided: two_sided as f64 / patterns,
    }
}

/// Returns the sums of the numbers under all choices of their signs, ascending.
fn signed_sums(quanta: &[i128]) -> Vec<i128> {
    let mut sums = vec![0];
    for q in quanta {
        sums = sums.iter().flat_map(|sum| [sum - q, sum + q]).collect();
    }
    sums.sort_unstable();
    sums
}

fn sampled_p_values(quanta: &[i128], resamples: usize, rng: &mut impl Rng) -> PValues {
    let observed: i128 = quanta.iter().sum();
    let (mut below, mut above, mut beyond) = (1usize, 1usize, 1usize);
    for _ in 0..resamples {
        let mut sum = 0i128;
        for chunk in quanta.chunks(64) {
            let mut signs = rng.next_u64();
            for q in chunk {
                sum += if signs & 1 == 1 { *q } else { -q };
                signs >>= 1;
            }
        }
        below += usize::from(sum <= observed);
        above += usize::from(sum >= observed);
        beyond += usize::from(sum.abs() >= observed.abs());
    }
    let share = |count: usize| count as f64 / (resamples as f64 + 1.0);
    PValues {
        less: share(below),
        greater: share(above),
        two_sided: share(beyond),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::stream;

    #[test]
    fn sampled_p_values_are_near_the_exact_ones() {
        let differences: Vec<f64> = (0..20).map(|i| f64::from(i * 7 % 11) - 4.0).collect();
        let rounded = Differences::from_differences(&differences, Rounding::Relative).unwrap();
        let quanta = to_integer_quanta(&rounded);
        let exact = exact_p_values(&quanta);
        let sampled = sampled_p_values(&quanta, 20_000, &mut stream(2, &[]));
        assert!((exact.greater - sampled.greater).abs() < 0.015);
        assert!((exact.two_sided - sampled.two_sided).abs() < 0.015);
        let longer = [&differences[..], &[1.0]].concat();
        assert!(
            !randomization_test(&longer, 10, &mut stream(2, &[]))
                .unwrap()
                .exact
        );
    }
}
