//! What is made of a campaign for others.

use partita_core::{Answer, AnswerRow};
use partita_judging::Relation;
use partita_judging::campaign::{
    AnswerRecord, Event, ExclusionRequest, ExportRequest, Fate, Flag, IntakeRequest, MemoryStore,
    People as Whose, QuestionState, Session, Settings,
};

use crate::campaign::world::{People, Run, lists, stamp};

fn people() -> People {
    People {
        noise: 30,
        group: 2,
        world: "results".to_owned(),
    }
}

fn finished() -> Run {
    let mut run = Run::new(Settings {
        held_out: 0.2,
        ..Settings::new("c", lists(&[5, 4]))
    });
    run.finish(&people());
    run
}

#[test]
fn the_answers_of_a_campaign_are_preferences_with_its_batches() {
    let mut run = finished();
    let blank = AnswerRecord::new("q0", "i0", "i1", "zoe", None);
    run.answer(blank);
    let first = run.campaign.answer_states().remove(0);
    // The same person again, the other way round.
    let again = AnswerRecord::new(
        &first.query,
        &first.b,
        &first.a,
        &first.assessor,
        Some(Answer::B),
    );
    run.answer(again);
    let all = run.campaign.preferences(Whose::All, &[]).unwrap();
    assert_eq!(
        all.preferences.len() + all.blank + all.again,
        run.campaign.answers()
    );
    assert_eq!((all.blank, all.again, all.excluded), (1, 1, 0));
    let returned: usize = all.batches.iter().map(|batch| batch.returned).sum();
    assert_eq!(returned, run.campaign.answers());
    assert_eq!(all.batches.len(), run.campaign.batches() as usize);
    for (number, batch) in (1..).zip(&all.batches) {
        assert_eq!(batch.name, number.to_string());
    }
    run.happen(Event::Excluded {
        assessor: first.assessor.clone(),
        reason: None,
    });
    let others = run.campaign.preferences(Whose::NotExcluded, &[]).unwrap();
    assert!(
        others
            .preferences
            .assessors()
            .get(&first.assessor)
            .is_none()
    );
    assert_eq!(
        others.preferences.len() + others.blank + others.again + others.excluded,
        run.campaign.answers()
    );
    let everybody = run.campaign.preferences(Whose::All, &[]).unwrap();
    assert_eq!(everybody.preferences.len(), all.preferences.len());
}

#[test]
fn exported_lists_are_those_of_the_campaign() {
    let run = finished();
    let exported = run.campaign.export(&ExportRequest::default()).unwrap();
    assert!(exported.unfinished.is_empty());
    let truth = exported.ground_truth();
    assert!(truth.query("q0").is_some() && truth.query("q1").is_some());
    for (number, (query, groups)) in exported.lists.iter().enumerate() {
        assert_eq!(query, run.campaign.query_name(number));
        assert_eq!(*groups, run.campaign.list(number));
    }
    let one = ExportRequest {
        queries: vec!["q1".to_owned()],
        settled: true,
    };
    assert_eq!(run.campaign.export(&one).unwrap().lists.iter().len(), 1);
    for pair in run.campaign.decided_pairs(&one).unwrap() {
        let states = run.campaign.pair_states(1);
        let state = states
            .iter()
            .find(|state| (&state.a, &state.b) == (&pair.a, &pair.b));
        assert_eq!(state.unwrap().relation, Some(pair.relation));
        assert!(Relation::ALL.contains(&pair.relation));
    }
    let unknown = ExportRequest {
        queries: vec!["q7".to_owned()],
        settled: false,
    };
    let error = run.campaign.export(&unknown).unwrap_err();
    assert_eq!(error.to_string(), "the campaign has no query `q7`");
}

