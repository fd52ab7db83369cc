//! Files of judgments that `partita truth build` and `truth check` recognise, and grades.

use crate::session::{Folder, outcome_of};

const GRADES: &str = "query,assessor,item,broad,fine\n\
                      q1,ann,x,VS,90\nq1,ann,y,SS,50\nq1,ann,z,NS,0\n\
                      q1,bob,x,VS,80\nq1,bob,y,SS,60\nq1,bob,z,NS,0\n\
                      q1,cid,x,SS,50\nq1,cid,y,VS,70\nq1,cid,z,NS,0\n";

fn folder() -> Folder {
    Folder::with(
        "rankings.csv",
        "query,assessor,item,rank\nq1,ann,x,1\nq1,ann,y,2\nq1,bob,x,1\nq1,bob,y,2\n",
    )
    .and("matrix.csv", "assessor,x,y\nann,1,2\nbob,1,2\n")
    .and(
        "q.toc",
        "# TITLE: q\n# ALTERNATIVE NAME 1: x\n# ALTERNATIVE NAME 2: y\n3: 1,2\n",
    )
    .and(
        "answers.csv",
        "query,a,b,assessor,answer\nq1,x,y,ann,a\nq1,x,y,bob,a\n",
    )
    .and("winner.txt", "q1 x y x\nq1 x y x\n")
    .and("grades.csv", GRADES)
}

#[test]
fn a_file_is_read_as_the_option_of_its_kind_reads_it() {
    let folder = folder();
    for (option, file) in [
        ("--rankings", "rankings.csv"),
        ("--rankings", "matrix.csv"),
        ("--rankings", "q.toc"),
        ("--rankings", "rankings.csv matrix.csv"),
        ("--preferences", "answers.csv"),
        ("--preferences", "winner.txt"),
        ("--grades", "grades.csv"),
    ] {
        for command in [
            "build",
            "build --details --format json",
            "check --pairs",
            "check --bootstrap 10",
        ] {
            let said = folder.output(&format!("truth {command} {option} {file}"));
            assert_eq!(folder.output(&format!("truth {command} {file}")), said);
        }
    }
    let answers = folder.read("answers.csv");
    let piped = folder.partita("truth build -").input(answers).succeeds();
    assert_eq!(piped.out, folder.output("truth build answers.csv"));
}

#[test]
fn a_file_that_could_be_two_things_is_refused_with_both_options() {
    let folder = folder()
        .and("either.csv", "a,b,winner\n1,2,1\n2,1,2\n")
        .and(
            "both.csv",
            "query,assessor,item,rank,broad\nq1,ann,x,1,VS\nq1,ann,y,2,SS\n",
        );
    for command in ["build", "check"] {
        folder.refuses(
            &format!("truth {command} either.csv"),
            &[
                "either.csv: this can be rankings or preferences",
                "`--rankings` or `--preferences`",
            ],
        );
        folder.refuses(
            &format!("truth {command} both.csv"),
            &[
                "both.csv: this can be rankings or grades",
                "`--rankings` or `--grades`",
            ],
        );
        folder.output(&format!("truth {command} --rankings either.csv"));
        folder.output(&format!("truth {command} --preferences either.csv"));
        folder.output(&format!("truth {command} --grades both.csv"));
    }
}

#[test]
fn a_file_without_judgments_is_refused_with_its_kind() {
    let folder = folder()
        .and("q.qrels", "q1 0 x 1\n")
        .and("scores.csv", "query,s1,s2\nq1,0.5,0.25\n");
    folder.refuses(
        "truth build q.qrels",
        &[
            "this looks like qrels",
            "not like rankings, preferences, grades or the log of a campaign",
        ],
    );
    folder.refuses(
        "truth check scores.csv",
        &[
            "is not recognised as rankings",
            "`--rankings`, `--preferences` or `--grades`",
        ],
    );
    folder.refuses(
        "truth build rankings.csv answers.csv",
        &["several files must all be rankings"],
    );
    folder.refuses(
        "truth build rankings.csv --grades grades.csv",
        &["cannot be used with"],
    );
    folder.refuses("truth build", &["--rankings", "--preferences", "--grades"]);
    folder.refuses(
        "truth build rankings.csv --strategy pooled",
        &["--strategy cannot be used with rankings"],
    );
    folder.refuses(
        "truth check rankings.csv --scale fine",
        &["--scale cannot be used with rankings"],
    );
}

