//! Imported answers: collected before or outside the campaign.

use partita_core::work::SequentialWork;
use partita_core::{Preference, PreferenceRow};
use partita_judging::campaign::{
    AnswerStatus, Campaign, CampaignSpec, Event, IntakeRequest, PreferenceAnswer,
};

use crate::campaign::simulated_assessors::{People, Run, lists};

fn settings() -> CampaignSpec {
    CampaignSpec {
        votes: 3,
        rule: "majority".parse().expect("a rule"),
        ..CampaignSpec::new("c", lists(&[3]))
    }
}

fn said(a: &str, b: &str, person: &str, answer: Preference) -> PreferenceAnswer {
    PreferenceAnswer::new("q0", a, b, person, Some(answer))
}

fn adopt(run: &mut Run, a: &str, b: &str, person: &str, answer: Preference) {
    run.happen(Event::Adopted(said(a, b, person, answer)));
}

/// Pairs of the list, in the order in which the imported answers were collected.
const PAIRS: [(&str, &str); 3] = [("i0", "i1"), ("i0", "i2"), ("i1", "i2")];

#[test]
fn a_campaign_that_adopts_all_it_needs_asks_nobody_and_costs_nothing() {
    let mut run = Run::new(settings());
    for (a, b) in PAIRS {
        for person in ["ann", "bob", "cid"] {
            adopt(&mut run, a, b, person, Preference::A);
        }
    }
    assert!(
        run.campaign
            .answer_statuses()
            .iter()
            .all(|&flag| flag == AnswerStatus::Spare)
    );
    assert!(run.next().is_empty(), "nothing is open");
    assert_eq!(run.campaign.groups(0), [["i0"], ["i1"], ["i2"]]);
    assert!(run.campaign.is_settled());
    let status = run.campaign.status(4, &SequentialWork).unwrap();
    assert_eq!(
        (status.cost, status.lists[0].asked, status.lists[0].returned),
        (0.0, 0, 0)
    );
    assert!(
        run.campaign
            .answer_statuses()
            .contains(&AnswerStatus::Counted)
    );
}

#[test]
fn what_is_adopted_is_not_asked_for_any_more() {
    let mut run = Run::new(settings());
    let open = run.next();
    let pair = &open[0];
    assert_eq!(pair.votes, 3);
    run.happen(Event::Adopted(PreferenceAnswer::new(
        "q0",
        &pair.a,
        &pair.b,
        "ann",
        Some(Preference::A),
    )));
    assert_eq!(run.campaign.answer_statuses(), [AnswerStatus::Counted]);
    let now = run.next();
    let still = now
        .iter()
        .find(|open| (&open.a, &open.b) == (&pair.a, &pair.b));
    assert_eq!(still.unwrap().votes, 2);
    assert_eq!(
        run.campaign.requested_and_returned(0).1,
        0,
        "nobody was asked for it"
    );
}

#[test]
fn nobody_has_two_votes_on_a_pair_and_the_first_in_the_log_goes_first() {
    let mut run = Run::new(settings());
    let pair = run.next().remove(0);
    run.answer(PreferenceAnswer::new(
        "q0",
        &pair.a,
        &pair.b,
        "ann",
        Some(Preference::A),
    ));
    // The other way round it is the same pair.
    run.happen(Event::Adopted(PreferenceAnswer::new(
        "q0",
        &pair.b,
        &pair.a,
        "ann",
        Some(Preference::A),
    )));
    assert_eq!(
        run.campaign.answer_statuses(),
        [AnswerStatus::Counted, AnswerStatus::Duplicate]
    );
    run.happen(Event::Adopted(PreferenceAnswer::new(
        "q0",
        &pair.a,
        &pair.b,
        "bob",
        Some(Preference::A),
    )));
    run.answer(PreferenceAnswer::new(
        "q0",
        &pair.a,
        &pair.b,
        "bob",
        Some(Preference::B),
    ));
    assert_eq!(
        run.campaign.answer_statuses()[2..],
        [AnswerStatus::Counted, AnswerStatus::Duplicate]
    );
    run.happen(Event::Excluded {
        assessor: "bob".to_owned(),
        reason: None,
    });
    assert_eq!(
        run.campaign.answer_statuses()[2..],
        [AnswerStatus::Excluded, AnswerStatus::Excluded]
    );
}

