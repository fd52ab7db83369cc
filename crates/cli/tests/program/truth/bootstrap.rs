//! Tests of `partita truth check --bootstrap`.

use serde_json::{Value, json};

use crate::session::{Folder, outcome_of, outcome_on, output_of};

/// Rankings by five assessors. All rank d last and nearly all rank a first; they disagree on b and
/// c.
const MATRIX: &str =
    "assessor,a,b,c,d\nann,1,2,3,4\nbob,1,3,2,4\ncy,1,2,3,4\ndi,2,1,3,4\ned,1,3,2,4\n";

fn files() -> (Folder, [String; 3]) {
    let folder = Folder::new();
    let files = [
        folder.file("q.csv", MATRIX),
        folder.file("good.json", r#"{"q": ["a", "b", "c", "d"]}"#),
        folder.file("bad.json", r#"{"q": ["d", "x", "a", "b"]}"#),
    ];
    (folder, files)
}

fn bootstrap(rankings: &str, more: &[&str]) -> Value {
    let arguments = ["truth", "check", "-r", rankings, "--bootstrap", "300"];
    let text = output_of(&[&arguments[..], &["--format", "json"], more].concat());
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn pairs_items_lists_and_systems_have_bootstrap_shares() {
    let (_folder, [rankings, good, bad]) = files();
    let found = bootstrap(&rankings, &["--run", &good, &bad]);
    let trust = &found["lists"][0]["trust"];
    let pairs = trust["pairs"].as_array().expect("pairs");
    assert_eq!(pairs.len(), 6);
    for pair in pairs {
        let shares = ["before", "same_group", "after"].map(|key| pair[key].as_f64());
        let sum: f64 = shares.iter().map(|share| share.expect("a share")).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{pair}");
    }
    let of = |a: &str, b: &str| {
        let same = |pair: &&Value| pair["a"] == a && pair["b"] == b;
        pairs.iter().find(same).expect("a pair").clone()
    };
    assert!(of("a", "d")["before"].as_f64() > Some(0.99));
    assert!(of("b", "c")["same_group"].as_f64() > Some(0.2));
    let items = trust["items"].as_array().expect("items");
    assert_eq!(
        (&items[0]["item"], &items[0]["group"]),
        (&json!("a"), &json!(1))
    );
    for item in items {
        let [lower, upper] = ["lower", "upper"].map(|end| item[end].as_u64().expect("a group"));
        assert!(1 <= lower && lower <= upper && upper <= 4);
    }
    let adr1 = &trust["adr1"];
    assert_eq!(adr1["estimate"], found["lists"][0]["adr1"]);
    assert!(adr1["lower"].as_f64() <= adr1["upper"].as_f64());
    let systems = found["trust"]["systems"].as_array().expect("systems");
    assert_eq!(
        (&systems[0]["system"], &systems[1]["system"]),
        (&json!("good"), &json!("bad"))
    );
    assert_eq!(found["trust"]["seed"], 1);
    let pair = &found["trust"]["pairs"][0];
    assert_eq!(pair["p_a_better"], 1.0);
    assert!(pair["difference"]["lower"].as_f64() > Some(0.0));
}

/// Only some assessors ranked item d. In replicates that draw none of them d is in no list, so the
/// shares of its pairs sum to less than 1.
#[test]
fn a_note_explains_shares_that_do_not_sum_to_1() {
    let (folder, [rankings, ..]) = files();
    let table = |file: &str| {
        let check = ["truth", "check", "-r", file, "--bootstrap", "50"];
        let text = output_of(&[&check[..], &["--format", "table"]].concat());
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let what = "P: the shares of the lists drawn in which an item stands in an earlier group than the next";
    let rest = "They add up to less than 1 where one of the two is in no list, since nobody drawn ranked it.";
    let whole = table(&rankings);
    assert!(whole.contains(what) && !whole.contains(rest), "{whole}");
    let holes = MATRIX.replace("2,3,4", "2,3,").replace("2,1,3,4", "2,1,3,");
    let holes = table(&folder.file("h.csv", holes));
    assert!(holes.contains(rest), "{holes}");
}

#[test]
fn system_scores_equal_those_of_evaluate_on_the_built_list() {
    let (folder, [rankings, good, bad]) = files();
    let truth = folder.place("truth.json");
    output_of(&[
        "truth", "build", "-r", &rankings, "--format", "json", "-o", &truth,
    ]);
    let scores = output_of(&["evaluate", "--truth", &truth, &good, &bad]);
    let found = bootstrap(&rankings, &["--run", &good, &bad]);
    for system in found["trust"]["systems"].as_array().expect("systems") {
        let name = system["system"].as_str().expect("a name");
        let score = system["adr"].as_f64().expect("a score");
        assert!(
            scores.contains(&format!("{name},all,ADR,{score},mean\n")),
            "{scores} {score}"
        );
    }
}

#[test]
fn the_result_depends_on_the_seed_but_not_on_the_thread_count() {
    let (_folder, [rankings, good, bad]) = files();
    let arguments = |seed| {
        let check = ["truth", "check", "-r", &rankings, "--bootstrap", "100"];
        let more = ["--run", &good, &bad, "--format", "json", "--seed", seed];
        [&check[..], &more].concat()
    };
    let one = outcome_on("1", &arguments("1"));
    assert_eq!(
        (one.code, one.out.clone()),
        (0, outcome_on("3", &arguments("1")).out)
    );
    assert_ne!(one.out, outcome_on("3", &arguments("2")).out);
}

#[test]
fn the_result_does_not_depend_on_names_and_order_of_assessors() {
    let (folder, [rankings, ..]) = files();
    let mut rows: Vec<&str> = MATRIX.lines().collect();
    rows[1..].reverse();
    let turned = rows.join("\n").replace("ann", "zoe");
    let other = folder.file("inner/q.csv", turned);
    let trust = |file: &str| bootstrap(file, &[])["lists"][0]["trust"].clone();
    assert_eq!(trust(&rankings), trust(&other));
}

#[test]
fn bootstrap_shares_are_printed_as_a_table_and_as_csv() {
    let (_folder, [rankings, good, bad]) = files();
    let check = [
        "truth",
        "check",
        "-r",
        &rankings,
        "--bootstrap",
        "50",
        "--run",
        &good,
        &bad,
    ];
    let table = output_of(&[&check[..], &["--format", "table"]].concat());
    for words in [
        "P(before next)",
        "P(a better)",
        "drawing the assessors again 50 times",
    ] {
        assert!(table.contains(words), "{table}");
    }
    let csv = output_of(&[&check[..], &["--format", "csv"]].concat());
    let kinds = ["adr1", "adr2", "item", "pair", "system", "systems"];
    let count = |kind: &str| {
        csv.lines()
            .filter(|l| l.starts_with(&format!("{kind},")))
            .count()
    };
    assert_eq!(kinds.map(count), [1, 1, 4, 6, 2, 1]);
}

#[test]
fn invalid_options_are_refused_and_a_list_unlike_the_built_one_warns() {
    let (folder, [rankings, good, _]) = files();
    for arguments in [
        &["--run", good.as_str()][..],
        &["--bootstrap", "0"],
        &["--bootstrap", "10", "--confidence", "1"],
        &["--bootstrap", "10", "--run", "-", "--truth", "-"],
    ] {
        let said = outcome_of(&[&["truth", "check", "-r", &rankings], arguments].concat());
        assert_eq!(said.code, 2, "{arguments:?}");
    }
    let truth = folder.file("truth.txt", "q: (d), (a, b, c)\n");
    let check = ["truth", "check", "-r", &rankings, "--truth", &truth];
    let said = outcome_of(&[&check[..], &["--bootstrap", "10"]].concat());
    assert_eq!(said.code, 0);
    assert!(
        said.err.contains("not those that any-1 makes"),
        "{}",
        said.err
    );
}

#[test]
fn numbers_c5_few_people_get_a_warning_and_two_who_agree_neither_p_nor_intervals() {
    let folder = Folder::with("agree.csv", "assessor,a,b,c\nann,2,1,3\nbob,2,1,3\n")
        .and(
            "differ.csv",
            "assessor,a,b,c\nann,2,1,3\nbob,3,1,2\ncy,2,3,1\n",
        )
        .and(
            "votes.csv",
            "query,a,b,assessor,answer\nv,x,y,ann,a\nv,x,y,bob,a\nv,y,z,ann,b\nv,y,z,bob,b\n",
        );
    for (file, option) in [("agree.csv", "--rankings"), ("votes.csv", "--preferences")] {
        let check = format!("truth check {option} {file} --bootstrap 40");
        let said = folder.partita(&format!("{check} --format json")).succeeds();
        let found: Value = serde_json::from_str(&said.out).expect("JSON");
        assert_eq!(found["lists"][0]["trust"], Value::Null, "{file}");
        let warning = "get neither P nor intervals";
        assert!(said.err.contains(warning), "{}", said.err);
        assert!(found["warnings"].to_string().contains(warning));
        let table = folder.output(&format!("{check} --format table"));
        assert!(!table.contains("P(before"), "{table}");
        assert!(!table.contains("[1.0000, 1.0000]"), "{table}");
    }
    let check = "truth check differ.csv --bootstrap 60 --format json";
    let said = folder.partita(check).succeeds();
    assert!(
        said.err.contains("lists by fewer than 5 people"),
        "{}",
        said.err
    );
    let found: Value = serde_json::from_str(&said.out).expect("JSON");
    assert!(found["lists"][0]["trust"]["pairs"].is_array());
}

#[test]
fn use_a5_intervals_of_place_are_in_json_csv_and_table() {
    let (folder, [rankings, ..]) = files();
    let found = bootstrap(&rankings, &[]);
    let items = found["lists"][0]["trust"]["items"]
        .as_array()
        .expect("items");
    for item in items {
        let [lower, place, upper] =
            ["place_lower", "place", "place_upper"].map(|key| item[key].as_f64().expect("a place"));
        assert!(
            1.0 <= lower && lower <= place && place <= upper && upper <= 4.0,
            "{item}"
        );
    }
    // All rank d last.
    let last = &items[3];
    assert_eq!(
        (&last["item"], last["place_lower"].as_f64()),
        (&json!("d"), Some(4.0))
    );
    let check = format!("truth check -r {rankings} --bootstrap 300");
    let csv = folder.output(&format!("{check} --format csv"));
    assert!(csv.contains("place,q,d,,4,4,4"), "{csv}");
    let table = folder.output(&format!("{check} --format table"));
    assert!(table.contains("95% places"), "{table}");
}
