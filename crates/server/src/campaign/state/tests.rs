//! What a room knows of tasks and their answers that it did not see itself.

use std::path::Path;

use partita_judging::campaign::{JudgmentKind, PreferenceAnswer, PreferenceChoice, Question};
use serde_json::json;

use super::*;
use crate::auth::organiser::{CampaignUpload, create_campaign};
use crate::store::sqlite::SqliteStore;
use crate::store::{Store, migrations};

const NOW: UnixMillis = UnixMillis(1_794_900_000_000);

async fn opened(file: &Path) -> SqliteStore {
    let store = SqliteStore::open(file).await.expect("a database");
    migrations::migrate(&store).await.expect("a schema");
    store
}

/// Makes a campaign with one person.
async fn begin(store: &dyn Store) {
    let items = ["s", "t", "u", "v", "w", "x", "y", "z"];
    let items = items.map(|item| json!({"item": item, "show": {"text": item}}));
    let document = json!({
        "name": "c",
        "title": "C",
        "lists": [{"query": "q", "show": {"text": "q"}, "items": items}],
    });
    let parcel = CampaignUpload::parse(document.to_string().as_bytes());
    let parcel = parcel.unwrap_or_else(|problem| panic!("{}", problem.detail));
    let mut write = store.begin_write().await.expect("a transaction");
    let made = create_campaign(write.as_mut(), parcel, "test", NOW).await;
    assert!(made.is_ok(), "the campaign is made");
    let room = CampaignState::open(write.as_mut(), "c")
        .await
        .expect("a room");
    let mut room = room.expect("it was just made");
    let person = AssessorRecord {
        id: "p".to_owned(),
        kind: JudgmentKind::Preference,
        origin: "test".to_owned(),
        outcome: None,
        language: "en".to_owned(),
        consent: None,
        background: None,
        waits_since: None,
    };
    let added = room.add_assessor(write.as_mut(), person, NOW).await;
    added.expect("a person");
    room.flush(write.as_mut(), NOW)
        .await
        .expect("it is written");
    write.commit().await.expect("it is kept");
}

/// Does something in a room within one transaction, as the desk does.
async fn in_turn<T>(
    store: &dyn Store,
    room: &mut CampaignState,
    act: impl FnOnce(&mut CampaignState) -> T,
) -> T {
    let mut write = store.begin_write().await.expect("a transaction");
    let caught_up = room.catch_up(write.as_mut()).await;
    caught_up.expect("what others did fits");
    let done = act(room);
    room.flush(write.as_mut(), NOW)
        .await
        .expect("it is written");
    write.commit().await.expect("it is kept");
    done
}

async fn room_of(store: &dyn Store, name: &str) -> CampaignState {
    let mut read = store.begin_read().await.expect("a transaction");
    let room = CampaignState::open(read.as_mut(), name)
        .await
        .expect("a room");
    room.expect("there is such a campaign")
}

fn give(room: &mut CampaignState) -> OpenTask {
    let chosen = room
        .choose_next("p", JudgmentKind::Preference, NOW)
        .expect("a question");
    room.assign("p", chosen, NOW).expect("it fits");
    let tasks = room.live_tasks("p");
    (*tasks.last().expect("it was just given")).clone()
}

fn answer(room: &mut CampaignState, task: &OpenTask, id: &str) {
    let Question::Preference { query, a, b } = &task.question else {
        panic!("it is about a pair");
    };
    let record = PreferenceAnswer {
        answer: PreferenceChoice::A,
        id: Some(id.to_owned()),
        ..PreferenceAnswer::new(query, a, b, "p", None)
    };
    let hash = Some("00".to_owned());
    let answered = room.record_answer(NOW, task, Event::Answered(record), hash);
    answered.unwrap_or_else(|problem| panic!("{}", problem.detail));
}

