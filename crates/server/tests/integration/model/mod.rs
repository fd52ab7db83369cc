//! A random driver against a plain reference: whatever happens in whatever order, the server says
//! what the reference expects, what was acknowledged is there once, and nothing else is.

mod reference;

use std::time::{Duration, Instant};

use partita_server::ServerStorage;
use partita_stats::random::{stream, uniform_index};
use serde_json::{Value, json};

use crate::house::{House, POSTGRES, postgres, texts};
use reference::{Held, LEASE, Reference};

#[test]
fn random_steps_lose_and_double_nothing() {
    // An odd and an even seed: see `Driver::new`.
    for seed in [1, 2] {
        Driver::new(House::new(), seed).drive(700);
    }
}

#[test]
#[ignore = "it needs PostgreSQL: make server"]
fn postgres_loses_and_doubles_nothing_in_thousands_of_random_steps() {
    let _others = POSTGRES.read().unwrap();
    for seed in [4, 5, 6] {
        let url = postgres(&format!("model{seed}"));
        let house = House::with(|settings| settings.database = Some(url));
        Driver::new(house, seed).drive(700);
    }
}

const ITEMS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

struct Driver {
    house: House,
    reference: Reference,
    random: Box<dyn FnMut(usize) -> usize>,
    /// Invites that nobody used.
    invites: Vec<Value>,
    ids: u128,
    lists: usize,
}

impl Driver {
    fn new(house: House, seed: u64) -> Self {
        let mut document = texts("c", 3, &[("q0", &ITEMS), ("q1", &ITEMS[..4])]);
        // Some campaigns mix queries, and in others somebody has several tasks of one query at a
        // time.
        let (ahead, mix) = match seed % 2 {
            0 => (2, true),
            _ => (4, false),
        };
        document["judging"] = json!({
            "lease_seconds": LEASE.as_secs(), "wait_seconds": 3_600, "ahead": ahead, "mix": mix,
        });
        document["recruiter"] = json!({"preset": "prolific", "limit": 4});
        let made = house.organiser().post("/api/v1/campaigns", &document);
        assert_eq!(made.status, 201, "{:?}", made.json);
        let invites = json!({"kind": "preference", "count": 4});
        let invites = house
            .organiser()
            .post("/api/v1/campaigns/c/invites", &invites);
        let mut random = stream(seed, &[13]);
        let mut driver = Self {
            house,
            reference: Reference::new(3, ahead),
            random: Box::new(move |number| uniform_index(&mut random, number)),
            invites: invites.json["invites"].as_array().unwrap().clone(),
            ids: 0,
            lists: 2,
        };
        driver.enter();
        driver.enter();
        driver
    }

    fn below(&mut self, number: usize) -> usize {
        (self.random)(number)
    }

    fn drive(mut self, steps: usize) {
        for _ in 0..steps {
            let who = self.below(self.reference.people.len());
            match self.below(100) {
                0..=5 => self.enter(),
                6..=17 => _ = self.next(who),
                18..=61 => self.judge(who),
                62..=67 => self.repeat(who),
                68..=72 => self.late(who),
                73..=76 => self.report(who),
                77..=80 => self.exclude_or_readmit(who),
                81..=84 => self.pause_or_resume(),
                85..=87 => self.extend(),
                88 => self.expire(),
                89 => self.restart(),
                _ => self.check(),
            }
        }
        self.check();
        self.house.stop();
        assert!(self.place().verify().unwrap().sound);
        let acts = self.reference.kinds_of_acts();
        for act in [
            "excluded",
            "extended",
            "paused",
            "readmitted",
            "reported",
            "resumed",
        ] {
            assert!(acts.contains(act), "it was never tried: {act}");
        }
        assert!(self.reference.late > 0, "nobody ever answered late");
        assert!(self.reference.regiven > 0, "no task ever came back");
    }

    fn place(&self) -> ServerStorage {
        match self.house.database() {
            Some(url) => ServerStorage::Postgres(url.to_owned()),
            None => ServerStorage::Folder(self.house.data()),
        }
    }

    fn act(&self, path: &str, body: &Value) -> u16 {
        let path = format!("/api/v1/campaigns/c/{path}");
        self.house.organiser().post(&path, body).status
    }

