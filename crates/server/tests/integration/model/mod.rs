//! Random requests against a reference model: in any order of requests, the server replies as the
//! model expects, and stores every acknowledged answer exactly once.

mod reference;

use std::time::{Duration, Instant};

use partita::stats::random::{stream, uniform_index};
use partita_server::ServerStorage;
use serde_json::{Value, json};

use crate::test_server::{POSTGRES_LOCK, TestServer, create_database, text_campaign};
use reference::{AssignmentState, LEASE, ReferenceModel};

#[test]
fn random_requests_store_every_answer_exactly_once() {
    // `Driver::new` uses other settings for odd seeds than for even ones.
    for seed in [1, 2] {
        Driver::new(TestServer::new(), seed).run_steps(700);
    }
}

#[test]
#[ignore = "it needs PostgreSQL: make server"]
fn postgres_random_requests_store_every_answer_exactly_once() {
    let _others = POSTGRES_LOCK.read().unwrap();
    for seed in [4, 5, 6] {
        let url = create_database(&format!("model{seed}"));
        let server = TestServer::with_options(|settings| settings.database = Some(url));
        Driver::new(server, seed).run_steps(700);
    }
}

/// Item ids. Every list uses the first few of them.
const ITEMS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

/// Driver that sends random requests to a server and checks the replies with the reference model.
/// In its methods, `who` is the index of an assessor in the reference model.
struct Driver {
    server: TestServer,
    reference: ReferenceModel,
    /// Function that returns a random number below its argument.
    random: Box<dyn FnMut(usize) -> usize>,
    /// Unused invites.
    invites: Vec<Value>,
    /// Number of answers submitted so far. The answers have the ids 1, 2 and so on.
    answer_count: u128,
    /// Number of lists in the campaign.
    list_count: usize,
}

impl Driver {
    fn new(server: TestServer, seed: u64) -> Self {
        let mut document = text_campaign("c", 3, &[("q0", &ITEMS), ("q1", &ITEMS[..4])]);
        // Even seeds: 2 tasks at a time, of different queries if possible. Odd seeds: 4 tasks at a
        // time, also of the same query.
        let (ahead, mix) = match seed % 2 {
            0 => (2, true),
            _ => (4, false),
        };
        document["judging"] = json!({
            "lease_seconds": LEASE.as_secs(), "wait_seconds": 3_600, "ahead": ahead, "mix": mix,
        });
        document["recruiter"] = json!({"preset": "prolific"});
        let made = server.organiser().post("/api/v1/campaigns", &document);
        assert_eq!(made.status, 201, "{:?}", made.json);
        let invites = json!({"kind": "preference", "count": 4});
        let invites = server
            .organiser()
            .post("/api/v1/campaigns/c/invites", &invites);
        let mut random = stream(seed, &[13]);
        let mut driver = Self {
            server,
            reference: ReferenceModel::new(3, ahead),
            random: Box::new(move |number| uniform_index(&mut random, number)),
            invites: invites.json["invites"].as_array().unwrap().clone(),
            answer_count: 0,
            list_count: 2,
        };
        driver.enter();
        driver.enter();
        driver
    }

    /// Returns a random number below `number`.
    fn random_below(&mut self, number: usize) -> usize {
        (self.random)(number)
    }

    /// Sends this number of random requests and checks, then checks the final state and that all
    /// kinds of events occurred.
    fn run_steps(mut self, steps: usize) {
        for _ in 0..steps {
            let who = self.random_below(self.reference.people.len());
            match self.random_below(100) {
                0..=5 => self.enter(),
                6..=17 => _ = self.next_tasks(who),
                18..=61 => self.answer_next(who),
                62..=67 => self.repeat_answer(who),
                68..=72 => self.answer_late(who),
                73..=76 => self.report_task(who),
                77..=80 => self.exclude_or_readmit(who),
                81..=84 => self.pause_or_resume(),
                85..=87 => self.extend(),
                88 => self.wait_for_lease_expiry(),
                89 => self.restart(),
                _ => self.check_server(),
            }
        }
        self.check_server();
        self.server.stop();
        assert!(self.storage().verify().unwrap().sound);
        let acts = self.reference.event_kinds();
        for act in [
            "excluded",
            "extended",
            "paused",
            "readmitted",
            "reported",
            "resumed",
        ] {
            assert!(acts.contains(act), "no event of the kind {act} occurred");
        }
        assert!(self.reference.late_answers > 0, "no answer was late");
        assert!(
            self.reference.reassigned_tasks > 0,
            "no task was reassigned"
        );
    }

    fn storage(&self) -> ServerStorage {
        match self.server.database() {
            Some(url) => ServerStorage::Postgres(url.to_owned()),
            None => ServerStorage::Folder(self.server.data()),
        }
    }

    /// Sends a request of an organiser to a path of the campaign and returns the status.
    fn post_as_organiser(&self, path: &str, body: &Value) -> u16 {
        let path = format!("/api/v1/campaigns/c/{path}");
        self.server.organiser().post(&path, body).status
    }

