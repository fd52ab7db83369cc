//! Schedules that are computed from a snapshot while the campaign continues.

use partita_core::Preference;
use partita_judging::StrategyName;
use partita_judging::campaign::{
    CampaignSession, CampaignSpec, Event, Leases, MemoryStore, PreferenceAnswer, QuerySpec,
};

use crate::campaign::simulated_assessors::stamp;

fn pooled() -> CampaignSession<MemoryStore> {
    let items: Vec<String> = (0..20).map(|item| format!("i{item}")).collect();
    let lists = vec![QuerySpec::new("q", items.iter().map(String::as_str))];
    let settings = CampaignSpec {
        strategy: StrategyName::Pooled,
        votes: 5,
        ..CampaignSpec::new("c", lists)
    };
    let session = CampaignSession::create(MemoryStore::default(), settings, &stamp(0));
    let mut session = session.expect("settings of a campaign");
    assert_eq!(session.schedule_list(&stamp(0), 0), Ok(true));
    session
}

/// Lets this many assessors answer the first pair on offer.
fn answer(session: &mut CampaignSession<MemoryStore>, people: std::ops::Range<usize>) {
    for person in people {
        let offer = session.campaign().offers(0).swap_remove(0);
        let said = if offer.a < offer.b {
            Preference::A
        } else {
            Preference::B
        };
        let person = format!("p{person}");
        let answered = PreferenceAnswer::new("q", &offer.a, &offer.b, &person, Some(said));
        let recorded = session.record(&stamp(0), vec![Event::Answered(answered)]);
        recorded.expect("an answer to a pair on offer");
    }
}

#[test]
fn a_plan_of_a_list_that_did_not_change_is_the_plan_of_the_campaign() {
    let mut session = pooled();
    answer(&mut session, 0..12);
    assert_eq!(session.campaign().lists_to_schedule(&Leases::new()), [0]);
    let worked = session.campaign().schedule_snapshot(0).compute();
    let asked = session.campaign().batch_from_schedule(worked);
    assert!(asked.is_some());
    let replayed = CampaignSession::open(session.into_store()).expect("a log");
    assert_eq!(asked, replayed.campaign().next_list_batch(0));
}

#[test]
fn a_plan_older_than_answers_is_asked_once_and_never_beside_another() {
    let mut session = pooled();
    answer(&mut session, 0..12);
    let worked = session.campaign().schedule_snapshot(0).compute();
    let (again, late) = (worked.clone(), worked.clone());
    // Answers that came since do not make it useless.
    answer(&mut session, 12..16);
    let before = session.campaign().offers(0).len();
    assert_eq!(session.record_schedule(&stamp(0), worked), Ok(true));
    assert!(session.campaign().offers(0).len() > before);
    // Whoever worked out the same, such as another server, asks nothing more.
    let events = session.campaign().event_count();
    assert_eq!(session.record_schedule(&stamp(0), again), Ok(false));
    answer(&mut session, 16..20);
    assert_eq!(session.record_schedule(&stamp(0), late), Ok(false));
    assert_eq!(session.campaign().event_count(), events + 4);

    let state = session.campaign().snapshot();
    let replayed = CampaignSession::open(session.into_store()).expect("a log");
    assert_eq!(replayed.campaign().snapshot(), state);
}

#[test]
fn a_list_may_go_on_until_a_plan_says_that_it_does_not() {
    let mut session = pooled();
    let mut person = 0;
    while session.campaign().may_have_questions() {
        match session.campaign().offers(0).is_empty() {
            true => {
                let worked = session.campaign().schedule_snapshot(0).compute();
                session
                    .record_schedule(&stamp(0), worked)
                    .expect("a plan fits");
            }
            false => {
                answer(&mut session, person..person + 1);
                person += 1;
            }
        }
        assert!(person < 2_000, "it never ends");
    }
    assert!(session.campaign().is_settled());
    assert_eq!(session.campaign().lists_to_schedule(&Leases::new()), [0; 0]);
    assert!(person > 20, "more than the first round was asked");
}
