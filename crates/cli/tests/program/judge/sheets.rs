//! Tests of question sheets, one per assessor, in a folder.

use crate::session::Folder;

const CANDIDATES: &str = "query,item\nq1,a\nq1,b\nq1,c\nq1,d\nq2,a\nq2,b\nq2,c\n";

fn campaign(options: &str) -> Folder {
    let folder = Folder::with("c.csv", CANDIDATES);
    folder.output(&format!("judge init c.jsonl --candidates c.csv {options}"));
    folder
}

/// Fills in all answers of a sheet.
fn fill_in(folder: &Folder, sheet: &str) {
    let empty = folder.read(sheet);
    let filled: Vec<String> = (empty.lines())
        .map(|line| match line.strip_suffix(',') {
            Some(question) => format!("{question},a"),
            None => line.to_owned(),
        })
        .collect();
    folder.file(sheet, filled.join("\n") + "\n");
}

#[test]
fn unanswered_sheets_in_the_folder_keep_their_questions_assigned() {
    let folder = campaign("--votes 2");
    let given = folder.json("judge next c.jsonl --people 2 --output sheets");
    let files: Vec<&str> = (given["sheets"].as_array().expect("sheets").iter())
        .map(|sheet| sheet["file"].as_str().expect("a file"))
        .collect();
    assert_eq!(files, ["sheets/person-1-1.csv", "sheets/person-2-1.csv"]);
    let sheet = folder.read("sheets/person-1-1.csv");
    assert!(sheet.starts_with("campaign,question,query,a,b,assessor,answer\nc,1,q"));

    fill_in(&folder, "sheets/person-1-1.csv");
    let added = folder
        .partita("judge add c.jsonl sheets/person-1-1.csv")
        .succeeds();
    assert!(added.out.contains("counted,"), "{}", added.out);
    assert!(!added.out.contains("surplus"), "{}", added.out);

    // The sheet of person-2 is unanswered, so person-2 gets no other sheet.
    let again = folder.json("judge next c.jsonl --people 2 --output sheets");
    assert_eq!(again["waiting"][0], "person-2");
    fill_in(&folder, "sheets/person-2-1.csv");
    folder.output("judge add c.jsonl sheets/person-2-1.csv");
    // The next sheet of an assessor is a new file; the first one is not overwritten.
    folder.output("judge next c.jsonl --people 2 --output sheets");
    assert!(folder.path("sheets/person-1-2.csv").exists());
    assert!(folder.read("sheets/person-1-1.csv").contains(",a\n"));
}

#[test]
fn one_person_can_have_a_sheet_without_a_folder() {
    let folder = campaign("");
    let sheet = folder.output("judge next c.jsonl --person ann --questions 3");
    assert_eq!(sheet.lines().count(), 4);
    assert!(sheet.lines().skip(1).all(|line| line.ends_with(",ann,")));
}

#[test]
fn named_assessors_get_sheets_named_after_them() {
    let folder = campaign("").and("people.txt", "ann\n\n  bob \n");
    folder.output("judge next c.jsonl --people people.txt --output sheets");
    assert!(folder.path("sheets/ann-1.csv").exists());
    assert!(folder.path("sheets/bob-1.csv").exists());
}

#[test]
fn files_that_are_not_sheets_of_the_campaign_are_refused() {
    let folder = campaign("").and("sheets/mine.csv", "x,y\n1,2\n");
    let ask = "judge next c.jsonl --people 3 --output sheets";
    folder.refuses(ask, &["sheets/mine.csv:1", "no sheet of questions"]);
    let other = "campaign,question,query,a,b,assessor,answer\nd,1,q9,a,b,ann,\n";
    folder.file("sheets/mine.csv", other);
    folder.refuses(ask, &["sheets/mine.csv:2", "q9", "separate folder"]);
    folder.refuses("judge next c.jsonl --people 3", &["--output"]);
    let two = "judge next c.jsonl --person ann --person bob";
    folder.refuses(two, &["need a folder", "--output"]);
    let nobody = "judge next c.jsonl --people 0 --output empty";
    folder.refuses(nobody, &["from 1 to 10,000"]);
}
