//! Status of answers: which count as votes, and which are rejected.

use partita_core::Preference;
use partita_judging::campaign::{
    Answer, AnswerRole, AnswerStatus, BatchPair, Campaign, CampaignError, CampaignSpec,
    EngineSettings, Event, InputError, ItemSpec, PendingAnswers, Submission,
};

use crate::campaign::simulated_assessors::{CampaignRun, candidates};

fn classify(run: &CampaignRun, answer: &Answer) -> Result<Submission, InputError> {
    let pending = PendingAnswers::default();
    run.campaign
        .classify_answer(answer, AnswerRole::Vote, &pending)
}

fn preference_answer(a: &str, b: &str, person: &str, answer: Preference) -> Answer {
    Answer::preference("q", a, b, person, Some(answer))
}

/// Returns a campaign with two votes per pair, decided by majority. Its lists have two and three
/// items.
fn two_vote_campaign() -> CampaignRun {
    let lists = vec![
        candidates("q", &["x", "y"]),
        candidates("r", &["u", "v", "w"]),
    ];
    let settings = CampaignSpec {
        settings: EngineSettings {
            votes: 2,
            decide: "majority".parse().expect("the rule name is valid"),
            ..EngineSettings::default()
        },
        ..CampaignSpec::new("c", lists)
    };
    CampaignRun::new(settings)
}

fn statuses(run: &CampaignRun) -> Vec<AnswerStatus> {
    run.campaign.answer_statuses()
}

#[test]
fn answers_of_different_assessors_count_for_either_displayed_order() {
    let mut run = two_vote_campaign();
    run.request_open_pairs();
    run.answer(preference_answer("x", "y", "ann", Preference::A));
    run.answer(preference_answer("y", "x", "bob", Preference::B));
    assert_eq!(
        statuses(&run),
        [AnswerStatus::Counted, AnswerStatus::Counted]
    );
    assert_eq!(run.campaign.groups(0), [["x"], ["y"]]);
    assert!(run.campaign.is_list_settled(0));
}

#[test]
fn second_answer_of_an_assessor_to_a_pair_is_a_duplicate() {
    let mut run = two_vote_campaign();
    run.request_open_pairs();
    run.answer(preference_answer("x", "y", "ann", Preference::A));
    run.answer(preference_answer("y", "x", "ann", Preference::A));
    assert_eq!(
        statuses(&run),
        [AnswerStatus::Counted, AnswerStatus::Duplicate]
    );
    // The duplicate used up one of the two requested answers, so one more is requested.
    let open = run.request_open_pairs();
    assert_eq!(open.iter().find(|pair| pair.query == "q").unwrap().votes, 1);
    assert_eq!(run.campaign.last_batch(), 2);
}

#[test]
fn extra_answer_is_surplus_and_late_after_the_next_batch_of_its_list() {
    let mut run = two_vote_campaign();
    let first = run
        .request_open_pairs()
        .into_iter()
        .find(|pair| pair.query == "r");
    let first = first.expect("a pair of the second list");
    let others = ["ann", "bob", "cat", "dan", "eve"]
        .map(|person| Answer::preference("r", &first.a, &first.b, person, Some(Preference::A)));
    let asked = |batch: u32, query: &str, a: &str, b: &str| Event::Asked {
        batch,
        pairs: vec![BatchPair {
            query: query.to_owned(),
            a: a.to_owned(),
            b: b.to_owned(),
            votes: 2,
            new_votes: 2,
        }],
    };
    let [ann, bob, cat, dan, eve] = others;
    run.answer(ann);
    run.answer(bob);
    run.answer(cat);
    // A batch of another list does not make answers to this list late.
    run.apply_event(asked(2, "q", "x", "y"));
    run.answer(dan);
    let third = ["u", "v", "w"].into_iter();
    let third = third.filter(|item| ![first.a.as_str(), first.b.as_str()].contains(item));
    let third = third.collect::<Vec<&str>>()[0];
    run.apply_event(asked(3, "r", &first.a, third));
    run.answer(eve);
    let mut expected = vec![AnswerStatus::Counted; 2];
    expected.extend([
        AnswerStatus::Surplus,
        AnswerStatus::Surplus,
        AnswerStatus::Late,
    ]);
    assert_eq!(statuses(&run), expected);
}

#[test]
fn answer_to_a_pair_that_was_not_asked_does_not_count() {
    let mut run = two_vote_campaign();
    run.answer(preference_answer("x", "y", "ann", Preference::A));
    assert_eq!(statuses(&run), [AnswerStatus::Unasked]);
    run.request_open_pairs();
    assert_eq!(statuses(&run), [AnswerStatus::Unasked]);
    // After the pair was requested, the same assessor can answer it.
    run.answer(preference_answer("x", "y", "ann", Preference::A));
    assert_eq!(
        statuses(&run),
        [AnswerStatus::Unasked, AnswerStatus::Counted]
    );
}

#[test]
fn blank_answer_is_not_a_vote_and_the_pair_is_asked_again() {
    let mut run = two_vote_campaign();
    run.request_open_pairs();
    run.answer(Answer::preference("q", "x", "y", "ann", None));
    assert_eq!(statuses(&run), [AnswerStatus::Blank]);
    let open = run.request_open_pairs();
    assert_eq!(open.iter().find(|pair| pair.query == "q").unwrap().votes, 2);
    run.answer(preference_answer("x", "y", "ann", Preference::Equal));
    assert_eq!(statuses(&run)[1], AnswerStatus::Counted);
}

