//! Lists fitted with the reliability of the assessors.

use partita_core::Preference;
use partita_judging::StrategyName;
use partita_judging::campaign::{Answer, BatchPair, CampaignSpec, EngineSettings, Event};
use partita_stats::random::{shuffle, stream};

use crate::campaign::simulated_assessors::{CampaignRun, SimulatedAssessors, candidates, lists};

/// Returns a campaign in which `votes` votes are requested on every pair of every list.
fn campaign_with_requested_pairs(settings: CampaignSpec, votes: u32) -> CampaignRun {
    let mut pairs = Vec::new();
    for list in &settings.lists {
        for (place, b) in list.items.iter().enumerate() {
            pairs.extend(list.items[..place].iter().map(|a| BatchPair {
                query: list.query.clone(),
                a: a.item.clone(),
                b: b.item.clone(),
                votes,
                new_votes: votes,
            }));
        }
    }
    let mut run = CampaignRun::new(settings);
    run.apply_event(Event::Asked { batch: 1, pairs });
    run
}

fn pooled_spec(lists: Vec<partita_judging::campaign::QuerySpec>) -> CampaignSpec {
    CampaignSpec {
        settings: EngineSettings {
            strategy: StrategyName::Pooled,
            ..EngineSettings::default()
        },
        ..CampaignSpec::new("c", lists)
    }
}

/// Returns the answers of these assessors to every pair of the lists. The last assessor prefers the
/// opposite of what the others prefer.
fn answers_of(settings: &CampaignSpec, names: &[&str]) -> Vec<Answer> {
    let people = SimulatedAssessors {
        noise: 40,
        group: 1,
        world: "people".to_owned(),
    };
    let mut said = Vec::new();
    for list in &settings.lists {
        for (place, b) in list.items.iter().enumerate() {
            for a in &list.items[..place] {
                for (number, name) in names.iter().enumerate() {
                    let answer = people.preference(&list.query, &a.item, &b.item, number);
                    let turned = number + 1 == names.len();
                    let answer = if turned { answer.mirrored() } else { answer };
                    let (query, a, b) = (&list.query, &a.item, &b.item);
                    said.push(Answer::preference(query, a, b, name, Some(answer)));
                }
            }
        }
    }
    said
}

#[test]
fn lists_are_independent_of_answer_order_and_assessor_names() {
    let settings = pooled_spec(lists(&[9, 6, 7]));
    let mut first: Option<Vec<Vec<Vec<String>>>> = None;
    for (trial, names) in [
        ["ann", "bob", "cid", "dee", "eve"],
        ["eve", "dee", "ann", "cid", "bob"],
        ["zoe", "yan", "ann", "bob", "mia"],
    ]
    .iter()
    .enumerate()
    {
        let mut answers = answers_of(&settings, names);
        shuffle(&mut stream(trial as u64, &[]), &mut answers);
        let mut run = campaign_with_requested_pairs(settings.clone(), 5);
        answers
            .into_iter()
            .for_each(|answered| run.answer(answered));
        let found = (0..3).map(|list| run.campaign.list_snapshot(list).groups);
        let found: Vec<Vec<Vec<String>>> = found.collect();
        match &first {
            None => first = Some(found),
            Some(first) => assert_eq!(&found, first),
        }
    }
}

#[test]
fn assessor_who_is_contrary_in_other_lists_has_less_weight() {
    let mut all = lists(&[6, 6, 6]);
    // The list `split` gets only the votes below.
    all.push(candidates("split", &["i1", "i0"]));
    let settings = pooled_spec(all);
    let mut run = campaign_with_requested_pairs(settings.clone(), 4);
    let names = ["ann", "bob", "cid", "contrary"];
    for answered in answers_of(&settings, &names) {
        if answered.question.query != "split" {
            run.answer(answered);
        }
    }
    let split = |run: &mut CampaignRun, person: &str, answer| {
        run.answer(Answer::preference(
            "split",
            "i1",
            "i0",
            person,
            Some(answer),
        ));
    };
    split(&mut run, "ann", Preference::B);
    split(&mut run, "contrary", Preference::A);
    let order = run.campaign.groups(3).concat();
    assert_eq!(order, ["i0", "i1"]);
    // The votes of the reliable assessors bob and cid reverse the order.
    split(&mut run, "bob", Preference::A);
    split(&mut run, "cid", Preference::A);
    let order = run.campaign.groups(3).concat();
    assert_eq!(order, ["i1", "i0"]);
}

#[test]
fn lists_read_between_answers_equal_those_of_a_replay() {
    let settings = pooled_spec(lists(&[6, 5]));
    let mut run = campaign_with_requested_pairs(settings.clone(), 4);
    for answered in answers_of(&settings, &["ann", "bob", "cid", "contrary"]) {
        run.answer(answered);
        // Reading the lists must not affect later results.
        let seen = run.lists().len();
        assert_eq!(seen, 2);
    }
    let again = partita_judging::campaign::Campaign::replay(&run.events).expect("the log is valid");
    for list in 0..2 {
        assert_eq!(run.campaign.groups(list), again.groups(list));
    }
}

#[test]
fn house_a_request_that_counts_surplus_answers_changes_lists_that_were_read_before() {
    let settings = pooled_spec(lists(&[3]));
    let mut run = campaign_with_requested_pairs(settings, 1);
    for (a, b) in [("i0", "i1"), ("i0", "i2"), ("i1", "i2")] {
        for person in ["ann", "bob", "cid", "dee", "eve", "fay"] {
            // The vote contradicts the surplus answers.
            let answer = match person {
                "ann" => Preference::B,
                _ => Preference::A,
            };
            run.answer(Answer::preference("q0", a, b, person, Some(answer)));
        }
    }
    let before = run.campaign.groups(0).concat().join(" ");
    let pair = |a: &str, b: &str| BatchPair {
        query: "q0".to_owned(),
        a: a.to_owned(),
        b: b.to_owned(),
        votes: 6,
        new_votes: 0,
    };
    let pairs = vec![pair("i0", "i1"), pair("i0", "i2"), pair("i1", "i2")];
    run.apply_event(Event::Asked { batch: 2, pairs });
    let after = run.campaign.groups(0).concat().join(" ");
    assert_ne!(after, before);
    let again = partita_judging::campaign::Campaign::replay(&run.events).expect("the log is valid");
    assert_eq!(run.campaign.groups(0), again.groups(0));
}