#[test]
fn what_came_unasked_can_be_adopted_and_what_counts_is_not_added_again() {
    let mut run = Run::new(settings());
    let answered = said("i0", "i1", "ann", Preference::A);
    run.answer(answered.clone());
    assert_eq!(run.campaign.answer_statuses(), [AnswerStatus::Unasked]);
    assert_eq!(run.campaign.contains_answer(&answered, false), Ok(true));
    assert_eq!(run.campaign.contains_answer(&answered, true), Ok(false));
    run.happen(Event::Adopted(answered.clone()));
    for adopted in [false, true] {
        assert_eq!(run.campaign.contains_answer(&answered, adopted), Ok(true));
    }
    assert_eq!(
        run.campaign.answer_statuses(),
        [AnswerStatus::Unasked, AnswerStatus::Spare]
    );
}

#[test]
fn adopting_the_answers_of_a_whole_campaign_gives_its_list() {
    for strategy in ["sort", "sort-curtailed", "pooled"] {
        let settings = |name: &str| CampaignSpec {
            strategy: strategy.parse().unwrap(),
            held_out: 0.2,
            ..CampaignSpec::new(name, lists(&[6]))
        };
        let people = People {
            noise: 30,
            group: 2,
            world: "old".to_owned(),
        };
        let mut old = Run::new(settings("old"));
        old.finish(&people);
        let mut new = Run::new(settings("new"));
        for state in old.campaign.answers_with_status() {
            let answered = PreferenceAnswer {
                batch: Some(state.batch),
                ..PreferenceAnswer::new(
                    &state.query,
                    &state.a,
                    &state.b,
                    &state.assessor,
                    state.answer.preference(),
                )
            };
            new.happen(Event::Adopted(answered));
        }
        assert!(new.next().is_empty(), "{strategy}");
        assert_eq!(new.lists(), old.lists(), "{strategy}");
        let batches = |campaign: &Campaign| {
            let states = campaign.answers_with_status().into_iter();
            states.map(|state| state.batch).collect::<Vec<_>>()
        };
        let named = batches(&old.campaign).into_iter();
        let named: Vec<String> = named.map(|batch| format!("adopted {batch}")).collect();
        assert_eq!(batches(&new.campaign), named);
    }
}

#[test]
fn adopted_answers_may_be_of_another_campaign_and_keep_their_time_and_batch() {
    let run = Run::new(settings());
    let old = PreferenceRow {
        campaign: Some("pilot".to_owned()),
        a: "i0".to_owned(),
        b: "i1".to_owned(),
        assessor: Some("ann".to_owned()),
        preference: Some(Preference::A),
        seconds: Some(7.5),
        asked_at: Some(100.0),
        answered_at: Some(107.5),
        batch: Some("3".to_owned()),
        ..PreferenceRow::default()
    };
    let mut request = IntakeRequest {
        answers: vec![old.clone(), old],
        now: 1e9,
        adopt: false,
    };
    let refused = run.campaign.plan_intake(&request).refused;
    assert_eq!(refused.len(), 2);
    let message = "this answer is of the campaign `pilot`, not of `c`";
    assert_eq!(refused[0].1.to_string(), message);
    request.adopt = true;
    let intake = run.campaign.plan_intake(&request);
    assert!(intake.refused.is_empty());
    let [Event::Adopted(answered)] = &intake.events[..] else {
        panic!("{:?}", intake.events);
    };
    assert_eq!(
        (answered.time, answered.batch.as_deref()),
        (Some(107.5), Some("3"))
    );
}