#[test]
fn grades_make_gains_on_either_scale() {
    let folder = folder();
    let fine = folder.output("truth build grades.csv");
    assert_eq!(
        fine,
        "query,item,gain\nq1,x,73.33333333333333\nq1,y,60\nq1,z,0\n"
    );
    let broad = folder.output("truth build grades.csv --scale broad");
    assert_eq!(broad, "query,item,gain\nq1,x,2\nq1,y,1\nq1,z,0\n");
    let details = folder.json("truth build grades.csv --details");
    assert_eq!(details["lists"]["q1"], serde_json::json!([["x"], ["y"]]));
    assert_eq!(details["scale"], "fine");
    assert_eq!(details["items"][1]["broad"], 1.0);
    let csv = folder.output("truth build grades.csv --details --format csv");
    assert!(
        csv.starts_with("query,item,graders,broad,fine\nq1,x,3,2,73.3"),
        "{csv}"
    );
    let scored = folder.output("truth build grades.csv --format json");
    assert!(scored.contains("\"z\""), "{scored}");
}

#[test]
fn two_grades_of_one_person_are_a_vote() {
    let folder = folder().and("truth.csv", "query,item,group\nq1,y,1\nq1,x,2\n");
    let check = |options: &str| {
        folder.json(&format!(
            "truth check grades.csv --decide plurality {options}"
        ))
    };
    let own = check("");
    assert_eq!(own["lists"][0]["list"], serde_json::json!([["x"], ["y"]]));
    assert_eq!(own["lists"][0]["consistent"], 1.0);
    let other = check("--truth truth.csv");
    let pair = &other["lists"][0]["misordered"][0];
    assert_eq!((&pair["a"], &pair["b"]), (&"y".into(), &"x".into()));
    // Two people grade x higher, one y.
    assert_eq!(pair["votes"], serde_json::json!([1, 0, 2]));
}

#[test]
fn bad_grades_are_refused_with_their_line() {
    for (row, words) in [
        (
            "q1,bob,x,GREAT,7",
            "a broad grade is NS, SS or VS, not `GREAT`",
        ),
        (
            "q1,bob,x,VS,101",
            "a fine grade is a number from 0 to 100, not 101",
        ),
        (
            "q1,bob,x,VS,-1",
            "a fine grade is a number from 0 to 100, not -1",
        ),
        ("q1,bob,x,,", "the grade of `x` is neither broad nor fine"),
        (
            "q1,ann,x,VS,1",
            "`ann` has graded `x` already for the query `q1`",
        ),
        ("q1,,x,VS,1", "the assessor has no name"),
    ] {
        let text = format!("query,assessor,item,broad,fine\nq1,ann,x,VS,9\n{row}\n");
        let folder = Folder::with("g.csv", text);
        for command in ["truth build --grades g.csv", "truth check g.csv"] {
            folder.refuses(command, &["g.csv:3", words]);
        }
    }
    let folder = Folder::with("g.csv", "query,assessor,item,broad\n");
    folder.refuses("truth build g.csv", &["no grade after it"]);
    let unknown = folder_with_grades()
        .partita("truth build g.csv --query q9")
        .run();
    assert_eq!(unknown.code, 2);
    unknown.says(&["there are no grades of query `q9`"]);
    let none = outcome_of(&["truth", "build", "nowhere.csv"]);
    assert_eq!(none.code, 2);
    none.says(&["nowhere.csv"]);
}

fn folder_with_grades() -> Folder {
    Folder::with("g.csv", GRADES)
}

#[test]
fn use_b7_tables_of_one_list_are_read_with_a_query() {
    let folder = Folder::with(
        "trees.csv",
        "participant,image,rank\nP1,oak,1\nP1,elm,2\nP2,oak,1\nP2,elm,2\n",
    )
    .and("orders.csv", "expert,1,2\nP1,oak,elm\nP2,oak,elm\n")
    .and("matrix.csv", "rater,oak,elm\nP1,1,2\nP2,1,2\n")
    .and("unknown.csv", "evaluator,oak,elm\nP1,1,2\nP2,1,2\n")
    .and("grades.csv", "worker,stimulus,fine\nP1,oak,90\nP1,elm,10\n");
    folder.refuses(
        "truth build trees.csv",
        &["names no column query", "`--query NAME`"],
    );
    folder.refuses(
        "truth build unknown.csv",
        &["the first column is called `evaluator`", "assessor, judge"],
    );
    for file in [
        "trees.csv --query trees",
        "orders.csv --query trees",
        "matrix.csv --query trees",
    ] {
        let list = folder.output(&format!("truth build {file} --format notation"));
        assert_eq!(list, "trees: (oak), (elm)\n", "{file}");
    }
    let grades = folder.output("truth build grades.csv --query trees --format csv");
    assert!(grades.contains("trees,oak,90"), "{grades}");
}
