//! Somebody's answers to pairs that they were shown again.
//!
//! Who listens says the same of the same two items, as far as their noise lets them; who presses the same
//! key says the same of the same side. Two answers are taken to be as independent as those of two people of
//! the crowd: honest people remember, so that the p-values are rather too large.

use partita_core::{Preference, Preferences};

use super::answers::{AssessorAnswers, ScreenedAnswer};
use super::assessor_card::{AssessorCard, RepeatedAnswers, Signal, SignalKind};
use super::evidence::UncountedAnswer;
use super::options::ScreeningOptions;
use super::sharpness::CrowdTraits;
use super::statistics::tail_probability;
use super::traits::{Traits, answer_probabilities};

/// How often each person changed their answer, and how often they preferred the same side of a pair that
/// was turned.
pub(super) fn repeats(
    people: &[AssessorAnswers],
    by_name: &Preferences,
    repeated: &[UncountedAnswer],
    crowd: &CrowdTraits,
) -> Vec<Option<RepeatedAnswers>> {
    let mut again: Vec<Vec<(&ScreenedAnswer, Preference, bool)>> = Vec::new();
    again.resize_with(people.len(), Vec::new);
    for repeat in repeated {
        let person = by_name.assessors().get(&repeat.assessor);
        let query = (by_name.queries().iter()).position(|query| query.name() == repeat.query);
        let (Some(person), Some(query)) = (person, query) else {
            continue;
        };
        let items = by_name.queries()[query].items();
        let (Some(a), Some(b)) = (items.get(&repeat.a), items.get(&repeat.b)) else {
            continue;
        };
        let mut given = people[person.index()].given.iter();
        let first = given
            .find(|given| given.query == query && (given.shown == [a, b] || given.shown == [b, a]));
        if let Some(first) = first {
            let is_turned = first.shown == [b, a];
            again[person.index()].push((first, repeat.answer, is_turned));
        }
    }
    for again in &mut again {
        again.sort_by_key(|(first, answer, turned)| (first.query, first.shown, *answer, *turned));
    }
    let usual = crowd.prior(crowd.sharpness).mean;
    again.iter().map(|again| of_person(again, usual)).collect()
}

fn of_person(
    again: &[(&ScreenedAnswer, Preference, bool)],
    traits: Traits,
) -> Option<RepeatedAnswers> {
    let (mut changed, mut turned, mut same_side) = (0, 0, 0);
    let (mut changing, mut siding) = (Vec::new(), Vec::new());
    for &(first, answer, is_turned) in again {
        let there = answer_probabilities(first.likely, traits);
        // The law of the second answer, as it was shown the second time.
        let here = if is_turned {
            let mirrored = [first.likely[2], first.likely[1], first.likely[0]];
            answer_probabilities(mirrored, traits)
        } else {
            there
        };
        let of_items = if is_turned { answer.mirrored() } else { answer };
        let same: f64 = (0..3)
            .map(|said| there[said] * here[if is_turned { 2 - said } else { said }])
            .sum();
        changed += usize::from(of_items != first.answer);
        changing.push(1.0 - same);
        let is_strict = |answer: Preference| answer != Preference::Equal;
        if is_turned && is_strict(first.answer) && is_strict(answer) {
            turned += 1;
            same_side += usize::from(answer == first.answer);
            let side = there[0] * here[0] + there[2] * here[2];
            siding.push(side / ((there[0] + there[2]) * (here[0] + here[2])));
        }
    }
    (!again.is_empty()).then(|| RepeatedAnswers {
        answers: again.len(),
        changed,
        expected_changed: changing.iter().sum(),
        turned,
        same_side,
        expected_same_side: siding.iter().sum(),
        // Either might have been the odd one.
        p: (2.0 * tail_probability(&changing, changed).min(tail_probability(&siding, same_side)))
            .min(1.0),
    })
}

pub(super) fn signal(card: &AssessorCard, settings: &ScreeningOptions) -> Option<Signal> {
    let found = card
        .repeats
        .as_ref()
        .filter(|found| found.p < settings.level)?;
    let share = found.changed as f64 / found.answers as f64;
    Some(Signal {
        kind: SignalKind::Repeats,
        value: share,
        threshold: found.expected_changed / found.answers as f64,
        p: Some(found.p),
        why: format!(
            "of {} pairs shown again {} got another answer, where {:.0} would be usual; of {} that were turned \
             and got a preference {} times the same side, where {:.0} would be usual",
            found.answers,
            found.changed,
            found.expected_changed,
            found.turned,
            found.same_side,
            found.expected_same_side
        ),
    })
}
