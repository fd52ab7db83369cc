//! Significance tests of the scores of systems on the same queries.
//!
//! [`compare`] takes a [`ScoreMatrix`] and the name of a [significance
//! test](mod@crate::significance) and returns a [`Comparison`]. It contains every pair of systems
//! with difference, interval, effect size, p-value and adjusted p-value. Its leaderboard is a
//! partial order: letters shared by systems that do not differ, the range of ranks of each system,
//! and the triples for which the tests are intransitive.
//!
//! ```
//! use partita_core::ScoreMatrix;
//! use partita_core::comparison::{ComparisonOptions, compare};
//! use partita_core::work::SequentialWork;
//!
//! // `good` beats the other two on all eight queries. The other two have the same mean.
//! let values = (0..8).flat_map(|i| [0.9, 0.2 + 0.02 * f64::from(i), 0.34 - 0.02 * f64::from(i)]);
//! let queries = (1..=8).map(|query| query.to_string());
//! let scores = ScoreMatrix::new("AP", ["good", "x", "y"], queries, values.collect())?;
//! let found = compare(&scores, "permutation", &ComparisonOptions::default(), &SequentialWork)?;
//! assert_eq!(found.significant, 2);
//! let groups: Vec<_> = found.systems.iter().map(|system| system.group.as_deref()).collect();
//! assert_eq!(groups, [Some("a"), Some("b"), Some("b")]);
//! let ranks = found.systems.iter().map(|system| (system.best_rank, system.worst_rank));
//! assert!(ranks.eq([(1, 1), (2, 3), (2, 3)].map(|(best, worst)| (Some(best), Some(worst)))));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Choice of the test
//!
//! For comparisons of means, the t-test and the permutation test have the most power and keep their
//! level on scores of retrieval systems (Smucker, Allan and Carterette 2007; Urbano, Lima and
//! Hanjalic 2019). Both need differences that are symmetric, or systems that are exchangeable on
//! every query: with strongly skewed differences and few queries both reject too often. The
//! Wilcoxon and sign tests have other null hypotheses. The default is therefore the permutation
//! test, two-tailed at 0.05 with Holm's correction for multiple comparisons.
//!
//! # Conventions
//!
//! - A difference is significant if its adjusted p-value is strictly below alpha.
//! - One-tailed tests are run in both directions, each at alpha; p is the smaller of the two
//!   p-values. The error rate of both directions together is up to twice alpha, with and without
//!   correction; [`ErrorRates::controlled_at`] states it. Use two tails to keep alpha for both
//!   directions.
//! - Differences, and scores that are ranked, are rounded before a test looks for ties, relative to
//!   the size of the scores ([`partita_stats::differences`]), unless the options say otherwise.
//!   [`Comparison::rounding`] contains the number of ties that this created. Means are not rounded,
//!   but tests of means treat differences within floating-point error as equal, also when they
//!   compare resampled sums.
//! - The tests `t` and `bootstrap` estimate the variance of the differences. A pair whose
//!   differences are all equal, up to rounding error, has none and is not tested: it has no
//!   p-value and no interval, and is not counted by the correction. There are then no letters and
//!   no partial order, because these need a decision on every pair.
//! - An interval always contains the difference and has a width above 0; otherwise it is left out.
//! - Mean ranks start with 1 for the best system, unless the options request the order of MIREX
//!   ([`MeanRankOrder`]).
//! - A pair with a baseline is the other system minus the baseline, whichever is better.
//! - Systems are sorted by mean and queries by name before random numbers are drawn, so that
//!   results do not depend on the order of a file.
//! - This module starts no threads; the caller passes a [`Work`].

mod effect_size;
mod error;
mod letter_groups;
mod options;
mod preset;
mod request;
mod result;
mod system_order;

pub use error::ComparisonError;
pub use options::{ComparisonOptions, MeanRankOrder};
pub use preset::ComparisonPreset;
pub use request::ComparisonRequest;
pub use result::{
    ComparedSystem, Comparison, ComparisonResults, ControlledErrorRate, ErrorRates, HasseDiagram,
    PairComparison, RoundingEffect, SystemTriple,
};

pub(crate) use options::{MAX_SAMPLES, smallest_adjusted_p};

use partita_stats::adjustment::Adjustment;
use partita_stats::differences::{Rounding, max_abs};

use crate::data::gains::Gains;
use crate::data::score_matrix::ScoreMatrix;
use crate::significance;
use crate::significance::{TestInput, TestOption};
use crate::work::Work;

/// Name of the significance test that is used unless another one is requested.
pub const DEFAULT_TEST: &str = "permutation";

