//! Commands about campaigns do the same in a log file and on a server, and under the names
//! `partita campaign` and `partita judge`.

use std::collections::HashMap;
use std::fs;

use partita::judging::simulate::AssessorModel;
use partita_server::{ServerStorage, SimulatedCampaignOptions};
use serde_json::{Value, json};

use crate::serve::{Server, create_postgres_database};
use crate::session::{Folder, Outcome};

/// Name of the campaign on the server, and of the file with its log.
const NAME: &str = "tunes";

/// Folder with a campaign on a server that is stopped, and the log of the campaign in a file of the
/// same name. Simulated assessors have answered some questions.
struct Places {
    folder: Folder,
    /// Options that name the server.
    server: String,
}

impl Places {
    fn new(database: Option<&str>) -> Self {
        let folder = Folder::new();
        let data = folder.path("data");
        let mut server = Server::start(&data, "127.0.0.1:0", database);
        let storage = match database {
            Some(url) => ServerStorage::Postgres(url.to_owned()),
            None => ServerStorage::Folder(data),
        };
        let options = SimulatedCampaignOptions {
            people: 3,
            answers: 5,
            assessors: AssessorModel {
                noise: 0.8,
                tie_threshold: 0.4,
                lapse_rate: 0.1,
                side_bias: 0.0,
            },
            seed: 1,
        };
        let document = document(NAME).to_string();
        storage
            .create_simulated_campaign(document.as_bytes(), HashMap::new(), &options)
            .unwrap();
        server.end();
        let server = match database {
            Some(url) => format!("--database {url}"),
            None => "--data data".to_owned(),
        };
        folder.output(&format!("campaign log {NAME} --output {NAME} {server}"));
        Self { folder, server }
    }

    /// Runs a command on the campaign of the server and on the log file, by both names. Asserts that
    /// all print the same and end with the same code. `change` tells that the command changes the
    /// campaign, so that each place is changed once.
    fn run(&self, verb: &str, options: &str, change: bool) -> Outcome {
        let Self { folder, server } = self;
        let in_file = folder.run(&format!("campaign {verb} {NAME} {options}"));
        let mut others = vec![format!("judge {verb} {NAME} {options} {server}")];
        if !change {
            others.push(format!("campaign {verb} {NAME} {options} {server}"));
            others.push(format!("judge {verb} {NAME} {options}"));
        }
        for other in others {
            let outcome = folder.run(&other);
            assert_eq!(outcome.out, in_file.out, "{other}: {}", outcome.err);
            assert_eq!(outcome.err, in_file.err, "{other}");
            assert_eq!(outcome.code, in_file.code, "{other}");
        }
        in_file
    }

    /// Asserts that the server and the file have the same log, byte for byte.
    fn assert_same_log(&self) {
        let log = self
            .folder
            .output(&format!("campaign log {NAME} {}", self.server));
        assert_eq!(log, self.folder.read(NAME));
    }
}

/// Returns a document with two lists of texts.
fn document(name: &str) -> Value {
    let show = |text: &str| json!({ "text": text });
    let list = |query: &str, items: &[&str]| {
        let items = items
            .iter()
            .map(|item| json!({"item": item, "show": show(item)}));
        json!({"query": query, "show": show(query), "items": items.collect::<Vec<_>>()})
    };
    json!({
        "name": name, "title": "Tunes",
        "settings": {"votes": 3, "decide": "majority"},
        "lists": [list("q1", &["a", "b", "c", "d"]), list("q2", &["x", "y", "z"])],
    })
}

