//! Tests of the log of a campaign: its lines, its version, its integrity, and its use as
//! preferences.

use std::fs;

use serde_json::Value;

use super::organiser::{answers_to_open_pairs, small_campaign};
use super::support::{Campaign, answers};
use crate::session::{outcome_of, output_of};

fn lines(campaign: &Campaign) -> Vec<Value> {
    let text = String::from_utf8(campaign.bytes()).expect("UTF-8");
    let parse = |line| serde_json::from_str(line).expect("JSON");
    text.lines().map(parse).collect()
}

#[test]
fn every_line_has_the_time_and_the_author() {
    let campaign = Campaign::new(&["--author", "ann"]);
    let said = campaign.run(
        "next",
        &["--now", "2026-01-06T00:00:00Z", "--author", "bob"],
    );
    assert_eq!(said.code, 0, "{}", said.err);
    let lines = lines(&campaign);
    let shown = |line: &Value| format!("{} {} {}", line["seq"], line["at"], line["author"]);
    assert_eq!(shown(&lines[0]), "1 \"2026-01-05T00:00:00.000Z\" \"ann\"");
    assert_eq!(shown(&lines[1]), "2 \"2026-01-06T00:00:00.000Z\" \"bob\"");
    let said = campaign.run("next", &["--author", " "]);
    assert_eq!(said.code, 2);
    assert!(
        said.err.contains("the author must have a name"),
        "{}",
        said.err
    );
    // Without --now the time is that of the system clock.
    let text = answers(&campaign.next(), "p");
    campaign.add(&text, &[]);
    let at = self::lines(&campaign).pop().expect("a line")["at"].to_string();
    assert!(!at.contains("2026-01-0"), "{at}");
}

#[test]
fn a_changed_answer_in_the_log_is_reported_with_its_line() {
    let campaign = Campaign::new(&[]);
    campaign.add(&answers(&campaign.next(), "p"), &[]);
    let text = String::from_utf8(campaign.bytes()).expect("UTF-8");
    let changed = text.replacen("\"answer\":\"a\"", "\"answer\":\"b\"", 1);
    let line = 1
        + (text.lines().zip(changed.lines()))
            .position(|(old, new)| old != new)
            .expect("a changed line");
    fs::write(&campaign.log, &changed).expect("a log");
    for command in ["status", "next", "export"] {
        let said = campaign.run(command, &[]);
        assert_eq!(said.code, 2);
        let place = format!("trial.jsonl:{line}: event {line} was changed");
        assert!(said.err.contains(&place), "{}", said.err);
    }
    assert!(
        campaign.bytes() == changed.as_bytes(),
        "and it is left alone"
    );
}

#[test]
fn a_log_of_an_unknown_version_is_refused_with_a_hint() {
    let campaign = Campaign::new(&[]);
    let text = String::from_utf8(campaign.bytes()).expect("UTF-8");
    for version in [0, 2] {
        let changed = text.replacen("\"version\":1", &format!("\"version\":{version}"), 1);
        fs::write(&campaign.log, &changed).expect("a log");
        for command in ["status", "next"] {
            let said = campaign.run(command, &[]);
            assert_eq!(said.code, 2);
            let place = format!("trial.jsonl:1: the log has version {version},");
            assert!(said.err.contains(&place), "{}", said.err);
            assert!(said.err.contains("update partita"), "{}", said.err);
        }
        assert!(campaign.bytes() == changed.as_bytes(), "it is left alone");
    }
}

#[test]
fn adopted_answers_of_an_earlier_campaign_settle_the_lists() {
    // An earlier campaign with the same lists.
    let old = Campaign::new(&["--name", "pilot", "--seed", "7"]);
    let mut text = String::new();
    for _ in 0..100 {
        let asked = old.output("next", &[]);
        let asked: Vec<_> = (asked.lines().skip(1))
            .map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>())
            .collect();
        if asked.is_empty() {
            break;
        }
        text = "query,a,b,assessor,answer\n".to_owned();
        for pair in &asked {
            for person in 0..pair[6].parse::<usize>().expect("votes") {
                let (a, b) = (&pair[4], &pair[5]);
                let answer = match a[..1].cmp(&b[..1]) {
                    std::cmp::Ordering::Less => "a",
                    std::cmp::Ordering::Equal => "equal",
                    std::cmp::Ordering::Greater => "b",
                };
                text += &format!("{},{a},{b},w{person},{answer}\n", pair[3]);
            }
        }
        assert_eq!(old.add(&text, &[]).code, 0);
    }
    let answers = old.output("export", &["--answers", "counted"]);
    let campaign = Campaign::new(&["--seed", "7"]);
    let said = campaign.add(&answers, &[]);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("of the campaign `pilot`"), "{}", said.err);
    let said = campaign.add(&answers, &["--adopt", "--format", "csv"]);
    assert_eq!(said.code, 0, "{}", said.err);
    let count = answers.lines().count() - 1;
    assert_eq!(said.out, format!("flag,answers\nspare,{count}\n"));
    let said = campaign.add(&answers, &["--adopt", "--format", "csv"]);
    assert_eq!(said.out, format!("flag,answers\nrepeated,{count}\n"));
    assert_eq!(campaign.next(), []);
    let status = campaign.json("status", &[]);
    assert_eq!(status["settled"], true);
    assert_eq!(
        (&status["expected_votes"], status.get("cost")),
        (&Value::from(0.0), None)
    );
    assert_eq!(
        campaign.output("export", &["--format", "notation"]),
        old.output("export", &["--format", "notation"])
    );
    let kept = campaign.output("export", &["--answers"]);
    assert!(
        kept.lines().skip(1).all(|line| line.contains(",adopted ")),
        "{kept}"
    );
    assert!(!text.is_empty());
}

