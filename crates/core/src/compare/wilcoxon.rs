//! The Wilcoxon signed-rank test.
//!
//! The absolute differences are ranked, and the ranks of the positive ones summed (Wilcoxon 1945).
//! It asks whether differences tend to lie on one side of 0, which is not quite whether the means
//! differ: on skewed differences it can speak for the system with the lower mean.
//!
//! Ties get the mean of their ranks, and the exact law allows for them. Differences of zero are
//! dropped before ranking (Wilcoxon), ranked and dropped (Pratt), or ranked and split. Up to 50
//! differences that are not zero, p is exact; beyond, it is normal with corrections for ties and
//! continuity. For split zeros these two laws differ in principle, and p jumps there
//! ([`partita_stats::signed_rank`] says how); Pratt's do not.
//!
//! ```
//! use partita_core::Scores;
//! use partita_core::compare::{InTurn, Settings, compare, find};
//!
//! let values = vec![0.5, 0.0, 0.3, 0.0, 0.0, 0.1, 0.2, 0.0, 0.4, 0.0];
//! let scores = Scores::new("AP", ["x", "y"], ["1", "2", "3", "4", "5"], values)?;
//! let found = compare(&scores, find("wilcoxon")?, &Settings::default(), &InTurn)?;
//! // Only the smallest of five is negative: 2 of 32 choices of signs in either tail.
//! assert_eq!(found.pairs[0].p, 4.0 / 32.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use partita_stats::signed_rank::signed_rank;

use super::question::{Answer, PairAnswer, Question};
use super::{CompareError, Definition, Goal, TestOption};

pub(super) static DEFINITION: Definition = Definition {
    name: "wilcoxon",
    aliases: &["signed-rank"],
    summary: "the Wilcoxon signed-rank test",
    description: "The sum of the ranks that the positive differences have among all by absolute \
                  value; exact given the ties, or normal with corrections for ties and continuity.",
    reference: "F. Wilcoxon, Individual Comparisons by Ranking Methods, Biometrics Bulletin 1, \
                1945; J.W. Pratt, Remarks on Zeros and Ties in the Wilcoxon Signed Rank \
                Procedures, Journal of the American Statistical Association 54, 1959",
    simultaneous: false,
    goal: Goal::Difference,
    options: &[TestOption::Tails, TestOption::Zeros, TestOption::Method],
    answer,
};

fn answer(question: &Question) -> Result<Answer, CompareError> {
    let settings = question.settings;
    let test = |differences: &[f64]| {
        let test = signed_rank(differences, settings.zeros, settings.method)?;
        Ok(PairAnswer::of(test.p, settings.tails))
    };
    // All signs the same, without ties or all tied: one of them has the smallest p-value.
    let untied: Vec<f64> = (1..=question.queries()).map(|d| d as f64).collect();
    let tied = vec![1.0; question.queries()];
    let smallest = test(&untied)?.p.min(test(&tied)?.p);
    Ok(Answer {
        pairs: question.each_pair(|differences| test(&differences.ranked()))?,
        smallest_p: smallest,
        ..Answer::default()
    })
}
