//! Reference model: the expected state of a campaign, computed in a simple way and without the
//! judging engine.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Duration of a lease.
pub(super) const LEASE: Duration = Duration::from_secs(1);

/// State of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AssignmentState {
    /// Assigned and not answered; its lease may have expired.
    Open,
    Answered,
    Reported,
    /// Returned together with another task that was reported.
    Returned,
}

/// Task that was assigned to an assessor.
#[derive(Clone, Debug)]
pub(super) struct AssignedTask {
    pub(super) task: String,
    query: String,
    a: String,
    b: String,
    expires: Value,
    pub(super) state: AssignmentState,
    /// Time before the request of the last assignment.
    earliest: Instant,
    /// Time after the response of the last assignment.
    latest: Instant,
}

impl AssignedTask {
    /// Returns true if the lease has certainly expired.
    pub(super) fn is_expired(&self, now: Instant) -> bool {
        now > self.latest + LEASE + Duration::from_millis(5)
    }

    /// Returns true if the lease has certainly not expired.
    fn is_live(&self, now: Instant) -> bool {
        self.state == AssignmentState::Open
            && now + Duration::from_millis(5) < self.earliest + LEASE
    }

    fn pair(&self) -> Pair {
        pair(&self.query, &self.a, &self.b)
    }
}

/// Query, and two items in alphabetical order.
type Pair = (String, String, String);

fn pair(query: &str, a: &str, b: &str) -> Pair {
    let (low, high) = if a <= b { (a, b) } else { (b, a) };
    (query.to_owned(), low.to_owned(), high.to_owned())
}

/// Expected state of an assessor.
pub(super) struct ReferenceAssessor {
    /// Request body with which the assessor entered.
    pub(super) entry: Value,
    pub(super) token: String,
    pub(super) person: String,
    pub(super) excluded: bool,
    pub(super) tasks: Vec<AssignedTask>,
    /// Query of the task assigned last.
    last_query: Option<String>,
    /// Reported stimuli: query, and item or `None` for the query itself.
    reported_stimuli: BTreeSet<(String, Option<String>)>,
    /// Number of reports since the last answer or readmission; answers do not reset it from
    /// [`MAX_REPORTS_IN_A_ROW`] on.
    pub(super) reports_in_a_row: u32,
    /// Last answer: its id, request body and receipt.
    pub(super) last_answer: Option<(u128, Value, Value)>,
}

/// Number of reports in a row after which an assessor gets nothing more until a readmission.
const MAX_REPORTS_IN_A_ROW: u32 = 5;

impl ReferenceAssessor {
    /// Returns true if the assessor gets nothing more because of their reports.
    fn is_stopped(&self) -> bool {
        self.reports_in_a_row >= MAX_REPORTS_IN_A_ROW
    }

    /// Checks the field `new_query` of a newly assigned task: true if the query differs from that of
    /// the previous task.
    fn check_new_query(&mut self, task: &Value, query: &str) {
        let fresh = self.last_query.as_deref() != Some(query);
        assert_eq!(task["new_query"], json!(fresh), "{task}");
        self.last_query = Some(query.to_owned());
    }

    /// Returns true if the assessor reported the query or an item of the pair.
    fn has_reported(&self, pair: &Pair) -> bool {
        let item = |item: &String| {
            self.reported_stimuli
                .contains(&(pair.0.clone(), Some(item.clone())))
        };
        self.reported_stimuli.contains(&(pair.0.clone(), None)) || item(&pair.1) || item(&pair.2)
    }
}

/// Acknowledged answer.
#[derive(Debug, PartialEq)]
struct SavedAnswer {
    person: String,
    query: String,
    a: String,
    b: String,
    answer: Value,
}

/// Reference model of a campaign.
pub(super) struct ReferenceModel {
    pub(super) people: Vec<ReferenceAssessor>,
    /// Acknowledged answers, keyed by id.
    saved: BTreeMap<String, SavedAnswer>,
    /// Expected events of organisers, and reports of assessors, in order.
    pub(super) expected_events: Vec<Value>,
    pub(super) paused: bool,
    /// Maximum number of tasks that an assessor holds at a time.
    pub(super) ahead: usize,
    /// Number of votes wanted per pair.
    pub(super) votes: u64,
    /// Number of votes wanted per pair when the campaign was created.
    initial_votes: u64,
    /// Number of assessors sent by the recruiter.
    pub(super) recruited_assessors: usize,
    /// Number of answers to each pair that were given after their lease had or may have expired.
    late_answers_by_pair: BTreeMap<Pair, u64>,
    /// Number of answers that were given after their lease had or may have expired.
    pub(super) late_answers: usize,
    /// Number of tasks that were assigned a second time.
    pub(super) reassigned_tasks: usize,
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// Returns the id of the query or item that a stimulus shows.
fn stimulus_id(value: &Value) -> &str {
    text(&value["text"]).strip_prefix("text ").unwrap()
}

fn number(value: &Value, key: &str) -> u64 {
    value[key].as_u64().unwrap()
}

impl ReferenceModel {
    pub(super) fn new(votes: u64, ahead: usize) -> Self {
        Self {
            people: Vec::new(),
            saved: BTreeMap::new(),
            expected_events: Vec::new(),
            paused: false,
            ahead,
            votes,
            initial_votes: votes,
            recruited_assessors: 0,
            late_answers_by_pair: BTreeMap::new(),
            late_answers: 0,
            reassigned_tasks: 0,
        }
    }

