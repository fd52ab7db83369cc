//! Tests of `partita campaign exclude`, `readmit`, `verify` and `export --answers`.

use std::fs;

use crate::judge::support::{Campaign, answers};
use crate::session::outcome_of;

/// Creates a campaign of three items for q1 and two items for q2, with two votes per pair.
fn small_campaign() -> Campaign {
    let candidates = "query,item\nq1,x\nq1,y\nq1,z\nq2,u\nq2,v\n";
    Campaign::with_candidates(candidates, &["--votes", "2", "--decide", "majority"])
}

/// Adds answers to the first questions of a campaign.
fn answer_once(campaign: &Campaign) {
    let asked = campaign.next();
    assert_eq!(campaign.add(&answers(&asked, "p"), &[]).code, 0);
}

#[test]
fn answers_are_exported_only_as_csv() {
    let campaign = small_campaign();
    answer_once(&campaign);
    let usual = campaign.output("export", &["--answers"]);
    let asked = campaign.output("export", &["--answers", "--format", "csv"]);
    assert_eq!(asked, usual);
    let said = campaign.run("export", &["--answers", "--format", "json"]);
    assert_eq!(said.code, 2);
    said.says(&["answers, rankings and grades are written as CSV only"]);
}

#[test]
fn several_assessors_are_excluded_together_or_not_at_all() {
    let campaign = Campaign::new(&["--votes", "3"]);
    let asked = campaign.next();
    assert_eq!(campaign.add(&answers(&asked, "p"), &[]).code, 0);
    let kept = campaign.output("export", &["--answers"]);
    let names: Vec<String> = (kept.lines().skip(1))
        .filter_map(|line| line.split(',').nth(5))
        .map(str::to_owned)
        .collect();
    let state = campaign.output("replay", &[]);
    let bytes = campaign.bytes();
    let said = campaign.run("exclude", &[&names[0], "zoe"]);
    assert_eq!(said.code, 2);
    said.says(&["nobody called `zoe` has answered"]);
    assert!(bytes == campaign.bytes());
    let both = [names[0].as_str(), names[1].as_str()];
    let said = campaign.run("exclude", &[&both[..], &["--format", "table"]].concat());
    said.says(&["open again"]);
    assert!(said.out.contains("Open again"), "{}", said.out);
    let again = campaign.run("exclude", &[&both[..1], &["--format", "table"]].concat());
    again.says(&["is already excluded; nothing changes"]);
    assert_eq!(again.out, "No pair is open again.\n");
    campaign.output("readmit", &both);
    let votes = |text: &str| text.matches("\"counted\"").count();
    assert_eq!(votes(&state), votes(&campaign.output("replay", &[])));
}

#[test]
fn verify_accepts_an_unchanged_log_and_rejects_changes() {
    let campaign = small_campaign();
    answer_once(&campaign);
    let said = campaign.run("verify", &[]);
    assert_eq!(said.code, 0);
    let chain = said
        .out
        .trim()
        .rsplit(' ')
        .next()
        .expect("a chain")
        .to_owned();
    assert!(said.out.contains(": sound, "), "{}", said.out);
    assert_eq!(
        campaign
            .run("verify", &["--chain", &chain.to_uppercase()])
            .code,
        0
    );
    let text = String::from_utf8(campaign.bytes()).expect("a text");
    let no = |bytes: &str, options: &[&str], words: &str| {
        let other = campaign.file("other.jsonl", bytes);
        let verify = ["judge", "verify", &other];
        let said = outcome_of(&[&verify[..], options].concat());
        assert_eq!(said.code, 1, "{words}: {}", said.err);
        said.says(&[words]);
    };
    no(&text.replacen("\"p", "\"r", 1), &[], "line ");
    no(&text[..text.len() - 9], &[], "the last line is unfinished");
    no("", &[], "there is nothing in it");
    no("query,item\n", &[], "line 1: ");
    // A log truncated after a complete line is valid in itself; only a stored chain value reveals
    // it.
    let shorter: String = text.split_inclusive('\n').take(3).collect();
    no(&shorter, &["--chain", &chain], "no event has the chain ");
    let fewer = campaign.file("other.jsonl", &shorter);
    assert_eq!(outcome_of(&["judge", "verify", &fewer]).code, 0);
    let missing = outcome_of(&["judge", "verify", "nowhere.jsonl"]);
    assert_eq!(missing.code, 2);
    fs::remove_file(&campaign.log).expect("a log");
}

/// The pooled strategy also records batches without new questions, to use surplus answers.
#[test]
fn only_batches_with_new_questions_are_counted() {
    let campaign = Campaign::new(&["--strategy", "pooled", "--budget", "60", "--votes", "4"]);
    let mut handed_out = 0;
    for _ in 0..100 {
        let asked = campaign.next();
        if asked.is_empty() {
            break;
        }
        handed_out += usize::from(asked.iter().any(|pair| pair.state == "new"));
        assert_eq!(campaign.add(&answers(&asked, "p"), &[]).code, 0);
    }
    let log = String::from_utf8(campaign.bytes()).expect("a text");
    let asked = log
        .lines()
        .filter(|line| line.contains("\"event\":\"asked\""));
    let empty =
        |line: &&str| line.matches("\"more\":").count() == line.matches("\"more\":0").count();
    let asking = asked.filter(|line| !empty(line)).count();
    let status = campaign.json("status", &[]);
    assert_eq!(status["batches"], asking);
    assert!(handed_out <= asking && handed_out > 0);
    let table = campaign.output("status", &["--format", "table"]);
    assert!(!table.contains("about 0 votes"), "{table}");
    let said = campaign.run("next", &["--format", "table"]);
    assert_eq!(said.out, "There is nothing to ask now.\n");
}
