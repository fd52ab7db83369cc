//! Exports of a campaign: preferences, lists, intake reports and predictions.

use partita_core::Preference;
use partita_core::work::SequentialWork;
use partita_judging::campaign::{
    Action, Answer, AnswerRow, AnswerStatus, AssessorFilter as Whose, CampaignSession,
    CampaignSpec, EngineSettings, Event, ExclusionEffect, ExportRequest, IntakeOutcome,
    IntakeRequest, JudgmentKind, MemoryStore, OpenPairState,
};
use partita_judging::{
    DecisionRule, GroupingRule, ListMethod, PreferenceListsRequest, Price, Relation,
    build_preference_lists,
};

use crate::campaign::simulated_assessors::{CampaignRun, SimulatedAssessors, lists, stamp};

fn assessors() -> SimulatedAssessors {
    SimulatedAssessors {
        noise: 30,
        group: 2,
        world: "results".to_owned(),
    }
}

fn finished_campaign() -> CampaignRun {
    let mut run = CampaignRun::new(CampaignSpec {
        settings: EngineSettings {
            held_out: 0.2,
            ..EngineSettings::default()
        },
        ..CampaignSpec::new("c", lists(&[5, 4]))
    });
    run.finish(&assessors());
    run
}

#[test]
fn exported_preferences_include_all_answers_and_batches() {
    let mut run = finished_campaign();
    let blank = Answer::preference("q0", "i0", "i1", "zoe", None);
    run.answer(blank);
    let first = run.campaign.answers_with_status().remove(0);
    // A second answer of the same assessor to the pair, with swapped sides.
    let again = Answer::preference(
        &first.query,
        &first.b,
        &first.a,
        &first.assessor,
        Some(Preference::B),
    );
    run.answer(again);
    let all = run.campaign.preferences(Whose::All, &[]).unwrap();
    assert_eq!(
        all.preferences.len() + all.blanks + all.duplicates,
        run.campaign.answer_count()
    );
    assert_eq!((all.blanks, all.duplicates, all.excluded), (1, 1, 0));
    let returned: usize = all.batches.iter().map(|batch| batch.rows).sum();
    assert_eq!(returned, run.campaign.answer_count());
    assert_eq!(all.batches.len(), run.campaign.last_batch() as usize);
    for (number, batch) in (1..).zip(&all.batches) {
        assert_eq!(batch.name, number.to_string());
    }
    run.apply_event(Event::Excluded {
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
        others.preferences.len() + others.blanks + others.duplicates + others.excluded,
        run.campaign.answer_count()
    );
    let everybody = run.campaign.preferences(Whose::All, &[]).unwrap();
    assert_eq!(everybody.preferences.len(), all.preferences.len());
}

#[test]
fn exported_lists_equal_the_campaign_lists() {
    let run = finished_campaign();
    let exported = run.campaign.export(&ExportRequest::default()).unwrap();
    assert!(exported.unfinished.is_empty());
    let truth = exported.ground_truth();
    assert!(truth.query_index("q0").is_some() && truth.query_index("q1").is_some());
    for (number, (query, groups)) in exported.lists.iter().enumerate() {
        assert_eq!(query, run.campaign.query_name(number));
        assert_eq!(*groups, run.campaign.groups(number));
    }
    let one = ExportRequest {
        queries: vec!["q1".to_owned()],
        settled: true,
    };
    assert_eq!(run.campaign.export(&one).unwrap().lists.iter().len(), 1);
    for pair in run.campaign.decided_pairs(&one).unwrap() {
        let states = run.campaign.pair_snapshots(1);
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
fn repeated_answer_in_one_intake_request_is_added_once() {
    let mut session = CampaignSession::create(
        MemoryStore::default(),
        CampaignSpec::new("c", lists(&[3])),
        &stamp(0),
    )
    .unwrap();
    let questions = session.ask(&stamp(1), None).unwrap();
    assert!(
        questions
            .pairs
            .iter()
            .all(|pair| pair.state == OpenPairState::New)
    );
    let pair = &questions.pairs[0];
    let one = AnswerRow {
        query: Some(pair.query.clone()),
        assessor: Some("ann".to_owned()),
        ..AnswerRow::preference(&pair.a, &pair.b, Some(Preference::A))
    };
    let other = AnswerRow {
        assessor: Some("bob".to_owned()),
        ..one.clone()
    };
    let late = AnswerRow {
        answered_at: Some(1e6),
        ..other.clone()
    };
    let request = IntakeRequest {
        answers: vec![one.clone(), one, other, late],
        kind: JudgmentKind::Preference,
        now: 1e6 - 61.0,
        adopt: false,
    };
    let intake = session.campaign().plan_intake(&request);
    assert_eq!(intake.refused.len(), 1);
    assert_eq!(intake.refused[0].0, 3);
    assert!(intake.refused[0].1.to_string().contains("from the future"));
    session.record(&stamp(2), intake.events.clone()).unwrap();
    let report = intake.report(session.campaign(), Vec::new());
    let fates: Vec<IntakeOutcome> = report.answers.iter().map(|answer| answer.flag).collect();
    let counted = IntakeOutcome::Added(AnswerStatus::Counted);
    assert_eq!(fates, [counted, IntakeOutcome::Repeated, counted]);
    assert_eq!(report.added, 2);
    let again = session.campaign().plan_intake(&request);
    assert!(again.events.is_empty());
    let pending = session.ask(&stamp(3), None).unwrap();
    assert!(
        pending
            .pairs
            .iter()
            .all(|pair| pair.state == OpenPairState::Pending)
    );
}

#[test]
fn exclusion_reports_votes_before_and_after() {
    let run = finished_campaign();
    let text: String = run
        .entries()
        .iter()
        .map(partita_judging::campaign::log::LogEntry::line)
        .collect();
    let mut session = CampaignSession::open(MemoryStore { text }).unwrap();
    let votes = |session: &CampaignSession<MemoryStore>| {
        let flags = session.campaign().answer_statuses();
        flags.iter().filter(|flag| flag.is_vote()).count()
    };
    let before = votes(&session);
    let exclude = |names: &[&str]| Action::Exclude {
        assessors: names.iter().map(|name| (*name).to_owned()).collect(),
        reason: None,
    };
    let twice = exclude(&["p0", "p0"]);
    let (events, effect) = session.perform_with_effect(&stamp(900), &twice).unwrap();
    assert_eq!(events.len(), 1, "the second name changes nothing");
    let effect = ExclusionEffect::new(twice, effect);
    assert_eq!((effect.excluded.len(), effect.readmitted.len()), (2, 0));
    assert_eq!(effect.votes_before, before);
    assert_eq!(effect.votes, votes(&session));
    assert!(!effect.reopened.is_empty());
    let assessors = vec!["p0".to_owned(), "p1".to_owned()];
    let readmit = Action::Readmit { assessors };
    let (events, effect) = session.perform_with_effect(&stamp(901), &readmit).unwrap();
    assert_eq!(events.len(), 1, "`p1` is not excluded");
    assert_eq!(effect.votes, before);
    let nobody = exclude(&["p1", "nobody"]);
    let error = session.perform(&stamp(902), &nobody).unwrap_err();
    assert_eq!(error.to_string(), "nobody called `nobody` has answered");
    assert_eq!(votes(&session), before, "all or none");
}

#[test]
fn exported_predictions_follow_the_votes_and_expect_mostly_correct_lists() {
    let run = finished_campaign();
    let request = ExportRequest::default();
    let odds = run.campaign.predictions(&request).unwrap();
    assert_eq!((odds.new_votes, odds.lists.len()), (10, 2));
    for (number, list) in odds.lists.iter().enumerate() {
        let order: Vec<&str> = run.campaign.groups(number).concat();
        assert_eq!(list.relations.len(), order.len() * (order.len() - 1) / 2);
        assert!((0.5..1.0).contains(&list.right), "{}", list.right);
        for pair in &list.relations {
            let sum = pair.less + pair.equal + pair.greater;
            assert!((sum - 1.0).abs() < 1e-9);
            // An item of a better level is predicted to be preferred.
            let [a, b] = [&pair.a, &pair.b].map(|item| assessors().level(item));
            if a < b {
                assert!(pair.less > pair.greater, "{pair:?}");
            }
        }
    }
    let only = ExportRequest {
        queries: vec!["q1".to_owned()],
        settled: false,
    };
    // The pair effects are estimated from all lists, even if one list is exported.
    let alone = run.campaign.predictions(&only).unwrap();
    assert_eq!(alone.lists[0], odds.lists[1]);
    let mut status = run
        .campaign
        .status(2, &partita_core::work::SequentialWork)
        .unwrap();
    assert_eq!(status.lists[0].expected_right, None);
    status.add_predictions(&run.campaign);
    assert_eq!(status.lists[1].expected_right, Some(odds.lists[1].right));
}

#[test]
fn numbers_c3_no_probability_of_a_decision_is_certain() {
    let mut run = CampaignRun::new(CampaignSpec {
        settings: EngineSettings {
            votes: 30,
            ..EngineSettings::default()
        },
        ..CampaignSpec::new("c", lists(&[7]))
    });
    // Everybody agrees on every pair, 30 times.
    run.finish(&SimulatedAssessors {
        noise: 0,
        group: 1,
        world: String::new(),
    });
    let odds = run.campaign.predictions(&ExportRequest::default()).unwrap();
    let current = run.campaign.current_lists(JudgmentKind::Preference);
    assert_eq!(odds.lists[0].relations, current[0].pairs);
    let preferences = run.campaign.preferences(Whose::All, &[]).unwrap();
    let request = PreferenceListsRequest {
        preferences: &preferences.preferences,
        batches: &[],
        price: Some(Price::URBANO_2010),
        rule: DecisionRule::default(),
        by: ListMethod::Pooled,
        grouping: GroupingRule::default(),
        seed: 1,
    };
    let built = build_preference_lists(&request, &SequentialWork).unwrap();
    let models = built.model.unwrap();
    let (_, model) = models.iter().next().unwrap();
    let relations = odds.lists[0].relations.iter().chain(&model.relations);
    let mut likeliest: f64 = 0.0;
    for pair in relations {
        let each = [pair.less, pair.equal, pair.greater];
        assert!(
            each.iter().all(|p| (0.0001..=0.9999).contains(p)),
            "{pair:?}"
        );
        assert!((each.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{pair:?}");
        likeliest = likeliest.max(pair.less);
    }
    assert!(likeliest > 0.9, "{likeliest}");
    assert!(odds.lists[0].right <= 0.9999);
}
