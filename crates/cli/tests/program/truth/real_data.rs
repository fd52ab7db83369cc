//! Tests of `partita truth` on real data: rankings by judges of figure skating, and the answers of
//! a published campaign.

use serde_json::Value;

use crate::data::data;
use crate::session::{Folder, output_of};

/// Column map for the published answers of Urbano et al. (2010).
const COLUMN_MAP: &str = "query=Input.query,a=Input.docA,b=Input.docB,assessor=WorkerId,\
                    answer=Answer.radio,equal=s,time=CreationTime,seconds=WorkTimeInSeconds";

/// Returns the paths of the rankings by skating judges.
fn skating_files() -> Vec<String> {
    let folder = data("skating");
    let files = std::fs::read_dir(folder).expect("a folder");
    let mut files: Vec<String> = files
        .map(|file| file.expect("a file").path().to_string_lossy().into_owned())
        .filter(|file| file.ends_with(".soc") || file.ends_with(".toc"))
        .collect();
    files.sort();
    files
}

fn json_of(command: &[&str], files: &[String]) -> Value {
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let arguments = [command, &["--format", "json", "-r"], &files].concat();
    serde_json::from_str(&output_of(&arguments)).expect("JSON")
}

#[test]
#[ignore = "needs PARTITA_DATA (see CONTRIBUTING.md)"]
fn the_skating_lists_are_built_and_audited() {
    let files = skating_files();
    let built = json_of(&["truth", "build"], &files);
    let built = built.as_object().expect("lists");
    assert_eq!((files.len(), built.len()), (24, 24));
    let found = json_of(&["truth", "check"], &files);
    let lists = found["lists"].as_array().expect("lists");
    for list in lists {
        let groups = built[list["query"].as_str().expect("a query")].as_array();
        let groups = groups.expect("groups");
        assert_eq!(list["groups"], groups.len());
        let items: usize = groups
            .iter()
            .map(|g| g.as_array().map_or(0, Vec::len))
            .sum();
        assert_eq!(list["items"], items);
        assert!(matches!(list["assessors"].as_u64(), Some(7 | 9)));
        // Judges of a sport agree strongly.
        assert!(list["kendall_w"]["common"]["w"].as_f64().expect("W") > 0.9);
        let adr1 = list["adr1"].as_f64().expect("ADR-1");
        assert!((0.9..=1.0).contains(&adr1));
    }
    let sum: usize = lists
        .iter()
        .map(|list| list["intra"].as_array().map_or(0, Vec::len))
        .sum();
    assert_eq!(found["summary"]["one_tailed"]["intra"], sum);
}

#[test]
#[ignore = "needs PARTITA_DATA (see CONTRIBUTING.md)"]
fn a_list_that_is_written_and_read_again_has_the_same_audit() {
    let files = skating_files();
    let folder = Folder::new();
    let built = json_of(&["truth", "build", "--aggregate", "all-2"], &files);
    let truth = folder.file("truth.json", built.to_string());
    let given = json_of(&["truth", "check", "--truth", &truth], &files);
    let made = json_of(&["truth", "check", "--aggregate", "all-2"], &files);
    assert_eq!(given["lists"], made["lists"]);
    assert_eq!(given["mean"], made["mean"]);
}

#[test]
#[ignore = "needs PARTITA_DATA (see CONTRIBUTING.md)"]
fn one_tailed_functions_are_more_consistent_by_adr_1_than_two_tailed_ones() {
    let files = skating_files();
    let mean = |function: &str| {
        let found = json_of(&["truth", "check", "--aggregate", function], &files);
        found["mean"]["adr1"].as_f64().expect("a mean")
    };
    for rationale in ["all", "any", "prev"] {
        assert!(mean(&format!("{rationale}-1")) > mean(&format!("{rationale}-2")));
    }
}

#[test]
#[ignore = "needs PARTITA_DATA (see CONTRIBUTING.md)"]
fn the_published_campaign_is_reproduced() {
    let folder = data("sigir2010-crowdsourcing");
    let file = folder.join("judgments.csv");
    let file = file.to_str().expect("a path");
    let arguments = [
        "truth",
        "build",
        "-p",
        file,
        "--map",
        COLUMN_MAP,
        "--details",
        "--like",
        "urbano-2010",
        "--format",
        "json",
    ];
    let found: Value = serde_json::from_str(&output_of(&arguments)).expect("JSON");
    assert_eq!(
        found["decisions"],
        serde_json::json!({"less": 56, "equal": 110, "greater": 115})
    );
    let column = |name: &str| -> Vec<f64> {
        let batches = found["batches"].as_array().expect("batches");
        batches
            .iter()
            .map(|b| b[name].as_f64().expect("a number"))
            .collect()
    };
    assert_eq!(
        column("pairs"),
        [107.0, 83.0, 51.0, 19.0, 10.0, 5.0, 4.0, 2.0]
    );
    assert_eq!(
        column("assessors"),
        [32.0, 20.0, 15.0, 17.0, 16.0, 12.0, 11.0, 11.0]
    );
    assert_eq!(
        column("returning"),
        [0.0, 4.0, 11.0, 10.0, 11.0, 8.0, 7.0, 4.0]
    );
    assert_eq!(
        column("median_seconds"),
        [26.0, 14.0, 19.0, 30.0, 21.0, 24.0, 15.5, 24.5]
    );
    assert_eq!(
        column("cost"),
        [26.75, 20.75, 12.75, 4.75, 2.5, 1.25, 1.0, 0.5]
    );
    let agreements = [
        0.6567, 0.8211, 0.7210, 0.6444, 0.6633, 0.7289, 0.5694, 0.5056,
    ];
    for (found, expected) in column("agreement").iter().zip(agreements) {
        assert!((found - expected).abs() < 1e-4, "{found} {expected}");
    }
    // For six of the eleven lists the answers do not determine the last pivot of a segment.
    let lists = found["alternatives"].as_object().expect("lists");
    let open = lists
        .values()
        .filter(|lists| lists.as_array().expect("lists").len() == 2);
    assert_eq!((lists.len(), open.count()), (11, 6));
    assert!(
        found["ways"]
            .as_object()
            .expect("ways")
            .values()
            .all(|way| { way == &serde_json::json!({"way": "replayed", "unfinished": false}) })
    );
}
