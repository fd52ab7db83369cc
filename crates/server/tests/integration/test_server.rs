//! Server for a test, and its HTTP clients.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::RwLock;

use partita_server::{ServeError, ServerHandle, ServerOptions, start};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::openapi::{self, Exchange};

/// Running server with a data folder of its own.
pub(crate) struct TestServer {
    _folder: TempDir,
    runtime: tokio::runtime::Runtime,
    running: Option<ServerHandle>,
    settings: ServerOptions,
    pub(crate) url: String,
    pub(crate) health_url: String,
}

impl TestServer {
    /// Starts a server without rate limits.
    pub(crate) fn new() -> Self {
        Self::with_options(|_| {})
    }

    /// Starts a server with rate limits.
    pub(crate) fn with_limits() -> Self {
        Self::with_options(|settings| settings.disable_rate_limits = false)
    }

    /// Starts a server with a security contact.
    pub(crate) fn with_security_contact(contact: &str) -> Self {
        Self::with_options(|settings| settings.security_contact = Some(contact.parse().unwrap()))
    }

    /// Starts a server after `change` has modified the default options of tests.
    pub(crate) fn with_options(change: impl FnOnce(&mut ServerOptions)) -> Self {
        let any: SocketAddr = "127.0.0.1:0".parse().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let mut settings = ServerOptions {
            data: folder.path().join("data"),
            database: None,
            listen: any,
            health_listen: any,
            public_url: None,
            security_contact: None,
            trusted_proxies: Vec::new(),
            disable_rate_limits: true,
            timeout: ServerOptions::DEFAULT_TIMEOUT,
            max_connections: ServerOptions::default_max_connections(),
        };
        change(&mut settings);
        let mut server = Self {
            _folder: folder,
            runtime: tokio::runtime::Builder::new_multi_thread()
                .enable_all()
                .build()
                .unwrap(),
            running: None,
            settings,
            url: String::new(),
            health_url: String::new(),
        };
        server.start();
        server
    }

    /// Returns the data folder of the server.
    pub(crate) fn data(&self) -> PathBuf {
        self.settings.data.clone()
    }

    /// Returns the URL of the PostgreSQL database, if the server uses one.
    pub(crate) fn database(&self) -> Option<&str> {
        self.settings.database.as_deref()
    }

    pub(crate) fn start(&mut self) {
        self.try_start().unwrap();
    }

    pub(crate) fn try_start(&mut self) -> Result<(), ServeError> {
        let running = self.runtime.block_on(start(self.settings.clone()))?;
        self.url = running.url.clone();
        self.health_url = running.health_url.clone();
        self.running = Some(running);
        Ok(())
    }

    /// Stops the server and starts another in the same folder.
    pub(crate) fn restart(&mut self) {
        self.stop();
        self.start();
    }

    pub(crate) fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            self.runtime.block_on(running.stop());
        }
    }

    /// Returns a client with the first organiser token.
    pub(crate) fn organiser(&self) -> Client {
        let token = std::fs::read_to_string(self.data().join("organiser.token")).unwrap();
        self.client(token.trim())
    }

    /// Returns a client that sends this bearer token, or none if it is empty.
    pub(crate) fn client(&self, token: &str) -> Client {
        Client {
            url: self.url.clone(),
            token: token.to_owned(),
            headers: Vec::new(),
        }
    }

    /// Creates a campaign, and lets assessors enter by invites for its first kind of judgment.
    pub(crate) fn create_campaign(&self, document: &Value, people: usize) -> Vec<Client> {
        let organiser = self.organiser();
        let made = organiser.post("/api/v1/campaigns", document);
        assert_eq!(made.status, 201, "{:?}", made.json);
        let kind = document["kinds"]
            .get(0)
            .cloned()
            .unwrap_or(json!("preference"));
        self.enter_assessors(document["name"].as_str().unwrap(), &kind, people)
    }

    /// Creates invites for a kind of judgment and lets one assessor enter by each.
    pub(crate) fn enter_assessors(
        &self,
        campaign: &str,
        kind: &Value,
        people: usize,
    ) -> Vec<Client> {
        if people == 0 {
            return Vec::new();
        }
        let invites = self.organiser().post(
            &format!("/api/v1/campaigns/{campaign}/invites"),
            &json!({"kind": kind, "count": people}),
        );
        assert_eq!(invites.status, 201, "{:?}", invites.json);
        let invites = invites.json["invites"].as_array().unwrap().clone();
        let enter = |invite: &Value| {
            let entry = json!({"campaign": campaign, "invite": invite["invite"]});
            let entered = self.client("").post("/api/v1/judge/enter", &entry);
            assert_eq!(entered.status, 200, "{:?}", entered.json);
            self.client(entered.json["token"].as_str().unwrap())
        };
        invites.iter().map(enter).collect()
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.stop();
    }
}

