//! The answers of each assessor, with what else is known of their questions.

use std::collections::HashMap;

use partita_core::{Item, Preference, Preferences, QueryPreferences};

use super::evidence::ScreeningEvidence;
use crate::votes::Votes;

/// One answer with what else is known of its question.
pub(super) struct ScreenedAnswer {
    /// The number of the query.
    pub(super) query: usize,
    /// The item shown first, and the one shown second.
    pub(super) shown: [Item; 2],
    /// The answer as it was shown: a is the item shown first.
    pub(super) answer: Preference,
    /// The votes of others who are of the crowd, a being the item shown first.
    pub(super) others: Votes,
    /// The probabilities of the three answers, as shown, by the votes of these others.
    pub(super) likely: [f64; 3],
    pub(super) seconds: Option<f64>,
    pub(super) clips: Option<f64>,
    pub(super) wrong: Option<bool>,
}

impl ScreenedAnswer {
    /// All votes on the pair, this one among them, a being the item shown first.
    pub(super) fn votes(&self) -> Votes {
        let mut votes = self.others;
        votes.add(self.answer);
        votes
    }

    /// The pair, the lower number first.
    pub(super) fn pair(&self) -> (Item, Item) {
        ordered(self.shown)
    }

    /// Whether the item of the lower number was shown second.
    pub(super) fn is_turned(&self) -> bool {
        self.shown[0] > self.shown[1]
    }

    /// The answer, a being the item of the lower number.
    pub(super) fn by_number(&self) -> Preference {
        mirrored_if(self.answer, self.is_turned())
    }
}

pub(super) fn ordered([a, b]: [Item; 2]) -> (Item, Item) {
    (a.min(b), a.max(b))
}

pub(super) fn mirrored_if(answer: Preference, is_turned: bool) -> Preference {
    if is_turned { answer.mirrored() } else { answer }
}

/// Somebody's answers.
pub(super) struct AssessorAnswers<'p> {
    pub(super) name: &'p str,
    pub(super) given: Vec<ScreenedAnswer>,
    /// The answers to gold that are no votes, and how many of them are wrong.
    pub(super) checked: [usize; 2],
}

/// The answers of each assessor, who are in the order of their names, as are queries and items: `by_name`
/// is what [`Preferences::by_name`] makes of `preferences`. So sums over them are the same to the last
/// digit whatever the order of a file. What others vote and let expect is not known yet.
pub(super) fn answers_by_assessor<'p>(
    by_name: &'p Preferences,
    preferences: &Preferences,
    evidence: &ScreeningEvidence,
) -> Vec<AssessorAnswers<'p>> {
    let mut people: Vec<AssessorAnswers> = (by_name.assessors().sorted_items().into_iter())
        .map(|person| AssessorAnswers {
            name: by_name.assessors().name(person),
            given: Vec::new(),
            checked: [0, 0],
        })
        .collect();
    let clips = clips_by_name(by_name, preferences, evidence);
    for (number, query) in by_name.queries().iter().enumerate() {
        let right = evidence.right_answers(query);
        for given in query.votes() {
            let shown = [given.a, given.b];
            let pair = ordered(shown);
            people[given.assessor.index()].given.push(ScreenedAnswer {
                query: number,
                shown,
                answer: given.preference,
                others: Votes::default(),
                likely: [1.0 / 3.0; 3],
                seconds: given.seconds,
                clips: clips.get(&(number, pair, given.assessor)).copied(),
                wrong: is_wrong(query, &right, shown, given.preference),
            });
        }
    }
    for checked in &evidence.gold_answers {
        let Some(person) = by_name.assessors().get(&checked.assessor) else {
            continue;
        };
        let [answers, wrong] = &mut people[person.index()].checked;
        if let Some(right) = evidence.right_answer(checked) {
            *answers += 1;
            *wrong += usize::from(right != checked.answer);
        }
    }
    people
}

/// Whether an answer is wrong, where that is known. Where the query itself is one of the items, nothing
/// is closer to it.
fn is_wrong(
    query: &QueryPreferences,
    right: &HashMap<(Item, Item), Preference>,
    shown: [Item; 2],
    answer: Preference,
) -> Option<bool> {
    let itself = query.items().get(query.name());
    match right.get(&ordered(shown)) {
        Some(&right) => Some(mirrored_if(answer, shown[0] > shown[1]) != right),
        None if Some(shown[0]) == itself => Some(answer == Preference::B),
        None if Some(shown[1]) == itself => Some(answer == Preference::A),
        None => None,
    }
}

/// How long the clips of an answer last, by the query, the pair and the person.
type Clips = HashMap<(usize, (Item, Item), Item), f64>;

fn clips_by_name(
    by_name: &Preferences,
    preferences: &Preferences,
    evidence: &ScreeningEvidence,
) -> Clips {
    let same = "the same names in another order";
    let mut found = Clips::new();
    for (query, clips) in preferences.queries().iter().zip(&evidence.clips) {
        let mut queries = by_name.queries().iter();
        let number = queries.position(|ordered| ordered.name() == query.name());
        let number = number.expect(same);
        let items = by_name.queries()[number].items();
        let item = |item: Item| items.get(query.items().name(item)).expect(same);
        for (given, seconds) in query.votes().iter().zip(clips) {
            let person = preferences.assessors().name(given.assessor);
            let person = by_name.assessors().get(person).expect(same);
            if let Some(seconds) = *seconds {
                let pair = ordered([item(given.a), item(given.b)]);
                found.insert((number, pair, person), seconds);
            }
        }
    }
    found
}
