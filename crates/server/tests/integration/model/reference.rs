//! What must hold of a campaign, whatever happened: plain tables, and no engine.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long somebody may keep a task.
pub(super) const LEASE: Duration = Duration::from_secs(1);

/// What became of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// It was given; whether its time ran out is a matter of time.
    Given,
    Answered,
    Reported,
    /// It was given back with another that was reported.
    Returned,
}

/// A task that somebody was given.
#[derive(Clone, Debug)]
pub(super) struct Given {
    pub(super) task: String,
    query: String,
    a: String,
    b: String,
    expires: Value,
    pub(super) held: Held,
    /// It was given between these moments.
    from: Instant,
    to: Instant,
}

impl Given {
    /// Whether its time has surely run out.
    pub(super) fn is_over(&self, now: Instant) -> bool {
        now > self.to + LEASE + Duration::from_millis(5)
    }

    /// Whether its time has surely not run out.
    fn is_live(&self, now: Instant) -> bool {
        self.held == Held::Given && now + Duration::from_millis(5) < self.from + LEASE
    }

    fn pair(&self) -> Pair {
        pair(&self.query, &self.a, &self.b)
    }
}

type Pair = (String, String, String);

fn pair(query: &str, a: &str, b: &str) -> Pair {
    let (low, high) = if a <= b { (a, b) } else { (b, a) };
    (query.to_owned(), low.to_owned(), high.to_owned())
}

/// A person.
pub(super) struct Somebody {
    pub(super) entry: Value,
    pub(super) token: String,
    pub(super) person: String,
    pub(super) excluded: bool,
    pub(super) tasks: Vec<Given>,
    /// The query of the task that they were given last.
    last_query: Option<String>,
    /// What they reported: a whole query, or an item of it.
    unfit: BTreeSet<(String, Option<String>)>,
    /// Their last answer: its id, what was sent, and what was said.
    pub(super) last: Option<(u128, Value, Value)>,
}

impl Somebody {
    /// A task says whether its query is another than that of the task before.
    fn begins(&mut self, task: &Value, query: &str) {
        let fresh = self.last_query.as_deref() != Some(query);
        assert_eq!(task["new_query"], json!(fresh), "{task}");
        self.last_query = Some(query.to_owned());
    }

    fn cannot_judge(&self, pair: &Pair) -> bool {
        let item = |item: &String| self.unfit.contains(&(pair.0.clone(), Some(item.clone())));
        self.unfit.contains(&(pair.0.clone(), None)) || item(&pair.1) || item(&pair.2)
    }
}

/// An answer that was acknowledged.
#[derive(Debug, PartialEq)]
struct Saved {
    person: String,
    query: String,
    a: String,
    b: String,
    answer: Value,
}

pub(super) struct Reference {
    pub(super) people: Vec<Somebody>,
    saved: BTreeMap<String, Saved>,
    /// What organisers did and judges reported, in order.
    pub(super) acts: Vec<Value>,
    pub(super) paused: bool,
    /// How many tasks somebody has at a time.
    pub(super) ahead: usize,
    /// How many votes a pair is to have, and was to have at first.
    pub(super) votes: u64,
    at_first: u64,
    /// How many people came by the panel.
    pub(super) claims: usize,
    /// How many answers to a pair came when their time had run out, or may have.
    overdue: BTreeMap<Pair, u64>,
    pub(super) late: usize,
    /// How many tasks were given a second time.
    pub(super) regiven: usize,
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// The name of what is shown as a text.
fn shown(value: &Value) -> &str {
    text(&value["text"]).strip_prefix("text ").unwrap()
}

fn number(value: &Value, key: &str) -> u64 {
    value[key].as_u64().unwrap()
}

impl Reference {
    pub(super) fn new(votes: u64, ahead: usize) -> Self {
        Self {
            people: Vec::new(),
            saved: BTreeMap::new(),
            acts: Vec::new(),
            paused: false,
            ahead,
            votes,
            at_first: votes,
            claims: 0,
            overdue: BTreeMap::new(),
            late: 0,
            regiven: 0,
        }
    }

    pub(super) fn kinds_of_acts(&self) -> BTreeSet<&str> {
        self.acts.iter().map(|act| text(&act["event"])).collect()
    }

    /// Whether no lease can have run out between two moments.
    pub(super) fn is_steady(&self, from: Instant, to: Instant) -> bool {
        let tasks = self.people.iter().flat_map(|person| &person.tasks);
        let mut open = tasks.filter(|given| given.held == Held::Given);
        open.all(|given| given.is_over(from) || given.is_live(to))
    }

    /// Whether a newcomer is let in, where that is plain.
    pub(super) fn lets_in(&self, entry: &Value, pairs: &Value) -> Option<bool> {
        let open = pairs.as_array().unwrap().iter().any(is_open);
        if entry.get("invite").is_some() {
            // Who was invited may wait for what others decide first.
            return open.then_some(true);
        }
        Some(!self.paused && self.claims < 4 && open)
    }

