//! Tests of `partita campaign batches`, `agree` and `screen` and of `partita truth check
//! --preferences`.

use serde_json::{Value, json};

use crate::session::{Folder, outcome_of, outcome_with, output_of};

pub(super) fn parse_json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

const ANSWERS: &str = "query,a,b,assessor,answer,seconds,batch,background\n\
                       q,x,y,ann,a,10,1,no\nq,x,y,bob,a,12,1,piano\nq,y,x,cy,b,9,1,\n\
                       q,y,z,ann,equal,11,2,no\nq,y,z,bob,equal,10,2,piano\nq,z,y,di,a,30,2,\n";

#[test]
fn batches_are_summarised_in_every_format() {
    let run = |format: &str| {
        let said = outcome_with(
            ANSWERS,
            &["judge", "batches", "-p", "-", "--format", format],
        );
        assert_eq!(said.code, 0, "{}", said.err);
        said.out
    };
    let found = parse_json(&run("json"));
    assert_eq!(found["batches"].as_array().map(Vec::len), Some(2));
    let table = run("table");
    assert!(table.contains("2 (67%)"), "{table}");
    assert!(run("latex").contains("\\begin{tabular}"));
    assert!(run("mediawiki").contains("{|"));
    assert!(run("markdown").contains("| Batch"));
    let rows: Vec<String> = run("csv").lines().map(str::to_owned).collect();
    // A header, two batches, the mean of the batches, and all answers together.
    assert_eq!(rows.len(), 5);
    assert!(rows[3].starts_with("mean,,,,,,"), "{}", rows[3]);
    assert!(rows[4].starts_with("all,2,6,0,4,"), "{}", rows[4]);
    let agreement = rows[4].split(',').nth(8).expect("a column");
    assert_eq!(
        agreement.parse::<f64>().ok(),
        found["all"]["agreement_of_pairs"].as_f64()
    );
}

#[test]
fn answers_are_compared_with_rankings_truths_and_other_answers() {
    let folder = Folder::new();
    let answers = folder.file("answers.csv", ANSWERS);
    let truth = folder.file("truth.txt", "q: (x), (y, z)\n");
    let mut text = "query,assessor,item,rank\n".to_owned();
    for expert in 0..6 {
        text.push_str(&format!("q,{expert},x,1\nq,{expert},y,2\nq,{expert},z,3\n"));
    }
    let rankings = folder.file("rankings.csv", &text);
    // Returns the number of pairs or answers that are compared with the reference.
    let compared_count = |options: &[&str]| {
        let arguments = ["judge", "agree", "-p", &answers, "--format", "json"];
        let found = parse_json(&output_of(&[&arguments, options].concat()));
        found["tables"][0]["total"].clone()
    };
    assert_eq!(compared_count(&["--against", &truth]), 2);
    assert_eq!(compared_count(&["--against-rankings", &rankings]), 2);
    assert_eq!(compared_count(&["--against", &truth, "--single"]), 6);
    let csv = output_of(&[
        "judge",
        "agree",
        "-p",
        &answers,
        "--against",
        &truth,
        "--by",
        "batch",
    ]);
    assert!(csv.contains("1,less,less,2,"), "{csv}");
    assert_eq!(csv.lines().count(), 19);
    let latex = [
        "judge",
        "agree",
        "-p",
        &answers,
        "--against",
        &truth,
        "--format",
        "latex",
    ];
    assert!(output_of(&latex).contains("a closer (1)"));
}

#[test]
fn warnings_on_a_file_given_twice_are_printed_once() {
    let folder = Folder::new();
    let answers = folder.file("answers.csv", format!("{ANSWERS}q,x,z,ann,,5,2,no\n"));
    let agree = [
        "judge",
        "agree",
        "-p",
        &answers,
        "--against-preferences",
        &answers,
    ];
    let said = outcome_of(&[&agree[..], &["--format", "table"]].concat());
    assert_eq!(said.err.matches("blank answers").count(), 1, "{}", said.err);
    for words in [
        "a closer (1)",
        "b closer (0)",
        "equal (1)",
        "a is the item that was shown first",
    ] {
        assert!(said.out.contains(words), "{}", said.out);
    }
    let csv = output_of(&[&agree[..], &["--format", "csv"]].concat());
    assert!(csv.contains(",less,less,1,"), "{csv}");
}

