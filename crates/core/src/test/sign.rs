//! The sign test.
//!
//! Of the queries on which two systems differ by more than a threshold, how many speak for either?
//! If neither were better, that count would be binomial with probability ½. The two-tailed p-value
//! doubles the smaller tail. It asks for the median, not the mean, and throws away how large
//! differences are: the least powerful of these tests.
//!
//! Differences up to the threshold (0 if none is given) are ties, and are dropped.
//!
//! ```
//! use partita_core::Scores;
//! use partita_core::compare::{Settings, compare};
//! use partita_core::work::InTurn;
//!
//! let values = vec![0.5, 0.1, 0.6, 0.2, 0.7, 0.3, 0.8, 0.79];
//! let scores = Scores::new("AP", ["x", "y"], ["1", "2", "3", "4"], values)?;
//! let p = |threshold| -> Result<f64, partita_core::compare::CompareError> {
//!     let settings = Settings { threshold, ..Settings::default() };
//!     Ok(compare(&scores, "sign", &settings, &InTurn)?.pairs[0].p)
//! };
//! assert_eq!(p(0.0)?, 2.0 / 16.0);
//! assert_eq!(p(0.01)?, 2.0 / 8.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use partita_stats::sign_test::sign_test;
use schemars::JsonSchema;
use serde::Serialize;

use super::question::{Answer, PairAnswer, Question};
use super::samples::{Drawing, OnSamples, Paired, SampleError, SampleQuestion, Sides};
use super::{Goal, OnSystems, Test, TestOption};
use crate::compare::CompareError;
use crate::reliability::test::sign as resampled;

pub(super) static TEST: Test = Test {
    name: "sign",
    aliases: &["sign-test"],
    summary: "the sign test: on how many queries is either better?",
    description: "Of the differences larger than the threshold, the positive ones are counted; if \
                  neither system were better, the count would be binomial with probability ½.",
    reference: "W.J. Dixon and A.M. Mood, The Statistical Sign Test, Journal of the American \
                Statistical Association 41, 1946; C.J. van Rijsbergen, Information Retrieval, \
                1979, chapter 7",
    systems: Some(OnSystems {
        simultaneous: false,
        goal: Goal::Difference,
        options: &[TestOption::Tails, TestOption::Threshold],
        answer,
        resampled: Some(resampled::prepare),
    }),
    samples: Some(OnSamples::new::<SampleSigns>(
        "paired samples: are more differences d = x - y positive than negative?",
        r#"{"d":[..],"round":"relative|none"}, or x and y for d"#,
        r#"{"p_less","p_greater","p_two_sided","rounded_ties"}"#,
    )),
};

fn answer(question: &Question) -> Result<Answer, CompareError> {
    let settings = question.settings;
    Ok(Answer {
        pairs: question.each_pair(|differences| {
            let mut differences = differences.ranked();
            differences.retain(|d| d.abs() > settings.threshold);
            Ok(PairAnswer::of(sign_test(&differences)?.p, settings.tails))
        })?,
        smallest_p: question.smallest_by_signs(),
        ..Answer::default()
    })
}

/// Plain differences.
#[derive(serde::Deserialize, JsonSchema)]
#[serde(transparent)]
struct SampleSigns(Paired);

#[derive(Debug, Serialize, JsonSchema)]
struct SampleAnswer {
    #[serde(flatten)]
    p: Sides,
    rounded_ties: usize,
}

impl SampleQuestion for SampleSigns {
    type Answer = SampleAnswer;

    fn answer(self, _: Drawing) -> Result<SampleAnswer, SampleError> {
        let differences = self.0.differences()?;
        Ok(SampleAnswer {
            p: sign_test(&differences.ranked())?.p.into(),
            rounded_ties: differences.ties_made(),
        })
    }
}
