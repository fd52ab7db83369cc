//! Specification of a significance test with level and correction, as written on the command line:
//! `t:0.01:holm`.

use std::fmt;
use std::str::FromStr;

use partita_named::{NamedEnum, UnknownNameError};
use partita_stats::adjustment::Adjustment;

use super::alpha::Alpha;
use super::batch::corrected::CorrectedTest;
use super::batch::{PairTest, TestParameters, per_sample};
use super::tails::Tails;
use super::{
    SignificanceTest, SystemTest, TestGoal, TestInput, TestOption, UnknownTestError,
    find_system_test,
};
use crate::ScoreMatrix;
use crate::comparison::{ComparisonOptions, ComparisonPreset, smallest_adjusted_p};
use crate::work::SequentialWork;

/// Significance test of systems with its level and tails, and an optional correction for the number
/// of pairs.
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
    pub(super) system_test: &'static SystemTest,
    alpha: f64,
    tails: Tails,
    correction: Adjustment,
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

impl fmt::Debug for TestSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TestSpec({self}, {} tails)", self.tails)
    }
}

/// Error: the text does not specify a significance test.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum TestSpecError {
    /// Name of a test that does not exist.
    #[error("{unknown}; there are {}", unknown.known.join(", "))]
    Unknown {
        #[from]
        unknown: UnknownTestError,
    },
    /// Equivalence test, which is refused because a specification has no margin.
    #[error("`{0}` asks whether differences are within a margin, which cannot be resampled here")]
    Equivalence(&'static str),
    /// Significance level that is not a number above 0 and below `below`: 1, or 0.5 for one-tailed
    /// tests.
    #[error("the level of `{test}` must be a number above 0 and below {below}, not `{found}`")]
    Level {
        test: &'static str,
        below: f64,
        found: String,
    },
    /// Name of a correction for multiple comparisons that does not exist.
    #[error(transparent)]
    Correction(#[from] UnknownNameError),
    /// Correction for multiple comparisons of a test whose p-values already account for all pairs.
    #[error("`{0}` allows for all pairs already, so it takes no correction")]
    Simultaneous(&'static str),
    /// Text with more parts than `NAME:ALPHA:CORRECTION`.
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
        let (test, system_test) = find_system_test(name)?;
        if system_test.goal == TestGoal::Equivalence {
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
            Some(_) if system_test.simultaneous => {
                return Err(TestSpecError::Simultaneous(test.name));
            }
            Some(name) => name.parse()?,
        };
        match parts.next() {
            Some(_) => Err(TestSpecError::Parts(text.to_owned())),
            None => Ok(Self {
                test,
                system_test,
                alpha,
                tails: Tails::Two,
                correction,
            }),
        }
    }

    /// Returns the name of the test.
    pub fn name(&self) -> &'static str {
        self.test.name
    }

    /// Returns the significance level.
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// Returns the tails: `Two` for a two-tailed test at alpha, `One` for two one-tailed tests,
    /// each at alpha.
    pub fn tails(&self) -> Tails {
        self.tails
    }

    /// Returns the name of the correction for the number of pairs, if there is one.
    pub fn correction(&self) -> Option<&'static str> {
        (self.correction != Adjustment::None).then(|| self.correction.name())
    }

    /// Returns the registry entry of the test.
    pub fn test(&self) -> &'static SignificanceTest {
        self.test
    }

    /// Returns true if the test has a one-tailed form.
    pub fn has_tails(&self) -> bool {
        self.system_test.options.contains(&TestOption::Tails)
    }

    /// Returns the tests that the authors of a published procedure compared.
    pub fn from_preset(procedure: ComparisonPreset) -> Vec<Self> {
        let names: &[&str] = match procedure {
            ComparisonPreset::Mirex => &["friedman-tukey:0.05"],
            ComparisonPreset::Urbano2011 => &["friedman-tukey:0.05", "wilcoxon-normal:0.01"],
        };
        let tails = procedure.options().tails;
        let specs = names
            .iter()
            .map(|name| name.parse::<Self>()?.with_tails(tails));
        let specs: Result<Vec<Self>, TestSpecError> = specs.collect();
        specs.expect("the procedures name tests with their levels")
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
    /// p-value, corrected for the pairs of `systems` systems, is below alpha. Returns `None` if no
    /// number up to `most` suffices.
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
            let output = (self.system_test.run)(&input);
            let smallest = output.expect("the test accepts this input").smallest_p;
            smallest_adjusted_p(self.correction, smallest, systems * (systems - 1) / 2) < self.alpha
        };
        // For a test that draws samples, more queries do not lower the smallest p-value.
        let draws = self.system_test.options.contains(&TestOption::Samples);
        let most = if draws { most.min(20) } else { most };
        (2..=most).find(is_enough)
    }

    /// Prepares the test for samples of the queries of these scores.
    pub(crate) fn prepare(&self, scores: &ScoreMatrix, seed: u64) -> Box<dyn PairTest> {
        let parameters = TestParameters {
            alpha: self.alpha,
            tails: self.tails,
            seed,
        };
        let test = match self.system_test.prepare_batch {
            Some(prepare) => prepare(scores, parameters),
            None => per_sample::prepare(self.system_test, scores, parameters),
        };
        match self.correction {
            Adjustment::None => test,
            correction => Box::new(CorrectedTest {
                test,
                correction,
                alpha: self.alpha,
            }),
        }
    }
}
