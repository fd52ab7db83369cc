//! Plans that take long hold nobody up.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use partita_judging::campaign::{AnswerRecord, Campaign, Event, Said, log};
use serde_json::json;
use tempfile::TempDir;

use super::*;
use crate::organise::{Parcel, create};
use crate::store::sqlite::SqliteStore;
use crate::store::statement as sql;
use crate::store::{CampaignNumber, migrations};

/// The planner's door: it says that it stands before it, and waits until it is let through.
struct Door {
    arrived: Receiver<()>,
    open: Sender<()>,
}

fn door() -> (Door, impl Fn(PlanBasis) -> WorkedPlan + Send + 'static) {
    let (arrives, arrived) = channel();
    let (open, opened) = channel::<()>();
    let work = move |basis: PlanBasis| {
        // A test that is over waits for nothing.
        let _ = arrives.send(());
        let _ = opened.recv();
        basis.work()
    };
    (Door { arrived, open }, work)
}

const ITEMS: usize = 300;

async fn desk(folder: &TempDir) -> (Desk, Door, Arc<dyn Store>) {
    let store = SqliteStore::open(&folder.path().join("a.db")).await;
    let store: Arc<dyn Store> = Arc::new(store.expect("a database"));
    migrations::migrate(store.as_ref()).await.expect("a schema");
    let secret = Secret::in_file(&folder.path().join("secret")).expect("a secret");
    let (door, work) = door();
    let (desk, writer) = Desk::planning_by(store.clone(), secret, work);
    tokio::spawn(writer);
    let items = (0..ITEMS).map(|item| json!({"item": item.to_string(), "show": {"text": "x"}}));
    let document = json!({
        "name": "c",
        "title": "C",
        "settings": {"strategy": "pooled"},
        "lists": [{"query": "q", "show": {"text": "q"}, "items": items.collect::<Vec<_>>()}],
    });
    let made = desk.write(move |transaction, now| {
        let parcel = Parcel::open(document.to_string().as_bytes());
        let parcel = parcel.unwrap_or_else(|problem| panic!("{}", problem.detail));
        Box::pin(async move { create(transaction, parcel, "test", now).await.map(drop) })
    });
    assert!(made.await.is_ok(), "the campaign is made");
    (desk, door, store)
}

/// Somebody answers the first pair that lacks votes; how many batches were asked until then.
async fn answer(desk: &Desk, person: String) -> u32 {
    let answered = desk.turn("c", move |turn| {
        Box::pin(async move {
            let offer = turn.room.campaign().offers(0).swap_remove(0);
            let event = Event::Answered(AnswerRecord {
                answer: Said::A,
                ..AnswerRecord::new("q", &offer.a, &offer.b, &person, None)
            });
            turn.room.record(turn.now, &person, vec![event])?;
            Ok(turn.room.campaign().batches())
        })
    });
    answered
        .await
        .unwrap_or_else(|problem| panic!("{}", problem.detail))
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_is_acknowledged_while_a_plan_is_worked_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let (desk, door, store) = desk(&folder).await;
    // The first round is a ring of all items; when half of it is answered the next is worked out.
    let mut number = 0;
    while number < ITEMS / 2 {
        assert_eq!(answer(&desk, format!("p{number}")).await, 1);
        number += 1;
    }
    let begun = door.arrived.recv_timeout(Duration::from_secs(60));
    begun.expect("a plan is begun");
    // It stands before the door, and all who answer are acknowledged.
    for _ in 0..50 {
        assert_eq!(
            answer(&desk, format!("p{number}")).await,
            1,
            "no plan was taken"
        );
        number += 1;
    }
    // Whoever can wait for the plan waits: they have not been answered when somebody else is.
    let patient = {
        let desk = desk.clone();
        tokio::spawn(async move {
            let waited = desk.patient_turn("c", |turn| {
                let planned = turn.after_plan();
                let batches = turn.room.campaign().batches();
                Box::pin(async move { planned.map(|()| batches) })
            });
            waited.await.ok()
        })
    };
    answer(&desk, format!("p{number}")).await;
    assert!(!patient.is_finished());
    // Once it is through, its plan is asked, though answers have come since it was begun.
    for _ in 0..100 {
        let _ = door.open.send(());
    }
    let batches = patient.await.expect("nobody panics").expect("no problem");
    assert!(batches >= 2, "the plan was taken");

    let mut read = store.read().await.expect("a transaction");
    let rows = read
        .rows(&sql::EVENT_AFTER, CampaignNumber(1).after(0))
        .await;
    let lines = rows.expect("rows").into_iter().map(|mut row| row.text());
    let lines: Vec<String> = lines.map(|line| line.expect("a line") + "\n").collect();
    let log = log::read(lines.concat().as_bytes()).expect("a log");
    let replayed = Campaign::replay(log.events()).expect("a campaign");
    let state = desk.turn("c", |turn| {
        let state = turn.room.campaign().state();
        Box::pin(async move { Ok(state) })
    });
    let state = state
        .await
        .unwrap_or_else(|problem| panic!("{}", problem.detail));
    assert_eq!(replayed.state(), state);
}
