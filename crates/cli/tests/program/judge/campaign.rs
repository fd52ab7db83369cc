//! Tests of complete campaigns, from the first question to the exported lists.

use serde_json::json;

use crate::judge::support::{Campaign, answers, parse_open_pairs};

#[test]
fn a_finished_campaign_exports_the_lists_that_the_answers_imply() {
    for strategy in ["sort", "sort-predictive"] {
        let campaign = Campaign::new(&["--strategy", strategy, "--seed", "7"]);
        campaign.finish();
        let mut lists = campaign.json("export", &[]);
        for list in lists.as_object_mut().expect("lists").values_mut() {
            for group in list.as_array_mut().expect("groups") {
                group
                    .as_array_mut()
                    .expect("items")
                    .sort_by_key(ToString::to_string);
            }
        }
        let expected = json!({
            "q1": [["a1"], ["b1", "b2"], ["c1", "c2"]],
            "q2": [["a1"], ["b1"], ["c1"]],
        });
        assert_eq!(lists, expected, "{strategy}");
        let said = campaign.run("next", &[]);
        assert_eq!(
            said.out,
            "campaign,batch,pair,query,a,b,votes,state,assessor,answer\n"
        );
        assert!(said.err.contains("All lists are settled"), "{}", said.err);
    }
}

#[test]
fn the_strategy_and_the_difference_that_matters_are_recorded_in_the_log() {
    for (strategy, options, matters) in [
        ("pooled", &["--matters", "0.05"][..], "\"matters\":0.05"),
        ("pooled", &[], "\"matters\":0.242"),
        ("sort-refitted", &[], ""),
    ] {
        let options = [&["--strategy", strategy], options].concat();
        let campaign = Campaign::new(&options);
        let log = String::from_utf8(campaign.bytes()).expect("text");
        assert!(log.contains(matters), "{log}");
        assert_eq!(campaign.json("status", &[])["strategy"], strategy);
    }
}

#[test]
fn next_prints_unanswered_pairs_again_as_pending() {
    let campaign = Campaign::new(&[]);
    let first = campaign.next();
    assert!(
        first
            .iter()
            .all(|pair| pair.state == "new" && pair.votes == 10)
    );
    let bytes = campaign.bytes();
    let again = campaign.next();
    assert!(again.iter().all(|pair| pair.state == "pending"));
    assert!(bytes == campaign.bytes());
    let place = |pairs: &[crate::judge::support::OpenPairRow]| -> Vec<String> {
        pairs
            .iter()
            .map(|pair| format!("{} {} {}", pair.pair, pair.a, pair.b))
            .collect()
    };
    assert_eq!(place(&first), place(&again));
    assert_eq!(parse_open_pairs(&campaign.output("next", &["--new"])), []);
}

#[test]
fn pairs_with_some_answers_remain_pending_for_the_missing_votes() {
    let campaign = Campaign::new(&[]);
    let mut asked = campaign.next();
    asked.iter_mut().for_each(|pair| pair.votes = 4);
    assert_eq!(campaign.add(&answers(&asked, "p"), &[]).code, 0);
    let rest = campaign.next();
    assert_eq!(rest.len(), asked.len());
    assert!(
        rest.iter()
            .all(|pair| pair.votes == 6 && pair.state == "pending")
    );
}

#[test]
fn adding_a_file_again_adds_nothing() {
    let campaign = Campaign::new(&[]);
    let text = answers(&campaign.next(), "p");
    let said = campaign.add(&text, &["--format", "csv"]);
    assert_eq!(said.out, "flag,answers\ncounted,50\n");
    let bytes = campaign.bytes();
    let said = campaign.add(&text, &["--format", "csv"]);
    assert_eq!(
        (said.code, said.out.as_str()),
        (0, "flag,answers\nrepeated,50\n")
    );
    assert!(bytes == campaign.bytes());
}

