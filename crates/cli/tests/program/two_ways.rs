//! One oracle, two ways: the same people judge a campaign on the server, and in files by `judge next` and
//! `judge add`. They are asked the same, and the lists are the same.
//!
//! What somebody is asked is drawn from the seed of the campaign and from who asks, so people in files are
//! called what the server calls them. They ask one after the other and hold one question at a time: a file
//! has no leases. The sort then asks the same whoever drives it. The pooled strategy has always more to ask,
//! and the server asks it ahead of the answers where it has time to, a file never; so its votes are given
//! round by round, by extending the budget when all have come.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use partita_core::{Item, Preference};
use partita_judging::simulate::{AssessorModel, Oracle, SimulatedList};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::serve::{Server, ask, organiser};
use crate::session::Folder;

/// A campaign that is judged both ways.
struct Plan<'o> {
    strategy: &'static str,
    decide: &'static str,
    /// The votes on a pair, or the most of them.
    votes: u32,
    seed: u64,
    people: usize,
    /// How many votes a list may take, round by round; one round without a limit where there are none.
    budgets: Vec<usize>,
    /// Who answers about each list, whose items are numbered.
    oracles: Vec<&'o dyn Oracle>,
}

/// A question as it was shown to somebody, and what they said.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Said {
    person: usize,
    question: Question,
    answer: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Question {
    query: String,
    a: String,
    b: String,
    /// What the server calls it.
    task: String,
}

impl Question {
    fn without_task(&self) -> Self {
        Self {
            task: String::new(),
            ..self.clone()
        }
    }
}

/// The name of an item, which sorts as its number does.
fn item_name(item: usize) -> String {
    format!("i{item:03}")
}

fn query_name(list: usize) -> String {
    format!("q{list}")
}

fn number(name: &str) -> usize {
    name[1..].parse().expect("a letter and a number")
}

/// A way to be asked.
trait Way {
    fn next(&mut self, person: &str) -> Option<Question>;
    fn answer(&mut self, person: &str, question: &Question, answer: &str);
    fn extend(&mut self, budget: usize);
}

impl Plan<'_> {
    /// Everybody asks in turn until there is nothing for anybody, round by round.
    fn judge(&self, way: &mut dyn Way, people: &[String]) -> Vec<Said> {
        let mut said = Vec::new();
        let mut given: HashMap<(String, [usize; 2]), u32> = HashMap::new();
        for round in 0..self.budgets.len().max(1) {
            if round > 0 {
                way.extend(self.budgets[round]);
            }
            loop {
                let before = said.len();
                for (person, name) in people.iter().enumerate() {
                    let Some(question) = way.next(name) else {
                        continue;
                    };
                    let answer = self.answer(&question, &mut given);
                    way.answer(name, &question, answer);
                    said.push(Said {
                        person,
                        question: question.without_task(),
                        answer,
                    });
                }
                if said.len() == before {
                    break;
                }
            }
        }
        said
    }

    fn answer(
        &self,
        question: &Question,
        given: &mut HashMap<(String, [usize; 2]), u32>,
    ) -> &'static str {
        let [a, b] = [&question.a, &question.b].map(|name| number(name));
        let pair = (question.query.clone(), [a.min(b), a.max(b)]);
        let before = given.entry(pair).or_default();
        let [a, b] = [a, b].map(|item| Item::from_index(item).expect("a few items"));
        let oracle = self.oracles[number(&question.query)];
        let answer = oracle.answer(a, b, *before);
        *before += 1;
        match answer.expect("the oracle has as many answers as are asked for") {
            Preference::A => "a",
            Preference::B => "b",
            Preference::Equal => "equal",
        }
    }

    fn document(&self) -> Value {
        let show = |name: &str| json!({"text": name});
        let lists = self.oracles.iter().enumerate().map(|(list, oracle)| {
            let items = (0..oracle.items()).map(|item| {
                let name = item_name(item);
                json!({"item": name, "show": show(&name)})
            });
            let query = query_name(list);
            let items: Vec<Value> = items.collect();
            json!({"query": query, "show": show(&query), "items": items})
        });
        let mut settings = json!({
            "votes": self.votes, "decide": self.decide,
            "strategy": self.strategy, "seed": self.seed,
        });
        if let Some(budget) = self.budgets.first() {
            settings["budget"] = json!(budget);
        }
        json!({
            "name": "c", "title": "C", "settings": settings,
            "judging": {"ahead": 1, "wait_seconds": 3_600, "lease_seconds": 3_600},
            "lists": lists.collect::<Vec<Value>>(),
        })
    }
}

