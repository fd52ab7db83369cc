//! Bootstrap of the lists that the strategy of a campaign makes, with its own rule and without
//! excluded assessors.

use partita_core::truth::TruthCheckNote;
use partita_core::work::SequentialWork;
use partita_judging::campaign::{
    Answer, AssessorFilter, CampaignSpec, EngineSettings, Event, ExportRequest,
};
use partita_judging::{
    PreferenceCheck, PreferenceCheckRequest, StrategyName, check_preferences, check_strategy_lists,
};
use partita_named::NamedEnum as _;

use crate::campaign::simulated_assessors::{CampaignRun, SimulatedAssessors, lists};

/// Runs a campaign of this strategy in which somebody is excluded at the end. One item is a copy of
/// another, and some items have a prior order.
fn finished_campaign(strategy: StrategyName, top: Option<usize>) -> CampaignRun {
    let mut lists = lists(&[7, 6, 9]);
    lists[0].items[4].same_as = Some("i1".to_owned());
    for (place, item) in lists[1].items.iter_mut().enumerate() {
        item.prior = Some(place as f64);
    }
    let mut run = CampaignRun::new(CampaignSpec {
        settings: EngineSettings {
            strategy,
            votes: 5,
            decide: "majority".parse().expect("a rule"),
            held_out: 0.2,
            top,
            seed: 11,
            ..EngineSettings::default()
        },
        ..CampaignSpec::new("c", lists)
    });
    let people = SimulatedAssessors {
        noise: 35,
        group: 2,
        world: format!("strategy {strategy}"),
    };
    run.finish(&people);
    run.apply_event(Event::Excluded {
        assessor: "p0".to_owned(),
        reason: None,
    });
    run.finish(&people);
    run
}

/// Checks the lists of a campaign with a bootstrap. `as_answers` treats the answers like those of a
/// file.
fn check(run: &CampaignRun, as_answers: bool) -> PreferenceCheck {
    let answers = run.campaign.preferences(AssessorFilter::NotExcluded, &[]);
    let answers = answers.expect("no query is named").preferences;
    let truth = run.campaign.export(&ExportRequest::default());
    let truth = truth.expect("no query is named").ground_truth();
    let request = PreferenceCheckRequest {
        preferences: &answers,
        truth: Some(("c.jsonl", &truth)),
        rule: run.campaign.rule(),
        seed: 3,
        triples: 10,
        bootstrap: Some((40, 0.95)),
    };
    let lists = run.campaign.strategy_lists();
    match as_answers {
        true => check_preferences(&request, &SequentialWork),
        false => check_strategy_lists(&request, &lists, &SequentialWork),
    }
    .expect("the lists are of the answers")
}

/// Returns the note on the copy of another item, about which nobody is asked.
fn uncompared_copy() -> TruthCheckNote {
    TruthCheckNote::UncomparedItems(vec!["i4".to_owned()])
}

#[test]
fn use_a1_bootstrap_makes_the_lists_of_each_strategy_again() {
    let mut resorted = 0;
    for &strategy in StrategyName::VARIANTS {
        let run = finished_campaign(strategy, None);
        let checked = check(&run, false);
        assert_eq!(checked.notes, [uncompared_copy()], "{strategy}");
        let exported = run.campaign.export(&ExportRequest::default()).unwrap();
        for list in &checked.lists {
            let groups = &exported
                .lists
                .get(&list.query)
                .expect("a list of the campaign");
            let mut names: Vec<Vec<String>> =
                serde_json::from_value(serde_json::to_value(&list.list).expect("groups of names"))
                    .expect("groups of names");
            let mut groups = (*groups).clone();
            for group in names.iter_mut().chain(&mut groups) {
                group.retain(|item| list.query != "q0" || item != "i4");
                group.sort();
            }
            assert_eq!(names, groups, "{strategy}");
            let trust = list.trust.as_ref().expect("a bootstrap");
            assert_eq!(trust.places.items.len(), list.items);
        }
        resorted += usize::from(check(&run, true).notes.len() > 1);
    }
    assert!(resorted > 0, "without the campaign, lists are sorted again");
}

#[test]
fn use_a1_bootstrap_of_a_head_leaves_the_rest_unsorted() {
    let run = finished_campaign(StrategyName::Sort, Some(2));
    let checked = check(&run, false);
    assert_eq!(checked.notes, [uncompared_copy()]);
}

#[test]
fn use_a1_lists_of_a_campaign_that_nobody_finished_are_completed_with_a_note() {
    let mut run = CampaignRun::new(CampaignSpec {
        settings: EngineSettings {
            votes: 3,
            decide: "majority".parse().expect("a rule"),
            ..EngineSettings::default()
        },
        ..CampaignSpec::new("c", lists(&[5]))
    });
    for pair in run.request_open_pairs() {
        run.answer(Answer::preference(
            &pair.query,
            &pair.a,
            &pair.b,
            "zoe",
            Some(partita_core::Preference::A),
        ));
    }
    let checked = check(&run, false);
    let note = checked.notes.last().expect("a note").to_string();
    assert!(note.contains("the record alone leads to"), "{note}");
}
