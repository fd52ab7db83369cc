//! Status of answers: which count as votes, and which are rejected.

use partita_core::Preference;
use partita_judging::campaign::{
    AnswerStatus, BatchPair, Campaign, CampaignError, CampaignSpec, CampaignSpecError, Event,
    InputError, ItemSpec, PreferenceAnswer,
};

use crate::campaign::simulated_assessors::{Run, candidates};

fn said(a: &str, b: &str, person: &str, answer: Preference) -> PreferenceAnswer {
    PreferenceAnswer::new("q", a, b, person, Some(answer))
}

/// Returns a campaign with two votes per pair, decided by majority: a list of two items, which has a
/// single pair, and a second list.
fn small() -> Run {
    let lists = vec![
        candidates("q", &["x", "y"]),
        candidates("r", &["u", "v", "w"]),
    ];
    let settings = CampaignSpec {
        votes: 2,
        rule: "majority".parse().expect("a rule"),
        ..CampaignSpec::new("c", lists)
    };
    Run::new(settings)
}

fn flags(run: &Run) -> Vec<AnswerStatus> {
    run.campaign.answer_statuses()
}

#[test]
fn the_first_answers_of_different_people_count_whichever_item_is_shown_first() {
    let mut run = small();
    run.next();
    run.answer(said("x", "y", "ann", Preference::A));
    run.answer(said("y", "x", "bob", Preference::B));
    assert_eq!(flags(&run), [AnswerStatus::Counted, AnswerStatus::Counted]);
    assert_eq!(run.campaign.groups(0), [["x"], ["y"]]);
    assert!(run.campaign.is_list_settled(0));
}

#[test]
fn a_second_answer_of_a_person_is_a_duplicate_and_the_first_counts() {
    let mut run = small();
    run.next();
    run.answer(said("x", "y", "ann", Preference::A));
    run.answer(said("y", "x", "ann", Preference::A));
    assert_eq!(
        flags(&run),
        [AnswerStatus::Counted, AnswerStatus::Duplicate]
    );
    // It used up one of the two answers that were asked for, so another is asked for.
    let open = run.next();
    assert_eq!(open.iter().find(|pair| pair.query == "q").unwrap().votes, 1);
    assert_eq!(run.campaign.last_batch(), 2);
}

#[test]
fn an_answer_beyond_the_votes_is_surplus_and_late_once_its_own_list_went_on() {
    let mut run = small();
    let first = run.next().into_iter().find(|pair| pair.query == "r");
    let first = first.expect("a pair of the second list");
    let others = ["ann", "bob", "cat", "dan", "eve"]
        .map(|person| PreferenceAnswer::new("r", &first.a, &first.b, person, Some(Preference::A)));
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
    // What another list asks is no news for this one.
    run.happen(asked(2, "q", "x", "y"));
    run.answer(dan);
    let third = ["u", "v", "w"].into_iter();
    let third = third.filter(|item| ![first.a.as_str(), first.b.as_str()].contains(item));
    let third = third.collect::<Vec<&str>>()[0];
    run.happen(asked(3, "r", &first.a, third));
    run.answer(eve);
    let mut expected = vec![AnswerStatus::Counted; 2];
    expected.extend([
        AnswerStatus::Surplus,
        AnswerStatus::Surplus,
        AnswerStatus::Late,
    ]);
    assert_eq!(flags(&run), expected);
}

#[test]
fn an_answer_to_a_pair_that_was_not_asked_never_counts() {
    let mut run = small();
    run.answer(said("x", "y", "ann", Preference::A));
    assert_eq!(flags(&run), [AnswerStatus::Unasked]);
    run.next();
    assert_eq!(flags(&run), [AnswerStatus::Unasked]);
    // When asked properly the same person may answer.
    run.answer(said("x", "y", "ann", Preference::A));
    assert_eq!(flags(&run), [AnswerStatus::Unasked, AnswerStatus::Counted]);
}

