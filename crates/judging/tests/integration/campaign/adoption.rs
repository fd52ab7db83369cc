//! Answers from before the campaign.

use partita_core::work::InTurn;
use partita_core::{Answer, AnswerRow};
use partita_judging::campaign::{AnswerRecord, Campaign, Event, Flag, IntakeRequest, Settings};

use crate::campaign::world::{People, Run, lists};

fn settings() -> Settings {
    Settings {
        votes: 3,
        decide: "majority".parse().expect("a rule"),
        ..Settings::new("c", lists(&[3]))
    }
}

fn said(a: &str, b: &str, person: &str, answer: Answer) -> AnswerRecord {
    AnswerRecord::new("q0", a, b, person, Some(answer))
}

fn adopt(run: &mut Run, a: &str, b: &str, person: &str, answer: Answer) {
    run.happen(Event::Adopted(said(a, b, person, answer)));
}

/// All pairs, in the order in which old answers were collected.
const PAIRS: [(&str, &str); 3] = [("i0", "i1"), ("i0", "i2"), ("i1", "i2")];

#[test]
fn a_campaign_that_adopts_all_it_needs_asks_nobody_and_costs_nothing() {
    let mut run = Run::new(settings());
    for (a, b) in PAIRS {
        for person in ["ann", "bob", "cid"] {
            adopt(&mut run, a, b, person, Answer::A);
        }
    }
    assert!(run.campaign.flags().iter().all(|&flag| flag == Flag::Spare));
    assert!(run.next().is_empty(), "nothing is open");
    assert_eq!(run.campaign.list(0), [["i0"], ["i1"], ["i2"]]);
    assert!(run.campaign.is_settled());
    let status = run.campaign.status(4, &InTurn).unwrap();
    assert_eq!(
        (status.cost, status.lists[0].asked, status.lists[0].returned),
        (0.0, 0, 0)
    );
    assert!(run.campaign.flags().contains(&Flag::Counted));
}

#[test]
fn what_is_adopted_is_not_asked_for_any_more() {
    let mut run = Run::new(settings());
    let open = run.next();
    let pair = &open[0];
    assert_eq!(pair.votes, 3);
    run.happen(Event::Adopted(AnswerRecord::new(
        "q0",
        &pair.a,
        &pair.b,
        "ann",
        Some(Answer::A),
    )));
    assert_eq!(run.campaign.flags(), [Flag::Counted]);
    let now = run.next();
    let still = now
        .iter()
        .find(|open| (&open.a, &open.b) == (&pair.a, &pair.b));
    assert_eq!(still.unwrap().votes, 2);
    assert_eq!(run.campaign.traffic(0).1, 0, "nobody was asked for it");
}

#[test]
fn nobody_has_two_votes_on_a_pair_and_the_first_in_the_log_goes_first() {
    let mut run = Run::new(settings());
    let pair = run.next().remove(0);
    run.answer(AnswerRecord::new(
        "q0",
        &pair.a,
        &pair.b,
        "ann",
        Some(Answer::A),
    ));
    // The other way round it is the same pair.
    run.happen(Event::Adopted(AnswerRecord::new(
        "q0",
        &pair.b,
        &pair.a,
        "ann",
        Some(Answer::A),
    )));
    assert_eq!(run.campaign.flags(), [Flag::Counted, Flag::Duplicate]);
    run.happen(Event::Adopted(AnswerRecord::new(
        "q0",
        &pair.a,
        &pair.b,
        "bob",
        Some(Answer::A),
    )));
    run.answer(AnswerRecord::new(
        "q0",
        &pair.a,
        &pair.b,
        "bob",
        Some(Answer::B),
    ));
    assert_eq!(run.campaign.flags()[2..], [Flag::Counted, Flag::Duplicate]);
    run.happen(Event::Excluded {
        assessor: "bob".to_owned(),
        reason: None,
    });
    assert_eq!(run.campaign.flags()[2..], [Flag::Excluded, Flag::Excluded]);
}

#[test]
fn what_came_unasked_can_be_adopted_and_what_counts_is_not_added_again() {
    let mut run = Run::new(settings());
    let answered = said("i0", "i1", "ann", Answer::A);
    run.answer(answered.clone());
    assert_eq!(run.campaign.flags(), [Flag::Unasked]);
    assert_eq!(run.campaign.is_repeated(&answered, false), Ok(true));
    assert_eq!(run.campaign.is_repeated(&answered, true), Ok(false));
    run.happen(Event::Adopted(answered.clone()));
    for adopted in [false, true] {
        assert_eq!(run.campaign.is_repeated(&answered, adopted), Ok(true));
    }
    assert_eq!(run.campaign.flags(), [Flag::Unasked, Flag::Spare]);
}

#[test]
fn adopting_the_answers_of_a_whole_campaign_gives_its_list() {
    for strategy in ["sort", "sort-curtailed", "pooled"] {
        let settings = |name: &str| Settings {
            strategy: strategy.parse().unwrap(),
            held_out: 0.2,
            ..Settings::new(name, lists(&[6]))
        };
        let people = People {
            noise: 30,
            group: 2,
            world: "old".to_owned(),
        };
        let mut old = Run::new(settings("old"));
        old.finish(&people);
        let mut new = Run::new(settings("new"));
        for state in old.campaign.answer_states() {
            let answered = AnswerRecord {
                batch: Some(state.batch),
                ..AnswerRecord::new(
                    &state.query,
                    &state.a,
                    &state.b,
                    &state.assessor,
                    state.answer.answer(),
                )
            };
            new.happen(Event::Adopted(answered));
        }
        assert!(new.next().is_empty(), "{strategy}");
        assert_eq!(new.lists(), old.lists(), "{strategy}");
        let batches = |campaign: &Campaign| {
            let states = campaign.answer_states().into_iter();
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
    let old = AnswerRow {
        campaign: Some("pilot".to_owned()),
        a: "i0".to_owned(),
        b: "i1".to_owned(),
        assessor: Some("ann".to_owned()),
        answer: Some(Answer::A),
        seconds: Some(7.5),
        asked: Some(100.0),
        ended: Some(107.5),
        batch: Some("3".to_owned()),
        ..AnswerRow::default()
    };
    let mut request = IntakeRequest {
        answers: vec![old.clone(), old],
        now: 1e9,
        adopt: false,
    };
    let refused = run.campaign.intake(&request).refused;
    assert_eq!(refused.len(), 2);
    let message = "this answer is of the campaign `pilot`, not of `c`";
    assert_eq!(refused[0].1.to_string(), message);
    request.adopt = true;
    let intake = run.campaign.intake(&request);
    assert!(intake.refused.is_empty());
    let [Event::Adopted(answered)] = &intake.events[..] else {
        panic!("{:?}", intake.events);
    };
    assert_eq!(
        (answered.time, answered.batch.as_deref()),
        (Some(107.5), Some("3"))
    );
}