#[test]
fn the_option_query_selects_queries_or_names_the_only_one() {
    let text = "query,a,b,assessor,answer\nq1,x,y,ann,a\nq2,x,y,ann,a\nq3,x,y,ann,b\n";
    let built = |text: &str, query: &str| {
        let build = ["truth", "build", "-p", "-", "--decide", "plurality"];
        let more = ["--format", "json", "--query", query];
        outcome_with(text, &[&build[..], &more].concat())
    };
    let two = built(text, "q3,q1");
    assert_eq!(
        parse_json(&two.out),
        json!({ "q1": [["x"], ["y"]], "q3": [["y"], ["x"]] })
    );
    let unknown = built(text, "q9");
    assert_eq!(unknown.code, 2);
    assert!(
        unknown.err.contains("no answer is to query `q9`"),
        "{}",
        unknown.err
    );
    let unnamed = built("a,b,assessor,answer\nx,y,ann,a\n", "mine");
    assert_eq!(parse_json(&unnamed.out), json!({ "mine": [["x"], ["y"]] }));
}

#[test]
fn a_reference_without_common_pairs_is_refused_and_missing_pairs_are_counted() {
    let folder = Folder::new();
    let answers = folder.file("answers.csv", ANSWERS);
    let other = folder.file("other.txt", "r: (x), (y, z)\n");
    let part = folder.file("part.txt", "q: (x), (y)\n");
    let agree = |file: &str| outcome_of(&["judge", "agree", "-p", &answers, "--against", file]);
    let refused = agree(&other);
    assert_eq!(refused.code, 2);
    assert!(
        refused
            .err
            .contains("others say nothing of any of the 2 pairs"),
        "{}",
        refused.err
    );
    let reported = agree(&part);
    assert_eq!(reported.code, 0);
    assert!(
        reported
            .err
            .contains("without a counterpart in the reference, not counted: 1"),
        "{}",
        reported.err
    );
    assert_eq!(outcome_of(&["judge", "agree", "-p", &answers]).code, 2);
    let both = [
        "judge",
        "agree",
        "-p",
        &answers,
        "--against",
        &part,
        "--against-preferences",
        &answers,
    ];
    assert_eq!(outcome_of(&both).code, 2);
}

#[test]
fn answers_of_a_campaign_are_decided_by_its_own_rule() {
    let folder = Folder::with("candidates.csv", "query,item\nq,x\nq,y\nq,z\n");
    folder.output("judge init log.jsonl -c candidates.csv --votes 3 --decide majority");
    folder.output("judge next log.jsonl");
    let rows = [("ann", "a"), ("bob", "a"), ("cy", "b")]
        .map(|(who, answer)| format!("q,x,y,{who},{answer}\nq,y,z,{who},{answer}\n"));
    folder.file(
        "answers.csv",
        format!("query,a,b,assessor,answer\n{}", rows.concat()),
    );
    folder.output("judge add log.jsonl answers.csv --adopt");
    folder.file("truth.txt", "q: (x), (y), (z)\n");
    folder.file(
        "rankings.csv",
        "query,assessor,item,rank\nq,1,x,1\nq,1,y,2\nq,1,z,3\nq,2,x,1\nq,2,y,2\nq,2,z,3\n",
    );
    for reference in [
        "--against truth.txt",
        "--against-rankings rankings.csv",
        "--against-preferences answers.csv",
        "--against-preferences answers.csv --against-decide mwu",
    ] {
        let agree = |answers: &str| {
            let arguments = format!("judge agree {answers} {reference} --format json");
            parse_json(&folder.output(&arguments))["tables"].clone()
        };
        let by_majority = agree("-p answers.csv --decide majority");
        assert_eq!(agree("log.jsonl"), by_majority, "{reference}");
        assert_eq!(agree("-p log.jsonl"), by_majority, "{reference}");
        assert_ne!(agree("-p answers.csv"), by_majority, "{reference}");
    }
    for option in ["decide sign", "alpha 0.1"] {
        let name = option.split(' ').next().expect("a name");
        let message = format!("--{name} cannot be used with log.jsonl");
        for log in ["log.jsonl", "-p log.jsonl"] {
            folder.refuses(
                &format!("judge agree {log} --against truth.txt --{option}"),
                &[&message, "`partita campaign export log.jsonl --answers`"],
            );
        }
    }
}

