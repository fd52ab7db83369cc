//! Logs of campaigns where judgments or a ground truth are read: `partita truth build`, `truth check`,
//! `evaluate --truth` and `compare`.

use super::support::Campaign;
use crate::session::{outcome_of, output_of};

/// Rankings of q2 by three people.
const RANKINGS: &str = "query,assessor,item,rank\n\
                        q2,ann,a1,1\nq2,ann,b1,2\nq2,ann,c1,3\nq2,bob,a1,1\nq2,bob,b1,2\nq2,bob,c1,3\n\
                        q2,cid,a1,1\nq2,cid,b1,2.5\nq2,cid,c1,2.5\n";

/// Grades of q2 by two people.
const GRADES: &str = "query,assessor,item,broad,fine\n\
                      q2,ann,a1,VS,9\nq2,ann,b1,SS,6\nq2,ann,c1,NS,0\n\
                      q2,bob,a1,VS,8\nq2,bob,b1,VS,7\nq2,bob,c1,NS,0\n";

const RUN: &str = "q1 Q0 b1 1 3 one\nq1 Q0 a1 2 2 one\nq2 Q0 b1 1 3 one\nq2 Q0 a1 2 2 one\n";

/// Campaigns of every kind of judgment, each with its judgments.
fn campaigns() -> Vec<Campaign> {
    let strict = Campaign::new(&["--decide", "sign", "--alpha", "0.2", "--seed", "7"]);
    strict.finish();
    let unfinished = Campaign::new(&["--votes", "2"]);
    unfinished.next();
    let pooled = Campaign::new(&["--strategy", "pooled", "--votes", "3"]);
    pooled.finish();
    let ranked = Campaign::new(&["--kinds", "ranking"]);
    assert_eq!(ranked.add(RANKINGS, &[]).code, 0);
    let graded = Campaign::new(&["--kinds", "grading"]);
    assert_eq!(graded.add(GRADES, &[]).code, 0);
    vec![strict, unfinished, pooled, ranked, graded]
}

#[test]
fn a_log_gives_the_lists_that_export_writes() {
    for campaign in campaigns() {
        for format in ["csv", "json", "qrels", "notation"] {
            let exported = campaign.output("export", &["--format", format]);
            let built = output_of(&["truth", "build", &campaign.log, "--format", format]);
            assert_eq!(built, exported);
        }
        let one = output_of(&["truth", "build", &campaign.log, "--query", "q2"]);
        assert_eq!(one, campaign.output("export", &["--query", "q2"]));
        let truth = campaign.file("truth.csv", &campaign.output("export", &[]));
        let run = campaign.file("one.run", RUN);
        let score = |truth: &str| {
            let ask = [
                "evaluate",
                "--truth",
                truth,
                &run,
                "-m",
                "ADR,nDCG",
                "--per-query",
            ];
            output_of(&ask)
        };
        assert_eq!(score(&campaign.log), score(&truth));
    }
}

#[test]
fn excluded_people_have_no_say_in_the_lists_of_a_log() {
    let campaign = Campaign::new(&["--kinds", "preference,grading", "--votes", "2"]);
    let graded = campaign.add(GRADES, &["--kind", "grading"]);
    assert_eq!(graded.code, 0, "{}", graded.err);
    let build = || output_of(&["truth", "build", "--grades", &campaign.log]);
    assert_eq!(build(), "query,item,gain\nq2,a1,8.5\nq2,b1,6.5\nq2,c1,0\n");
    campaign.output("exclude", &["ann"]);
    assert_eq!(build(), "query,item,gain\nq2,a1,8\nq2,b1,7\nq2,c1,0\n");
    assert_eq!(build(), campaign.output("export", &["--kind", "grading"]));
    let ranked = outcome_of(&["truth", "build", "--rankings", &campaign.log]);
    assert_eq!(ranked.code, 2);
    ranked.says(&["the campaign asks for preference and grading, not for ranking"]);
}

#[test]
fn a_log_is_checked_with_its_own_rule_and_lists() {
    for (campaign, option) in campaigns()
        .iter()
        .zip(["answers", "", "answers", "rankings", ""])
    {
        let log = &campaign.log;
        if option.is_empty() {
            continue;
        }
        let exported = campaign.file(
            "exported.csv",
            &campaign.output("export", &[&format!("--{option}")]),
        );
        let truth = campaign.file("truth.csv", &campaign.output("export", &[]));
        let spec = std::fs::read_to_string(log).expect("a log");
        let rule: &[&str] = if spec.contains("\"decide\":\"sign\"") {
            &["--decide", "sign", "--alpha", "0.2"]
        } else {
            &[]
        };
        // The bootstrap of votes makes lists as the campaign does, and so differs from that of a file.
        let bootstrap: &[&str] = match option {
            "rankings" => &["--bootstrap", "20"],
            _ => &[],
        };
        let files = ["truth", "check", "--truth", &truth, &exported];
        let file = output_of(&[&files, bootstrap, rule].concat());
        let own = output_of(&[&["truth", "check", log], bootstrap].concat());
        assert_eq!(own, file);
        let with_truth = ["truth", "check", log, "--truth", &truth];
        assert_eq!(output_of(&[&with_truth, bootstrap].concat()), file);
    }
}

