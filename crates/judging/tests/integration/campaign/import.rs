//! Imported answers: collected before or outside the campaign.

use partita_core::Preference;
use partita_core::work::SequentialWork;
use partita_judging::campaign::{
    Answer, AnswerRole, AnswerRow, AnswerStatus, Campaign, CampaignSpec, EngineSettings, Event,
    IntakeRequest, JudgmentKind, PendingAnswers, Submission,
};

use crate::campaign::simulated_assessors::{CampaignRun, SimulatedAssessors, lists};

fn three_vote_spec() -> CampaignSpec {
    CampaignSpec {
        settings: EngineSettings {
            votes: 3,
            decide: "majority".parse().expect("the rule name is valid"),
            ..EngineSettings::default()
        },
        ..CampaignSpec::new("c", lists(&[3]))
    }
}

fn preference_answer(a: &str, b: &str, person: &str, answer: Preference) -> Answer {
    Answer::preference("q0", a, b, person, Some(answer))
}

fn is_duplicate(run: &CampaignRun, answer: &Answer, role: AnswerRole) -> bool {
    let pending = PendingAnswers::default();
    let submission = run.campaign.classify_answer(answer, role, &pending);
    submission.expect("a valid answer") != Submission::New
}

fn import_answer(run: &mut CampaignRun, a: &str, b: &str, person: &str, answer: Preference) {
    run.apply_event(Event::imported(preference_answer(a, b, person, answer)));
}

/// All pairs of the list of three items, in the order of the imported answers.
const PAIRS: [(&str, &str); 3] = [("i0", "i1"), ("i0", "i2"), ("i1", "i2")];

#[test]
fn fully_imported_campaign_asks_nobody_and_costs_nothing() {
    let mut run = CampaignRun::new(three_vote_spec());
    for (a, b) in PAIRS {
        for person in ["ann", "bob", "cid"] {
            import_answer(&mut run, a, b, person, Preference::A);
        }
    }
    assert!(
        run.campaign
            .answer_statuses()
            .iter()
            .all(|&flag| flag == AnswerStatus::Spare)
    );
    assert!(run.request_open_pairs().is_empty(), "nothing is open");
    assert_eq!(run.campaign.groups(0), [["i0"], ["i1"], ["i2"]]);
    assert!(run.campaign.is_settled());
    let status = run.campaign.status(4, &SequentialWork).unwrap();
    assert_eq!(
        (status.cost, status.lists[0].asked, status.lists[0].returned),
        (None, 0, 0)
    );
    assert!(
        run.campaign
            .answer_statuses()
            .contains(&AnswerStatus::Counted)
    );
}

#[test]
fn imported_answer_reduces_the_votes_asked_for() {
    let mut run = CampaignRun::new(three_vote_spec());
    let open = run.request_open_pairs();
    let pair = &open[0];
    assert_eq!(pair.votes, 3);
    run.apply_event(Event::imported(Answer::preference(
        "q0",
        &pair.a,
        &pair.b,
        "ann",
        Some(Preference::A),
    )));
    assert_eq!(run.campaign.answer_statuses(), [AnswerStatus::Counted]);
    let now = run.request_open_pairs();
    let still = now
        .iter()
        .find(|open| (&open.a, &open.b) == (&pair.a, &pair.b));
    assert_eq!(still.unwrap().votes, 2);
    assert_eq!(
        run.campaign.requested_and_returned(0).1,
        0,
        "an imported answer does not count as returned"
    );
}

#[test]
fn first_of_an_imported_and_a_regular_answer_counts() {
    let mut run = CampaignRun::new(three_vote_spec());
    let pair = run.request_open_pairs().remove(0);
    run.answer(Answer::preference(
        "q0",
        &pair.a,
        &pair.b,
        "ann",
        Some(Preference::A),
    ));
    // With swapped sides it is still the same pair.
    run.apply_event(Event::imported(Answer::preference(
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
    run.apply_event(Event::imported(Answer::preference(
        "q0",
        &pair.a,
        &pair.b,
        "bob",
        Some(Preference::A),
    )));
    run.answer(Answer::preference(
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
    run.apply_event(Event::Excluded {
        assessor: "bob".to_owned(),
        reason: None,
    });
    assert_eq!(
        run.campaign.answer_statuses()[2..],
        [AnswerStatus::Excluded, AnswerStatus::Excluded]
    );
}

#[test]
fn unrequested_answer_can_be_imported_once() {
    let mut run = CampaignRun::new(three_vote_spec());
    let answered = preference_answer("i0", "i1", "ann", Preference::A);
    run.answer(answered.clone());
    assert_eq!(run.campaign.answer_statuses(), [AnswerStatus::Unasked]);
    assert!(is_duplicate(&run, &answered, AnswerRole::Vote));
    assert!(!is_duplicate(&run, &answered, AnswerRole::Imported));
    run.apply_event(Event::imported(answered.clone()));
    for role in [AnswerRole::Vote, AnswerRole::Imported] {
        assert!(is_duplicate(&run, &answered, role));
    }
    assert_eq!(
        run.campaign.answer_statuses(),
        [AnswerStatus::Unasked, AnswerStatus::Spare]
    );
}

#[test]
fn importing_all_answers_of_a_campaign_reproduces_its_lists() {
    for strategy in ["sort", "sort-curtailed", "pooled"] {
        let settings = |name: &str| CampaignSpec {
            settings: EngineSettings {
                strategy: strategy.parse().unwrap(),
                held_out: 0.2,
                ..EngineSettings::default()
            },
            ..CampaignSpec::new(name, lists(&[6]))
        };
        let people = SimulatedAssessors {
            noise: 30,
            group: 2,
            world: "old".to_owned(),
        };
        let mut old = CampaignRun::new(settings("old"));
        old.finish(&people);
        let mut new = CampaignRun::new(settings("new"));
        for state in old.campaign.answers_with_status() {
            let answered = Answer {
                batch: Some(state.batch),
                ..Answer::preference(
                    &state.query,
                    &state.a,
                    &state.b,
                    &state.assessor,
                    state.answer.preference(),
                )
            };
            new.apply_event(Event::imported(answered));
        }
        assert!(new.request_open_pairs().is_empty(), "{strategy}");
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
fn imported_answer_of_another_campaign_keeps_time_and_batch() {
    let run = CampaignRun::new(three_vote_spec());
    let old = AnswerRow {
        campaign: Some("pilot".to_owned()),
        assessor: Some("ann".to_owned()),
        seconds: Some(7.5),
        asked_at: Some(100.0),
        answered_at: Some(107.5),
        batch: Some("3".to_owned()),
        ..AnswerRow::preference("i0", "i1", Some(Preference::A))
    };
    let mut request = IntakeRequest {
        answers: vec![old.clone(), old],
        kind: JudgmentKind::Preference,
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
    let [
        Event::Answered {
            answer: answered,
            role: AnswerRole::Imported,
        },
    ] = &intake.events[..]
    else {
        panic!("{:?}", intake.events);
    };
    assert_eq!(
        (answered.time, answered.batch.as_deref()),
        (Some(107.5), Some("3"))
    );
}