/// Returns answers to twenty pairs of the query itself with an item: by four attentive assessors,
/// and by the assessor `robot`, who always answers equal.
fn answers_with_a_robot() -> String {
    let mut text = "query,a,b,assessor,answer,seconds\n".to_owned();
    for pair in 0..20 {
        for (who, seconds) in [("ann", 15), ("bob", 22), ("cy", 31), ("di", 18)] {
            let seconds = seconds + pair % 7;
            text.push_str(&format!("q,q,item{pair},{who},a,{seconds}\n"));
        }
        text.push_str(&format!("q,q,item{pair},robot,equal,8\n"));
    }
    text
}

#[test]
fn screening_reads_durations_and_gold_pairs_from_files() {
    let folder = Folder::new();
    let answers = folder.file("answers.csv", answers_with_a_robot());
    let mut durations = "item,seconds\nq,4\n".to_owned();
    for pair in 0..20 {
        durations.push_str(&format!("item{pair},4\n"));
    }
    let durations = folder.file("durations.csv", &durations);
    let arguments = [
        "judge",
        "screen",
        "-p",
        &answers,
        "--durations",
        &durations,
        "--format",
    ];
    let found = parse_json(&output_of(&[&arguments[..], &["json"]].concat()));
    // With the lengths of the clips, the fast answers of the robot are a signal.
    let signals = found["assessors"][0]["signals"]
        .as_array()
        .expect("signals");
    assert!(signals.iter().any(|signal| signal["signal"] == "too-fast"));
    // Gold pairs are read from a file as well.
    let mut gold = "query,a,b,answer\n".to_owned();
    for pair in 0..20 {
        gold.push_str(&format!("q,item{pair},q,b\n"));
    }
    let gold = folder.file("gold.csv", format!("{gold}q,q,unheard,a\n"));
    let said = outcome_of(&[
        "judge", "screen", "-p", &answers, "--gold", &gold, "--format", "json",
    ]);
    assert!(said.err.contains("that nobody answered: 1"), "{}", said.err);
    assert_eq!(parse_json(&said.out)["assessors"][0]["gold"]["wrong"], 20);
    let table = output_of(&[&arguments[..], &["table"]].concat());
    assert!(table.contains("`equal` is 100%"), "{table}");
    assert!(table.contains("This is advice"), "{table}");
    let csv = output_of(&[&arguments[..], &["csv"]].concat());
    assert!(
        csv.lines()
            .nth(1)
            .expect("a row")
            .starts_with("robot,20,0,20,0,equal,1,"),
        "{csv}"
    );
}

#[test]
fn invalid_durations_gold_pairs_and_levels_are_refused() {
    let folder = Folder::new();
    let answers = folder.file("answers.csv", answers_with_a_robot());
    let refused = |option: &str, text: &str| {
        let file = folder.file("bad.csv", text);
        let said = outcome_of(&["judge", "screen", "-p", &answers, option, &file]);
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{}", said.err);
        said.err
    };
    let minus = refused("--durations", "item,seconds\nq,-1\n");
    assert!(
        minus.contains("bad.csv:2:3: seconds are a number of at least 0, not `-1`"),
        "{minus}"
    );
    assert!(refused("--durations", "q,1\nq,2\n").contains("the item `q` lasts 1 seconds already"));
    assert!(refused("--durations", "q\n").contains("expected 2 columns"));
    assert!(refused("--durations", "nobody,1\n").contains("none of its items was compared"));
    assert!(refused("--gold", "query,a,b,answer\nq,q,item1,maybe\n").contains("not `maybe`"));
    let level = outcome_of(&["judge", "screen", "-p", &answers, "--level", "7"]);
    assert!(
        level.err.contains("--alpha must be between 0 and 1, not 7"),
        "{}",
        level.err
    );
    assert_eq!(outcome_of(&["judge", "screen"]).code, 2);
}