    /// Somebody new comes, or somebody who was here before.
    fn enter(&mut self) {
        let known = self.reference.people.len();
        let again = self.below(3) == 0 && known > 0;
        let came = self.below(known.max(1));
        let by_invite = self.below(2) == 0 && !self.invites.is_empty();
        let entry = match (again, by_invite) {
            (true, _) => self.reference.people[came].entry.clone(),
            (false, true) => json!({"campaign": "c", "invite": self.invites[0]["invite"]}),
            (false, false) => {
                let id = format!("pid-{}", self.reference.claims);
                json!({"campaign": "c", "params": {"PROLIFIC_PID": id}})
            }
        };
        let before = Instant::now();
        let pairs = self.pairs();
        let said = self.house.client("").post("/api/v1/judge/enter", &entry);
        let steady = self.reference.is_steady(before, Instant::now());
        if again {
            assert_eq!((said.status, &said.json["resumed"]), (200, &json!(true)));
            let person = &mut self.reference.people[came];
            assert_eq!(said.json["person"], person.person);
            person.token = said.json["token"].as_str().unwrap().to_owned();
            return;
        }
        let expected = self.reference.lets_in(&entry, &pairs);
        let full = (said.status, said.problem()) == (409, "full");
        assert!(full || said.status == 200, "{:?}", said.json);
        if steady && let Some(expected) = expected {
            assert_eq!(!full, expected, "{entry} {:?}", self.reference.paused);
        }
        if !full {
            assert_eq!(said.json["resumed"], false);
            if by_invite {
                self.invites.remove(0);
            }
            self.reference.entered(entry, &said.json);
        }
    }

    /// Asks for tasks, and sees that they are those that this person has to get.
    fn next(&mut self, who: usize) -> Vec<Value> {
        let before = Instant::now();
        let said = self
            .house
            .client(&self.reference.people[who].token)
            .next()
            .json;
        let after = Instant::now();
        let tasks = self.reference.expect_next(who, &said, before, after);
        let pairs = self.pairs();
        if self.reference.is_steady(before, Instant::now()) && tasks.len() < self.reference.ahead {
            self.reference
                .nothing_is_kept_back(who, &said, &pairs, before);
        }
        tasks
    }

    fn put(&mut self, who: usize, id: u128, body: &Value) -> crate::house::Said {
        let token = self.reference.people[who].token.clone();
        self.house.client(&token).answer(id, body)
    }

    /// Answers what somebody was given.
    fn save(&mut self, who: usize, task: &str) {
        let answer = ["a", "b", "equal"][self.below(3)];
        let body = json!({"task": task, "seconds": 1, "answer": answer});
        self.ids += 1;
        let id = self.ids;
        let said = self.put(who, id, &body);
        assert_eq!(said.status, 201, "{:?}", said.json);
        assert_eq!(said.json["id"], crate::house::uuid(id));
        self.reference
            .answered(who, id, &body, said.json, Instant::now());
    }

    fn judge(&mut self, who: usize) {
        if let Some(task) = self.next(who).first() {
            self.save(who, task["task"].as_str().unwrap());
        }
    }

    /// The same again, something else under its id, and the same under another id.
    fn repeat(&mut self, who: usize) {
        let Some((id, body, receipt)) = self.reference.people[who].last.clone() else {
            return;
        };
        let again = self.put(who, id, &body);
        assert_eq!((again.status, &again.json), (200, &receipt));
        let mut other = body.clone();
        other["seconds"] = json!(7);
        assert_eq!(self.put(who, id, &other).problem(), "id-reused");
        let second = self.put(who, 1_000_000 + id, &body);
        assert_eq!(second.problem(), "answered");
        assert_eq!(second.json["id"], receipt["id"]);
        // To another person the task is none.
        let stranger = (who + 1) % self.reference.people.len();
        if stranger != who {
            let foreign = self.put(stranger, 2_000_000 + id, &body);
            assert_eq!(foreign.problem(), "task");
        }
    }

