//! The Wilcoxon signed-rank test, exact with ties and zeros.
//!
//! Do paired differences tend to be positive? Rank their absolute values with midranks; the
//! statistic W⁺ is the sum of the ranks of the positive ones (Wilcoxon 1945).
//!
//! # Zeros
//!
//! * [`Zeros::Wilcox`]: dropped before ranking (Wilcoxon 1945).
//! * [`Zeros::Pratt`]: ranked, then dropped (Pratt 1959).
//! * [`Zeros::Split`]: ranked, and half of their ranks given to either sign.
//!
//! # The laws
//!
//! * [`Method::ExactConditional`]: given the absolute values with their ties, all 2ⁿ choices of the
//!   n signs of the differences that are not zero are equally likely. Split zeros shift W⁺ by a
//!   constant, so their law is that of Pratt.
//! * [`Method::Normal`]: mean n(n+1)/4 and variance n(n+1)(2n+1)/24 - Σ(t³-t)/48; Pratt takes
//!   z(z+1)/4 and z(z+1)(2z+1)/24 off for z zeros (Cureton 1967). The continuity correction is ½
//!   towards the mean.
//! * [`Method::Auto`]: exact up to [`AUTO_EXACT`] differences that are not zero, otherwise normal
//!   with both corrections.
//!
//! Of split zeros the two laws differ in principle, so that [`Method::Auto`] jumps where it turns
//! from the one to the other. The exact law knows that half of the ranks of the zeros go to either
//! side, whatever the signs; the normal one has the variance of the textbooks (and of SciPy), in
//! which zeros are a tie like any other and their signs vary too. It is wider, by much where zeros
//! are many, and so is its p-value. [`Zeros::Pratt`] has the same exact law and a normal
//! approximation of it: where zeros are many and p-values of samples below and above [`AUTO_EXACT`]
//! are compared, take that.
//!
//! Ties and zeros are found by exact equality; round the differences with
//! [`Differences::ranked`](crate::differences::Differences::ranked).
//!
//! ```
//! use partita_stats::signed_rank::{signed_rank, Method, Zeros};
//!
//! let differences = [0.5, 0.3, -0.1, 0.2, 0.0, 0.4];
//! let test = signed_rank(&differences, Zeros::Wilcox, Method::Auto)?;
//! // Only the smallest of five is negative: 2 of 32 choices have W⁺ >= 14.
//! assert_eq!((test.w_plus, test.p.greater), (14.0, 2.0 / 32.0));
//! # Ok::<(), partita_stats::StatsError>(())
//! ```

use crate::distribution::normal;
use crate::error::{self, StatsError};
use crate::p_value::PValues;
use crate::ranks::{compare_numbers, equal_runs, gcd, midranks_unchecked, tie_term};

/// [`Method::Auto`] is exact up to this many differences that are not zero.
pub const MAX_AUTO_EXACT: usize = 50;

/// The most cells the exact law may take.
const CELL_LIMIT: u64 = 1 << 24;

partita_named::named_enum! {
    /// What is done with differences of zero.
    pub enum ZeroMethod: "treatment of zeros" = Wilcox {
        /// Dropped before ranking
        Wilcox = "wilcox",
        /// Ranked, then dropped
        Pratt = "pratt",
        /// Ranked, and half of their ranks given to either sign
        Split = "zsplit",
    }
}

partita_named::named_enum! {
    /// Which law the p-values are taken from.
    pub enum SignedRankMethod: "method" = Auto {
        /// Exact for samples of moderate size, normal with corrections beyond
        Auto = "auto",
        /// The law of the signs given the absolute values
        ExactConditional = "exact",
        /// The normal approximation: ties reduce the variance, and W⁺ is moved ½ towards its mean
        Normal = "normal",
        /// The normal approximation without the correction for continuity
        NormalUncorrected = "normal-nocc",
    }
}

/// The result of a Wilcoxon signed-rank test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SignedRankTest {
    /// The rank sum of the positive differences.
    pub w_plus: f64,
    /// The rank sum of the negative differences.
    pub w_minus: f64,
    /// The number of differences that are not zero.
    pub nonzero: usize,
    /// The number of differences that are zero.
    pub zeros: usize,
    /// The p-values; `greater` is that differences tend to be positive.
    pub p: PValues,
    /// The law that was used; never [`Method::Auto`].
    pub method: SignedRankMethod,
}

/// The Wilcoxon signed-rank test of a sample of differences.
///
/// Where all differences are zero, or there are none, p is 1.
///
/// # Errors
/// A NaN, or an exact law of so many differences that its table would not fit.
pub fn signed_rank(
    differences: &[f64],
    zeros: ZeroMethod,
    method: SignedRankMethod,
) -> Result<SignedRankTest, StatsError> {
    error::refuse_nan("differences", differences)?;
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
            ranked.normal(method == SignedRankMethod::Normal)
        }
        _ => ranked.exact()?,
    };
    let half_of_zeros = match zeros {
        ZeroMethod::Split => 0.5 * ranked.zero_ranks(),
        _ => 0.0,
    };
    Ok(SignedRankTest {
        w_plus: ranked.sum(&ranked.positive) + half_of_zeros,
        w_minus: ranked.sum(&ranked.negative) + half_of_zeros,
        nonzero: ranked.nonzero(),
        zeros: differences.len() - ranked.nonzero(),
        p,
        method,
    })
}

