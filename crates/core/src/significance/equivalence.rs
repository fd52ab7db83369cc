//! Equivalence test: two one-sided tests (TOST).
//!
//! A difference that is not significant is no proof of equality. This test reverses the burden of
//! proof: given a margin below which a difference of means does not matter, two one-sided t-tests
//! decide whether the difference lies above minus the margin and below the margin (Schuirmann
//! 1987). p is the larger of the two, and a significant result means that the systems are
//! equivalent within the margin. At level alpha that is the case if the interval of confidence 1 -
//! 2 alpha lies inside the margins.
//!
//! The test orders no systems: letter groups hold systems that are pairwise equivalent.
//!
//! ```
//! use partita_core::ScoreMatrix;
//! use partita_core::comparison::{ComparisonOptions, compare};
//! use partita_core::work::SequentialWork;
//!
//! let values = vec![0.50, 0.51, 0.60, 0.59, 0.40, 0.40, 0.70, 0.71];
//! let scores = ScoreMatrix::new("AP", ["x", "y"], ["1", "2", "3", "4"], values)?;
//! let options = ComparisonOptions { margin: Some(0.05), ..ComparisonOptions::default() };
//! let found = compare(&scores, "equivalence", &options, &SequentialWork)?;
//! assert_eq!(found.pairs[0].equivalent, Some(true));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::cmp::Ordering;

use partita_stats::t_test::one_sample;

use super::system_test::{PairTestOutput, TestInput, TestOutput};
use super::{SignificanceTest, SystemTest, TestGoal, TestOption};
use crate::comparison::ComparisonError;

/// Registry entry of the test `equivalence`: name, description, options and functions.
pub(super) static TEST: SignificanceTest = SignificanceTest {
    name: "equivalence",
    aliases: &["tost"],
    summary: "two one-sided t-tests: is the difference of means within a margin?",
    description: "p is the larger of those of two t-tests, that the mean difference is above minus \
                  the margin and that it is below the margin.",
    reference: "D.J. Schuirmann, A Comparison of the Two One-Sided Tests Procedure and the Power \
                Approach for Assessing the Equivalence of Average Bioavailability, Journal of \
                Pharmacokinetics and Biopharmaceutics 15, 1987",
    system_test: Some(SystemTest {
        simultaneous: false,
        goal: TestGoal::Equivalence,
        options: &[TestOption::Margin],
        run: run_test,
        prepare_batch: None,
    }),
    sample_test: None,
};

/// Runs the test on all pairs of systems.
fn run_test(input: &TestInput) -> Result<TestOutput, ComparisonError> {
    input.settings.one_sided_level()?;
    let margin = input.settings.margin.ok_or(ComparisonError::NoMargin)?;
    let pairs = input.test_pairs(|differences| {
        let differences = differences.for_mean_test();
        let moved = |by: f64| one_sample(&differences.iter().map(|d| d + by).collect::<Vec<_>>());
        let (above, below) = (moved(margin)?.p.greater, moved(-margin)?.p.less);
        Ok(PairTestOutput {
            p: Some(above.max(below)),
            direction: Ordering::Equal,
            interval: None,
        })
    })?;
    Ok(TestOutput {
        pairs,
        ..TestOutput::default()
    })
}
