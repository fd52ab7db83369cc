//! The server as a process: killed, started again, beside another on one database.

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

/// A server in a process of its own.
pub(crate) struct Server {
    process: Child,
    pub(crate) url: String,
}

impl Server {
    pub(crate) fn start(data: &Path, listen: &str, database: Option<&str>) -> Self {
        let mut options = vec!["--listen", listen, "--no-limits"];
        options.extend(database.map(|_| "--database"));
        options.extend(database);
        Self::with(data, &options, Stdio::null())
    }

    /// One with these options, and a place for what it writes when something goes wrong.
    pub(crate) fn with(data: &Path, options: &[&str], errors: Stdio) -> Self {
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
        assert_eq!(crate::schemas::check_of_server("serve", &said), Ok(()));
        let url = said["url"].as_str().unwrap().to_owned();
        Self { process, url }
    }

    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    /// Asks it to end, and waits for that.
    pub(crate) fn end(&mut self) {
        let pid = self.id().to_string();
        let asked = Command::new("kill").args(["-TERM", &pid]).status();
        assert!(asked.unwrap().success());
        let ended = self.process.wait().unwrap();
        assert!(ended.success(), "{ended:?}");
    }

    fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What a server says; nothing if it cannot be reached.
pub(crate) fn ask(method: &str, url: &str, token: &str, body: &Value) -> Option<(u16, Value)> {
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

/// The same, tried until somebody answers.
fn ask_until(method: &str, url: impl Fn() -> String, token: &str, body: &Value) -> (u16, Value) {
    for _ in 0..600 {
        match ask(method, &url(), token, body) {
            Some((503, _)) | None => std::thread::sleep(Duration::from_millis(50)),
            Some(said) => return said,
        }
    }
    panic!("nobody answers any more");
}

const LISTS: usize = 12;
const ITEMS: usize = 10;
const VOTES: u64 = 3;

fn document() -> Value {
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

pub(crate) fn organiser(data: &Path) -> String {
    let token = std::fs::read_to_string(data.join("organiser.token")).unwrap();
    token.trim().to_owned()
}

/// Makes the campaign and lets people in; their tokens.
fn prepare(url: &str, token: &str, people: usize) -> Vec<String> {
    let made = ask(
        "POST",
        &format!("{url}/api/v1/campaigns"),
        token,
        &document(),
    )
    .unwrap();
    assert_eq!(made.0, 201, "{made:?}");
    let invites = json!({"kind": "preference", "count": people});
    let path = format!("{url}/api/v1/campaigns/c/invites");
    let invites = ask("POST", &path, token, &invites).unwrap().1;
    let enter = |invite: &Value| {
        let entry = json!({"campaign": "c", "invite": invite["invite"]});
        let entered = ask("POST", &format!("{url}/api/v1/judge/enter"), "", &entry)
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

/// What all judges know together.
struct Judging {
    /// Where each judge asks; a judge may move from one server to another.
    urls: Vec<Mutex<String>>,
    over: AtomicBool,
    ids: AtomicUsize,
    /// What was acknowledged.
    saved: Mutex<BTreeMap<String, String>>,
}

impl Judging {
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

    /// One judge, who answers until there is nothing to do; with several servers, each request goes to
    /// another.
    fn judge(&self, token: &str, number: usize) {
        let turn = AtomicUsize::new(number);
        let url = |path: &str| format!("{}{path}", self.url(turn.fetch_add(1, Ordering::Relaxed)));
        while !self.over.load(Ordering::Relaxed) {
            let next = ask_until("POST", || url("/api/v1/judge/next"), token, &json!({}));
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
            let said = ask_until("PUT", || url(&path), token, &body);
            assert!([200, 201].contains(&said.0), "{said:?}");
            let task = task["task"].as_str().unwrap().to_owned();
            self.saved.lock().unwrap().insert(id, task);
        }
    }
}

/// Every acknowledged answer is in the log exactly once and no other is, and no pair was asked too often.
fn check(url: &str, token: &str, judging: &Judging) {
    let log = ask(
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
    let pairs = ask(
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

fn verified(data: &Path, database: Option<&str>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_partita"));
    match database {
        Some(database) => command.args(["verify", "--database", database]),
        None => command.arg("verify").arg("--data").arg(data),
    };
    let done = command.output().unwrap();
    assert!(done.status.success(), "{done:?}");
}

/// Judges answer while the server is killed and started again.
fn killed(database: Option<&str>, kills: usize, between: impl Fn(usize)) {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let mut server = Server::start(&data, "127.0.0.1:0", database);
    let token = organiser(&data);
    let tokens = prepare(&server.url, &token, 50);
    let judging = Judging::new(&[&server.url]);
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
        // The same port, at once.
        let address = server.url.strip_prefix("http://").unwrap().to_owned();
        server = Server::start(&data, &address, database);
    }
    for judge in judges {
        judge.join().unwrap();
    }
    assert!(!judging.saved.lock().unwrap().is_empty());
    check(&server.url, &token, &judging);
    let state = ask(
        "GET",
        &format!("{}/api/v1/campaigns/c/state", server.url),
        &token,
        &Value::Null,
    );
    assert_eq!(state.unwrap().1["settled"], true);
    server.kill();
    verified(&data, database);
}

#[test]
fn what_was_acknowledged_survives_twenty_kills() {
    killed(None, 20, |_| {});
}

/// A new database of the PostgreSQL server of these tests, and the folder of its tools.
fn postgres(name: &str) -> (String, PathBuf) {
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
fn postgres_keeps_what_was_acknowledged_when_servers_and_it_are_killed() {
    let (url, tools) = postgres("killed");
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
    killed(Some(&url), 20, restart);
}

#[test]
#[ignore = "it needs PostgreSQL: make server"]
fn postgres_serves_one_campaign_by_two_servers() {
    let (url, _) = postgres("two");
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    let first = Server::start(&one, "127.0.0.1:0", Some(&url));
    std::fs::create_dir(&two).unwrap();
    std::fs::copy(one.join("secret"), two.join("secret")).unwrap();
    let mut second = Server::start(&two, "127.0.0.1:0", Some(&url));
    assert!(!two.join("organiser.token").exists());
    let token = organiser(&one);
    let tokens = prepare(&first.url, &token, 30);
    let judging = Judging::new(&[&first.url, &second.url]);
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
        ask(
            "GET",
            &format!("{}/api/v1/campaigns/c/state", server.url),
            &token,
            &Value::Null,
        )
        .unwrap()
        .1
    };
    // One is killed; whoever asked it goes on at the other.
    second.kill();
    *judging.urls[1].lock().unwrap() = first.url.clone();
    for judge in judges {
        judge.join().unwrap();
    }
    check(&first.url, &token, &judging);
    let third = Server::start(&two, "127.0.0.1:0", Some(&url));
    assert_eq!(state(&first), state(&third));
    assert_eq!(state(&first)["settled"], true);
    verified(&one, Some(&url));
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
fn a_server_that_is_asked_to_end_ends_soon_and_well() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(&folder.path().join("data"), "127.0.0.1:0", None);
    let begun = std::time::Instant::now();
    server.end();
    assert!(begun.elapsed() < Duration::from_secs(10));
}
