//! The answers of each assessor, with what else is known of their questions.

use std::cmp::Ordering;
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

impl ScreeningEvidence {
    /// Adds how long the clips of each question last: those of both items, and that of the query if it
    /// has one. What is known already goes first. Gives the number of answers for which it is known now,
    /// and for which not.
    pub fn add_durations(
        &mut self,
        preferences: &Preferences,
        seconds: &HashMap<String, f64>,
    ) -> [usize; 2] {
        let mut counts = [0, 0];
        self.clips.resize(preferences.queries().len(), Vec::new());
        for (query, clips) in preferences.queries().iter().zip(&mut self.clips) {
            clips.resize(query.answers().len(), None);
            let of_query = seconds.get(query.name()).copied().unwrap_or(0.0);
            let of = |item: Item| seconds.get(query.items().name(item));
            for (given, clips) in query.answers().iter().zip(clips) {
                if clips.is_none() {
                    *clips = of(given.a).zip(of(given.b)).map(|(a, b)| a + b + of_query);
                }
                counts[usize::from(clips.is_none())] += 1;
            }
        }
        counts
    }

    /// Adds answers known to be right. Gives the number of those on pairs of queries or items that
    /// nobody answered, which say nothing.
    pub fn add_gold(&mut self, preferences: &Preferences, right: &Preferences) -> usize {
        let queries = preferences.queries();
        let mut unknown = 0;
        for right in right.queries() {
            let mut places = queries.iter();
            let query = places.position(|query| query.name() == right.name());
            for given in right.answers() {
                let pair = query.and_then(|query| {
                    let item = |item| queries[query].items().get(right.items().name(item));
                    Some(GoldPair {
                        query,
                        a: item(given.a)?,
                        b: item(given.b)?,
                        answer: given.answer,
                    })
                });
                unknown += usize::from(pair.is_none());
                self.gold.extend(pair);
            }
        }
        unknown
    }
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

impl Judgment {
    /// An order in which those that come together are alike.
    fn compare(&self, other: &Self) -> Ordering {
        let time = |seconds: Option<f64>| seconds.unwrap_or(-1.0);
        let key = |of: &Self| (of.answer, of.votes.counts(), of.wrong);
        (time(self.seconds).total_cmp(&time(other.seconds)))
            .then_with(|| time(self.clips).total_cmp(&time(other.clips)))
            .then_with(|| key(self).cmp(&key(other)))
    }
}

/// The answers of each assessor, who are in the order of their names. Neither the people nor their
/// answers are in the order of a file, so that sums over them are the same to the last digit.
pub(super) fn judgments<'p>(
    preferences: &'p Preferences,
    evidence: &ScreeningEvidence,
) -> Vec<(&'p str, Vec<Judgment>)> {
    let mut judgments: Vec<Vec<Judgment>> = Vec::new();
    judgments.resize_with(preferences.assessors().len(), Vec::new);
    for (number, query) in preferences.queries().iter().enumerate() {
        let mut votes: HashMap<(Item, Item), Votes> = HashMap::new();
        let ordered = |a: Item, b: Item, answer: Answer| {
            let answer = if a < b { answer } else { answer.mirrored() };
            ((a.min(b), a.max(b)), answer)
        };
        for given in query.answers() {
            let (pair, answer) = ordered(given.a, given.b, given.answer);
            votes.entry(pair).or_default().add(answer);
        }
        let gold = evidence.gold.iter().filter(|gold| gold.query == number);
        let right: HashMap<(Item, Item), Answer> = gold
            .map(|gold| ordered(gold.a, gold.b, gold.answer))
            .collect();
        let itself = query.items().get(query.name());
        for (place, given) in query.answers().iter().enumerate() {
            let (pair, answer) = ordered(given.a, given.b, given.answer);
            let votes = votes[&pair];
            let wrong = match right.get(&pair) {
                Some(&right) => Some(answer != right),
                None if Some(given.a) == itself => Some(given.answer == Answer::B),
                None if Some(given.b) == itself => Some(given.answer == Answer::A),
                None => None,
            };
            let clips = evidence.clips.get(number).and_then(|of| of.get(place));
            judgments[given.assessor.index()].push(Judgment {
                answer: given.answer,
                votes: if given.a < given.b {
                    votes
                } else {
                    votes.mirrored()
                },
                seconds: given.seconds,
                clips: clips.copied().flatten(),
                wrong,
            });
        }
    }
    let people = preferences.assessors().by_name().into_iter();
    let of_person = people.map(|person| {
        let mut given = std::mem::take(&mut judgments[person.index()]);
        given.sort_by(Judgment::compare);
        (preferences.assessors().name(person), given)
    });
    of_person.collect()
}