#[test]
fn every_command_that_analyses_answers_accepts_a_log() {
    let campaign = Campaign::new(&["--decide", "sign", "--alpha", "0.2"]);
    campaign.finish();
    let exported = campaign.output("export", &["--answers"]);
    let batches: Vec<&str> = (exported.lines().skip(1))
        .filter_map(|line| line.split(',').nth(9))
        .collect();
    assert!(
        batches.contains(&"1") && batches.contains(&"2"),
        "{exported}"
    );
    let file = campaign.file("answers.csv", &exported);
    let truth = campaign.file("truth.csv", &campaign.output("export", &[]));
    let rule = ["--decide", "sign", "--alpha", "0.2"];
    let commands: [(&[&str], &[&str]); 3] = [
        (&["judge", "batches", "--format", "json"], &[]),
        (&["judge", "screen", "--format", "json"], &[]),
        (
            &["judge", "agree", "--against", &truth, "--by", "batch"],
            &rule,
        ),
    ];
    for (command, rule) in commands {
        let of = |name: &str, rule: &[&str]| {
            let out = output_of(&[command, &["--preferences", name], rule].concat());
            out.replace(name, "FILE")
        };
        assert_eq!(of(&campaign.log, &[]), of(&file, rule), "{command:?}");
    }
    // Answers of excluded assessors are not used, and a warning says so.
    let person = exported
        .lines()
        .nth(1)
        .and_then(|line| line.split(',').nth(5));
    campaign.output("exclude", &[person.expect("a name")]);
    let said = outcome_of(&["judge", "batches", "--preferences", &campaign.log]);
    assert!(
        said.err.contains("answers of excluded people"),
        "{}",
        said.err
    );
}

#[test]
fn a_stored_chain_head_reveals_a_truncated_log() {
    let campaign = small_campaign(&["--votes", "2"]);
    campaign.next();
    let head = campaign.output("verify", &["--head"]);
    assert_eq!(head.trim().len(), 64);
    campaign.add(&answers_to_open_pairs(&campaign, &["ann"]), &[]);
    assert_eq!(campaign.run("verify", &["--expect", head.trim()]).code, 0);
    let text = String::from_utf8(campaign.bytes()).expect("UTF-8");
    let first: String = text
        .lines()
        .take(1)
        .map(|line| format!("{line}\n"))
        .collect();
    fs::write(&campaign.log, first).expect("a log");
    assert_eq!(campaign.run("verify", &[]).code, 0, "sound in itself");
    let said = campaign.run("verify", &["--expect", head.trim()]);
    assert_eq!(said.code, 1);
    said.says(&["truncated or rewritten"]);
}

#[test]
fn every_command_reports_the_first_changed_removed_or_moved_event() {
    let campaign = small_campaign(&["--votes", "2"]);
    campaign.add(&answers_to_open_pairs(&campaign, &["ann"]), &[]);
    let text = String::from_utf8(campaign.bytes()).expect("UTF-8");
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    assert!(lines.len() > 4);
    let without: String = lines[..2].iter().chain(&lines[3..]).copied().collect();
    let swapped = [lines[0], lines[1], lines[3], lines[2]].concat() + &lines[4..].concat();
    let changed = text.replacen("\"ann\"", "\"bob\"", 1);
    for (damaged, words) in [
        (without, "event 3 was taken out or moved"),
        (swapped, "event 3 was taken out or moved"),
        (changed, "event 3 was changed"),
    ] {
        fs::write(&campaign.log, damaged).expect("a log");
        for (command, code) in [
            ("verify", 1),
            ("status", 2),
            ("next", 2),
            ("pause", 2),
            ("replay", 2),
        ] {
            let said = campaign.run(command, &[]);
            assert_eq!(said.code, code, "{command}: {}", said.err);
            said.says(&[words]);
        }
    }
}

#[test]
fn empty_last_lines_and_crlf_line_ends_are_not_damage() {
    let campaign = small_campaign(&["--votes", "2"]);
    let answers = answers_to_open_pairs(&campaign, &["ann"]);
    let text = String::from_utf8(campaign.bytes()).expect("UTF-8");
    for edited in [
        text.clone() + "\n",
        text.clone() + "\r\n\n",
        text.replace('\n', "\r\n"),
    ] {
        fs::write(&campaign.log, &edited).expect("a log");
        assert_eq!(campaign.run("verify", &[]).code, 0, "{edited:?}");
        let said = campaign.add(&answers, &[]);
        assert_eq!(said.code, 0, "{}", said.err);
        assert_eq!(campaign.run("verify", &[]).code, 0, "and it is carried on");
    }
}

#[test]
fn an_unknown_event_is_refused_with_a_hint_to_update() {
    let campaign = small_campaign(&["--votes", "2"]);
    let mut text = String::from_utf8(campaign.bytes()).expect("UTF-8");
    text.push_str("{\"seq\":2,\"at\":\"2030-01-01T00:00:00.000Z\",\"author\":\"o\",\"event\":\"dreamt\",\"chain\":\"");
    text.push_str(&"0".repeat(64));
    text.push_str("\"}\n");
    fs::write(&campaign.log, text).expect("a log");
    let said = campaign.run("status", &[]);
    assert_eq!(said.code, 2);
    said.says(&["`dreamt`", "update partita"]);
    assert!(
        !said.err.contains("changed by another program"),
        "{}",
        said.err
    );
}
