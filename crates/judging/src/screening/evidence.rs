//! What is known beside the answers that are votes.

use std::collections::HashMap;

use partita_core::{Item, Preference, Preferences, QueryPreferences};

use super::answers::{mirrored_if, ordered};
use crate::campaign::{Campaign, GoldAnswer, PreferenceChoice};

/// A pair of which the right answer is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoldQuestion {
    /// The query.
    pub query: String,
    /// One item.
    pub a: String,
    /// The other.
    pub b: String,
    /// The right answer; any other is wrong.
    pub expected: Preference,
}

/// An answer that is no vote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UncountedAnswer {
    /// The query.
    pub query: String,
    /// The item shown first.
    pub a: String,
    /// The item shown second.
    pub b: String,
    /// Who answered.
    pub assessor: String,
    /// What they answered.
    pub answer: Preference,
}

/// What is known beside the answers that are votes.
#[derive(Clone, Debug, Default)]
pub struct ScreeningEvidence {
    /// How many seconds the clips of each answer last, by the number of the query and of the answer;
    /// empty if that is not known.
    pub clips: Vec<Vec<Option<f64>>>,
    /// Pairs of which the right answer is known, beside those of the query itself.
    pub gold: Vec<GoldQuestion>,
    /// Answers to gold that are no votes.
    pub gold_answers: Vec<UncountedAnswer>,
    /// The answers of people who were shown a pair again: neither votes nor first answers.
    pub repeats: Vec<UncountedAnswer>,
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
            clips.resize(query.votes().len(), None);
            let of_query = seconds.get(query.name()).copied().unwrap_or(0.0);
            let of = |item: Item| seconds.get(query.items().name(item));
            for (given, clips) in query.votes().iter().zip(clips) {
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
        let mut unknown = 0;
        for right in right.queries() {
            let mut queries = preferences.queries().iter();
            let query = queries.find(|query| query.name() == right.name());
            for given in right.votes() {
                let [a, b] = [given.a, given.b].map(|item| right.items().name(item));
                let is_known = query.is_some_and(|query| {
                    [a, b].iter().all(|item| query.items().get(item).is_some())
                });
                unknown += usize::from(!is_known);
                self.gold.push(GoldQuestion {
                    query: right.name().to_owned(),
                    a: a.to_owned(),
                    b: b.to_owned(),
                    expected: given.preference,
                });
            }
        }
        unknown
    }

    /// Adds what a campaign knows: the questions whose answers it knows, and what people said to them when
    /// they were asked to check them. What they said to the same questions for their own sake is among their
    /// answers. Only of these queries, if any are named. Gives the number of answers that are checked.
    pub fn add_campaign_gold(&mut self, campaign: &Campaign, queries: &[String]) -> usize {
        let wanted = |query: &String| queries.is_empty() || queries.contains(query);
        let mut gold: Vec<GoldQuestion> = Vec::new();
        let mut know = |query: &str, a: &str, b: &str, expected: PreferenceChoice| {
            let Some(expected) = expected.preference() else {
                return;
            };
            let [a, b, query] = [a, b, query].map(str::to_owned);
            let pair = GoldQuestion {
                query,
                a,
                b,
                expected,
            };
            if !gold.contains(&pair) {
                gold.push(pair);
            }
        };
        let settings = campaign.spec().gold.iter();
        for pair in settings.flat_map(|gold| &gold.pairs) {
            know(&pair.query, &pair.a, &pair.b, pair.answer);
        }
        let before = self.gold_answers.len();
        for GoldAnswer {
            answer: answered,
            expected,
        } in campaign.gold_checks()
        {
            let Some(answer) = answered
                .answer
                .preference()
                .filter(|_| wanted(&answered.query))
            else {
                continue;
            };
            know(&answered.query, &answered.a, &answered.b, *expected);
            self.gold_answers.push(UncountedAnswer {
                query: answered.query.clone(),
                a: answered.a.clone(),
                b: answered.b.clone(),
                assessor: campaign.canonical_name(&answered.assessor),
                answer,
            });
        }
        gold.retain(|pair| wanted(&pair.query));
        self.gold.append(&mut gold);
        self.gold_answers.len() - before
    }

    /// Adds the answers of people to pairs that they had answered before.
    pub fn add_repeats(&mut self, repeats: &Preferences) {
        for query in repeats.queries() {
            self.repeats.extend(query.votes().iter().map(|given| {
                let name = |item: Item| query.items().name(item).to_owned();
                UncountedAnswer {
                    query: query.name().to_owned(),
                    a: name(given.a),
                    b: name(given.b),
                    assessor: repeats.assessors().name(given.assessor).to_owned(),
                    answer: given.preference,
                }
            }));
        }
    }

    /// The right answers about a query, of the item of the lower number.
    pub(super) fn right_answers(
        &self,
        query: &QueryPreferences,
    ) -> HashMap<(Item, Item), Preference> {
        let gold = self.gold.iter().filter(|gold| gold.query == query.name());
        let right = gold.filter_map(|gold| {
            let items = [query.items().get(&gold.a)?, query.items().get(&gold.b)?];
            Some((
                ordered(items),
                mirrored_if(gold.expected, items[0] > items[1]),
            ))
        });
        right.collect()
    }

    /// The right answer to what somebody was shown.
    pub(super) fn right_answer(&self, given: &UncountedAnswer) -> Option<Preference> {
        let mut gold = self.gold.iter().filter(|gold| gold.query == given.query);
        gold.find_map(|gold| match [&gold.a, &gold.b] {
            shown if shown == [&given.a, &given.b] => Some(gold.expected),
            shown if shown == [&given.b, &given.a] => Some(gold.expected.mirrored()),
            _ => None,
        })
    }
}
