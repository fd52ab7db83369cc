//! Tests of actions of the organiser during a campaign, and of rankings and grades as judgments.

use std::fs;

use super::support::Campaign;
use crate::session::{Folder, Program, outcome_of, outcome_with, output_of};

pub(super) const ITEMS: &str = "query,item\nq1,x\nq1,y\nq1,z\nq2,u\nq2,v\n";

/// Creates a campaign of [`ITEMS`] with these options.
pub(super) fn small_campaign(options: &[&str]) -> Campaign {
    Campaign::with_candidates(ITEMS, &[&["--decide", "majority"], options].concat())
}

/// Returns answers of these assessors to all open pairs; they always prefer the item whose name
/// comes first in the alphabet.
pub(super) fn answers_to_open_pairs(campaign: &Campaign, people: &[&str]) -> String {
    let mut text = "query,a,b,assessor,answer\n".to_owned();
    for pair in campaign.next() {
        let answer = if pair.a < pair.b { "a" } else { "b" };
        for person in people {
            text.push_str(&format!(
                "{},{},{},{person},{answer}\n",
                pair.query, pair.a, pair.b
            ));
        }
    }
    text
}

#[test]
fn init_refuses_fewer_assessors_than_votes_per_pair() {
    let folder = Folder::new();
    let candidates = folder.file("c.csv", ITEMS);
    let log = folder.place("c.jsonl");
    let init = [
        "judge",
        "init",
        &log,
        "-c",
        &candidates,
        "--votes",
        "10",
        "--people",
    ];
    let said = outcome_of(&[&init[..], &["8"]].concat());
    assert_eq!(said.code, 2);
    said.says(&["wants 10 votes", "8 are invited", "use `--votes 8` or less"]);
    assert!(!folder.path("c.jsonl").exists());
    assert_eq!(outcome_of(&[&init[..], &["10"]].concat()).code, 0);
}

#[test]
fn a_campaign_with_too_few_assessors_is_reported_and_can_be_finished() {
    let campaign = small_campaign(&["--votes", "5"]);
    let people = ["ann", "bob", "cid"];
    campaign.add(&answers_to_open_pairs(&campaign, &people), &[]);
    let status = campaign.json("status", &[]);
    let stuck = &status["stuck"];
    assert_eq!((&stuck["people"], &stuck["votes"]), (&3.into(), &3.into()));
    assert_eq!(stuck["nothing_else"], true);
    let said = Program::new()
        .args(&["judge", "status", &campaign.log, "--format", "table"])
        .run();
    let text = (said.out + &said.err).replace('\n', " ");
    for words in [
        "more people than the",
        "nothing goes on without more people",
        "partita campaign votes",
    ] {
        assert!(text.contains(words), "{text}");
    }
    assert_eq!(campaign.run("votes", &["3"]).code, 0);
    for _ in 0..5 {
        campaign.add(&answers_to_open_pairs(&campaign, &people), &[]);
    }
    let status = campaign.json("status", &[]);
    assert_eq!(
        (&status["settled"], &status["stuck"]),
        (&true.into(), &().into())
    );
    let truth = campaign.output("export", &[]);
    assert!(truth.contains("q1,x,1\nq1,y,2\nq1,z,3\n"), "{truth}");
}

#[test]
fn single_lists_and_then_the_campaign_can_be_closed() {
    let campaign = small_campaign(&["--votes", "2"]);
    let first = answers_to_open_pairs(&campaign, &["ann"]);
    campaign.add(&first, &[]);
    assert_eq!(campaign.run("close", &["--query", "q1"]).code, 0);
    assert!(campaign.next().iter().all(|pair| pair.query == "q2"));
    campaign
        .run("close", &["--query", "q1"])
        .says(&["nothing changes"]);
    let all = campaign.run("close", &[]);
    all.says(&["the campaign is closed"]);
    let status = campaign.json("status", &[]);
    assert_eq!(
        (&status["closed"], &status["lists"][1]["closed"]),
        (&true.into(), &true.into())
    );
    let said = campaign.run("next", &[]);
    said.says(&["The campaign is closed"]);
    // Later answers are kept but do not count as votes.
    let late = campaign.add(&first.replace(",ann,", ",bob,"), &[]);
    assert!(late.out.contains("closed,"), "{}", late.out);
    for command in [&["pause"][..], &["extend", "--budget", "7"]] {
        let said = campaign.run(command[0], &command[1..]);
        assert_eq!(said.code, 2, "{}", said.err);
        said.says(&["the campaign is closed"]);
    }
    assert_eq!(campaign.run("verify", &[]).code, 0);
}