/// By the server, over HTTP.
struct OverHttp {
    server: Server,
    /// Gone after the server is.
    _folder: TempDir,
    organiser: String,
    /// The tokens of people by their ids.
    tokens: HashMap<String, String>,
    people: Vec<String>,
    answers: usize,
}

impl OverHttp {
    fn begin(plan: &Plan<'_>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let data: PathBuf = folder.path().join("data");
        let server = Server::start(&data, "127.0.0.1:0", None);
        let mut this = Self {
            organiser: organiser(&data),
            server,
            _folder: folder,
            tokens: HashMap::new(),
            people: Vec::new(),
            answers: 0,
        };
        this.post("campaigns", &plan.document());
        let invites = json!({"kind": "preference", "count": plan.people});
        let invites = this.post("campaigns/c/invites", &invites);
        for invite in invites["invites"].as_array().unwrap() {
            let entry = json!({"campaign": "c", "invite": invite["invite"]});
            let entered = this.request("POST", "judge/enter", "", &entry);
            let [person, token] = ["person", "token"].map(|key| text(&entered[key]));
            this.tokens.insert(person.clone(), token);
            this.people.push(person);
        }
        this
    }

    fn request(&self, method: &str, path: &str, token: &str, body: &Value) -> Value {
        let url = format!("{}/api/v1/{path}", self.server.url);
        let (status, said) = ask(method, &url, token, body).expect("the server answers");
        assert!((200..300).contains(&status), "{path}: {status} {said}");
        said
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        self.request("POST", path, &self.organiser, body)
    }

    fn get(&self, path: &str) -> Value {
        self.request(
            "GET",
            &format!("campaigns/c/{path}"),
            &self.organiser,
            &Value::Null,
        )
    }

