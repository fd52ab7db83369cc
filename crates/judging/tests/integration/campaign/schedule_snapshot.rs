//! Schedules that are computed from a snapshot while the campaign continues.

use partita_core::Preference;
use partita_judging::StrategyName;
use partita_judging::campaign::{
    Answer, CampaignSession, CampaignSpec, EngineSettings, Event, Leases, MemoryStore, QuerySpec,
};

use crate::campaign::simulated_assessors::stamp;

fn pooled_session() -> CampaignSession<MemoryStore> {
    let items: Vec<String> = (0..20).map(|item| format!("i{item}")).collect();
    let lists = vec![QuerySpec::new("q", items.iter().map(String::as_str))];
    let settings = CampaignSpec {
        settings: EngineSettings {
            strategy: StrategyName::Pooled,
            votes: 5,
            ..EngineSettings::default()
        },
        ..CampaignSpec::new("c", lists)
    };
    let session = CampaignSession::create(MemoryStore::default(), settings, &stamp(0));
    let mut session = session.expect("the settings are valid");
    assert_eq!(session.schedule_list(&stamp(0), 0), Ok(true));
    session
}

/// Lets each of these assessors, by number, answer the first open pair.
fn answer_first_pair(session: &mut CampaignSession<MemoryStore>, people: std::ops::Range<usize>) {
    for person in people {
        let offer = session.campaign().offers(0).swap_remove(0);
        let said = if offer.a < offer.b {
            Preference::A
        } else {
            Preference::B
        };
        let person = format!("p{person}");
        let answered = Answer::preference("q", &offer.a, &offer.b, &person, Some(said));
        let recorded = session.record(&stamp(0), vec![Event::vote(answered)]);
        recorded.expect("an answer to a pair on offer");
    }
}

#[test]
fn schedule_from_current_snapshot_equals_the_campaign_batch() {
    let mut session = pooled_session();
    answer_first_pair(&mut session, 0..12);
    assert_eq!(session.campaign().lists_to_schedule(&Leases::new()), [0]);
    let worked = session.campaign().schedule_snapshot(0).compute();
    let asked = session.campaign().batch_from_schedule(worked);
    assert!(asked.is_some());
    let replayed = CampaignSession::open(session.into_store()).expect("the log is valid");
    assert_eq!(asked, replayed.campaign().next_list_batch(0));
}

#[test]
fn outdated_schedule_is_recorded_only_once() {
    let mut session = pooled_session();
    answer_first_pair(&mut session, 0..12);
    let worked = session.campaign().schedule_snapshot(0).compute();
    let (again, late) = (worked.clone(), worked.clone());
    // The schedule is still used after newer answers.
    answer_first_pair(&mut session, 12..16);
    let before = session.campaign().offers(0).len();
    assert_eq!(session.record_schedule(&stamp(0), worked), Ok(true));
    assert!(session.campaign().offers(0).len() > before);
    // The same schedule, such as from another server, adds no questions.
    let events = session.campaign().event_count();
    assert_eq!(session.record_schedule(&stamp(0), again), Ok(false));
    answer_first_pair(&mut session, 16..20);
    assert_eq!(session.record_schedule(&stamp(0), late), Ok(false));
    assert_eq!(session.campaign().event_count(), events + 4);

    let state = session.campaign().snapshot();
    let replayed = CampaignSession::open(session.into_store()).expect("the log is valid");
    assert_eq!(replayed.campaign().snapshot(), state);
}

#[test]
fn may_need_votes_holds_until_a_schedule_settles_the_list() {
    let mut session = pooled_session();
    let mut person = 0;
    while session.campaign().may_need_votes() {
        match session.campaign().offers(0).is_empty() {
            true => {
                let worked = session.campaign().schedule_snapshot(0).compute();
                session
                    .record_schedule(&stamp(0), worked)
                    .expect("the schedule belongs to the campaign");
            }
            false => {
                answer_first_pair(&mut session, person..person + 1);
                person += 1;
            }
        }
        assert!(person < 2_000, "the campaign never ends");
    }
    assert!(session.campaign().is_settled());
    assert_eq!(session.campaign().lists_to_schedule(&Leases::new()), [0; 0]);
    assert!(person > 20, "more than the first round was asked");
}
