//! The evidence on one assessor.

use partita_core::Preference;
use schemars::JsonSchema;
use serde::Serialize;

/// What there is to say of an assessor.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AssessorCard {
    /// The assessor.
    pub assessor: String,
    /// The number of answers.
    pub answers: usize,
    /// How many of them are which.
    pub counts: AnswerCounts,
    /// The most frequent answer.
    pub frequent: FrequentAnswer,
    /// Which side is preferred.
    pub side: Option<SideBias>,
    /// How long the answers took.
    pub times: Option<ResponseTimes>,
    /// How many answers came before the clips can have ended.
    #[serde(rename = "too_fast")]
    pub fast: Option<FastAnswers>,
    /// The answers to gold pairs.
    pub gold: Option<GoldScore>,
    /// How far the assessor agrees with the others.
    pub agreement: Option<CrowdAgreement>,
    /// How far they answer what is asked.
    pub reliability: Option<AssessorReliability>,
    /// Whoever gave the most similar answers, if somebody's are similar enough.
    pub alike: Option<SimilarAssessor>,
    /// The answers to pairs that were shown again.
    pub repeats: Option<RepeatedAnswers>,
    /// Whether the assessor's answers are left out of what everybody is compared with.
    pub left_out: bool,
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
pub struct FrequentAnswer {
    /// The answer: a is the item shown first.
    pub answer: Preference,
    /// Its share.
    pub share: f64,
    /// Its share among all answers to the same pairs.
    pub expected: Option<f64>,
    /// How likely it is as frequent, or another is, if the answers were drawn from those.
    pub p: Option<f64>,
}

/// How often an assessor prefers the item shown first, of the answers that prefer one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SideBias {
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
pub struct ResponseTimes {
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
pub struct FastAnswers {
    /// The answers for which that is known.
    pub answers: usize,
    /// Those that took less time than the clips last.
    pub fast: usize,
}

/// The answers to gold pairs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct GoldScore {
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
pub struct CrowdAgreement {
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

/// How far an assessor answers what is asked, by a model of all votes on the lists.
///
/// Where the others let expect the answers with probabilities q, the assessor gives them in the proportion
/// q^γ, but for their own tendencies to call items equal and to prefer a side. This γ is their sharpness.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AssessorReliability {
    /// The answers to pairs that others answered as well.
    pub answers: usize,
    /// The sharpness: 1 for who answers as others let expect, 0 for who answers whatever is asked, below 0
    /// for who says the opposite.
    pub sharpness: f64,
    /// The sharpness of the crowd.
    pub expected: f64,
    /// The standard deviation of the sharpness in the crowd.
    pub spread: f64,
    /// How far the assessor is from the crowd, in standard deviations of what they would seem to be if
    /// they were of it.
    pub z: f64,
    /// How likely somebody of the crowd seems as little sharp.
    pub p: f64,
    /// How likely somebody of the crowd seems as sharp.
    pub p_too_sharp: f64,
    /// How likely somebody seems as sharp who answers whatever is asked.
    pub p_random: f64,
    /// How likely the answers are of somebody of the crowd, beside somebody who does not listen: a ratio of
    /// likelihoods, which grows with how far the crowd differs. Of people of the crowd at most a share of c
    /// has less than c.
    #[serde(rename = "beside_random")]
    pub likelihood_ratio: f64,
}

/// The answers of an assessor that are the same as those of another.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SimilarAssessor {
    /// The other.
    pub assessor: String,
    /// The pairs that both answered.
    pub pairs: usize,
    /// On how many of them they said the same.
    pub same: usize,
    /// On how many they would by chance, as both answer.
    pub expected: f64,
    /// How likely anybody's answers are as similar.
    pub p: f64,
}

/// The answers to pairs that were shown again.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RepeatedAnswers {
    /// How many pairs were answered again.
    pub answers: usize,
    /// How many got another answer than before.
    pub changed: usize,
    /// How many would, if the assessor answered each time as others let expect.
    pub expected_changed: f64,
    /// How many were shown with sides turned and got a preference both times.
    pub turned: usize,
    /// How many of these got the same side, so the other item.
    pub same_side: usize,
    /// How many would.
    pub expected_same_side: f64,
    /// How likely as many changed, or got the same side.
    pub p: f64,
}

partita_named::named_enum! {
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
        /// Answers that have little to do with what is asked
        Unreliable = "unreliable",
        /// More agreement with the others than listening gives
        Copying = "copying",
        /// The same answers as somebody else
        Alike = "alike",
        /// Other answers to the same pair, or the same side of it
        Repeats = "repeats",
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