#[test]
fn no_pairs_are_asked_while_a_campaign_is_paused() {
    let campaign = small_campaign(&["--votes", "2"]);
    let asked = campaign.next();
    assert_eq!(campaign.run("pause", &[]).code, 0);
    campaign.run("pause", &[]).says(&["nothing changes"]);
    assert!(campaign.next().is_empty());
    campaign.run("next", &[]).says(&["The campaign is paused"]);
    assert_eq!(campaign.json("status", &[])["paused"], true);
    assert_eq!(campaign.run("resume", &[]).code, 0);
    assert_eq!(campaign.next().len(), asked.len());
}

#[test]
fn extend_adds_candidates_and_lists_to_a_campaign() {
    let campaign = small_campaign(&["--votes", "1"]);
    campaign.finish();
    let more = campaign.file("more.csv", "query,item\nq1,w\nq3,1\nq3,2\n");
    let said = campaign.run("extend", &["--candidates", &more]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.contains("q3,1,2,open"), "{}", said.out);
    for _ in 0..9 {
        campaign.add(&answers_to_open_pairs(&campaign, &["ann"]), &[]);
    }
    let truth = campaign.output("export", &["--settled"]);
    assert!(
        truth.contains("q3,1,1\nq3,2,2\n") && truth.contains("q1,w,"),
        "{truth}"
    );
    let again = campaign.run("extend", &["--candidates", &more]);
    assert_eq!(again.code, 2);
    again.says(&["`w` comes twice"]);
}

#[test]
fn an_answer_is_retracted_by_its_id_or_its_event_number() {
    let campaign = small_campaign(&["--votes", "1"]);
    let pair = campaign.next().remove(0);
    let text = format!(
        "query,a,b,assessor,answer,id\n{},{},{},ann,a,i1\n",
        pair.query, pair.a, pair.b
    );
    campaign.add(&text, &[]);
    let nothing = campaign.run("retract", &["--id", "i2", "--assessor", "ann"]);
    assert_eq!(nothing.code, 2);
    nothing.says(&["no answer with the id `i2`"]);
    let said = campaign.run(
        "retract",
        &["--id", "i1", "--assessor", "ann", "--reason", "slip"],
    );
    assert_eq!(said.code, 0, "{}", said.err);
    said.says(&["0 votes now, 1 before"]);
    let answers = campaign.output("export", &["--answers"]);
    assert!(answers.contains(",retracted,"), "{answers}");
    let again = campaign.run("retract", &["--event", "3"]);
    assert_eq!(again.code, 2, "{}", again.err);
    again.says(&["was taken back before"]);
    assert!(String::from_utf8_lossy(&campaign.bytes()).contains("\"reason\":\"slip\""));
}

#[test]
fn an_answer_repeated_with_the_same_id_is_not_added_again() {
    let campaign = small_campaign(&["--votes", "2"]);
    let pair = campaign.next().remove(0);
    let row = |answer: &str, seconds: f64, id: &str| {
        let (query, a, b) = (&pair.query, &pair.a, &pair.b);
        format!(
            "query,a,b,assessor,answer,seconds,id\n{query},{a},{b},ann,{answer},{seconds},{id}\n"
        )
    };
    campaign.add(&row("a", 3.0, "i1"), &[]);
    let before = campaign.bytes();
    let again = campaign.add(&row("a", 4.5, "i1"), &[]);
    assert!(again.out.contains("repeated,1"), "{}", again.out);
    assert!(campaign.bytes() == before, "nothing is written");
    let other = campaign.add(&row("b", 3.0, "i1"), &[]);
    assert_eq!(other.code, 2);
    other.says(&["the id `i1` of `ann` stands for another answer"]);
    // Two different answers with the same id in one file are refused too.
    let both = row("a", 3.0, "i2") + row("b", 3.0, "i2").lines().nth(1).expect("a row") + "\n";
    assert_eq!(campaign.add(&both, &[]).code, 2);
}

#[test]
fn assessor_names_are_compared_exactly_or_ignoring_case() {
    for (names, votes) in [("exact", 2), ("any-case", 1)] {
        let campaign = small_campaign(&["--votes", "5", "--names", names]);
        let text = answers_to_open_pairs(&campaign, &["ann", "ANN"]);
        let one: String = text
            .lines()
            .take(3)
            .map(|line| format!("{line}\n"))
            .collect();
        let said = campaign.add(&one, &[]);
        let kept = campaign.output("export", &["--answers", "counted"]);
        assert_eq!(kept.lines().count() - 1, votes, "{names}: {kept}");
        assert_eq!(
            said.err.contains("are two people here"),
            names == "exact",
            "{}",
            said.err
        );
        if names == "any-case" {
            assert_eq!(campaign.run("exclude", &["Ann"]).code, 0);
            assert_eq!(campaign.json("status", &[])["excluded"][0], "ann");
        }
    }
}