/// Runs every command that reads a campaign in both places.
fn check_reading(places: &Places) {
    places
        .folder
        .file("truth.txt", "q1: (a), (b), (c), (d)\nq2: (x), (y, z)\n");
    for (verb, options) in [
        ("status", "--format json"),
        ("status", "--odds --format table"),
        ("decide", "--format json"),
        ("decide", "--query q2 --format csv"),
        ("screen", "--least-answers 3 --format json"),
        ("export", "--format json --details"),
        ("export", "--format notation"),
        ("export", "--answers"),
        ("export", "--answers counted"),
        ("export", "--pairs left-right"),
        ("export", "--rankings"),
        ("export", "--grades"),
        ("export", "--odds"),
        ("replay", ""),
        ("verify", ""),
        ("verify", "--head"),
        ("batches", "--format json"),
        ("agree", "--against truth.txt --format json"),
    ] {
        let outcome = places.run(verb, options, false);
        assert_eq!(outcome.code, 0, "{verb} {options}: {}", outcome.err);
        assert!(!outcome.out.is_empty(), "{verb} {options}");
    }
    // Wrong values are refused in the same words.
    for (verb, options) in [
        ("decide", "--query q9"),
        ("export", "--kind ranking --settled"),
        ("verify", "--expect 0000"),
    ] {
        let outcome = places.run(verb, options, false);
        assert_ne!(outcome.code, 0, "{verb} {options}: {}", outcome.out);
    }
}

/// Runs every command that changes a campaign in both places. `person` has answered.
fn check_changes(places: &Places, person: &str) {
    let now = "--now 2026-12-01T00:00:00Z";
    (places.folder).file(
        "more.csv",
        "query,item,text,query_text\nq2,w,a fourth tune,\nq3,u,a tune,the third\nq3,v,a song,\n",
    );
    (places.folder).file(
        "unknown.csv",
        "query,item,text\nq2,x,the first tune again\n",
    );
    for (command, is_accepted) in [
        ("pause --format json", true),
        ("pause", true),
        ("resume --author ann --format json", true),
        ("votes 4 --format json", true),
        ("votes 4", true),
        ("votes 0", false),
        ("extend --votes 3 --budget 40 --format json", true),
        ("extend --candidates more.csv --format json", true),
        ("extend --candidates unknown.csv", false),
        ("exclude PERSON --reason robot --format json", true),
        ("exclude PERSON zoe", false),
        ("readmit PERSON --format json", true),
        ("readmit PERSON", true),
        ("retract --event 3 --reason slip --format json", true),
        ("retract --event 3", false),
        ("retract --assessor PERSON --id i7", false),
        ("close --query q2 --format json", true),
        ("close --query q9", false),
        ("close --format json", true),
        ("close", true),
        ("pause", false),
        ("resume", false),
    ] {
        let command = command.replace("PERSON", person);
        let (verb, options) = command.split_once(' ').unwrap_or((&command, ""));
        let outcome = places.run(verb, &format!("{options} {now}"), true);
        let code = if is_accepted { 0 } else { 2 };
        assert_eq!(outcome.code, code, "{command}: {}", outcome.err);
        places.assert_same_log();
    }
    assert_eq!(places.run("verify", "", false).code, 0);
    let listed = format!("campaign list {}", places.server);
    assert_eq!(
        places.folder.json(&listed)["campaigns"][0]["state"],
        "closed"
    );
}

/// Returns an assessor whose answer is in the log.
fn somebody(places: &Places) -> String {
    let log = places.folder.read(NAME);
    let events = log.lines().map(|line| serde_json::from_str(line).unwrap());
    let mut person =
        events.filter_map(|event: Value| event["assessor"].as_str().map(str::to_owned));
    person.next_back().unwrap()
}

#[test]
fn every_command_prints_the_same_for_a_log_file_and_a_server() {
    let places = Places::new(None);
    check_reading(&places);
    check_changes(&places, &somebody(&places));
}

#[test]
#[ignore = "it needs PostgreSQL: make server"]
fn postgres_every_command_prints_the_same_for_a_log_file_and_a_server() {
    let (url, _) = create_postgres_database("places");
    let places = Places::new(Some(&url));
    check_reading(&places);
    check_changes(&places, &somebody(&places));
}