#[test]
fn the_seed_determines_the_questions() {
    let asked = |seed: &str| Campaign::new(&["--seed", seed]).output("next", &[]);
    assert_eq!(asked("5"), asked("5"));
    assert_ne!(asked("5"), asked("6"));
}

#[test]
fn late_duplicate_surplus_and_unasked_answers_are_kept_with_a_flag() {
    let campaign = Campaign::new(&["--votes", "2", "--decide", "majority"]);
    let asked = campaign.next();
    let mut text = answers(&asked, "p");
    let pair = asked
        .iter()
        .find(|pair| pair.query == "q2")
        .expect("a pair");
    let (a, b) = (&pair.a, &pair.b);
    let (q, id) = ("q2", &pair.pair);
    // Append a duplicate, a surplus answer, a blank one, and one on identical items; one on an
    // unasked pair follows.
    text.push_str(&format!("trial,{q},{b},{a},p{id}-0,equal,1,\n"));
    text.push_str(&format!("trial,{q},{a},{b},zoe,equal,1,\n"));
    text.push_str(&format!("trial,{q},{a},{b},yan,,1,\n"));
    text.push_str("trial,q1,c1,c2,zoe,equal,1,\n");
    let all = [("a1", "b1"), ("a1", "c1"), ("b1", "c1")];
    let unasked = all.iter().find(|(x, y)| {
        !asked.iter().any(|pair| {
            pair.query == q
                && [&pair.a, &pair.b].contains(&&(*x).to_owned())
                && [&pair.a, &pair.b].contains(&&(*y).to_owned())
        })
    });
    let (x, y) = unasked.expect("a pair that was not asked");
    text.push_str(&format!("trial,{q},{x},{y},zoe,a,1,\n"));
    let said = campaign.add(&text, &["--format", "json"]);
    assert_eq!(said.code, 0, "{}", said.err);
    let report: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
    let expected = json!({
        "counted": 2 * asked.len(), "duplicate": 1, "surplus": 1, "unasked": 1, "identical": 1, "blank": 1,
    });
    assert_eq!(report["flags"], expected);
    assert_eq!(report["added"], 2 * asked.len() + 5);
    // After the next questions are asked, an answer to a decided pair is late.
    campaign.next();
    let late = format!("query,a,b,assessor,answer\n{q},{a},{b},late,b\n");
    let said = campaign.add(&late, &["--format", "csv"]);
    assert_eq!(said.out, "flag,answers\nlate,1\n");
    // The export has all answers.
    let all = campaign.output("export", &["--answers"]);
    assert_eq!(all.lines().count(), 1 + 2 * asked.len() + 6);
    for flag in [
        "counted",
        "duplicate",
        "surplus",
        "unasked",
        "identical",
        "blank",
        "late",
    ] {
        assert!(
            all.lines().any(|line| line.contains(&format!(",{flag},"))),
            "{flag}: {all}"
        );
    }
    let votes = campaign.output("export", &["--answers", "counted"]);
    assert_eq!(votes.lines().count(), 1 + 2 * asked.len());
}

