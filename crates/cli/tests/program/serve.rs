//! Tests of the server as a process: killed and restarted, and several servers on one database.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

#[path = "../../../server/tests/openapi_check/mod.rs"]
mod openapi_check;

use openapi_check::Exchange;

/// Server process with the URL that it serves.
pub(crate) struct Server {
    process: Child,
    pub(crate) url: String,
}

impl Server {
    pub(crate) fn start(data: &Path, listen: &str, database: Option<&str>) -> Self {
        let mut options = vec!["--listen", listen, "--no-limits"];
        options.extend(database.map(|_| "--database"));
        options.extend(database);
        Self::start_with_options(data, &options, Stdio::null())
    }

    /// Starts a server with these options; `errors` receives its standard error.
    pub(crate) fn start_with_options(data: &Path, options: &[&str], errors: Stdio) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_partita"));
        command.arg("serve").arg("--data").arg(data);
        command.args(["--format", "json"]).args(options);
        let mut process = command
            .stdout(Stdio::piped())
            .stderr(errors)
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut output = BufReader::new(process.stdout.take().unwrap());
        output.read_line(&mut line).unwrap();
        let said: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(crate::schemas::check_server_json("serve", &said), Ok(()));
        let url = said["url"].as_str().unwrap().to_owned();
        Self { process, url }
    }

    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    /// Sends the signal TERM and waits until the process has ended successfully.
    pub(crate) fn end(&mut self) {
        let pid = self.id().to_string();
        let asked = Command::new("kill").args(["-TERM", &pid]).status();
        assert!(asked.unwrap().success());
        let ended = self.process.wait().unwrap();
        assert!(ended.success(), "{ended:?}");
    }

    /// Kills the process and waits for its end.
    pub(crate) fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // An error means that the process has already ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Sends a request to a server, checks the response against the OpenAPI document, and returns its
/// status and body. Returns `None` if the server cannot be reached.
pub(crate) fn send(method: &str, url: &str, token: &str, body: &Value) -> Option<(u16, Value)> {
    let agent = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .timeout_global(Some(Duration::from_secs(20)))
        .build();
    let agent = ureq::Agent::new_with_config(agent);
    let mut request = ureq::http::Request::builder().method(method).uri(url);
    if !token.is_empty() {
        request = request.header("Authorization", format!("Bearer {token}"));
    }
    let mut response = match method {
        "GET" => agent.run(request.body(()).unwrap()),
        _ => {
            let request = request.header("Content-Type", "application/json");
            agent.run(request.body(body.to_string()).unwrap())
        }
    }
    .ok()?;
    let status = response.status().as_u16();
    let headers = response.headers().clone();
    let bytes = response
        .body_mut()
        .with_config()
        .limit(100 << 20)
        .read_to_vec()
        .ok()?;
    let path = url.splitn(4, '/').last().unwrap_or_default();
    openapi_check::expect(&Exchange {
        method,
        path: &format!("/{path}"),
        kind: "application/json",
        body: body.to_string().as_bytes(),
        status,
        headers: &headers,
        bytes: &bytes,
    });
    let text = String::from_utf8(bytes).unwrap();
    let json = serde_json::from_str(&text).unwrap_or(Value::String(text));
    Some((status, json))
}

/// Sends a request repeatedly until a server answers with a status other than 503.
fn send_until_answered(
    method: &str,
    url: impl Fn() -> String,
    token: &str,
    body: &Value,
) -> (u16, Value) {
    for _ in 0..600 {
        match send(method, &url(), token, body) {
            Some((503, _)) | None => std::thread::sleep(Duration::from_millis(50)),
            Some(said) => return said,
        }
    }
    panic!("nobody answers any more");
}

/// Number of lists of the test campaign.
const LISTS: usize = 12;
/// Number of items per list.
const ITEMS: usize = 10;
/// Votes per pair.
const VOTES: u64 = 3;

