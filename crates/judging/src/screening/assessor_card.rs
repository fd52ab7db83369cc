//! Screening results of one assessor.

use partita_core::Preference;
use schemars::JsonSchema;
use serde::Serialize;

/// Screening results of an assessor: statistics of their answers, and signals of inattention.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AssessorCard {
    /// Assessor name.
    pub assessor: String,
    /// Number of answers that are screened.
    pub answers: usize,
    /// Number of answers by choice: first, equal or second.
    pub counts: AnswerCounts,
    /// Most frequent answer, compared with the other assessors; null if there are no answers.
    pub frequent: Option<FrequentAnswer>,
    /// Preference for the item shown first; null if no answer prefers an item.
    pub side: Option<SideBias>,
    /// Response times; null if unknown.
    pub times: Option<ResponseTimes>,
    /// Answers given before the clips can have ended; null if times or durations are unknown.
    #[serde(rename = "too_fast")]
    pub fast: Option<FastAnswers>,
    /// Answers to gold pairs, which have a known correct answer; null if there are none.
    pub gold: Option<GoldScore>,
    /// Agreement with the other assessors of the same pairs; null if there are none.
    pub agreement: Option<CrowdAgreement>,
    /// Reliability by a model of all votes; null if no other assessor answered the same pairs.
    pub reliability: Option<AssessorReliability>,
    /// Assessor with the most similar answers; null if nobody's answers are similar enough.
    pub alike: Option<SimilarAssessor>,
    /// Answers to pairs that were shown to the assessor again; null if there are none.
    pub repeats: Option<RepeatedAnswers>,
    /// Reports that a question could not be judged; null if there are none.
    pub reports: Option<ReportedQuestions>,
    /// True if the assessor's answers are left out of the reference crowd, with which all are
    /// compared.
    pub left_out: bool,
    /// Sum over the signals of -log10 of the p-value, at most 10 each, or 3 without a p-value.
    /// Cards are sorted by it.
    pub concern: f64,
    /// Reasons to doubt that the assessor answers attentively.
    pub signals: Vec<Signal>,
}

/// Number of an assessor's answers by choice.
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
    /// Share of this answer among the assessor's answers.
    pub share: f64,
    /// Expected share: mean share of this answer among the crowd's answers to the same pairs, this
    /// assessor's included; null if nobody else in the crowd answered them.
    pub expected: Option<f64>,
    /// Bonferroni-corrected p-value: probability that any of the three answers is at least this
    /// frequent if the assessor answered like a member of the crowd; null if nobody else in the
    /// crowd answered the same pairs.
    pub p: Option<f64>,
}

/// Preference of an assessor for the item shown first, among answers that prefer an item.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SideBias {
    /// Number of answers that prefer the item shown first.
    pub first: usize,
    /// Number of answers that prefer the item shown second.
    pub second: usize,
    /// Expected number of answers for the item shown first, given the answers of other assessors to
    /// the same pairs; one half per pair if no other assessor prefers an item.
    #[serde(rename = "expected_first")]
    pub expected: f64,
    /// Two-sided p-value of the preference for one side.
    pub p: f64,
}

/// Response times of an assessor.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ResponseTimes {
    /// Number of answers with a known response time.
    pub answers: usize,
    /// Median response time in seconds.
    pub median: f64,
    /// Coefficient of variation of the response times; null for one answer or if all times are 0.
    pub variation: Option<f64>,
    /// P-value of a chi-squared test: probability that log response times vary this little or less
    /// if their variance were that of the other assessors; null if it cannot be tested.
    pub p: Option<f64>,
}

/// Answers given before the clips can have ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FastAnswers {
    /// Number of answers with known response time and clip durations.
    pub answers: usize,
    /// Number of answers that took less time than the clips of their question last.
    pub fast: usize,
}

/// Answers of an assessor to gold pairs, which have a known correct answer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct GoldScore {
    /// Number of answers to gold pairs.
    pub answers: usize,
    /// Number of wrong answers to gold pairs. If the query itself is one of the items, an answer is
    /// wrong if it prefers the other item.
    pub wrong: usize,
    /// Expected share of wrong answers: their share among all other assessors' answers to gold
    /// pairs; 0 if there are none.
    pub expected: f64,
    /// P-value: probability of at least this many wrong answers if the assessor erred like the
    /// others, but in no less than 2% of answers.
    pub p: f64,
}

/// Reports of an assessor that a question could not be judged.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ReportedQuestions {
    /// Number of questions of any kind that the assessor answered or reported.
    pub questions: usize,
    /// Number of questions that the assessor reported.
    pub reports: usize,
    /// Expected share of reported questions: their share among the questions of all other assessors;
    /// 0 if there are none.
    pub expected: f64,
    /// P-value: probability of at least this many reports if the assessor reported like the others,
    /// but no less than 2% of questions.
    pub p: f64,
}

