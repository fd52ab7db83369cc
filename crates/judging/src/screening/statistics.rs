//! Statistics of an assessor's answers, and their tests against the crowd.

use partita_core::Preference;
use partita_stats::distribution::{chi_squared, normal};

use super::answers::{AssessorAnswers, ScreenedAnswer};
use super::assessor_card::{
    CrowdAgreement, FastAnswers, FrequentAnswer, GoldScore, ReportedQuestions, ResponseTimes,
    SideBias,
};
use super::evidence::ReportCounts;
use super::sharpness::CrowdTraits;
use super::trait_distribution::{TraitDistribution, TraitEstimate};
use super::traits::answer_probabilities;
use crate::analysis::batches::{mean, median};

/// Returns the number of answers for the first item, equal, and the second item.
pub(super) fn answer_counts(given: &[ScreenedAnswer]) -> [usize; 3] {
    Preference::ALL.map(|answer| given.iter().filter(|given| given.answer == answer).count())
}

/// Returns the most frequent answer and tests its frequency against the crowd; `None` without
/// answers.
pub(super) fn frequent_answer(
    given: &[ScreenedAnswer],
    crowd: &CrowdTraits,
) -> Option<FrequentAnswer> {
    if given.is_empty() {
        return None;
    }
    let counts = answer_counts(given);
    let most = (0..3)
        .max_by_key(|&which| counts[which])
        .expect("there are three answers");
    // The usual frequency is known only for pairs that others answered too.
    let shared = || given.iter().filter(|given| !given.others.is_empty());
    let usual: Vec<f64> = shared()
        .map(|given| f64::from(given.votes().counts()[most]) / f64::from(given.votes().len()))
        .collect();
    let found = shared()
        .filter(|given| given.answer as usize == most)
        .count();
    let p = crowd.average_over_trait(Preference::ALL[most], |traits| {
        let likely: Vec<f64> = shared()
            .map(|given| answer_probabilities(given.likely, traits)[most])
            .collect();
        tail_probability(&likely, found)
    });
    Some(FrequentAnswer {
        answer: Preference::ALL[most],
        share: counts[most] as f64 / given.len() as f64,
        expected: mean(&usual),
        // Bonferroni factor for three answers.
        p: (!usual.is_empty()).then(|| (3.0 * p).min(1.0)),
    })
}

/// Tests the share of preferences for the item shown first against the crowd; `None` if no answer
/// prefers an item.
pub(super) fn side_bias(given: &[ScreenedAnswer], crowd: &CrowdTraits) -> Option<SideBias> {
    let strict: Vec<&ScreenedAnswer> = (given.iter())
        .filter(|given| given.answer != Preference::Equal)
        .collect();
    let first = strict
        .iter()
        .filter(|given| given.answer == Preference::A)
        .count();
    let second = strict.len() - first;
    // Sides are random, so one half is expected without other answers.
    let expected = strict.iter().map(|given| {
        let [firsts, _, seconds] = given.others.counts().map(f64::from);
        (firsts + 0.5) / (firsts + seconds + 1.0)
    });
    let expected: f64 = expected.sum();
    let tail = |which: usize, found: usize| {
        crowd.average_over_trait(Preference::A, |traits| {
            let likely: Vec<f64> = (strict.iter())
                .map(|given| {
                    let shares = answer_probabilities(given.likely, traits);
                    shares[which] / (shares[0] + shares[2])
                })
                .collect();
            tail_probability(&likely, found)
        })
    };
    (!strict.is_empty()).then(|| SideBias {
        first,
        second,
        expected,
        p: (2.0 * tail(0, first).min(tail(2, second))).min(1.0),
    })
}

/// Variation of the logarithms of response times within each assessor.
pub(super) struct LogTimeVariation {
    /// Degrees of freedom and sum of squared deviations of log times from the assessor's mean, by
    /// assessor.
    deviations: Vec<(f64, f64)>,
}

/// Lower bound in seconds that is applied to response times before taking logarithms. Most records
/// have whole seconds, so smaller times are noise.
const MIN_SECONDS: f64 = 0.5;

impl LogTimeVariation {
    /// Computes the variation of the log response times of each assessor.
    pub(super) fn from_answers(people: &[AssessorAnswers]) -> Self {
        let deviations = people.iter().map(|person| {
            let mut logs: Vec<f64> = (person.given.iter().filter_map(|given| given.seconds))
                .map(|seconds| seconds.max(MIN_SECONDS).ln())
                .collect();
            // A fixed order makes sums independent of the order of the file.
            logs.sort_by(f64::total_cmp);
            let Some(mean) = mean(&logs) else {
                return (0.0, 0.0);
            };
            let squares = logs.iter().map(|log| (log - mean).powi(2)).sum();
            (logs.len() as f64 - 1.0, squares)
        });
        Self {
            deviations: deviations.collect(),
        }
    }