/// HTTP client of a test server. It sends `token` as bearer token, unless it is empty.
#[derive(Clone)]
pub(crate) struct Client {
    pub(crate) url: String,
    pub(crate) token: String,
    pub(crate) headers: Vec<(&'static str, String)>,
}

/// Response of a server.
pub(crate) struct HttpReply {
    pub(crate) status: u16,
    pub(crate) json: Value,
    pub(crate) bytes: Vec<u8>,
    pub(crate) headers: ureq::http::HeaderMap,
}

impl HttpReply {
    /// Returns the kind of problem that the response reports; empty if it reports none.
    pub(crate) fn problem(&self) -> &str {
        let kind = self.json["type"].as_str().unwrap_or_default();
        kind.strip_prefix("/problems/").unwrap_or_default()
    }

    /// Returns the value of a response header; empty if it is missing.
    pub(crate) fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value.map_or("", |value| value.to_str().unwrap())
    }
}

impl Client {
    /// Sends a request and checks it and the response against the OpenAPI document. `kind` is the
    /// content type of the body.
    pub(crate) fn request(&self, method: &str, path: &str, kind: &str, body: &[u8]) -> HttpReply {
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .build();
        let agent = ureq::Agent::new_with_config(agent);
        let mut request = ureq::http::Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.url));
        if !self.token.is_empty() {
            request = request.header("Authorization", format!("Bearer {}", self.token));
        }
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        if !kind.is_empty() {
            request = request.header("Content-Type", kind);
        }
        let mut response = match method {
            "GET" | "DELETE" if body.is_empty() => agent.run(request.body(()).unwrap()),
            _ => agent.run(request.body(body.to_vec()).unwrap()),
        }
        .unwrap();
        let bytes = response
            .body_mut()
            .with_config()
            .limit(100 << 20)
            .read_to_vec()
            .unwrap();
        let reply = HttpReply {
            status: response.status().as_u16(),
            json: serde_json::from_slice(&bytes).unwrap_or(Value::Null),
            headers: response.headers().clone(),
            bytes,
        };
        openapi::expect(&Exchange {
            method,
            path,
            kind,
            body,
            status: reply.status,
            headers: &reply.headers,
            bytes: &reply.bytes,
        });
        reply
    }

    pub(crate) fn get(&self, path: &str) -> HttpReply {
        self.request("GET", path, "", &[])
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> HttpReply {
        self.request(
            "POST",
            path,
            "application/json",
            body.to_string().as_bytes(),
        )
    }

    pub(crate) fn put(&self, path: &str, body: &Value) -> HttpReply {
        self.request("PUT", path, "application/json", body.to_string().as_bytes())
    }

    pub(crate) fn delete(&self, path: &str) -> HttpReply {
        self.request("DELETE", path, "", &[])
    }

    /// Requests the next tasks of this assessor.
    pub(crate) fn next(&self) -> HttpReply {
        self.post("/api/v1/judge/next", &json!({}))
    }

    /// Requests the next tasks of this assessor and returns them.
    pub(crate) fn tasks(&self) -> Vec<Value> {
        let next = self.next();
        assert_eq!(next.status, 200, "{:?}", next.json);
        next.json["tasks"].as_array().unwrap().clone()
    }

    /// Submits an answer whose id is the UUID with this number.
    pub(crate) fn answer(&self, number: u128, body: &Value) -> HttpReply {
        self.put(&format!("/api/v1/judge/answers/{}", uuid(number)), body)
    }
}

/// Formats a number as a UUID.
pub(crate) fn uuid(number: u128) -> String {
    uuid::Uuid::from_u128(number).hyphenated().to_string()
}

