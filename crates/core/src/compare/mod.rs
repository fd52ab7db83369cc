//! Which system is better? Tests of the scores of systems on the same queries.
//!
//! [`compare`] takes a matrix of [`Scores`] and a test of the [`REGISTRY`], one file each, and gives
//! a [`Comparison`]: every pair of systems with its difference, interval, size, p-value and adjusted
//! p-value, and a leaderboard that is a partial order itself: letters shared by systems that do not
//! differ, the ranks that each may have, and the triples for which tests contradict each other.
//!
//! ```
//! use partita_core::Scores;
//! use partita_core::compare::{InTurn, Settings, compare, find};
//!
//! // On all of eight queries, `good` beats the other two, which come in turn.
//! let values = (0..8).flat_map(|i| [0.9, 0.2 + 0.02 * f64::from(i), 0.34 - 0.02 * f64::from(i)]);
//! let queries = (1..=8).map(|query| query.to_string());
//! let scores = Scores::new("AP", ["good", "x", "y"], queries, values.collect())?;
//! let found = compare(&scores, find("permutation")?, &Settings::default(), &InTurn)?;
//! assert_eq!(found.significant(), 2);
//! let groups: Vec<_> = found.systems.iter().map(|system| system.group.as_deref()).collect();
//! assert_eq!(groups, [Some("a"), Some("b"), Some("b")]);
//! assert_eq!(found.systems[0].ranks, Some((1, 1)));
//! assert_eq!(found.systems[1].ranks, Some((2, 3)));
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
//! - One-tailed means one-tailed both ways: p is the smaller of the two, and each is held at alpha.
//! - Differences, and scores that are ranked, are rounded to multiples of 10⁻⁹ where a test looks
//!   for ties, unless the settings say otherwise. No mean is rounded.
//! - Systems are arranged by their means and queries by their names before anything is drawn, so
//!   that the order of a file changes nothing.
//! - Nothing here starts a thread: [`Workers`] run the pieces.

mod bootstrap;
mod comparison;
mod equivalence;
mod error;
mod friedman_tukey;
mod letters;
mod order;
mod permutation;
mod question;
mod randomised_tukey;
mod settings;
mod sign;
mod t;
mod wilcoxon;
mod workers;

pub use comparison::{Comparison, ErrorRates, Held, Leaderboard, Pair, System};
pub use error::CompareError;
pub use order::Order;
pub use question::{CriticalDifference, Omnibus};
pub use settings::{Correction, Settings};
pub use workers::{InTurn, Workers};

use std::fmt;

use partita_stats::differences::quantised;

use crate::scores::Scores;
use question::{Answer, Question};

/// Every test, in the order in which they are listed.
pub static REGISTRY: &[&Definition] = &[
    &permutation::DEFINITION,
    &t::DEFINITION,
    &bootstrap::DEFINITION,
    &wilcoxon::DEFINITION,
    &sign::DEFINITION,
    &friedman_tukey::DEFINITION,
    &randomised_tukey::DEFINITION,
    &equivalence::DEFINITION,
];

/// The name of the test that is used if none is chosen.
pub const DEFAULT: &str = "permutation";

/// Fewer queries than this are no sample.
pub const FEWEST_QUERIES: usize = 3;

/// What there is to say of a test, and how to run it.
pub struct Definition {
    /// Its name.
    pub name: &'static str,
    /// Other names under which people know it.
    pub aliases: &'static [&'static str],
    /// What it is, in a line.
    pub summary: &'static str,
    /// What it computes.
    pub description: &'static str,
    /// Where it was defined.
    pub reference: &'static str,
    /// Whether its p-values hold for all pairs together, so that nothing is left to correct.
    pub simultaneous: bool,
    /// What a significant result says.
    pub goal: Goal,
    /// The options that it uses.
    pub options: &'static [TestOption],
    answer: fn(&Question) -> Result<Answer, CompareError>,
}

impl fmt::Debug for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Definition")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// What a significant result of a test says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// That systems differ.
    Difference,
    /// That they do not differ by more than a margin.
    Equivalence,
}

/// What some tests use and others do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestOption {
    /// One-tailed or two-tailed.
    Tails,
    /// What becomes of differences of zero.
    Zeros,
    /// Exact or normal.
    Method,
    /// Up to which size differences are ties.
    Threshold,
    /// Up to which size differences do not matter.
    Margin,
    /// How many samples are drawn.
    Samples,
    /// Whether differences are taken as they are.
    Unrounded,
}