    /// Returns the p-value of a chi-squared test: the probability that this assessor's log response
    /// times vary this little or less if their variance were that of the other assessors. Returns
    /// `None` if the assessor has fewer than two times or those of the others do not vary.
    fn variation_p_value(&self, person: usize) -> Option<f64> {
        let (df, squares) = self.deviations[person];
        let others = self.deviations.iter().enumerate();
        let others = others.filter(|(other, _)| *other != person);
        let (others_df, others_squares) =
            others.fold((0.0, 0.0), |sum, (_, of)| (sum.0 + of.0, sum.1 + of.1));
        let variance = others_squares / others_df;
        let testable = df > 0.0 && others_df > 0.0 && variance > 0.0;
        testable
            .then(|| chi_squared::cdf(squares / variance, df).ok())
            .flatten()
    }
}

/// Summarises an assessor's response times and tests their variation; `None` if they are unknown.
pub(super) fn response_times(
    given: &[ScreenedAnswer],
    spread: &LogTimeVariation,
    person: usize,
) -> Option<ResponseTimes> {
    let mut seconds: Vec<f64> = given.iter().filter_map(|given| given.seconds).collect();
    seconds.sort_by(f64::total_cmp);
    let centre = mean(&seconds)?;
    let squares: f64 = seconds.iter().map(|s| (s - centre).powi(2)).sum();
    let deviation = (squares / (seconds.len() as f64 - 1.0)).sqrt();
    Some(ResponseTimes {
        answers: seconds.len(),
        variation: (seconds.len() > 1 && centre > 0.0).then_some(deviation / centre),
        p: spread.variation_p_value(person),
        median: median(seconds.clone())?,
    })
}

/// Counts the answers given before the clips can have ended; `None` if times or durations are
/// unknown.
pub(super) fn fast_answers(given: &[ScreenedAnswer]) -> Option<FastAnswers> {
    let known = || (given.iter()).filter_map(|given| Some((given.seconds?, given.clips?)));
    let fast = known().filter(|(seconds, clips)| seconds < clips).count();
    let answers = known().count();
    (answers > 0).then_some(FastAnswers { answers, fast })
}

/// Returns the number of an assessor's answers to gold questions, which have a known correct
/// answer, and the number of wrong ones.
pub(super) fn gold_counts(person: &AssessorAnswers) -> [usize; 2] {
    let known = || person.given.iter().filter_map(|given| given.wrong);
    let [answers, wrong] = person.uncounted_gold;
    [
        known().count() + answers,
        known().filter(|&is_wrong| is_wrong).count() + wrong,
    ]
}

/// Lower bound of the expected share of wrong answers to gold questions, because their supposedly
/// correct answers can themselves be wrong.
const MIN_EXPECTED_WRONG: f64 = 0.02;

/// Tests the number of wrong answers to gold questions against the share among all other assessors;
/// `None` without such answers.
pub(super) fn gold_score([answers, wrong]: [usize; 2], all: [usize; 2]) -> Option<GoldScore> {
    let others = [all[0] - answers, all[1] - wrong];
    let expected = match others[0] {
        0 => 0.0,
        answers => others[1] as f64 / answers as f64,
    };
    (answers > 0).then(|| GoldScore {
        answers,
        wrong,
        expected,
        p: tail_probability(&vec![expected.max(MIN_EXPECTED_WRONG); answers], wrong),
    })
}

/// Tests the number of an assessor's reports against the share of reported questions among all other
/// assessors; `None` without reports. `all` includes the assessor.
pub(super) fn reported_questions(
    own: ReportCounts,
    all: ReportCounts,
) -> Option<ReportedQuestions> {
    let ReportCounts { questions, reports } = own;
    let tested = gold_score([questions, reports], [all.questions, all.reports]);
    let tested = tested.filter(|_| reports > 0)?;
    Some(ReportedQuestions {
        questions,
        reports,
        expected: tested.expected,
        p: tested.p,
    })
}

/// Sums over an assessor's answers: number of answers, observed agreement with others, and expected
/// agreement with its variance.
#[derive(Default)]
struct AgreementSums {
    answers: usize,
    observed: f64,
    expected: f64,
    variance: f64,
}

