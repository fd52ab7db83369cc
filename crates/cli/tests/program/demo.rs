//! Tests of `partita demo` with its server: the printed links work, and temporary files are
//! removed.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::serve::send;
use crate::session::Folder;

/// Running `partita demo` process with its server.
struct Demo {
    process: Child,
    printed: String,
    /// Printed invitation links, one per judge.
    judges: Vec<String>,
    /// Printed URL of the organiser's page.
    organiser: String,
    /// Path of the file with the organiser's token.
    token: PathBuf,
}

impl Demo {
    fn start(arguments: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_partita"))
            .arg("demo")
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(process.stdout.take().unwrap());
        let mut printed = String::new();
        // The last printed line says how to stop the server.
        while !printed.contains("\nCtrl-C ends the server") {
            let read = output.read_line(&mut printed).unwrap();
            assert!(read > 0, "it ended: {printed}");
        }
        let lines = printed.lines().map(str::trim);
        let judges = lines.clone().filter(|line| line.contains("/j/demo#"));
        let organiser = lines.clone().find(|line| line.ends_with("/organise/demo"));
        let mut words = printed.split_whitespace();
        let token = words.find(|word| word.contains("organiser.token")).unwrap();
        Self {
            judges: judges.map(str::to_owned).collect(),
            organiser: organiser.unwrap().to_owned(),
            token: PathBuf::from(token.trim_end_matches(':')),
            process,
            printed,
        }
    }

    fn url(&self) -> &str {
        self.organiser.strip_suffix("/organise/demo").unwrap()
    }

    fn organiser_token(&self) -> String {
        let token = std::fs::read_to_string(&self.token).unwrap();
        token.trim().to_owned()
    }

    fn request(&self, method: &str, path: &str, token: &str, body: &Value) -> Value {
        let (status, said) = send(method, &format!("{}{path}", self.url()), token, body).unwrap();
        assert!((200..300).contains(&status), "{path}: {status} {said}");
        said
    }

    /// Enters the campaign by an invitation link and returns the token of the judge.
    fn enter(&self, link: &str) -> String {
        let (_, invite) = link.split_once("#invite=").unwrap();
        let entry = json!({"campaign": "demo", "invite": invite});
        let entered = self.request("POST", "/api/v1/judge/enter", "", &entry);
        entered["token"].as_str().unwrap().to_owned()
    }

    fn next(&self, judge: &str) -> Value {
        let next = self.request("POST", "/api/v1/judge/next", judge, &json!({}));
        next["tasks"].get(0).cloned().unwrap_or(Value::Null)
    }

    fn status(&self) -> Value {
        let path = "/api/v1/campaigns/demo/status";
        self.request("GET", path, &self.organiser_token(), &Value::Null)
    }

    fn votes(&self) -> u64 {
        let status = self.status();
        let lists = status["lists"].as_array().unwrap().iter();
        lists.map(|list| list["votes"].as_u64().unwrap()).sum()
    }

    /// Stops the process like Ctrl-C and returns what it printed on standard error.
    fn interrupt(mut self) -> String {
        let process = self.process.id().to_string();
        let sent = Command::new("kill").args(["-INT", &process]).status();
        assert!(sent.unwrap().success());
        assert_eq!(self.process.wait().unwrap().code(), Some(0));
        let mut said = String::new();
        let mut errors = self.process.stderr.take().unwrap();
        errors.read_to_string(&mut said).unwrap();
        said
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        // An error means that the process has already ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn the_printed_links_work_and_no_file_is_left() {
    let demo = Demo::start(&[]);
    let folder = demo.token.parent().unwrap().to_owned();
    assert!(folder.is_dir());
    assert!(!demo.printed.contains(&demo.organiser_token()));
    let votes = demo.votes();
    assert!(votes > 20, "simulated people gave {votes} votes");

    // Each link is for a different judge, and there are questions with audio and with text.
    let judges: Vec<String> = demo.judges.iter().map(|link| demo.enter(link)).collect();
    assert!(judges.len() > 1);
    let mut shown = BTreeSet::new();
    let mut given = 0;
    for judge in &judges {
        for _ in 0..4 {
            let task = demo.next(judge);
            shown.insert(match task["query"].get("audio") {
                Some(clip) => {
                    let path = clip["url"].as_str().unwrap();
                    let seconds = clip["seconds"].as_f64().unwrap();
                    assert!((2.0..8.0).contains(&seconds), "{clip}");
                    let mut sent = ureq::get(format!("{}{path}", demo.url())).call().unwrap();
                    let bytes = sent.body_mut().read_to_vec().unwrap();
                    assert!(bytes.starts_with(b"fLaC"));
                    "audio"
                }
                None => "text",
            });
            given += 1;
            let body = json!({"task": task["task"], "seconds": 3, "answer": "equal"});
            let id = format!("/api/v1/judge/answers/00000000-0000-4000-8000-{given:012x}");
            demo.request("PUT", &id, judge, &body);
        }
    }
    assert_eq!(shown, BTreeSet::from(["audio", "text"]));
    assert_eq!(demo.votes(), votes + given);
    let said = demo.interrupt();
    assert!(said.contains("is removed"), "{said}");
    assert!(!folder.exists());
}

#[test]
fn two_demos_run_at_once_with_the_same_campaign() {
    let [one, other] = [Demo::start(&[]), Demo::start(&[])];
    assert_ne!(one.url(), other.url());
    // The simulated answers come from a fixed seed. Only votes and lists are compared, because the
    // number of questions scheduled ahead depends on time.
    let begun = |demo: &Demo| {
        let status = demo.status();
        let lists = status["lists"].as_array().unwrap().iter();
        let lists = lists.map(|list| [list["votes"].clone(), list["list"].clone()]);
        lists.collect::<Vec<_>>()
    };
    assert_eq!(begun(&one), begun(&other));
    one.interrupt();
    other.interrupt();
}

#[test]
fn a_given_folder_is_kept_and_resumed() {
    let dir = Folder::new();
    let place = dir.place("kept");
    let demo = Demo::start(&["--data", &place]);
    let judge = demo.enter(&demo.judges[0]);
    let task = demo.next(&judge);
    let body = json!({"task": task["task"], "seconds": 3, "answer": "a"});
    let id = "/api/v1/judge/answers/00000000-0000-4000-8000-000000000001";
    demo.request("PUT", id, &judge, &body);
    let votes = demo.votes();
    // A second server cannot use the folder at the same time.
    let other = dir.run("demo --data kept");
    assert_eq!(other.code, 2);
    other.says(&["another server uses this folder", "--data"]);
    let said = demo.interrupt();
    assert!(said.contains(&place), "{said}");
    assert!(Path::new(&place).join("partita.db").is_file());

    let again = Demo::start(&["--data", &place]);
    assert_eq!(again.votes(), votes);
    again.enter(&again.judges[0]);
    drop(again);
    let sound = dir.output("verify --data kept");
    assert!(sound.contains("demo"), "{sound}");
}
