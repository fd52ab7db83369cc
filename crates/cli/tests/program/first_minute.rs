//! Tests of the first minute of an organiser: starting a server, creating a campaign from a document
//! and the files beside it, and its links.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use crate::serve::{Server, send};
use crate::session::{Folder, Program};

/// Returns a document of lists whose items show the given clips.
fn document(lists: &[(&str, &[&str])]) -> String {
    let show = |clip: &&str| json!({"audio": clip});
    let lists = lists.iter().map(|(query, clips)| {
        let items: Vec<Value> = (clips[1..].iter())
            .map(|clip| json!({"item": clip, "show": show(clip)}))
            .collect();
        json!({"query": query, "show": show(&clips[0]), "items": items})
    });
    let lists: Vec<Value> = lists.collect();
    json!({"name": "tunes", "title": "Tunes", "lists": lists}).to_string()
}

/// Returns the bytes of a clip of one second, each number another one.
fn clip(number: u8) -> Vec<u8> {
    let samples = 8_000_u32;
    let mut bytes = b"RIFF".to_vec();
    bytes.extend((36 + samples).to_le_bytes());
    bytes.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0");
    bytes.extend(samples.to_le_bytes());
    bytes.extend(samples.to_le_bytes());
    bytes.extend(b"\x01\0\x08\0data");
    bytes.extend(samples.to_le_bytes());
    bytes.extend((0..samples).map(|at| if (at / 20) % 2 == 0 { 128 } else { number }));
    bytes
}

/// Server whose addresses are printed as text.
struct TextServer {
    process: Child,
    said: String,
}

impl TextServer {
    /// Starts a server and reads `lines` lines of its output.
    fn start(folder: &Folder, options: &str, lines: usize) -> Self {
        let command = format!("serve --data data {options}");
        let mut command = folder.partita(&command).into_command();
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let said = output.lines().take(lines).map(|line| line.unwrap() + "\n");
        let said = said.collect();
        Self { process, said }
    }

    /// Ends the server and returns its standard error.
    fn end(mut self) -> String {
        let pid = self.process.id().to_string();
        let asked = std::process::Command::new("kill")
            .args(["-TERM", &pid])
            .status();
        assert!(asked.unwrap().success());
        assert!(self.process.wait().unwrap().success());
        let mut errors = String::new();
        let mut stderr = self.process.stderr.take().unwrap();
        stderr.read_to_string(&mut errors).unwrap();
        errors
    }
}