/// Sums the agreement over the answers to pairs that others answered too; `None` if there are none.
fn agreement_sums(given: &[ScreenedAnswer]) -> Option<AgreementSums> {
    let mut sums = AgreementSums::default();
    for given in given.iter().filter(|given| !given.others.is_empty()) {
        let counts = given.votes().counts().map(f64::from);
        let n: f64 = counts.iter().sum();
        // Agreement of each possible answer with the other votes on the pair.
        let scores = [0, 1, 2].map(|which: usize| {
            let points: f64 = (0..3)
                .map(|other: usize| counts[other] * (1.0 - 0.5 * which.abs_diff(other) as f64))
                .sum();
            (points - 1.0) / (n - 1.0)
        });
        let drawn = |score: fn(f64) -> f64| -> f64 {
            let weighted = counts.iter().zip(scores).map(|(c, s)| c / n * score(s));
            weighted.sum()
        };
        let usually = drawn(|score| score);
        sums.answers += 1;
        sums.observed += scores[given.answer as usize];
        sums.expected += usually;
        sums.variance += (drawn(|score| score * score) - usually * usually).max(0.0);
    }
    (sums.answers > 0).then_some(sums)
}

/// Returns the mean excess of an assessor's agreement with others over the agreement expected from
/// all answers to the same pairs, with its standard error; `None` if no other assessor answered
/// these pairs or the standard error is 0.
pub(super) fn agreement_excess(given: &[ScreenedAnswer]) -> Option<TraitEstimate> {
    let found = agreement_sums(given)?;
    let answers = found.answers as f64;
    let error = found.variance.sqrt() / answers;
    (error > 1e-6).then_some(((found.observed - found.expected) / answers, error))
}

/// Tests the agreement of an assessor with others against the crowd's distribution of excess
/// agreement.
pub(super) fn crowd_agreement(
    given: &[ScreenedAnswer],
    crowd: TraitDistribution,
) -> Option<CrowdAgreement> {
    let found = agreement_sums(given)?;
    let answers = found.answers as f64;
    let z = if found.variance > 1e-12 {
        (found.observed - found.expected) / found.variance.sqrt()
    } else {
        0.0
    };
    let off = (found.observed - found.expected) / answers - crowd.mean.min(0.0);
    let law = found.variance / (answers * answers) + crowd.sd.powi(2);
    Some(CrowdAgreement {
        answers: found.answers,
        agreement: found.observed / answers,
        expected: found.expected / answers,
        z,
        p: normal::cdf(off / law.sqrt()),
    })
}

/// Returns the probability that at least `count` of independent events with probabilities `likely`
/// happen (tail of the Poisson binomial distribution).
pub(super) fn tail_probability(likely: &[f64], count: usize) -> f64 {
    if count == 0 {
        return 1.0;
    }
    if likely.len() > MAX_EXACT_EVENTS {
        let centre: f64 = likely.iter().sum();
        let variance: f64 = likely.iter().map(|p| p * (1.0 - p)).sum();
        if variance <= 0.0 {
            return f64::from(u8::from(count as f64 <= centre + 0.5));
        }
        return normal::sf((count as f64 - 0.5 - centre) / variance.sqrt());
    }
    // Distribution of the number of events; all numbers from `count` on are one bin.
    let mut law = vec![0.0; count + 1];
    law[0] = 1.0;
    for &p in likely {
        law[count] += law[count - 1] * p;
        for number in (1..count).rev() {
            law[number] = law[number] * (1.0 - p) + law[number - 1] * p;
        }
        law[0] *= 1.0 - p;
    }
    law[count].min(1.0)
}

/// Maximum number of events for which the Poisson binomial distribution is computed exactly; beyond
/// it the normal approximation is used.
const MAX_EXACT_EVENTS: usize = 1000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tail_probability_matches_binomial_and_hand_computed_values() {
        // Binomial tail for X ~ B(10, 1/2): P(X >= 8) = 56/1024.
        assert!((tail_probability(&[0.5; 10], 8) - 56.0 / 1024.0).abs() < 1e-15);
        assert_eq!(tail_probability(&[0.5; 10], 0), 1.0);
        assert!((tail_probability(&[1.0; 3], 3) - 1.0).abs() < 1e-15);
        // Two events with probabilities 1/2 and 1/4, at least one: 1 - 1/2 · 3/4.
        assert!((tail_probability(&[0.5, 0.25], 1) - 0.625).abs() < 1e-15);
        let exact = tail_probability(&[0.3; 1000], 330);
        let about = tail_probability(&[0.3; 1001], 330);
        assert!((exact - about).abs() < 0.002, "{exact} {about}");
    }
}
