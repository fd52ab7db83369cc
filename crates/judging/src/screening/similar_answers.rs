//! Assessors whose answers coincide more often than by chance.
//!
//! Two attentive assessors agree on obvious pairs, and two who call everything equal always agree.
//! The chance of the same answer to a pair is therefore computed from both assessors'
//! [traits](super::traits) and the predictions from others. The number of same answers over all
//! shared pairs has a Poisson binomial distribution. The p-value is that of the most similar
//! partner times the number of partners (Bonferroni).

use std::collections::{BTreeMap, HashMap};

use partita_core::Item;

use super::answers::AssessorAnswers;
use super::assessor_card::{AssessorCard, Signal, SignalKind, SimilarAssessor};
use super::options::ScreeningOptions;
use super::signals::percent;
use super::statistics::tail_probability;
use super::traits::{Traits, answer_probabilities};

/// Answer of an assessor to a pair and the predicted probability of each answer. The answer is the
/// index of the preference with the item of the lower number as a.
struct PairResponse {
    person: usize,
    answer: usize,
    probabilities: [f64; 3],
}

/// Number of pairs that two assessors both answered, and number of pairs with the same answer.
#[derive(Clone, Copy, Default)]
struct SharedAnswers {
    pairs: usize,
    same: usize,
}

/// Returns, for each assessor, the other one with the lowest p-value of the similarity, among those
/// with enough shared pairs and a large enough share of same answers.
pub(super) fn most_similar(
    people: &[AssessorAnswers],
    traits: &[Traits],
    settings: &ScreeningOptions,
) -> Vec<Option<SimilarAssessor>> {
    let questions = responses_by_pair(people, traits);
    let mut common: HashMap<(usize, usize), SharedAnswers> = HashMap::new();
    for responses in questions.values() {
        for_each_two(responses, |one, other| {
            let common = common.entry((one.person, other.person)).or_default();
            common.pairs += 1;
            common.same += usize::from(one.answer == other.answer);
        });
    }
    common.retain(|_, common| common.pairs >= settings.least_answers);
    let mut partners = vec![0usize; people.len()];
    for (one, other) in common.keys() {
        partners[*one] += 1;
        partners[*other] += 1;
    }
    // Most pairs of assessors are far below the threshold, so their distribution is not computed.
    common.retain(|_, common| common.share() >= settings.alike);
    let mut chances: BTreeMap<(usize, usize), Vec<f64>> = BTreeMap::new();
    for responses in questions.values() {
        for_each_two(responses, |one, other| {
            let two = (one.person, other.person);
            if common.contains_key(&two) {
                let same =
                    (0..3).map(|answer| one.probabilities[answer] * other.probabilities[answer]);
                chances.entry(two).or_default().push(same.sum());
            }
        });
    }
    let mut found: Vec<Option<SimilarAssessor>> = vec![None; people.len()];
    for ((one, other), chances) in chances {
        let SharedAnswers { pairs, same } = common[&(one, other)];
        let p = tail_probability(&chances, same);
        let expected = chances.iter().sum();
        for (person, partner) in [(one, other), (other, one)] {
            let p = (p * partners[person] as f64).min(1.0);
            if found[person].as_ref().is_none_or(|best| p < best.p) {
                found[person] = Some(SimilarAssessor {
                    assessor: people[partner].name.to_owned(),
                    pairs,
                    same,
                    expected,
                    p,
                });
            }
        }
    }
    found
}

impl SharedAnswers {
    /// Returns the share of the shared pairs with the same answer.
    fn share(self) -> f64 {
        self.same as f64 / self.pairs as f64
    }
}

/// Returns the responses of all assessors to every pair, by query number and pair.
fn responses_by_pair(
    people: &[AssessorAnswers],
    traits: &[Traits],
) -> BTreeMap<(usize, (Item, Item)), Vec<PairResponse>> {
    let mut questions: BTreeMap<_, Vec<PairResponse>> = BTreeMap::new();
    for (number, (person, &traits)) in people.iter().zip(traits).enumerate() {
        for given in &person.given {
            let mut probabilities = answer_probabilities(given.likely, traits);
            if given.is_turned() {
                probabilities.reverse();
            }
            let responses = questions.entry((given.query, given.pair())).or_default();
            responses.push(PairResponse {
                person: number,
                answer: given.answer_by_item_number() as usize,
                probabilities,
            });
        }
    }
    questions
}

/// Calls a function with every two responses to the same pair.
fn for_each_two(responses: &[PairResponse], mut each: impl FnMut(&PairResponse, &PairResponse)) {
    for (place, one) in responses.iter().enumerate() {
        responses[place + 1..]
            .iter()
            .for_each(|other| each(one, other));
    }
}

/// Returns the signal for answers similar to another assessor's, if their p-value is low enough.
pub(super) fn signal(card: &AssessorCard, settings: &ScreeningOptions) -> Option<Signal> {
    let found = (card.alike.as_ref()).filter(|found| found.p < settings.level)?;
    let share = found.same as f64 / found.pairs as f64;
    Some(Signal {
        kind: SignalKind::Alike,
        value: share,
        threshold: settings.alike,
        p: Some(found.p),
        why: format!(
            "{} of {} answers equal those of `{}` ({}); {:.0} are expected by chance. One person may have \
             copied the other, or both are the same person",
            found.same,
            found.pairs,
            found.assessor,
            percent(share),
            found.expected
        ),
    })
}