    /// Waits until all that a larger budget allows has been asked: a model is fitted for that, between
    /// requests.
    fn wait_until_asked(&self, budget: usize) {
        let begun = Instant::now();
        loop {
            let status = self.get("status");
            let lists = status["lists"].as_array().unwrap();
            let asked = |list: &Value| {
                list["settled"] == true || list["wanted"].as_u64() == Some(budget as u64)
            };
            if lists.iter().all(asked) {
                return;
            }
            assert!(begun.elapsed() < Duration::from_mins(1), "{status}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

impl Way for OverHttp {
    fn next(&mut self, person: &str) -> Option<Question> {
        let next = self.request("POST", "judge/next", &self.tokens[person], &json!({}));
        let tasks = next["tasks"].as_array().unwrap();
        assert!(tasks.len() <= 1, "more than one question at a time: {next}");
        let task = tasks.first()?;
        let shown = |part: &str| text(&task[part]["text"]);
        Some(Question {
            query: shown("query"),
            a: shown("a"),
            b: shown("b"),
            task: text(&task["task"]),
        })
    }

    fn answer(&mut self, person: &str, question: &Question, answer: &str) {
        self.answers += 1;
        let path = format!(
            "judge/answers/00000000-0000-4000-8000-{:012x}",
            self.answers
        );
        let body = json!({"task": question.task, "seconds": 1, "answer": answer});
        self.request("PUT", &path, &self.tokens[person], &body);
    }

    fn extend(&mut self, budget: usize) {
        self.post("campaigns/c/extend", &json!({"budget": budget}));
        self.wait_until_asked(budget);
    }
}

/// By commands, in a file.
struct InFiles(Folder);

impl InFiles {
    fn begin(plan: &Plan<'_>) -> Self {
        let mut candidates = "query,item\n".to_owned();
        for (list, oracle) in plan.oracles.iter().enumerate() {
            for item in 0..oracle.items() {
                candidates += &format!("{},{}\n", query_name(list), item_name(item));
            }
        }
        let folder = Folder::with("c.csv", candidates);
        let (votes, decide, seed) = (plan.votes, plan.decide, plan.seed);
        let budget = plan.budgets.first();
        let budget = budget.map_or(String::new(), |budget| format!("--budget {budget}"));
        folder.output(&format!(
            "judge init c.jsonl --name c --candidates c.csv --votes {votes} --decide {decide} \
             --strategy {} --seed {seed} {budget}",
            plan.strategy
        ));
        Self(folder)
    }
}

impl Way for InFiles {
    fn next(&mut self, person: &str) -> Option<Question> {
        let next = format!("judge next c.jsonl --person {person} --questions 1");
        let sheets = self.0.json(&next);
        let question = sheets["sheets"].get(0)?["questions"].get(0)?;
        let [query, a, b] = ["query", "a", "b"].map(|key| text(&question[key]));
        let task = String::new();
        Some(Question { query, a, b, task })
    }

    fn answer(&mut self, person: &str, question: &Question, answer: &str) {
        let Question { query, a, b, .. } = question;
        let sheet = format!("query,a,b,assessor,answer\n{query},{a},{b},{person},{answer}\n");
        let added = self.0.partita("judge add c.jsonl -").input(sheet);
        added.succeeds();
    }

    fn extend(&mut self, budget: usize) {
        self.0
            .output(&format!("judge extend c.jsonl --budget {budget}"));
    }
}

/// What decides the votes of a table of answers, without times.
fn votes(csv: &str) -> BTreeSet<Vec<String>> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let wanted = ["query", "a", "b", "assessor", "answer"];
    let header = reader.headers().unwrap().clone();
    let columns = wanted.map(|name| header.iter().position(|column| column == name).unwrap());
    let rows = reader.records().map(|row| {
        let row = row.unwrap();
        columns
            .iter()
            .map(|&column| row[column].to_owned())
            .collect()
    });
    rows.collect()
}

/// The rows of a table, the head left out.
fn rows(csv: &str) -> Vec<Vec<String>> {
    let cells = |line: &str| line.split(',').map(str::to_owned).collect();
    csv.lines().skip(1).map(cells).collect()
}

/// What the server says of pairs, as the rows of `judge export --odds`.
fn odds_of(lists: &Value) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for list in lists["lists"].as_array().unwrap() {
        for pair in list["pairs"].as_array().unwrap() {
            let names = [&list["query"], &pair["a"], &pair["b"]];
            let odds = ["less", "equal", "greater"].map(|key| pair[key].to_string());
            rows.push(names.map(text).into_iter().chain(odds).collect());
        }
    }
    assert!(!rows.is_empty(), "votes say something of pairs");
    rows
}

/// The settings in the first line of a log.
fn settings(log: &str) -> Value {
    let first: Value = serde_json::from_str(log.lines().next().unwrap()).unwrap();
    first["settings"].clone()
}

/// Judges a campaign both ways; who the people are, and what they were asked and said.
fn both_ways(plan: &Plan<'_>) -> (Vec<String>, Vec<Said>) {
    let mut server = OverHttp::begin(plan);
    let people = server.people.clone();
    let on_server = plan.judge(&mut server, &people);
    let mut files = InFiles::begin(plan);
    let in_files = plan.judge(&mut files, &people);

    for (place, (one, other)) in on_server.iter().zip(&in_files).enumerate() {
        assert_eq!(one, other, "question {place}");
    }
    assert_eq!(on_server.len(), in_files.len());
    let exported = |file: &str| text(&server.get(&format!("export/{file}")));
    let log = exported("log.jsonl");
    assert_eq!(settings(&log), settings(&files.0.read("c.jsonl")));
    let counted = files.0.output("judge export c.jsonl --answers counted");
    assert_eq!(votes(&exported("preferences.csv")), votes(&counted));
    let lists = files.0.output("judge export c.jsonl --format csv");
    assert_eq!(exported("truth.csv"), lists);
    let odds = files.0.output("judge export c.jsonl --odds");
    assert_eq!(odds_of(&server.get("lists")), rows(&odds));
    assert!(lists.lines().count() > 1, "{lists}");
    (people, on_server)
}

/// Lists of people who often err.
fn noisy(items: [usize; 3]) -> Vec<SimulatedList> {
    let assessors = AssessorModel {
        noise: 1.5,
        tie_threshold: 0.5,
        lapse_rate: 0.2,
        side_bias: 0.0,
    };
    let list = |(seed, items): (u64, usize)| SimulatedList::new(assessors, items, seed);
    (1..).zip(items).map(list).collect()
}

fn dynamic<O: Oracle>(oracles: &[O]) -> Vec<&dyn Oracle> {
    oracles.iter().map(|oracle| oracle as &dyn Oracle).collect()
}

/// The sort, with three votes on a pair.
fn sort(seed: u64, oracles: Vec<&dyn Oracle>) -> Plan<'_> {
    Plan {
        strategy: "sort",
        decide: "majority",
        votes: 3,
        seed,
        people: 5,
        budgets: Vec::new(),
        oracles,
    }
}

/// The pooled strategy on lists of this length: first each item beside two others, then half as many votes
/// as items in each round.
fn pooled(seed: u64, items: usize, rounds: usize, oracles: Vec<&dyn Oracle>) -> Plan<'_> {
    let budgets = (0..=rounds).map(|round| items + round * (items / 2));
    Plan {
        strategy: "pooled",
        decide: "mwu",
        votes: 4,
        seed,
        people: 6,
        budgets: budgets.collect(),
        oracles,
    }
}