#[test]
fn a_given_list_is_audited_by_preferences() {
    let folder = Folder::new();
    let answers = folder.file("answers.csv", ANSWERS);
    // By the answers x is closer than y, and y is equal to z, which contradicts this list.
    let truth = folder.file("truth.txt", "q: (y, x), (z, new)\nother: (u)\n");
    let check = |options: &[&str]| {
        let arguments = ["truth", "check", "--truth", &truth, "-p", &answers];
        outcome_of(&[&arguments, options].concat())
    };
    let said = check(&["--format", "json"]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(
        said.err
            .contains("items that nobody compared and that are left out: `new`"),
        "{}",
        said.err
    );
    assert!(
        said.err
            .contains("queries that have no answers and are not audited: `other`"),
        "{}",
        said.err
    );
    let rows = check(&["--pairs"]).out;
    assert!(rows.contains("q,intra,y,x,,0,0,3,greater,"), "{rows}");
    let drawn = check(&["--bootstrap", "20"]);
    assert!(
        drawn
            .err
            .contains("lists that are not those that the answers make"),
        "{}",
        drawn.err
    );
    assert!(drawn.out.contains("\nrelation,q,x,y,,,,"), "{}", drawn.out);
    let table = check(&["--format", "table", "--pairs", "--bootstrap", "20"]).out;
    assert!(
        table.contains("P(a closer)") && table.contains("1 of 1"),
        "{table}"
    );
    let place = folder.path("drawn/");
    let figures = check(&["--figure", &place.to_string_lossy()]);
    assert_eq!(figures.code, 0, "{}", figures.err);
    let mut drawn = std::fs::read_dir(place).expect("a folder");
    let drawn = drawn.next().expect("a list").expect("a file").path();
    let svg = std::fs::read_to_string(drawn).expect("a figure");
    assert!(svg.contains("share of answers"), "{svg}");
    let nobody = folder.file("nobody.txt", "r: (x)\n");
    let said = outcome_of(&["truth", "check", "--truth", &nobody, "-p", &answers]);
    assert_eq!(said.code, 2);
    assert!(
        said.err
            .contains("no query of the ground truth has answers"),
        "{}",
        said.err
    );
}

#[test]
fn shuffled_rows_give_the_same_bytes() {
    let rows = [
        "q1,x,y,ann,a",
        "q1,y,x,bob,a",
        "q1,x,y,cid,equal",
        "q1,z,x,ann,b",
        "q1,x,z,bob,a",
        "q1,z,y,cid,a",
        "q1,y,z,ann,equal",
        "q2,u,v,ann,a",
        "q2,v,u,bob,a",
        "q2,u,v,cid,b",
    ];
    let folder = Folder::new();
    let header = "query,a,b,assessor,answer\n";
    let text = |rows: &[&str]| header.to_owned() + &rows.join("\n") + "\n";
    let mut printed = Vec::new();
    for shift in [0, 3, 7] {
        let mut shuffled = rows.to_vec();
        shuffled.rotate_left(shift);
        if shift % 2 == 1 {
            shuffled.reverse();
        }
        folder.file("answers.csv", text(&shuffled));
        folder.file("others.csv", text(&rows));
        let agree = folder.output(
            "judge agree --preferences answers.csv --against-preferences others.csv --format json",
        );
        let summed = folder.output("judge batches --preferences answers.csv --format json");
        printed.push((agree, summed));
    }
    assert!(printed[0].1.contains("alpha"), "{}", printed[0].1);
    assert!(printed.iter().all(|one| *one == printed[0]));
}
