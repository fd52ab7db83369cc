//! Gold answers, rankings, grades, defect reports, and actions of an organiser.

use partita_core::Preference;
use partita_judging::StrategyName;
use partita_judging::campaign::{
    Action, Answer, AnswerReference, AnswerStatus, BroadGrade, CampaignExtension, CampaignSession,
    CampaignSpec, EngineSettings, Event, Judgment, MemoryStore, Question,
};

use crate::campaign::simulated_assessors::{
    CampaignRun, SimulatedAssessors, candidates, lists, stamp,
};

fn preference_answer(a: &str, b: &str, person: &str, answer: Preference) -> Answer {
    Answer::preference("q", a, b, person, Some(answer))
}

/// Returns a campaign of one list of three items with open pairs, each to get `votes` votes.
fn campaign_with_open_pairs(votes: u32) -> CampaignRun {
    let settings = CampaignSpec {
        settings: EngineSettings {
            votes,
            decide: "majority".parse().expect("the rule name is valid"),
            ..EngineSettings::default()
        },
        ..CampaignSpec::new("c", vec![candidates("q", &["x", "y", "z"])])
    };
    let mut run = CampaignRun::new(settings);
    run.request_open_pairs();
    run
}

/// Lets assessors with these names answer all open pairs. They prefer the item whose name sorts
/// first.
fn answer_all(run: &mut CampaignRun, people: &[&str]) {
    for pair in run.campaign.open_pairs_in_request_order(0) {
        for person in people {
            let answer = if pair.a < pair.b {
                Preference::A
            } else {
                Preference::B
            };
            run.apply_event(Event::vote(preference_answer(
                &pair.a, &pair.b, person, answer,
            )));
        }
    }
}

#[test]
fn gold_answer_is_recorded_but_is_not_a_vote() {
    let mut run = campaign_with_open_pairs(2);
    let before = run.campaign.open_pairs_in_request_order(0);
    let pair = &before[0];
    run.apply_event(Event::gold(
        preference_answer(&pair.a, &pair.b, "ann", Preference::A),
        Preference::B,
    ));
    assert_eq!(run.campaign.answer_statuses(), [AnswerStatus::Gold]);
    assert_eq!(run.campaign.open_pairs_in_request_order(0), before);
    assert_eq!(run.campaign.vote_count(0), 0);
    let [state] = &run.campaign.assessor_summaries()[..] else {
        panic!("one person");
    };
    assert_eq!((state.answers, state.votes), (1, 0));
    let (answer, expected) = run.campaign.gold_answers().next().unwrap();
    assert_ne!(answer.judgment.preference(), Some(expected));
}

#[test]
fn lowered_vote_target_decides_pairs_and_keeps_their_extra_votes() {
    let mut run = campaign_with_open_pairs(5);
    answer_all(&mut run, &["ann", "bob", "cid"]);
    assert!(!run.campaign.is_settled());
    let votes = run.campaign.vote_count(0);
    run.apply_event(Event::Extended(CampaignExtension {
        votes: Some(2),
        ..CampaignExtension::default()
    }));
    // Three votes per pair are more than the new target of two, but all still count.
    assert_eq!(run.campaign.vote_count(0), votes);
    while !run.campaign.is_settled() {
        run.request_open_pairs();
        answer_all(&mut run, &["ann", "bob"]);
    }
    assert_eq!(run.campaign.groups(0), [["x"], ["y"], ["z"]]);
    assert_eq!(run.campaign.spec().settings.votes, 2);
}

#[test]
fn raised_vote_target_reopens_decided_pairs() {
    let mut run = campaign_with_open_pairs(2);
    while !run.campaign.is_settled() {
        answer_all(&mut run, &["ann", "bob"]);
        run.request_open_pairs();
    }
    run.apply_event(Event::Extended(CampaignExtension {
        votes: Some(3),
        ..CampaignExtension::default()
    }));
    assert!(!run.campaign.is_settled());
    while !run.campaign.is_settled() {
        run.request_open_pairs();
        answer_all(&mut run, &["cid"]);
    }
    let pairs = run.campaign.pair_snapshots(0);
    assert!(pairs.iter().all(|pair| pair.votes.iter().sum::<u32>() == 3));
}