#[test]
fn a_command_in_the_wrong_place_names_the_right_one() {
    let places = Places::new(None);
    let before = places.folder.read(NAME);
    for (command, words) in [
        (
            "init new.jsonl --candidates c.csv --data data",
            "partita campaign create FILE --data DIR",
        ),
        ("next tunes --data data", "partita campaign invite NAME"),
        (
            "next tunes --database postgres://x/y",
            "partita campaign invite NAME",
        ),
        (
            "add tunes answers.csv --data data",
            "partita campaign invite NAME",
        ),
        ("create campaign.json", "partita campaign init LOG"),
        ("list", "use --data DIR or --database URL"),
        (
            "invite tunes --kind preference",
            "partita campaign next LOG",
        ),
        ("log tunes", "a campaign in a file is its own log"),
        (
            "log truth.csv --data data",
            "`truth.csv` is a file, and this command needs a server's campaign",
        ),
        (
            "invite truth.csv --kind preference --data data",
            "partita campaign next LOG",
        ),
        (
            "export tunes log.jsonl --data data",
            "partita campaign log NAME --output FILE",
        ),
        ("status melodies", "--data DIR"),
        ("pause melodies", "--data DIR"),
        (
            "status melodies --data data",
            "the server has no campaign `melodies`",
        ),
        (
            "close melodies --data data",
            "the server has no campaign `melodies`",
        ),
        (
            "status truth.csv --data data",
            "leave --data and --database out",
        ),
        (
            "status tunes --data nowhere",
            "nowhere/partita.db does not exist",
        ),
        ("batches truth.csv", "--preferences FILE"),
        ("screen truth.csv", "--preferences FILE"),
        ("agree truth.csv --against truth.csv", "--preferences FILE"),
        (
            "agree tunes --against truth.csv --decide sign --data data",
            "export tunes --data data --answers",
        ),
        ("batches", "--preferences <FILE>"),
        (
            "batches tunes --preferences truth.csv",
            "cannot be used with",
        ),
        (
            "batches --preferences truth.csv --data data",
            "cannot be used with",
        ),
        ("simulate --data data", "unexpected argument '--data'"),
        (
            "extend tunes --candidates c.csv --data data",
            "query `q3`: at least one of audio, image and text is needed",
        ),
        (
            "extend tunes --candidates pictures.csv --data data",
            "`none.png`: there is no such file beside the table of candidates",
        ),
    ] {
        places
            .folder
            .file("truth.csv", "query,a,b,assessor,answer\nq,x,y,ann,a\n");
        places.folder.file("c.csv", "query,item\nq3,v\nq3,w\n");
        (places.folder).file("pictures.csv", "query,item,image\nq1,p,none.png\n");
        for name in ["campaign", "judge"] {
            places
                .folder
                .refuses(&format!("{name} {command}"), &[words]);
        }
    }
    assert!(!places.folder.path("new.jsonl").exists());
    assert_eq!(places.folder.read(NAME), before);
    places.assert_same_log();
}

#[test]
fn house_candidates_with_pictures_extend_the_campaign_of_a_server() {
    let places = Places::new(None);
    let picture = places.folder.path("p.png");
    fs::write(
        &picture,
        [b"\x89PNG\r\n\x1a\n".as_slice(), &[7; 40]].concat(),
    )
    .unwrap();
    (places.folder).file("more.csv", "query,item,image,alt\nq1,e,p.png,a tune\n");
    (places.folder).output(&format!("campaign extend {NAME} -c more.csv --data data"));
    let log = (places.folder).output(&format!("campaign log {NAME} --data data"));
    let extended = log
        .lines()
        .find(|line| line.contains("\"extended\""))
        .unwrap();
    let extended: Value = serde_json::from_str(extended).unwrap();
    let show = &extended["lists"][0]["items"][0]["show"];
    assert_eq!(show["alt"], "a tune");
    assert_eq!(show["image"].as_str().map(str::len), Some(64), "{show}");
    // The picture is stored: another campaign can name it by its SHA-256.
    (places.folder).file(
        "again.csv",
        format!(
            "query,item,image\nq1,f,{}\n",
            show["image"].as_str().unwrap()
        ),
    );
    (places.folder).output(&format!("campaign extend {NAME} -c again.csv --data data"));
}

