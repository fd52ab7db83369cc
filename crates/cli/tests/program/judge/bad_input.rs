//! Tests that `partita judge` refuses invalid input and then leaves the log unchanged.

use crate::judge::support::{CANDIDATES, Campaign, answers};
use crate::session::outcome_of;

/// Asserts that `judge add` refuses these rows with a message that contains `expected`, and does
/// not change the log.
fn assert_rows_refused(campaign: &Campaign, rows: &str, options: &[&str], expected: &[&str]) {
    let bytes = campaign.bytes();
    let said = campaign.add(rows, options);
    assert_eq!(said.code, 2, "{rows}: {}", said.out);
    assert_eq!(said.out, "");
    for part in expected {
        assert!(said.err.contains(part), "{part}: {}", said.err);
    }
    assert!(bytes == campaign.bytes());
}

#[test]
fn invalid_answers_are_refused_with_their_line_and_nothing_is_added() {
    let campaign = Campaign::new(&[]);
    campaign.next();
    let header =
        "query,a,b,assessor,answer,time,campaign\nq2,a1,b1,ann,a,2026-01-01T00:00:00Z,trial\n";
    for (row, message) in [
        ("q9,a1,b1,ann,a,,", "the campaign has no query `q9`"),
        ("q2,a1,b2,ann,a,,", "`b2` is no candidate of the query `q2`"),
        ("q2,a1,a1,ann,a,,", "the item `a1` is compared with itself"),
        (
            "q2,a1,b1,ann,maybe,,",
            "an answer is `a`, `b` or `equal`, not `maybe`",
        ),
        ("q2,a1,b1,ann,a,2999-01-01T00:00:00Z,", "from the future"),
        ("q2,a1,b1,ann,a,tomorrow,", "`tomorrow` is no time"),
        (
            "q2,a1,b1,ann,a,,other",
            "this answer is of the campaign `other`, not of `trial`",
        ),
        ("q2,a1,b1,,a,,", "there is no assessor"),
        ("q2,a1,b1,ann", "expected 7 columns"),
    ] {
        let rows = format!("{header}{row}\n");
        assert_rows_refused(
            &campaign,
            &rows,
            &[],
            &["standard input:3:", message, "--partial"],
        );
    }
    assert_rows_refused(
        &campaign,
        "query,a,b\n",
        &[],
        &["the header names no column answer"],
    );
    let unnamed = "query,a,b,answer\nq2,a1,b1,a\n";
    assert_rows_refused(&campaign, unnamed, &[], &["no column says who answered"]);
    let unasked = "a,b,assessor,answer\na1,b1,ann,a\n";
    assert_rows_refused(&campaign, unasked, &[], &["no column says which query"]);
}

