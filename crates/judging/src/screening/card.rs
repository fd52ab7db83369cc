//! The evidence on one assessor.

use partita_core::Answer;
use schemars::JsonSchema;
use serde::Serialize;

/// What there is to say of an assessor.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Card {
    /// The assessor.
    pub assessor: String,
    /// The number of answers.
    pub answers: usize,
    /// How many of them are which.
    pub counts: AnswerCounts,
    /// The most frequent answer.
    pub frequent: Frequent,
    /// Which side is preferred.
    pub side: Option<Side>,
    /// How long the answers took.
    pub times: Option<Times>,
    /// How many answers came before the clips can have ended.
    #[serde(rename = "too_fast")]
    pub fast: Option<Fast>,
    /// The answers to gold pairs.
    pub gold: Option<Gold>,
    /// How far the assessor agrees with the others.
    pub agreement: Option<WithOthers>,
    /// How much cause for concern there is, to sort by: each signal counts the number of zeros of its
    /// p-value, but no more than 10, and 3 if it has none.
    pub concern: f64,
    /// What is out of the ordinary.
    pub signals: Vec<Signal>,
}

/// How many answers are which.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AnswerCounts {
    /// How many prefer the item shown first.
    pub a: usize,
    /// How many prefer neither.
    pub equal: usize,
    /// How many prefer the item shown second.
    pub b: usize,
}

/// The most frequent answer of an assessor.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Frequent {
    /// The answer: a is the item shown first.
    pub answer: Answer,
    /// Its share.
    pub share: f64,
    /// Its share among all answers to the same pairs.
    pub expected: Option<f64>,
    /// How likely it is as frequent, or another is, if the answers were drawn from those.
    pub p: Option<f64>,
}

/// How often an assessor prefers the item shown first, of the answers that prefer one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Side {
    /// The answers that prefer the first.
    pub first: usize,
    /// The answers that prefer the second.
    pub second: usize,
    /// How many would prefer the first by the answers of others to the same pairs; a half where no
    /// other prefers one.
    #[serde(rename = "expected_first")]
    pub expected: f64,
    /// The two-sided p-value.
    pub p: f64,
}

/// How long answers took.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Times {
    /// The answers whose time is known.
    pub answers: usize,
    /// The median of their seconds.
    pub median: f64,
    /// The standard deviation over the mean; `None` for one answer.
    pub variation: Option<f64>,
    /// How likely the logarithms of the times vary as little, if they did as those of others do.
    pub p: Option<f64>,
}

/// Answers that came before the clips can have ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Fast {
    /// The answers for which that is known.
    pub answers: usize,
    /// Those that took less time than the clips last.
    pub fast: usize,
}

/// The answers to gold pairs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Gold {
    /// How many there are.
    pub answers: usize,
    /// How many are wrong. Where the query itself is one of the items, an answer is wrong if it
    /// prefers the other.
    pub wrong: usize,
    /// The share of wrong answers among those of others.
    pub expected: f64,
    /// How likely as many are wrong.
    pub p: f64,
}

/// How far an assessor agrees with the others who answered the same questions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct WithOthers {
    /// The answers to pairs that others answered as well.
    pub answers: usize,
    /// The mean agreement with them: 1, ½ or 0 each.
    pub agreement: f64,
    /// That of somebody whose answers are drawn from those of all.
    pub expected: f64,
    /// The difference in standard deviations.
    pub z: f64,
    /// How likely it is as low.
    pub p: f64,
}

partita_stats::named! {
    /// What can be out of the ordinary.
    pub enum SignalKind: "signal" {
        /// Nearly always the same answer
        SameAnswer = "same-answer",
        /// Always the same time
        SameTime = "same-time",
        /// Answers before the clips can have ended
        TooFast = "too-fast",
        /// Wrong answers where the right one is known
        Gold = "gold",
        /// One side is preferred
        Side = "side",
        /// Little agreement with the others
        Disagreement = "disagreement",
    }
}

/// Something out of the ordinary.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Signal {
    /// What it is.
    #[serde(rename = "signal")]
    pub kind: SignalKind,
    /// The effect.
    pub value: f64,
    /// From where on the effect is a signal.
    pub threshold: f64,
    /// The p-value, if there is a test.
    pub p: Option<f64>,
    /// What it is, in words.
    pub why: String,
}

/// How much cause for concern signals give.
pub(super) fn concern(signals: &[Signal]) -> f64 {
    let of = |signal: &Signal| match signal.p {
        Some(p) => (-p.max(1e-10).log10()).clamp(0.0, 10.0),
        None => 3.0,
    };
    // An empty sum of floats is -0.
    signals.iter().map(of).fold(0.0, |sum, one| sum + one)
}
