//! Tests of `partita truth build --preferences`.

use serde_json::{Value, json};

use crate::session::{Folder, Outcome, outcome_of, outcome_with};

fn built(text: &str, options: &[&str]) -> Value {
    let arguments = [&["truth", "build", "-p", "-", "--format", "json"], options].concat();
    let said = outcome_with(text, &arguments);
    assert_eq!(said.code, 0, "{}", said.err);
    serde_json::from_str(&said.out).expect("JSON")
}

fn refused(text: &str) -> String {
    let said = outcome_with(text, &["truth", "build", "-p", "-"]);
    assert_eq!(said.code, 2, "{}", said.out);
    assert_eq!(said.out, "");
    said.err
}

#[test]
fn lists_are_built_from_answers_with_the_standard_columns() {
    let text = "query,a,b,assessor,answer\n\
                q1,x,y,ann,a\nq1,x,y,bob,a\nq1,y,x,cy,b\nq2,u,v,ann,equal\n";
    let lists = built(text, &[]);
    assert_eq!(
        lists,
        serde_json::json!({"q1": [["x"], ["y"]], "q2": [["u", "v"]]})
    );
    let strict = built(text, &["--decide", "margin:4"]);
    assert_eq!(strict["q1"], serde_json::json!([["x", "y"]]));
}

#[test]
fn lists_are_built_from_answers_with_other_columns() {
    let winners = "q1 x y x\nq1 x y x\nq1 x y x\n";
    assert_eq!(built(winners, &[])["q1"], serde_json::json!([["x"], ["y"]]));
    let sides = "left,right,winner\nx,y,right\nx,y,right\nx,y,right\n";
    let lists = built(sides, &[]);
    let first = lists.as_object().expect("lists").values().next();
    assert_eq!(first, Some(&serde_json::json!([["y"], ["x"]])));
    let mapped = "Q;ignored,L,R,who,pick\nq;1,x,y,1,eins\nq;1,x,y,2,eins\nq;1,x,y,3,eins\n";
    let options = [
        "--map",
        "query=Q;ignored,a=L,b=R,assessor=who,answer=pick,first=eins",
    ];
    assert_eq!(
        built(mapped, &options)["q;1"],
        serde_json::json!([["x"], ["y"]])
    );
}

#[test]
fn batches_are_separated_by_a_column_or_by_pauses() {
    let by_column = "query,a,b,assessor,answer,batch\n\
                     q,x,z,1,a,10\nq,y,z,1,a,9\n";
    let found = built(by_column, &["--details"]);
    let names: Vec<&str> = (found["batches"].as_array().expect("batches").iter())
        .map(|batch| batch["name"].as_str().expect("a name"))
        .collect();
    assert_eq!(names, ["9", "10"]);
    let by_time = "query,a,b,assessor,answer,time\n\
                   q,x,z,1,a,2020-01-01T10:00:00Z\nq,y,z,1,a,2020-01-01T10:59:00Z\n\
                   q,x,y,1,a,2020-01-01T12:00:00Z\n";
    let batches = |options: &[&str]| {
        let options = [&["--details"], options].concat();
        built(by_time, &options)["batches"]
            .as_array()
            .expect("batches")
            .len()
    };
    assert_eq!(batches(&[]), 2);
    assert_eq!(batches(&["--batch-gap", "30"]), 3);
    assert_eq!(batches(&["--batch-gap", "90"]), 1);
}

#[test]
fn invalid_answers_are_refused_with_their_line() {
    let header = "query,a,b,assessor,answer\n";
    let with = |row: &str| refused(&format!("{header}q,x,y,ann,a\n{row}\n"));
    let maybe = with("q,x,y,bob,maybe");
    assert!(
        maybe.contains(":3: an answer is `a`, `b` or `equal`, not `maybe`"),
        "{maybe}"
    );
    assert!(with("q,x,x,bob,a").contains(":3: the item `x` is compared with itself"));
    assert!(with("q,x,,bob,a").contains(":3: there is no b"));
    assert!(with("q,x,y,,a").contains(":3: there is no assessor"));
    assert!(with("q,x,y,bob").contains(":3:1: expected 5 columns as in the header, found 4"));
    assert!(refused("query,a,b,assessor\nq,x,y,ann\n").contains("names no column answer"));
    assert!(refused("query,a,b,assessor,answer\n").contains("no answer after it"));
    assert!(refused("query,a,b,assessor,answer\nq,x,y,ann,\n").contains("every answer is blank"));
    assert!(refused("q1 x y z\n").contains("the winner `z` is neither `x` nor `y`"));
    let bad_time = "query,a,b,assessor,answer,time\nq,x,y,ann,a,noon\n";
    assert!(refused(bad_time).contains("`noon` is no time"));
}

