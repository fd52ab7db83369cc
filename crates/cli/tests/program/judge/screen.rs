//! Tests of `partita campaign screen` on the log of a campaign.

use crate::judge::support::{Campaign, answers};
use crate::session::output_of;

/// Adds the answers of nine attentive assessors, and of the assessor `robot`, who always answers
/// equal.
fn add_answers_with_a_robot(campaign: &Campaign) {
    let asked = campaign.next();
    let text = answers(&asked, "p");
    // Rename the assessors so that the same ten answer all pairs and have enough answers for
    // screening.
    let mut shared = String::new();
    for line in text.lines() {
        let mut columns: Vec<String> = line.split(',').map(str::to_owned).collect();
        if let Some((_, person)) = columns[4].clone().rsplit_once('-') {
            columns[4] = format!("p{person}");
            if person == "9" {
                columns[4] = "robot".to_owned();
                columns[5] = "equal".to_owned();
            }
        }
        shared.push_str(&(columns.join(",") + "\n"));
    }
    let said = campaign.add(&shared, &[]);
    assert_eq!(said.code, 0, "{}", said.err);
}

#[test]
fn every_assessor_has_a_screening_card() {
    let campaign = Campaign::new(&[]);
    add_answers_with_a_robot(&campaign);
    let found = campaign.json("screen", &[]);
    let cards = found["assessors"].as_array().expect("cards");
    assert_eq!(cards.len(), 10);
    let answers: u64 = cards
        .iter()
        .filter_map(|card| card["answers"].as_u64())
        .sum();
    let kept = campaign.output("export", &["--answers"]);
    assert_eq!(answers as usize, kept.lines().count() - 1);
    let robot = cards.iter().find(|card| card["assessor"] == "robot");
    let robot = robot.expect("a card");
    assert_eq!(robot["frequent"]["answer"], "equal");
    assert_eq!(robot["frequent"]["share"], 1.0);
    let agreement = |card: &serde_json::Value| card["agreement"]["agreement"].as_f64();
    let others = cards.iter().filter(|card| card["assessor"] != "robot");
    for other in others {
        assert!(agreement(robot) < agreement(other), "{other}");
    }
    let csv = campaign.output("screen", &["--format", "csv"]);
    assert!(csv.starts_with("assessor,answers,a,equal,b,"), "{csv}");
    assert_eq!(csv.lines().count(), 11);
    let table = campaign.output("screen", &["--format", "table"]);
    assert!(table.contains("nobody is excluded"), "{table}");
}

#[test]
fn house_screening_leaves_out_excluded_people_and_changes_nothing() {
    let campaign = Campaign::new(&[]);
    add_answers_with_a_robot(&campaign);
    let bytes = campaign.bytes();
    campaign.output("screen", &[]);
    assert!(bytes == campaign.bytes());
    let report = campaign.json("exclude", &["robot"]);
    assert_eq!(report["excluded"], serde_json::json!(["robot"]));
    let status = campaign.json("status", &[]);
    assert_eq!(status["excluded"], serde_json::json!(["robot"]));
    // Excluded assessors have no card, whichever way the log is named.
    let found = campaign.json("screen", &[]);
    assert_eq!(found["assessors"].as_array().expect("cards").len(), 9);
    let warnings = found["warnings"].as_array().expect("warnings");
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    let arguments = ["judge", "screen", "--preferences", &campaign.log];
    let by_option = output_of(&[&arguments[..], &["--format", "json"]].concat());
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&by_option).ok(),
        Some(found)
    );
    let said = campaign.run("exclude", &["nobody"]);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("nobody called `nobody`"), "{}", said.err);
}

#[test]
fn screening_without_answers_is_refused() {
    let campaign = Campaign::new(&[]);
    campaign.next();
    let said = campaign.run("screen", &[]);
    assert_eq!((said.code, said.out.as_str()), (2, ""));
    assert!(
        said.err.contains("trial.jsonl: nobody has answered yet"),
        "{}",
        said.err
    );
}

#[test]
fn a_log_and_a_file_of_answers_exclude_each_other() {
    let campaign = Campaign::new(&[]);
    let said = campaign.run("screen", &["--preferences", "answers.csv"]);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("cannot be used with"), "{}", said.err);
}
