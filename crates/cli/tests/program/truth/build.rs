//! Tests of `partita truth build`.

use serde_json::{Value, json};

use crate::session::{Folder, outcome_of, outcome_with, output_of};
use crate::truth::fixtures::{aggregation_rankings, core_fixture};

fn json_of(arguments: &[&str]) -> Value {
    serde_json::from_str(&output_of(arguments)).expect("JSON")
}

const MATRIX: &str = "assessor,a,b,c,d\nann,1,2,3,4\nbob,2,1,3,4\ncy,1,2,4,3\ndi,1,2,3,\n";

#[test]
fn the_default_function_is_any_1_at_level_0_25() {
    let folder = Folder::new();
    let file = folder.file("songs.csv", MATRIX);
    let default = output_of(&["truth", "build", "--rankings", &file]);
    let said = ["--aggregate", "any-1", "--alpha", "0.25", "--format", "csv"];
    let named = output_of(&[&["truth", "build", "--rankings", &file], &said[..]].concat());
    assert_eq!(default, named);
    assert_eq!(
        default,
        "query,item,group\nsongs,a,1\nsongs,b,2\nsongs,c,3\nsongs,d,3\n"
    );
}

#[test]
fn every_format_of_ground_truths_is_written() {
    let folder = Folder::new();
    let file = folder.file("songs.csv", MATRIX);
    let written = |format: &str| {
        output_of(&[
            "truth", "build", "-r", &file, "--alpha", "0.01", "--format", format,
        ])
    };
    assert_eq!(written("notation"), "songs: (a, b, c, d)\n");
    assert_eq!(
        serde_json::from_str::<Value>(&written("json")).expect("JSON"),
        json!({"songs": [["a", "b", "c", "d"]]})
    );
    assert!(written("qrels").starts_with("songs 0 a 1\n"));
    assert!(written("gains").starts_with("query,item,gain\nsongs,a,1\n"));
    assert_eq!(written("groups"), written("csv"));
    assert!(written("preflib").ends_with("1: {1,2,3,4}\n"));
    assert!(written("table").contains("songs"));
}

#[test]
fn details_give_the_decision_on_every_item() {
    let folder = Folder::new();
    let file = folder.file("songs.csv", MATRIX);
    let arguments = ["truth", "build", "-r", &file, "--details", "--format"];
    let details = json_of(&[&arguments[..], &["json", "--check-alpha", "0.1"]].concat());
    assert_eq!(details["lists"]["songs"], json!([["a"], ["b"], ["c", "d"]]));
    assert_eq!(
        details["settings"],
        json!({"aggregate": "any-1", "alpha": 0.25, "check_alpha": 0.1, "unranked": "drop", "exact": false})
    );
    let choices = details["choices"]["songs"].as_array().expect("choices");
    assert_eq!(choices.len(), 4);
    assert_eq!(choices[0]["outcome"], "first");
    assert_eq!(choices[3]["ranks"], 3);
    assert_eq!(choices[3]["median"], 4.0);
    assert_eq!(choices[1]["differs_from"], "a");
    let test = &choices[1]["tests"][0];
    assert_eq!(
        (&test["against"], &test["differs"]),
        (&json!("a"), &json!(true))
    );
    assert!(test["p_less"].is_number());
    assert!(details["consistency"]["songs"]["adr1"].is_number());
    let csv = output_of(&[&arguments[..], &["csv"]].concat());
    assert!(csv.starts_with("query,item,group,median,mean,ranks,why\nsongs,a,1,1,1.25,4,first\n"));
    let refused = outcome_of(&[&arguments[..], &["qrels"]].concat());
    assert_eq!(refused.code, 2);
}

#[test]
fn unranked_items_are_dropped_or_ranked_last() {
    let folder = Folder::new();
    // Only one of the four assessors ranked d, as the best item.
    let matrix = "a,b,d\n1,2,\n1,2,\n1,2,\n2,3,1\n";
    let file = folder.file("m.csv", matrix);
    let build = |unranked: &str| {
        let arguments = ["truth", "build", "-r", &file, "--format", "notation"];
        output_of(&[&arguments[..], &["--unranked", unranked]].concat())
    };
    assert!(build("drop").starts_with("m: (d"));
    assert!(build("worst").ends_with("d)\n"));
}

#[test]
fn rankings_are_read_from_standard_input_and_lists_written_to_a_file() {
    let folder = Folder::new();
    let out = folder.place("out.json");
    let arguments = [
        "truth", "build", "-r", "-", "--query", "q", "--format", "json",
    ];
    let said = outcome_with(MATRIX, &[&arguments[..], &["-o", &out]].concat());
    assert_eq!((said.code, said.out.as_str()), (0, ""), "{}", said.err);
    let text = std::fs::read_to_string(out).expect("written");
    assert!(text.contains("\"q\": [["));
}

#[test]
fn lists_do_not_depend_on_assessor_names_and_row_order() {
    let fixture = core_fixture("aggregation");
    let cases = &fixture["cases"].as_array().expect("cases")[..5];
    let text = aggregation_rankings(cases);
    let folder = Folder::new();
    let (header, rows) = text.split_once('\n').expect("rows");
    let mut rows: Vec<&str> = rows.lines().collect();
    // Reverse the rows within each query, which keeps the order of the queries.
    rows.sort_by_key(|row| row.split(',').next().map(|q| q[4..].parse::<u32>().ok()));
    let reversed: Vec<String> = rows
        .chunk_by(|a, b| a.split(',').next() == b.split(',').next())
        .flat_map(|query| query.iter().rev())
        .map(|row| {
            let columns: Vec<&str> = row.split(',').collect();
            format!(
                "{},judge {},{},{}",
                columns[0], columns[1], columns[2], columns[3]
            )
        })
        .collect();
    let one = folder.file("one.csv", &text);
    let two = folder.file("two.csv", format!("{header}\n{}\n", reversed.join("\n")));
    for command in ["build", "check"] {
        let arguments = |file| ["truth", command, "-r", file, "--format", "csv"];
        let mut found = [&one, &two].map(|file| {
            let text = output_of(&arguments(file));
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            lines.sort();
            lines
        });
        assert!(found[0].len() > 5);
        let [first, second] = &mut found;
        assert_eq!(first, second);
    }
}