    /// Answers a task whose time ran out: it is kept.
    fn late(&mut self, who: usize) {
        let now = Instant::now();
        let expired = self.reference.people[who].tasks.iter();
        let mut expired = expired.filter(|given| given.held == Held::Given && given.is_over(now));
        if let Some(task) = expired.next().map(|given| given.task.clone()) {
            self.save(who, &task);
        }
    }

    fn report(&mut self, who: usize) {
        let tasks = self.next(who);
        let Some(task) = tasks.first() else {
            return;
        };
        // A broken query takes its whole list from somebody, so that it is rare.
        let part = ["a", "b", "a", "b", "a", "b", "query"][self.below(7)];
        let problem = ["load", "silent", "wrong", "other"][self.below(4)];
        let report = json!({"task": task["task"], "part": part, "problem": problem});
        let judge = self.house.client(&self.reference.people[who].token);
        let said = judge.post("/api/v1/judge/reports", &report);
        assert_eq!(said.status, 201, "{:?}", said.json);
        let again = judge.post("/api/v1/judge/reports", &report);
        assert_eq!(again.problem(), "task");
        self.reference.reported(who, task, part, problem);
    }

    fn exclude_or_readmit(&mut self, who: usize) {
        let person = self.reference.people[who].person.clone();
        let out = self.reference.people[who].excluded;
        let act = if out { "readmit" } else { "exclude" };
        // The second time it is so already, and nothing happens.
        for _ in 0..2 {
            assert_eq!(self.act(&format!("people/{person}/{act}"), &json!({})), 204);
        }
        self.reference.people[who].excluded = !out;
        let event = if out { "readmitted" } else { "excluded" };
        self.reference
            .acts
            .push(json!({"event": event, "assessor": person}));
    }

    fn pause_or_resume(&mut self) {
        let paused = self.reference.paused;
        let (act, event) = match paused {
            true => ("resume", "resumed"),
            false => ("pause", "paused"),
        };
        for _ in 0..2 {
            assert_eq!(self.act(act, &json!({})), 200);
        }
        self.reference.paused = !paused;
        self.reference.acts.push(json!({"event": event}));
    }

    /// More is wanted; and what cannot be is refused, and changes nothing.
    fn extend(&mut self) {
        let bad = json!({"lists": [{"query": "q0", "show": {"text": "q"}, "items": [{"item": "a", "show": {"text": "text a"}}]}]});
        assert_eq!(self.act("extend", &bad), 422);
        if self.below(4) == 0 && self.reference.votes < 5 {
            self.reference.votes += 1;
            let more = json!({"votes": self.reference.votes});
            assert_eq!(self.act("extend", &more), 200);
            self.reference
                .acts
                .push(json!({"event": "extended", "votes": self.reference.votes}));
            return;
        }
        let query = format!("q{}", self.lists);
        self.lists += 1;
        let items = 2 + self.below(5);
        let more = texts("c", 3, &[(&query, &ITEMS[..items])])["lists"].clone();
        assert_eq!(self.act("extend", &json!({"lists": more})), 200);
        self.reference.acts.push(json!({"event": "extended"}));
        let lists = self.house.organiser().get("/api/v1/campaigns/c/lists").json;
        assert_eq!(lists["lists"].as_array().unwrap().len(), self.lists);
    }

    /// All leases run out.
    fn expire(&mut self) {
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

    fn restart(&mut self) {
        self.house.stop();
        assert!(self.place().verify().unwrap().sound);
        self.house.start();
    }

    fn pairs(&self) -> Value {
        let organiser = self.house.organiser();
        organiser.get("/api/v1/campaigns/c/pairs").json["pairs"].take()
    }

    fn check(&mut self) {
        let organiser = self.house.organiser();
        let log = organiser.get("/api/v1/campaigns/c/log").bytes;
        self.reference.check_log(&log);
        let state = organiser.get("/api/v1/campaigns/c/state");
        assert_eq!(state.bytes, crate::house::replayed(&log));
        let pairs = self.pairs();
        self.reference.check_pairs(&pairs, Instant::now());
        let people = organiser.get("/api/v1/campaigns/c/people").json;
        self.reference.check_people(&people);
        let paused = organiser.get("/api/v1/campaigns/c/status").json["state"] == "paused";
        assert_eq!(paused, self.reference.paused);
    }
}
