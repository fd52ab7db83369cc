//! The tests that pairs of systems are put to, one file each.
//!
//! | name | what | alpha |
//! |---|---|---|
//! | `friedman-tukey` | Friedman's ranks and Tukey's HSD over all pairs at once, as MIREX runs them | 0.05 |
//! | `wilcoxon` | Wilcoxon signed-rank, 1-tailed in both directions, normal law (W1 of the paper) | 0.01 |
//! | `wilcoxon-exact` | the same by its exact law, given ties | 0.01 |
//! | `t` | Student's paired t, 2-tailed | 0.05 |
//! | `sign` | the sign test, 2-tailed | 0.05 |
//! | `permutation` | signs of paired differences exchanged, 2-tailed | 0.05 |
//!
//! All decide whole batches of samples, by statistics that are prepared once, and all answer as the
//! plain tests of `partita-stats` do: p < alpha, strictly. What is too close to call by a critical
//! value is decided by the plain test itself. Differences of scores, and scores that are ranked, are
//! rounded first, relative to their size, as in `compare` ([`partita_stats::differences`]).

mod corrected;
mod friedman_tukey;
mod permutation;
#[cfg(test)]
mod plain;
mod sign;
mod signed_ranks;
mod student;
mod wilcoxon;
mod wilcoxon_exact;

use std::fmt;
use std::str::FromStr;

use partita_stats::adjust::Adjustment;
use partita_stats::differences::{Rounding, scale};

use super::batch::{Batch, LANES};
use super::verdict::Verdict;
use crate::Scores;

/// A kind of test.
#[derive(Debug)]
pub struct Definition {
    /// What it is called.
    pub name: &'static str,
    /// What it is.
    pub summary: &'static str,
    /// The level that it is used at unless another is given.
    pub alpha: f64,
    /// Whether it is made in either direction, each at alpha, which must then be below a half.
    pub both_ways: bool,
    /// Whether its p-values allow for all pairs already.
    pub simultaneous: bool,
    prepare: fn(&Scores, Setting) -> Box<dyn PairTest>,
}

/// Every test.
pub const REGISTRY: &[&Definition] = &[
    &friedman_tukey::DEFINITION,
    &wilcoxon::DEFINITION,
    &wilcoxon_exact::DEFINITION,
    &student::DEFINITION,
    &sign::DEFINITION,
    &permutation::DEFINITION,
];

/// How a test is made.
#[derive(Clone, Copy, Debug)]
struct Setting {
    alpha: f64,
    seed: u64,
}

/// A p-value, and which of two systems is ahead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evidence {
    /// The p-value that is compared with alpha.
    pub p: f64,
    /// Positive if the first system is ahead, negative if the second is.
    pub lead: f64,
}

/// A test of all pairs of systems, prepared for the scores of one measure. Pairs come in the order
/// (0, 1), (0, 2), ..., (1, 2), ...
pub(super) trait PairTest: Send + Sync {
    /// Decides all pairs on all samples of a batch.
    fn decide(&self, batch: &Batch, verdicts: &mut Verdicts);

    /// The p-value of every pair on one sample of a batch.
    fn evidence(&self, batch: &Batch, lane: usize) -> Vec<Evidence>;
}

/// The verdict on every pair for every sample of a batch.
#[derive(Clone, Debug)]
pub(super) struct Verdicts(Vec<[i16; LANES]>);

impl Verdicts {
    /// For so many pairs.
    pub(super) fn new(pairs: usize) -> Self {
        Self(vec![[0; LANES]; pairs])
    }

    /// The verdict on a pair for a sample.
    #[cfg(test)]
    fn get(&self, pair: usize, lane: usize) -> Verdict {
        Verdict::of_code(self.0[pair][lane])
    }

    fn set(&mut self, pair: usize, lane: usize, verdict: Verdict) {
        self.0[pair][lane] = verdict.code();
    }

    pub(super) fn codes(&self) -> &[[i16; LANES]] {
        &self.0
    }
}

/// A test with its level, and perhaps a correction for the number of pairs.
///
/// ```
/// use partita_core::reliability::TestCall;
///
/// let test: TestCall = "wilcoxon".parse()?;
/// assert_eq!(test.to_string(), "wilcoxon:0.01");
/// assert!("t:0.05:holm".parse::<TestCall>().is_ok());
/// assert!("friedman-tukey:0.05:holm".parse::<TestCall>().is_err());
/// # Ok::<(), partita_core::reliability::TestError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TestCall {
    definition: &'static Definition,
    alpha: f64,
    correction: Option<Adjustment>,
}

