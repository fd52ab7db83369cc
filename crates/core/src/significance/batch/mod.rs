//! Tests of systems on many samples of the queries.
//!
//! The tests are those of [`crate::significance`], with the same names and meaning. Most have a
//! fast form here, one file each, that decides whole batches of samples from statistics prepared
//! once. Its decisions equal those of the reference test: p < alpha, strictly. Statistics too close
//! to a critical value are decided by the reference test. A test without a fast form runs sample by
//! sample.
//!
//! Differences of scores, and scores that are ranked, are first rounded relative to their size, as
//! in `compare` ([`partita_stats::differences`]). The Wilcoxon and sign tests drop zeros. The
//! permutation test counts all choices of signs for up to 10 queries, and draws 999 beyond.

mod corrected;
pub(crate) mod fixed_point_scores;
pub(crate) mod friedman_tukey;
mod per_sample;
pub(crate) mod permutation;
#[cfg(test)]
mod reference_tests;
pub(crate) mod sample_batch;
pub(crate) mod sign;
mod signed_ranks;
pub(crate) mod t_test;
pub(crate) mod verdict;
pub(crate) mod wilcoxon;
pub(crate) mod wilcoxon_normal;

use std::fmt;
use std::str::FromStr;

use partita_named::{NamedEnum, UnknownNameError};
use partita_stats::PValues;
use partita_stats::adjustment::Adjustment;
use partita_stats::differences::{Rounding, max_abs};

use super::{SignificanceTest, SystemTest, TestGoal, TestInput, TestOption, UnknownTestError};
use crate::ScoreMatrix;
use crate::comparison::{ComparisonOptions, ComparisonPreset, smallest_adjusted_p};
use crate::significance;
use crate::truth::{Alpha, Tails};
use crate::work::SequentialWork;
use sample_batch::{LANES, SampleBatch};
use verdict::SystemPairVerdict;

/// Level and tails of a test, and the seed of its random streams.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TestParameters {
    pub(crate) alpha: f64,
    pub(crate) tails: Tails,
    pub(crate) seed: u64,
}

impl TestParameters {
    /// Returns the level of one tail: alpha/2 for the two-tailed test, alpha for one-tailed tests.
    fn tail_level(self) -> f64 {
        self.alpha / f64::from(self.tails.count())
    }

    /// Selects the p-value that is compared with alpha: the two-tailed one, or the smaller of the
    /// two one-tailed ones.
    fn p(self, p: PValues) -> f64 {
        self.tails.p(p)
    }
}

/// P-value of a pair of systems, with the system that is ahead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SystemPairPValue {
    /// P-value that is compared with alpha.
    pub p: f64,
    /// Positive if the first system is ahead, negative if the second is.
    pub lead: f64,
}

/// Test of all pairs of systems, prepared for the scores of one measure. Pairs are in the order (0,
/// 1), (0, 2), ..., (1, 2), ...
pub(crate) trait PairTest: Send + Sync {
    /// Decides all pairs on all samples of a batch.
    fn decide(&self, batch: &SampleBatch, verdicts: &mut BatchVerdicts);

    /// Returns the p-value of every pair on one sample of a batch.
    fn p_values(&self, batch: &SampleBatch, lane: usize) -> Vec<SystemPairPValue>;
}

/// Verdicts on every pair for every sample of a batch.
#[derive(Clone, Debug)]
pub(crate) struct BatchVerdicts(Vec<[i16; LANES]>);

impl BatchVerdicts {
    /// Creates verdicts for this number of pairs.
    pub(crate) fn new(pairs: usize) -> Self {
        Self(vec![[0; LANES]; pairs])
    }

    /// Returns the verdict on a pair for a sample.
    #[cfg(test)]
    fn get(&self, pair: usize, lane: usize) -> SystemPairVerdict {
        SystemPairVerdict::from_code(self.0[pair][lane])
    }

    fn set(&mut self, pair: usize, lane: usize, verdict: SystemPairVerdict) {
        self.0[pair][lane] = verdict.code();
    }

    /// Sets the verdicts on all pairs and samples of a batch by comparing the p-values of a test
    /// with alpha.
    fn set_by_p_values(&mut self, test: &dyn PairTest, batch: &SampleBatch, alpha: f64) {
        for lane in 0..batch.len() {
            for (pair, evidence) in test.p_values(batch, lane).into_iter().enumerate() {
                self.set(
                    pair,
                    lane,
                    SystemPairVerdict::new(evidence.lead, evidence.p < alpha),
                );
            }
        }
    }

    pub(crate) fn codes(&self) -> &[[i16; LANES]] {
        &self.0
    }
}