/// Smallest number of queries with which systems can be compared.
pub const MIN_QUERIES: usize = 3;

/// Largest absolute value of a score that can be compared, as of gains: sums of squares of the
/// differences must not overflow.
pub const MAX_ABS_SCORE: f64 = Gains::MAX_ABS;

/// Compares systems by their scores with the named test.
///
/// # Errors
/// Returns [`ComparisonError`] for an unknown test, a single system, fewer than [`MIN_QUERIES`]
/// queries, scores that are all equal or beyond [`MAX_ABS_SCORE`], an unknown baseline, options that
/// are out of range or that the test does not support, an equivalence test without a margin, a
/// statistic that cannot be computed, or cancelled work.
pub fn compare(
    scores: &ScoreMatrix,
    test: &str,
    settings: &ComparisonOptions,
    work: &dyn Work,
) -> Result<Comparison, ComparisonError> {
    let (test, on_systems) = significance::find_system_test(test)?;
    settings.check()?;
    if settings.is_one_tailed() && !on_systems.options.contains(&TestOption::Tails) {
        return Err(ComparisonError::NotOneTailed { test: test.name });
    }
    let correction = match settings.correction {
        None | Some(Adjustment::None) if on_systems.simultaneous => Adjustment::None,
        Some(_) if on_systems.simultaneous => {
            return Err(ComparisonError::AlreadyCorrected { test: test.name });
        }
        chosen => chosen.unwrap_or_default(),
    };
    check_scores(scores)?;
    for name in &settings.baselines {
        if !scores.systems().contains(name) {
            return Err(ComparisonError::UnknownBaseline { name: name.clone() });
        }
    }
    let scores = sort_systems_and_queries(scores, settings.rounding);
    let pairs = compared_pairs(scores.systems(), &settings.baselines);
    let columns: Vec<Vec<f64>> = (0..scores.systems().len())
        .map(|j| scores.column(j))
        .collect();
    let input = TestInput {
        scores: &scores,
        columns: &columns,
        pairs: &pairs,
        settings,
        correction,
        work,
    };
    let output = (on_systems.run)(&input)?;
    Comparison::new(test, on_systems, &input, output)
}

/// Returns the pairs of system indices to compare: all pairs, or, if there are baselines, the pairs
/// that contain one.
fn compared_pairs(systems: &[String], baselines: &[String]) -> Vec<(usize, usize)> {
    let is_wanted: Vec<bool> = systems
        .iter()
        .map(|name| baselines.is_empty() || baselines.contains(name))
        .collect();
    (0..systems.len())
        .flat_map(|a| (a + 1..systems.len()).map(move |b| (a, b)))
        .filter(|&(a, b)| is_wanted[a] || is_wanted[b])
        .collect()
}

/// Checks that the scores can be compared: enough systems and queries, and scores that differ and
/// whose squares do not overflow.
fn check_scores(scores: &ScoreMatrix) -> Result<(), ComparisonError> {
    let queries = scores.queries().len();
    if let [system] = scores.systems() {
        let system = system.clone();
        return Err(ComparisonError::OneSystem { system });
    }
    if queries < MIN_QUERIES {
        return Err(ComparisonError::FewQueries { queries });
    }
    let first = scores.row(0)[0];
    if scores.rows().flatten().all(|&score| score == first) {
        return Err(ComparisonError::Constant { value: first });
    }
    for (query, row) in scores.rows().enumerate() {
        if let Some(system) = row.iter().position(|score| score.abs() > MAX_ABS_SCORE) {
            return Err(ComparisonError::TooLarge {
                system: scores.systems()[system].clone(),
                query: scores.queries()[query].clone(),
                value: row[system],
            });
        }
    }
    Ok(())
}

/// Sorts the systems by descending mean, then by name, and the queries by name.
fn sort_systems_and_queries(scores: &ScoreMatrix, rounding: Rounding) -> ScoreMatrix {
    let mut queries: Vec<usize> = (0..scores.queries().len()).collect();
    queries.sort_by_key(|&query| &scores.queries()[query]);
    let mean = |system: usize| {
        let sum: f64 = queries.iter().map(|&query| scores.row(query)[system]).sum();
        sum / queries.len() as f64
    };
    let means: Vec<f64> = (0..scores.systems().len()).map(mean).collect();
    let means = rounding.round_all(&means, max_abs(scores.rows().flatten()));
    let mut systems: Vec<usize> = (0..means.len()).collect();
    systems.sort_by(|&a, &b| {
        let names = || scores.systems()[a].cmp(&scores.systems()[b]);
        means[b].total_cmp(&means[a]).then_with(names)
    });
    scores.reordered(&queries, &systems)
}
