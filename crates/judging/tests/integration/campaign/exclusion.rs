//! Exclusion and readmission of assessors.

use partita_judging::campaign::{AnswerStatus, Campaign, CampaignSnapshot, CampaignSpec, Event};
use proptest::prelude::*;

use crate::campaign::simulated_assessors::{People, Run, lists};

fn exclude(run: &mut Run, person: &str) {
    run.happen(Event::Excluded {
        assessor: person.to_owned(),
        reason: None,
    });
}

fn readmit(run: &mut Run, person: &str) {
    run.happen(Event::Readmitted {
        assessor: person.to_owned(),
    });
}

/// Returns the state with the number of events set to 0, because that number never decreases.
fn timeless(campaign: &Campaign) -> CampaignSnapshot {
    CampaignSnapshot {
        events: 0,
        ..campaign.snapshot()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn readmitting_a_person_undoes_the_exclusion(
        world: u64,
        strategy in prop::sample::select(vec!["sort", "sort-curtailed", "sort-predictive"]),
        person in 0_usize..10,
        held_out in prop::sample::select(vec![0.0, 0.2]),
    ) {
        let settings = CampaignSpec {
            strategy: strategy.parse().unwrap(),
            held_out,
            ..CampaignSpec::new("c", lists(&[6, 4]))
        };
        let mut run = Run::new(settings);
        run.finish(&People { noise: 40, group: 2, world: world.to_string() });
        let before = timeless(&run.campaign);
        let name = format!("p{person}");
        exclude(&mut run, &name);
        readmit(&mut run, &name);
        prop_assert_eq!(before, timeless(&run.campaign));
    }

    #[test]
    fn an_exclusion_opens_exactly_the_pairs_that_lack_a_vote(world: u64, person in 0_usize..10) {
        // In the sort with all votes a pair lacks one exactly if the person voted on it.
        let mut run = Run::new(CampaignSpec::new("c", lists(&[5, 4])));
        run.finish(&People { noise: 40, group: 2, world: world.to_string() });
        let name = format!("p{person}");
        exclude(&mut run, &name);
        for list in 0..2 {
            let needed = run.campaign.needed_pairs(list);
            let mut any_lacks = false;
            for pair in run.campaign.pair_snapshots(list) {
                let lacks = pair.votes.iter().sum::<u32>() < 10;
                let needs = needed.iter().any(|need| (&need.a, &need.b) == (&pair.a, &pair.b));
                // What comes later in the sort is opened when the sort comes to it.
                prop_assert!(lacks || !needs);
                any_lacks |= lacks;
            }
            prop_assert_eq!(any_lacks, !needed.is_empty());
            prop_assert!(needed.iter().all(|need| need.votes == 1 && need.unasked == 1));
        }
        // Once others have answered, all lists are settled without the person.
        run.finish(&People { noise: 40, group: 2, world: world.to_string() });
        prop_assert!(run.campaign.is_settled());
        let answers = run.campaign.answers_with_status();
        let votes = answers.iter().filter(|answer| answer.assessor == name);
        prop_assert!(votes.into_iter().all(|answer| answer.flag == AnswerStatus::Excluded));
    }
}

/// If early votes decide a pair, the last assessors have no question.
#[test]
fn readmitting_a_person_who_never_answered_leaves_no_trace() {
    let settings = CampaignSpec {
        strategy: "sort-predictive".parse().unwrap(),
        ..CampaignSpec::new("c", lists(&[6, 4]))
    };
    let mut run = Run::new(settings);
    run.finish(&People {
        noise: 40,
        group: 2,
        world: "11821293851881946762".to_owned(),
    });
    let before = timeless(&run.campaign);
    let is_listed =
        |state: &CampaignSnapshot| state.assessors.iter().any(|who| who.assessor == "p9");
    assert!(!is_listed(&before));

    exclude(&mut run, "p9");
    let excluded = timeless(&run.campaign);
    let last = excluded.assessors.last().expect("people");
    assert_eq!((last.assessor.as_str(), last.answers), ("p9", 0));
    assert!(last.excluded);
    assert_eq!(excluded.lists, before.lists);

    readmit(&mut run, "p9");
    assert_eq!(timeless(&run.campaign), before);
}

#[test]
fn an_exclusion_that_was_taken_back_does_not_change_the_order_of_the_people() {
    let people = People {
        noise: 0,
        group: 1,
        world: String::new(),
    };
    let mut plain = Run::new(CampaignSpec::new("c", lists(&[3])));
    let mut undone = Run::new(CampaignSpec::new("c", lists(&[3])));
    exclude(&mut undone, "p4");
    readmit(&mut undone, "p4");
    for run in [&mut plain, &mut undone] {
        run.finish(&people);
    }
    assert_eq!(timeless(&plain.campaign), timeless(&undone.campaign));
}

#[test]
fn answers_of_a_person_who_was_excluded_before_are_no_votes() {
    let mut run = Run::new(CampaignSpec::new("c", lists(&[2])));
    exclude(&mut run, "p3");
    run.finish(&People {
        noise: 0,
        group: 1,
        world: String::new(),
    });
    assert!(run.campaign.is_settled());
    assert_eq!(run.campaign.answer_statuses()[3], AnswerStatus::Excluded);
    assert_eq!(run.campaign.answer_count(), 11);
}

#[test]
fn a_replacement_is_surplus_once_the_person_is_back() {
    let mut run = Run::new(CampaignSpec::new("c", lists(&[2])));
    let people = People {
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
    // And is a vote again when somebody else goes.
    exclude(&mut run, "p7");
    assert_eq!(run.campaign.answer_statuses()[10], AnswerStatus::Counted);
    assert!(run.campaign.is_list_settled(0));
}

#[test]
fn a_campaign_can_be_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Campaign>();
}