#[test]
fn a_blank_answer_is_kept_and_another_is_asked_for() {
    let mut run = small();
    run.next();
    run.answer(PreferenceAnswer::new("q", "x", "y", "ann", None));
    assert_eq!(flags(&run), [AnswerStatus::Blank]);
    let open = run.next();
    assert_eq!(open.iter().find(|pair| pair.query == "q").unwrap().votes, 2);
    run.answer(said("x", "y", "ann", Preference::Equal));
    assert_eq!(flags(&run)[1], AnswerStatus::Counted);
}

#[test]
fn an_answer_about_items_of_the_same_content_is_told_apart() {
    let mut list = candidates("q", &["x", "y"]);
    list.items.push(ItemSpec {
        item: "x2".to_owned(),
        prior: None,
        same_as: Some("x".to_owned()),
    });
    let mut run = Run::new(CampaignSpec {
        votes: 1,
        ..CampaignSpec::new("c", vec![list])
    });
    run.next();
    run.answer(said("x", "x2", "ann", Preference::A));
    // Any of the class stands for all.
    run.answer(said("x2", "y", "bob", Preference::A));
    assert_eq!(
        flags(&run),
        [AnswerStatus::Identical, AnswerStatus::Counted]
    );
}

#[test]
fn an_answer_by_an_excluded_person_is_kept_and_does_not_count() {
    let mut run = small();
    run.next();
    run.happen(Event::Excluded {
        assessor: "ann".to_owned(),
        reason: None,
    });
    run.answer(said("x", "y", "ann", Preference::A));
    assert_eq!(flags(&run), [AnswerStatus::Excluded]);
}

