//! Whom everybody is compared with.
//!
//! Who does not listen makes others look odd: those who call everything equal make honest people seem to
//! disagree. So screening looks again, with the answers of whoever has a signal left out, until nobody
//! changes sides. It does not eat up the crowd, because
//!
//! - everybody is judged again each time, and comes back where the signal does not last;
//! - who is only taken to be unreliable does not vote, but still counts for how far people of the crowd
//!   differ, so that this does not shrink by its own doing;
//! - at least half of the people who can be judged stay, and of the others those of greatest concern go;
//! - it ends after [`MOST_ROUNDS`] rounds, or when it comes back to where it was.

use partita_core::Preferences;
use schemars::JsonSchema;
use serde::Serialize;

use super::answers;
use super::answers::{AssessorAnswers, ScreenedAnswer};
use super::assessor_card;
use super::assessor_card::{AnswerCounts, AssessorCard, SignalKind};
use super::attention::{Likelihoods, SharpnessDistribution};
use super::evidence::ScreeningEvidence;
use super::expectation::predict_answers;
use super::options::ScreeningOptions;
use super::repeats::repeats;
use super::sharpness::{CrowdTraits, reliability};
use super::signals::signals;
use super::similar_answers::alike;
use super::statistics::{
    LogTimes, agreement_excess, counts, fast, frequent, gold_counts, gold_score, side, times,
    with_others,
};
use super::trait_distribution::{OutlierModel, TraitDistribution};
use super::traits;

/// The people with whom everybody is compared.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CrowdSummary {
    /// How many they are.
    pub people: usize,
    /// How many are left out, since they have a signal.
    pub left_out: usize,
    /// How many times everybody was judged, until nobody changed sides.
    pub rounds: usize,
    /// The mean agreement of two of them on a pair.
    pub agreement: Option<f64>,
    /// The mean sharpness of people of the crowd, and its standard deviation.
    pub sharpness: [f64; 2],
    /// The coefficient of variation of the sharpness of those who listen, by its gamma law.
    pub sharpness_variation: f64,
    /// The share of people who do not listen beside them, as far as sharpness tells.
    #[serde(rename = "not_listening")]
    pub inattentive_share: f64,
    /// The standard deviation of their tendency to call items equal, on the scale of logarithms of odds.
    pub equal_spread: f64,
    /// The standard deviation of their tendency to prefer the item shown first, on half that scale.
    pub side_spread: f64,
}

/// After so many rounds nobody's card has been seen to change for good.
const MAX_ROUNDS: usize = 10;

/// How far people of a crowd agree more with others than these with each other, before it is known.
const USUAL_AGREEMENT: TraitDistribution = TraitDistribution {
    mean: 0.0,
    sd: 0.03,
};

/// Whether somebody is of the crowd.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CrowdMembership {
    /// Their answers count.
    Member,
    /// Their answers do not count as votes, but for how far people differ.
    Doubtful,
    /// They count for nothing.
    Outsider,
}

impl CrowdMembership {
    /// Speed alone leaves nobody out: it has no test.
    fn from_card(card: &AssessorCard) -> Self {
        let tested = || card.signals.iter().filter(|signal| signal.p.is_some());
        let is_doubt = |kind| matches!(kind, SignalKind::Unreliable | SignalKind::Disagreement);
        match tested().count() {
            0 => Self::Member,
            _ if tested().all(|signal| is_doubt(signal.kind)) => Self::Doubtful,
            _ => Self::Outsider,
        }
    }
}

/// The cards of everybody, in the order of their names, and whom they are compared with.
pub(super) fn screen(
    preferences: &Preferences,
    evidence: &ScreeningEvidence,
    settings: &ScreeningOptions,
) -> (Vec<AssessorCard>, CrowdSummary) {
    let by_name = preferences.by_name();
    let mut round = ScreeningRound {
        items: by_name
            .queries()
            .iter()
            .map(|query| query.items().len())
            .collect(),
        people: answers::answers_by_assessor(&by_name, preferences, evidence),
        by_name: &by_name,
        evidence,
        settings,
    };
    let mut seen = vec![vec![CrowdMembership::Member; round.people.len()]];
    loop {
        let standing = seen.last().expect("there is a first");
        let (cards, crowd) = round.judge(standing, seen.len());
        let next = next_standing(&cards, settings);
        if seen.contains(&next) || seen.len() == MAX_ROUNDS {
            return (cards, crowd);
        }
        seen.push(next);
    }
}