/// Why something names no test.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TestError {
    /// There is no such test.
    #[error("there is no test `{found}`; there are {}", names())]
    Unknown {
        /// What was found.
        found: String,
    },
    /// The level is no number between 0 and 1.
    #[error("the level of `{test}` must be a number above 0 and below {below}, not `{found}`")]
    Level {
        /// The test.
        test: &'static str,
        /// What it must be below.
        below: f64,
        /// What was found.
        found: String,
    },
    /// There is no such correction.
    #[error("there is no correction `{0}`; there are bonferroni, holm, hochberg, bh and by")]
    Correction(String),
    /// The test allows for all pairs already.
    #[error("`{0}` allows for all pairs already, so it takes no correction")]
    Simultaneous(&'static str),
    /// There are more parts than a test has.
    #[error("a test is written NAME, NAME:ALPHA or NAME:ALPHA:CORRECTION, not `{0}`")]
    Parts(String),
}

fn names() -> String {
    let names: Vec<&str> = REGISTRY.iter().map(|test| test.name).collect();
    names.join(", ")
}

/// The names of the corrections.
const CORRECTIONS: [(&str, Adjustment); 5] = [
    ("bonferroni", Adjustment::Bonferroni),
    ("holm", Adjustment::Holm),
    ("hochberg", Adjustment::Hochberg),
    ("bh", Adjustment::BenjaminiHochberg),
    ("by", Adjustment::BenjaminiYekutieli),
];

impl FromStr for TestCall {
    type Err = TestError;

    fn from_str(text: &str) -> Result<Self, TestError> {
        let mut parts = text.split(':').map(str::trim);
        let name = parts.next().expect("splitting gives one part at least");
        let definition = REGISTRY.iter().find(|test| test.name == name);
        let definition = *definition.ok_or_else(|| TestError::Unknown {
            found: name.to_owned(),
        })?;
        let below = if definition.both_ways { 0.5 } else { 1.0 };
        let alpha = match parts.next() {
            None => definition.alpha,
            Some(level) => (level.parse().ok())
                .filter(|alpha| *alpha > 0.0 && *alpha < below)
                .ok_or_else(|| TestError::Level {
                    test: definition.name,
                    below,
                    found: level.to_owned(),
                })?,
        };
        let correction = match parts.next() {
            None => None,
            Some(_) if definition.simultaneous => {
                return Err(TestError::Simultaneous(definition.name));
            }
            Some(name) => {
                let known = CORRECTIONS.iter().find(|(known, _)| *known == name);
                let found = known.ok_or_else(|| TestError::Correction(name.to_owned()));
                Some(found?.1)
            }
        };
        match parts.next() {
            Some(_) => Err(TestError::Parts(text.to_owned())),
            None => Ok(Self {
                definition,
                alpha,
                correction,
            }),
        }
    }
}

impl fmt::Display for TestCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.definition.name, self.alpha)?;
        match self.correction() {
            Some(correction) => write!(f, ":{correction}"),
            None => Ok(()),
        }
    }
}

impl TestCall {
    /// The name of the test.
    pub fn name(&self) -> &'static str {
        self.definition.name
    }

    /// Its level.
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// The name of its correction for the number of pairs.
    pub fn correction(&self) -> Option<&'static str> {
        let correction = self.correction?;
        let mut known = CORRECTIONS.iter();
        known.find_map(|&(name, known)| (known == correction).then_some(name))
    }

    /// The kind of test.
    pub fn definition(&self) -> &'static Definition {
        self.definition
    }

    /// The test, prepared for these scores.
    pub(super) fn prepare(&self, scores: &Scores, seed: u64) -> Box<dyn PairTest> {
        let setting = Setting {
            alpha: self.alpha,
            seed,
        };
        let test = (self.definition.prepare)(scores, setting);
        match self.correction {
            None => test,
            Some(correction) => Box::new(corrected::Corrected {
                test,
                correction,
                alpha: self.alpha,
            }),
        }
    }
}

/// All pairs of so many systems.
pub(super) fn pairs(systems: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..systems).flat_map(move |a| (a + 1..systems).map(move |b| (a, b)))
}

/// The rounded differences of every pair on every query.
fn differences(scores: &Scores) -> Vec<Vec<f64>> {
    let systems = scores.systems().len();
    let columns: Vec<Vec<f64>> = (0..systems).map(|system| scores.column(system)).collect();
    let of_pair = |(a, b): (usize, usize)| {
        let scale = scale(columns[a].iter().chain(&columns[b]));
        Rounding::Relative.rounded(&scores.differences(a, b), scale)
    };
    pairs(systems).map(of_pair).collect()
}

/// Those of a pair on some queries.
fn of_sample(differences: &[f64], queries: &[u32]) -> Vec<f64> {
    let of_query = |&query: &u32| differences[query as usize];
    queries.iter().map(of_query).collect()
}