#[test]
fn a_damaged_log_in_the_database_of_a_server_is_found_by_every_command() {
    let places = Places::new(None);
    let file = places.folder.path("data/partita.db");
    let mut bytes = fs::read(&file).unwrap();
    // The file may also have earlier copies of its pages.
    let assessor = b"\"assessor\":\"simulated";
    let mut changed = 0;
    for at in 0..bytes.len() - assessor.len() {
        if bytes[at..].starts_with(assessor) {
            bytes[at + assessor.len() - 1] = b'D';
            changed += 1;
        }
    }
    assert!(changed > 0);
    fs::write(&file, bytes).unwrap();
    for (command, code) in [("verify", 1), ("status", 2), ("replay", 2), ("pause", 2)] {
        let outcome = places
            .folder
            .run(&format!("campaign {command} {NAME} --data data"));
        assert_eq!(outcome.code, code, "{command}: {}", outcome.err);
        outcome.says(&["was changed"]);
    }
}

#[test]
fn both_names_of_the_command_have_the_same_help() {
    let folder = Folder::new();
    let help = |command: &str| {
        let help = folder.output(&format!("{command} --help"));
        let (_, from_usage) = help.split_once("Usage: ").unwrap();
        let text = from_usage.replace("partita judge", "partita campaign");
        // The last line names another guide.
        text.rsplit_once("Guide: ").unwrap().0.to_owned()
    };
    assert_eq!(help("judge"), help("campaign"));
    let commands = help("campaign");
    for verb in [
        "init", "create", "status", "exclude", "votes", "batches", "log",
    ] {
        assert!(
            commands.contains(&format!("\n  {verb} ")),
            "{verb}: {commands}"
        );
        assert_eq!(
            help(&format!("judge {verb}")),
            help(&format!("campaign {verb}"))
        );
    }
}

#[test]
fn server_a5_extend_raises_the_limit_of_a_panel_and_never_lowers_it() {
    let folder = Folder::new();
    let options = SimulatedCampaignOptions {
        people: 1,
        answers: 1,
        assessors: AssessorModel {
            noise: 0.5,
            tie_threshold: 0.4,
            lapse_rate: 0.0,
            side_bias: 0.0,
        },
        seed: 3,
    };
    let mut panel = document("panel");
    panel["recruiter"] = json!({"preset": "prolific", "limit": 3});
    for (server, document) in [("data", panel), ("other", document("volunteers"))] {
        let data = folder.path(server);
        Server::start(&data, "127.0.0.1:0", None).end();
        let document = document.to_string();
        ServerStorage::Folder(data)
            .create_simulated_campaign(document.as_bytes(), HashMap::new(), &options)
            .unwrap();
    }
    folder.output("campaign log panel --data data --output panel.jsonl");
    for (arguments, code, said) in [
        ("panel --limit 2 --data data", 2, "it is 3 now"),
        (
            "panel --limit 5 --data data",
            0,
            "5 people from the panel can take part",
        ),
        (
            "panel --limit 5 --data data",
            0,
            "5 people already; nothing changes",
        ),
        ("panel --limit 4 --data data", 2, "it is 5 now"),
        ("volunteers --limit 4 --data other", 2, "has no panel"),
        ("panel.jsonl --limit 9", 2, "`panel.jsonl` is a log"),
        (
            "panel --limit 9 --votes 4 --data data",
            2,
            "cannot be used with",
        ),
    ] {
        let outcome = folder.run(&format!("campaign extend {arguments}"));
        assert_eq!(outcome.code, code, "{arguments}: {}", outcome.err);
        assert!(outcome.err.contains(said), "{arguments}: {}", outcome.err);
    }
    // The limit is not part of the log.
    let log = folder.output("campaign log panel --data data");
    assert_eq!(log, folder.read("panel.jsonl"));
}
