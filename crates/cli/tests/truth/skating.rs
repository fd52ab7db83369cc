//! The judges of figure skating, who are the nearest public thing to many experts that rank one
//! list.

use serde_json::Value;

use crate::data::data;
use crate::fixtures::Folder;
use crate::program::output_of;

/// The files of the skating lists, if they are here.
fn lists() -> Option<Vec<String>> {
    let folder = data("skating")?;
    let files = std::fs::read_dir(folder).expect("a folder");
    let mut files: Vec<String> = files
        .map(|file| file.expect("a file").path().to_string_lossy().into_owned())
        .filter(|file| file.ends_with(".soc") || file.ends_with(".toc"))
        .collect();
    files.sort();
    Some(files)
}

fn json_of(command: &[&str], files: &[String]) -> Value {
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let arguments = [command, &["--format", "json", "-r"], &files].concat();
    serde_json::from_str(&output_of(&arguments)).expect("JSON")
}

#[test]
fn the_skating_lists_are_built_and_audited() {
    let Some(files) = lists() else { return };
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
        // Judges of sport agree well.
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
fn a_list_that_is_written_and_read_again_has_the_same_audit() {
    let Some(files) = lists() else { return };
    let folder = Folder::new();
    let built = json_of(&["truth", "build", "--aggregate", "all-2"], &files);
    let truth = folder.file("truth.json", &built.to_string());
    let given = json_of(&["truth", "check", "--truth", &truth], &files);
    let made = json_of(&["truth", "check", "--aggregate", "all-2"], &files);
    assert_eq!(given["lists"], made["lists"]);
    assert_eq!(given["mean"], made["mean"]);
}

#[test]
fn one_tailed_functions_are_more_consistent_by_adr_1_than_two_tailed_ones() {
    let Some(files) = lists() else { return };
    let mean = |function: &str| {
        let found = json_of(&["truth", "check", "--aggregate", function], &files);
        found["mean"]["adr1"].as_f64().expect("a mean")
    };
    for rationale in ["all", "any", "prev"] {
        assert!(mean(&format!("{rationale}-1")) > mean(&format!("{rationale}-2")));
    }
}
