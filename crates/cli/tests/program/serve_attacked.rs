//! Tests of the server against attacks: secrets in its output, memory use, and invalid databases.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::serve::{Server, organiser_token, send};

fn document() -> Value {
    let item = |name: &str| json!({"item": name, "show": {"text": name}});
    json!({
        "name": "c", "title": "C", "recruiter": {"preset": "prolific"},
        "lists": [{"query": "q", "show": {"text": "q"}, "items": [item("x"), item("y"), item("z")]}],
    })
}

#[test]
fn no_token_panel_id_or_ip_address_is_in_the_output_of_a_server() {
    let folder = tempfile::tempdir().unwrap();
    let (data, written) = (folder.path().join("data"), folder.path().join("written"));
    let errors = || {
        let file = std::fs::File::options()
            .create(true)
            .append(true)
            .open(&written);
        Stdio::from(file.unwrap())
    };
    let mut server = Server::start_with_options(&data, &["--listen", "127.0.0.1:0"], errors());
    let first = organiser_token(&data);
    let url = server.url.clone();
    let post = |path: &str, token: &str, body: Value| {
        send("POST", &format!("{url}{path}"), token, &body).unwrap()
    };
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    assert_eq!(post("/api/v1/campaigns", &first, document()).0, 201);
    let invites = post(
        "/api/v1/campaigns/c/invites",
        &first,
        json!({"kind": "preference"}),
    )
    .1;
    let invite = text(&invites["invites"][0]["invite"]);
    let second = text(&post("/api/v1/tokens", &first, json!({"scopes": ["read"]})).1["token"]);
    let entered = post(
        "/api/v1/judge/enter",
        "",
        json!({"campaign": "c", "invite": invite}),
    )
    .1;
    let judge = text(&entered["token"]);
    let claim = "pid-5f3e".to_owned();
    let params = json!({"PROLIFIC_PID": claim, "SESSION_ID": "session-77ab"});
    let entered = post(
        "/api/v1/judge/enter",
        "",
        json!({"campaign": "c", "params": params}),
    )
    .1;
    let panel = text(&entered["token"]);
    let wrong = "wrong-token-31c9".to_owned();
    let secrets = [
        first,
        invite,
        second,
        judge,
        panel,
        claim,
        wrong,
        "session-77ab".to_owned(),
    ];
    // Send each secret in headers, URLs and bodies of valid and invalid requests, the second time
    // without the folder of the server, so that nothing can be saved.
    for round in ["right", "without its folder"] {
        for secret in &secrets {
            for (method, path) in [
                ("POST", "/api/v1/judge/next"),
                ("GET", "/api/v1/campaigns"),
                ("GET", "/api/v1/campaigns/c/people"),
                ("POST", "/api/v1/session"),
                ("PUT", "/api/v1/judge/answers/no-uuid"),
                ("POST", "/api/v1/campaigns"),
            ] {
                let path = format!("{url}{path}?token={secret}&PROLIFIC_PID={secret}");
                let body = json!({"token": secret, "campaign": secret, secret: secret});
                send(method, &path, secret, &body).expect("an answer, whatever it is");
            }
            let entry = json!({"campaign": secret, "invite": secret});
            post("/api/v1/judge/enter", "", entry);
            send(
                "GET",
                &format!("{url}/j/c?PROLIFIC_PID={secret}"),
                "",
                &Value::Null,
            )
            .unwrap();
        }
        if round == "right" {
            std::fs::rename(&data, data.with_extension("away")).unwrap();
        }
    }
    std::fs::rename(data.with_extension("away"), &data).unwrap();
    server.end();
    // Start the server again, and a second one on the same folder, which fails.
    let mut server = Server::start_with_options(&data, &["--listen", "127.0.0.1:0"], errors());
    let refused = Command::new(env!("CARGO_BIN_EXE_partita"))
        .args(["serve", "--data"])
        .arg(&data)
        .output()
        .unwrap();
    assert_eq!(refused.status.code(), Some(2));
    server.end();
    let mut said = std::fs::read(&written).unwrap();
    assert!(!said.is_empty(), "that nothing can be saved is said");
    said.extend(refused.stdout);
    said.extend(refused.stderr);
    let said = String::from_utf8(said).unwrap();
    let database = std::fs::read(data.join("partita.db")).unwrap();
    for secret in &secrets {
        assert!(!said.contains(secret.as_str()), "{secret} in {said}");
    }
    // IP addresses and URL parameters of the panel are not in the database either.
    for address in ["127.0.0.1", "PROLIFIC_PID="] {
        assert!(!said.contains(address), "{address} in {said}");
        let found = database
            .windows(address.len())
            .any(|part| part == address.as_bytes());
        assert!(!found, "{address} in the database");
    }
}