#[test]
fn closed_list_has_no_questions_and_counts_no_votes() {
    let mut run = campaign_with_open_pairs(2);
    answer_all(&mut run, &["ann"]);
    let open = run.campaign.open_pairs_in_request_order(0);
    assert!(!open.is_empty());
    let list: Vec<Vec<String>> = run.campaign.list_snapshot(0).groups;
    run.apply_event(Event::Closed {
        query: Some("q".to_owned()),
    });
    assert!(run.campaign.open_pairs_in_request_order(0).is_empty());
    assert!(run.campaign.next_batch().is_none());
    assert!(run.campaign.is_settled() && !run.campaign.is_list_settled(0));
    run.apply_event(Event::vote(preference_answer(
        &open[0].a,
        &open[0].b,
        "bob",
        Preference::A,
    )));
    assert_eq!(
        run.campaign.answer_statuses().last(),
        Some(&AnswerStatus::Closed)
    );
    assert_eq!(run.campaign.list_snapshot(0).groups, list);
}

#[test]
fn paused_campaign_asks_nothing_but_counts_answers() {
    let mut run = campaign_with_open_pairs(2);
    let open = run.campaign.open_pairs_in_request_order(0);
    run.apply_event(Event::Paused);
    assert!(run.campaign.open_pairs_in_request_order(0).is_empty() && !run.campaign.is_settled());
    let pair = &open[0];
    run.apply_event(Event::vote(preference_answer(
        &pair.a,
        &pair.b,
        "ann",
        Preference::A,
    )));
    assert_eq!(run.campaign.answer_statuses(), [AnswerStatus::Counted]);
    run.apply_event(Event::Resumed);
    assert_eq!(
        run.campaign.open_pairs_in_request_order(0).len(),
        open.len()
    );
}

#[test]
fn retracted_answer_is_not_a_vote_and_can_be_given_again() {
    let mut run = campaign_with_open_pairs(1);
    let pair = run.campaign.open_pairs_in_request_order(0).remove(0);
    run.apply_event(Event::vote(preference_answer(
        &pair.a,
        &pair.b,
        "ann",
        Preference::A,
    )));
    let number = run.campaign.event_count() as u64;
    let retracted = Event::Retracted {
        answer: number,
        reason: None,
    };
    run.apply_event(retracted.clone());
    assert_eq!(run.campaign.answer_statuses(), [AnswerStatus::Retracted]);
    assert!(
        run.campaign.check(&retracted).is_err(),
        "an answer cannot be retracted twice"
    );
    run.request_open_pairs();
    run.apply_event(Event::vote(preference_answer(
        &pair.a,
        &pair.b,
        "ann",
        Preference::B,
    )));
    assert_eq!(
        run.campaign.answer_statuses(),
        [AnswerStatus::Retracted, AnswerStatus::Counted]
    );
}

#[test]
fn added_lists_and_candidates_are_asked_about() {
    let mut run = campaign_with_open_pairs(1);
    while !run.campaign.is_settled() {
        answer_all(&mut run, &["ann"]);
        run.request_open_pairs();
    }
    let extended = CampaignExtension {
        lists: vec![candidates("q", &["w"]), candidates("r", &["1", "2"])],
        ..CampaignExtension::default()
    };
    run.apply_event(Event::Extended(extended));
    while !run.campaign.is_settled() {
        run.request_open_pairs();
        for pair in run.campaign.open_pairs_in_request_order(0) {
            let answer = if pair.a < pair.b {
                Preference::A
            } else {
                Preference::B
            };
            run.apply_event(Event::vote(Answer::preference(
                &pair.query,
                &pair.a,
                &pair.b,
                "ann",
                Some(answer),
            )));
        }
    }
    assert_eq!(run.campaign.groups(0), [["w"], ["x"], ["y"], ["z"]]);
    assert_eq!(run.campaign.groups(1), [["1"], ["2"]]);
}