/// Nobody is asked about a pair twice, and everybody is asked.
fn assert_sound(plan: &Plan<'_>, said: &[Said]) {
    let mut seen = BTreeSet::new();
    for one in said {
        let Question { query, a, b, .. } = &one.question;
        let pair = (one.person, query, a.min(b), a.max(b));
        assert!(seen.insert(pair), "asked twice: {one:?}");
    }
    let people: BTreeSet<usize> = said.iter().map(|one| one.person).collect();
    assert_eq!(people.len(), plan.people);
}

#[test]
fn noisy_people_are_asked_the_same_by_the_sort_on_the_server_and_in_files() {
    let oracles = noisy([5, 6, 4]);
    let plan = sort(7, dynamic(&oracles));
    let (people, said) = both_ways(&plan);
    assert_sound(&plan, &said);
    // That is no matter of course: with another seed the same people are asked something else.
    let mut files = InFiles::begin(&sort(8, dynamic(&oracles)));
    let others = people.iter().map(|person| files.next(person).unwrap());
    let first = said.iter().map(|one| one.question.clone());
    assert!(!others.eq(first.take(people.len())));
}

#[test]
fn noisy_people_are_asked_the_same_by_the_pooled_strategy_on_the_server_and_in_files() {
    let oracles = noisy([6, 6, 6]);
    let plan = pooled(7, 6, 3, dynamic(&oracles));
    let (_, said) = both_ways(&plan);
    assert_sound(&plan, &said);
    assert_eq!(said.len(), 3 * plan.budgets.last().unwrap());
}

mod real_data {
    use super::*;
    use crate::data::data;
    use partita_formats::Source;
    use partita_formats::campaign::recorded_votes;
    use partita_judging::simulate::{RecordedAnswers, RecordedList};

    /// Lists of photos and what people said of their pairs.
    fn photos(lists: usize, items: usize) -> Vec<RecordedList> {
        let file = data("photo-pairs").join("Photo.csv");
        let read = recorded_votes::read(&Source::open(&file.to_string_lossy()).unwrap()).unwrap();
        let recorded = RecordedAnswers::from_vote_sizes(&read.items, &read.pairs, 0.125).unwrap();
        let list = |list: usize| {
            let photos: Vec<usize> = (0..items).map(|item| 23 * list + 7 * item).collect();
            recorded.list(&photos, 10, list as u64)
        };
        (0..lists).map(list).collect()
    }

    #[test]
    #[ignore = "needs PARTITA_DATA (see CONTRIBUTING.md)"]
    fn recorded_votes_on_photos_make_the_same_lists_on_the_server_and_in_files() {
        let oracles = photos(3, 8);
        let plan = sort(3, dynamic(&oracles));
        assert_sound(&plan, &both_ways(&plan).1);
        let plan = pooled(3, 8, 4, dynamic(&oracles));
        let (_, said) = both_ways(&plan);
        assert_sound(&plan, &said);
        assert_eq!(said.len(), 3 * plan.budgets.last().unwrap());
    }
}
