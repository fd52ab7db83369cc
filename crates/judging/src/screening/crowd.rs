//! Selection of the reference crowd, with which every assessor is compared.
//!
//! Inattentive assessors distort the comparison: those who call everything equal make honest
//! assessors seem to disagree. Screening therefore repeats with the answers of flagged assessors
//! left out until the selection is stable. The crowd does not shrink without end, because
//!
//! - every assessor is rated again in each round, and returns if the signal does not persist;
//! - an assessor flagged only as unreliable or disagreeing does not vote, but still counts for the
//!   heterogeneity of the crowd;
//! - at least half of the rated assessors stay; those with the highest concern are left out first;
//! - it ends after [`MAX_ROUNDS`] rounds, or when a selection occurs again.

use partita_core::Preferences;
use schemars::JsonSchema;
use serde::Serialize;

use super::answers::{AssessorAnswers, ScreenedAnswer, answers_by_assessor};
use super::assessor_card::{AnswerCounts, AssessorCard, ReportedQuestions, SignalKind, concern};
use super::attention::{SharpnessDistribution, SharpnessLikelihoods};
use super::evidence::{ReportCounts, ScreeningEvidence};
use super::expectation::predict_answers;
use super::options::ScreeningOptions;
use super::repeats::repeated_answers;
use super::sharpness::{CrowdTraits, reliability};
use super::signals::signals;
use super::similar_answers::most_similar;
use super::statistics::{
    LogTimeVariation, agreement_excess, answer_counts, crowd_agreement, fast_answers,
    frequent_answer, gold_counts, gold_score, reported_questions, response_times, side_bias,
};
use super::trait_distribution::{OutlierModel, TraitDistribution};
use super::traits;

/// Summary of the reference crowd: the assessors with whom every assessor is compared.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CrowdSummary {
    /// Number of assessors in the crowd.
    pub people: usize,
    /// Number of assessors left out of the crowd because of a signal.
    pub left_out: usize,
    /// Number of rounds of screening: until a selection of the crowd occurred again, at most 10.
    pub rounds: usize,
    /// Mean agreement of two members of the crowd on a pair, from 0 to 1; null if no two members
    /// answered the same pair.
    pub agreement: Option<f64>,
    /// Mean and standard deviation of the sharpness in the crowd: how strongly answers follow the
    /// probabilities predicted from other assessors.
    pub sharpness: [f64; 2],
    /// Coefficient of variation of the attentive assessors' sharpness, whose distribution is a
    /// gamma distribution.
    pub sharpness_variation: f64,
    /// Estimated share of inattentive assessors in the crowd.
    #[serde(rename = "not_listening")]
    pub inattentive_share: f64,
    /// Standard deviation over the crowd of the tendency to call items equal, on the scale of log
    /// odds.
    pub equal_spread: f64,
    /// Standard deviation over the crowd of the tendency to prefer the item shown first, on the
    /// scale of half the log odds.
    pub side_spread: f64,
}

/// Maximum number of rounds of screening; further rounds have not changed results permanently.
const MAX_ROUNDS: usize = 10;

/// Prior distribution, over the members of the crowd, of an assessor's excess agreement with the
/// others.
const AGREEMENT_PRIOR: TraitDistribution = TraitDistribution {
    mean: 0.0,
    sd: 0.03,
};

/// Membership of an assessor in the reference crowd, with which all assessors are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CrowdMembership {
    /// The assessor's answers count as votes and for the heterogeneity of the crowd.
    Member,
    /// The assessor's answers do not count as votes, but count for the heterogeneity of the crowd.
    Doubtful,
    /// The assessor's answers do not count at all.
    Outsider,
}

impl CrowdMembership {
    /// Classifies an assessor by the signals that have a p-value. The signal for fast answers has
    /// none, so it alone excludes nobody. Reports say nothing about the answers.
    fn from_card(card: &AssessorCard) -> Self {
        let is_about_answers = |kind| kind != SignalKind::ManyReports;
        let tested = || {
            let signals = card.signals.iter();
            signals.filter(move |signal| signal.p.is_some() && is_about_answers(signal.kind))
        };
        let is_doubt = |kind| matches!(kind, SignalKind::Unreliable | SignalKind::Disagreement);
        match tested().count() {
            0 => Self::Member,
            _ if tested().all(|signal| is_doubt(signal.kind)) => Self::Doubtful,
            _ => Self::Outsider,
        }
    }
}

