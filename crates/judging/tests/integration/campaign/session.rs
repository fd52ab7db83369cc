//! Sessions: events are validated, written to the store, and then applied.

use partita_core::Preference;
use partita_judging::campaign::log::{self, LogEntry, LogError};
use partita_judging::campaign::{
    Answer, BatchPair, Campaign, CampaignExtension, CampaignSession, CampaignSpec, CampaignStore,
    EngineSettings, Event, Judgment, MemoryStore, OpenError, Question, RecordError,
};
use proptest::prelude::*;

use crate::campaign::simulated_assessors::{CampaignRun, SimulatedAssessors, lists, stamp, state};

/// Returns a proptest strategy for valid and invalid events of a small campaign.
fn any_event() -> impl Strategy<Value = Event> {
    let query = || prop::sample::select(vec!["q0", "q1", "q9", ""]).prop_map(str::to_owned);
    let item = || prop::sample::select(vec!["i0", "i1", "i2", "i9"]).prop_map(str::to_owned);
    let name = || prop::sample::select(vec!["ann", "p0", "p1", ""]).prop_map(str::to_owned);
    let number = prop::sample::select(vec![Some(1.0), None, Some(f64::NAN), Some(f64::INFINITY)]);
    let answer = prop::sample::select(vec![
        Some(Preference::A),
        Some(Preference::Equal),
        Some(Preference::B),
        None,
    ]);
    let answered = (query(), item(), item(), name(), answer, number).prop_map(
        |(query, a, b, assessor, answer, seconds)| Answer {
            seconds,
            ..Answer::preference(&query, &a, &b, &assessor, answer)
        },
    );
    let pair = (query(), item(), item(), 0_u32..4, 0_u32..4);
    let pair = pair.prop_map(|(query, a, b, votes, more)| BatchPair {
        query,
        a,
        b,
        votes,
        new_votes: more,
    });
    let pairs = prop::collection::vec(pair, 0..3);
    prop_oneof![
        4 => answered.clone().prop_map(Event::vote),
        2 => answered.clone().prop_map(Event::imported),
        1 => answered.prop_map(|answered| Event::gold(answered, Preference::A)),
        1 => Just(Event::Paused),
        1 => Just(Event::Resumed),
        1 => prop::option::of(query()).prop_map(|query| Event::Closed { query }),
        1 => (0_u32..4).prop_map(|votes| Event::Extended(CampaignExtension {
            votes: Some(votes),
            ..CampaignExtension::default()
        })),
        2 => (0_u64..12).prop_map(|answer| Event::Retracted { answer, reason: None }),
        1 => (query(), item(), name()).prop_map(|(query, item, assessor)| {
            let judgment = Judgment::Ranking { groups: vec![vec![item]], unranked: Vec::new() };
            Event::vote(Answer::new(&assessor, Question::ranking(&query), judgment))
        }),
        3 => (0_u32..5, pairs).prop_map(|(batch, pairs)| Event::Asked { batch, pairs }),
        1 => name().prop_map(|assessor| Event::Excluded { assessor, reason: None }),
        1 => name().prop_map(|assessor| Event::Readmitted { assessor }),
        1 => (1_u32..3).prop_map(|version| Event::Opened {
            version,
            spec: Box::new(small_spec()),
        }),
    ]
}

fn small_spec() -> CampaignSpec {
    CampaignSpec {
        settings: EngineSettings {
            votes: 2,
            held_out: 0.4,
            ..EngineSettings::default()
        },
        ..CampaignSpec::new("c", lists(&[3, 3]))
    }
}

/// Returns a campaign with one answer to each open pair.
fn started_campaign() -> Campaign {
    let mut run = CampaignRun::new(small_spec());
    let people = SimulatedAssessors {
        noise: 20,
        group: 1,
        world: "protocol".to_owned(),
    };
    for pair in run.request_open_pairs() {
        run.answer_by_next_assessor(&people, &pair);
    }
    Campaign::replay(&run.events).expect("the log is valid")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn check_accepts_exactly_the_applicable_events_without_effect(
        events in prop::collection::vec(any_event(), 1..12),
    ) {
        let mut campaign = started_campaign();
        for event in &events {
            let before = state(&campaign);
            let checked = campaign.check(event);
            prop_assert_eq!(&state(&campaign), &before);
            let applied = campaign.apply(event);
            prop_assert_eq!(checked.is_ok(), applied.is_ok());
            match applied {
                Ok(()) => prop_assert_ne!(state(&campaign), before),
                Err(error) => {
                    prop_assert_eq!(state(&campaign), before);
                    prop_assert_eq!(Err(error.to_string()), checked.map_err(|error| error.to_string()));
                }
            }
        }
    }

    #[test]
    fn check_all_finds_the_first_event_that_cannot_be_applied(
        events in prop::collection::vec(any_event(), 1..6),
    ) {
        let mut campaign = started_campaign();
        let checked = campaign.check_all(&events);
        let first = events.iter().position(|event| campaign.apply(event).is_err());
        prop_assert_eq!(checked.err().map(|(place, _)| place), first);
    }
}

/// Store that fails like a full disk after `max_lines` log lines.
struct FullStore {
    inner: MemoryStore,
    max_lines: usize,
}

impl CampaignStore for FullStore {
    type Error = LogError;

    fn lock(&mut self) -> Result<(), LogError> {
        self.inner.lock()
    }

