//! The randomisation test of paired differences.
//!
//! If two systems were alike, each difference might as well have had the other sign. Over all 2ⁿ
//! ways to choose the signs, the p-value is the share with a sum at least as extreme as the
//! observed one, itself included (Fisher 1935; for retrieval Smucker, Allan and Carterette 2007).
//! The two-sided one counts sums at least as large in absolute value.
//!
//! Up to [`EXACT`] differences all ways are counted, by splitting the sample in two halves and
//! matching their sorted sums; beyond, B ways are drawn and p = (1 + #)/(B + 1). Sums are compared
//! as whole numbers of what the [`Differences`] are rounded to, so that rounding error cannot break
//! a tie with the observed sum; of the 2⁻⁹⁰th part of the largest difference where they are not
//! rounded, which holds doubles as they are.
//!
//! ```
//! use partita_stats::{randomization, streams::stream};
//!
//! let differences = [0.1, 0.2, 0.3, -0.1, 0.2];
//! let test = randomization::paired(&differences, 10_000, &mut stream(1, &[]))?;
//! // 3 of the 32 sign patterns reach the observed sum 0.7: none of the 0.1s
//! // and 0.2s can turn but one 0.1.
//! assert_eq!((test.p.greater, test.exact), (3.0 / 32.0, true));
//! # Ok::<(), partita_stats::StatsError>(())
//! ```

use crate::differences::{Differences, Rounding, max_abs};
use crate::error::{self, StatsError};
use crate::numeric::moments;
use crate::p_value::PValues;
use crate::random::Rng;

/// All sign patterns are counted up to this many differences.
pub const MAX_EXACT: usize = 20;

/// The result of a randomisation test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RandomizationTest {
    /// The mean of the differences.
    pub mean: f64,
    /// The p-values; `greater` is that the mean is above 0.
    pub p: PValues,
    /// Whether all patterns were counted.
    pub exact: bool,
    /// The number of patterns counted or drawn.
    pub patterns: usize,
}

/// The randomisation test of a sample of paired differences, of which no more is known: rounded by
/// [`Rounding::Relative`].
///
/// `resamples` and `rng` are used only beyond [`EXACT`] differences.
///
/// # Errors
/// No differences, values that are not finite, or no resamples where some are needed.
pub fn test(
    differences: &[f64],
    resamples: usize,
    rng: &mut impl Rng,
) -> Result<RandomizationTest, StatsError> {
    let differences = Differences::from_differences(differences, Rounding::Relative)?;
    test_differences(&differences, resamples, rng)
}

/// The randomisation test of paired differences, rounded by their own rule.
///
/// # Errors
/// No differences, or no resamples where some are needed.
pub fn test_differences(
    differences: &Differences,
    resamples: usize,
    rng: &mut impl Rng,
) -> Result<RandomizationTest, StatsError> {
    let quanta = to_integer_quanta(differences);
    let differences = differences.exact();
    error::require_length("differences", 1, differences.len())?;
    let exact = differences.len() <= MAX_EXACT;
    if !exact {
        error::require_length("resamples", 1, resamples)?;
    }
    let p = if exact {
        exact_p_values(&quanta)
    } else {
        sampled_p_values(&quanta, resamples, rng)
    };
    Ok(RandomizationTest {
        mean: moments::mean(differences),
        p,
        exact,
        patterns: if exact {
            1 << differences.len()
        } else {
            resamples
        },
    })
}

/// The differences in quanta. A quantum is never finer than the 2⁻⁹⁰th part of the largest, so that
/// sums of a hundred million stay inside 128 bits.
fn to_integer_quanta(differences: &Differences) -> Vec<i128> {
    let exact = differences.exact();
    let largest = max_abs(exact);
    let counted: Option<Vec<f64>> = differences.quantum().map(|quantum| {
        let counts = exact.iter().map(|&d| quantum.in_quanta(d));
        counts.collect()
    });
    let fits = |counts: &Vec<f64>| max_abs(counts) < 2f64.powi(100);
    let counts = counted.filter(fits).unwrap_or_else(|| {
        // A power of two, by which doubles are multiplied exactly: first to below 1, which no
        // double is too large or too small for.
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
        // As the left sum grows, ever smaller right sums will do.
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
    // Sums come in pairs ±s, so the lower tail is the upper one of -observed.
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

/// The sums under all choices of signs, ascending.
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
    fn drawn_patterns_come_near_the_exact_share() {
        let differences: Vec<f64> = (0..20).map(|i| f64::from(i * 7 % 11) - 4.0).collect();
        let given = Differences::from_differences(&differences, Rounding::Relative).unwrap();
        let quanta = to_integer_quanta(&given);
        let exact = exact_p_values(&quanta);
        let drawn = sampled_p_values(&quanta, 20_000, &mut stream(2, &[]));
        assert!((exact.greater - drawn.greater).abs() < 0.015);
        assert!((exact.two_sided - drawn.two_sided).abs() < 0.015);
        let longer = [&differences[..], &[1.0]].concat();
        assert!(!test(&longer, 10, &mut stream(2, &[])).unwrap().exact);
    }
}
