//! Lists fitted with the reliability of the assessors.

use partita_core::Preference;
use partita_judging::StrategyName;
use partita_judging::campaign::{BatchPair, CampaignSpec, Event, PreferenceAnswer};
use partita_stats::random::{shuffle, stream};

use crate::campaign::simulated_assessors::{People, Run, candidates, lists};

/// Returns a campaign that has requested this many votes on every pair of these lists.
fn asked(settings: CampaignSpec, votes: u32) -> Run {
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
    let mut run = Run::new(settings);
    run.happen(Event::Asked { batch: 1, pairs });
    run
}

fn pooled(lists: Vec<partita_judging::campaign::QuerySpec>) -> CampaignSpec {
    CampaignSpec {
        strategy: StrategyName::Pooled,
        ..CampaignSpec::new("c", lists)
    }
}

/// Returns the answers of these assessors to every pair of the lists. The last assessor prefers the
/// opposite of what the others prefer.
fn said(settings: &CampaignSpec, names: &[&str]) -> Vec<PreferenceAnswer> {
    let people = People {
        noise: 40,
        group: 1,
        world: "people".to_owned(),
    };
    let mut said = Vec::new();
    for list in &settings.lists {
        for (place, b) in list.items.iter().enumerate() {
            for a in &list.items[..place] {
                for (number, name) in names.iter().enumerate() {
                    let answer = people.say(&list.query, &a.item, &b.item, number);
                    let turned = number + 1 == names.len();
                    let answer = if turned { answer.mirrored() } else { answer };
                    let (query, a, b) = (&list.query, &a.item, &b.item);
                    said.push(PreferenceAnswer::new(query, a, b, name, Some(answer)));
                }
            }
        }
    }
    said
}

#[test]
fn the_order_of_answers_and_the_names_of_people_change_no_list() {
    let settings = pooled(lists(&[9, 6, 7]));
    let mut first: Option<Vec<Vec<Vec<String>>>> = None;
    for (trial, names) in [
        ["ann", "bob", "cid", "dee", "eve"],
        ["eve", "dee", "ann", "cid", "bob"],
        ["zoe", "yan", "ann", "bob", "mia"],
    ]
    .iter()
    .enumerate()
    {
        let mut answers = said(&settings, names);
        shuffle(&mut stream(trial as u64, &[]), &mut answers);
        let mut run = asked(settings.clone(), 5);
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
fn whoever_turns_everything_round_elsewhere_counts_less_here() {
    let mut all = lists(&[6, 6, 6]);
    // Of two items of which nothing else is known, the first stands before the other.
    all.push(candidates("split", &["i1", "i0"]));
    let settings = pooled(all);
    let mut run = asked(settings.clone(), 4);
    let names = ["ann", "bob", "cid", "contrary"];
    for answered in said(&settings, &names) {
        if answered.query != "split" {
            run.answer(answered);
        }
    }
    let split = |run: &mut Run, person: &str, answer| {
        run.answer(PreferenceAnswer::new(
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
    // One more who can be relied on turns it.
    split(&mut run, "bob", Preference::A);
    split(&mut run, "cid", Preference::A);
    let order = run.campaign.groups(3).concat();
    assert_eq!(order, ["i1", "i0"]);
}

#[test]
fn a_list_that_was_looked_at_follows_what_is_said_of_others_afterwards() {
    let settings = pooled(lists(&[6, 5]));
    let mut run = asked(settings.clone(), 4);
    for answered in said(&settings, &["ann", "bob", "cid", "contrary"]) {
        run.answer(answered);
        // Looking at a list changes nothing.
        let seen = run.lists().len();
        assert_eq!(seen, 2);
    }
    let again = partita_judging::campaign::Campaign::replay(&run.events).expect("a log");
    for list in 0..2 {
        assert_eq!(run.campaign.groups(list), again.groups(list));
    }
}
