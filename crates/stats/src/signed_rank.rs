//! Wilcoxon signed-rank test, exact with ties and zeros.
//!
//! The test decides whether paired differences tend to be positive. Their absolute values are
//! ranked with midranks; the statistic W⁺ is the sum of the ranks of the positive ones (Wilcoxon
//! 1945).
//!
//! # Zeros
//!
//! * [`ZeroMethod::Wilcox`]: dropped before ranking (Wilcoxon 1945).
//! * [`ZeroMethod::Pratt`]: ranked, then dropped (Pratt 1959).
//! * [`ZeroMethod::Split`]: ranked, and half of their ranks given to either sign.
//!
//! # Distributions
//!
//! * [`SignedRankMethod::ExactConditional`]: given the absolute values with their ties, all 2ⁿ
//!   choices of the n signs of the nonzero differences are equally likely. Split zeros shift W⁺ by a
//!   constant, so their distribution is that of Pratt.
//! * [`SignedRankMethod::Normal`]: mean n(n+1)/4 and variance n(n+1)(2n+1)/24 - Σ(t³-t)/48; Pratt
//!   subtracts z(z+1)/4 and z(z+1)(2z+1)/24 for z zeros (Cureton 1967). The continuity correction is
//!   ½ towards the mean.
//! * [`SignedRankMethod::Auto`]: exact up to [`MAX_AUTO_EXACT`] nonzero differences, otherwise
//!   normal with both corrections.
//!
//! For split zeros the two distributions differ in principle, so p jumps where
//! [`SignedRankMethod::Auto`] changes from one to the other. In the exact distribution half of the
//! ranks of the zeros go to either side, whatever the signs. The normal approximation has the
//! textbook variance (also used by SciPy), in which zeros are a tie like any other and their signs
//! vary too. With many zeros it is much wider, and its p-value larger. [`ZeroMethod::Pratt`] has
//! the same exact distribution and a matching normal approximation. Use it to compare p-values of
//! samples below and above [`MAX_AUTO_EXACT`] with many zeros.
//!
//! Ties and zeros are detected by exact equality; round the differences with
//! [`Differences::rounded`](crate::differences::Differences::rounded).
//!
//! ```
//! use partita_stats::signed_rank::{signed_rank, SignedRankMethod, ZeroMethod};
//!
//! let differences = [0.5, 0.3, -0.1, 0.2, 0.0, 0.4];
//! let test = signed_rank(&differences, ZeroMethod::Wilcox, SignedRankMethod::Auto)?;
//! // Only the smallest of five is negative: 2 of 32 choices have W⁺ >= 14.
//! assert_eq!((test.w_plus, test.p.greater), (14.0, 2.0 / 32.0));
//! # Ok::<(), partita_stats::StatsError>(())
//! ```

use crate::distribution::normal;
use crate::error::StatsError;
use crate::p_value::PValues;
use crate::ranks::{gcd, midranks_unchecked, tie_sum_unchecked, tie_term};
use crate::validate;

/// Largest number of nonzero differences for which [`SignedRankMethod::Auto`] is exact.
pub const MAX_AUTO_EXACT: usize = 50;

/// Largest number of table cells of the exact distribution.
const CELL_LIMIT: u64 = 1 << 24;

partita_named::named_enum! {
    /// Treatment of differences that are zero.
    pub enum ZeroMethod: "treatment of zeros" = Wilcox {
        /// Zero differences are dropped before ranking
        Wilcox = "wilcox",
        /// Zero differences are ranked, then dropped
        Pratt = "pratt",
        /// Zero differences are ranked, and half of their ranks goes to each sign
        Split = "zsplit",
    }
}

partita_named::named_enum! {
    /// Distribution that the p-values of the signed-rank test come from.
    pub enum SignedRankMethod: "method" = Auto {
        /// Exact for samples of moderate size, normal with corrections beyond
        Auto = "auto",
        /// Distribution of the signs given the absolute values
        ExactConditional = "exact",
        /// Normal approximation: ties reduce the variance, and W⁺ is moved ½ towards its mean
        Normal = "normal",
        /// Normal approximation without the correction for continuity
        NormalUncorrected = "normal-nocc",
    }
}

/// Result of a Wilcoxon signed-rank test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignedRankTest {
    /// Statistic W⁺: rank sum of the positive differences, plus half that of zeros with
    /// [`ZeroMethod::Split`].
    pub w_plus: f64,
    /// Statistic W⁻: rank sum of the negative differences, plus half that of zeros with
    /// [`ZeroMethod::Split`].
    pub w_minus: f64,
    /// Number of nonzero differences.
    pub nonzero: usize,
    /// Number of zero differences.
    pub zeros: usize,
    /// P-values; `greater` is the alternative that differences tend to be positive.
    pub p: PValues,
    /// Distribution used; never [`SignedRankMethod::Auto`].
    pub method: SignedRankMethod,
}

/// Runs the Wilcoxon signed-rank test on a sample of differences.
///
/// If the sample is empty or all differences are zero, p is 1.
///
/// # Errors
/// Returns a [`StatsError`] for a NaN, or an exact distribution whose table would be too large.
pub fn signed_rank(
    differences: &[f64],
    zeros: ZeroMethod,
    method: SignedRankMethod,
) -> Result<SignedRankTest, StatsError> {
    validate::refuse_nan("differences", differences)?;
    let ranked = SignedMidranks::new(differences, zeros);
    let method = match method {
        SignedRankMethod::Auto if ranked.nonzero() <= MAX_AUTO_EXACT => {
            SignedRankMethod::ExactConditional
        }
        SignedRankMethod::Auto => SignedRankMethod::Normal,
        other => other,
    };
    let p = match method {
        _ if ranked.nonzero() == 0 => PValues::NO_EVIDENCE,
        SignedRankMethod::Normal | SignedRankMethod::NormalUncorrected => {
            ranked.normal_p_values(method == SignedRankMethod::Normal)
        }
        _ => ranked.exact_p_values()?,
    };
    let half_of_zeros = match zeros {
        ZeroMethod::Split => 0.5 * ranked.zero_rank_sum(),
        _ => 0.0,
    };
    Ok(SignedRankTest {
        w_plus: ranked.rank_sum(&ranked.positive) + half_of_zeros,
        w_minus: ranked.rank_sum(&ranked.negative) + half_of_zeros,
        nonzero: ranked.nonzero(),
        zeros: differences.len() - ranked.nonzero(),
        p,
        method,
    })
}

