//! Measurement for `bench/run latency`. `bench_latency STRATEGY LISTS ITEMS PEOPLE ANSWERS` runs a
//! campaign in memory, in which PEOPLE assessors take turns at random until there are ANSWERS
//! answers. Prints one line `answer,next,schedules` per answer: the nanoseconds to validate and
//! apply the answer, the nanoseconds to choose the assessor's next question (scheduling included),
//! and the number of lists that were scheduled. The last line has the nanoseconds to replay all
//! events, the number of answers, and the nanoseconds to parse the log of these events, with a
//! check of its hash chain.
//!
//! The times are wall-clock times because the standard library has no CPU clock. Every run does the
//! same steps, so that the caller can run it repeatedly and take the minimum of each step.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::Write;
use std::time::Instant;

use partita_core::Preference;
use partita_judging::campaign::log::{self, LogEntry, LogTail, Stamp, VERSION};
use partita_judging::campaign::{
    Answer, AssignmentRequest, Campaign, CampaignError, CampaignSpec, EngineSettings, Event, Lease,
    Leases, QuerySpec, Question,
};
use partita_stats::random::{standard_normal, stream, uniform_index};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [strategy, lists, items, people, answers] = arguments.as_slice() else {
        return Err("usage: bench_latency STRATEGY LISTS ITEMS PEOPLE ANSWERS".into());
    };
    let (lists, items): (usize, usize) = (lists.parse()?, items.parse()?);
    let (people, answers): (usize, usize) = (people.parse()?, answers.parse()?);
    let candidates = (0..lists).map(|list| {
        let items = (0..items).map(|item| format!("item {item}"));
        QuerySpec::new(format!("query {list}"), items)
    });
    let settings = CampaignSpec {
        settings: EngineSettings {
            strategy: strategy.parse()?,
            ..EngineSettings::default()
        },
        ..CampaignSpec::new("latency", candidates.collect())
    };
    let mut driver = RecordedCampaign::open(settings)?;
    for list in 0..lists {
        driver.schedule(list)?;
    }
    let mut leases = Leases::new();
    let mut held: BTreeMap<usize, Question> = BTreeMap::new();
    let mut random = stream(2010, &[1]);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut given = 0;
    let mut idle = 0;
    while given < answers && idle < 3 * people {
        let number = uniform_index(&mut random, people);
        let person = format!("person {number}");
        let begin = Instant::now();
        let answered = held.remove(&number);
        let mut last = None;
        if let Some(task) = answered {
            leases.remove(&driver.campaign, &person, &task);
            let query = &task.query;
            let [a, b] = task.pair().ok_or("pairs only")?;
            let worth = |item: &str| -> f64 {
                let number: f64 = item.trim_start_matches("item ").parse().unwrap_or(0.0);
                number / items as f64
            };
            let lead = worth(b) - worth(a) + 0.3 * standard_normal(&mut random);
            let answer = match lead {
                lead if lead > 0.1 => Preference::A,
                lead if lead < -0.1 => Preference::B,
                _ => Preference::Equal,
            };
            let event = Event::vote(Answer::preference(query, a, b, &person, Some(answer)));
            driver.record(event)?;
            last = driver.campaign.list_index(query);
        }
        let middle = Instant::now();
        let (task, schedules) = driver.next_question(&person, last, &leases)?;
        let end = Instant::now();
        idle = if task.is_some() || last.is_some() {
            0
        } else {
            idle + 1
        };
        if let Some(task) = task {
            let lease = Lease {
                assessor: person,
                task: task.clone(),
                gold: false,
            };
            leases.add(&driver.campaign, lease)?;
            held.insert(number, task);
        }
        if last.is_some() {
            given += 1;
            let [answer, after] = [middle - begin, end - middle].map(|time| time.as_nanos());
            writeln!(out, "{answer},{after},{schedules}")?;
        }
    }
    let begin = Instant::now();
    let again = Campaign::replay(&driver.events).map_err(|(_, error)| error)?;
    let replay = begin.elapsed().as_nanos();
    let bytes = log_bytes(&driver.events)?;
    let begin = Instant::now();
    let log = log::read(&bytes)?;
    let reading = begin.elapsed().as_nanos();
    if !log.events().eq(&driver.events) {
        return Err("the log does not say what happened".into());
    }
    writeln!(out, "{replay},{},{reading}", again.answer_count())?;
    Ok(())
}

/// Returns the bytes of a log with these events.
fn log_bytes(events: &[Event]) -> Result<Vec<u8>, Box<dyn Error>> {
    let stamp = Stamp {
        at: "2010-04-14T18:29:32Z".parse()?,
        author: "organiser".to_owned(),
    };
    let mut tail = LogTail::EMPTY;
    let mut bytes = Vec::new();
    for event in events {
        let entry = LogEntry::new(tail, stamp.clone(), event.clone());
        bytes.extend_from_slice(entry.line().as_bytes());
        tail = entry.tail();
    }
    Ok(bytes)
}

/// Campaign in memory, with all events that were applied to it.
struct RecordedCampaign {
    campaign: Campaign,
    events: Vec<Event>,
}

impl RecordedCampaign {
    fn open(settings: CampaignSpec) -> Result<Self, CampaignError> {
        let campaign = Campaign::open(settings)?;
        let opened = Event::Opened {
            version: VERSION,
            spec: Box::new(campaign.spec().as_ref().clone()),
        };
        let events = vec![opened];
        Ok(Self { campaign, events })
    }

    fn record(&mut self, event: Event) -> Result<(), CampaignError> {
        self.campaign.apply(&event)?;
        self.events.push(event);
        Ok(())
    }

    fn schedule(&mut self, list: usize) -> Result<(), CampaignError> {
        self.campaign
            .next_list_batch(list)
            .map_or(Ok(()), |asked| self.record(asked))
    }

    /// Chooses the next question of an assessor as `CampaignSession::next_assignment` does. First
    /// schedules the list of the last answer if all its requested votes have arrived or are on
    /// lease, and up to four other lists if no question can be assigned. Returns the question and
    /// the number of scheduled lists.
    fn next_question(
        &mut self,
        person: &str,
        last: Option<usize>,
        leases: &Leases,
    ) -> Result<(Option<Question>, usize), CampaignError> {
        let mut schedules = 0;
        if let Some(list) = last.filter(|&list| self.campaign.has_run_out_of_offers(list, leases)) {
            self.schedule(list)?;
            schedules += 1;
        }
        let request = AssignmentRequest::new(person);
        let mut chosen = self.campaign.choose_assignment(&request, leases);
        if chosen.is_none() {
            for list in self.campaign.lists_to_schedule(leases).into_iter().take(4) {
                self.schedule(list)?;
                schedules += 1;
                chosen = self.campaign.choose_assignment(&request, leases);
                if chosen.is_some() {
                    break;
                }
            }
        }
        Ok((chosen.map(|chosen| chosen.task), schedules))
    }
}
