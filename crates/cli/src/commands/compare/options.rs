//! Which test, and how.

use clap::{Args, ValueEnum};
use partita_core::compare::{Correction, DEFAULT, Definition, Settings, TestOption, find};
use partita_core::truth::Tails;
use partita_stats::signed_rank::{Method, Zeros};

use super::failure;
use crate::failure::Failure;
use crate::rankings::level;

/// Which test, and how.
#[derive(Args, Clone, Debug)]
pub(super) struct TestArgs {
    /// The test: permutation, t, bootstrap, wilcoxon, sign, friedman-tukey, randomised-tukey or
    /// equivalence [default: permutation]
    #[arg(long, value_name = "NAME")]
    test: Option<String>,
    /// An old procedure as it was: Friedman and Tukey's HSD at 0.05 as MIREX runs them, or Wilcoxon
    /// tests, one-tailed both ways at 0.01, of Urbano, Martín, Marrero and Morato (ISMIR 2011)
    #[arg(long, value_enum, value_name = "PROCEDURE",
        conflicts_with_all = ["test", "tails", "correct", "method", "zeros", "unrounded"])]
    like: Option<Like>,
    /// The significance level: what has an adjusted p-value below it is significant [default: 0.05]
    #[arg(long, value_name = "LEVEL")]
    alpha: Option<f64>,
    /// Two-tailed tests, or one-tailed ones both ways, each at alpha [default: 2]
    #[arg(long, value_enum, value_name = "TAILS")]
    tails: Option<TailsName>,
    /// The correction for the number of comparisons [default: holm; none is left to
    /// friedman-tukey and randomised-tukey, which correct themselves]
    #[arg(long, value_enum, value_name = "PROCEDURE")]
    correct: Option<CorrectionName>,
    /// Only pairs with this system; may be given many times
    #[arg(long, value_name = "SYSTEM")]
    baseline: Vec<String>,
    /// wilcoxon: differences of zero are dropped, ranked and then dropped, or ranked and split
    /// [default: wilcox]
    #[arg(long, value_enum, value_name = "HOW")]
    zeros: Option<ZerosName>,
    /// wilcoxon: p-values from the exact law, or normal with corrections for ties and continuity;
    /// auto is exact up to 50 differences [default: auto]
    #[arg(long, value_enum, value_name = "LAW")]
    method: Option<MethodName>,
    /// wilcoxon, sign, friedman-tukey: do not round differences (or ranked scores) to multiples of
    /// 1e-9 before looking for ties
    #[arg(long)]
    unrounded: bool,
    /// sign: differences up to this size count as ties [default: 0]
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true)]
    threshold: Option<f64>,
    /// equivalence: differences of means smaller than this do not matter
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true)]
    margin: Option<f64>,
    /// permutation (of more than 20 queries), bootstrap, randomised-tukey: how many samples are
    /// drawn [default: 100000, 10000, 100000, and more where many comparisons need them]
    #[arg(long, value_name = "N")]
    samples: Option<usize>,
    /// The seed of all that is drawn
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Like {
    Mirex,
    #[value(name = "paper-003")]
    Paper003,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TailsName {
    #[value(name = "1")]
    One,
    #[value(name = "2")]
    Two,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CorrectionName {
    /// Step-down Bonferroni
    Holm,
    /// Every p-value times their number
    Bonferroni,
    /// Step-up Bonferroni
    Hochberg,
    /// False discovery rate (Benjamini and Hochberg)
    Bh,
    /// False discovery rate under any dependence (Benjamini and Yekutieli)
    By,
    /// No correction
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ZerosName {
    Wilcox,
    Pratt,
    Zsplit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MethodName {
    Auto,
    Exact,
    Normal,
}

impl CorrectionName {
    fn correction(self) -> Correction {
        let name = match self {
            Self::Holm => "holm",
            Self::Bonferroni => "bonferroni",
            Self::Hochberg => "hochberg",
            Self::Bh => "bh",
            Self::By => "by",
            Self::None => "none",
        };
        let known = Correction::ALL.iter().find(|(known, _)| *known == name);
        known.map_or_else(Correction::default, |(_, correction)| *correction)
    }
}

impl TestArgs {
    /// Whether neither a test nor a procedure was chosen.
    pub(super) fn is_default(&self) -> bool {
        self.test.is_none() && self.like.is_none()
    }

    /// The test and its settings.
    pub(super) fn settings(&self) -> Result<(&'static Definition, Settings), Failure> {
        let name = match self.like {
            Some(Like::Mirex) => "friedman-tukey",
            Some(Like::Paper003) => "wilcoxon",
            None => self.test.as_deref().unwrap_or(DEFAULT),
        };
        let test = find(name).map_err(|error| failure(&error, "", &[]))?;
        self.refuse_what_is_not_used(test)?;
        let mut settings = Settings {
            correction: self.correct.map(CorrectionName::correction),
            baselines: self.baseline.clone(),
            rounded: !self.unrounded,
            zeros: match self.zeros {
                None | Some(ZerosName::Wilcox) => Zeros::Wilcox,
                Some(ZerosName::Pratt) => Zeros::Pratt,
                Some(ZerosName::Zsplit) => Zeros::Split,
            },
            method: match self.method {
                None | Some(MethodName::Auto) => Method::Auto,
                Some(MethodName::Exact) => Method::ExactConditional,
                Some(MethodName::Normal) => Method::Normal,
            },
            threshold: self.threshold.unwrap_or(0.0),
            margin: self.margin,
            samples: self.samples,
            seed: self.seed,
            ..Settings::default()
        };
        if self.tails == Some(TailsName::One) {
            settings.tails = Tails::One;
        }
        let mut alpha = self.alpha.unwrap_or(0.05);
        if self.like == Some(Like::Paper003) {
            alpha = self.alpha.unwrap_or(0.01);
            settings.tails = Tails::One;
            settings.method = Method::Normal;
            settings.correction = Some(Correction::None);
        }
        settings.alpha = level("--alpha", alpha)?;
        Ok((test, settings))
    }

    /// An option that changes nothing was given by mistake.
    fn refuse_what_is_not_used(&self, test: &Definition) -> Result<(), Failure> {
        let one_tailed = self.tails == Some(TailsName::One);
        let given = [
            ("--tails 1", TestOption::Tails, one_tailed),
            ("--zeros", TestOption::Zeros, self.zeros.is_some()),
            ("--method", TestOption::Method, self.method.is_some()),
            (
                "--threshold",
                TestOption::Threshold,
                self.threshold.is_some(),
            ),
            ("--margin", TestOption::Margin, self.margin.is_some()),
            ("--samples", TestOption::Samples, self.samples.is_some()),
            ("--unrounded", TestOption::Unrounded, self.unrounded),
        ];
        for (name, option, given) in given {
            if given && !test.options.contains(&option) {
                let message = format!("{name} means nothing to the test {}", test.name);
                let tests = partita_core::compare::REGISTRY.iter();
                let tests = tests.filter(|test| test.options.contains(&option));
                let tests: Vec<&str> = tests.map(|test| test.name).collect();
                return Err(Failure::input(message)
                    .hint(format!("it goes with --test {}", tests.join(", "))));
            }
        }
        Ok(())
    }
}