/// Test of systems with its level and tails, and an optional correction for the number of pairs.
///
/// ```
/// use partita_core::reliability::TestSpec;
///
/// let test: TestSpec = "wilcoxon-normal:0.01".parse()?;
/// assert_eq!(test.to_string(), "wilcoxon-normal:0.01");
/// assert_eq!("t".parse::<TestSpec>()?.alpha(), 0.05);
/// assert!("t:0.05:holm".parse::<TestSpec>().is_ok());
/// assert!("friedman-tukey:0.05:holm".parse::<TestSpec>().is_err());
/// # Ok::<(), partita_core::reliability::TestSpecError>(())
/// ```
#[derive(Clone, Copy)]
pub struct TestSpec {
    test: &'static SignificanceTest,
    on_systems: &'static SystemTest,
    alpha: f64,
    tails: Tails,
    correction: Adjustment,
}

impl fmt::Debug for TestSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TestCall({self}, {} tails)", self.tails)
    }
}

/// Error: the text is not a test specification.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum TestSpecError {
    /// Unknown test.
    #[error("{unknown}; there are {}", unknown.known.join(", "))]
    Unknown {
        #[from]
        unknown: UnknownTestError,
    },
    /// Equivalence test, which is refused because a specification has no margin.
    #[error("`{0}` asks whether differences are within a margin, which cannot be resampled here")]
    Equivalence(&'static str),
    /// Level that is not a number between 0 and 1.
    #[error("the level of `{test}` must be a number above 0 and below {below}, not `{found}`")]
    Level {
        test: &'static str,
        below: f64,
        found: String,
    },
    /// Unknown correction.
    #[error(transparent)]
    Correction(#[from] UnknownNameError),
    /// Correction of a test whose p-values already hold for all pairs together.
    #[error("`{0}` allows for all pairs already, so it takes no correction")]
    Simultaneous(&'static str),
    /// Text with too many parts.
    #[error("a test is written NAME, NAME:ALPHA or NAME:ALPHA:CORRECTION, not `{0}`")]
    Parts(String),
}

impl FromStr for TestSpec {
    type Err = TestSpecError;

    fn from_str(text: &str) -> Result<Self, TestSpecError> {
        Self::parse_at_level(text, None)
    }
}

impl TestSpec {
    /// Parses a test specification: the name, optionally followed by `:level` and `:correction`. If
    /// the text has no level, `level` applies, or 0.05 if that is `None`.
    ///
    /// # Errors
    /// Returns a [`TestSpecError`] if the text is not a test or the level is invalid.
    pub fn parse_at_level(text: &str, level: Option<f64>) -> Result<Self, TestSpecError> {
        let mut parts = text.split(':').map(str::trim);
        let name = parts.next().expect("splitting gives one part at least");
        let (test, on_systems) = significance::find_system_test(name)?;
        if on_systems.goal == TestGoal::Equivalence {
            return Err(TestSpecError::Equivalence(test.name));
        }
        let named = parts.next().map(str::to_owned);
        let alpha = match named.or_else(|| Some(level?.to_string())) {
            None => 0.05,
            Some(level) => (level.parse().ok())
                .filter(|alpha| *alpha > 0.0 && *alpha < 1.0)
                .ok_or(TestSpecError::Level {
                    test: test.name,
                    below: 1.0,
                    found: level,
                })?,
        };
        let correction = match parts.next() {
            None => Adjustment::None,
            Some(_) if on_systems.simultaneous => {
                return Err(TestSpecError::Simultaneous(test.name));
            }
            Some(name) => name.parse()?,
        };
        match parts.next() {
            Some(_) => Err(TestSpecError::Parts(text.to_owned())),
            None => Ok(Self {
                test,
                on_systems,
                alpha,
                tails: Tails::Two,
                correction,
            }),
        }
    }
}

impl fmt::Display for TestSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.test.name, self.alpha)?;
        match self.correction() {
            Some(correction) => write!(f, ":{correction}"),
            None => Ok(()),
        }
    }
}

