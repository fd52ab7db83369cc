//! Tests of `partita truth study`.

use serde_json::{Map, Value, json};

use crate::session::{Folder, outcome_of, output_of};
use crate::truth::fixtures::{aggregation_rankings, core_fixture};

fn json_of(arguments: &[&str]) -> Value {
    serde_json::from_str(&output_of(arguments)).expect("JSON")
}

const FUNCTIONS: [&str; 6] = ["All-2", "Any-2", "Prev-2", "All-1", "Any-1", "Prev-1"];

#[test]
fn systems_are_scored_against_the_lists_of_every_function() {
    let fixture = core_fixture("aggregation");
    let cases = &fixture["cases"].as_array().expect("cases")[..6];
    let folder = Folder::new();
    let rankings = folder.file("r.csv", aggregation_rankings(cases));
    let run = |name: &str, reverse: bool| {
        let queries: Map<String, Value> = cases
            .iter()
            .map(|case| {
                let mut order = case["order"].as_array().expect("an order").clone();
                order.insert(1, json!("unknown"));
                if reverse {
                    order.reverse();
                }
                (format!("case{}", case["id"]), json!(order))
            })
            .collect();
        folder.file(name, Value::Object(queries).to_string())
    };
    let runs = [run("good.json", false), run("bad.json", true)];
    let study = [
        "truth", "study", "-r", &rankings, "--run", &runs[0], &runs[1], "--format",
    ];
    let found = json_of(&[&study[..], &["json"]].concat());
    for name in FUNCTIONS.map(str::to_lowercase) {
        let truth = folder.place("truth.csv");
        output_of(&[
            "truth",
            "build",
            "-r",
            &rankings,
            "--aggregate",
            &name,
            "-o",
            &truth,
        ]);
        let scores = output_of(&["evaluate", "--truth", &truth, &runs[0], &runs[1]]);
        for system in found["systems"].as_array().expect("systems") {
            let score = system["adr"][&name].as_f64().expect("a score");
            let run = system["system"].as_str().expect("a name");
            assert!(
                scores.contains(&format!("{run},all,ADR,{score},mean\n")),
                "{scores} {score}"
            );
        }
    }
    assert_eq!(found["functions"][4]["tau"], 1.0);
    let table = output_of(&[&study[..], &["table", "--per-query"]].concat());
    for words in ["Pearson's r", "tau", "good", "case1"] {
        assert!(table.contains(words), "{table}");
    }
    let csv = output_of(&[&study[..], &["csv"]].concat());
    assert!(csv.starts_with("function,query,system,measure,value\nall-2,all,,adr1,"));
    assert!(csv.contains("any-1,all,good,ADR,"));
}

#[test]
fn a_study_of_one_list_has_no_tests_and_no_correlation() {
    let folder = Folder::new();
    let rankings = folder.file("q.csv", "a,b,c\n1,2,3\n1,3,2\n");
    let found = json_of(&["truth", "study", "-r", &rankings, "--format", "json"]);
    let any_1 = &found["functions"][4];
    for key in ["pearson", "more_consistent", "smaller_groups", "tau"] {
        assert_eq!(any_1[key], Value::Null);
    }
}

#[test]
fn systems_are_ordered_by_score_and_stars_explained_only_if_present() {
    let folder = Folder::new();
    let mut text = "query,assessor,item,rank\n".to_owned();
    for query in ["q1", "q2"] {
        for who in 0..6 {
            text.push_str(&format!(
                "{query},{who},x,1\n{query},{who},y,2\n{query},{who},z,3\n"
            ));
        }
    }
    let rankings = folder.file("r.csv", text);
    let run = |items: [&str; 3]| {
        let lines = ["q1", "q2"].map(|query| items.map(|item| format!("{query} {item}")));
        let lines: Vec<String> = lines.concat();
        let ranked = lines.iter().enumerate().map(|(at, line)| {
            let (query, item) = line.split_once(' ').expect("two words");
            format!("{query} Q0 {item} {at} {} r\n", 10 - at)
        });
        ranked.collect::<String>()
    };
    let bad = folder.file("bad.run", run(["z", "y", "x"]));
    let good = folder.file("good.run", run(["x", "y", "z"]));
    let study = [
        "truth", "study", "-r", &rankings, "--format", "table", "--run", &bad, &good,
    ];
    let table = output_of(&study);
    let place = |name: &str| table.find(&format!("\n{name} ")).expect("a row");
    assert!(place("good") < place("bad"), "{table}");
    assert!(
        !table.contains("p < 0.10") && table.contains("means over 2 lists"),
        "{table}"
    );
    let other = folder.file("other.run", "q7 Q0 x 1 1 other\n");
    let none = outcome_of(&["truth", "study", "-r", &rankings, "--run", &other]);
    assert_eq!(none.code, 2);
    none.says(&[
        "have no query in common",
        "the run has q7, the ground truth has q1, q2",
    ]);
}

#[test]
fn the_figure_of_a_study_names_the_functions_and_the_quantities() {
    let fixture = core_fixture("aggregation");
    let cases = fixture["cases"].as_array().expect("cases");
    let folder = Folder::new();
    let rankings = folder.file("r.csv", aggregation_rankings(cases));
    let figure = folder.file("boxes.svg", "");
    output_of(&["truth", "study", "-r", &rankings, "--figure", &figure]);
    let svg = std::fs::read_to_string(figure).expect("a figure");
    for name in FUNCTIONS {
        assert!(svg.contains(&name.to_lowercase()), "{name}");
    }
    for measured in ["ADR-1 consistency", "ADR-2 consistency", "items per group"] {
        assert!(svg.contains(measured), "{measured}");
    }
}
