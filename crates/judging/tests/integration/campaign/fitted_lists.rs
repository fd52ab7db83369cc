//! Lists fitted with the reliability of the assessors.

use partita_core::judgment::JudgmentKind;
use partita_core::{Preference, Preferences, Vote};
use partita_judging::campaign::{
    Answer, BatchPair, Campaign, CampaignSpec, EngineSettings, Event, ExportRequest,
};
use partita_judging::{GroupingRule, StrategyName, fit_pooled};
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

/// Strategies that build lists from a model.
const MODEL_STRATEGIES: [StrategyName; 3] = [
    StrategyName::Pooled,
    StrategyName::Random,
    StrategyName::SortRefitted,
];

fn model_campaign(strategy: StrategyName, lengths: &[usize]) -> CampaignRun {
    CampaignRun::new(CampaignSpec {
        settings: EngineSettings {
            strategy,
            seed: 11,
            ..EngineSettings::default()
        },
        ..CampaignSpec::new("c", lists(lengths))
    })
}

/// Returns the number of groups of each list, after asserting that all views agree on the lists.
fn group_counts(campaign: &Campaign) -> Vec<usize> {
    let exported = campaign
        .export(&ExportRequest::default())
        .expect("lists are exported");
    let truth = campaign.truth(JudgmentKind::Preference, &ExportRequest::default());
    let (truth, current) = (
        truth.expect("a ground truth"),
        campaign.current_lists(JudgmentKind::Preference),
    );
    let lists = exported.lists.iter().zip(current).enumerate();
    let counts = lists.map(|(list, ((query, groups), current))| {
        assert_eq!(*groups, current.groups, "{query}");
        assert_eq!(*groups, campaign.list_snapshot(list).groups, "{query}");
        let judged = truth.query_truth(truth.query_index(query).expect("a query"));
        assert_eq!(judged.list().group_count(), groups.len(), "{query}");
        groups.len()
    });
    counts.collect()
}

#[test]
fn use_a2_items_are_one_group_until_a_vote_prefers_one() {
    for strategy in MODEL_STRATEGIES {
        let mut run = model_campaign(strategy, &[2, 7, 13]);
        assert_eq!(group_counts(&run.campaign), [1, 1, 1], "{strategy}");
        // All answers are `equal`, until the lists are settled.
        let mut rounds = 0;
        loop {
            let open = run.request_open_pairs();
            if open.is_empty() {
                break;
            }
            for pair in open {
                for vote in 0..pair.votes {
                    let person = format!("p{rounds}-{vote}");
                    let equal = Some(Preference::Equal);
                    run.answer(Answer::preference(
                        &pair.query,
                        &pair.a,
                        &pair.b,
                        &person,
                        equal,
                    ));
                }
            }
            rounds += 1;
            assert_eq!(group_counts(&run.campaign), [1, 1, 1], "{strategy}");
        }
        assert!(run.campaign.is_settled() && rounds > 0, "{strategy}");
    }
}

#[test]
fn use_a2_open_list_separates_items_only_by_votes_that_agree() {
    for strategy in MODEL_STRATEGIES {
        let mut run = model_campaign(strategy, &[2]);
        let mut groups = Vec::new();
        for person in ["ann", "bob", "cid", "dee"] {
            run.request_open_pairs();
            let answer = Some(Preference::B);
            run.answer(Answer::preference("q0", "i0", "i1", person, answer));
            groups.push(group_counts(&run.campaign)[0]);
        }
        assert_eq!((groups[0], groups[3]), (1, 2), "{strategy}: {groups:?}");
        assert!(groups.is_sorted(), "{strategy}: {groups:?}");
        assert_eq!(run.campaign.groups(0), [["i1"], ["i0"]], "{strategy}");
    }
}

#[test]
fn use_a2_settled_list_has_the_groups_of_the_model_and_open_list_no_more() {
    for strategy in MODEL_STRATEGIES {
        let mut run = model_campaign(strategy, &[13]);
        let people = SimulatedAssessors {
            noise: 30,
            group: 2,
            world: "settled".to_owned(),
        };
        let mut most_while_open = 0;
        loop {
            let open = run.request_open_pairs();
            let mut preferences = Preferences::new();
            for event in &run.events {
                if let Event::Answered { answer, .. } = event {
                    let ([a, b], assessor) = (answer.question.pair().unwrap(), &answer.assessor);
                    let vote = answer.judgment.preference().unwrap();
                    let vote = Vote::new(a, b, assessor, vote);
                    preferences.add("q0", vote).unwrap();
                }
            }
            if let [query] = preferences.queries()
                && query.items().len() == 13
            {
                let pooled = fit_pooled(&preferences);
                let list = GroupingRule::default().list_by_spread(&pooled.fits[0], pooled.spread);
                let complete = list.group_count();
                let found = group_counts(&run.campaign)[0];
                if open.is_empty() {
                    assert_eq!(found, complete, "{strategy}");
                } else {
                    assert!(found <= complete, "{strategy}: {found} {complete}");
                    most_while_open = most_while_open.max(found);
                }
            }
            if open.is_empty() {
                break;
            }
            for pair in &open {
                for _ in 0..pair.votes {
                    run.answer_by_next_assessor(&people, pair);
                }
            }
        }
        assert!(most_while_open > 1, "{strategy}");
    }
}