#[test]
fn overlong_names_and_control_characters_in_names_are_refused() {
    let campaign = small_campaign(&["--votes", "2"]);
    let pair = campaign.next().remove(0);
    let row = |person: &str| {
        format!(
            "query,a,b,assessor,answer\n{},{},{},{person},a\n",
            pair.query, pair.a, pair.b
        )
    };
    let before = campaign.bytes();
    let long = campaign.add(&row(&"p".repeat(10_000)), &[]);
    assert_eq!(long.code, 2);
    long.says(&["has 10000 bytes", "at most 256"]);
    let bell = campaign.add(&row("a\u{7}nn"), &[]);
    assert_eq!(bell.code, 2);
    bell.says(&["a control character"]);
    assert!(campaign.bytes() == before);
    assert_eq!(campaign.add(&row(&"p".repeat(256)), &[]).code, 0);
}

#[test]
fn gold_pairs_must_be_candidates_and_their_answers_are_not_votes() {
    let folder = Folder::new();
    let (candidates, log) = (folder.file("c.csv", ITEMS), folder.place("c.jsonl"));
    let init = |gold: &str| {
        let gold = folder.file("gold.csv", gold);
        let begin = [
            "judge",
            "init",
            &log,
            "-c",
            &candidates,
            "--votes",
            "1",
            "--gold",
            &gold,
        ];
        outcome_of(&begin)
    };
    for (gold, words) in [
        (
            "query,a,b,answer\nq1,x,nothing,a\n",
            "both must be candidates",
        ),
        ("query,a,b,answer\nq9,x,y,a\n", "there is no such query"),
        ("query,a,b,answer\nq1,x,x,a\n", "the same item"),
        ("query,a,b,answer\nq1,x,y,a\nq1,y,x,b\n", "comes twice"),
        ("query,a,b,answer\nq1,x,y,perhaps\n", "perhaps"),
    ] {
        let said = init(gold);
        assert_eq!(said.code, 2, "{gold}");
        said.says(&[words]);
        assert!(!folder.path("c.jsonl").exists());
    }
    assert_eq!(init("query,a,b,answer\nq1,x,y,a\n").code, 0);
    // No question was asked yet, so these answers count for the gold pair only.
    let right_and_wrong = "query,a,b,assessor,answer\nq1,x,y,ann,a\nq1,y,x,bob,a\n";
    let said = outcome_with(right_and_wrong, &["judge", "add", &log, "-"]);
    assert!(said.out.contains("gold,2"), "{}{}", said.out, said.err);
    let log_text = fs::read_to_string(&log).expect("a log");
    assert!(log_text.contains("\"event\":\"checked\""));
    assert!(
        log_text.contains("\"answer\":\"a\",\"expected\":\"b\""),
        "turned as it was shown"
    );
    let counted = output_of(&["judge", "export", &log, "--answers", "counted"]);
    assert_eq!(counted.lines().count(), 1, "{counted}");
}

#[test]
fn a_list_from_rankings_equals_that_of_truth_build() {
    let campaign = small_campaign(&["--kinds", "ranking", "--graders", "2"]);
    let rankings = "query,assessor,item,rank\n\
                    q1,ann,x,1\nq1,ann,y,2\nq1,ann,z,3\nq1,bob,x,1\nq1,bob,y,2.5\nq1,bob,z,2.5\n\
                    q1,cid,x,1\nq1,cid,y,2\nq1,cid,z,\n";
    let file = campaign.file("r.csv", rankings);
    let said = campaign.run("add", &[&file]);
    assert_eq!(said.code, 0, "{}", said.err);
    let again = campaign.json("add", &[&file]);
    assert_eq!(
        (&again["added"], &again["repeated"]),
        (&0.into(), &3.into())
    );
    let kept = campaign.output("export", &["--rankings"]);
    assert!(
        kept.contains("q1,bob,y,2.5\nq1,bob,z,2.5\n") && kept.contains("q1,cid,z,\n"),
        "{kept}"
    );
    let exported = campaign.file("kept.csv", &kept);
    let built = output_of(&["truth", "build", "--rankings", &exported]);
    assert_eq!(campaign.output("export", &[]), built);
    assert_eq!(output_of(&["truth", "build", "--rankings", &file]), built);
    let other = campaign.run("add", &[&file, "--kind", "grading"]);
    assert_eq!(other.code, 2);
    other.says(&["the campaign asks for ranking, not for grading"]);
}

