//! Screening results of one assessor.

use partita_core::Preference;
use schemars::JsonSchema;
use serde::Serialize;

/// Screening results of an assessor.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AssessorCard {
    /// Assessor name.
    pub assessor: String,
    /// Number of answers.
    pub answers: usize,
    /// Number of answers by choice.
    pub counts: AnswerCounts,
    /// Most frequent answer.
    pub frequent: FrequentAnswer,
    /// Preference for a side.
    pub side: Option<SideBias>,
    /// Response times.
    pub times: Option<ResponseTimes>,
    /// Answers given before the clips can have ended.
    #[serde(rename = "too_fast")]
    pub fast: Option<FastAnswers>,
    /// Answers to gold pairs.
    pub gold: Option<GoldScore>,
    /// Agreement with the other assessors.
    pub agreement: Option<CrowdAgreement>,
    /// Reliability by the model of all votes.
    pub reliability: Option<AssessorReliability>,
    /// Assessor with the most similar answers, if they are similar enough.
    pub alike: Option<SimilarAssessor>,
    /// Answers to pairs that were shown again.
    pub repeats: Option<RepeatedAnswers>,
    /// True if the assessor's answers are left out of the reference crowd.
    pub left_out: bool,
    /// Score for sorting: each signal counts -log10 of its p-value, at most 10, or 3 without a
    /// p-value.
    pub concern: f64,
    /// Signals raised.
    pub signals: Vec<Signal>,
}

/// Number of answers by choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AnswerCounts {
    /// Answers that prefer the item shown first.
    pub a: usize,
    /// Answers that call the items equal.
    pub equal: usize,
    /// Answers that prefer the item shown second.
    pub b: usize,
}

/// The most frequent answer of an assessor.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FrequentAnswer {
    /// Answer; a is the item shown first.
    pub answer: Preference,
    /// Share among the assessor's answers.
    pub share: f64,
    /// Expected share: mean share of this answer among all answers to the same pairs.
    pub expected: Option<f64>,
    /// Bonferroni-corrected p-value: probability that any of the three answers is at least this
    /// frequent if the assessor answered like a member of the crowd.
    pub p: Option<f64>,
}

/// Preference for the item shown first, among answers that prefer one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SideBias {
    /// Number of answers that prefer the first item.
    pub first: usize,
    /// Number of answers that prefer the second item.
    pub second: usize,
    /// Expected number of answers for the first item, given the answers of others to the same
    /// pairs; one half per pair if no other assessor prefers an item.
    #[serde(rename = "expected_first")]
    pub expected: f64,
    /// Two-sided p-value.
    pub p: f64,
}

/// Response times.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ResponseTimes {
    /// Number of answers with a known time.
    pub answers: usize,
    /// Median in seconds.
    pub median: f64,
    /// Coefficient of variation; `None` for one answer.
    pub variation: Option<f64>,
    /// P-value of a chi-squared test: probability that log response times vary this little or less
    /// if their variance were that of the other assessors.
    pub p: Option<f64>,
}

/// Answers given before the clips can have ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FastAnswers {
    /// Number of answers with known response time and clip durations.
    pub answers: usize,
    /// Number of answers that took less time than the clips last.
    pub fast: usize,
}

/// Answers to gold pairs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct GoldScore {
    /// Number of answers.
    pub answers: usize,
    /// Number of wrong answers. If the query itself is one of the items, an answer is wrong if it
    /// prefers the other.
    pub wrong: usize,
    /// Expected share of wrong answers: the share among the gold answers of all other assessors.
    pub expected: f64,
    /// P-value: probability of at least this many wrong answers if the assessor erred like the
    /// others.
    pub p: f64,
}

/// Agreement of an assessor with others who answered the same questions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CrowdAgreement {
    /// Number of answers to pairs that others answered too.
    pub answers: usize,
    /// Mean agreement with the others: 1, ½ or 0 per answer.
    pub agreement: f64,
    /// Expected agreement of an answer drawn at random from all answers to the same pair.
    pub expected: f64,
    /// Difference between observed and expected agreement, in standard deviations.
    pub z: f64,
    /// P-value: probability that a member of the crowd agrees with the others this little or less.
    pub p: f64,
}

