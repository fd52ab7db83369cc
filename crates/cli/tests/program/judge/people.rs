//! `judge ask`, `exclude`, `readmit` and `verify`: what people do in a terminal.

use std::fs;

use crate::judge::crowd::{Campaign, answers};
use crate::session::{Folder, Outcome, outcome_of, outcome_with};

/// Three items of one query, two votes per pair.
fn small() -> Campaign {
    let candidates = "query,item\nq1,x\nq1,y\nq1,z\nq2,u\nq2,v\n";
    Campaign::of(candidates, &["--votes", "2", "--decide", "majority"])
}

fn ask(campaign: &Campaign, who: &str, typed: &str, options: &[&str]) -> Outcome {
    let ask = ["judge", "ask", &campaign.log, "--assessor", who];
    outcome_with(typed, &[&ask[..], options].concat())
}

#[test]
fn answers_are_exported_as_csv_by_that_word_and_as_nothing_else() {
    let campaign = small();
    ask(&campaign, "ann", "a\n", &[]);
    let usual = campaign.output("export", &["--answers"]);
    let asked = campaign.output("export", &["--answers", "--format", "csv"]);
    assert_eq!(asked, usual);
    let said = campaign.run("export", &["--answers", "--format", "json"]);
    assert_eq!(said.code, 2);
    said.says(&["answers, rankings and grades are written as CSV only"]);
}

/// How many answers of somebody are votes.
fn votes(campaign: &Campaign, who: &str) -> usize {
    let kept = campaign.output("export", &["--answers", "counted"]);
    let name = format!(",{who},");
    kept.lines().filter(|line| line.contains(&name)).count()
}

#[test]
fn two_people_judge_a_campaign_to_its_end_in_the_terminal() {
    let campaign = small();
    for _ in 0..5 {
        for who in ["ann", "bob"] {
            let said = ask(&campaign, who, &"a\n".repeat(10), &[]);
            assert_eq!((said.code, said.out.as_str()), (0, ""), "{}", said.err);
        }
    }
    let status = campaign.json("status", &[]);
    assert_eq!(status["settled"], true);
    assert_eq!(votes(&campaign, "ann"), votes(&campaign, "bob"));
    let said = ask(&campaign, "ann", "a\n", &[]);
    said.says(&["0 answers saved; 0 pairs left for ann."]);
    // What is shown first is the first question, and the time it took is kept.
    let kept = campaign.output("export", &["--answers"]);
    assert!(
        kept.lines().skip(1).all(|line| line.contains(",a,0.")),
        "{kept}"
    );
}

#[test]
fn a_pair_can_be_skipped_and_a_wrong_word_is_asked_again() {
    let campaign = small();
    let said = ask(&campaign, "ann", "s\nwhat\nE\nq\n", &[]);
    assert_eq!(
        said.err.matches("Which is closer to it?").count(),
        3,
        "{}",
        said.err
    );
    said.says(&[
        "Query q",
        "\n  [a] ",
        "\n  [b] ",
        "(3 pairs to go)",
        "(2 pairs to go)",
        "(1 pair to go)",
        "a, b, e (equal), s (skip) or q (stop): ",
        "1 answer saved; 2 pairs left for ann.",
    ]);
    let kept = campaign.output("export", &["--answers"]);
    assert!(kept.contains(",ann,equal,"), "{kept}");
}

#[test]
fn the_end_of_input_stops_and_what_was_said_is_kept_for_the_next_time() {
    let campaign = small();
    let first = ask(&campaign, "ann", "a\n", &[]);
    assert_eq!(first.code, 0);
    first.says(&["(stop): \n1 answer saved; 2 pairs left for ann."]);
    let second = ask(&campaign, "ann", "b\nb\nb\n", &[]);
    second.says(&["(2 pairs to go)", "2 answers saved; 0 pairs left for ann."]);
    assert_eq!(votes(&campaign, "ann"), 3);
    assert_eq!(campaign.run("verify", &[]).code, 0);
}

#[test]
fn queries_and_a_number_limit_what_is_asked() {
    let campaign = small();
    let said = ask(&campaign, "ann", "a\na\n", &["--query", "q2"]);
    said.says(&[
        "Query q2 (1 pair to go)",
        "1 answer saved; 0 pairs left for ann.",
    ]);
    assert!(!said.err.contains("Query q1"), "{}", said.err);
    let said = ask(
        &campaign,
        "bob",
        "a\na\n",
        &["--query", "q1,q2", "--most", "1"],
    );
    said.says(&["1 answer saved; 2 pairs left for bob."]);
}

#[test]
fn what_cannot_be_asked_leaves_the_log_as_it_was() {
    let campaign = small();
    let bytes = campaign.bytes();
    let unknown = ask(&campaign, "ann", "a\n", &["--query", "q9"]);
    assert_eq!(unknown.code, 2);
    unknown.says(&["`q9`"]);
    let nobody = ask(&campaign, " ", "a\n", &[]);
    assert_eq!(nobody.code, 2);
    nobody.says(&["whoever judges has a name"]);
    assert!(bytes == campaign.bytes());
    ask(&campaign, "ann", "a\n", &[]);
    campaign.output("exclude", &["ann"]);
    let excluded = ask(&campaign, "ann", "a\n", &[]);
    assert_eq!(excluded.code, 2);
    excluded.says(&[
        "`ann` is excluded from this campaign",
        "`partita judge readmit`",
    ]);
}