/// Returns the JSON document of the test campaign.
fn campaign_document() -> Value {
    let items = |list: usize| {
        let item = |item: usize| json!({"item": format!("i{list}-{item}"), "show": {"text": format!("{item}")}});
        (0..ITEMS).map(item).collect::<Vec<_>>()
    };
    let list = |list: usize| json!({"query": format!("q{list}"), "show": {"text": "q"}, "items": items(list)});
    json!({
        "name": "c", "title": "C",
        "settings": {"votes": VOTES, "decide": "majority"},
        "judging": {"lease_seconds": 3_600},
        "lists": (0..LISTS).map(list).collect::<Vec<_>>(),
    })
}

/// Reads the token of the first organiser from the folder of a server.
pub(crate) fn organiser_token(data: &Path) -> String {
    let token = std::fs::read_to_string(data.join("organiser.token")).unwrap();
    token.trim().to_owned()
}

/// Creates the campaign, enters `people` judges by invitations, and returns their tokens.
fn create_campaign_with_judges(url: &str, token: &str, people: usize) -> Vec<String> {
    let made = send(
        "POST",
        &format!("{url}/api/v1/campaigns"),
        token,
        &campaign_document(),
    )
    .unwrap();
    assert_eq!(made.0, 201, "{made:?}");
    let invites = json!({"kind": "preference", "count": people});
    let path = format!("{url}/api/v1/campaigns/c/invites");
    let invites = send("POST", &path, token, &invites).unwrap().1;
    let enter = |invite: &Value| {
        let entry = json!({"campaign": "c", "invite": invite["invite"]});
        let entered = send("POST", &format!("{url}/api/v1/judge/enter"), "", &entry)
            .unwrap()
            .1;
        entered["token"].as_str().unwrap().to_owned()
    };
    invites["invites"]
        .as_array()
        .unwrap()
        .iter()
        .map(enter)
        .collect()
}

/// State that the threads of all simulated judges share.
struct SharedState {
    /// URLs of the servers. Replacing one makes the judges use another server.
    urls: Vec<Mutex<String>>,
    over: AtomicBool,
    ids: AtomicUsize,
    /// Task of each answer that a server acknowledged, by answer id.
    saved: Mutex<BTreeMap<String, String>>,
}

impl SharedState {
    fn new(urls: &[&str]) -> Arc<Self> {
        Arc::new(Self {
            urls: urls
                .iter()
                .map(|url| Mutex::new((*url).to_owned()))
                .collect(),
            over: AtomicBool::new(false),
            ids: AtomicUsize::new(0),
            saved: Mutex::new(BTreeMap::new()),
        })
    }

    fn url(&self, number: usize) -> String {
        self.urls[number % self.urls.len()].lock().unwrap().clone()
    }

    /// Answers questions as one judge until the campaign is done. With several servers each request
    /// goes to the next one.
    fn judge(&self, token: &str, number: usize) {
        let turn = AtomicUsize::new(number);
        let url = |path: &str| format!("{}{path}", self.url(turn.fetch_add(1, Ordering::Relaxed)));
        while !self.over.load(Ordering::Relaxed) {
            let next = send_until_answered("POST", || url("/api/v1/judge/next"), token, &json!({}));
            assert_eq!(next.0, 200, "{next:?}");
            let Some(task) = next.1["tasks"].get(0) else {
                if next.1["state"] == "done" {
                    return;
                }
                std::thread::sleep(Duration::from_millis(30));
                continue;
            };
            let number = |side: &str| {
                task[side]["text"]
                    .as_str()
                    .unwrap()
                    .parse::<usize>()
                    .unwrap()
            };
            let answer = if number("a") < number("b") { "a" } else { "b" };
            let id = self.ids.fetch_add(1, Ordering::Relaxed);
            let id = format!("00000000-0000-4000-8000-{id:012x}");
            let body = json!({"task": task["task"], "seconds": 1, "answer": answer});
            let path = format!("/api/v1/judge/answers/{id}");
            let said = send_until_answered("PUT", || url(&path), token, &body);
            assert!([200, 201].contains(&said.0), "{said:?}");
            let task = task["task"].as_str().unwrap().to_owned();
            self.saved.lock().unwrap().insert(id, task);
        }
    }
}

