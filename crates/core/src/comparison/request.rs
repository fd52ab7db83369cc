//! Request of a comparison: a test, a published procedure, and options that replace its own.

use partita_stats::adjustment::Adjustment;
use partita_stats::differences::Rounding;
use partita_stats::signed_rank::{SignedRankMethod, ZeroMethod};
use serde::Deserialize;

use super::{ComparisonError, ComparisonOptions, ComparisonPreset, DEFAULT_TEST};
use crate::significance::{TestOption, find_system_test, system_tests};
use crate::truth::{Alpha, Tails};

/// Request for a comparison of systems: the options of `partita compare`. Its fields are read from
/// JSON by the names of the options.
///
/// ```
/// use partita_core::comparison::ComparisonRequest;
///
/// let request = ComparisonRequest { test: Some("t".to_owned()), ..Default::default() };
/// let (test, options) = request.resolve()?;
/// assert_eq!((test, options.alpha.value()), ("t", 0.05));
/// # Ok::<(), partita_core::comparison::ComparisonError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ComparisonRequest {
    /// Name of the test; `None` for that of the procedure, or else the permutation test.
    pub test: Option<String>,
    /// Published procedure. It sets the test, the tails, the correction, the method and the
    /// treatment of zeros, and excludes these options.
    pub like: Option<ComparisonPreset>,
    /// Significance level of the adjusted p-values; `None` for that of the procedure, or else 0.05.
    pub alpha: Option<Alpha>,
    /// Number of tails; `None` for two.
    pub tails: Option<Tails>,
    /// Correction for the number of comparisons; `None` for Holm's, or for none if the test already
    /// accounts for it.
    pub correct: Option<Adjustment>,
    /// Baselines: every system is compared only with these; all pairs if empty.
    pub baseline: Vec<String>,
    /// Seed of all random draws.
    pub seed: u64,
    /// Number of resamples; `None` for the usual number of the test.
    pub resamples: Option<usize>,
    /// Treatment of differences of zero in the Wilcoxon test; `None` for that of Wilcoxon.
    pub zeros: Option<ZeroMethod>,
    /// Null distribution of the Wilcoxon test.
    pub method: Option<SignedRankMethod>,
    /// True to look for ties without rounding first.
    pub unrounded: bool,
    /// Largest difference that counts as a tie in the sign test; `None` for 0.
    pub threshold: Option<f64>,
    /// Margin of the equivalence test: smaller differences of means do not matter.
    pub margin: Option<f64>,
}

impl Default for ComparisonRequest {
    /// Returns a request for the default test without other options.
    fn default() -> Self {
        Self {
            test: None,
            like: None,
            alpha: None,
            tails: None,
            correct: None,
            baseline: Vec::new(),
            seed: 1,
            resamples: None,
            zeros: None,
            method: None,
            unrounded: false,
            threshold: None,
            margin: None,
        }
    }
}

impl ComparisonRequest {
    /// Returns the name of the significance test and the options of [`compare`](super::compare).
    ///
    /// # Errors
    /// Returns [`ComparisonError`] for an unknown test, and for an option that the test does not use
    /// or the procedure sets itself.
    pub fn resolve(&self) -> Result<(&'static str, ComparisonOptions), ComparisonError> {
        self.reject_options_of_procedure()?;
        let name = match (self.like, &self.test) {
            (Some(procedure), _) => procedure.test(),
            (None, Some(name)) => name,
            (None, None) => DEFAULT_TEST,
        };
        let (test, _) = find_system_test(name)?;
        let name = match self.method {
            Some(SignedRankMethod::ExactConditional) if test.name == "wilcoxon" => "wilcoxon-exact",
            Some(SignedRankMethod::Normal) if test.name == "wilcoxon" => "wilcoxon-normal",
            _ => test.name,
        };
        self.reject_unused_options(name)?;
        let usual = self
            .like
            .map_or_else(Default::default, ComparisonPreset::options);
        let options = ComparisonOptions {
            alpha: self.alpha.unwrap_or(usual.alpha),
            tails: self.tails.unwrap_or(usual.tails),
            correction: self.correct.or(usual.correction),
            baselines: self.baseline.clone(),
            rounding: if self.unrounded {
                Rounding::None
            } else {
                Rounding::Relative
            },
            zeros: self.zeros.unwrap_or_default(),
            threshold: self.threshold.unwrap_or(0.0),
            margin: self.margin,
            ranks: usual.ranks,
            samples: self.resamples,
            seed: self.seed,
        };
        Ok((name, options))
    }

    /// Returns an error if the request names a procedure and an option that the procedure sets.
    fn reject_options_of_procedure(&self) -> Result<(), ComparisonError> {
        let given = [
            ("test", self.test.is_some()),
            ("tails", self.tails.is_some()),
            ("correct", self.correct.is_some()),
            ("method", self.method.is_some()),
            ("zeros", self.zeros.is_some()),
            ("unrounded", self.unrounded),
        ];
        let option = given.iter().find(|(_, is_given)| *is_given);
        match (self.like, option) {
            (Some(procedure), Some(&(option, _))) => {
                Err(ComparisonError::OptionOfProcedure { procedure, option })
            }
            _ => Ok(()),
        }
    }

    /// Returns an error if an option is given that the significance test does not use.
    fn reject_unused_options(&self, test: &'static str) -> Result<(), ComparisonError> {
        if self.method.is_some() && !test.starts_with("wilcoxon") {
            return Err(ComparisonError::UnusedOption {
                option: "method",
                test,
                tests: vec!["wilcoxon"],
            });
        }
        let given = [
            ("tails", TestOption::Tails, self.tails == Some(Tails::One)),
            ("zeros", TestOption::Zeros, self.zeros.is_some()),
            ("threshold", TestOption::Threshold, self.threshold.is_some()),
            ("margin", TestOption::Margin, self.margin.is_some()),
            ("resamples", TestOption::Samples, self.resamples.is_some()),
        ];
        for (name, option, _) in given.into_iter().filter(|(_, _, is_given)| *is_given) {
            let users = system_tests().filter(|(_, on)| on.options.contains(&option));
            let tests: Vec<&'static str> = users.map(|(test, _)| test.name).collect();
            if !tests.contains(&test) {
                return Err(ComparisonError::UnusedOption {
                    option: name,
                    test,
                    tests,
                });
            }
        }
        Ok(())
    }
}
