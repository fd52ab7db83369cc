//! The paired t-test.
//!
//! t = mean/(s/√n) of the differences on n - 1 degrees of freedom (Student 1908). It asks whether
//! the means differ. On the scores of retrieval systems it holds its level well although they are
//! not normal, and has as much power as any test (Urbano, Lima and Hanjalic 2019).
//!
//! Ties need no care, and differences are taken as they are. Where they are all the same (but for
//! the error of binary fractions, unless the settings say otherwise), p is 1 if that is 0 and else 0.
//!
//! ```
//! use partita_core::Scores;
//! use partita_core::compare::{InTurn, Settings, compare, find};
//!
//! // The sleep data of Student (1908): extra hours under two drugs.
//! let first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
//! let second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
//! let values = first.into_iter().zip(second).flat_map(|(a, b)| [a, b]);
//! let patients = (1..=10).map(|patient| patient.to_string());
//! let scores = Scores::new("hours", ["first", "second"], patients, values.collect())?;
//! let found = compare(&scores, find("t")?, &Settings::default(), &InTurn)?;
//! assert_eq!(found.systems[found.pairs[0].a].name, "second");
//! assert!((found.pairs[0].p - 0.0028329).abs() < 1e-7);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use partita_stats::t_test::one_sample;

use super::question::{Answer, PairAnswer, Question};
use super::{CompareError, Definition, Goal, TestOption};

pub(super) static DEFINITION: Definition = Definition {
    name: "t",
    aliases: &["t-test", "student"],
    summary: "Student's paired t-test of the difference of means",
    description: "t = mean/(s/√n) of the differences, on n - 1 degrees of freedom.",
    reference: "Student, The Probable Error of a Mean, Biometrika 6, 1908; J. Urbano, H. Lima and \
                A. Hanjalic, Statistical Significance Testing in Information Retrieval: An \
                Empirical Analysis of Type I, Type II and Type III Errors, SIGIR 2019",
    simultaneous: false,
    goal: Goal::Difference,
    options: &[TestOption::Tails],
    answer,
};

fn answer(question: &Question) -> Result<Answer, CompareError> {
    let tails = question.settings.tails;
    Ok(Answer {
        pairs: question.each_pair(|differences| {
            let test = one_sample(&differences.averaged())?;
            Ok(PairAnswer::of(test.p, tails))
        })?,
        ..Answer::default()
    })
}