    /// Returns the kinds of all expected events.
    pub(super) fn event_kinds(&self) -> BTreeSet<&str> {
        self.expected_events
            .iter()
            .map(|act| text(&act["event"]))
            .collect()
    }

    /// Returns true if no lease can have expired between two times.
    pub(super) fn is_steady(&self, from: Instant, to: Instant) -> bool {
        let tasks = self.people.iter().flat_map(|person| &person.tasks);
        let mut open = tasks.filter(|given| given.state == AssignmentState::Open);
        open.all(|given| given.is_expired(from) || given.is_live(to))
    }

    /// Returns true if a new assessor must be admitted and false if they must be rejected; `None`
    /// if both are allowed.
    pub(super) fn admits(&self, entry: &Value, pairs: &Value) -> Option<bool> {
        let open = pairs.as_array().unwrap().iter().any(is_open);
        if entry.get("invite").is_some() {
            // Invited assessors may also enter to wait for further questions.
            return open.then_some(true);
        }
        Some(!self.paused && open)
    }

    /// Adds an assessor after the server admitted them.
    pub(super) fn record_entry(&mut self, entry: Value, reply: &Value) {
        self.recruited_assessors += usize::from(entry.get("params").is_some());
        let person = text(&reply["person"]).to_owned();
        let known = self.people.iter().any(|known| known.person == person);
        assert!(!known, "two assessors have the same id: {person}");
        self.people.push(ReferenceAssessor {
            entry,
            token: text(&reply["token"]).to_owned(),
            person,
            excluded: false,
            tasks: Vec::new(),
            last_query: None,
            reported_stimuli: BTreeSet::new(),
            reports_in_a_row: 0,
            last_answer: None,
        });
    }

    /// Checks a response with the next tasks of an assessor and returns the tasks: tasks with a
    /// valid lease must stay, and every new task must be allowed. Records the new tasks.
    pub(super) fn check_next_tasks(
        &mut self,
        who: usize,
        reply: &Value,
        before: Instant,
        after: Instant,
    ) -> Vec<Value> {
        let state = text(&reply["state"]);
        let person = &mut self.people[who];
        let tasks = reply["tasks"].as_array().unwrap().clone();
        let expected = match (self.paused, person.excluded) {
            (true, _) => &["paused"][..],
            (false, true) => &["ended"],
            (false, false) if person.is_stopped() => &["done"],
            (false, false) => &["work", "wait", "done"],
        };
        assert!(expected.contains(&state), "{state}, not {expected:?}");
        assert_eq!(tasks.is_empty(), state != "work", "{reply}");
        assert!(tasks.len() <= self.ahead, "{reply}");
        let answered = person.tasks.iter();
        let answered = answered
            .filter(|given| given.state == AssignmentState::Answered)
            .count();
        assert_eq!(reply["progress"]["answered"], json!(answered));
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
            let (query, a, b) = (
                stimulus_id(&task["query"]),
                stimulus_id(&task["a"]),
                stimulus_id(&task["b"]),
            );
            let this = pair(query, a, b);
            assert!(
                !person.has_reported(&this),
                "it shows a reported stimulus: {task}"
            );
            let known = (person.tasks.iter()).position(|given| given.pair() == this);
            let Some(place) = known else {
                person.check_new_query(task, query);
                person.tasks.push(AssignedTask {
                    task: text(&task["task"]).to_owned(),
                    query: query.to_owned(),
                    a: a.to_owned(),
                    b: b.to_owned(),
                    expires: task["expires"].clone(),
                    state: AssignmentState::Open,
                    earliest: before,
                    latest: after,
                });
                continue;
            };
            let mut given = person.tasks.remove(place);
            assert!(
                [AssignmentState::Open, AssignmentState::Returned].contains(&given.state),
                "a finished task is assigned again: {task} after {given:?}"
            );
            // A task that stays or is assigned again has the same id and displayed order.
            assert_eq!((&*given.task, &*given.a, &*given.b), (task_id(task), a, b));
            if given.expires == task["expires"] {
                person.tasks.insert(place, given);
                continue;
            }
            assert!(
                !given.is_live(after),
                "its lease had not expired: {given:?}"
            );
            person.check_new_query(task, query);
            self.reassigned_tasks += 1;
            given.state = AssignmentState::Open;
            given.expires = task["expires"].clone();
            (given.earliest, given.latest) = (before, after);
            person.tasks.push(given);
        }
        tasks
    }