/// The test of this name.
///
/// ```
/// use partita_core::compare::find;
///
/// assert_eq!(find("randomized-tukey")?.name, "randomised-tukey");
/// assert!(find("anova").is_err());
/// # Ok::<(), partita_core::compare::CompareError>(())
/// ```
pub fn find(name: &str) -> Result<&'static Definition, CompareError> {
    let wanted = name.to_lowercase();
    let known = |test: &&&Definition| {
        let names = std::iter::once(&test.name).chain(test.aliases);
        names.into_iter().any(|name| *name == wanted)
    };
    match REGISTRY.iter().find(known) {
        Some(test) => Ok(test),
        None => Err(CompareError::UnknownTest {
            name: name.to_owned(),
        }),
    }
}

/// Compares systems by their scores.
///
/// # Errors
/// A single system, fewer than [`FEWEST_QUERIES`] queries, scores that are all the same, a baseline
/// that is no system, or settings that the test cannot use.
pub fn compare(
    scores: &Scores,
    test: &'static Definition,
    settings: &Settings,
    workers: &dyn Workers,
) -> Result<Comparison, CompareError> {
    settings.check()?;
    if settings.is_one_tailed() && !test.options.contains(&TestOption::Tails) {
        return Err(CompareError::NotOneTailed { test: test.name });
    }
    let correction = match settings.correction {
        Some(Correction::Adjusted(_)) if test.simultaneous => {
            return Err(CompareError::Corrected { test: test.name });
        }
        _ if test.simultaneous => Correction::None,
        chosen => chosen.unwrap_or_default(),
    };
    check(scores)?;
    for name in &settings.baselines {
        if !scores.systems().contains(name) {
            return Err(CompareError::UnknownBaseline { name: name.clone() });
        }
    }
    let scores = arranged(scores);
    let systems = scores.systems();
    let is_baseline = |system: usize| settings.baselines.contains(&systems[system]);
    let pairs = (0..systems.len()).flat_map(|a| (a + 1..systems.len()).map(move |b| (a, b)));
    let pairs: Vec<(usize, usize)> = pairs
        .filter(|&(a, b)| settings.baselines.is_empty() || is_baseline(a) || is_baseline(b))
        .collect();
    let columns: Vec<Vec<f64>> = (0..systems.len()).map(|j| scores.column(j)).collect();
    let question = Question {
        scores: &scores,
        columns: &columns,
        pairs: &pairs,
        settings,
        correction,
        workers,
    };
    let answer = (test.answer)(&question)?;
    Comparison::new(test, &question, answer)
}

/// Refuses scores that cannot be compared.
fn check(scores: &Scores) -> Result<(), CompareError> {
    let queries = scores.queries().len();
    if let [system] = scores.systems() {
        let system = system.clone();
        return Err(CompareError::OneSystem { system });
    }
    if queries < FEWEST_QUERIES {
        return Err(CompareError::FewQueries { queries });
    }
    let first = scores.row(0)[0];
    if scores.rows().flatten().all(|&score| score == first) {
        return Err(CompareError::Constant { value: first });
    }
    for (query, row) in scores.rows().enumerate() {
        if let Some(system) = row.iter().position(|score| score.abs() >= 1e150) {
            return Err(CompareError::TooLarge {
                system: scores.systems()[system].clone(),
                query: scores.queries()[query].clone(),
                value: row[system],
            });
        }
    }
    Ok(())
}

/// The systems from the best mean down, equal ones by name, and the queries by name.
fn arranged(scores: &Scores) -> Scores {
    let mut queries: Vec<usize> = (0..scores.queries().len()).collect();
    queries.sort_by_key(|&query| &scores.queries()[query]);
    let mean = |system: usize| {
        let sum: f64 = queries.iter().map(|&query| scores.row(query)[system]).sum();
        quantised(sum / queries.len() as f64)
    };
    let means: Vec<f64> = (0..scores.systems().len()).map(mean).collect();
    let mut systems: Vec<usize> = (0..means.len()).collect();
    systems.sort_by(|&a, &b| {
        let names = || scores.systems()[a].cmp(&scores.systems()[b]);
        means[b].total_cmp(&means[a]).then_with(names)
    });
    scores.arranged(&queries, &systems)
}
