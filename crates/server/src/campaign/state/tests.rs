//! Tests that a campaign state learns of tasks and answers that another server, or an earlier run,
//! wrote.

use std::path::Path;

use partita::Preference;
use partita::judging::campaign::{Answer, Judgment, JudgmentKind};
use serde_json::json;

use super::*;
use crate::campaign::upload::{CampaignUpload, create_campaign};
use crate::store::sqlite::SqliteStore;
use crate::store::{Store, migrations};

/// Time of all transactions in these tests.
const NOW: UnixMillis = UnixMillis(1_794_900_000_000);

async fn open_store(file: &Path) -> SqliteStore {
    let store = SqliteStore::open(file).await.expect("the database opens");
    migrations::migrate(&store)
        .await
        .expect("the migration succeeds");
    store
}

/// Creates a campaign with one assessor.
async fn create_test_campaign(store: &dyn Store) {
    let items = ["s", "t", "u", "v", "w", "x", "y", "z"];
    let items = items.map(|item| json!({"item": item, "show": {"text": item}}));
    let document = json!({
        "name": "c",
        "title": "C",
        "lists": [{"query": "q", "show": {"text": "q"}, "items": items}],
    });
    let upload = CampaignUpload::parse(document.to_string().as_bytes());
    let upload = upload.unwrap_or_else(|problem| panic!("{}", problem.detail));
    let mut write = store.begin_write().await.expect("a transaction begins");
    let made = create_campaign(write.as_mut(), upload, "test", NOW).await;
    assert!(made.is_ok(), "the campaign must be created");
    let campaign_state = CampaignState::open(write.as_mut(), "c")
        .await
        .expect("the campaign state loads");
    let mut campaign_state = campaign_state.expect("the campaign was created above");
    let person = AssessorRecord::new("p".to_owned(), JudgmentKind::Preference, "test", "en");
    let added = campaign_state
        .add_assessor(write.as_mut(), person, NOW)
        .await;
    added.expect("the assessor can be added");
    campaign_state
        .flush(write.as_mut(), NOW)
        .await
        .expect("the rows are written");
    write.commit().await.expect("the commit succeeds");
}

/// Runs a closure on the campaign state within one transaction, as the writer does.
async fn in_transaction<T>(
    store: &dyn Store,
    campaign_state: &mut CampaignState,
    act: impl FnOnce(&mut CampaignState) -> T,
) -> T {
    let mut write = store.begin_write().await.expect("a transaction begins");
    let caught_up = campaign_state.catch_up(write.as_mut()).await;
    caught_up.expect("the changes of other servers apply");
    let done = act(campaign_state);
    campaign_state
        .flush(write.as_mut(), NOW)
        .await
        .expect("the rows are written");
    write.commit().await.expect("the commit succeeds");
    done
}

/// Loads the state of a campaign, as a server does after its start.
async fn load_state(store: &dyn Store, name: &str) -> CampaignState {
    let mut read = store.begin_read().await.expect("a transaction begins");
    let campaign_state = CampaignState::open(read.as_mut(), name)
        .await
        .expect("the campaign state loads");
    campaign_state.expect("the campaign exists")
}

/// Assigns the next question to assessor `p` and returns the task.
fn assign_next(campaign_state: &mut CampaignState) -> OpenTask {
    let chosen = campaign_state
        .choose_next("p", JudgmentKind::Preference, NOW)
        .expect("there is a next question");
    campaign_state
        .assign("p", chosen, NOW)
        .expect("the assignment succeeds");
    let tasks = campaign_state.live_tasks("p");
    (*tasks.last().expect("a task was assigned above")).clone()
}

/// Records the answer "A is closer" of assessor `p` to a task; `id` is the idempotency key.
fn answer_task(campaign_state: &mut CampaignState, task: &OpenTask, id: &str) {
    let judgment = Judgment::Preference(Some(Preference::A));
    let record = Answer {
        id: Some(id.to_owned()),
        ..Answer::new("p", task.question.clone(), judgment)
    };
    let answered = campaign_state.record_answer(NOW, task, Event::vote(record));
    answered.unwrap_or_else(|problem| panic!("{}", problem.detail));
}

/// Reads the idempotency key of an assessor's answer to a task; `None` if there is no such answer.
async fn find_answer_id(
    store: &dyn Store,
    campaign_state: &CampaignState,
    task: &str,
    person: &str,
) -> Option<String> {
    let mut read = store.begin_read().await.expect("a transaction begins");
    let event = campaign_state
        .find_answer_event(read.as_mut(), task, person)
        .await;
    let event = event.expect("the lookup succeeds")?;
    let id = campaign_state.fetch_answer_id(read.as_mut(), event).await;
    id.expect("the lookup succeeds")
}

