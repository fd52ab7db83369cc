//! Which system is better? Tests of the scores of systems on the same queries.
//!
//! [`compare`] takes a matrix of [`Scores`] and the name of a [`test`](mod@crate::significance), and gives a
//! [`Comparison`]: every pair of systems with its difference, interval, size, p-value and adjusted
//! p-value, and a leaderboard that is a partial order itself: letters shared by systems that do not
//! differ, the ranks that each may have, and the triples for which tests contradict each other.
//!
//! ```
//! use partita_core::Scores;
//! use partita_core::compare::{Settings, compare};
//! use partita_core::work::InTurn;
//!
//! // On all of eight queries, `good` beats the other two, which come in turn.
//! let values = (0..8).flat_map(|i| [0.9, 0.2 + 0.02 * f64::from(i), 0.34 - 0.02 * f64::from(i)]);
//! let queries = (1..=8).map(|query| query.to_string());
//! let scores = Scores::new("AP", ["good", "x", "y"], queries, values.collect())?;
//! let found = compare(&scores, "permutation", &Settings::default(), &InTurn)?;
//! assert_eq!(found.significant, 2);
//! let groups: Vec<_> = found.systems.iter().map(|system| system.group.as_deref()).collect();
//! assert_eq!(groups, [Some("a"), Some("b"), Some("b")]);
//! let ranks = found.systems.iter().map(|system| (system.best_rank, system.worst_rank));
//! assert!(ranks.eq([(1, 1), (2, 3), (2, 3)].map(|(best, worst)| (Some(best), Some(worst)))));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Which test
//!
//! Where means are compared, the t-test and the permutation test hold their level and have the most
//! power (Smucker, Allan and Carterette 2007; Urbano, Lima and Hanjalic 2019); the Wilcoxon and sign
//! tests ask something else. So the default is the permutation test, which assumes no distribution,
//! with Holm's correction for the number of comparisons, two-tailed at 0.05.
//!
//! # Conventions
//!
//! - A difference is significant if its adjusted p-value is below alpha, strictly.
//! - One-tailed means one-tailed both ways: p is the smaller of the two, and each direction is held
//!   at alpha. Both together err up to twice as often, and so do all corrected comparisons
//!   together: what a correction holds, it then holds at twice alpha, and [`ErrorRates::held_at`]
//!   says so. Whoever wants alpha for both directions takes two tails.
//! - Differences, and scores that are ranked, are rounded where a test looks for ties, relative to
//!   the size of the scores ([`partita_stats::differences`]), unless the settings say otherwise.
//!   [`Comparison::rounding`] tells how many differences that made equal. No mean is rounded; but
//!   tests of means take differences for the same that are so but for the error of binary
//!   fractions, and compare resampled sums accordingly.
//! - Mean ranks are counted from the best system, which has rank 1, unless the settings want them as
//!   MIREX has them ([`RankOrder`]).
//! - A pair with a baseline is the other system minus the baseline, whichever is better.
//! - Systems are arranged by their means and queries by their names before anything is drawn, so
//!   that the order of a file changes nothing.
//! - Nothing here starts a thread: whoever asks hands in the [`Work`].

mod effect_size;
mod error;
mod letter_groups;
mod options;
mod preset;
mod result;
mod system_order;

pub use error::ComparisonError;
pub use options::{ComparisonOptions, MeanRankOrder};
pub use preset::ComparisonPreset;
pub use result::{
    ComparedSystem, Comparison, ComparisonResults, ControlledErrorRate, ErrorRates, HasseDiagram,
    PairComparison, RoundingEffect, SystemTriple,
};

pub(crate) use options::smallest_adjusted_p;

use partita_stats::adjustment::Adjustment;
use partita_stats::differences::{Rounding, max_abs};

use crate::data::score_matrix::ScoreMatrix;
use crate::significance;
use crate::significance::{TestInput, TestOption};
use crate::work::Work;

/// The name of the test that is used if none is chosen.
pub const DEFAULT_TEST: &str = "permutation";

/// Fewer queries than this are no sample.
pub const MIN_QUERIES: usize = 3;

/// Compares systems by their scores, with the test of this name.
///
/// # Errors
/// An unknown test, a single system, fewer than [`FEWEST_QUERIES`] queries, scores that are all the
/// same, a baseline that is no system, settings that the test cannot use, or work that was stopped.
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
    check(scores)?;
    for name in &settings.baselines {
        if !scores.systems().contains(name) {
            return Err(ComparisonError::UnknownBaseline { name: name.clone() });
        }
    }
    let scores = sort_systems_and_queries(scores, settings.rounding);
    let pairs = pairs(scores.systems(), &settings.baselines);
    let columns: Vec<Vec<f64>> = (0..scores.systems().len())
        .map(|j| scores.column(j))
        .collect();
    let question = TestInput {
        scores: &scores,
        columns: &columns,
        pairs: &pairs,
        settings,
        correction,
        work,
    };
    let answer = (on_systems.run)(&question)?;
    Comparison::new(test, on_systems, &question, answer)
}

/// The pairs to compare: all, or those with a baseline.
fn pairs(systems: &[String], baselines: &[String]) -> Vec<(usize, usize)> {
    let all = 0..systems.len();
    let is_baseline: Vec<bool> = systems
        .iter()
        .map(|name| baselines.contains(name))
        .collect();
    let known: Vec<usize> = all.clone().filter(|&system| is_baseline[system]).collect();
    let with_all = |a: usize| baselines.is_empty() || is_baseline[a];
    let mut pairs = Vec::new();
    for a in all {
        if with_all(a) {
            pairs.extend((a + 1..systems.len()).map(|b| (a, b)));
        } else {
            pairs.extend(known.iter().filter(|&&b| b > a).map(|&b| (a, b)));
        }
    }
    pairs
}

/// Refuses scores that cannot be compared.
fn check(scores: &ScoreMatrix) -> Result<(), ComparisonError> {
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
        if let Some(system) = row.iter().position(|score| score.abs() >= 1e150) {
            return Err(ComparisonError::TooLarge {
                system: scores.systems()[system].clone(),
                query: scores.queries()[query].clone(),
                value: row[system],
            });
        }
    }
    Ok(())
}

/// The systems from the best mean down, equal ones by name, and the queries by name.
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