impl TestSpec {
    /// Returns the name of the test.
    pub fn name(&self) -> &'static str {
        self.test.name
    }

    /// Returns the significance level.
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// Returns the tails: two-tailed, or two one-tailed tests, each at alpha.
    pub fn tails(&self) -> Tails {
        self.tails
    }

    /// Returns the name of the correction for the number of pairs.
    pub fn correction(&self) -> Option<&'static str> {
        (self.correction != Adjustment::None).then(|| self.correction.name())
    }

    /// Returns the registry entry of the test.
    pub fn test(&self) -> &'static SignificanceTest {
        self.test
    }

    /// Returns true if the test has a one-tailed form.
    pub fn has_tails(&self) -> bool {
        self.on_systems.options.contains(&TestOption::Tails)
    }

    /// Returns the tests that the authors of a published procedure compared.
    pub fn from_preset(procedure: ComparisonPreset) -> Vec<Self> {
        let names: &[&str] = match procedure {
            ComparisonPreset::Mirex => &["friedman-tukey:0.05"],
            ComparisonPreset::Urbano2011 => &["friedman-tukey:0.05", "wilcoxon-normal:0.01"],
        };
        let tails = procedure.options().tails;
        let call = |name: &&str| -> Result<Self, TestSpecError> {
            name.parse::<Self>()?.with_tails(tails)
        };
        let calls: Result<Vec<Self>, TestSpecError> = names.iter().map(call).collect();
        calls.expect("the procedures name tests with their levels")
    }

    /// Sets the tails, if the test has a one-tailed form.
    ///
    /// # Errors
    /// Returns a [`TestSpecError`] if two one-tailed tests at this level would nearly always
    /// reject.
    pub fn with_tails(self, tails: Tails) -> Result<Self, TestSpecError> {
        if !self.has_tails() {
            return Ok(self);
        }
        if tails == Tails::One && self.alpha >= 0.5 {
            return Err(TestSpecError::Level {
                test: self.test.name,
                below: 0.5,
                found: self.alpha.to_string(),
            });
        }
        Ok(Self { tails, ..self })
    }

    /// Returns the smallest number of queries with which the test can reject: its smallest possible
    /// p-value, corrected for this number of systems, is below alpha. Returns `None` if no number
    /// up to `most` suffices.
    pub(crate) fn fewest_queries(&self, systems: usize, most: usize) -> Option<usize> {
        let settings = ComparisonOptions {
            alpha: Alpha::new(self.alpha).expect("a level lies between 0 and 1"),
            tails: self.tails,
            ..ComparisonOptions::default()
        };
        let names = |count: usize| (0..count).map(|number| number.to_string());
        let is_enough = |queries: &usize| {
            let values = (0..queries * systems).map(|place| (place % systems) as f64);
            let scores = ScoreMatrix::new("any", names(systems), names(*queries), values.collect());
            let scores = scores.expect("names differ, and there is a score for each of both");
            let input = TestInput {
                scores: &scores,
                columns: &[scores.column(0), scores.column(1)],
                pairs: &[(0, 1)],
                settings: &settings,
                correction: Adjustment::None,
                work: &SequentialWork,
            };
            let output = (self.on_systems.run)(&input);
            let smallest = output.expect("the test accepts this input").smallest_p;
            smallest_adjusted_p(self.correction, smallest, systems * (systems - 1) / 2) < self.alpha
        };
        // For a test that draws samples, more queries do not lower the smallest p-value.
        let draws = self.on_systems.options.contains(&TestOption::Samples);
        let most = if draws { most.min(20) } else { most };
        (2..=most).find(is_enough)
    }

    /// Prepares the test for these scores.
    pub(crate) fn prepare(&self, scores: &ScoreMatrix, seed: u64) -> Box<dyn PairTest> {
        let setting = TestParameters {
            alpha: self.alpha,
            tails: self.tails,
            seed,
        };
        let test = match self.on_systems.prepare_batch {
            Some(prepare) => prepare(scores, setting),
            None => per_sample::prepare(self.on_systems, scores, setting),
        };
        match self.correction {
            Adjustment::None => test,
            correction => Box::new(corrected::CorrectedTest {
                test,
                correction,
                alpha: self.alpha,
            }),
        }
    }
}

/// Returns all pairs of this number of systems.
pub(crate) fn pairs(systems: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..systems).flat_map(move |a| (a + 1..systems).map(move |b| (a, b)))
}

/// Returns the rounded differences of every pair on every query.
fn differences(scores: &ScoreMatrix) -> Vec<Vec<f64>> {
    let systems = scores.systems().len();
    let columns: Vec<Vec<f64>> = (0..systems).map(|system| scores.column(system)).collect();
    let of_pair = |(a, b): (usize, usize)| {
        let scale = max_abs(columns[a].iter().chain(&columns[b]));
        Rounding::Relative.round_all(&scores.differences(a, b), scale)
    };
    pairs(systems).map(of_pair).collect()
}

/// Selects the differences of a pair on some queries.
fn select_queries(differences: &[f64], queries: &[u32]) -> Vec<f64> {
    let of_query = |&query: &u32| differences[query as usize];
    queries.iter().map(of_query).collect()
}