#[test]
fn an_exclusion_reopens_pairs_and_can_be_undone() {
    let campaign = Campaign::new(&[]);
    campaign.finish();
    let before = campaign.output("export", &["--format", "notation"]);
    let decisions = campaign.output("decide", &[]);
    let people = campaign.output("export", &["--answers"]);
    let person = people
        .lines()
        .nth(1)
        .expect("an answer")
        .split(',')
        .nth(5)
        .expect("a name");
    let report = campaign.json("exclude", &[person]);
    assert_eq!(
        report["votes_before"].as_u64().expect("votes") - 1,
        report["votes"].as_u64().expect("votes")
    );
    assert_eq!(report["reopened"].as_array().expect("pairs").len(), 1);
    let asked = campaign.next();
    assert_eq!(
        (asked.len(), asked[0].votes, asked[0].state.as_str()),
        (1, 1, "new")
    );
    // A new answer by the excluded assessor does not count as a vote.
    let pair = &asked[0];
    let again = format!(
        "query,a,b,assessor,answer,time\n{},{},{},{person},a,5\n",
        pair.query, pair.a, pair.b
    );
    assert_eq!(
        campaign.add(&again, &["--format", "csv"]).out,
        "flag,answers\nexcluded,1\n"
    );
    campaign.output("readmit", &[person]);
    assert_eq!(campaign.output("export", &["--format", "notation"]), before);
    let now = campaign.output("decide", &[]);
    // Ignore the last column: the batch in which a pair was last asked may differ.
    let but_batch = |text: &str| -> Vec<String> {
        text.lines()
            .map(|line| line.rsplit_once(',').expect("columns").0.to_owned())
            .collect()
    };
    assert_eq!(but_batch(&now), but_batch(&decisions));
    let said = campaign.run("readmit", &[person]);
    assert!(
        said.err.contains("is not excluded; nothing changes"),
        "{}",
        said.err
    );
}

#[test]
fn held_out_pairs_measure_the_agreement_with_the_lists() {
    let campaign = Campaign::new(&["--held-out", "0.5", "--held-out-votes", "2"]);
    campaign.finish();
    let status = campaign.json("status", &[]);
    // Half of the pairs with different content are held out: 3 of 6 for q1 and, rounded, 2 of 3 for
    // q2.
    assert_eq!(status["held_out"]["pairs"], 5);
    assert_eq!(status["held_out"]["votes"], 10);
    assert_eq!(status["held_out"]["agreement"], 1.0);
    assert_eq!(status["answers"]["held-out"], 10);
    let details = campaign.json("export", &["--details"]);
    assert_eq!(details["held_out"]["same"], 10);
    assert_eq!(details["unfinished"], json!([]));
}

#[test]
fn the_option_ask_adds_a_pair_unless_it_is_decided() {
    let campaign = Campaign::new(&[]);
    let asked = parse_open_pairs(&campaign.output("next", &["--ask", "q2", "b1", "a1"]));
    let this = asked
        .iter()
        .filter(|pair| pair.query == "q2" && [&*pair.a, &*pair.b].contains(&"b1"));
    assert!(
        this.filter(|pair| [&*pair.a, &*pair.b].contains(&"a1"))
            .count()
            == 1,
        "{asked:?}"
    );
    campaign.finish();
    let bytes = campaign.bytes();
    let decided = campaign.output("decide", &["--query", "q2"]);
    let pair: Vec<&str> = decided.lines().nth(1).expect("a pair").split(',').collect();
    let said = campaign.run("next", &["--ask", "q2", pair[1], pair[2]]);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("decided already"), "{}", said.err);
    let said = campaign.run("next", &["--ask", "q1", "c1", "c2"]);
    assert!(said.err.contains("the same content"), "{}", said.err);
    assert!(bytes == campaign.bytes());
}

#[test]
fn a_partly_filled_question_sheet_can_be_added() {
    let campaign = Campaign::new(&[]);
    let sheet = campaign.output("next", &[]);
    let header = "campaign,batch,pair,query,a,b,votes,state,assessor,answer\n";
    assert!(sheet.starts_with(header), "{sheet}");
    let rows = sheet.lines().count() - 1;
    let nobody = campaign.add(&sheet, &["--format", "csv"]);
    assert_eq!((nobody.code, nobody.out.as_str()), (0, "flag,answers\n"));
    let left = format!("rows without an answer, which are passed over: {rows}");
    nobody.says(&[&left]);
    let filled = sheet
        .replacen(",new,,", ",new,ann,a", 1)
        .replacen(",new,,", ",new,ann,", 1);
    let one = campaign.add(&filled, &["--format", "csv"]);
    assert_eq!(one.out, "flag,answers\ncounted,1\n", "{}", one.err);
    let left = format!(
        "rows without an answer, which are passed over: {}",
        rows - 1
    );
    one.says(&[&left]);
}