/// The id of the answer to a task.
async fn id_of_answer(
    store: &dyn Store,
    room: &CampaignState,
    task: &str,
    person: &str,
) -> Option<String> {
    let mut read = store.begin_read().await.expect("a transaction");
    let event = room.find_answer_event(read.as_mut(), task, person).await;
    let event = event.expect("what was looked for")?;
    let id = room.fetch_answer_id(read.as_mut(), event).await;
    id.expect("what was looked for")
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_given_and_answered_at_one_server_is_known_at_the_other_and_after_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = opened(&folder.path().join("a.db")).await;
    begin(&store).await;
    let (mut one, mut two) = (room_of(&store, "c").await, room_of(&store, "c").await);
    let first = in_turn(&store, &mut one, give).await;
    // The other has it as a task that is with somebody, until it is answered at the first.
    in_turn(&store, &mut two, |room| {
        assert!(room.task(&first.id, "p").is_some());
        assert_eq!(room.lease_count(), 1);
    })
    .await;
    in_turn(&store, &mut one, |room| answer(room, &first, "u-1")).await;
    in_turn(&store, &mut two, |room| {
        assert!(room.task(&first.id, "p").is_none());
        assert_eq!((room.lease_count(), room.answer_count("p")), (0, 1));
    })
    .await;
    // One that ran out and came back, which the other sees only once it was answered.
    let second = in_turn(&store, &mut one, give).await;
    let ended = |room: &mut CampaignState| room.end_task(&second.id, TaskState::Expired);
    in_turn(&store, &mut one, ended).await.expect("it fits");
    in_turn(&store, &mut one, |room| answer(room, &second, "u-2")).await;
    in_turn(&store, &mut two, |_| ()).await;
    let third = in_turn(&store, &mut two, give).await;
    let mut later = room_of(&store, "c").await;
    in_turn(&store, &mut one, |_| ()).await;
    for room in [&one, &two, &later] {
        assert_eq!((room.lease_count(), room.answer_count("p")), (1, 2));
        assert!(room.task(&third.id, "p").is_some());
        for (task, id) in [(&first, "u-1"), (&second, "u-2")] {
            assert!(room.task(&task.id, "p").is_none());
            let found = id_of_answer(&store, room, &task.id, "p").await;
            assert_eq!(found.as_deref(), Some(id));
            assert_eq!(id_of_answer(&store, room, &task.id, "q").await, None);
        }
        // What is no id, of a task that is not answered, or guessed.
        let guessed = format!("{}0", &first.id[..first.id.len() - 1]);
        for none in [&third.id, &guessed, "", "-", "1-", "ffffffffffffffff-1"] {
            assert_eq!(id_of_answer(&store, room, none, "p").await, None, "{none}");
        }
    }
    // Numbers go on where they ended.
    let fourth = in_turn(&store, &mut later, give).await;
    assert_eq!(fourth.number, third.number + 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_of_a_stored_database_are_found_by_their_tasks() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.db");
    std::fs::copy(samples.join("schema-1.db"), &file).expect("a copy");
    let store = opened(&file).await;
    let room = room_of(&store, "all").await;
    let mut read = store.begin_read().await.expect("a transaction");
    let lines = read
        .fetch_all(&sql::EVENT_AFTER, room.number.keys_after(0))
        .await;
    let added = read_new_entries(None, lines.expect("rows")).expect("a log");
    // All that was sent under an id was an answer to a task.
    let sent = |entry: &&LogEntry| entry.line().contains("\"id\":\"");
    assert_eq!(
        added.entries.iter().filter(sent).count(),
        added.answered.len()
    );
    assert!(added.answered.len() > 20, "{}", added.answered.len());
    for (place, event, person) in added.answered {
        let receipt = vec![room.event_key(event).into()];
        let receipt = fetch_optional(read.as_mut(), &sql::EVENT_RECEIPT, receipt).await;
        let mut receipt = receipt.expect("a row").expect("it has a receipt");
        let (task, hash) = (receipt.text().expect("a text"), receipt.text_or_null());
        assert_eq!(hash.expect("a hash").len(), 64);
        assert_eq!(room.answered.get(&place), Some(&event));
        let id = id_of_answer(&store, &room, &task, &person).await;
        let id = id.expect("it was sent under an id");
        let known = room.campaign().event_with_id(&person, &id);
        assert_eq!(known, Some(event as usize));
    }
}
