//! Tests of `partita campaign create LOG`: a server takes over a campaign that began as a file.

use serde_json::json;

use crate::serve::Server;
use crate::session::Folder;

const CANDIDATES: &str = "query,item\nq,x\nq,y\nq,z\n";

/// Returns a folder with a campaign in the file `study.jsonl`, in which two people have answered,
/// and with the data of a server that has no campaigns.
fn folder_with_file_campaign() -> Folder {
    let folder = Folder::with("candidates.csv", CANDIDATES);
    folder.output("judge init study.jsonl -c candidates.csv --votes 2 --decide majority");
    folder.output("judge next study.jsonl");
    let rows = ["ann", "bob"].map(|who| format!("q,x,y,{who},a\nq,z,y,{who},b\n"));
    folder.file(
        "answers.csv",
        format!("query,a,b,assessor,answer\n{}", rows.concat()),
    );
    folder.output("judge add study.jsonl answers.csv --adopt");
    Server::start(&folder.path("data"), "127.0.0.1:0", None).end();
    folder
}

#[test]
fn a_server_takes_over_the_log_of_a_file_byte_for_byte() {
    let folder = folder_with_file_campaign();
    let created = folder.json("campaign create study.jsonl --data data");
    let summary = json!({
        "schema": 1, "name": "study", "title": "study", "state": "open", "warnings": []
    });
    assert_eq!(created, summary);
    let log = folder.output("campaign log study --data data");
    assert_eq!(log, folder.read("study.jsonl"));
    folder.refuses(
        "campaign create study.jsonl --data data",
        &["study.jsonl: a campaign `study` already exists"],
    );
}

#[test]
fn the_unfinished_last_line_of_a_log_is_a_warning() {
    let folder = folder_with_file_campaign();
    let log = folder.read("study.jsonl");
    folder.file("torn.jsonl", format!("{log}{{\"seq\":"));
    let created = folder.run("campaign create torn.jsonl --data data");
    assert_eq!(created.code, 0, "{}", created.err);
    assert!(created.err.contains("the last line is unfinished"));
    assert_eq!(folder.output("campaign log study --data data"), log);
}

#[test]
fn logs_and_options_that_do_not_fit_are_rejected_and_nothing_is_created() {
    let folder = folder_with_file_campaign();
    let log = folder.read("study.jsonl");
    let lines: Vec<&str> = log.split_inclusive('\n').collect();
    folder.file("gap.jsonl", [&lines[..1], &lines[2..]].concat().concat());
    folder.file(
        "newer.jsonl",
        log.replacen("\"version\":1", "\"version\":2", 1),
    );
    folder.output("judge init named.jsonl -c candidates.csv --name Named");
    folder.file("single.csv", "query,item\nq,x\n");
    folder.output("judge init single.jsonl -c single.csv");
    folder.file("campaign.json", "{}");
    for (arguments, words) in [
        (
            "gap.jsonl",
            ["gap.jsonl:2", "event 2 was taken out or moved"],
        ),
        ("newer.jsonl", ["newer.jsonl:1", "the log has version 2"]),
        ("named.jsonl", ["named.jsonl: /name", "small letters"]),
        (
            "single.jsonl",
            ["/lists/0/items", "fewer than two candidates"],
        ),
        ("study.jsonl --media nowhere", ["nowhere", "No such file"]),
        ("campaign.json --media .", ["--media", "hint: "]),
        (
            "campaign.json",
            ["campaign.json: /name", "campaign.json: /lists"],
        ),
    ] {
        folder.refuses(&format!("campaign create {arguments} --data data"), &words);
    }
    let listed = folder.json("campaign list --data data");
    assert_eq!(listed["campaigns"], json!([]));
}