/// The first pivot of the sort, x, is equal to both other items, and y is closer than z. The list
/// depends on whether y or z was the second pivot, so several lists are possible.
#[test]
fn details_show_all_possible_lists_in_every_format() {
    let folder = Folder::new();
    let mut text = "query,a,b,assessor,answer,batch\n".to_owned();
    for query in ["q1", "q2"] {
        for (a, b, answer, batch) in [
            ("x", "y", "equal", 1),
            ("z", "x", "equal", 1),
            ("y", "z", "a", 2),
        ] {
            for who in ["ann", "bob", "cy"] {
                text.push_str(&format!("{query},{a},{b},{who},{answer},{batch}\n"));
            }
        }
    }
    let answers = folder.file("answers.csv", text);
    let build = |options: &[&str]| {
        let build = ["truth", "build", "-p", &answers, "--decide", "plurality"];
        outcome_of(&[&build[..], options].concat())
    };
    let open = |outcome: &Outcome| outcome.err.matches("lists open").count();
    let json = build(&["--details", "--format", "json"]);
    let found: Value = serde_json::from_str(&json.out).expect("JSON");
    let alternatives = found["alternatives"]["q1"].as_array().expect("lists").len();
    assert!(alternatives > 1, "{}", json.out);
    let brief = build(&["--format", "csv"]);
    assert_eq!(open(&brief), 1, "{}", brief.err);
    brief.says(&["queries `q1` (", "`q2` (", "`--details` shows them all"]);
    let table = build(&["--details", "--format", "table"]);
    assert_eq!(open(&table), 0, "{}", table.err);
    for words in [
        "Query q1: ",
        " lists are open",
        "List 1",
        "List 2",
        "(drawn)",
    ] {
        assert!(table.out.contains(words), "{words}\n{}", table.out);
    }
    let csv = build(&["--details", "--format", "csv"]);
    assert_eq!(open(&csv) + open(&json), 0);
    let rows = |start: &str| csv.out.lines().filter(|row| row.starts_with(start)).count();
    assert_eq!(rows("pair,q1,"), 3);
    assert_eq!(rows("item,q1,"), 3 * alternatives);
    assert!(
        table.out.contains(" b closer; 18 answers by 3 assessors"),
        "{}",
        table.out
    );
}

#[test]
fn an_answer_that_is_a_side_and_the_name_of_the_other_item_is_refused() {
    let text = "query,a,b,who,choice\nq,b,a,ann,b\nq,b,c,bob,b\n";
    let build = |map: &str| {
        let map = format!("assessor=who,answer=choice{map}");
        let build = [
            "truth",
            "build",
            "-p",
            "-",
            "--decide",
            "plurality",
            "--map",
            &map,
        ];
        outcome_with(text, &[&build[..], &["--format", "json"]].concat())
    };
    let said = build("");
    assert_eq!(said.code, 2);
    said.says(&[
        ":2: the answer `b` is the name of an item and the word for the other one",
        "`--map first=a,second=b` if answers are sides",
        "`--map first=left,second=right` if they are names of items",
    ]);
    let list = |outcome: Outcome| -> Value { serde_json::from_str(&outcome.out).expect("JSON") };
    assert_eq!(
        list(build(",first=a,second=b"))["q"],
        json!([["a", "c"], ["b"]])
    );
    assert_eq!(
        list(build(",first=left,second=right"))["q"],
        json!([["b"], ["a", "c"]])
    );
    // In the standard column `answer` the words a and b are always sides.
    let ours = text.replace("who,choice", "assessor,answer");
    let build = [
        "truth",
        "build",
        "-p",
        "-",
        "--decide",
        "plurality",
        "--format",
        "json",
    ];
    assert_eq!(
        list(outcome_with(&ours, &build))["q"],
        json!([["a", "c"], ["b"]])
    );
}