    /// Lets a new assessor enter, or one who has entered before, and checks the response.
    fn enter(&mut self) {
        let known = self.reference.people.len();
        let again = self.random_below(3) == 0 && known > 0;
        let came = self.random_below(known.max(1));
        let by_invite = self.random_below(2) == 0 && !self.invites.is_empty();
        let entry = match (again, by_invite) {
            (true, _) => self.reference.people[came].entry.clone(),
            (false, true) => json!({"campaign": "c", "invite": self.invites[0]["invite"]}),
            (false, false) => {
                // More people would leave too little work for each.
                if self.reference.recruited_assessors == 4 {
                    return;
                }
                let id = format!("pid-{}", self.reference.recruited_assessors);
                json!({"campaign": "c", "params": {"PROLIFIC_PID": id}})
            }
        };
        let before = Instant::now();
        let pairs = self.pairs();
        let reply = self.server.client("").post("/api/v1/judge/enter", &entry);
        let steady = self.reference.is_steady(before, Instant::now());
        if again {
            assert_eq!((reply.status, &reply.json["resumed"]), (200, &json!(true)));
            let person = &mut self.reference.people[came];
            assert_eq!(reply.json["person"], person.person);
            person.token = reply.json["token"].as_str().unwrap().to_owned();
            return;
        }
        let expected = self.reference.admits(&entry, &pairs);
        let full = (reply.status, reply.problem()) == (409, "full");
        assert!(full || reply.status == 200, "{:?}", reply.json);
        if steady && let Some(expected) = expected {
            assert_eq!(!full, expected, "{entry} {:?}", self.reference.paused);
        }
        if !full {
            assert_eq!(reply.json["resumed"], false);
            if by_invite {
                self.invites.remove(0);
            }
            self.reference.record_entry(entry, &reply.json);
        }
    }

    /// Requests the next tasks of an assessor and checks them.
    fn next_tasks(&mut self, who: usize) -> Vec<Value> {
        let before = Instant::now();
        let reply = self
            .server
            .client(&self.reference.people[who].token)
            .next()
            .json;
        let after = Instant::now();
        let tasks = self.reference.check_next_tasks(who, &reply, before, after);
        let pairs = self.pairs();
        if self.reference.is_steady(before, Instant::now()) && tasks.len() < self.reference.ahead {
            self.reference
                .check_no_task_withheld(who, &reply, &pairs, before);
        }
        tasks
    }

    /// Submits an answer of an assessor; `id` is the number in the UUID of the answer.
    fn submit(&mut self, who: usize, id: u128, body: &Value) -> crate::test_server::HttpReply {
        let token = self.reference.people[who].token.clone();
        self.server.client(&token).answer(id, body)
    }

    /// Submits a random answer to a task.
    fn answer_randomly(&mut self, who: usize, task: &str) {
        let answer = ["a", "b", "equal"][self.random_below(3)];
        let body = json!({"task": task, "seconds": 1, "answer": answer});
        self.answer_count += 1;
        let id = self.answer_count;
        let reply = self.submit(who, id, &body);
        assert_eq!(reply.status, 201, "{:?}", reply.json);
        assert_eq!(reply.json["id"], crate::test_server::uuid(id));
        self.reference
            .record_answer(who, id, &body, reply.json, Instant::now());
    }

    /// Requests the next tasks of an assessor and answers the first of them.
    fn answer_next(&mut self, who: usize) {
        if let Some(task) = self.next_tasks(who).first() {
            self.answer_randomly(who, task["task"].as_str().unwrap());
        }
    }

    /// Sends the last answer again: unchanged, with another body, under another id, and as another
    /// assessor. Nothing may be saved.
    fn repeat_answer(&mut self, who: usize) {
        let Some((id, body, receipt)) = self.reference.people[who].last_answer.clone() else {
            return;
        };
        let again = self.submit(who, id, &body);
        assert_eq!((again.status, &again.json), (200, &receipt));
        let mut later = body.clone();
        later["seconds"] = json!(7);
        later["comment"] = json!("a comment that comes too late");
        let repeated = self.submit(who, id, &later);
        assert_eq!((repeated.status, &repeated.json), (200, &receipt));
        let mut other = body.clone();
        other["answer"] = json!(if body["answer"] == "a" { "b" } else { "a" });
        let reused = self.submit(who, id, &other);
        assert_eq!((reused.status, reused.problem()), (409, "id-reused"));
        let second = self.submit(who, 1_000_000 + id, &body);
        assert_eq!(second.problem(), "answered");
        assert_eq!(second.json["id"], receipt["id"]);
        // For another assessor the task does not exist.
        let stranger = (who + 1) % self.reference.people.len();
        if stranger != who {
            let foreign = self.submit(stranger, 2_000_000 + id, &body);
            assert_eq!(foreign.problem(), "task");
        }
    }

    /// Answers a task whose lease has expired; the answer is saved.
    fn answer_late(&mut self, who: usize) {
        let now = Instant::now();
        let expired = self.reference.people[who].tasks.iter();
        let mut expired =
            expired.filter(|given| given.state == AssignmentState::Open && given.is_expired(now));
        if let Some(task) = expired.next().map(|given| given.task.clone()) {
            self.answer_randomly(who, &task);
        }
    }