/// Asserts that the log has every acknowledged answer exactly once and no others, and that no pair
/// has too many votes and leases.
fn assert_log_has_acknowledged_answers(url: &str, token: &str, judging: &SharedState) {
    let log = send(
        "GET",
        &format!("{url}/api/v1/campaigns/c/log"),
        token,
        &Value::Null,
    )
    .unwrap()
    .1;
    let mut logged = BTreeSet::new();
    for line in log.as_str().unwrap().lines() {
        let event: Value = serde_json::from_str(line).unwrap();
        if event["event"] == "answered" {
            let id = event["id"].as_str().unwrap().to_owned();
            assert!(logged.insert(id), "twice: {line}");
        }
    }
    let saved: BTreeSet<String> = judging.saved.lock().unwrap().keys().cloned().collect();
    assert!(
        saved.is_subset(&logged),
        "lost: {:?}",
        saved.difference(&logged)
    );
    assert_eq!(saved.len(), logged.len());
    let pairs = send(
        "GET",
        &format!("{url}/api/v1/campaigns/c/pairs"),
        token,
        &Value::Null,
    )
    .unwrap()
    .1;
    for pair in pairs["pairs"].as_array().unwrap() {
        let number = |key: &str| pair[key].as_u64().unwrap();
        assert!(number("votes") + number("leased") <= VOTES, "{pair}");
    }
}

/// Asserts that `partita verify` accepts the data of a server.
fn assert_verified(data: &Path, database: Option<&str>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_partita"));
    match database {
        Some(database) => command.args(["verify", "--database", database]),
        None => command.arg("verify").arg("--data").arg(data),
    };
    let done = command.output().unwrap();
    assert!(done.status.success(), "{done:?}");
}

/// Lets judges answer while the server is killed and restarted `kills` times, and asserts that no
/// acknowledged answer is lost. `between` runs while the server is down.
fn assert_answers_survive_kills(database: Option<&str>, kills: usize, between: impl Fn(usize)) {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let mut server = Server::start(&data, "127.0.0.1:0", database);
    let token = organiser_token(&data);
    let tokens = create_campaign_with_judges(&server.url, &token, 50);
    let judging = SharedState::new(&[&server.url]);
    let judges: Vec<_> = tokens
        .into_iter()
        .enumerate()
        .map(|(number, token)| {
            let judging = judging.clone();
            std::thread::spawn(move || judging.judge(&token, number))
        })
        .collect();
    for kill in 0..kills {
        std::thread::sleep(Duration::from_millis(60 + 17 * (kill as u64 % 7)));
        server.kill();
        between(kill);
        // Restart immediately on the same port.
        let address = server.url.strip_prefix("http://").unwrap().to_owned();
        server = Server::start(&data, &address, database);
    }
    for judge in judges {
        judge.join().unwrap();
    }
    assert!(!judging.saved.lock().unwrap().is_empty());
    assert_log_has_acknowledged_answers(&server.url, &token, &judging);
    let state = send(
        "GET",
        &format!("{}/api/v1/campaigns/c/state", server.url),
        &token,
        &Value::Null,
    );
    assert_eq!(state.unwrap().1["settled"], true);
    server.kill();
    assert_verified(&data, database);
}

#[test]
fn acknowledged_answers_survive_twenty_kills() {
    assert_answers_survive_kills(None, 20, |_| {});
}

/// Creates a database on the PostgreSQL server of the tests and returns its URL, and the folder of
/// the PostgreSQL tools.
pub(crate) fn create_postgres_database(name: &str) -> (String, PathBuf) {
    let url = std::env::var("PARTITA_TEST_POSTGRES").expect("the address of a database");
    let tools = PathBuf::from(std::env::var("PARTITA_TEST_PG_TOOLS").unwrap());
    let made = Command::new(tools.join("createdb"))
        .arg(name)
        .status()
        .unwrap();
    assert!(made.success());
    let (server, _) = url.rsplit_once('/').unwrap();
    (format!("{server}/{name}"), tools)
}