    pub(super) fn entered(&mut self, entry: Value, said: &Value) {
        self.claims += usize::from(entry.get("params").is_some());
        let person = text(&said["person"]).to_owned();
        let known = self.people.iter().any(|known| known.person == person);
        assert!(!known, "two people are one: {person}");
        self.people.push(Somebody {
            entry,
            token: text(&said["token"]).to_owned(),
            person,
            excluded: false,
            tasks: Vec::new(),
            last_query: None,
            unfit: BTreeSet::new(),
            last: None,
        });
    }

    /// What somebody was given is what they have, and what they may get.
    pub(super) fn expect_next(
        &mut self,
        who: usize,
        said: &Value,
        before: Instant,
        after: Instant,
    ) -> Vec<Value> {
        let state = text(&said["state"]);
        let person = &mut self.people[who];
        let tasks = said["tasks"].as_array().unwrap().clone();
        let expected = match (self.paused, person.excluded) {
            (true, _) => &["paused"][..],
            (false, true) => &["ended"],
            (false, false) => &["work", "wait", "done"],
        };
        assert!(expected.contains(&state), "{state}, not {expected:?}");
        assert_eq!(tasks.is_empty(), state != "work", "{said}");
        assert!(tasks.len() <= self.ahead, "{said}");
        let answered = person.tasks.iter();
        let answered = answered
            .filter(|given| given.held == Held::Answered)
            .count();
        assert_eq!(said["progress"]["answered"], json!(answered));
        if state != "work" {
            return tasks;
        }
        let live = person.tasks.iter().filter(|given| given.is_live(after));
        let live: Vec<String> = live.map(|given| given.task.clone()).collect();
        let ids: Vec<&str> = tasks.iter().map(|task| text(&task["task"])).collect();
        let kept: Vec<&str> = (ids.iter().copied())
            .filter(|id| live.iter().any(|live| live == id))
            .collect();
        assert_eq!(kept, live, "live tasks stay, in their order: {ids:?}");
        for task in &tasks {
            let (query, a, b) = (shown(&task["query"]), shown(&task["a"]), shown(&task["b"]));
            let this = pair(query, a, b);
            assert!(!person.cannot_judge(&this), "it was reported: {task}");
            let known = (person.tasks.iter()).position(|given| given.pair() == this);
            let Some(place) = known else {
                person.begins(task, query);
                person.tasks.push(Given {
                    task: text(&task["task"]).to_owned(),
                    query: query.to_owned(),
                    a: a.to_owned(),
                    b: b.to_owned(),
                    expires: task["expires"].clone(),
                    held: Held::Given,
                    from: before,
                    to: after,
                });
                continue;
            };
            let mut given = person.tasks.remove(place);
            assert!(
                [Held::Given, Held::Returned].contains(&given.held),
                "it comes again: {task} after {given:?}"
            );
            // The same task with the same sides, whether it stayed or came back.
            assert_eq!((&*given.task, &*given.a, &*given.b), (ids_of(task), a, b));
            if given.expires == task["expires"] {
                person.tasks.insert(place, given);
                continue;
            }
            assert!(!given.is_live(after), "its time was not over: {given:?}");
            person.begins(task, query);
            self.regiven += 1;
            given.held = Held::Given;
            given.expires = task["expires"].clone();
            (given.from, given.to) = (before, after);
            person.tasks.push(given);
        }
        tasks
    }

    /// Whoever has fewer tasks than they may have could get no other.
    pub(super) fn nothing_is_kept_back(
        &self,
        who: usize,
        said: &Value,
        pairs: &Value,
        now: Instant,
    ) {
        let person = &self.people[who];
        if self.paused || person.excluded {
            return;
        }
        let open = pairs
            .as_array()
            .unwrap()
            .iter()
            .filter(|pair| is_open(pair));
        for open in open {
            let this = pair(text(&open["query"]), text(&open["a"]), text(&open["b"]));
            let given = person.tasks.iter().find(|given| given.pair() == this);
            let has = given.is_some_and(|given| match given.held {
                Held::Given => !given.is_over(now),
                Held::Answered | Held::Reported => true,
                Held::Returned => false,
            });
            assert!(
                has || person.cannot_judge(&this),
                "{open} is open, and {} got {said}",
                person.person
            );
        }
    }

    pub(super) fn answered(
        &mut self,
        who: usize,
        id: u128,
        body: &Value,
        receipt: Value,
        after: Instant,
    ) {
        let person = &mut self.people[who];
        let task = text(&body["task"]);
        let given = person.tasks.iter_mut().find(|given| given.task == task);
        let given = given.unwrap();
        if !given.is_live(after) {
            self.late += 1;
            *self.overdue.entry(given.pair()).or_default() += 1;
        }
        given.held = Held::Answered;
        let saved = Saved {
            person: person.person.clone(),
            query: given.query.clone(),
            a: given.a.clone(),
            b: given.b.clone(),
            answer: body["answer"].clone(),
        };
        person.last = Some((id, body.clone(), receipt));
        let twice = self.saved.insert(crate::house::uuid(id), saved);
        assert!(twice.is_none());
    }

