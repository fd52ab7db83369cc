//! Tests that a campaign judged on the server and the same campaign judged in a file ask the same
//! questions and give the same lists.
//!
//! The questions for an assessor depend on the seed of the campaign and on the name of the
//! assessor, so the file uses the names that the server assigned. Assessors answer in turn, one
//! question at a time, because a file has no leases. With the sort strategy the questions are then
//! equal. The pooled strategy always has more questions, and the server schedules them ahead of the
//! answers. These tests therefore extend the budget in rounds, each after all answers of the round
//! before.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use partita::FileStore;
use partita::judging::campaign::log::Stamp;
use partita::judging::campaign::{Answer, CampaignSession, Event, Leases, QuestionSheetsRequest};
use partita::judging::simulate::{AssessorModel, Oracle, SimulatedList};
use partita::{Item, Preference};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::serve::{Server, organiser_token, send};
use crate::session::Folder;

/// Campaign to judge both on the server and in a file.
struct CampaignPlan<'o> {
    strategy: &'static str,
    decide: &'static str,
    /// Votes per pair, or the maximum if the strategy needs fewer.
    votes: u32,
    seed: u64,
    people: usize,
    /// Maximum number of votes per list in each round; empty for a single round without a maximum.
    budgets: Vec<usize>,
    /// Source of the answers for each list.
    oracles: Vec<&'o dyn Oracle>,
}