/// Reliability of an assessor, by a model of all votes on the lists.
///
/// If the answers of others predict probabilities q, the assessor answers in proportion to q^γ,
/// apart from individual tendencies to call items equal and to prefer a side. The exponent γ is the
/// sharpness.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AssessorReliability {
    /// Number of answers to pairs that others answered too.
    pub answers: usize,
    /// Sharpness: 1 for answers as predicted from others, 0 for answers independent of the
    /// question, negative for opposite answers.
    pub sharpness: f64,
    /// Mean sharpness of the crowd.
    pub expected: f64,
    /// Standard deviation of the sharpness in the crowd.
    pub spread: f64,
    /// Difference between the assessor's sharpness and the mean of the crowd, in standard
    /// deviations of the estimate for a member of the crowd.
    pub z: f64,
    /// P-value: probability that the estimated sharpness of a member of the crowd is this low or
    /// lower.
    pub p: f64,
    /// P-value: probability that the estimated sharpness of a member of the crowd is this high or
    /// higher.
    pub p_too_sharp: f64,
    /// P-value: probability that the estimated sharpness of an assessor who answers at random is
    /// this high or higher.
    pub p_random: f64,
    /// Likelihood ratio: likelihood of the answers if the assessor is attentive, divided by their
    /// likelihood if the assessor is inattentive. At most a share c of attentive assessors has a
    /// ratio below c (Markov's inequality). The ratio grows with the heterogeneity of the crowd.
    #[serde(rename = "beside_random")]
    pub likelihood_ratio: f64,
}

/// Similarity of an assessor's answers to those of another.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SimilarAssessor {
    /// Other assessor.
    pub assessor: String,
    /// Number of pairs that both answered.
    pub pairs: usize,
    /// Number of these pairs with the same answer.
    pub same: usize,
    /// Number of same answers expected by chance, given how both answer.
    pub expected: f64,
    /// Bonferroni-corrected p-value: probability that the answers of at least one other assessor
    /// are this similar by chance.
    pub p: f64,
}

/// Answers to pairs that were shown again.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RepeatedAnswers {
    /// Number of pairs answered again.
    pub answers: usize,
    /// Number of changed answers.
    pub changed: usize,
    /// Expected number of changed answers if the assessor answered each time as predicted from
    /// others.
    pub expected_changed: f64,
    /// Number of pairs shown with swapped sides that got a preference both times.
    pub turned: usize,
    /// Number of these pairs in which the assessor preferred the same side both times, and so a
    /// different item.
    pub same_side: usize,
    /// Expected number of pairs with the same side preferred both times.
    pub expected_same_side: f64,
    /// Bonferroni-corrected p-value of two tests: at least this many changed answers, and at least
    /// this many preferences for the same side.
    pub p: f64,
}

partita_named::named_enum! {
    /// Kind of signal.
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
        /// More agreement with the others than attentive listening gives
        Copying = "copying",
        /// The same answers as somebody else
        Alike = "alike",
        /// Other answers to the same pair, or the same side of it
        Repeats = "repeats",
    }
}

/// Signal: a reason to doubt an assessor.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Signal {
    /// Kind of signal.
    #[serde(rename = "signal")]
    pub kind: SignalKind,
    /// Effect size.
    pub value: f64,
    /// Threshold of the effect size.
    pub threshold: f64,
    /// P-value, if there is a test.
    pub p: Option<f64>,
    /// Explanation as text.
    pub why: String,
}

/// Returns the sorting score of the signals.
pub(super) fn concern(signals: &[Signal]) -> f64 {
    let of = |signal: &Signal| match signal.p {
        Some(p) => (-p.max(1e-10).log10()).clamp(0.0, 10.0),
        None => 3.0,
    };
    // An empty sum of floats would be -0.
    signals.iter().map(of).fold(0.0, |sum, one| sum + one)
}