#[test]
fn repeated_and_blank_answers_are_reported_and_not_used() {
    let text = "query,a,b,assessor,answer\nq,x,y,ann,a\nq,y,x,ann,a\nq,x,y,bob,\n";
    let said = outcome_with(text, &["truth", "build", "-p", "-", "--details"]);
    assert_eq!(said.code, 0);
    assert!(
        said.err.contains("the same person answered before: 1"),
        "{}",
        said.err
    );
    assert!(
        said.err.contains("blank answers that do not count: 1"),
        "{}",
        said.err
    );
    assert!(said.out.contains("q,x,y,1,0,0,equal,,1"), "{}", said.out);
}

#[test]
fn rankings_and_preferences_exclude_each_other_and_one_is_needed() {
    let both = outcome_of(&["truth", "build", "-p", "x", "-r", "y"]);
    assert_eq!(both.code, 2);
    assert!(both.err.contains("cannot be used with"), "{}", both.err);
    let none = outcome_of(&["truth", "build"]);
    assert_eq!(none.code, 2);
    let rule = outcome_of(&["truth", "build", "-p", "x", "--decide", "oracle"]);
    assert!(
        rule.err.contains("no decision rule is called `oracle`"),
        "{}",
        rule.err
    );
}

/// Returns answers of four assessors on all pairs of eight items; the assessor `contrary` always
/// gives the opposite answer.
fn answers_with_a_contrarian() -> String {
    let mut text = "query,a,b,assessor,answer\n".to_owned();
    for b in 0..8 {
        for a in 0..b {
            for who in ["ann", "bob", "cy"] {
                text.push_str(&format!("q,i{a},i{b},{who},a\n"));
            }
            text.push_str(&format!("q,i{a},i{b},contrary,b\n"));
        }
    }
    text
}

#[test]
fn the_pooled_model_builds_a_list_and_estimates_assessor_reliability() {
    let text = answers_with_a_contrarian();
    let found = built(&text, &["--by", "pooled", "--details"]);
    let groups: Vec<Vec<String>> =
        serde_json::from_value(found["lists"]["q"].clone()).expect("a list");
    let order: Vec<String> = groups.concat();
    let expected: Vec<String> = (0..8).map(|number| format!("i{number}")).collect();
    assert_eq!(order, expected);
    assert!(groups.len() > 1, "{groups:?}");
    assert_eq!(found["lists"], built(&text, &["--by", "pooled"]));
    let reliable = |who: &str| found["reliability"][who].as_f64().expect("a share");
    for who in ["ann", "bob", "cy"] {
        assert!(reliable(who) > 0.9, "{who}: {}", reliable(who));
    }
    assert!(reliable("contrary") < 0.5, "{}", reliable("contrary"));
    let model = &found["model"]["q"];
    let worth = |item: &String| model["worths"][item].as_f64().expect("a worth");
    assert!(
        expected
            .windows(2)
            .all(|two| worth(&two[0]) > worth(&two[1]))
    );
    let relations = model["relations"].as_array().expect("relations");
    assert_eq!(relations.len(), 28);
    for relation in relations {
        let shares = ["less", "equal", "greater"].map(|name| relation[name].as_f64());
        let sum: f64 = shares.iter().flatten().sum();
        assert!((sum - 1.0).abs() < 1e-9, "{relation}");
        assert!(shares[0] > shares[2], "{relation}");
    }
    for key in ["eta", "scale", "expected_inversions"] {
        assert!(model[key].is_number(), "{key}: {model}");
    }
    assert_eq!(found["ways"]["q"], serde_json::json!({"way": "pooled"}));
    // Lists built by the sort have no model and no reliability.
    let sorted = built(&text, &["--details"]);
    assert!(sorted["model"].is_null() && sorted["reliability"].is_null());
}

#[test]
fn the_pooled_model_works_without_assessor_names() {
    let mut text = "left,right,winner\n".to_owned();
    for _ in 0..12 {
        text.push_str("x,y,left\nz,y,right\nx,z,left\n");
    }
    let found = built(&text, &["--by", "pooled", "--details"]);
    let lists = found["lists"].as_object().expect("lists");
    let list = lists.values().next().expect("a list");
    assert_eq!(*list, serde_json::json!([["x"], ["y"], ["z"]]));
    // Each answer counts as that of another assessor, so all keep the prior reliability of 0.9.
    let reliability = found["reliability"].as_object().expect("shares");
    assert_eq!(reliability.len(), 36);
    assert!(reliability.values().all(|share| *share == 0.9));
}

#[test]
fn the_pooled_model_is_refused_for_rankings() {
    let said = outcome_of(&["truth", "build", "-r", "x.csv", "--by", "pooled"]);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("cannot be used with"), "{}", said.err);
}