    /// Checks that an assessor with fewer tasks than allowed could not get another one.
    pub(super) fn check_no_task_withheld(
        &self,
        who: usize,
        reply: &Value,
        pairs: &Value,
        now: Instant,
    ) {
        let person = &self.people[who];
        if self.paused || person.excluded || person.is_stopped() {
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
            let has = given.is_some_and(|given| match given.state {
                AssignmentState::Open => !given.is_expired(now),
                AssignmentState::Answered | AssignmentState::Reported => true,
                AssignmentState::Returned => false,
            });
            assert!(
                has || person.has_reported(&this),
                "{open} is open, and {} got {reply}",
                person.person
            );
        }
    }

    /// Records an acknowledged answer. `after` is a time after its acknowledgement.
    pub(super) fn record_answer(
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
            self.late_answers += 1;
            *self.late_answers_by_pair.entry(given.pair()).or_default() += 1;
        }
        given.state = AssignmentState::Answered;
        if person.reports_in_a_row < MAX_REPORTS_IN_A_ROW {
            person.reports_in_a_row = 0;
        }
        let saved = SavedAnswer {
            person: person.person.clone(),
            query: given.query.clone(),
            a: given.a.clone(),
            b: given.b.clone(),
            answer: body["answer"].clone(),
        };
        person.last_answer = Some((id, body.clone(), receipt));
        let twice = self.saved.insert(crate::test_server::uuid(id), saved);
        assert!(twice.is_none());
    }

    /// Records the report of a task and its effect on the assessor's other tasks.
    pub(super) fn record_report(&mut self, who: usize, task: &Value, part: &str, problem: &str) {
        let person = &mut self.people[who];
        let query = stimulus_id(&task["query"]).to_owned();
        let item = (part != "query").then(|| stimulus_id(&task[part]).to_owned());
        person
            .reported_stimuli
            .insert((query.clone(), item.clone()));
        person.reports_in_a_row += 1;
        for place in 0..person.tasks.len() {
            let unfit = person.is_stopped() || person.has_reported(&person.tasks[place].pair());
            let given = &mut person.tasks[place];
            if given.task == task["task"] {
                given.state = AssignmentState::Reported;
            } else if unfit && given.state == AssignmentState::Open {
                given.state = AssignmentState::Returned;
            }
        }
        let mut act = json!({"event": "reported", "query": query, "assessor": person.person, "problem": problem});
        if let Some(item) = item {
            act["item"] = json!(item);
        }
        self.expected_events.push(act);
    }

    /// Checks that the log has exactly the acknowledged answers, each once, and all other expected
    /// events in order.
    pub(super) fn check_log(&self, log: &[u8]) {
        let mut found = BTreeMap::new();
        let mut acts = self.expected_events.iter();
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
                let saved = SavedAnswer {
                    person: field("assessor"),
                    query: field("query"),
                    a: field("a"),
                    b: field("b"),
                    answer: event["answer"].clone(),
                };
                let double = found.insert(field("id"), saved);
                assert!(double.is_none(), "twice: {line}");
            } else if known.contains(&kind) {
                let act = acts
                    .next()
                    .expect("the log has only expected events")
                    .as_object();
                for (key, value) in act.unwrap() {
                    assert_eq!(event[key], *value, "{line}");
                }
            }
        }
        assert_eq!(acts.next(), None, "an expected event is not in the log");
        assert_eq!(found, self.saved);
    }

    /// Checks the number of votes and leases of each pair. Answers of excluded assessors do not
    /// count as votes.
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
        let anybody_back = self
            .expected_events
            .iter()
            .any(|act| act["event"] == "readmitted");
        for pair in pairs.as_array().unwrap() {
            let key = self::pair(text(&pair["query"]), text(&pair["a"]), text(&pair["b"]));
            let answers = given.remove(&key).unwrap_or(0);
            let (votes, leased) = (number(pair, "votes"), number(pair, "leased"));
            let fewest = answers.min(self.initial_votes);
            let most = answers.min(self.votes);
            assert!(
                (fewest..=most).contains(&votes),
                "{pair} of {answers} answers"
            );
            assert!(number(pair, "wanted") <= self.votes, "{pair}");
            let sure = live.get(&key).copied().unwrap_or(0);
            assert!(leased >= sure, "{pair} with {sure} leases");
            // Late votes, and votes of readmitted assessors, may exceed the wanted number.
            let overdue = self.late_answers_by_pair.get(&key).copied().unwrap_or(0);
            if !anybody_back {
                assert!(votes + leased <= self.votes + overdue, "{pair}");
            }
        }
        assert!(
            given.is_empty(),
            "answers to pairs that the server does not list: {given:?}"
        );
    }

    /// Checks the ids, exclusions and numbers of answers of all assessors.
    pub(super) fn check_assessors(&self, people: &Value) {
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
            let answered = answered.filter(|given| given.state == AssignmentState::Answered);
            let answered = answered.count() as u64;
            (person.person.as_str(), (person.excluded, answered))
        });
        assert_eq!(found, expected.collect());
    }
}

fn task_id(task: &Value) -> &str {
    text(&task["task"])
}

/// Returns true if a pair can be assigned to another assessor.
fn is_open(pair: &Value) -> bool {
    number(pair, "votes") + number(pair, "leased") < number(pair, "wanted")
}