#[test]
fn the_scores_of_runs_against_a_log_can_be_compared() {
    let mut candidates = "query,item\n".to_owned();
    let (mut one, mut two) = (String::new(), String::new());
    for query in 1..=4 {
        candidates += &format!("q{query},a1\nq{query},b1\nq{query},c1\n");
        one += &format!("q{query} Q0 a1 1 2 one\nq{query} Q0 b1 2 1 one\n");
        two += &format!("q{query} Q0 c1 1 2 two\nq{query} Q0 a{query} 2 1 two\n");
    }
    let campaign = Campaign::with_candidates(&candidates, &["--votes", "2"]);
    campaign.finish();
    let runs = [
        campaign.file("one.run", &one),
        campaign.file("two.run", &two),
    ];
    let score = ["evaluate", "--truth", &campaign.log, &runs[0], &runs[1]];
    let scores = output_of(&[&score[..], &["--per-query"]].concat());
    let scores = campaign.file("scores.csv", &scores);
    let compared = output_of(&["compare", &scores, "--test", "t"]);
    assert!(compared.contains("one,two"), "{compared}");
}

#[test]
fn options_that_contradict_a_log_are_refused_and_export_is_named() {
    let campaigns = campaigns();
    let (preferences, ranked, graded) = (&campaigns[0], &campaigns[3], &campaigns[4]);
    for (campaign, command, option, export) in [
        (preferences, "build", "--decide=mwu", "--answers"),
        (preferences, "build", "--strategy=pooled", "--answers"),
        (preferences, "build", "--alpha=0.1", "--answers"),
        (preferences, "build", "--seed=2", "--answers"),
        (preferences, "check", "--decide=mwu", "--answers"),
        (preferences, "check", "--alpha=0.1", "--answers"),
        (ranked, "build", "--aggregate=all-2", "--rankings"),
        (ranked, "check", "--build-alpha=0.1", "--rankings"),
        (graded, "check", "--decide=sign", "--grades"),
    ] {
        for log in [vec![&*campaign.log], vec!["--preferences", &campaign.log]] {
            if log.len() > 1 && export != "--answers" {
                continue;
            }
            let said = outcome_of(&[&["truth", command, option], &log[..]].concat());
            assert_eq!(said.code, 2, "{option}");
            assert_eq!(said.out, "");
            let (name, _) = option.split_once('=').expect("a value");
            let export = format!("`partita campaign export {} {export}`", campaign.log);
            said.says(&[
                &format!("{name} cannot be used with"),
                "has its own",
                &export,
            ]);
        }
    }
    output_of(&[
        "truth",
        "check",
        &ranked.log,
        "--alpha",
        "0.1",
        "--seed",
        "3",
    ]);
}

#[test]
fn lists_that_are_not_settled_are_used_with_a_warning() {
    let campaign = Campaign::new(&["--votes", "2"]);
    campaign.next();
    let run = campaign.file("one.run", RUN);
    for (command, words) in [
        (
            vec!["truth", "build", &campaign.log],
            "written as they are now: q1, q2",
        ),
        (
            vec!["evaluate", "--truth", &campaign.log, &run],
            "used as they are now: q1, q2",
        ),
    ] {
        let said = outcome_of(&command);
        assert_eq!(said.code, 0, "{}", said.err);
        said.says(&[words]);
    }
    // Nobody has answered, so there is nothing to check the lists against.
    let said = outcome_of(&["truth", "check", &campaign.log]);
    assert_eq!(said.code, 2);
    said.says(&["nobody has answered yet"]);
}

#[test]
fn a_torn_line_is_a_warning_and_a_missing_line_an_error() {
    let campaign = Campaign::new(&["--votes", "2"]);
    campaign.finish();
    let lists = output_of(&["truth", "build", &campaign.log]);
    let text = String::from_utf8(campaign.bytes()).expect("UTF-8");
    let torn = campaign.file("torn.jsonl", &format!("{text}{{\"seq\":99"));
    let said = outcome_of(&["truth", "build", &torn]);
    assert_eq!((said.code, said.out), (0, lists), "{}", said.err);
    assert!(
        said.err.contains("the last line is unfinished"),
        "{}",
        said.err
    );
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let gap = campaign.file("gap.jsonl", &[&lines[..3], &lines[4..]].concat().concat());
    for command in [
        vec!["truth", "build", &gap],
        vec!["evaluate", "--truth", &gap, &gap],
    ] {
        let said = outcome_of(&command);
        assert_eq!((said.code, &*said.out), (2, ""));
        said.says(&["gap.jsonl:4:", "event 4 was taken out or moved"]);
    }
}