#[test]
fn several_people_are_excluded_at_once_or_none_and_come_back() {
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
fn a_log_is_sound_until_something_in_it_is_changed() {
    let campaign = small();
    ask(&campaign, "ann", "a\nb\n", &[]);
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
    no(&text.replacen("\"b\"", "\"a\"", 1), &[], "line ");
    no(&text[..text.len() - 9], &[], "the last line is unfinished");
    no("", &[], "there is nothing in it");
    no("query,item\n", &[], "line 1: ");
    // A log that was cut off is sound in itself; whoever noted its last chain knows better.
    let shorter: String = text.split_inclusive('\n').take(3).collect();
    no(&shorter, &["--chain", &chain], "no event has the chain ");
    let fewer = campaign.file("other.jsonl", &shorter);
    assert_eq!(outcome_of(&["judge", "verify", &fewer]).code, 0);
    let missing = outcome_of(&["judge", "verify", "nowhere.jsonl"]);
    assert_eq!(missing.code, 2);
    fs::remove_file(&campaign.log).expect("a log");
}

/// The pooled strategy takes in surplus answers by batches that ask nobody.
#[test]
fn only_batches_that_were_handed_out_are_counted() {
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

/// The questions that somebody was put, each as it was shown.
fn shown(said: &Outcome) -> Vec<String> {
    let blocks = said
        .err
        .split("\n\n")
        .flat_map(|block| block.split("(stop): "));
    let questions = blocks.filter(|block| block.contains("Which is closer to it?"));
    questions
        .map(|question| question.trim().to_owned())
        .collect()
}

#[test]
fn gold_is_put_among_the_pairs_and_nothing_shows_which_it_is() {
    let candidates = "query,item\nq1,w\nq1,x\nq1,y\nq1,z\nq2,s\nq2,t\nq2,u\nq2,v\n";
    let folder = Folder::new();
    let gold = folder.file("gold.csv", "query,a,b,answer\nq1,w,z,a\nq2,s,v,a\n");
    let options = ["--votes", "3", "--decide", "majority", "--gold", &gold];
    let campaign = Campaign::of(
        candidates,
        &[&options[..], &["--gold-share", "0.3"]].concat(),
    );
    let mut put = 0;
    for (person, answer) in [("ann", "a"), ("bob", "b"), ("cid", "a")] {
        let said = ask(&campaign, person, &format!("{answer}\n").repeat(30), &[]);
        assert_eq!(said.code, 0, "{}", said.err);
        let questions = shown(&said);
        put += questions.len();
        for question in &questions {
            // A number of pairs to go would stand still at gold.
            assert!(
                !question.contains("to go") && !question.contains("gold"),
                "{question}"
            );
            assert_eq!(question.lines().count(), 4, "{question}");
        }
    }
    let kept = campaign.output("export", &["--answers"]);
    let of_gold = kept.lines().filter(|line| line.contains(",gold")).count();
    assert!((2..=6).contains(&of_gold), "{kept}");
    assert_eq!(kept.lines().count() - 1, put);
    // Screening reads it from the log.
    let cards = campaign.json("screen", &["--least-answers", "1"]);
    let cards = cards["assessors"].as_array().expect("cards");
    let answers = |card: &serde_json::Value| card["gold"]["answers"].as_u64().unwrap_or(0);
    let checked: u64 = cards.iter().map(answers).sum();
    assert!(checked >= of_gold as u64, "{cards:?}");
}

#[test]
fn rankings_and_grades_are_given_in_the_terminal() {
    let candidates = "query,item\nq1,x\nq1,y\nq1,z\n";
    let campaign = Campaign::of(candidates, &["--kinds", "ranking,grading"]);
    let typed = "4\n3 1=2\nv\n50\n101\nn\n";
    let said = ask(&campaign, "ann", typed, &[]);
    assert_eq!(said.code, 0, "{}", said.err);
    said.says(&[
        "Query q1. Put these in order",
        "  3  z",
        "How similar to it is",
        "4 answers saved",
    ]);
    let rankings = campaign.output("export", &["--rankings"]);
    assert_eq!(
        rankings,
        "query,assessor,item,rank\nq1,ann,x,2.5\nq1,ann,y,2.5\nq1,ann,z,1\n"
    );
    let grades = campaign.output("export", &["--grades"]);
    let mut graded: Vec<&str> = (grades.lines().skip(1))
        .map(|line| line.rsplitn(3, ',').collect::<Vec<_>>())
        .map(|cells| {
            if cells[1].is_empty() {
                cells[0]
            } else {
                cells[1]
            }
        })
        .collect();
    graded.sort_unstable();
    assert_eq!(graded, ["50", "NS", "VS"], "{grades}");
}
