//! What `bench/run latency` measures: `bench_latency STRATEGY LISTS ITEMS PEOPLE ANSWERS` drives a campaign
//! in memory with so many people at once, who answer one after the other in a random order, and
//! prints the nanoseconds of each step as `answer,next,plans`, a line per answer: checking and
//! applying an answer, choosing the next task of the person together with all planning that is done
//! for it, and how many lists were planned.
//!
//! The times are by the clock, since the standard library has no CPU clock. Every run does the same steps,
//! so whoever starts it can run it again and take the least time of each.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::Write;
use std::time::Instant;

use partita_core::Answer;
use partita_judging::campaign::{
    Answered, Campaign, Candidates, Event, Lease, Leases, Settings, Task, TaskRequest,
};
use partita_stats::streams::{index_below, standard_normal, stream};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [strategy, lists, items, people, answers] = arguments.as_slice() else {
        return Err("usage: bench_latency STRATEGY LISTS ITEMS PEOPLE ANSWERS".into());
    };
    let (lists, items): (usize, usize) = (lists.parse()?, items.parse()?);
    let (people, answers): (usize, usize) = (people.parse()?, answers.parse()?);
    let candidates = (0..lists).map(|list| {
        let items = (0..items).map(|item| format!("item {item}"));
        Candidates::of(format!("query {list}"), items)
    });
    let settings = Settings {
        strategy: strategy.parse()?,
        ..Settings::new("latency", candidates.collect())
    };
    let mut campaign = Campaign::open(settings)?;
    for list in 0..lists {
        if let Some(asked) = campaign.plan(list) {
            campaign.apply(&asked)?;
        }
    }
    let mut leases = Leases::new();
    let mut held: BTreeMap<usize, Task> = BTreeMap::new();
    let mut random = stream(2010, &[1]);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut given = 0;
    let mut idle = 0;
    while given < answers && idle < 3 * people {
        let number = index_below(&mut random, people);
        let person = format!("person {number}");
        let begin = Instant::now();
        let answered = held.remove(&number);
        let mut last = None;
        if let Some(task) = answered {
            leases.remove(&campaign, &person, &task);
            let Task::Preference { query, a, b } = &task else {
                return Err("pairs only".into());
            };
            let worth = |item: &str| -> f64 {
                let number: f64 = item.trim_start_matches("item ").parse().unwrap_or(0.0);
                number / items as f64
            };
            let lead = worth(b) - worth(a) + 0.3 * standard_normal(&mut random);
            let answer = match lead {
                lead if lead > 0.1 => Answer::A,
                lead if lead < -0.1 => Answer::B,
                _ => Answer::Equal,
            };
            let event = Event::Answered(Answered::new(query, a, b, &person, Some(answer)));
            campaign.apply(&event)?;
            last = campaign.list_of(query);
        }
        let middle = Instant::now();
        let (task, plans) = next(&mut campaign, &person, last, &leases)?;
        let end = Instant::now();
        idle = if task.is_some() || last.is_some() {
            0
        } else {
            idle + 1
        };
        if let Some(task) = task {
            let lease = Lease {
                person,
                task: task.clone(),
                gold: false,
            };
            leases.add(&campaign, lease)?;
            held.insert(number, task);
        }
        if last.is_some() {
            given += 1;
            let [answer, after] = [middle - begin, end - middle].map(|time| time.as_nanos());
            writeln!(out, "{answer},{after},{plans}")?;
        }
    }
    Ok(())
}

/// What a session does for a person, without a log: plans the list of the last answer if its offers
/// are used up, and others if there is nothing at all.
fn next(
    campaign: &mut Campaign,
    person: &str,
    last: Option<usize>,
    leases: &Leases,
) -> Result<(Option<Task>, usize), Box<dyn Error>> {
    let mut plans = 0;
    let mut plan = |campaign: &mut Campaign, list: usize| -> Result<(), Box<dyn Error>> {
        plans += 1;
        if let Some(asked) = campaign.plan(list) {
            campaign.apply(&asked)?;
        }
        Ok(())
    };
    if let Some(list) = last.filter(|&list| campaign.runs_out(list, leases)) {
        plan(campaign, list)?;
    }
    let request = TaskRequest::new(person);
    let mut chosen = campaign.choose(&request, leases);
    if chosen.is_none() {
        for list in campaign.due(leases).into_iter().take(4) {
            plan(campaign, list)?;
            chosen = campaign.choose(&request, leases);
            if chosen.is_some() {
                break;
            }
        }
    }
    Ok((chosen.map(|chosen| chosen.task), plans))
}