#[test]
fn grades_become_gains_and_later_grades_replace_earlier_ones() {
    let campaign = small_campaign(&["--kinds", "preference,grading"]);
    let grades = "query,assessor,item,broad,fine\n\
                  q1,ann,x,SS,4\nq1,bob,x,VS,9\nq1,cid,x,VS,8\nq1,ann,y,NS,0\nq1,bob,y,SS,1\n";
    let said = campaign.add(grades, &["--kind", "grading"]);
    assert_eq!(said.code, 0, "{}", said.err);
    campaign.add(
        "query,assessor,item,broad,fine\nq1,ann,x,SS,7\n",
        &["--kind", "grading"],
    );
    let kept = campaign.output("export", &["--grades"]);
    assert!(
        kept.contains("q1,ann,x,SS,7\n") && !kept.contains("q1,ann,x,SS,4"),
        "{kept}"
    );
    let fine = campaign.output("export", &["--kind", "grading"]);
    assert_eq!(fine, "query,item,gain\nq1,x,8\nq1,y,0.5\n");
    let broad = campaign.output("export", &["--kind", "grading", "--scale", "broad"]);
    assert_eq!(broad, "query,item,gain\nq1,x,2\nq1,y,0.5\n");
    for (row, words) in [
        ("q1,ann,x,GREAT,7", "NS, SS or VS"),
        ("q1,ann,x,VS,101", "cannot be 101"),
        ("q1,ann,nothing,VS,1", "no candidate"),
        ("q1,ann,x,,", "neither broad nor fine"),
    ] {
        let text = format!("query,assessor,item,broad,fine\n{row}\n");
        let said = campaign.add(&text, &["--kind", "grading"]);
        assert_eq!(said.code, 2, "{row}");
        said.says(&[words]);
    }
}

#[test]
fn names_that_are_formulas_are_escaped_in_csv_unless_raw() {
    let campaign = small_campaign(&["--votes", "2"]);
    let pair = campaign.next().remove(0);
    let (query, a, b) = (&pair.query, &pair.a, &pair.b);
    campaign.add(
        &format!("query,a,b,assessor,answer,id\n{query},{a},{b},=cmd|' /C calc'!A0,a,@x\n"),
        &[],
    );
    let safe = campaign.output("export", &["--answers"]);
    assert!(
        safe.contains(",'=cmd|' /C calc'!A0,") && safe.contains(",'@x,"),
        "{safe}"
    );
    let raw = campaign.output("export", &["--answers", "--raw"]);
    assert!(
        raw.contains(",=cmd|' /C calc'!A0,") && raw.contains(",@x,"),
        "{raw}"
    );
}

#[test]
fn the_option_top_is_refused_if_longer_than_every_list() {
    let folder = Folder::with("c.csv", ITEMS);
    folder.refuses(
        "judge init c.jsonl -c c.csv --top 4",
        &["the head of 4 items is longer than every list: the longest has 3"],
    );
    assert!(!folder.path("c.jsonl").exists());
}

#[test]
fn a_long_list_gets_a_warning_about_the_running_time() {
    let mut items = "query,item\n".to_owned();
    (0..2_000).for_each(|item| items.push_str(&format!("q,i{item}\n")));
    let folder = Folder::with("c.csv", items);
    let said = folder.run("judge init c.jsonl -c c.csv --strategy pooled");
    assert_eq!(said.code, 0, "{}", said.err);
    said.says(&["takes about", "seconds each time"]);
    let sort = folder.run("judge init d.jsonl -c c.csv");
    assert!(!sort.err.contains("seconds each time"), "{}", sort.err);
}

#[test]
fn gold_pairs_without_a_query_are_refused_if_there_are_several_queries() {
    let folder = Folder::with("c.csv", "query,item\nq1,x\nq1,y\nq2,x\nq2,y\n")
        .and("gold.csv", "a,b,answer\nx,y,a\n");
    let begin = "judge init c.jsonl --candidates c.csv --gold gold.csv --gold-share 0.1";
    folder.refuses(
        begin,
        &["gold.csv:2", "names the query", "query, a, b and answer"],
    );
    assert!(!folder.path("c.jsonl").exists());
}