#[test]
fn the_same_answer_twice_in_one_request_is_added_once() {
    let mut session = Session::begin(
        MemoryStore::default(),
        Settings::new("c", lists(&[3])),
        &stamp(0),
    )
    .unwrap();
    let questions = session.ask(&stamp(1), None).unwrap();
    assert!(
        questions
            .pairs
            .iter()
            .all(|pair| pair.state == QuestionState::New)
    );
    let pair = &questions.pairs[0];
    let one = AnswerRow {
        query: Some(pair.query.clone()),
        a: pair.a.clone(),
        b: pair.b.clone(),
        assessor: Some("ann".to_owned()),
        answer: Some(Answer::A),
        ..AnswerRow::default()
    };
    let other = AnswerRow {
        assessor: Some("bob".to_owned()),
        ..one.clone()
    };
    let late = AnswerRow {
        ended: Some(1e6),
        ..other.clone()
    };
    let request = IntakeRequest {
        answers: vec![one.clone(), one, other, late],
        now: 1e6 - 61.0,
        adopt: false,
    };
    let intake = session.campaign().intake(&request);
    assert_eq!(intake.refused.len(), 1);
    assert_eq!(intake.refused[0].0, 3);
    assert!(intake.refused[0].1.to_string().contains("from the future"));
    session.record(&stamp(2), intake.events.clone()).unwrap();
    let report = intake.report(session.campaign(), Vec::new());
    let fates: Vec<Fate> = report.answers.iter().map(|answer| answer.flag).collect();
    let counted = Fate::Added(Flag::Counted);
    assert_eq!(fates, [counted, Fate::Repeated, counted]);
    assert_eq!(report.added, 2);
    let again = session.campaign().intake(&request);
    assert!(again.events.is_empty());
    let pending = session.ask(&stamp(3), None).unwrap();
    assert!(
        pending
            .pairs
            .iter()
            .all(|pair| pair.state == QuestionState::Pending)
    );
}

#[test]
fn an_exclusion_says_what_it_changed() {
    let run = finished();
    let text: String = run.entries().iter().map(|entry| entry.line()).collect();
    let mut session = Session::open(MemoryStore { text }).unwrap();
    let votes = |session: &Session<MemoryStore>| {
        let flags = session.campaign().flags();
        flags.iter().filter(|flag| flag.is_vote()).count()
    };
    let before = votes(&session);
    let request = ExclusionRequest {
        exclude: vec!["p0".to_owned(), "p0".to_owned()],
        ..ExclusionRequest::default()
    };
    let (plan, effect) = session.exclude(&stamp(900), &request).unwrap();
    assert_eq!(plan.events.len(), 1);
    assert_eq!(plan.unchanged, [("p0".to_owned(), true)]);
    assert_eq!(effect.votes_before, before);
    assert_eq!(effect.votes, votes(&session));
    assert!(!effect.reopened.is_empty());
    let back = ExclusionRequest {
        exclude: vec!["p1".to_owned()],
        readmit: vec!["p0".to_owned(), "p1".to_owned()],
        reason: None,
    };
    let (plan, effect) = session.exclude(&stamp(901), &back).unwrap();
    assert_eq!(plan.events.len(), 3, "out and in again in one go");
    assert_eq!(effect.votes, before);
    let nobody = ExclusionRequest {
        exclude: vec!["nobody".to_owned()],
        ..ExclusionRequest::default()
    };
    let error = session.exclude(&stamp(902), &nobody).unwrap_err();
    assert_eq!(error.to_string(), "nobody called `nobody` has answered");
}

#[test]
fn the_odds_of_a_campaign_are_those_of_its_votes_and_most_of_its_lists_is_right() {
    let run = finished();
    let request = ExportRequest::default();
    let odds = run.campaign.odds(&request).unwrap();
    assert_eq!((odds.new_votes, odds.lists.len()), (10, 2));
    for (number, list) in odds.lists.iter().enumerate() {
        let order: Vec<&str> = run.campaign.list(number).concat();
        assert_eq!(list.relations.len(), order.len() * (order.len() - 1) / 2);
        assert!((0.5..1.0).contains(&list.right), "{}", list.right);
        for pair in &list.relations {
            let sum = pair.less + pair.equal + pair.greater;
            assert!((sum - 1.0).abs() < 1e-9);
            // Whoever stands two levels before the other is likely to be preferred.
            let [a, b] = [&pair.a, &pair.b].map(|item| people().level(item));
            if a < b {
                assert!(pair.less > pair.greater, "{pair:?}");
            }
        }
    }
    let only = ExportRequest {
        queries: vec!["q1".to_owned()],
        settled: false,
    };
    // What pairs have of their own is learnt of all lists.
    let alone = run.campaign.odds(&only).unwrap();
    assert_eq!(alone.lists[0], odds.lists[1]);
    let mut status = run.campaign.status(2, &partita_core::work::InTurn).unwrap();
    assert_eq!(status.lists[0].expected_right, None);
    status.add_odds(&run.campaign);
    assert_eq!(status.lists[1].expected_right, Some(odds.lists[1].right));
}