#[test]
fn use_a1_a_check_of_a_log_shows_the_exported_lists_without_excluded_people() {
    for options in [
        &["--strategy", "pooled", "--votes", "4"][..],
        &["--decide", "majority", "--votes", "3"],
        &["--strategy", "sort-refitted", "--votes", "4"],
    ] {
        let campaign = Campaign::new(options);
        campaign.finish();
        let answers = campaign.output("export", &["--answers"]);
        let mut rows = answers.lines();
        let columns: Vec<&str> = rows.next().expect("a header").split(',').collect();
        let column = columns.iter().position(|name| *name == "assessor");
        let first: Vec<&str> = rows.next().expect("an answer").split(',').collect();
        campaign.output("exclude", &[first[column.expect("the column")]]);
        let exported = campaign.json("export", &["--details"]);
        for arguments in [vec![&*campaign.log], vec!["--preferences", &campaign.log]] {
            let options = ["--bootstrap", "10", "--format", "json"];
            let said = outcome_of(&[&["truth", "check"], &arguments[..], &options].concat());
            assert_eq!(said.code, 0, "{}", said.err);
            assert!(
                !said.err.contains("what the bootstrap is about"),
                "{}",
                said.err
            );
            let checked: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
            assert_eq!(checked["settings"]["decide"], exported["decide"]);
            for list in checked["lists"].as_array().expect("lists") {
                let query = list["query"].as_str().expect("a name");
                let mut groups = exported["lists"][query].clone();
                // Nobody is asked about c2, a copy of c1, so no answer can check its place.
                for group in groups.as_array_mut().expect("groups") {
                    group
                        .as_array_mut()
                        .expect("a group")
                        .retain(|item| item != "c2");
                }
                assert_eq!(list["list"], groups, "{query}");
            }
        }
    }
}

#[test]
fn house_rankings_of_a_log_are_studied_and_are_a_reference() {
    let ranked = Campaign::new(&["--kinds", "ranking"]);
    let study = |file: &str| outcome_of(&["truth", "study", "--rankings", file]);
    let refused = study(&ranked.log);
    assert_eq!((refused.code, &*refused.out), (2, ""));
    refused.says(&["trial.jsonl: nobody has ranked yet"]);
    assert_eq!(ranked.add(RANKINGS, &[]).code, 0);
    let others = RANKINGS.replace("ann", "dee").replace("bob", "eve");
    assert_eq!(ranked.add(&others, &[]).code, 0);
    ranked.output("exclude", &["cid"]);
    let exported = ranked.file("rankings.csv", &ranked.output("export", &["--rankings"]));
    let studied = study(&ranked.log);
    assert_eq!(
        (studied.code, &studied.out),
        (0, &study(&exported).out),
        "{}",
        studied.err
    );
    let answers = ranked.file(
        "answers.csv",
        "query,a,b,assessor,answer\nq2,a1,b1,zoe,a\nq2,c1,b1,zoe,a\n",
    );
    let agree = |file: &str| {
        output_of(&[
            "campaign",
            "agree",
            "-p",
            &answers,
            "--against-rankings",
            file,
        ])
    };
    assert_eq!(agree(&ranked.log), agree(&exported));
    let format = [
        "truth",
        "study",
        "--rankings-format",
        "rows",
        "--rankings",
        &ranked.log,
    ];
    let refused = outcome_of(&format);
    assert_eq!(refused.code, 2);
    refused.says(&["--rankings-format cannot be used with"]);
    let preferences = Campaign::new(&[]);
    let refused = study(&preferences.log);
    assert_eq!(refused.code, 2);
    refused.says(&["the campaign asks for preference, not for ranking"]);
}

#[test]
fn house_rankings_and_grades_of_excluded_people_are_not_added_again() {
    for (kind, text) in [("ranking", RANKINGS), ("grading", GRADES)] {
        let campaign = Campaign::new(&["--kinds", kind]);
        assert_eq!(campaign.add(text, &[]).code, 0);
        campaign.output("exclude", &["ann"]);
        let before = campaign.bytes();
        let again = campaign.add(text, &["--format", "json"]);
        assert_eq!(again.code, 0, "{}", again.err);
        assert!(campaign.bytes() == before);
        let report: serde_json::Value = serde_json::from_str(&again.out).expect("JSON");
        let theirs = text.lines().filter(|line| line.contains("ann")).count();
        let theirs = if kind == "ranking" { 1 } else { theirs };
        assert_eq!(report["excluded"], theirs);
        assert_eq!(report["added"], 0);
        again.says(&["s of excluded people, which are left out"]);
    }
}
