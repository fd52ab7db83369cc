//! Whole campaigns by strategies that read all votes of a list in one model.

use std::fmt::Write;

use crate::judge::crowd::{Campaign, answers};

const STRATEGIES: [&str; 2] = ["pooled", "sort-refitted"];

/// A list of twelve items on three levels.
fn candidates() -> String {
    let mut text = "query,item\n".to_owned();
    for level in ["a", "b", "c"] {
        for number in 1..=4 {
            let _ = writeln!(text, "q,{level}{number}");
        }
    }
    text
}

/// The groups of the list, which must have every item once.
fn groups(campaign: &Campaign) -> Vec<Vec<String>> {
    let lists = campaign.json("export", &[]);
    let groups: Vec<Vec<String>> = serde_json::from_value(lists["q"].clone()).expect("groups");
    let mut items: Vec<&String> = groups.iter().flatten().collect();
    items.sort();
    let text = candidates();
    let expected: Vec<&str> = text.lines().skip(1).map(|line| &line[2..]).collect();
    assert_eq!(items, expected);
    groups
}

/// How many pairs stand the other way round than everybody says.
fn inverted(groups: &[Vec<String>]) -> usize {
    let mut inverted = 0;
    for (place, earlier) in groups.iter().enumerate() {
        for later in groups[place + 1..].iter().flatten() {
            inverted += earlier.iter().filter(|item| item[..1] > later[..1]).count();
        }
    }
    inverted
}

#[test]
fn a_campaign_ends_in_a_list_that_nobody_contradicts() {
    for strategy in STRATEGIES {
        let campaign = Campaign::of(&candidates(), &["--strategy", strategy, "--seed", "3"]);
        campaign.finish();
        let groups = groups(&campaign);
        assert_eq!(inverted(&groups), 0, "{strategy}: {groups:?}");
        let status = campaign.json("status", &[]);
        assert_eq!(status["settled"], true, "{strategy}");
        assert_eq!(status["strategy"], strategy);
        // 66 pairs of 10 votes would be all there is to know.
        let votes = status["answers"]["counted"].as_u64().expect("votes");
        assert!(votes < 330, "{strategy}: {votes}");
        let state = campaign.output("replay", &[]);
        assert_eq!(state, campaign.output("replay", &[]), "{strategy}");
    }
}

#[test]
fn the_same_seed_and_answers_write_the_same_log() {
    for strategy in STRATEGIES {
        let log = || {
            let campaign = Campaign::of(&candidates(), &["--strategy", strategy]);
            campaign.finish();
            campaign.bytes()
        };
        assert!(log() == log(), "{strategy}");
    }
}

#[test]
fn a_campaign_can_stop_and_go_on_anywhere() {
    for strategy in STRATEGIES {
        let campaign = Campaign::of(&candidates(), &["--strategy", strategy]);
        campaign.finish();
        let whole = campaign.bytes();
        let ends: Vec<usize> = (whole.iter().enumerate())
            .filter(|(_, byte)| **byte == b'\n')
            .map(|(place, _)| place + 1)
            .collect();
        // After some line, with or without a part of the next.
        let step = ends.len() / 3;
        for (number, end) in ends.iter().step_by(step).enumerate() {
            let cut = (end + 9 * (number % 2)).min(whole.len());
            std::fs::write(&campaign.log, &whole[..cut]).expect("a log");
            campaign.finish_by("late");
            let groups = groups(&campaign);
            assert_eq!(inverted(&groups), 0, "{strategy} cut at {cut}: {groups:?}");
        }
    }
}

#[test]
fn answers_that_come_one_by_one_settle_the_list_too() {
    for strategy in STRATEGIES {
        let campaign = Campaign::of(&candidates(), &["--strategy", strategy, "--votes", "3"]);
        // Half of the answers come back before more is asked.
        for turn in 0.. {
            assert!(turn < 300, "{strategy} never ends");
            let mut asked = campaign.next();
            if asked.is_empty() {
                break;
            }
            asked.truncate(asked.len().div_ceil(2));
            asked.iter_mut().for_each(|pair| pair.votes = 1);
            let said = campaign.add(&answers(&asked, &format!("turn{turn}-")), &[]);
            assert_eq!(said.code, 0, "{}", said.err);
        }
        groups(&campaign);
        assert_eq!(campaign.json("status", &[])["settled"], true, "{strategy}");
    }
}

#[test]
fn a_difference_that_matters_is_settable_recorded_and_makes_coarser_lists() {
    let groups_at = |matters: &str| {
        let options = ["--strategy", "pooled", "--seed", "3", "--matters", matters];
        let campaign = Campaign::of(&candidates(), &options);
        let log = String::from_utf8(campaign.bytes()).expect("text");
        let first = log.lines().next().expect("it is opened");
        assert!(first.contains(&format!("\"matters\":{matters}")), "{first}");
        campaign.finish();
        groups(&campaign).len()
    };
    let (fine, coarse) = (groups_at("0.05"), groups_at("0.95"));
    assert!(coarse < fine, "{coarse} {fine}");
    let usual = Campaign::of(&candidates(), &["--strategy", "pooled"]);
    let log = String::from_utf8(usual.bytes()).expect("text");
    assert!(log.contains("\"matters\":0.242"), "{log}");
}