    pub(super) fn reported(&mut self, who: usize, task: &Value, part: &str, problem: &str) {
        let person = &mut self.people[who];
        let query = shown(&task["query"]).to_owned();
        let item = (part != "query").then(|| shown(&task[part]).to_owned());
        person.unfit.insert((query.clone(), item.clone()));
        for place in 0..person.tasks.len() {
            let unfit = person.cannot_judge(&person.tasks[place].pair());
            let given = &mut person.tasks[place];
            if given.task == task["task"] {
                given.held = Held::Reported;
            } else if unfit && given.held == Held::Given {
                given.held = Held::Returned;
            }
        }
        let mut act = json!({"event": "reported", "query": query, "assessor": person.person, "problem": problem});
        if let Some(item) = item {
            act["item"] = json!(item);
        }
        self.acts.push(act);
    }

    /// The log has every acknowledged answer once and no other, and every act in its order.
    pub(super) fn check_log(&self, log: &[u8]) {
        let mut found = BTreeMap::new();
        let mut acts = self.acts.iter();
        let known = [
            "excluded",
            "extended",
            "paused",
            "readmitted",
            "reported",
            "resumed",
        ];
        for line in std::str::from_utf8(log).unwrap().lines() {
            let event: Value = serde_json::from_str(line).unwrap();
            let kind = text(&event["event"]);
            if kind == "answered" {
                let field = |key: &str| text(&event[key]).to_owned();
                let saved = Saved {
                    person: field("assessor"),
                    query: field("query"),
                    a: field("a"),
                    b: field("b"),
                    answer: event["answer"].clone(),
                };
                let double = found.insert(field("id"), saved);
                assert!(double.is_none(), "twice: {line}");
            } else if known.contains(&kind) {
                let act = acts.next().expect("an act that nobody did").as_object();
                for (key, value) in act.unwrap() {
                    assert_eq!(event[key], *value, "{line}");
                }
            }
        }
        assert_eq!(acts.next(), None, "it is not in the log");
        assert_eq!(found, self.saved);
    }

    /// The votes are the answers of people who are not excluded, as many as a pair is to have.
    pub(super) fn check_pairs(&self, pairs: &Value, now: Instant) {
        let mut given: BTreeMap<Pair, u64> = BTreeMap::new();
        let excluded: BTreeSet<&str> = (self.people.iter().filter(|person| person.excluded))
            .map(|person| person.person.as_str())
            .collect();
        for saved in self.saved.values() {
            if !excluded.contains(saved.person.as_str()) {
                let pair = pair(&saved.query, &saved.a, &saved.b);
                *given.entry(pair).or_default() += 1;
            }
        }
        let mut live: BTreeMap<Pair, u64> = BTreeMap::new();
        let tasks = self.people.iter().flat_map(|person| &person.tasks);
        for task in tasks.filter(|task| task.is_live(now)) {
            *live.entry(task.pair()).or_default() += 1;
        }
        let anybody_back = self.acts.iter().any(|act| act["event"] == "readmitted");
        for pair in pairs.as_array().unwrap() {
            let key = self::pair(text(&pair["query"]), text(&pair["a"]), text(&pair["b"]));
            let answers = given.remove(&key).unwrap_or(0);
            let (votes, leased) = (number(pair, "votes"), number(pair, "leased"));
            let fewest = answers.min(self.at_first);
            let most = answers.min(self.votes);
            assert!(
                (fewest..=most).contains(&votes),
                "{pair} of {answers} answers"
            );
            assert!(number(pair, "wanted") <= self.votes, "{pair}");
            let sure = live.get(&key).copied().unwrap_or(0);
            assert!(leased >= sure, "{pair} with {sure} leases");
            // Votes that come back, or that come late, may find the pair with somebody else.
            let overdue = self.overdue.get(&key).copied().unwrap_or(0);
            if !anybody_back {
                assert!(votes + leased <= self.votes + overdue, "{pair}");
            }
        }
        assert!(
            given.is_empty(),
            "answers to pairs that are none: {given:?}"
        );
    }

    pub(super) fn check_people(&self, people: &Value) {
        let found: BTreeMap<&str, (bool, u64)> = (people["people"].as_array().unwrap().iter())
            .map(|person| {
                let excluded = person["excluded"].as_bool().unwrap();
                (
                    text(&person["person"]),
                    (excluded, number(person, "answers")),
                )
            })
            .collect();
        let expected = self.people.iter().map(|person| {
            let answered = person.tasks.iter();
            let answered = answered.filter(|given| given.held == Held::Answered);
            let answered = answered.count() as u64;
            (person.person.as_str(), (person.excluded, answered))
        });
        assert_eq!(found, expected.collect());
    }
}

fn ids_of(task: &Value) -> &str {
    text(&task["task"])
}

/// Whether somebody could be asked about a pair now.
fn is_open(pair: &Value) -> bool {
    number(pair, "votes") + number(pair, "leased") < number(pair, "wanted")
}
