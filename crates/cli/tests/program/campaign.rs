//! Tests of `partita campaign` and `partita token`.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::schemas::check_server_json;
use crate::serve::Server;
use crate::session::Folder;

/// Runs a server administration command and returns its JSON after checking it against its schema.
fn json_of(command: &str, words: &[&str], data: &Path) -> Value {
    let done = Command::new(env!("CARGO_BIN_EXE_partita"))
        .args(command.split(' '))
        .args(words)
        .arg("--data")
        .arg(data)
        .args(["--format", "json"])
        .output()
        .unwrap();
    let said = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(0), "{command}: {said}");
    let value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(check_server_json(command, &value), Ok(()));
    value
}

#[test]
fn json_of_campaign_and_token_commands_matches_their_schemas() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let server = Server::start(&data, "127.0.0.1:0", None);
    let file = folder.path().join("campaign.json");
    let document = json!({
        "name": "tunes",
        "title": "Tunes",
        "lists": [{
            "query": "q",
            "show": {"text": "q"},
            "items": [{"item": "x", "show": {"text": "x"}}, {"item": "y", "show": {"text": "y"}}],
        }],
    });
    std::fs::write(&file, document.to_string()).unwrap();
    let of = |command: &str, words: &[&str]| json_of(command, words, &data);
    assert_eq!(
        of("campaign create", &[file.to_str().unwrap()]),
        json!({"schema": 1, "name": "tunes", "title": "Tunes", "state": "open", "warnings": []})
    );
    let url = ["--public-url", "https://judge.example.org"];
    let words = [
        "tunes",
        "--kind",
        "preference",
        "--count",
        "2",
        url[0],
        url[1],
    ];
    let invites = of("campaign invite", &words);
    let invites = invites["invites"].as_array().unwrap();
    assert_eq!(invites.len(), 2);
    for invite in invites {
        let link = format!(
            "https://judge.example.org/j/tunes#invite={}",
            invite["invite"].as_str().unwrap()
        );
        assert_eq!(invite["link"], link);
    }
    let token = of(
        "token create",
        &["--scope", "read,manage", "--campaign", "tunes"],
    );
    let tokens = of("token list", &[]);
    let tokens = tokens["tokens"].as_array().unwrap();
    assert_eq!(tokens.len(), 2, "the first organiser's and this one");
    let made = tokens
        .iter()
        .find(|known| known["id"] == token["id"])
        .unwrap();
    assert_eq!(made["scopes"], json!(["read", "manage"]));
    let listed = of("campaign list", &[]);
    let line = json!({"name": "tunes", "title": "Tunes", "state": "open"});
    assert_eq!(
        listed,
        json!({"schema": 1, "campaigns": [line], "warnings": []})
    );
    let verified = of("verify", &[]);
    assert_eq!(verified["sound"], true);
    assert_eq!(verified["campaigns"][0]["unsound"], Value::Null);
    drop(server);
    let ready = check_server_json("serve", &json!({"url": "http://127.0.0.1:1"}));
    assert!(ready.is_err(), "an address is missing");
}

#[test]
fn server_b16_a_deletion_needs_yes_and_a_closed_campaign() {
    let folder = Folder::new();
    drop(Server::start(&folder.path("data"), "127.0.0.1:0", None));
    let item = |name: &str| json!({"item": name, "show": {"text": name}});
    let list = json!({"query": "q", "show": {"text": "q"}, "items": [item("x"), item("y")]});
    let document = json!({"name": "old-tunes", "title": "T", "lists": [list]});
    folder.file("old.json", document.to_string());
    folder.output("campaign create old.json --data data");
    folder.refuses(
        "campaign delete new-tunes --yes --data data",
        &["no such campaign"],
    );
    folder.refuses(
        "campaign delete old-tunes --data data",
        &["`old-tunes`", "--yes"],
    );
    folder.refuses(
        "campaign delete old-tunes --yes --data data",
        &["close it first"],
    );
    folder.output("campaign close old-tunes --data data");
    folder.refuses("campaign delete old-tunes --data data", &["--yes"]);
    assert_eq!(
        folder.output("campaign delete old-tunes --yes --data data"),
        ""
    );
    assert!(
        !folder
            .output("campaign list --data data")
            .contains("old-tunes")
    );
}

#[test]
fn server_c13_a_file_that_is_no_backup_is_named_with_a_hint_for_files() {
    let folder = Folder::with("notes.txt", "these are notes, and no database ".repeat(200));
    for command in ["verify notes.txt", "restore notes.txt --data restored"] {
        folder.refuses(command, &["notes.txt", "`partita backup`"]);
        assert!(!folder.path("restored").exists());
    }
}
