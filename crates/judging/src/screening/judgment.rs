//! The answers of each assessor, with what else is known of their questions.

use std::collections::HashMap;

use partita_core::{Answer, Item, Preferences};

use crate::votes::Votes;

/// A pair of which the right answer is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GoldPair {
    /// The number of the query.
    pub query: usize,
    /// One item.
    pub a: Item,
    /// The other.
    pub b: Item,
    /// The right answer; any other is wrong.
    pub answer: Answer,
}

/// What is known beside the answers.
#[derive(Clone, Debug, Default)]
pub struct ScreeningEvidence {
    /// How many seconds the clips of each answer last, by the number of the query and of the answer;
    /// empty if that is not known.
    pub clips: Vec<Vec<Option<f64>>>,
    /// Pairs of which the right answer is known, beside those of the query itself.
    pub gold: Vec<GoldPair>,
}

/// One answer with what else is known of its question.
pub(super) struct Judgment {
    pub(super) answer: Answer,
    /// All votes on the pair, this one among them, a being the item shown first.
    pub(super) votes: Votes,
    pub(super) seconds: Option<f64>,
    pub(super) clips: Option<f64>,
    pub(super) wrong: Option<bool>,
}

/// The answers of each assessor.
pub(super) fn judgments(
    preferences: &Preferences,
    evidence: &ScreeningEvidence,
) -> Vec<Vec<Judgment>> {
    let mut judgments: Vec<Vec<Judgment>> = Vec::new();
    judgments.resize_with(preferences.assessors().len(), Vec::new);
    for (number, query) in preferences.queries().iter().enumerate() {
        let mut votes: HashMap<(Item, Item), Votes> = HashMap::new();
        let ordered = |a: Item, b: Item, answer: Answer| match a < b {
            true => ((a, b), answer),
            false => ((b, a), answer.mirrored()),
        };
        for given in query.answers() {
            let (pair, answer) = ordered(given.a, given.b, given.answer);
            votes.entry(pair).or_default().add(answer);
        }
        let mut right: HashMap<(Item, Item), Answer> = HashMap::new();
        for gold in evidence.gold.iter().filter(|gold| gold.query == number) {
            let (pair, answer) = ordered(gold.a, gold.b, gold.answer);
            right.insert(pair, answer);
        }
        let itself = query.items().get(query.name());
        for (place, given) in query.answers().iter().enumerate() {
            let (pair, answer) = ordered(given.a, given.b, given.answer);
            let on_pair = votes[&pair];
            let wrong = match right.get(&pair) {
                Some(&right) => Some(answer != right),
                None if Some(given.a) == itself => Some(given.answer == Answer::B),
                None if Some(given.b) == itself => Some(given.answer == Answer::A),
                None => None,
            };
            let clips = evidence.clips.get(number).and_then(|of| of.get(place));
            judgments[given.assessor.index()].push(Judgment {
                answer: given.answer,
                votes: match given.a < given.b {
                    true => on_pair,
                    false => on_pair.mirrored(),
                },
                seconds: given.seconds,
                clips: clips.copied().flatten(),
                wrong,
            });
        }
    }
    judgments
}
