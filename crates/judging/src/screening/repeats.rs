//! Consistency of an assessor's answers to pairs that were shown again.
//!
//! An attentive assessor prefers the same item again, apart from noise. One who presses the same
//! key prefers the same side. Two answers are treated as independent, like those of two members of
//! the crowd. Honest assessors remember their answers, so the p-values are conservative.

use partita_core::{Preference, Preferences};

use super::answers::{AssessorAnswers, ScreenedAnswer};
use super::assessor_card::{AssessorCard, RepeatedAnswers, Signal, SignalKind};
use super::evidence::UncountedAnswer;
use super::options::ScreeningOptions;
use super::sharpness::CrowdTraits;
use super::statistics::tail_probability;
use super::traits::{Traits, answer_probabilities};

/// Counts, for each assessor, changed second answers and repeated preferences for the same side of
/// a pair shown with swapped sides.
pub(super) fn repeated_answers(
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
    again
        .iter()
        .map(|again| summarise_repeats(again, usual))
        .collect()
}

/// Summarises the repeated answers of one assessor: first answer, second answer, and true if the
/// sides were swapped. `traits` are the mean traits of the crowd.
fn summarise_repeats(
    again: &[(&ScreenedAnswer, Preference, bool)],
    traits: Traits,
) -> Option<RepeatedAnswers> {
    let (mut changed, mut turned, mut same_side) = (0, 0, 0);
    let (mut changing, mut siding) = (Vec::new(), Vec::new());
    for &(first, answer, is_turned) in again {
        let there = answer_probabilities(first.likely, traits);
        // Distribution of the second answer, with the sides as shown the second time.
        let here = if is_turned {
            let mirrored = [first.likely[2], first.likely[1], first.likely[0]];
            answer_probabilities(mirrored, traits)
        } else {
            there
        };
        let of_items = if is_turned { answer.mirrored() } else { answer };
        let same: f64 = (0..3)
            .map(|choice| there[choice] * here[if is_turned { 2 - choice } else { choice }])
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
        // Bonferroni factor for two tests.
        p: (2.0 * tail_probability(&changing, changed).min(tail_probability(&siding, same_side)))
            .min(1.0),
    })
}

/// Returns the signal for inconsistent answers to repeated pairs, if their p-value is low enough.
pub(super) fn signal(card: &AssessorCard, settings: &ScreeningOptions) -> Option<Signal> {
    let found = (card.repeats.as_ref()).filter(|found| found.p < settings.level)?;
    let share = found.changed as f64 / found.answers as f64;
    Some(Signal {
        kind: SignalKind::Repeats,
        value: share,
        threshold: found.expected_changed / found.answers as f64,
        p: Some(found.p),
        why: format!(
            "of {} pairs asked again, {} got another answer ({:.0} expected); of {} preferences asked again \
             with swapped sides, {} went to the same side ({:.0} expected)",
            found.answers,
            found.changed,
            found.expected_changed,
            found.turned,
            found.same_side,
            found.expected_same_side
        ),
    })
}