#[test]
fn last_ranking_and_last_grade_of_an_assessor_count() {
    let mut run = campaign_with_open_pairs(1);
    let ranked = |person: &str, groups: &[&[&str]]| {
        let owned = |group: &&[&str]| group.iter().map(|item| (*item).to_owned()).collect();
        let judgment = Judgment::Ranking {
            groups: groups.iter().map(owned).collect(),
            unranked: Vec::new(),
        };
        Event::vote(Answer::new(person, Question::ranking("q"), judgment))
    };
    let graded = |broad| {
        let broad = Some(broad);
        let judgment = Judgment::Grade { broad, fine: None };
        Event::vote(Answer::new("ann", Question::grade("q", "x"), judgment))
    };
    let broad_grade = |run: &CampaignRun| match run.campaign.grades(0)[0].judgment {
        Judgment::Grade { broad, .. } => broad,
        _ => None,
    };
    run.apply_event(ranked("ann", &[&["x"], &["y"]]));
    run.apply_event(ranked("ann", &[&["y"], &["x"]]));
    run.apply_event(graded(BroadGrade::Not));
    run.apply_event(graded(BroadGrade::Very));
    let Judgment::Ranking { groups, .. } = &run.campaign.rankings(0)[0].judgment else {
        panic!("a ranking");
    };
    assert_eq!(*groups, [["y"], ["x"]]);
    assert_eq!(broad_grade(&run), Some(BroadGrade::Very));
    // Retracting the last grade restores the previous one.
    run.apply_event(Event::Retracted {
        answer: run.campaign.event_count() as u64,
        reason: None,
    });
    assert_eq!(broad_grade(&run), Some(BroadGrade::Not));
    assert!(
        run.campaign
            .check(&ranked("ann", &[&["x"], &["x"]]))
            .is_err()
    );
    assert!(run.campaign.check(&ranked("ann", &[&["nothing"]])).is_err());
}

/// Returns a session with a campaign of one list whose first pair `ann` answered with the id `i1`.
fn session_with_answer() -> CampaignSession<MemoryStore> {
    let spec = CampaignSpec {
        settings: EngineSettings {
            votes: 2,
            decide: "majority".parse().expect("the rule name is valid"),
            ..EngineSettings::default()
        },
        ..CampaignSpec::new("c", vec![candidates("q", &["x", "y", "z"])])
    };
    let mut session = CampaignSession::create(MemoryStore::default(), spec, &stamp(0))
        .expect("the specification is valid");
    let pair = session
        .ask(&stamp(1), None)
        .expect("memory takes everything")
        .pairs
        .remove(0);
    let answer = Answer {
        id: Some("i1".to_owned()),
        ..preference_answer(&pair.a, &pair.b, "ann", Preference::A)
    };
    session
        .record(&stamp(2), vec![Event::vote(answer)])
        .expect("the answer fits the pair");
    session
}

#[test]
fn an_action_that_changes_nothing_records_no_event() {
    let mut session = session_with_answer();
    let assessors = vec!["ann".to_owned()];
    let exclude = Action::Exclude {
        assessors: assessors.clone(),
        reason: Some("slept".to_owned()),
    };
    let close = |query: Option<&str>| Action::Close {
        queries: query.into_iter().map(str::to_owned).collect(),
    };
    let votes = |votes: u32| {
        Action::Extend(CampaignExtension {
            votes: Some(votes),
            ..CampaignExtension::default()
        })
    };
    for (action, is_change) in [
        (votes(2), false),
        (votes(3), true),
        (Action::Resume, false),
        (Action::Pause, true),
        (Action::Pause, false),
        (Action::Resume, true),
        (
            Action::Readmit {
                assessors: assessors.clone(),
            },
            false,
        ),
        (exclude.clone(), true),
        (exclude, false),
        (Action::Readmit { assessors }, true),
        (close(Some("q")), true),
        (close(Some("q")), false),
        (close(None), true),
        (close(None), false),
    ] {
        let before = session.tail();
        let events = session.perform(&stamp(9), &action).unwrap();
        assert_eq!(events.len(), usize::from(is_change), "{action:?}");
        assert_eq!(session.tail() == before, !is_change, "{action:?}");
    }
}