/// Doubled midranks of the absolute differences, separated by the sign of the differences.
struct SignedMidranks {
    positive: Vec<u64>,
    negative: Vec<u64>,
    /// Number of zero differences that were ranked, which is 0 for [`ZeroMethod::Wilcox`].
    zeros: usize,
    handling: ZeroMethod,
    /// Sum of t³-t over the groups of t tied nonzero absolute differences.
    tie_sum: f64,
}

impl SignedMidranks {
    fn new(differences: &[f64], handling: ZeroMethod) -> Self {
        let mut ranked: Vec<f64> = differences.to_vec();
        if handling == ZeroMethod::Wilcox {
            ranked.retain(|d| *d != 0.0);
        }
        let sizes: Vec<f64> = ranked.iter().map(|d| d.abs()).collect();
        let ranks = midranks_unchecked(&sizes);
        let doubled = |keep: fn(&f64) -> bool| {
            ranked
                .iter()
                .zip(&ranks)
                .filter(|(d, _)| keep(d))
                .map(|(_, rank)| (2.0 * rank) as u64)
                .collect()
        };
        let nonzero: Vec<f64> = sizes.iter().copied().filter(|d| *d > 0.0).collect();
        Self {
            positive: doubled(|d| *d > 0.0),
            negative: doubled(|d| *d < 0.0),
            zeros: sizes.len() - nonzero.len(),
            handling,
            tie_sum: tie_sum_unchecked(nonzero),
        }
    }

    /// Returns the number of nonzero differences.
    fn nonzero(&self) -> usize {
        self.positive.len() + self.negative.len()
    }

    /// Returns the sum of ranks, given doubled ranks.
    fn rank_sum(&self, doubled: &[u64]) -> f64 {
        0.5 * doubled.iter().sum::<u64>() as f64
    }

    /// Returns the rank sum of the zero differences, which have the lowest ranks.
    fn zero_rank_sum(&self) -> f64 {
        let z = self.zeros as f64;
        0.5 * z * (z + 1.0)
    }

    /// Returns the p-values of the normal approximation of W⁺.
    fn normal_p_values(&self, continuity: bool) -> PValues {
        let squares = |n: f64| n * (n + 1.0) * (2.0 * n + 1.0) / 24.0;
        let (n, z) = ((self.nonzero() + self.zeros) as f64, self.zeros as f64);
        // Half of W⁺ - W⁻ is W⁺ minus its mean, for any treatment of zeros. In the variance, split
        // zeros are a tie like any other.
        let deviation = 0.5 * (self.rank_sum(&self.positive) - self.rank_sum(&self.negative));
        let of_zeros = match self.handling {
            ZeroMethod::Wilcox => 0.0,
            ZeroMethod::Pratt => squares(z),
            ZeroMethod::Split => tie_term(self.zeros) / 48.0,
        };
        let variance = squares(n) - self.tie_sum / 48.0 - of_zeros;
        normal::p_values(deviation, variance, continuity)
    }

    /// Returns the p-values of the exact distribution of W⁺.
    fn exact_p_values(&self) -> Result<PValues, StatsError> {
        let all = [&self.positive[..], &self.negative[..]].concat();
        let divisor = all
            .iter()
            .fold(0, |divisor, rank| gcd(*rank, divisor))
            .max(1);
        let reduced: Vec<u64> = all.iter().map(|rank| rank / divisor).collect();
        let sum = |doubled: &[u64]| doubled.iter().sum::<u64>() / divisor;
        let distribution = rank_sum_distribution(&reduced)?;
        // The distribution is symmetric: P(W⁺ >= w) is P(W⁻ <= total - w).
        let at_most = |w: u64| {
            distribution[..=w as usize]
                .iter()
                .rev()
                .sum::<f64>()
                .min(1.0)
        };
        Ok(PValues::from_one_sided(
            at_most(sum(&self.positive)),
            at_most(sum(&self.negative)),
        ))
    }
}

/// Computes the distribution of W⁺: the probability of each rank sum when every rank is included
/// with probability ½.
///
/// Halving is exact in binary, so up to 53 ranks no probability is rounded.
fn rank_sum_distribution(ranks: &[u64]) -> Result<Vec<f64>, StatsError> {
    let cells = ranks.iter().sum::<u64>() + 1;
    if cells > CELL_LIMIT {
        return Err(StatsError::ExactTableTooLarge {
            what: "exact signed-rank distribution",
            cells,
            limit: CELL_LIMIT,
        });
    }
    let mut distribution = vec![0.0f64; cells as usize];
    let mut next = distribution.clone();
    distribution[0] = 1.0;
    let mut width = 1;
    for &rank in ranks {
        let rank = rank as usize;
        for (to, p) in next[..width].iter_mut().zip(&distribution) {
            *to = 0.5 * p;
        }
        next[width..width + rank].fill(0.0);
        for (to, p) in next[rank..].iter_mut().zip(&distribution[..width]) {
            *to += 0.5 * p;
        }
        width += rank;
        core::mem::swap(&mut distribution, &mut next);
    }
    Ok(distribution)
}
