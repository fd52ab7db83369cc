//! `partita truth study`.

use serde_json::{Map, Value, json};

use crate::session::{Folder, output_of};
use crate::truth::fixtures::{aggregation_rankings, core_fixture};

fn json_of(arguments: &[&str]) -> Value {
    serde_json::from_str(&output_of(arguments)).expect("JSON")
}

const FUNCTIONS: [&str; 6] = ["All-2", "Any-2", "Prev-2", "All-1", "Any-1", "Prev-1"];

#[test]
fn the_six_functions_stand_side_by_side_with_the_reference_consistencies() {
    let fixture = core_fixture("aggregation");
    let cases = fixture["cases"].as_array().expect("cases");
    let folder = Folder::new();
    let rankings = folder.file("r.csv", aggregation_rankings(cases));
    let found = json_of(&["truth", "study", "-r", &rankings, "--format", "json"]);
    for (row, name) in found["functions"]
        .as_array()
        .expect("rows")
        .iter()
        .zip(FUNCTIONS)
    {
        assert_eq!(row["function"], name.to_lowercase());
        for (key, reference) in [("adr1", "adr1_consistency"), ("adr2", "adr2_consistency")] {
            let value = |case: &Value| case["aggregations"][name][reference].as_f64();
            let mean = cases.iter().filter_map(value).sum::<f64>() / cases.len() as f64;
            assert!((row[key].as_f64().expect("a mean") - mean).abs() < 1e-12);
        }
        let sizes = cases.iter().map(|case| {
            let groups = case["aggregations"][name]["groups"]
                .as_array()
                .expect("groups");
            let items: usize = groups
                .iter()
                .map(|g| g.as_array().map_or(0, Vec::len))
                .sum();
            items as f64 / groups.len() as f64
        });
        let mean = sizes.sum::<f64>() / cases.len() as f64;
        let found = row["items_per_group"].as_f64().expect("a mean");
        assert!((found - mean).abs() < 1e-12);
    }
    assert_eq!(found["functions"][0]["more_consistent"], Value::Null);
    assert_eq!(found["lists"].as_array().map(Vec::len), Some(cases.len()));
}

#[test]
fn the_t_tests_and_correlations_are_those_of_partita_stats() {
    let fixture = core_fixture("aggregation");
    let cases = fixture["cases"].as_array().expect("cases");
    let folder = Folder::new();
    let rankings = folder.file("r.csv", aggregation_rankings(cases));
    let found = json_of(&["truth", "study", "-r", &rankings, "--format", "json"]);
    let values = |function: &str, key: &str| -> Vec<Value> {
        let lists = found["lists"].as_array().expect("lists").iter();
        lists
            .map(|list| list["functions"][function][key].clone())
            .collect()
    };
    let any_1 = &found["functions"][4];
    let line =
        json!({"x": values("any-1", "adr1"), "y": values("all-2", "adr1"), "kind": "paired"});
    let file = folder.file("line.jsonl", line.to_string());
    let t = json_of(&["stats", "t", &file]);
    assert_eq!(any_1["more_consistent"]["p"], t["p_greater"]);
    let line = json!({"x": values("any-1", "items_per_group"), "y": values("any-1", "adr1")});
    let file = folder.file("line.jsonl", line.to_string());
    let r = json_of(&["stats", "pearson", &file]);
    assert_eq!(
        any_1["pearson"],
        json!({"r": r["r"], "p": r["p_two_sided"]})
    );
}

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
                scores.contains(&format!("{run},all,ADR,{score}\n")),
                "{scores} {score}"
            );
        }
    }
    assert_eq!(found["functions"][4]["tau"], 1.0);
    let table = output_of(&[&study[..], &["table", "--per-query"]].concat());
    for words in ["Pearson's r", "tau", "good", "case1", "is marked"] {
        assert!(table.contains(words), "{table}");
    }
    let csv = output_of(&[&study[..], &["csv"]].concat());
    assert!(csv.starts_with("function,query,system,measure,value\nall-2,all,,adr1,"));
    assert!(csv.contains("any-1,all,good,ADR,"));
}

#[test]
fn one_list_has_no_tests_and_no_correlation() {
    let folder = Folder::new();
    let rankings = folder.file("q.csv", "a,b,c\n1,2,3\n1,3,2\n");
    let found = json_of(&["truth", "study", "-r", &rankings, "--format", "json"]);
    let any_1 = &found["functions"][4];
    for key in ["pearson", "more_consistent", "smaller_groups", "tau"] {
        assert_eq!(any_1[key], Value::Null);
    }
}

#[test]
fn the_figure_of_a_study_names_the_six_functions_and_what_is_measured() {
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