/// Who is of the crowd in the next round.
fn next_standing(cards: &[AssessorCard], settings: &ScreeningOptions) -> Vec<CrowdMembership> {
    let mut standing: Vec<CrowdMembership> = cards.iter().map(CrowdMembership::from_card).collect();
    let judged = cards
        .iter()
        .filter(|card| card.answers >= settings.least_answers)
        .count();
    let mut concerns: Vec<f64> = (cards.iter().zip(&standing))
        .filter(|(_, standing)| **standing != CrowdMembership::Member)
        .map(|(card, _)| card.concern)
        .collect();
    concerns.sort_by(|a, b| b.total_cmp(a));
    // Of people of the same concern all stay.
    if let Some(&most) = concerns.get(judged / 2) {
        for (standing, card) in standing.iter_mut().zip(cards) {
            if card.concern <= most {
                *standing = CrowdMembership::Member;
            }
        }
    }
    standing
}

/// What does not change from round to round.
struct ScreeningRound<'a> {
    items: Vec<usize>,
    people: Vec<AssessorAnswers<'a>>,
    by_name: &'a Preferences,
    evidence: &'a ScreeningEvidence,
    settings: &'a ScreeningOptions,
}

impl ScreeningRound<'_> {
    /// Judges everybody beside these.
    fn judge(
        &mut self,
        standing: &[CrowdMembership],
        rounds: usize,
    ) -> (Vec<AssessorCard>, CrowdSummary) {
        let is_out: Vec<bool> = standing
            .iter()
            .map(|of| *of != CrowdMembership::Member)
            .collect();
        let agreement = predict_answers(&mut self.people, &self.items, &is_out);
        let (people, settings) = (&self.people, self.settings);
        let is_counted: Vec<bool> = (people.iter().zip(standing))
            .map(|(person, standing)| {
                *standing != CrowdMembership::Outsider
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
        let agreeing = TraitDistribution::fit(&excess, OutlierModel::Anywhere, USUAL_AGREEMENT);
        let crowd = CrowdTraits::fit(&crowd);
        let belief = crowd.prior_without_sharpness();
        let likelihoods: Vec<Likelihoods> = (people.iter())
            .map(|person| Likelihoods::from_answers(&person.given, &belief))
            .collect();
        let of_crowd = (0..people.len()).filter(counted);
        let law =
            SharpnessDistribution::fit(&of_crowd.map(|own| &likelihoods[own]).collect::<Vec<_>>());
        let traits: Vec<traits::Traits> = (people.iter())
            .map(|person| traits::fit(&person.given, &traits::WEAK_PRIOR, [false; 3]).traits)
            .collect();
        let log_times = LogTimes::from_answers(people);
        let gold: Vec<[usize; 2]> = people.iter().map(gold_counts).collect();
        let all_gold = [0, 1].map(|which: usize| gold.iter().map(|g| g[which]).sum::<usize>());
        let mut alike = alike(people, &traits, settings).into_iter();
        let mut repeats = repeats(people, self.by_name, &self.evidence.repeats, &crowd).into_iter();
        let cards = people.iter().enumerate().map(|(number, person)| {
            let given = person.given.as_slice();
            let [a, equal, b] = counts(given);
            let mut card = AssessorCard {
                assessor: person.name.to_owned(),
                answers: given.len(),
                counts: AnswerCounts { a, equal, b },
                frequent: frequent(given, &crowd),
                side: side(given, &crowd),
                times: times(given, &log_times, number),
                fast: fast(given),
                gold: gold_score(gold[number], all_gold),
                agreement: with_others(given, agreeing),
                reliability: reliability(given, &crowd, law.likelihood_ratio(&likelihoods[number])),
                alike: alike.next().flatten(),
                repeats: repeats.next().flatten(),
                left_out: is_out[number],
                concern: 0.0,
                signals: Vec::new(),
            };
            card.signals = signals(&card, settings);
            card.concern = assessor_card::concern(&card.signals);
            card
        });
        let left_out = is_out.iter().filter(|out| **out).count();
        let found = CrowdSummary {
            people: people.len() - left_out,
            left_out,
            rounds,
            agreement,
            sharpness: [crowd.sharpness.mean, crowd.sharpness.sd],
            sharpness_variation: law.variation,
            inattentive_share: law.share_without,
            equal_spread: crowd.equal.sd,
            side_spread: crowd.side.sd,
        };
        (cards.collect(), found)
    }
}