#[test]
fn an_action_that_does_not_fit_is_refused_and_records_nothing() {
    let mut session = session_with_answer();
    let retract = |answer: AnswerReference| Action::Retract {
        answer,
        reason: None,
    };
    let by_id = |id: &str| {
        retract(AnswerReference::Id {
            assessor: "ann".to_owned(),
            id: id.to_owned(),
        })
    };
    let unknown = Action::Close {
        queries: vec!["q".to_owned(), "q9".to_owned()],
    };
    let nobody = Action::Exclude {
        assessors: vec!["ann".to_owned(), "zoe".to_owned()],
        reason: None,
    };
    let nothing = Action::Extend(CampaignExtension::default());
    let refused = |session: &mut CampaignSession<MemoryStore>, action: &Action, words: &str| {
        let before = session.tail();
        let error = session.perform(&stamp(9), action).unwrap_err().to_string();
        assert!(error.contains(words), "{action:?}: {error}");
        assert_eq!(session.tail(), before, "{action:?}");
    };
    refused(&mut session, &unknown, "no query `q9`");
    refused(&mut session, &nobody, "nobody called `zoe`");
    refused(&mut session, &by_id("i2"), "no answer with the id `i2`");
    refused(&mut session, &retract(AnswerReference::Event(1)), "1");
    refused(&mut session, &nothing, "names no votes");
    session.perform(&stamp(3), &by_id("i1")).unwrap();
    refused(&mut session, &by_id("i1"), "taken back before");
    let close = Action::Close { queries: vec![] };
    session.perform(&stamp(4), &close).unwrap();
    let votes = Action::Extend(CampaignExtension {
        votes: Some(3),
        ..CampaignExtension::default()
    });
    for action in [Action::Pause, Action::Resume, votes] {
        refused(&mut session, &action, "the campaign is closed");
    }
}

#[test]
fn house_candidates_for_a_closed_list_are_refused_with_the_reason() {
    let mut run = campaign_with_open_pairs(2);
    run.apply_event(Event::Closed {
        query: Some("q".to_owned()),
    });
    let extended = Event::Extended(CampaignExtension {
        lists: vec![candidates("q", &["v"])],
        ..CampaignExtension::default()
    });
    let error = run.campaign.check(&extended).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the list of the query `q` is closed: nothing can be added to it or asked about it"
    );
}

#[test]
fn numbers_c2_settled_share_decides_when_a_list_is_settled() {
    let with_share = |settled: f64| CampaignSpec {
        settings: EngineSettings {
            strategy: StrategyName::Pooled,
            settled,
            ..EngineSettings::default()
        },
        ..CampaignSpec::new("c", lists(&[16]))
    };
    let people = SimulatedAssessors {
        noise: 20,
        group: 1,
        world: "settled".to_owned(),
    };
    let finished = |settled: f64| {
        let mut run = CampaignRun::new(with_share(settled));
        run.finish(&people);
        assert!(run.campaign.is_settled());
        run
    };
    let (mut loose, usual) = (finished(0.15), finished(0.02));
    assert!(loose.campaign.answer_count() < usual.campaign.answer_count());
    // A smaller share opens the list again, and more questions follow.
    let extension = CampaignExtension {
        settled: Some(0.02),
        ..CampaignExtension::default()
    };
    let extend = Action::Extend(extension.clone());
    for event in loose.campaign.events_for(&extend).unwrap() {
        loose.apply_event(event);
    }
    assert_eq!(loose.campaign.spec().settings.settled, 0.02);
    assert!(!loose.campaign.is_settled());
    loose.finish(&people);
    assert!(loose.campaign.answer_count() >= usual.campaign.answer_count());
    assert_eq!(loose.campaign.events_for(&extend).unwrap(), []);
    for share in [0.0, 1.0, -0.02, 1e308, f64::NAN] {
        let errors = with_share(share).validate();
        assert_eq!(errors.len(), 1, "{share}");
        assert_eq!(errors[0].pointer, "/settings/settled");
        let refused = loose.campaign.check(&Event::Extended(CampaignExtension {
            settled: Some(share),
            ..CampaignExtension::default()
        }));
        let message = refused.unwrap_err().to_string();
        assert!(message.contains("above 0 and below 1"), "{message}");
    }
}