/// Returns a campaign document with text stimuli. The text of each query and item contains its id.
/// `votes` is the number of votes per pair, and `lists` contains queries with their items.
pub(crate) fn text_campaign(name: &str, votes: u32, lists: &[(&str, &[&str])]) -> Value {
    let lists = lists.iter().map(|(query, items)| {
        let items = items
            .iter()
            .map(|item| json!({"item": item, "show": {"text": format!("text {item}")}}));
        json!({
            "query": query,
            "show": {"text": format!("text {query}")},
            "items": items.collect::<Vec<_>>(),
        })
    });
    json!({
        "name": name,
        "title": "A campaign",
        "settings": {"votes": votes, "decide": "majority"},
        "lists": lists.collect::<Vec<_>>(),
    })
}

/// Returns the answer that prefers the item whose text is first in alphabetical order.
pub(crate) fn answer_by_text(task: &Value) -> Value {
    let first = task["a"]["text"].as_str() < task["b"]["text"].as_str();
    let answer = if first { "a" } else { "b" };
    json!({"task": task["task"], "seconds": 2.5, "answer": answer})
}

/// Lets assessors answer until none of them has a task, and returns the number of answers. The ids
/// of the answers are consecutive numbers from `first_id`.
pub(crate) fn judge_all(people: &[Client], first_id: u128) -> u128 {
    let mut id = first_id;
    loop {
        let before = id;
        for person in people {
            for task in person.tasks() {
                let reply = person.answer(id, &answer_by_text(&task));
                assert_eq!(reply.status, 201, "{:?}", reply.json);
                id += 1;
            }
        }
        if id == before {
            return id - first_id;
        }
    }
}

/// Returns a WAV clip of the given duration.
pub(crate) fn clip(millis: u32) -> Vec<u8> {
    let samples = 8_000 * millis / 1_000;
    let size = samples * 2;
    let mut bytes = Vec::new();
    bytes.extend(b"RIFF");
    bytes.extend((36 + size).to_le_bytes());
    bytes.extend(b"WAVEfmt ");
    bytes.extend(16_u32.to_le_bytes());
    bytes.extend(1_u16.to_le_bytes());
    bytes.extend(1_u16.to_le_bytes());
    bytes.extend(8_000_u32.to_le_bytes());
    bytes.extend(16_000_u32.to_le_bytes());
    bytes.extend(2_u16.to_le_bytes());
    bytes.extend(16_u16.to_le_bytes());
    bytes.extend(b"data");
    bytes.extend(size.to_le_bytes());
    bytes.extend((0..samples).flat_map(|sample| ((sample % 200) as i16).to_le_bytes()));
    bytes
}

/// Returns the state of a replayed log as JSON, as `partita campaign replay` prints it.
pub(crate) fn replayed_state(log: &[u8]) -> Vec<u8> {
    let log = partita::judging::campaign::log::read(log).unwrap();
    let campaign = partita::judging::campaign::Campaign::replay(log.events()).unwrap();
    let mut bytes = Vec::new();
    partita::report::write_json(&campaign.snapshot(), &mut bytes).unwrap();
    bytes
}

/// Lock of the PostgreSQL server of these tests: a test that stops the server needs the write lock.
pub(crate) static POSTGRES_LOCK: RwLock<()> = RwLock::new(());

/// Creates a database on the PostgreSQL server and returns its URL.
pub(crate) fn create_database(name: &str) -> String {
    let url = std::env::var("PARTITA_TEST_POSTGRES").expect("PARTITA_TEST_POSTGRES is set");
    postgres_tool("createdb", &[name], Stdio::null());
    let (server, _) = url.rsplit_once('/').unwrap();
    format!("{server}/{name}")
}

/// Runs a PostgreSQL tool and returns its output.
pub(crate) fn postgres_tool(tool: &str, arguments: &[&str], input: Stdio) -> Vec<u8> {
    let tools = PathBuf::from(std::env::var("PARTITA_TEST_PG_TOOLS").unwrap());
    let mut command = Command::new(tools.join(tool));
    let command = command
        .args(arguments)
        .stdin(input)
        .stderr(Stdio::inherit());
    // A started server keeps inherited pipes open, so read only the output of `pg_dump`.
    let output = match tool {
        "pg_dump" => command.output().unwrap(),
        _ => Output {
            status: command.stdout(Stdio::null()).status().unwrap(),
            stdout: Vec::new(),
            stderr: Vec::new(),
        },
    };
    assert!(output.status.success(), "{tool} {arguments:?}");
    output.stdout
}