impl Drop for TextServer {
    fn drop(&mut self) {
        // An error means that the process has already ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Creates a campaign of texts.
fn create_texts(folder: &Folder) {
    let show = |text: &str| json!({"text": text});
    let items = ["x", "y"].map(|item| json!({"item": item, "show": show(item)}));
    let document = json!({
        "name": "tunes", "title": "Tunes",
        "lists": [{"query": "q", "show": show("q"), "items": items}],
    });
    folder.file("tunes.json", document.to_string());
    folder.output("campaign create tunes.json --data data");
}

#[test]
fn use_b12_serve_says_where_to_organise_and_how_to_begin() {
    let folder = Folder::new();
    for listen in ["0", "localhost:0", "127.0.0.1:0"] {
        let server = TextServer::start(&folder, &format!("--listen {listen}"), 4);
        let said: Vec<&str> = server.said.lines().collect();
        let url = said[0].strip_prefix("Listening on ").unwrap();
        assert!(url.starts_with("http://127.0.0.1:"), "{url}");
        assert_eq!(said[1], format!("Organise: {url}/organise"));
        assert_eq!(said[2], "Sign in with the token in data/organiser.token");
        assert_eq!(
            said[3],
            "Create a campaign: partita campaign create campaign.json --data data"
        );
        assert_eq!(
            server.end(),
            "",
            "a server of this machine alone has no warning"
        );
    }
    let options = "--listen 0 --public-url https://Judge.example.org/";
    let server = TextServer::start(&folder, options, 2);
    assert!(
        server
            .said
            .ends_with("Organise: https://judge.example.org/organise\n")
    );
    drop(server);
    std::fs::remove_file(folder.path("data/organiser.token")).unwrap();
    let server = TextServer::start(&folder, "--listen 0", 3);
    let how =
        "Sign in with a token of `partita token create --scope read,manage,people --data data`";
    assert_eq!(server.said.lines().last(), Some(how));
}

#[test]
fn use_b12_serve_warns_of_http_that_others_can_reach() {
    let folder = Folder::new();
    let server = TextServer::start(&folder, "--listen 0.0.0.0:0", 2);
    // Nobody can open the address 0.0.0.0.
    assert!(
        server.said.contains("Organise: http://127.0.0.1:"),
        "{}",
        server.said
    );
    let errors = server.end();
    assert!(
        errors.starts_with("warning: 0.0.0.0:0 can be reached from other machines"),
        "{errors}"
    );
    let http = "--listen 0.0.0.0:0 --public-url http://judge.example.org";
    assert!(
        TextServer::start(&folder, http, 1)
            .end()
            .contains("unencrypted")
    );
    let https = "--listen 0.0.0.0:0 --public-url https://judge.example.org";
    assert_eq!(TextServer::start(&folder, https, 1).end(), "");
}

#[test]
fn use_b12_an_address_that_is_none_is_refused() {
    for (option, value, word) in [
        ("--listen", "localhost", "or a port (`8080`)"),
        ("--listen", "example.org:8080", "or a port (`8080`)"),
        ("--listen", "70000", "a port is a number from 0 to 65535"),
        (
            "--listen",
            "localhost:",
            "a port is a number from 0 to 65535",
        ),
        (
            "--public-url",
            "judge.example.org",
            "must begin with https:// or http://",
        ),
        (
            "--public-url",
            "https://judge.example.org/pages",
            "must end after the host",
        ),
    ] {
        let folder = Folder::new();
        let command = format!("serve --data data {option} {value}");
        folder.refuses(&command, &[value, word]);
        assert!(!folder.path("data").exists());
    }
}

#[test]
fn use_a6_links_begin_with_the_address_that_the_running_server_wrote() {
    let folder = Folder::new();
    let mut server = Server::start(&folder.path("data"), "127.0.0.1:0", None);
    create_texts(&folder);
    let invite = "campaign invite tunes --kind preference --count 3 --data data";
    for columns in ["40", "80", "200"] {
        let mut command = folder.partita(invite).into_command();
        let output = command.env("PARTITA_COLUMNS", columns).output().unwrap();
        let output = String::from_utf8(output.stdout).unwrap();
        let start = format!("{}/j/tunes#invite=", server.url);
        let links: Vec<&str> = output
            .lines()
            .filter(|line| line.starts_with(&start))
            .collect();
        assert_eq!(links.len(), 3, "{output}");
        assert!(
            links.iter().all(|link| link.len() == start.len() + 64),
            "{output}"
        );
    }
    let file = folder.path("data/addresses.json");
    let mode = std::os::unix::fs::PermissionsExt::mode(&file.metadata().unwrap().permissions());
    assert_eq!(mode & 0o777, 0o600);
    let public = folder.output(&format!(
        "{invite} --format table --public-url https://judge.example.org"
    ));
    assert!(
        public.contains("\nhttps://judge.example.org/j/tunes#invite="),
        "{public}"
    );
    // A server that was killed leaves its file, which counts no more.
    server.kill();
    assert!(file.exists());
    let words = [
        "no server runs on `data`",
        "--public-url",
        "partita serve --data data",
    ];
    folder.refuses(invite, &words);
    drop(server);
    server = Server::start(&folder.path("data"), "127.0.0.1:0", None);
    assert!(folder.output(invite).contains(&server.url));
    server.end();
    assert!(!file.exists());
    folder.refuses(invite, &words);
    let database = "campaign invite tunes --kind preference --database postgres://nowhere/none";
    let said = folder.run(database).err;
    assert!(said.starts_with("error: "), "{said}");
}

#[test]
fn use_a6_links_of_a_server_behind_a_proxy_begin_with_its_public_address() {
    let folder = Folder::new();
    let options = [
        "--listen",
        "127.0.0.1:0",
        "--public-url",
        "https://judge.example.org",
    ];
    let _server = Server::start_with_options(&folder.path("data"), &options, Stdio::null());
    create_texts(&folder);
    let made = folder.json("campaign invite tunes --kind preference --data data");
    let link = made["invites"][0]["link"].as_str().unwrap();
    assert!(
        link.starts_with("https://judge.example.org/j/tunes#invite="),
        "{link}"
    );
}

#[test]
fn use_a6_a_closed_campaign_gets_no_links() {
    let folder = Folder::new();
    let server = Server::start(&folder.path("data"), "127.0.0.1:0", None);
    create_texts(&folder);
    let invite = "campaign invite tunes --kind preference --data data";
    folder.output("campaign pause tunes --data data");
    folder.output(invite);
    folder.output("campaign close tunes --data data");
    folder.refuses(invite, &["the campaign is closed"]);
    let token = folder.read("data/organiser.token");
    let url = format!("{}/api/v1/campaigns/tunes/invites", server.url);
    let (status, problem) =
        send("POST", &url, token.trim(), &json!({"kind": "preference"})).unwrap();
    assert_eq!(
        (status, &problem["type"]),
        (409, &json!("/problems/closed"))
    );
    let (_, listed) = send("GET", &url, token.trim(), &json!(null)).unwrap();
    assert_eq!(
        listed["invites"].as_array().unwrap().len(),
        1,
        "only the one of the pause"
    );
}

#[test]
fn use_b14_a_document_is_created_with_the_files_beside_it() {
    let folder = Folder::new();
    drop(Server::start(&folder.path("data"), "127.0.0.1:0", None));
    for (number, name) in ["q.wav", "a.wav", "b.wav"].into_iter().enumerate() {
        folder.file(&format!("study/clips/{name}"), clip(number as u8));
    }
    let clips = ["clips/q.wav", "./clips/a.wav", "clips/b.wav"];
    folder.file("study/campaign.json", document(&[("q", &clips)]));
    folder.output("campaign create study/campaign.json --data data");
    let log = folder.output("campaign log tunes --data data");
    let opened: Value = serde_json::from_str(log.lines().next().unwrap()).unwrap();
    let show = &opened["spec"]["lists"][0]["items"][0]["show"]["audio"];
    assert_eq!(show.as_str().unwrap().len(), 64, "{show}");
    // A plain file name is found beside the working folder.
    let other = document(&[("q", &clips)]).replace("\"tunes\"", "\"again\"");
    folder.file("study/again.json", other);
    let study = folder.path("study");
    Program::within(&study, "campaign create again.json --data ../data").succeeds();
}

#[test]
fn use_b14_missing_files_get_one_line_each_and_ten_at_most() {
    let folder = Folder::new();
    drop(Server::start(&folder.path("data"), "127.0.0.1:0", None));
    let names: Vec<String> = (0..35)
        .map(|number| format!("clips/{number}.wav"))
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    folder.file(
        "campaign.json",
        document(&[("p", &names), ("q", &names[..20])]),
    );
    let outcome = folder
        .partita("campaign create campaign.json --data data")
        .refuses(&["campaign.json: /lists/0/show/audio: there is no file `clips/0.wav` beside"]);
    let missing = outcome.err.matches("there is no file").count();
    assert_eq!(missing, 10, "{}", outcome.err);
    assert!(
        outcome.err.contains("and 25 more files are missing"),
        "{}",
        outcome.err
    );
    let listed = folder.json("campaign list --data data");
    assert_eq!(listed["campaigns"], json!([]));
}

#[test]
fn use_b14_files_outside_the_folder_of_the_document_are_refused() {
    let folder = Folder::new();
    drop(Server::start(&folder.path("data"), "127.0.0.1:0", None));
    folder.file("secret.wav", clip(1));
    folder.file("study/a.wav", clip(2));
    folder.file("study/text.wav", "no clip");
    std::os::unix::fs::symlink("../secret.wav", folder.path("study/link.wav")).unwrap();
    let absolute = folder.place("secret.wav");
    let clips = [
        "a.wav",
        "../secret.wav",
        "link.wav",
        &absolute,
        "text.wav",
        ".",
    ];
    folder.file("study/campaign.json", document(&[("q", &clips)]));
    let outcome = folder
        .partita("campaign create study/campaign.json --data data")
        .refuses(&[
            "/lists/0/items/0/show/audio: `../secret.wav`: files must be in the folder",
            "/lists/0/items/1/show/audio: `link.wav`: files must be in the folder",
            "/lists/0/items/2/show/audio: ",
            "/lists/0/items/3/show/audio: the file is neither",
            "/lists/0/items/4/show/audio: `.`: this is no file",
        ]);
    assert_eq!(
        outcome.err.matches("campaign.json: ").count(),
        5,
        "{}",
        outcome.err
    );
}

#[test]
fn use_b14_the_folder_of_the_server_is_checked_before_the_files_are_read() {
    let folder = Folder::new();
    folder.file("campaign.json", "{");
    folder.refuses(
        "campaign create campaign.json --data nowhere",
        &["nowhere", "`partita serve --data DIR` creates it"],
    );
}

#[test]
fn server_c11_all_faults_of_form_are_told_at_once() {
    let folder = Folder::new();
    drop(Server::start(&folder.path("data"), "127.0.0.1:0", None));
    let document = json!({
        "name": "Tunes!", "title": "Tunes", "kinds": ["guessing"],
        "settings": {"strategy": "magic", "votes": "many"},
        "judging": {"hear": "loudly"},
        "lists": [{"query": "q", "show": {"audio": "none.wav"}, "items": []}],
    });
    folder.file("campaign.json", document.to_string());
    let words = [
        "/name: ",
        "/kinds/0: ",
        "/settings/strategy: ",
        "/settings/votes: ",
        "/judging/hear: ",
        "/lists/0/items: ",
        "/lists/0/show/audio: there is no file `none.wav` beside the document",
    ];
    folder.refuses("campaign create campaign.json --data data", &words);
}

#[test]
fn server_b12_equal_refusals_take_few_lines() {
    let folder = Folder::new();
    let server = TextServer::start(&folder, "--listen 0", 4);
    let url = server.said.lines().next().unwrap();
    let url = url.strip_prefix("Listening on ").unwrap().to_owned();
    for number in 0..40 {
        let address = format!("{url}/api/v1/campaigns/secret-{number}?token=hidden");
        send("GET", &address, "wrong", &Value::Null).unwrap();
    }
    let errors = server.end();
    let lines: Vec<&str> = errors.lines().collect();
    // 20 wrong tokens within a minute are unauthorised, the others exceed a limit.
    assert_eq!(lines.len(), 4, "{errors}");
    for line in &lines {
        assert!(
            line.contains("refused GET /api/v1/campaigns/{name}: "),
            "{line}"
        );
        assert!(line.contains("request "), "{line}");
    }
    for (kind, more) in [
        ("401 unauthorised", "(19 more in 10 s"),
        ("429 too-many", "(19 more in 10 s"),
    ] {
        let of_kind: Vec<&&str> = lines.iter().filter(|line| line.contains(kind)).collect();
        assert_eq!(of_kind.len(), 2, "{errors}");
        assert!(of_kind[1].contains(more), "{errors}");
    }
    for secret in ["hidden", "wrong", "secret-", "127.0.0.1"] {
        assert!(!errors.contains(secret), "{errors}");
    }
}

#[test]
fn use_b16_each_line_of_a_file_gets_a_link_with_its_name_as_label() {
    let folder = Folder::new();
    let _server = Server::start(&folder.path("data"), "127.0.0.1:0", None);
    create_texts(&folder);
    let invite = "campaign invite tunes --data data --public-url https://judge.example.org";
    folder.file(
        "people.csv",
        "name,email\nMia Roth,mia@example.org\nÓscar,\n",
    );
    let table = folder.output(&format!("{invite} --people people.csv --format table"));
    let lines: Vec<&str> = table.lines().collect();
    let mia = lines.iter().position(|line| *line == "Mia Roth").unwrap();
    assert!(
        lines[mia + 1].starts_with("https://judge.example.org/j/tunes#invite="),
        "{table}"
    );
    let made = folder.json(&format!("{invite} --people people.csv"));
    assert_eq!(made["invites"][1]["label"], "Óscar");
    // The kind is that of the campaign, and other options about the links do not fit.
    folder.refuses(invite, &["--kind"]);
    folder.refuses(
        &format!("{invite} --people people.csv --count 2"),
        &["--count"],
    );
    folder.refuses(
        &format!("{invite} --people people.csv --kind grading"),
        &["grading"],
    );
    folder.file("faulty.csv", "name,email\nMia Roth,mia\n");
    folder.refuses(
        &format!("{invite} --people faulty.csv"),
        &["faulty.csv:2:", "`mia`"],
    );
}
