//! The Mann-Whitney U test of two independent samples.

use partita_stats::mann_whitney::{Method, mann_whitney};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Test;
use super::samples::{Drawing, OnSamples, SampleError, SampleQuestion, Sides};

pub(super) static TEST: Test = Test {
    name: "mann-whitney",
    aliases: &["rank-sum"],
    summary: "the Mann-Whitney U test (Wilcoxon's rank-sum test)",
    description: "U is the number of pairs with x above y, ties counted one half; exact given the \
                  ties, or normal with corrections for ties and continuity.",
    reference: "H.B. Mann and D.R. Whitney, On a Test of Whether one of Two Random Variables is \
                Stochastically Larger than the Other, Annals of Mathematical Statistics 18, 1947",
    systems: None,
    samples: Some(OnSamples::new::<Question>(
        "two independent samples: does x tend to be smaller than y? u is U of x",
        r#"{"x":[..],"y":[..],"method":"auto|exact|exact-untied|normal|normal-nocc"}"#,
        r#"{"u","p_less","p_greater","p_two_sided","method"}"#,
    )),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Question {
    x: Vec<f64>,
    y: Vec<f64>,
    method: Option<Method>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Answer {
    u: f64,
    #[serde(flatten)]
    p: Sides,
    method: Method,
}

impl SampleQuestion for Question {
    type Answer = Answer;

    fn answer(self, _: Drawing) -> Result<Answer, SampleError> {
        let found = mann_whitney(&self.x, &self.y, self.method.unwrap_or_default())?;
        Ok(Answer {
            u: found.u,
            p: found.p.into(),
            method: found.method,
        })
    }
}