    fn for_each_entry(
        &mut self,
        after: u64,
        take: &mut dyn FnMut(LogEntry),
    ) -> Result<(), LogError> {
        self.inner.for_each_entry(after, take)
    }

    fn append(&mut self, entries: &[LogEntry]) -> Result<(), LogError> {
        if self.inner.text.lines().count() + entries.len() > self.max_lines {
            return Err(LogError {
                line: 0,
                kind: log::LogErrorKind::BrokenChain,
                message: "no space left".to_owned(),
            });
        }
        self.inner.append(entries)
    }

    fn unlock(&mut self) -> Result<(), LogError> {
        self.inner.unlock()
    }
}

fn answered_event(person: &str) -> Event {
    Event::vote(Answer::preference(
        "q0",
        "i0",
        "i1",
        person,
        Some(Preference::A),
    ))
}

#[test]
fn failed_store_write_leaves_the_session_unchanged() {
    let store = FullStore {
        inner: MemoryStore::default(),
        max_lines: 3,
    };
    let mut session = CampaignSession::create(store, small_spec(), &stamp(0)).unwrap();
    session.ask(&stamp(1), None).unwrap();
    let (before, tail) = (state(session.campaign()), session.tail());
    let two = vec![answered_event("ann"), answered_event("bob")];
    let error = session.record(&stamp(2), two).unwrap_err();
    assert!(matches!(error, RecordError::Store(_)), "{error:?}");
    assert_eq!(state(session.campaign()), before);
    assert_eq!(session.tail(), tail);
    // A shorter group of events still fits into the store.
    session
        .record(&stamp(3), vec![answered_event("ann")])
        .unwrap();
    assert_eq!(session.campaign().answer_count(), 1);
    let again = CampaignSession::open(session.into_store().inner).unwrap();
    assert_eq!(again.campaign().answer_count(), 1);
}

#[test]
fn group_with_an_invalid_event_is_not_written() {
    let mut session =
        CampaignSession::create(MemoryStore::default(), small_spec(), &stamp(0)).unwrap();
    let odd = Event::vote(Answer::preference("q0", "i0", "i9", "bob", None));
    let error = session.record(&stamp(1), vec![answered_event("ann"), odd]);
    assert!(matches!(error, Err(RecordError::Event(_))), "{error:?}");
    assert_eq!(session.campaign().answer_count(), 0);
    assert_eq!(session.store().text.lines().count(), 1);
    let nobody = log::Stamp {
        author: " ".to_owned(),
        ..stamp(1)
    };
    let error = session
        .record(&nobody, vec![answered_event("ann")])
        .unwrap_err();
    assert_eq!(error.to_string(), "the name of the author is empty");
}

#[test]
fn open_rejects_an_empty_store_and_create_rejects_a_used_one() {
    let error = CampaignSession::open(MemoryStore::default()).unwrap_err();
    assert_eq!(error, OpenError::Empty);
    let session = CampaignSession::create(MemoryStore::default(), small_spec(), &stamp(0)).unwrap();
    let error = CampaignSession::create(session.into_store(), small_spec(), &stamp(0)).unwrap_err();
    assert_eq!(error, OpenError::AlreadyExists);
}

#[test]
fn session_catches_up_with_entries_of_another_writer() {
    let mut ours =
        CampaignSession::create(MemoryStore::default(), small_spec(), &stamp(0)).unwrap();
    ours.ask(&stamp(1), None).unwrap();
    let mut theirs = CampaignSession::open(ours.store().clone()).unwrap();
    theirs
        .record(&stamp(2), vec![answered_event("ann")])
        .unwrap();
    let store = theirs.store().clone();
    let expected = state(theirs.campaign());
    let mut ours = CampaignSession::open(MemoryStore {
        text: ours.store().text.clone(),
    })
    .unwrap();
    assert_ne!(state(ours.campaign()), expected);
    let mut shared = StoreWithNewerEntries {
        seen: ours.store().clone(),
        all: store,
    };
    assert_eq!(shared.read(ours.tail().seq).unwrap().len(), 1);
    for entry in shared.read(ours.tail().seq).unwrap() {
        ours.record(&entry.stamp, vec![entry.event]).unwrap();
    }
    assert_eq!(state(ours.campaign()), expected);
    let mut behind = CampaignSession::open(shared).unwrap();
    behind.catch_up().unwrap();
    assert_eq!(state(behind.campaign()), expected);
    assert_eq!(behind.tail(), theirs.tail());
}

/// Store to which another writer appends after the first read: `seen` has the entries of the first
/// read, `all` those of later reads.
struct StoreWithNewerEntries {
    seen: MemoryStore,
    all: MemoryStore,
}

impl CampaignStore for StoreWithNewerEntries {
    type Error = LogError;

    fn lock(&mut self) -> Result<(), LogError> {
        Ok(())
    }

    fn for_each_entry(
        &mut self,
        after: u64,
        take: &mut dyn FnMut(LogEntry),
    ) -> Result<(), LogError> {
        let store = if after == 0 {
            &mut self.seen
        } else {
            &mut self.all
        };
        store.for_each_entry(after, take)
    }

    fn append(&mut self, entries: &[LogEntry]) -> Result<(), LogError> {
        self.all.append(entries)
    }

    fn unlock(&mut self) -> Result<(), LogError> {
        Ok(())
    }
}
