//! Two people whose answers are the same more often than chance lets them be.
//!
//! Two who listen agree where a pair is obvious, and two who call everything equal agree always. So the
//! answers of two people to a pair are the same by chance with the probability that two people with their
//! own [tendencies](super::traits) say the same, given what others let expect; how often that happens
//! on all pairs that both answered has the law of a sum of independent events. Whoever has many partners
//! is like one of them by chance: the p-value is that of the likest partner times their number.

use std::collections::{BTreeMap, HashMap};

use partita_core::Item;

use super::answers::AssessorAnswers;
use super::assessor_card::{AssessorCard, Signal, SignalKind, SimilarAssessor};
use super::options::ScreeningOptions;
use super::signals::percent;
use super::statistics::tail_probability;
use super::traits::{Traits, answer_probabilities};

/// Somebody's answer to a pair, by the number of the answer, and how likely they give each.
struct PairResponse {
    person: usize,
    answer: usize,
    law: [f64; 3],
}

/// How often two people said the same, of how many pairs.
#[derive(Clone, Copy, Default)]
struct SharedAnswers {
    pairs: usize,
    same: usize,
}

/// For each person whoever is most alike, if there is somebody with enough pairs in common.
pub(super) fn alike(
    people: &[AssessorAnswers],
    traits: &[Traits],
    settings: &ScreeningOptions,
) -> Vec<Option<SimilarAssessor>> {
    let questions = questions(people, traits);
    let mut common: HashMap<(usize, usize), SharedAnswers> = HashMap::new();
    for said in questions.values() {
        for_each_two(said, |one, other| {
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
    // Most people are nowhere near as alike: the law of their number is not needed.
    common.retain(|_, common| common.share() >= settings.alike);
    let mut chances: BTreeMap<(usize, usize), Vec<f64>> = BTreeMap::new();
    for said in questions.values() {
        for_each_two(said, |one, other| {
            let two = (one.person, other.person);
            if common.contains_key(&two) {
                let same = (0..3).map(|answer| one.law[answer] * other.law[answer]);
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
            if found[person].as_ref().is_none_or(|likest| p < likest.p) {
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
    fn share(self) -> f64 {
        self.same as f64 / self.pairs as f64
    }
}

/// What people said of every pair, in the order of the pairs and of the people.
fn questions(
    people: &[AssessorAnswers],
    traits: &[Traits],
) -> BTreeMap<(usize, (Item, Item)), Vec<PairResponse>> {
    let mut questions: BTreeMap<_, Vec<PairResponse>> = BTreeMap::new();
    for (number, (person, &traits)) in people.iter().zip(traits).enumerate() {
        for given in &person.given {
            let mut law = answer_probabilities(given.likely, traits);
            if given.is_turned() {
                law.reverse();
            }
            let said = questions.entry((given.query, given.pair())).or_default();
            said.push(PairResponse {
                person: number,
                answer: given.by_number() as usize,
                law,
            });
        }
    }
    questions
}

fn for_each_two(said: &[PairResponse], mut each: impl FnMut(&PairResponse, &PairResponse)) {
    for (place, one) in said.iter().enumerate() {
        said[place + 1..].iter().for_each(|other| each(one, other));
    }
}

pub(super) fn signal(card: &AssessorCard, settings: &ScreeningOptions) -> Option<Signal> {
    let found = card
        .alike
        .as_ref()
        .filter(|found| found.p < settings.level)?;
    let share = found.same as f64 / found.pairs as f64;
    Some(Signal {
        kind: SignalKind::Alike,
        value: share,
        threshold: settings.alike,
        p: Some(found.p),
        why: format!(
            "{} of {} answers are those of `{}` ({}); by chance it would be {:.0}. One may have copied \
             the other, or both are one person",
            found.same,
            found.pairs,
            found.assessor,
            percent(share),
            found.expected
        ),
    })
}