/// Screens all assessors in rounds until the crowd is stable. Returns their cards, in the order of
/// their names, and the crowd they are compared with.
pub(super) fn screen(
    preferences: &Preferences,
    evidence: &ScreeningEvidence,
    settings: &ScreeningOptions,
) -> (Vec<AssessorCard>, CrowdSummary) {
    let by_name = preferences.by_name();
    let mut data = ScreeningData {
        items: (by_name.queries().iter())
            .map(|query| query.items().len())
            .collect(),
        people: answers_by_assessor(&by_name, preferences, evidence),
        by_name: &by_name,
        evidence,
        settings,
    };
    let mut seen = vec![vec![CrowdMembership::Member; data.people.len()]];
    loop {
        let membership = seen.last().expect("the first selection is always present");
        let (cards, crowd) = data.rate_assessors(membership, seen.len());
        let next = next_membership(&cards, settings);
        if seen.contains(&next) || seen.len() == MAX_ROUNDS {
            let cards = data.with_reporters(cards);
            return (cards, crowd);
        }
        seen.push(next);
    }
}

/// Returns each assessor's crowd membership for the next round of screening.
fn next_membership(cards: &[AssessorCard], settings: &ScreeningOptions) -> Vec<CrowdMembership> {
    let mut membership: Vec<CrowdMembership> =
        cards.iter().map(CrowdMembership::from_card).collect();
    let judged = cards
        .iter()
        .filter(|card| card.answers >= settings.least_answers)
        .count();
    let mut concerns: Vec<f64> = (cards.iter().zip(&membership))
        .filter(|(_, membership)| **membership != CrowdMembership::Member)
        .map(|(card, _)| card.concern)
        .collect();
    concerns.sort_by(|a, b| b.total_cmp(a));
    // At most half of the rated assessors are left out. Assessors tied with the first one beyond
    // this limit all stay.
    if let Some(&most) = concerns.get(judged / 2) {
        for (membership, card) in membership.iter_mut().zip(cards) {
            if card.concern <= most {
                *membership = CrowdMembership::Member;
            }
        }
    }
    membership
}

/// Answers and settings shared by all rounds of screening.
struct ScreeningData<'a> {
    /// Number of items of each query, by query number.
    items: Vec<usize>,
    people: Vec<AssessorAnswers<'a>>,
    by_name: &'a Preferences,
    evidence: &'a ScreeningEvidence,
    settings: &'a ScreeningOptions,
}

