//! Answers of each assessor, with the votes, predictions and clip durations of their questions.

use std::collections::HashMap;

use partita_core::{Item, Preference, Preferences, QueryPreferences};

use super::evidence::ScreeningEvidence;
use crate::votes::Votes;

/// Answer to a question, with the votes and predictions of other assessors for the same question.
pub(super) struct ScreenedAnswer {
    /// Number of the query, from 0.
    pub(super) query: usize,
    /// Item shown first and item shown second.
    pub(super) shown: [Item; 2],
    /// Answer as displayed: `A` prefers the item shown first.
    pub(super) answer: Preference,
    /// Votes on the pair by the other members of the reference crowd; a is the item shown first.
    pub(super) others: Votes,
    /// Probabilities of the answers first, equal and second, predicted from the answers of other
    /// assessors.
    pub(super) likely: [f64; 3],
    /// Response time in seconds, if known.
    pub(super) seconds: Option<f64>,
    /// Total duration in seconds of the clips that the question plays, if known.
    pub(super) clips: Option<f64>,
    /// True if the answer to a gold question is wrong; `None` if the correct answer is unknown.
    pub(super) wrong: Option<bool>,
}

impl ScreenedAnswer {
    /// Returns the crowd's votes on the pair including this answer; a is the item shown first.
    pub(super) fn votes(&self) -> Votes {
        let mut votes = self.others;
        votes.add(self.answer);
        votes
    }

    /// Returns the two items of the question, lower item number first.
    pub(super) fn pair(&self) -> (Item, Item) {
        lower_number_first(self.shown)
    }

    /// Returns true if the item with the lower number was shown second.
    pub(super) fn is_turned(&self) -> bool {
        self.shown[0] > self.shown[1]
    }

    /// Returns the answer with the item of the lower number as a, independent of the sides shown.
    pub(super) fn answer_by_item_number(&self) -> Preference {
        mirrored_if(self.answer, self.is_turned())
    }
}

/// Returns two items, lower item number first.
pub(super) fn lower_number_first([a, b]: [Item; 2]) -> (Item, Item) {
    (a.min(b), a.max(b))
}

/// Returns the answer, mirrored if `is_turned` is true.
pub(super) fn mirrored_if(answer: Preference, is_turned: bool) -> Preference {
    if is_turned { answer.mirrored() } else { answer }
}

/// All answers of one assessor that are screened.
pub(super) struct AssessorAnswers<'p> {
    pub(super) name: &'p str,
    pub(super) given: Vec<ScreenedAnswer>,
    /// Number of answers to gold questions (with a known correct answer) that are not votes, and
    /// number of wrong ones among them.
    pub(super) uncounted_gold: [usize; 2],
}

/// Returns the answers of each assessor. Assessors, queries and items are in the order of their
/// names (`by_name` is [`Preferences::by_name`] of `preferences`), so that sums do not depend on
/// the order of a file. `others` and `likely` of the answers are filled in later.
pub(super) fn answers_by_assessor<'p>(
    by_name: &'p Preferences,
    preferences: &Preferences,
    evidence: &ScreeningEvidence,
) -> Vec<AssessorAnswers<'p>> {
    let mut people: Vec<AssessorAnswers> = (by_name.assessors().sorted_items().into_iter())
        .map(|person| AssessorAnswers {
            name: by_name.assessors().name(person),
            given: Vec::new(),
            uncounted_gold: [0, 0],
        })
        .collect();
    let clips = clip_durations(by_name, preferences, evidence);
    for (number, query) in by_name.queries().iter().enumerate() {
        let right = evidence.right_answers(query);
        for given in query.votes() {
            let shown = [given.a, given.b];
            let pair = lower_number_first(shown);
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
        let [answers, wrong] = &mut people[person.index()].uncounted_gold;
        if let Some(right) = evidence.right_answer(checked) {
            *answers += 1;
            *wrong += usize::from(right != checked.answer);
        }
    }
    people
}

/// Returns true if an answer is wrong, or `None` if the correct answer is unknown. If the query
/// itself is one of the items, preferring the other item is wrong.
fn is_wrong(
    query: &QueryPreferences,
    right: &HashMap<(Item, Item), Preference>,
    shown: [Item; 2],
    answer: Preference,
) -> Option<bool> {
    let itself = query.items().get(query.name());
    match right.get(&lower_number_first(shown)) {
        Some(&right) => Some(mirrored_if(answer, shown[0] > shown[1]) != right),
        None if Some(shown[0]) == itself => Some(answer == Preference::B),
        None if Some(shown[1]) == itself => Some(answer == Preference::A),
        None => None,
    }
}

/// Total duration in seconds of the clips of a question, by query number, pair and assessor.
type ClipDurations = HashMap<(usize, (Item, Item), Item), f64>;

/// Returns the clip durations of `evidence`, keyed by the query, item and assessor numbers of
/// `by_name`, which has the same names as `preferences` in another order.
fn clip_durations(
    by_name: &Preferences,
    preferences: &Preferences,
    evidence: &ScreeningEvidence,
) -> ClipDurations {
    let same = "the same names in another order";
    let mut found = ClipDurations::new();
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
                let pair = lower_number_first([item(given.a), item(given.b)]);
                found.insert((number, pair, person), seconds);
            }
        }
    }
    found
}