#[test]
fn answer_about_two_identical_items_is_not_a_vote() {
    let mut list = candidates("q", &["x", "y"]);
    list.items.push(ItemSpec {
        item: "x2".to_owned(),
        same_as: Some("x".to_owned()),
        ..ItemSpec::default()
    });
    let mut run = CampaignRun::new(CampaignSpec {
        settings: EngineSettings {
            votes: 1,
            ..EngineSettings::default()
        },
        ..CampaignSpec::new("c", vec![list])
    });
    run.request_open_pairs();
    run.answer(preference_answer("x", "x2", "ann", Preference::A));
    // An answer about any of several identical items counts for all of them.
    run.answer(preference_answer("x2", "y", "bob", Preference::A));
    assert_eq!(
        statuses(&run),
        [AnswerStatus::Identical, AnswerStatus::Counted]
    );
}

#[test]
fn answer_of_an_excluded_assessor_does_not_count() {
    let mut run = two_vote_campaign();
    run.request_open_pairs();
    run.apply_event(Event::Excluded {
        assessor: "ann".to_owned(),
        reason: None,
    });
    run.answer(preference_answer("x", "y", "ann", Preference::A));
    assert_eq!(statuses(&run), [AnswerStatus::Excluded]);
}

#[test]
fn invalid_answers_are_rejected_without_effect() {
    let mut run = two_vote_campaign();
    run.request_open_pairs();
    let before = run.campaign.event_count();
    let cases = [
        (
            Answer::preference("z", "x", "y", "ann", None),
            "the campaign has no query `z`",
        ),
        (
            preference_answer("x", "u", "ann", Preference::A),
            "`u` is no candidate of the query `q`",
        ),
        (
            preference_answer("x", "x", "ann", Preference::A),
            "the item `x` is compared with itself",
        ),
        (
            preference_answer("x", "y", "", Preference::A),
            "the name of the assessor is empty",
        ),
        (
            Answer {
                seconds: Some(f64::NAN),
                ..preference_answer("x", "y", "ann", Preference::A)
            },
            "the seconds of an answer cannot be NaN",
        ),
    ];
    for (answered, message) in cases {
        assert_eq!(classify(&run, &answered).unwrap_err().to_string(), message);
        let error = run.campaign.apply(&Event::vote(answered)).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
    assert_eq!(run.campaign.event_count(), before);
}

#[test]
fn identical_answer_is_recognised_as_already_recorded() {
    let mut run = two_vote_campaign();
    run.request_open_pairs();
    let answered = Answer {
        time: Some(5.0),
        ..preference_answer("x", "y", "ann", Preference::A)
    };
    assert_eq!(classify(&run, &answered), Ok(Submission::New));
    run.answer(answered.clone());
    let event = run.campaign.event_count() as u64;
    assert_eq!(
        classify(&run, &answered),
        Ok(Submission::Duplicate { event })
    );
    for other in [
        Answer {
            time: Some(6.0),
            ..answered.clone()
        },
        Answer {
            id: Some("7".to_owned()),
            ..answered.clone()
        },
        preference_answer("y", "x", "ann", Preference::B),
    ] {
        assert_eq!(classify(&run, &other), Ok(Submission::New));
    }
}

#[test]
fn surplus_answer_counts_before_new_votes_are_requested() {
    // Curtailed sort: seven votes are requested first, because fewer never decide a pair.
    let settings = CampaignSpec {
        settings: EngineSettings {
            strategy: "sort-curtailed".parse().unwrap(),
            ..EngineSettings::default()
        },
        ..CampaignSpec::new("c", vec![candidates("q", &["x", "y"])])
    };
    let mut run = CampaignRun::new(settings);
    assert_eq!(run.request_open_pairs()[0].votes, 7);
    for person in 0..7 {
        let answer = [Preference::A, Preference::B][person % 2];
        run.answer(preference_answer("x", "y", &format!("p{person}"), answer));
    }
    run.answer(preference_answer("x", "y", "eve", Preference::Equal));
    assert_eq!(statuses(&run)[7], AnswerStatus::Surplus);
    let open = run.request_open_pairs();
    assert_eq!(statuses(&run)[7], AnswerStatus::Counted);
    let asked: u32 = open.iter().map(|pair| pair.votes).sum();
    assert!(asked <= 2, "{open:?}");
}

#[test]
fn events_that_contradict_the_campaign_state_are_rejected() {
    let mut run = two_vote_campaign();
    let again = run.events[0].clone();
    assert_eq!(run.campaign.apply(&again), Err(CampaignError::OpenedAgain));
    let skipped = Event::Asked {
        batch: 3,
        pairs: vec![],
    };
    let error = run.campaign.apply(&skipped).unwrap_err();
    assert_eq!(error.to_string(), "batch 3 follows batch 0");
    let Err((0, error)) = Campaign::replay(&[skipped]) else {
        panic!("a log without an opening event is replayed");
    };
    assert_eq!(error, CampaignError::NotOpened);
    let unknown = Event::Excluded {
        assessor: "nobody yet".to_owned(),
        reason: None,
    };
    assert_eq!(run.campaign.apply(&unknown), Ok(()));
    assert_eq!(
        run.campaign
            .apply(&Event::vote(Answer::preference("z", "x", "y", "a", None))),
        Err(CampaignError::Input(InputError::UnknownQuery(
            "z".to_owned()
        )))
    );
}