    /// Reports the first task of an assessor as impossible to judge.
    fn report_task(&mut self, who: usize) {
        let tasks = self.next_tasks(who);
        let Some(task) = tasks.first() else {
            return;
        };
        // A reported query withdraws its whole list from the assessor, so it is rare.
        let part = ["a", "b", "a", "b", "a", "b", "query"][self.random_below(7)];
        let problem = ["load", "silent", "wrong", "other"][self.random_below(4)];
        let report = json!({"task": task["task"], "part": part, "problem": problem});
        let judge = self.server.client(&self.reference.people[who].token);
        let reply = judge.post("/api/v1/judge/reports", &report);
        assert_eq!(reply.status, 201, "{:?}", reply.json);
        let again = judge.post("/api/v1/judge/reports", &report);
        assert_eq!(again.problem(), "task");
        self.reference.record_report(who, task, part, problem);
    }

    fn exclude_or_readmit(&mut self, who: usize) {
        let person = self.reference.people[who].person.clone();
        let out = self.reference.people[who].excluded;
        let act = if out { "readmit" } else { "exclude" };
        // Repeat the request: the second one must change nothing.
        for _ in 0..2 {
            assert_eq!(
                self.post_as_organiser(&format!("people/{person}/{act}"), &json!({})),
                204
            );
        }
        self.reference.people[who].excluded = !out;
        if out {
            self.reference.people[who].reports_in_a_row = 0;
        }
        let event = if out { "readmitted" } else { "excluded" };
        self.reference
            .expected_events
            .push(json!({"event": event, "assessor": person}));
    }

    fn pause_or_resume(&mut self) {
        let paused = self.reference.paused;
        let (act, event) = match paused {
            true => ("resume", "resumed"),
            false => ("pause", "paused"),
        };
        for _ in 0..2 {
            assert_eq!(self.post_as_organiser(act, &json!({})), 200);
        }
        self.reference.paused = !paused;
        self.reference.expected_events.push(json!({"event": event}));
    }

    /// Extends the campaign; an invalid extension is refused and changes nothing.
    fn extend(&mut self) {
        let bad = json!({"lists": [{"query": "q0", "show": {"text": "q"}, "items": [{"item": "a", "show": {"text": "text a"}}]}]});
        assert_eq!(self.post_as_organiser("extend", &bad), 422);
        if self.random_below(4) == 0 && self.reference.votes < 5 {
            self.reference.votes += 1;
            let more = json!({"votes": self.reference.votes});
            assert_eq!(self.post_as_organiser("extend", &more), 200);
            self.reference
                .expected_events
                .push(json!({"event": "extended", "votes": self.reference.votes}));
            return;
        }
        let query = format!("q{}", self.list_count);
        self.list_count += 1;
        let items = 2 + self.random_below(5);
        let more = text_campaign("c", 3, &[(&query, &ITEMS[..items])])["lists"].clone();
        assert_eq!(
            self.post_as_organiser("extend", &json!({"lists": more})),
            200
        );
        self.reference
            .expected_events
            .push(json!({"event": "extended"}));
        let lists = self
            .server
            .organiser()
            .get("/api/v1/campaigns/c/lists")
            .json;
        assert_eq!(lists["lists"].as_array().unwrap().len(), self.list_count);
    }

    /// Waits until all leases have expired.
    fn wait_for_lease_expiry(&mut self) {
        std::thread::sleep(LEASE + Duration::from_millis(50));
        let leased = |pair: &Value| pair["leased"].as_u64().unwrap();
        let pairs = self.pairs();
        assert!(
            pairs
                .as_array()
                .unwrap()
                .iter()
                .all(|pair| leased(pair) == 0),
            "{pairs}"
        );
    }

    /// Stops the server, verifies the logs and starts the server again.
    fn restart(&mut self) {
        self.server.stop();
        assert!(self.storage().verify().unwrap().sound);
        self.server.start();
    }

    /// Requests the pairs of the campaign with their votes and leases.
    fn pairs(&self) -> Value {
        let organiser = self.server.organiser();
        organiser.get("/api/v1/campaigns/c/pairs").json["pairs"].take()
    }

    /// Compares the log, pairs, assessors and phase of the campaign with the reference model.
    fn check_server(&mut self) {
        let organiser = self.server.organiser();
        let log = organiser.get("/api/v1/campaigns/c/log").bytes;
        self.reference.check_log(&log);
        let state = organiser.get("/api/v1/campaigns/c/state");
        assert_eq!(state.bytes, crate::test_server::replayed_state(&log));
        let pairs = self.pairs();
        self.reference.check_pairs(&pairs, Instant::now());
        let people = organiser.get("/api/v1/campaigns/c/people").json;
        self.reference.check_assessors(&people);
        let paused = organiser.get("/api/v1/campaigns/c/status").json["state"] == "paused";
        assert_eq!(paused, self.reference.paused);
    }
}