#[tokio::test(flavor = "multi_thread")]
async fn tasks_and_answers_of_one_server_are_visible_to_another_and_after_a_restart() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let store = open_store(&folder.path().join("a.db")).await;
    create_test_campaign(&store).await;
    let (mut one, mut two) = (load_state(&store, "c").await, load_state(&store, "c").await);
    let first = in_transaction(&store, &mut one, assign_next).await;
    // The other server sees a live task until the first server records the answer.
    in_transaction(&store, &mut two, |campaign_state| {
        assert!(campaign_state.task(&first.id, "p").is_some());
        assert_eq!(campaign_state.lease_count(), 1);
    })
    .await;
    in_transaction(&store, &mut one, |campaign_state| {
        answer_task(campaign_state, &first, "u-1");
    })
    .await;
    in_transaction(&store, &mut two, |campaign_state| {
        assert!(campaign_state.task(&first.id, "p").is_none());
        assert_eq!(
            (
                campaign_state.lease_count(),
                campaign_state.answer_count("p")
            ),
            (0, 1)
        );
    })
    .await;
    // The second server sees the expired task only after it was answered.
    let second = in_transaction(&store, &mut one, assign_next).await;
    let ended = |campaign_state: &mut CampaignState| {
        campaign_state.end_task(&second.id, TaskState::Expired)
    };
    in_transaction(&store, &mut one, ended)
        .await
        .expect("the task can be ended");
    in_transaction(&store, &mut one, |campaign_state| {
        answer_task(campaign_state, &second, "u-2");
    })
    .await;
    in_transaction(&store, &mut two, |_| ()).await;
    let third = in_transaction(&store, &mut two, assign_next).await;
    let mut later = load_state(&store, "c").await;
    in_transaction(&store, &mut one, |_| ()).await;
    for campaign_state in [&one, &two, &later] {
        assert_eq!(
            (
                campaign_state.lease_count(),
                campaign_state.answer_count("p")
            ),
            (1, 2)
        );
        assert!(campaign_state.task(&third.id, "p").is_some());
        for (task, id) in [(&first, "u-1"), (&second, "u-2")] {
            assert!(campaign_state.task(&task.id, "p").is_none());
            let found = find_answer_id(&store, campaign_state, &task.id, "p").await;
            assert_eq!(found.as_deref(), Some(id));
            assert_eq!(
                find_answer_id(&store, campaign_state, &task.id, "q").await,
                None
            );
        }
        // Ids that must not be found: a malformed id, a guessed id, and the id of an unanswered
        // task.
        let (head, last) = first.id.split_at(first.id.len() - 1);
        let guessed = format!("{head}{}", if last == "0" { "1" } else { "0" });
        for none in [&third.id, &guessed, "", "-", "1-", "ffffffffffffffff-1"] {
            assert_eq!(
                find_answer_id(&store, campaign_state, none, "p").await,
                None,
                "{none}"
            );
        }
    }
    // A state loaded from the database, as after a restart, continues the task numbers.
    let fourth = in_transaction(&store, &mut later, assign_next).await;
    assert_eq!(fourth.number, third.number + 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_in_a_stored_database_are_found_by_task_id() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples");
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let file = folder.path().join("a.db");
    std::fs::copy(samples.join("schema-1.db"), &file).expect("the sample database can be copied");
    let store = open_store(&file).await;
    let campaign_state = load_state(&store, "all").await;
    let mut read = store.begin_read().await.expect("a transaction begins");
    let lines = read
        .fetch_all(&sql::EVENT_AFTER, campaign_state.number.keys_after(0))
        .await;
    let added = parse_log_rows(None, lines.expect("the query succeeds"));
    assert_eq!(added.fault, None);
    // Only answers to tasks have an idempotency key in the log.
    let sent = |entry: &&LogEntry| entry.line().contains("\"id\":\"");
    assert_eq!(
        added.entries.iter().filter(sent).count(),
        added.answers.answered.len()
    );
    assert!(
        added.answers.answered.len() > 20,
        "{}",
        added.answers.answered.len()
    );
    for (place, event, person) in added.answers.answered {
        let receipt = campaign_state.fetch_receipt(read.as_mut(), event).await;
        let (task, _) = receipt.expect("rows").expect("it has a receipt");
        assert_eq!(task.row_key, place);
        assert_eq!(campaign_state.answered.get(&place), Some(&event));
        let id = find_answer_id(&store, &campaign_state, &task.id, &person).await;
        let id = id.expect("the answer has an idempotency key");
        let known = campaign_state.campaign().event_with_id(&person, &id);
        assert_eq!(known, Some(event));
    }
}