#[test]
fn what_cannot_be_an_answer_is_refused_and_changes_nothing() {
    let mut run = small();
    run.next();
    let before = run.campaign.event_count();
    let cases = [
        (
            PreferenceAnswer::new("z", "x", "y", "ann", None),
            "the campaign has no query `z`",
        ),
        (
            said("x", "u", "ann", Preference::A),
            "`u` is no candidate of the query `q`",
        ),
        (
            said("x", "x", "ann", Preference::A),
            "the item `x` is compared with itself",
        ),
        (
            said("x", "y", "", Preference::A),
            "the name of the assessor is empty",
        ),
        (
            PreferenceAnswer {
                seconds: Some(f64::NAN),
                ..said("x", "y", "ann", Preference::A)
            },
            "the seconds of an answer cannot be NaN",
        ),
    ];
    for (answered, message) in cases {
        assert_eq!(
            run.campaign
                .contains_answer(&answered, false)
                .unwrap_err()
                .to_string(),
            message
        );
        let error = run.campaign.apply(&Event::Answered(answered)).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
    assert_eq!(run.campaign.event_count(), before);
}

#[test]
fn the_very_same_answer_is_known_again() {
    let mut run = small();
    run.next();
    let answered = PreferenceAnswer {
        time: Some(5.0),
        ..said("x", "y", "ann", Preference::A)
    };
    assert_eq!(run.campaign.contains_answer(&answered, false), Ok(false));
    run.answer(answered.clone());
    assert_eq!(run.campaign.contains_answer(&answered, false), Ok(true));
    for other in [
        PreferenceAnswer {
            time: Some(6.0),
            ..answered.clone()
        },
        PreferenceAnswer {
            id: Some("7".to_owned()),
            ..answered.clone()
        },
        said("y", "x", "ann", Preference::B),
    ] {
        assert_eq!(run.campaign.contains_answer(&other, false), Ok(false));
    }
}

#[test]
fn surplus_answers_are_used_before_anybody_is_asked_again() {
    // Curtailed: seven votes are asked at first, since fewer can never be enough.
    let settings = CampaignSpec {
        strategy: "sort-curtailed".parse().unwrap(),
        ..CampaignSpec::new("c", vec![candidates("q", &["x", "y"])])
    };
    let mut run = Run::new(settings);
    assert_eq!(run.next()[0].votes, 7);
    for person in 0..7 {
        let answer = [Preference::A, Preference::B][person % 2];
        run.answer(said("x", "y", &format!("p{person}"), answer));
    }
    run.answer(said("x", "y", "eve", Preference::Equal));
    assert_eq!(flags(&run)[7], AnswerStatus::Surplus);
    let open = run.next();
    assert_eq!(flags(&run)[7], AnswerStatus::Counted);
    let asked: u32 = open.iter().map(|pair| pair.votes).sum();
    assert!(asked <= 2, "{open:?}");
}

#[test]
fn settings_that_cannot_be_are_refused() {
    let base = || CampaignSpec::new("c", vec![candidates("q", &["x", "y"])]);
    let cases: Vec<(CampaignSpec, &str)> = vec![
        (
            CampaignSpec { votes: 0, ..base() },
            "votes on a pair must be from 1 to 30",
        ),
        (
            CampaignSpec {
                votes: 31,
                ..base()
            },
            "votes on a pair must be from 1 to 30",
        ),
        (
            CampaignSpec {
                held_out: 1.5,
                ..base()
            },
            "held out must be from 0 to 1",
        ),
        (
            CampaignSpec {
                confidence: 0.0,
                ..base()
            },
            "the confidence must be above 0",
        ),
        (
            CampaignSpec {
                top: Some(0),
                ..base()
            },
            "at least 1",
        ),
        (
            CampaignSpec {
                name: " ".to_owned(),
                ..base()
            },
            "the name of the campaign is empty",
        ),
        (
            CampaignSpec {
                lists: vec![],
                ..base()
            },
            "there is no query",
        ),
        (
            CampaignSpec {
                lists: vec![candidates("q", &["x"]), candidates("q", &["y"])],
                ..base()
            },
            "the query `q` comes twice",
        ),
        (
            CampaignSpec {
                lists: vec![candidates("q", &["x", "x"])],
                ..base()
            },
            "`x` comes twice among the candidates of the query `q`",
        ),
    ];
    for (settings, message) in cases {
        let error = Campaign::open(settings).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
        assert!(matches!(error, CampaignError::Settings(_)));
    }
    // A rule, its level and a strategy are what they say once they are read.
    let written = serde_json::to_value(base()).unwrap();
    for (key, value, message) in [
        (
            "alpha",
            serde_json::json!(2.0),
            "alpha must be between 0 and 1",
        ),
        ("decide", "coin".into(), "no decision rule is called `coin`"),
        ("strategy", "magic".into(), "unknown strategy \"magic\""),
    ] {
        let mut changed = written.clone();
        changed[key] = value;
        let error = serde_json::from_value::<CampaignSpec>(changed).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
    }
    assert_eq!(
        serde_json::from_value::<CampaignSpec>(written).unwrap(),
        base()
    );
    let mut list = candidates("q", &["x"]);
    list.items[0].same_as = Some("z".to_owned());
    let error = Campaign::open(CampaignSpec::new("c", vec![list])).unwrap_err();
    assert!(matches!(
        error,
        CampaignError::Settings(CampaignSpecError::UnknownDuplicate { .. })
    ));
}

#[test]
fn events_that_do_not_fit_are_refused() {
    let mut run = small();
    let again = run.events[0].clone();
    assert_eq!(run.campaign.apply(&again), Err(CampaignError::OpenedAgain));
    let skipped = Event::Asked {
        batch: 3,
        pairs: vec![],
    };
    let error = run.campaign.apply(&skipped).unwrap_err();
    assert_eq!(error.to_string(), "batch 3 follows batch 0");
    let Err((0, error)) = Campaign::replay(&[skipped]) else {
        panic!("a campaign without a beginning");
    };
    assert_eq!(error, CampaignError::NotOpened);
    let unknown = Event::Excluded {
        assessor: "nobody yet".to_owned(),
        reason: None,
    };
    assert_eq!(run.campaign.apply(&unknown), Ok(()));
    assert_eq!(
        run.campaign.apply(&Event::Answered(PreferenceAnswer::new(
            "z", "x", "y", "a", None
        ))),
        Err(CampaignError::Input(InputError::UnknownQuery(
            "z".to_owned()
        )))
    );
}
