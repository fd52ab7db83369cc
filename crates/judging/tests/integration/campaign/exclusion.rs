//! Exclusion and readmission of assessors.

use partita_judging::campaign::{
    AnswerStatus, Campaign, CampaignSnapshot, CampaignSpec, EngineSettings, Event,
};
use proptest::prelude::*;

use crate::campaign::simulated_assessors::{CampaignRun, SimulatedAssessors, lists};

fn exclude(run: &mut CampaignRun, person: &str) {
    run.apply_event(Event::Excluded {
        assessor: person.to_owned(),
        reason: None,
    });
}

fn readmit(run: &mut CampaignRun, person: &str) {
    run.apply_event(Event::Readmitted {
        assessor: person.to_owned(),
    });
}

/// Returns the snapshot with the number of events set to 0, because undoing an action also adds
/// events.
fn snapshot_without_event_count(campaign: &Campaign) -> CampaignSnapshot {
    CampaignSnapshot {
        events: 0,
        ..campaign.snapshot()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn readmission_undoes_an_exclusion(
        world: u64,
        strategy in prop::sample::select(vec!["sort", "sort-curtailed", "sort-predictive"]),
        person in 0_usize..10,
        held_out in prop::sample::select(vec![0.0, 0.2]),
    ) {
        let settings = CampaignSpec { settings: EngineSettings { strategy: strategy.parse().unwrap(), held_out, ..EngineSettings::default() }, ..CampaignSpec::new("c", lists(&[6, 4])) };
        let mut run = CampaignRun::new(settings);
        run.finish(&SimulatedAssessors { noise: 40, group: 2, world: world.to_string() });
        let before = snapshot_without_event_count(&run.campaign);
        let name = format!("p{person}");
        exclude(&mut run, &name);
        readmit(&mut run, &name);
        prop_assert_eq!(before, snapshot_without_event_count(&run.campaign));
    }

    #[test]
    fn exclusion_reopens_only_pairs_that_lack_a_vote(world: u64, person in 0_usize..10) {
        // In the sort with all votes, a pair lacks a vote exactly if the excluded assessor voted
        // on it.
        let mut run = CampaignRun::new(CampaignSpec::new("c", lists(&[5, 4])));
        run.finish(&SimulatedAssessors { noise: 40, group: 2, world: world.to_string() });
        let name = format!("p{person}");
        exclude(&mut run, &name);
        for list in 0..2 {
            let needed = run.campaign.needed_pairs(list);
            let mut any_lacks = false;
            for pair in run.campaign.pair_snapshots(list) {
                let lacks = pair.votes.iter().sum::<u32>() < 10;
                let needs = needed.iter().any(|need| (&need.a, &need.b) == (&pair.a, &pair.b));
                // Pairs of later sort iterations are reopened only when the sort reaches them.
                prop_assert!(lacks || !needs);
                any_lacks |= lacks;
            }
            prop_assert_eq!(any_lacks, !needed.is_empty());
            prop_assert!(needed.iter().all(|need| need.votes == 1 && need.unasked == 1));
        }
        // After others have answered, all lists are settled without the excluded assessor.
        run.finish(&SimulatedAssessors { noise: 40, group: 2, world: world.to_string() });
        prop_assert!(run.campaign.is_settled());
        let answers = run.campaign.answers_with_status();
        let votes = answers.iter().filter(|answer| answer.assessor == name);
        prop_assert!(votes.into_iter().all(|answer| answer.flag == AnswerStatus::Excluded));
    }
}

/// With predictive stopping, early votes decide pairs, so the last assessor is never asked.
#[test]
fn readmission_of_an_assessor_without_answers_restores_the_state() {
    let settings = CampaignSpec {
        settings: EngineSettings {
            strategy: "sort-predictive".parse().unwrap(),
            ..EngineSettings::default()
        },
        ..CampaignSpec::new("c", lists(&[6, 4]))
    };
    let mut run = CampaignRun::new(settings);
    run.finish(&SimulatedAssessors {
        noise: 40,
        group: 2,
        world: "11821293851881946762".to_owned(),
    });
    let before = snapshot_without_event_count(&run.campaign);
    let is_listed =
        |state: &CampaignSnapshot| state.assessors.iter().any(|who| who.assessor == "p9");
    assert!(!is_listed(&before));

    exclude(&mut run, "p9");
    let excluded = snapshot_without_event_count(&run.campaign);
    let last = excluded.assessors.last().expect("there are assessors");
    assert_eq!((last.assessor.as_str(), last.answers), ("p9", 0));
    assert!(last.excluded);
    assert_eq!(excluded.lists, before.lists);

    readmit(&mut run, "p9");
    assert_eq!(snapshot_without_event_count(&run.campaign), before);
}

#[test]
fn undone_exclusion_before_any_answer_does_not_change_the_state() {
    let people = SimulatedAssessors {
        noise: 0,
        group: 1,
        world: String::new(),
    };
    let mut plain = CampaignRun::new(CampaignSpec::new("c", lists(&[3])));
    let mut undone = CampaignRun::new(CampaignSpec::new("c", lists(&[3])));
    exclude(&mut undone, "p4");
    readmit(&mut undone, "p4");
    for run in [&mut plain, &mut undone] {
        run.finish(&people);
    }
    assert_eq!(
        snapshot_without_event_count(&plain.campaign),
        snapshot_without_event_count(&undone.campaign)
    );
}

#[test]
fn answers_given_after_an_exclusion_are_not_votes() {
    let mut run = CampaignRun::new(CampaignSpec::new("c", lists(&[2])));
    exclude(&mut run, "p3");
    run.finish(&SimulatedAssessors {
        noise: 0,
        group: 1,
        world: String::new(),
    });
    assert!(run.campaign.is_settled());
    assert_eq!(run.campaign.answer_statuses()[3], AnswerStatus::Excluded);
    assert_eq!(run.campaign.answer_count(), 11);
}

#[test]
fn replacement_answer_is_surplus_after_readmission() {
    let mut run = CampaignRun::new(CampaignSpec::new("c", lists(&[2])));
    let people = SimulatedAssessors {
        noise: 0,
        group: 1,
        world: String::new(),
    };
    run.finish(&people);
    exclude(&mut run, "p3");
    assert!(!run.campaign.is_list_settled(0));
    run.finish(&people);
    assert_eq!(run.campaign.answer_count(), 11);
    assert!(run.campaign.is_list_settled(0));
    readmit(&mut run, "p3");
    let flags = run.campaign.answer_statuses();
    assert_eq!(flags[3], AnswerStatus::Counted);
    assert!(matches!(
        flags[10],
        AnswerStatus::Surplus | AnswerStatus::Late
    ));
    // The replacement answer counts again when another assessor is excluded.
    exclude(&mut run, "p7");
    assert_eq!(run.campaign.answer_statuses()[10], AnswerStatus::Counted);
    assert!(run.campaign.is_list_settled(0));
}

#[test]
fn campaign_is_send_and_sync() {
    fn assert_send_and_sync<T: Send + Sync>() {}
    assert_send_and_sync::<Campaign>();
}
