//! Campaigns for tests, with simulated assessors whose answers are a function of the question.

use std::collections::BTreeMap;

use partita_core::Preference;
use partita_judging::campaign::log::{LogEntry, LogTail, Stamp, Timestamp};
use partita_judging::campaign::{Answer, Campaign, CampaignSpec, Event, OpenPair, QuerySpec, log};

/// Returns a query with candidates of these names.
pub(crate) fn candidates(query: &str, items: &[&str]) -> QuerySpec {
    QuerySpec::new(query, items.iter().copied())
}

/// Returns queries q0, q1, ... with lists of these lengths; their items are i0, i1, ...
pub(crate) fn lists(lengths: &[usize]) -> Vec<QuerySpec> {
    let list = |(query, &length): (usize, &usize)| {
        let names: Vec<String> = (0..length).map(|item| format!("i{item}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        candidates(&format!("q{query}"), &names)
    };
    lengths.iter().enumerate().map(list).collect()
}

/// Returns a hash of these texts (FNV-1a).
pub(crate) fn hash_texts(parts: &[&str]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in parts.iter().flat_map(|part| part.bytes().chain([0])) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash ^ (hash >> 31)
}

/// Assessors who prefer the item of the lower level, apart from a share of pseudo-random answers.
#[derive(Clone, Debug)]
pub(crate) struct SimulatedAssessors {
    /// Percentage of pseudo-random answers.
    pub(crate) noise: u64,
    /// Number of consecutive items that share one level.
    pub(crate) group: usize,
    /// Seed of the pseudo-random answers.
    pub(crate) world: String,
}

impl SimulatedAssessors {
    pub(crate) fn level(&self, item: &str) -> usize {
        item[1..].parse::<usize>().expect("the text is a number") / self.group
    }

    /// Returns the answer of an assessor. It does not depend on which item is shown first.
    pub(crate) fn preference(&self, query: &str, a: &str, b: &str, person: usize) -> Preference {
        if a > b {
            return self.preference(query, b, a, person).mirrored();
        }
        let whim = hash_texts(&[&self.world, query, a, b, &person.to_string()]);
        if whim % 100 < self.noise {
            return [Preference::A, Preference::Equal, Preference::B][(whim / 100 % 3) as usize];
        }
        match self.level(a).cmp(&self.level(b)) {
            std::cmp::Ordering::Less => Preference::A,
            std::cmp::Ordering::Equal => Preference::Equal,
            std::cmp::Ordering::Greater => Preference::B,
        }
    }
}

/// Campaign together with all its events.
pub(crate) struct CampaignRun {
    pub(crate) campaign: Campaign,
    pub(crate) events: Vec<Event>,
    /// Number of assessors who have answered each pair, by query and item names.
    answer_counts: BTreeMap<(String, String, String), usize>,
}

impl CampaignRun {
    pub(crate) fn new(settings: CampaignSpec) -> Self {
        Self::from_campaign(Campaign::open(settings).expect("the settings are valid"))
    }

    pub(crate) fn from_campaign(campaign: Campaign) -> Self {
        let opened = Event::Opened {
            version: log::VERSION,
            spec: Box::new(campaign.spec().as_ref().clone()),
        };
        Self {
            campaign,
            events: vec![opened],
            answer_counts: BTreeMap::new(),
        }
    }

    pub(crate) fn apply_event(&mut self, event: Event) {
        self.campaign.apply(&event).expect("the event is valid");
        self.events.push(event);
    }

    /// Requests all due batches of questions and returns the open pairs.
    pub(crate) fn request_open_pairs(&mut self) -> Vec<OpenPair> {
        while let Some(event) = self.campaign.next_batch() {
            self.apply_event(event);
        }
        self.campaign.open_pairs_in_request_order(0)
    }

    pub(crate) fn answer(&mut self, answered: Answer) {
        self.apply_event(Event::vote(answered));
    }

    /// Lets the next assessor answer about a pair.
    pub(crate) fn answer_by_next_assessor(&mut self, people: &SimulatedAssessors, pair: &OpenPair) {
        let (low, high) = (
            pair.a.clone().min(pair.b.clone()),
            pair.a.clone().max(pair.b.clone()),
        );
        let key = (pair.query.clone(), low, high);
        let person = self.answer_counts.entry(key).or_insert(0);
        let answer = people.preference(&pair.query, &pair.a, &pair.b, *person);
        let name = format!("p{person}");
        *person += 1;
        self.answer(Answer::preference(
            &pair.query,
            &pair.a,
            &pair.b,
            &name,
            Some(answer),
        ));
    }

    /// Runs the campaign until nothing is open; all answers of a batch arrive together.
    pub(crate) fn finish(&mut self, people: &SimulatedAssessors) {
        loop {
            let open = self.request_open_pairs();
            if open.is_empty() {
                return;
            }
            for pair in &open {
                for _ in 0..pair.votes {
                    self.answer_by_next_assessor(people, pair);
                }
            }
        }
    }

    pub(crate) fn lists(&self) -> Vec<Vec<Vec<&str>>> {
        (0..self.campaign.list_count())
            .map(|list| self.campaign.groups(list))
            .collect()
    }

    /// Returns the log entries of the events, with one author and one second between events.
    pub(crate) fn entries(&self) -> Vec<LogEntry> {
        let mut tail = LogTail::EMPTY;
        let entry = |event: &Event| {
            let entry = LogEntry::new(tail, stamp(tail.seq as u32), event.clone());
            tail = entry.tail();
            entry
        };
        self.events.iter().map(entry).collect()
    }

    pub(crate) fn log_bytes(&self) -> Vec<u8> {
        let lines = self.entries().into_iter();
        lines.flat_map(|entry| entry.line().into_bytes()).collect()
    }
}

/// Returns the stamp this many seconds after the start of a campaign.
pub(crate) fn stamp(seconds: u32) -> Stamp {
    let at = Timestamp::from_seconds(1_271_269_772.0 + f64::from(seconds));
    Stamp {
        at: at.expect("the time is in range"),
        author: "organiser".to_owned(),
    }
}

/// Returns the snapshot of a campaign as JSON.
pub(crate) fn state(campaign: &Campaign) -> String {
    serde_json::to_string(&campaign.snapshot()).expect("the JSON is valid")
}