impl ScreeningData<'_> {
    /// Returns the numbers of questions and reports of all assessors together.
    fn all_reports(&self) -> ReportCounts {
        let counts = self.evidence.reports.values();
        counts.fold(ReportCounts::default(), |sum, counts| ReportCounts {
            questions: sum.questions + counts.questions,
            reports: sum.reports + counts.reports,
        })
    }

    /// Returns the tested reports of an assessor; `None` without reports.
    fn reports_of(&self, assessor: &str, all: ReportCounts) -> Option<ReportedQuestions> {
        let own = self.evidence.reports.get(assessor)?;
        reported_questions(*own, all)
    }

    /// Adds the cards of assessors who reported questions but gave no answer that is screened.
    fn with_reporters(&self, mut cards: Vec<AssessorCard>) -> Vec<AssessorCard> {
        let all = self.all_reports();
        for name in self.evidence.reports.keys() {
            let Some(reports) = self.reports_of(name, all) else {
                continue;
            };
            if self.by_name.assessors().get(name).is_some() {
                continue;
            }
            let mut card = AssessorCard {
                assessor: name.clone(),
                answers: 0,
                counts: AnswerCounts {
                    a: 0,
                    equal: 0,
                    b: 0,
                },
                frequent: None,
                side: None,
                times: None,
                fast: None,
                gold: None,
                agreement: None,
                reliability: None,
                alike: None,
                repeats: None,
                reports: Some(reports),
                left_out: false,
                concern: 0.0,
                signals: Vec::new(),
            };
            card.signals = signals(&card, self.settings);
            card.concern = concern(&card.signals);
            cards.push(card);
        }
        cards
    }

    /// Rates every assessor against the crowd of this round of screening. Returns their cards and a
    /// summary of the crowd.
    fn rate_assessors(
        &mut self,
        membership: &[CrowdMembership],
        rounds: usize,
    ) -> (Vec<AssessorCard>, CrowdSummary) {
        let is_out: Vec<bool> = (membership.iter())
            .map(|membership| *membership != CrowdMembership::Member)
            .collect();
        let agreement = predict_answers(&mut self.people, &self.items, &is_out);
        let (people, settings) = (&self.people, self.settings);
        let is_counted: Vec<bool> = (people.iter().zip(membership))
            .map(|(person, membership)| {
                *membership != CrowdMembership::Outsider
                    && person.given.len() >= settings.least_answers
            })
            .collect();
        let counted = |number: &usize| is_counted[*number];
        let crowd: Vec<&[ScreenedAnswer]> = ((0..people.len()).filter(counted))
            .map(|number| people[number].given.as_slice())
            .collect();
        let excess: Vec<_> = crowd
            .iter()
            .filter_map(|given| agreement_excess(given))
            .collect();
        let agreeing = TraitDistribution::fit(&excess, OutlierModel::Anywhere, AGREEMENT_PRIOR);
        let crowd = CrowdTraits::fit(&crowd);
        let prior = crowd.prior_without_sharpness();
        let likelihoods: Vec<SharpnessLikelihoods> = (people.iter())
            .map(|person| SharpnessLikelihoods::from_answers(&person.given, &prior))
            .collect();
        let of_crowd = (0..people.len()).filter(counted);
        let sharpness =
            SharpnessDistribution::fit(&of_crowd.map(|own| &likelihoods[own]).collect::<Vec<_>>());
        let traits: Vec<traits::Traits> = (people.iter())
            .map(|person| traits::fit(&person.given, &traits::WEAK_PRIOR, [false; 3]).traits)
            .collect();
        let log_times = LogTimeVariation::from_answers(people);
        let gold: Vec<[usize; 2]> = people.iter().map(gold_counts).collect();
        let all_gold = [0, 1].map(|which: usize| gold.iter().map(|g| g[which]).sum::<usize>());
        let all_reports = self.all_reports();
        let mut alike = most_similar(people, &traits, settings).into_iter();
        let mut repeats =
            repeated_answers(people, self.by_name, &self.evidence.repeats, &crowd).into_iter();
        let cards = people.iter().enumerate().map(|(number, person)| {
            let given = person.given.as_slice();
            let [a, equal, b] = answer_counts(given);
            let mut card = AssessorCard {
                assessor: person.name.to_owned(),
                answers: given.len(),
                counts: AnswerCounts { a, equal, b },
                frequent: frequent_answer(given, &crowd),
                side: side_bias(given, &crowd),
                times: response_times(given, &log_times, number),
                fast: fast_answers(given),
                gold: gold_score(gold[number], all_gold),
                agreement: crowd_agreement(given, agreeing),
                reliability: reliability(
                    given,
                    &crowd,
                    sharpness.likelihood_ratio(&likelihoods[number]),
                ),
                alike: alike.next().flatten(),
                repeats: repeats.next().flatten(),
                reports: self.reports_of(person.name, all_reports),
                left_out: is_out[number],
                concern: 0.0,
                signals: Vec::new(),
            };
            card.signals = signals(&card, settings);
            card.concern = concern(&card.signals);
            card
        });
        let left_out = is_out.iter().filter(|out| **out).count();
        let summary = CrowdSummary {
            people: people.len() - left_out,
            left_out,
            rounds,
            agreement,
            sharpness: [crowd.sharpness.mean, crowd.sharpness.sd],
            sharpness_variation: sharpness.variation,
            inattentive_share: sharpness.inattentive_share,
            equal_spread: crowd.equal.sd,
            side_spread: crowd.side.sd,
        };
        (cards.collect(), summary)
    }
}