/// The differences as doubled midranks of their absolute values.
struct SignedMidranks {
    positive: Vec<u64>,
    negative: Vec<u64>,
    /// The number of zeros that were ranked.
    zeros: usize,
    handling: ZeroMethod,
    /// Σ(t³-t) over ties of absolute values other than zero.
    tie_sum: f64,
}

impl SignedMidranks {
    fn new(differences: &[f64], handling: ZeroMethod) -> Self {
        let mut kept: Vec<f64> = differences.to_vec();
        if handling == ZeroMethod::Wilcox {
            kept.retain(|d| *d != 0.0);
        }
        let sizes: Vec<f64> = kept.iter().map(|d| d.abs()).collect();
        let ranks = midranks_unchecked(&sizes);
        let doubled = |keep: fn(&f64) -> bool| {
            kept.iter()
                .zip(&ranks)
                .filter(|(d, _)| keep(d))
                .map(|(_, rank)| (2.0 * rank) as u64)
                .collect()
        };
        let mut nonzero: Vec<f64> = sizes.iter().copied().filter(|d| *d > 0.0).collect();
        nonzero.sort_unstable_by(compare_numbers);
        Self {
            positive: doubled(|d| *d > 0.0),
            negative: doubled(|d| *d < 0.0),
            zeros: sizes.len() - nonzero.len(),
            handling,
            tie_sum: equal_runs(&nonzero, |a, b| a == b)
                .map(|run| tie_term(run.len()))
                .sum(),
        }
    }

    fn nonzero(&self) -> usize {
        self.positive.len() + self.negative.len()
    }

    fn sum(&self, doubled: &[u64]) -> f64 {
        0.5 * doubled.iter().sum::<u64>() as f64
    }

    /// The sum of the ranks of the zeros: they take the first ones.
    fn zero_ranks(&self) -> f64 {
        let z = self.zeros as f64;
        0.5 * z * (z + 1.0)
    }

    fn normal(&self, continuity: bool) -> PValues {
        let squares = |n: f64| n * (n + 1.0) * (2.0 * n + 1.0) / 24.0;
        let (n, z) = ((self.nonzero() + self.zeros) as f64, self.zeros as f64);
        // Half of W⁺ - W⁻ is W⁺ minus its mean, whatever the zeros; split zeros are a tie like any
        // other in the variance.
        let deviation = 0.5 * (self.sum(&self.positive) - self.sum(&self.negative));
        let of_zeros = match self.handling {
            ZeroMethod::Wilcox => 0.0,
            ZeroMethod::Pratt => squares(z),
            ZeroMethod::Split => tie_term(self.zeros) / 48.0,
        };
        let variance = squares(n) - self.tie_sum / 48.0 - of_zeros;
        let scale = variance.sqrt();
        let half = if continuity { 0.5 } else { 0.0 };
        PValues {
            less: normal::cdf((deviation + half) / scale),
            greater: normal::sf((deviation - half) / scale),
            two_sided: (2.0 * normal::sf((deviation.abs() - half) / scale)).min(1.0),
        }
    }

    fn exact(&self) -> Result<PValues, StatsError> {
        let all = [&self.positive[..], &self.negative[..]].concat();
        let divisor = all
            .iter()
            .fold(0, |divisor, rank| gcd(*rank, divisor))
            .max(1);
        let reduced: Vec<u64> = all.iter().map(|rank| rank / divisor).collect();
        let sum = |doubled: &[u64]| doubled.iter().sum::<u64>() / divisor;
        let law = rank_sum_distribution(&reduced)?;
        // The law is symmetric: P(W⁺ >= w) is P(W⁻ <= total - w).
        let at_most = |w: u64| law[..=w as usize].iter().rev().sum::<f64>().min(1.0);
        Ok(PValues::from_one_sided(
            at_most(sum(&self.positive)),
            at_most(sum(&self.negative)),
        ))
    }
}

/// The probability of each sum when every rank is taken with probability ½.
///
/// Halving is exact in binary, so up to 53 ranks no probability is rounded.
fn rank_sum_distribution(ranks: &[u64]) -> Result<Vec<f64>, StatsError> {
    let cells = ranks.iter().sum::<u64>() + 1;
    if cells > CELL_LIMIT {
        return Err(StatsError::ExactTableTooLarge {
            what: "exact signed-rank law",
            cells,
            limit: CELL_LIMIT,
        });
    }
    let mut law = vec![0.0f64; cells as usize];
    let mut next = law.clone();
    law[0] = 1.0;
    let mut width = 1;
    for &rank in ranks {
        let rank = rank as usize;
        for (to, p) in next[..width].iter_mut().zip(&law) {
            *to = 0.5 * p;
        }
        next[width..width + rank].fill(0.0);
        for (to, p) in next[rank..].iter_mut().zip(&law[..width]) {
            *to += 0.5 * p;
        }
        width += rank;
        core::mem::swap(&mut law, &mut next);
    }
    Ok(law)
}