#[test]
fn every_invalid_line_is_listed_and_valid_ones_can_be_added() {
    let campaign = Campaign::new(&[]);
    let mut text = answers(&campaign.next(), "p");
    let good = text.lines().count() - 1;
    text.push_str("trial,q9,a1,b1,ann,a,,\ntrial,q2,a1,a1,ann,a,,\n");
    let lines = [good + 2, good + 3].map(|line| format!("standard input:{line}: "));
    assert_rows_refused(
        &campaign,
        &text,
        &[],
        &["2 answers rejected, nothing added", &lines[0], &lines[1]],
    );
    let said = campaign.add(&text, &["--partial", "--format", "json"]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(
        said.err.contains(&lines[0]) && said.err.contains(&lines[1]),
        "{}",
        said.err
    );
    let report: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
    assert_eq!(report["flags"]["counted"], good);
    assert_eq!(report["refused"][1]["line"], good + 3);
    // After the invalid lines are corrected, only they are new.
    let mended = text
        .replace("q9,a1,b1", "q2,a1,b1")
        .replace("a1,a1,ann", "a1,c1,bob");
    let said = campaign.add(&mended, &["--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
    assert_eq!(
        (&report["added"], &report["flags"]["repeated"]),
        (&2.into(), &good.into())
    );
}

#[test]
fn the_option_now_sets_the_current_time() {
    let campaign = Campaign::new(&[]);
    campaign.next();
    let rows = "query,a,b,assessor,answer,time\nq2,a1,b1,ann,a,2020-06-01T12:00:00Z\n";
    assert_rows_refused(
        &campaign,
        rows,
        &["--now", "2020-06-01T00:00:00Z"],
        &["by 12 hours", "time zone"],
    );
    assert_eq!(
        campaign.add(rows, &["--now", "2020-06-01T12:00:00Z"]).code,
        0
    );
    let said = campaign.add(rows, &["--now", "soon"]);
    assert_eq!(said.code, 2);
}

#[test]
fn init_never_overwrites_a_log_and_refuses_invalid_settings() {
    let campaign = Campaign::new(&[]);
    let bytes = campaign.bytes();
    let candidates = campaign.file("again.csv", CANDIDATES);
    let said = outcome_of(&["judge", "init", &campaign.log, "-c", &candidates]);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("never overwritten"), "{}", said.err);
    assert!(bytes == campaign.bytes());
    let other = campaign.log.replace("trial", "other");
    for (options, message) in [
        (["--votes", "0"], "votes on a pair must be from 1 to 30"),
        (["--alpha", "2"], "alpha must be between 0 and 1"),
        (
            ["--strategy", "magic"],
            "hint: the strategies are sort, sort-ordered, sort-curtailed",
        ),
        (["--decide", "coin"], "no decision rule is called `coin`"),
        (["--held-out", "1.5"], "must be from 0 to 1"),
        (["--confidence", "0"], "the confidence must be above 0"),
        (["--reward", "inf"], "--reward must be at least 0"),
        (["--top", "0"], "at least 1"),
    ] {
        let begin = ["judge", "init", &other, "-c", &candidates];
        let said = outcome_of(&[&begin[..], &options].concat());
        assert_eq!(said.code, 2, "{options:?}");
        assert!(said.err.contains(message), "{message}: {}", said.err);
        assert!(!std::path::Path::new(&other).exists());
    }
    for (text, message) in [
        ("", "there is nothing in this file"),
        ("item\nx\n", "the header names no column query"),
        ("query,item\n", "no candidate after it"),
        ("query,thing\nq,x\n", "the header names no column item"),
        (
            "query,item\nq,x\nq,x\n",
            "x.csv:3: `x` comes twice for the query `q`; first on line 2",
        ),
        (
            "query,item,prior\nq,x,soon\n",
            "x.csv:2:5: the prior must be a number, not `soon`",
        ),
        (
            "query,item,same_as\nq,x,z\n",
            "`x` is said to be the same as `z`",
        ),
        ("query,item\n,x\n", "x.csv:2:1: the query has no name"),
    ] {
        let candidates = campaign.file("x.csv", text);
        let said = outcome_of(&["judge", "init", &other, "-c", &candidates]);
        assert_eq!(said.code, 2, "{text}");
        assert!(said.err.contains(message), "{message}: {}", said.err);
        assert!(!std::path::Path::new(&other).exists());
    }
}

#[test]
fn every_command_refuses_a_file_that_is_not_a_log() {
    let campaign = Campaign::new(&[]);
    let other = campaign.file("other.csv", "query,a,b\n");
    let missing = campaign.log.replace("trial", "missing");
    for command in ["next", "status", "decide", "export", "replay"] {
        let said = outcome_of(&["judge", command, &other]);
        assert_eq!(said.code, 2);
        assert!(
            said.err
                .contains("other.csv:1: this is no log of a campaign"),
            "{}",
            said.err
        );
        let said = outcome_of(&["judge", command, &missing]);
        assert_eq!(said.code, 2);
        assert!(
            said.err
                .contains("`partita campaign init` creates a campaign"),
            "{}",
            said.err
        );
    }
    assert_eq!(
        std::fs::read_to_string(&other).expect("a file"),
        "query,a,b\n"
    );
}

#[test]
fn every_error_in_the_specification_of_a_log_is_reported_with_its_position() {
    let campaign = Campaign::new(&[]);
    let text = String::from_utf8(campaign.bytes()).expect("text");
    let text = text
        .replacen("\"kinds\":[\"preference\"]", "\"kinds\":[\"taste\"]", 1)
        .replacen("\"votes\":10", "\"votes\":\"ten\",\"votez\":3", 1)
        .replacen("\"confidence\":0.9", "\"confidence\":2", 1);
    let log = campaign.file("invalid.jsonl", &text);
    for command in [
        &["judge", "status"][..],
        &["judge", "export"],
        &["judge", "close"],
        &["truth", "build"],
        &["campaign", "create", "--data", "none"],
    ] {
        let said = outcome_of(&[command, &[log.as_str()]].concat());
        assert_eq!(said.code, 2, "{command:?}: {}", said.err);
        for pointer in [
            "kinds/0",
            "settings/votes",
            "settings/votez",
            "settings/confidence",
        ] {
            let place = format!("invalid.jsonl:1: /spec/{pointer}: ");
            assert!(said.err.contains(&place), "{place}: {}", said.err);
        }
        assert!(!said.err.contains("hint"), "{}", said.err);
    }
    assert_eq!(std::fs::read_to_string(&log).expect("a file"), text);
}

#[test]
fn excluding_an_unknown_assessor_is_refused() {
    let campaign = Campaign::new(&[]);
    let bytes = campaign.bytes();
    let said = campaign.run("exclude", &["zoe"]);
    assert_eq!(said.code, 2);
    assert!(
        said.err.contains("nobody called `zoe` has answered"),
        "{}",
        said.err
    );
    assert_eq!(campaign.run("screen", &[]).code, 2);
    assert!(bytes == campaign.bytes());
}