/// Agreement of an assessor with others who answered the same questions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CrowdAgreement {
    /// Number of answers to pairs that other assessors answered too.
    pub answers: usize,
    /// Mean agreement with the other answers to the same pair: 1 for the same answer, ½ if exactly
    /// one of two is equal, 0 for opposite ones.
    pub agreement: f64,
    /// Expected mean agreement of answers drawn at random from all answers to the same pairs.
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
    /// Number of answers to pairs that other assessors answered too.
    pub answers: usize,
    /// Sharpness: 1 for answers as predicted from others, 0 for answers independent of the
    /// question, negative for opposite answers.
    pub sharpness: f64,
    /// Mean sharpness (how strongly answers follow the likely one) of the members of the reference
    /// crowd.
    pub expected: f64,
    /// Standard deviation of the sharpness over the members of the reference crowd.
    pub spread: f64,
    /// Difference between the assessor's sharpness and the mean of the crowd, in standard
    /// deviations of the estimate for a member of the crowd.
    pub z: f64,
    /// P-value: probability that the estimated sharpness (how strongly answers follow the likely
    /// one) of a member of the crowd is this low or lower.
    pub p: f64,
    /// P-value: probability that the estimated sharpness (how strongly answers follow the likely
    /// one) of a member of the crowd is this high or higher.
    pub p_too_sharp: f64,
    /// P-value: probability that the estimated sharpness (how strongly answers follow the likely
    /// one) of an assessor who answers at random is this high or higher.
    pub p_random: f64,
    /// Likelihood ratio: likelihood of the answers if the assessor is attentive, divided by their
    /// likelihood if the assessor is inattentive. At most a share c of attentive assessors has a
    /// ratio below c (Markov's inequality). The ratio grows with the heterogeneity of the crowd.
    #[serde(rename = "beside_random")]
    pub likelihood_ratio: f64,
}

/// Similarity of an assessor's answers to those of another assessor.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SimilarAssessor {
    /// Name of the other assessor.
    pub assessor: String,
    /// Number of pairs that both assessors answered.
    pub pairs: usize,
    /// Number of shared pairs to which both gave the same answer.
    pub same: usize,
    /// Expected number of same answers by chance, given the answering tendencies of both assessors.
    pub expected: f64,
    /// Bonferroni-corrected p-value: probability that the answers of at least one other assessor
    /// are this similar by chance.
    pub p: f64,
}

/// Answers of an assessor to pairs that were shown to them again.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RepeatedAnswers {
    /// Number of pairs that were answered a second time.
    pub answers: usize,
    /// Number of pairs whose second answer differs from the first.
    pub changed: usize,
    /// Expected number of changed answers, if the assessor answered independently each time like an
    /// average member of the crowd.
    pub expected_changed: f64,
    /// Number of pairs shown again with swapped sides in which both answers prefer an item.
    pub turned: usize,
    /// Number of `turned` pairs in which the assessor preferred the same side both times, and so a
    /// different item.
    pub same_side: usize,
    /// Expected number of `turned` pairs with the same side preferred both times.
    pub expected_same_side: f64,
    /// Bonferroni-corrected p-value of two tests: at least this many changed answers, and at least
    /// this many preferences for the same side.
    pub p: f64,
}

partita_named::named_enum! {
    /// Kind of anomaly in an assessor's answers of which a screening signal warns.
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
        /// The same answers as another assessor
        Alike = "alike",
        /// Another answer, or the same side, when a pair is asked again
        Repeats = "repeats",
        /// A larger share of reported questions than other assessors
        ManyReports = "many-reports",
    }
}

/// Signal: a reason to doubt that an assessor answers attentively.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Signal {
    /// Anomaly of which the signal warns.
    #[serde(rename = "signal")]
    pub kind: SignalKind,
    /// Effect size: the observed statistic, such as the share of the most frequent answer.
    pub value: f64,
    /// Threshold of the effect size from which the signal is raised; for `copying` and `repeats`,
    /// which depend only on the p-value, the expected value instead.
    pub threshold: f64,
    /// P-value of the effect; null if the signal has no test.
    pub p: Option<f64>,
    /// Explanation of the signal for the organiser.
    pub why: String,
}

/// Returns the concern by which cards are sorted: the sum over the signals of -log10 of the
/// p-value, at most 10 each, or 3 without a p-value.
pub(super) fn concern(signals: &[Signal]) -> f64 {
    let of = |signal: &Signal| match signal.p {
        Some(p) => (-p.max(1e-10).log10()).clamp(0.0, 10.0),
        None => 3.0,
    };
    // An empty sum of floats would be -0.
    signals.iter().map(of).fold(0.0, |sum, one| sum + one)
}
