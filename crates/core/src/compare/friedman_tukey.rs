//! Friedman's test with Tukey's comparisons, as MIREX runs them.
//!
//! Within each query the systems are ranked, ties sharing the mean of their ranks; a higher mean
//! rank is better. Friedman's χ² asks whether any systems differ. Whatever it says, all pairs are
//! then compared by their mean ranks with Tukey's honestly significant difference, on infinite
//! degrees of freedom: `friedman` and `multcompare` (`tukey-kramer`) of MATLAB, as the evaluators of
//! MIREX call them. The p-values hold for all pairs together and are corrected no further.
//!
//! A pair is decided by mean ranks, which need not agree with the means; where they contradict each
//! other, the pair says so. If all systems tie on every query, every p is 1.
//!
//! ```
//! use partita_core::Scores;
//! use partita_core::compare::{InTurn, Settings, compare, find};
//!
//! // Six queries, four systems.
//! let values = [
//!     [70.0, 61.0, 82.0, 74.0],
//!     [77.0, 75.0, 88.0, 76.0],
//!     [76.0, 67.0, 90.0, 80.0],
//!     [80.0, 63.0, 96.0, 76.0],
//!     [84.0, 66.0, 92.0, 84.0],
//!     [78.0, 68.0, 98.0, 86.0],
//! ];
//! let queries = ["1", "2", "3", "4", "5", "6"];
//! let scores = Scores::new("AG@5", ["a", "b", "c", "d"], queries, values.concat())?;
//! let found = compare(&scores, find("friedman-tukey")?, &Settings::default(), &InTurn)?;
//! assert!(found.omnibus.is_some_and(|test| (test.chi_squared - 16.52542372881356).abs() < 1e-12));
//! let groups = found.systems.iter().map(|system| (&*system.name, system.group.as_deref()));
//! let shown = [("c", "a"), ("d", "ab"), ("a", "ab"), ("b", "b")];
//! assert!(groups.eq(shown.map(|(name, group)| (name, Some(group)))));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use partita_stats::friedman::friedman;
use partita_stats::studentized_range;

use super::question::{Answer, CriticalDifference, Omnibus, PairAnswer, Question};
use super::{CompareError, Definition, Goal};

pub(super) static DEFINITION: Definition = Definition {
    name: "friedman-tukey",
    aliases: &["friedman"],
    summary: "Friedman's test, then Tukey's HSD of mean ranks, as MIREX runs them",
    description: "Systems are ranked within each query; pairs are compared by their mean ranks with \
                  the studentized range of all systems on infinite degrees of freedom.",
    reference: "M. Friedman, The Use of Ranks to Avoid the Assumption of Normality, Journal of the \
                American Statistical Association 32, 1937; J.S. Downie, A.F. Ehmann, M. Bay and \
                M.C. Jones, The Music Information Retrieval Evaluation eXchange: Some Observations \
                and Insights, 2010",
    simultaneous: true,
    goal: Goal::Difference,
    options: &[],
    answer,
};

fn answer(question: &Question) -> Result<Answer, CompareError> {
    let test = friedman(&question.rounded_rows())?;
    let tukey = test.tukey(question.settings.alpha.value())?;
    let k = test.mean_ranks.len();
    let pairs = question.pairs.iter().map(|&(a, b)| {
        // The pairs (0, 1), (0, 2), ..., (1, 2), ... of all systems.
        let pair = &tukey.pairs[a * (2 * k - a - 1) / 2 + b - a - 1];
        PairAnswer {
            p: pair.p,
            direction: pair.diff.total_cmp(&0.0),
            interval: None,
        }
    });
    let widest = (k as f64 - 1.0) / test.standard_error();
    let smallest_p = match widest.is_finite() {
        true => studentized_range::sf(widest, k, f64::INFINITY)?,
        false => 0.0,
    };
    Ok(Answer {
        pairs: pairs.collect(),
        omnibus: Some(Omnibus {
            chi_squared: test.chi_squared,
            df: test.df,
            p: test.p,
        }),
        critical_difference: Some(CriticalDifference::OfRanks(tukey.critical_difference)),
        smallest_p,
        ..Answer::default()
    })
}