/// Question as shown to an assessor, given by index, with the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Reply {
    assessor: usize,
    question: Question,
    answer: Preference,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Question {
    query: String,
    a: String,
    b: String,
    /// Task id on the server; empty in a file.
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

/// Returns the name of an item; names have the alphabetical order of the numbers.
fn item_name(item: usize) -> String {
    format!("i{item:03}")
}

fn query_name(list: usize) -> String {
    format!("q{list}")
}

/// Returns the number of an item or list from its name.
fn number(name: &str) -> usize {
    name[1..].parse().expect("a letter and a number")
}

/// Running campaign that asks questions and accepts answers.
trait Driver {
    fn next_question(&mut self, assessor: &str) -> Option<Question>;
    fn answer(&mut self, assessor: &str, question: &Question, answer: Preference);
    fn extend_budget(&mut self, budget: usize);
}

impl CampaignPlan<'_> {
    /// Lets the assessors answer in turn until nobody has a question left, round by round.
    fn judge(&self, driver: &mut dyn Driver, assessors: &[String]) -> Vec<Reply> {
        let mut replies = Vec::new();
        let mut given: HashMap<(String, [usize; 2]), u32> = HashMap::new();
        for round in 0..self.budgets.len().max(1) {
            if round > 0 {
                driver.extend_budget(self.budgets[round]);
            }
            loop {
                let before = replies.len();
                for (assessor, name) in assessors.iter().enumerate() {
                    let Some(question) = driver.next_question(name) else {
                        continue;
                    };
                    let answer = self.answer(&question, &mut given);
                    driver.answer(name, &question, answer);
                    replies.push(Reply {
                        assessor,
                        question: question.without_task(),
                        answer,
                    });
                }
                if replies.len() == before {
                    break;
                }
            }
        }
        replies
    }

    fn answer(
        &self,
        question: &Question,
        given: &mut HashMap<(String, [usize; 2]), u32>,
    ) -> Preference {
        let [a, b] = [&question.a, &question.b].map(|name| number(name));
        let pair = (question.query.clone(), [a.min(b), a.max(b)]);
        let before = given.entry(pair).or_default();
        let [a, b] = [a, b].map(|item| Item::from_index(item).expect("a few items"));
        let oracle = self.oracles[number(&question.query)];
        let answer = oracle.answer(a, b, *before);
        *before += 1;
        answer.expect("the oracle has as many answers as are asked for")
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

/// Drives a campaign on a server, over HTTP.
struct ServerDriver {
    server: Server,
    /// Folder of the server, deleted after the server has ended because fields are dropped in
    /// order.
    _folder: TempDir,
    organiser: String,
    /// Tokens of the assessors by their ids.
    tokens: HashMap<String, String>,
    people: Vec<String>,
    answers: usize,
}

impl ServerDriver {
    fn start(plan: &CampaignPlan<'_>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let data: PathBuf = folder.path().join("data");
        let server = Server::start(&data, "127.0.0.1:0", None);
        let mut this = Self {
            organiser: organiser_token(&data),
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
        let (status, said) = send(method, &url, token, body).expect("the server answers");
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

    /// Waits until the server has scheduled all questions of a larger budget. It fits a model for
    /// them between requests.
    fn wait_until_scheduled(&self, budget: usize) {
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

impl Driver for ServerDriver {
    fn next_question(&mut self, assessor: &str) -> Option<Question> {
        let next = self.request("POST", "judge/next", &self.tokens[assessor], &json!({}));
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

    fn answer(&mut self, assessor: &str, question: &Question, answer: Preference) {
        self.answers += 1;
        let answer = match answer {
            Preference::A => "a",
            Preference::B => "b",
            Preference::Equal => "equal",
        };
        let path = format!(
            "judge/answers/00000000-0000-4000-8000-{:012x}",
            self.answers
        );
        let body = json!({"task": question.task, "seconds": 1, "answer": answer});
        self.request("PUT", &path, &self.tokens[assessor], &body);
    }

    fn extend_budget(&mut self, budget: usize) {
        self.post("campaigns/c/extend", &json!({"budget": budget}));
        self.wait_until_scheduled(budget);
    }
}

/// Drives a campaign in a log file with the library functions that `judge next` and `judge add`
/// use. The program creates, extends and exports the campaign.
struct FileDriver {
    folder: Folder,
    /// Open campaign, which locks the file; `None` while the program extends the campaign.
    session: Option<CampaignSession<FileStore>>,
}

impl FileDriver {
    fn start(plan: &CampaignPlan<'_>) -> Self {
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
        let session = Some(open_session(&folder));
        Self { folder, session }
    }

    fn session(&mut self) -> &mut CampaignSession<FileStore> {
        self.session.as_mut().unwrap()
    }
}

fn open_session(folder: &Folder) -> CampaignSession<FileStore> {
    let store = FileStore::open(&folder.place("c.jsonl")).unwrap();
    CampaignSession::open(store).unwrap()
}

fn stamp() -> Stamp {
    Stamp {
        at: "2026-01-05T00:00:00Z".parse().unwrap(),
        author: "organiser".to_owned(),
    }
}

impl Driver for FileDriver {
    fn next_question(&mut self, assessor: &str) -> Option<Question> {
        let request = QuestionSheetsRequest {
            assessors: vec![assessor.to_owned()],
            questions: 1,
            out: Leases::new(),
        };
        let issued = self.session().issue_sheets(&stamp(), &request).unwrap();
        let question = issued
            .sheets
            .into_iter()
            .next()?
            .questions
            .into_iter()
            .next()?;
        Some(Question {
            query: question.query,
            a: question.a,
            b: question.b,
            task: String::new(),
        })
    }

    fn answer(&mut self, assessor: &str, question: &Question, answer: Preference) {
        let Question { query, a, b, .. } = question;
        let answer = Answer::preference(query, a, b, assessor, Some(answer));
        let recorded = self.session().record(&stamp(), vec![Event::vote(answer)]);
        recorded.unwrap();
    }

    fn extend_budget(&mut self, budget: usize) {
        self.session = None;
        let extend = format!("judge extend c.jsonl --budget {budget}");
        self.folder.output(&extend);
        self.session = Some(open_session(&self.folder));
    }
}

/// Returns query, items, assessor and answer of each row of a CSV of answers, without times.
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

/// Returns the rows of a CSV without its header.
fn rows(csv: &str) -> Vec<Vec<String>> {
    let cells = |line: &str| line.split(',').map(str::to_owned).collect();
    csv.lines().skip(1).map(cells).collect()
}

/// Returns the relation probabilities in a response of the server, as rows of `judge export
/// --odds`.
fn odds_rows(lists: &Value) -> Vec<Vec<String>> {
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

/// Returns the settings in the first line of a log.
fn settings(log: &str) -> Value {
    let first: Value = serde_json::from_str(log.lines().next().unwrap()).unwrap();
    first["settings"].clone()
}

/// Judges a campaign on the server and in a file, and asserts that questions, answers, lists and
/// relation probabilities are equal. Returns the names of the assessors and their replies.
fn judge_on_server_and_in_file(plan: &CampaignPlan<'_>) -> (Vec<String>, Vec<Reply>) {
    let mut server = ServerDriver::start(plan);
    let people = server.people.clone();
    let on_server = plan.judge(&mut server, &people);
    let mut files = FileDriver::start(plan);
    let in_files = plan.judge(&mut files, &people);

    for (place, (one, other)) in on_server.iter().zip(&in_files).enumerate() {
        assert_eq!(one, other, "question {place}");
    }
    assert_eq!(on_server.len(), in_files.len());
    let exported = |file: &str| text(&server.get(&format!("export/{file}")));
    let log = exported("log.jsonl");
    assert_eq!(settings(&log), settings(&files.folder.read("c.jsonl")));
    let counted = files
        .folder
        .output("judge export c.jsonl --answers counted");
    assert_eq!(votes(&exported("preferences.csv")), votes(&counted));
    let lists = files.folder.output("judge export c.jsonl --format csv");
    assert_eq!(exported("truth.csv"), lists);
    let odds = files.folder.output("judge export c.jsonl --odds");
    assert_eq!(odds_rows(&server.get("lists")), rows(&odds));
    assert!(lists.lines().count() > 1, "{lists}");
    (people, on_server)
}

/// Creates lists whose simulated assessors often make errors; `items` are the list lengths.
fn noisy_lists(items: [usize; 3]) -> Vec<SimulatedList> {
    let assessors = AssessorModel {
        noise: 1.5,
        tie_threshold: 0.5,
        lapse_rate: 0.2,
        side_bias: 0.0,
    };
    let list = |(seed, items): (u64, usize)| SimulatedList::new(assessors, items, seed);
    (1..).zip(items).map(list).collect()
}

/// Converts oracles to trait objects.
fn dynamic<O: Oracle>(oracles: &[O]) -> Vec<&dyn Oracle> {
    oracles.iter().map(|oracle| oracle as &dyn Oracle).collect()
}

/// Plans a campaign with the sort strategy and three votes per pair.
fn sort_plan(seed: u64, oracles: Vec<&dyn Oracle>) -> CampaignPlan<'_> {
    CampaignPlan {
        strategy: "sort",
        decide: "majority",
        votes: 3,
        seed,
        people: 5,
        budgets: Vec::new(),
        oracles,
    }
}

/// Plans a campaign with the pooled strategy on lists of `items` items. The first budget is one
/// vote per item; each further round adds half as many.
fn pooled_plan(
    seed: u64,
    items: usize,
    rounds: usize,
    oracles: Vec<&dyn Oracle>,
) -> CampaignPlan<'_> {
    let budgets = (0..=rounds).map(|round| items + round * (items / 2));
    CampaignPlan {
        strategy: "pooled",
        decide: "mwu",
        votes: 4,
        seed,
        people: 6,
        budgets: budgets.collect(),
        oracles,
    }
}

/// Asserts that no assessor was asked about a pair twice, and that every assessor was asked.
fn assert_each_pair_once(plan: &CampaignPlan<'_>, said: &[Reply]) {
    let mut seen = BTreeSet::new();
    for one in said {
        let Question { query, a, b, .. } = &one.question;
        let pair = (one.assessor, query, a.min(b), a.max(b));
        assert!(seen.insert(pair), "asked twice: {one:?}");
    }
    let people: BTreeSet<usize> = said.iter().map(|one| one.assessor).collect();
    assert_eq!(people.len(), plan.people);
}

#[test]
fn the_sort_asks_the_same_questions_on_the_server_and_in_files() {
    let oracles = noisy_lists([5, 6, 4]);
    let plan = sort_plan(7, dynamic(&oracles));
    let (people, said) = judge_on_server_and_in_file(&plan);
    assert_each_pair_once(&plan, &said);
    // With another seed the same assessors get other questions, so the equality above is not
    // trivial.
    let mut files = FileDriver::start(&sort_plan(8, dynamic(&oracles)));
    let others = people
        .iter()
        .map(|person| files.next_question(person).unwrap());
    let first = said.iter().map(|one| one.question.clone());
    assert!(!others.eq(first.take(people.len())));
}

#[test]
fn the_pooled_strategy_asks_the_same_on_the_server_and_in_files() {
    let oracles = noisy_lists([6, 6, 6]);
    let plan = pooled_plan(7, 6, 3, dynamic(&oracles));
    let (_, said) = judge_on_server_and_in_file(&plan);
    assert_each_pair_once(&plan, &said);
    assert_eq!(said.len(), 3 * plan.budgets.last().unwrap());
}

mod real_data {
    use super::*;
    use crate::data::data;
    use partita::formats::Source;
    use partita::formats::campaign::recorded_votes;
    use partita::judging::simulate::{RecordedAnswers, RecordedList};

    /// Creates lists of photos with recorded answers on their pairs.
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
    fn recorded_votes_give_the_same_lists_on_the_server_and_in_files() {
        let oracles = photos(3, 8);
        let plan = sort_plan(3, dynamic(&oracles));
        assert_each_pair_once(&plan, &judge_on_server_and_in_file(&plan).1);
        let plan = pooled_plan(3, 8, 4, dynamic(&oracles));
        let (_, said) = judge_on_server_and_in_file(&plan);
        assert_each_pair_once(&plan, &said);
        assert_eq!(said.len(), 3 * plan.budgets.last().unwrap());
    }
}