/// Returns the peak resident memory of a process in KiB (Linux).
fn peak_memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM"))
        .unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn endless_request_bodies_are_refused_with_bounded_memory() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let server = Server::start_with_options(&data, &["--listen", "127.0.0.1:0"], Stdio::null());
    let token = organiser_token(&data);
    let made = send(
        "POST",
        &format!("{}/api/v1/campaigns", server.url),
        &token,
        &document(),
    );
    assert_eq!(made.unwrap().0, 201);
    let before = peak_memory(server.id());
    let piece = vec![b' '; 64 << 10];
    let mut chunk = format!("{:x}\r\n", piece.len()).into_bytes();
    chunk.extend(&piece);
    chunk.extend(b"\r\n");
    // Maximum growth of the memory in MiB. Bodies up to the limit of an endpoint are buffered, and
    // the buffer doubles as it grows; the allocator keeps another 10 to 20 MiB.
    for (what, kind, most) in [
        ("POST /api/v1/judge/enter", "application/json", 32),
        ("POST /api/v1/session", "application/json", 32),
        ("POST /api/v1/campaigns", "application/json", 120),
        ("POST /api/v1/media", "audio/wav", 120),
    ] {
        let mut stream = TcpStream::connect(server.url.strip_prefix("http://").unwrap()).unwrap();
        let head = format!(
            "{what} HTTP/1.1\r\nHost: x\r\nOrigin: {}\r\nAuthorization: Bearer {token}\r\nContent-Type: {kind}\r\nTransfer-Encoding: chunked\r\n\r\n",
            server.url
        );
        stream.write_all(head.as_bytes()).unwrap();
        // 128 MiB, twice as much as the server reads to discard.
        for _ in 0..2_048 {
            if stream.write_all(&chunk).is_err() {
                break;
            }
        }
        let mut said = [0; 12];
        stream.read_exact(&mut said).unwrap();
        assert_eq!(
            std::str::from_utf8(&said).unwrap(),
            "HTTP/1.1 413",
            "{what}"
        );
        let grown = peak_memory(server.id()) - before;
        assert!(grown < most << 10, "{what}: {grown} KiB more than before");
    }
}

/// Creates the folder of a server by starting and stopping one.
fn create_server_folder(data: &Path) {
    Server::start_with_options(data, &["--listen", "127.0.0.1:0"], Stdio::null()).end();
}

/// Asserts that a server on this folder does not start and returns its error message.
fn start_error(data: &Path) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_partita"));
    let command = command.arg("serve").arg("--data").arg(data);
    let done = command.args(["--listen", "127.0.0.1:0"]).output().unwrap();
    assert_eq!(done.status.code(), Some(2), "{done:?}");
    String::from_utf8(done.stderr).unwrap()
}

#[test]
fn a_database_with_a_later_schema_is_refused_and_left_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    create_server_folder(&data);
    let path = data.join("partita.db");
    let mut bytes = std::fs::read(&path).unwrap();
    // Find the version number, which follows the word `schema` in the database file.
    let place = bytes
        .windows(7)
        .position(|part| part.starts_with(b"schema") && part[6].is_ascii_digit())
        .unwrap();
    bytes[place + 6] = b'9';
    std::fs::write(&path, &bytes).unwrap();
    let said = start_error(&data);
    assert!(
        said.contains("schema 9") && said.contains("update partita"),
        "{said}"
    );
    let backup = folder.path().join("b.db");
    for arguments in [
        vec!["verify".as_ref()],
        vec!["backup".as_ref(), backup.as_os_str()],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_partita"));
        let done = command
            .args(arguments)
            .arg("--data")
            .arg(&data)
            .output()
            .unwrap();
        assert_eq!(done.status.code(), Some(2), "{done:?}");
    }
    assert!(!backup.exists());
    let after = std::fs::read(&path).unwrap();
    assert!(after.windows(7).any(|part| part == b"schema9"));
}

#[test]
fn invalid_databases_and_secrets_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    create_server_folder(&data);
    std::fs::write(data.join("secret"), "").unwrap();
    let said = start_error(&data);
    assert!(said.contains("secret"), "{said}");
    std::fs::remove_file(data.join("secret")).unwrap();
    // A new secret is created, but the database belongs to the old one.
    let said = start_error(&data);
    assert!(said.contains("another secret"), "{said}");
    let other = folder.path().join("other");
    std::fs::create_dir(&other).unwrap();
    std::fs::write(other.join("partita.db"), "no database at all".repeat(100)).unwrap();
    let said = start_error(&other);
    assert!(said.contains("database"), "{said}");
    std::fs::write(folder.path().join("file"), "").unwrap();
    let said = start_error(&folder.path().join("file"));
    assert!(said.contains("file"), "{said}");
}