#[test]
#[ignore = "it needs PostgreSQL: make server"]
fn postgres_keeps_acknowledged_answers_when_it_and_the_server_are_killed() {
    let (url, tools) = create_postgres_database("killed");
    let restart = |kill: usize| {
        if kill % 7 == 3 {
            let pg_ctl = tools.join("pg_ctl");
            let stop = Command::new(&pg_ctl)
                .args(["-m", "immediate", "stop"])
                .status();
            assert!(stop.unwrap().success());
            assert!(
                Command::new(&pg_ctl)
                    .arg("start")
                    .status()
                    .unwrap()
                    .success()
            );
        }
    };
    assert_answers_survive_kills(Some(&url), 20, restart);
}

#[test]
#[ignore = "it needs PostgreSQL: make server"]
fn postgres_allows_two_servers_for_one_campaign() {
    let (url, _) = create_postgres_database("two");
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    let first = Server::start(&one, "127.0.0.1:0", Some(&url));
    std::fs::create_dir(&two).unwrap();
    std::fs::copy(one.join("secret"), two.join("secret")).unwrap();
    let mut second = Server::start(&two, "127.0.0.1:0", Some(&url));
    assert!(!two.join("organiser.token").exists());
    let token = organiser_token(&one);
    let tokens = create_campaign_with_judges(&first.url, &token, 30);
    let judging = SharedState::new(&[&first.url, &second.url]);
    let judges: Vec<_> = tokens
        .into_iter()
        .enumerate()
        .map(|(number, token)| {
            let judging = judging.clone();
            std::thread::spawn(move || judging.judge(&token, number))
        })
        .collect();
    std::thread::sleep(Duration::from_millis(800));
    let state = |server: &Server| {
        send(
            "GET",
            &format!("{}/api/v1/campaigns/c/state", server.url),
            &token,
            &Value::Null,
        )
        .unwrap()
        .1
    };
    // Kill one server; its judges continue on the other.
    second.kill();
    *judging.urls[1].lock().unwrap() = first.url.clone();
    for judge in judges {
        judge.join().unwrap();
    }
    assert_log_has_acknowledged_answers(&first.url, &token, &judging);
    let third = Server::start(&two, "127.0.0.1:0", Some(&url));
    assert_eq!(state(&first), state(&third));
    assert_eq!(state(&first)["settled"], true);
    assert_verified(&one, Some(&url));
}

#[test]
fn a_used_folder_a_taken_port_and_another_secret_are_refused_with_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let server = Server::start(&data, "127.0.0.1:0", None);
    let refused = |data: &Path, listen: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_partita"));
        command
            .arg("serve")
            .arg("--data")
            .arg(data)
            .args(["--listen", listen]);
        let done = command.output().unwrap();
        assert_eq!(done.status.code(), Some(2));
        String::from_utf8(done.stderr).unwrap()
    };
    let used = refused(&data, "127.0.0.1:0");
    assert!(
        used.contains("another server uses this folder") && used.contains("hint"),
        "{used}"
    );
    let address = server.url.strip_prefix("http://").unwrap();
    let taken = refused(&folder.path().join("other"), address);
    assert!(taken.contains("--listen"), "{taken}");
    let open = {
        let mut command = Command::new(env!("CARGO_BIN_EXE_partita"));
        command
            .arg("serve")
            .arg("--data")
            .arg(folder.path().join("open"));
        command.args(["--listen", "0.0.0.0:0", "--no-limits"]);
        command.output().unwrap()
    };
    assert_eq!(open.status.code(), Some(2));
}

#[test]
fn a_server_ends_promptly_and_successfully_on_the_signal_term() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(&folder.path().join("data"), "127.0.0.1:0", None);
    let begun = std::time::Instant::now();
    server.end();
    assert!(begun.elapsed() < Duration::from_secs(10));
}
