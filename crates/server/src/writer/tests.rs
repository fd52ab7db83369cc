//! Tests that neither slow schedules nor failed jobs affect other jobs.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use partita::Preference;
use partita::judging::campaign::{Answer, Campaign, Event, log};
use serde_json::json;
use tempfile::TempDir;
use tokio::sync::Notify;

use super::*;
use crate::campaign::upload::{CampaignUpload, create_campaign};
use crate::http::problem::ProblemKind;
use crate::store::sqlite::SqliteStore;
use crate::store::statement as sql;
use crate::store::{CampaignNumber, migrations};

/// Gate by which a test delays the computation of schedules: each computation sends a message to
/// `arrived` when it starts, and then waits until the test sends a message to `open`.
struct Gate {
    arrived: Receiver<()>,
    open: Sender<()>,
}

/// Creates a gate, and the function that computes schedules behind it.
fn create_gate() -> (Gate, impl Fn(ScheduleSnapshot) -> Schedule + Send + 'static) {
    let (arrives, arrived) = channel();
    let (open, opened) = channel::<()>();
    let work = move |snapshot: ScheduleSnapshot| {
        // Ignore a missing receiver: the test may have ended.
        let _ = arrives.send(());
        let _ = opened.recv();
        snapshot.compute()
    };
    (Gate { arrived, open }, work)
}

/// Number of items in the only list of the test campaign.
const ITEM_COUNT: usize = 300;

/// Starts a writer with a test campaign, whose schedules are computed behind a gate.
async fn start_writer(folder: &TempDir) -> (WriterHandle, Gate, Arc<dyn Store>) {
    let store = SqliteStore::open(&folder.path().join("a.db")).await;
    let store: Arc<dyn Store> = Arc::new(store.expect("the database opens"));
    migrations::migrate(store.as_ref())
        .await
        .expect("the migration succeeds");
    let secret = ServerSecret::load_or_create(&folder.path().join("secret"))
        .expect("a secret can be created");
    let (gate, work) = create_gate();
    let (handle, writer) = WriterHandle::start_with_scheduler(store.clone(), secret, work);
    tokio::spawn(writer);
    let items =
        (0..ITEM_COUNT).map(|item| json!({"item": item.to_string(), "show": {"text": "x"}}));
    let document = json!({
        "name": "c",
        "title": "C",
        "settings": {"strategy": "pooled"},
        "lists": [{"query": "q", "show": {"text": "q"}, "items": items.collect::<Vec<_>>()}],
    });
    let made = handle.run_transaction(move |transaction, now| {
        let upload = CampaignUpload::parse(document.to_string().as_bytes());
        let upload = upload.unwrap_or_else(|problem| panic!("{}", problem.detail));
        Box::pin(async move {
            create_campaign(transaction, upload, "test", now)
                .await
                .map(drop)
        })
    });
    assert!(made.await.is_ok(), "the campaign must be created");
    (handle, gate, store)
}

/// Answers the question about the first pair that lacks votes; returns the number of the last batch
/// of questions.
async fn answer_first_offer(handle: &WriterHandle, person: String) -> u32 {
    let answered = handle.run_job("c", move |context| {
        Box::pin(async move {
            let offer = context.campaign.campaign().offers(0).swap_remove(0);
            let choice = Some(Preference::A);
            let answer = Answer::preference("q", &offer.a, &offer.b, &person, choice);
            let event = Event::vote(answer);
            context.record(&person, event)?;
            Ok(context.campaign.campaign().last_batch())
        })
    });
    answered
        .await
        .unwrap_or_else(|problem| panic!("{}", problem.detail))
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_are_acknowledged_while_a_schedule_is_computed() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let (handle, gate, store) = start_writer(&folder).await;
    // The first batch of questions compares neighbours on a ring of all items. When half of them
    // are answered, the next batch is scheduled.
    let mut number = 0;
    while number < ITEM_COUNT / 2 {
        assert_eq!(answer_first_offer(&handle, format!("p{number}")).await, 1);
        number += 1;
    }
    let begun = gate.arrived.recv_timeout(Duration::from_mins(1));
    begun.expect("the computation of a schedule started");
    // While the schedule waits at the gate, all answers are acknowledged.
    for _ in 0..50 {
        assert_eq!(
            answer_first_offer(&handle, format!("p{number}")).await,
            1,
            "the waiting schedule must not be recorded yet"
        );
        number += 1;
    }
    // While one client waits for the schedule, another client gets its reply.
    let patient = {
        let handle = handle.clone();
        tokio::spawn(async move {
            let access = JobAccess::Change;
            let waited = handle.run_job_after_scheduling("c", access, |context| {
                let planned = context.wait_for_schedule();
                let batches = context.campaign.campaign().last_batch();
                Box::pin(async move { planned.map(|()| batches) })
            });
            waited.await.ok()
        })
    };
    answer_first_offer(&handle, format!("p{number}")).await;
    assert!(!patient.is_finished());
    // After the gate opens, the schedule is recorded, although answers arrived since its snapshot.
    for _ in 0..100 {
        let _ = gate.open.send(());
    }
    let batches = patient
        .await
        .expect("the task does not panic")
        .expect("the job succeeds");
    assert!(batches >= 2, "the schedule must be recorded");

    let mut read = store.begin_read().await.expect("a transaction begins");
    let rows = read
        .fetch_all(&sql::EVENT_AFTER, CampaignNumber(1).keys_after(0))
        .await;
    let lines = rows
        .expect("the query succeeds")
        .into_iter()
        .map(|mut row| row.text());
    let lines: Vec<String> = lines
        .map(|line| line.expect("a log row has a line") + "\n")
        .collect();
    let log = log::read(lines.concat().as_bytes()).expect("the rows form a valid log");
    let replayed = Campaign::replay(log.events()).expect("the log can be replayed");
    let state = handle.run_job("c", |context| {
        let state = context.campaign.campaign().snapshot();
        Box::pin(async move { Ok(state) })
    });
    let state = state
        .await
        .unwrap_or_else(|problem| panic!("{}", problem.detail));
    assert_eq!(replayed.snapshot(), state);
}

/// Runs jobs that share a transaction; `run` gets the number of the job. Returns the results.
async fn run_together<F>(
    handle: &WriterHandle,
    count: usize,
    run: F,
) -> Vec<Result<(), HttpProblem>>
where
    F: for<'a, 'b> Fn(usize, &'a mut JobContext<'b>) -> BoxFuture<'a, Result<(), JobError>>
        + Clone
        + Send
        + 'static,
{
    // The first job holds the writer until all others are queued.
    let (begun, queued) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let first = {
        let (handle, begun, queued) = (handle.clone(), begun.clone(), queued.clone());
        tokio::spawn(async move {
            let waited = handle.run_job("c", |_| {
                Box::pin(async move {
                    begun.notify_one();
                    queued.notified().await;
                    Ok(())
                })
            });
            waited.await.is_ok()
        })
    };
    begun.notified().await;
    let jobs: Vec<_> = (0..count)
        .map(|number| {
            let (handle, run) = (handle.clone(), run.clone());
            tokio::spawn(async move {
                let done = handle.run_job("c", move |context| run(number, context));
                done.await
            })
        })
        .collect();
    while handle.jobs.max_capacity() - handle.jobs.capacity() < count {
        tokio::task::yield_now().await;
    }
    queued.notify_one();
    assert!(first.await.expect("the task does not panic"));
    let mut results = Vec::new();
    for job in jobs {
        results.push(job.await.expect("the task does not panic"));
    }
    results
}

#[tokio::test(flavor = "multi_thread")]
async fn server_a1_a_job_that_the_database_refuses_does_not_fail_the_others() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let (handle, _gate, _) = start_writer(&folder).await;
    let commits = || handle.metrics.commits.load(Ordering::Relaxed);
    let before = commits();
    let results = run_together(&handle, 20, |number, context| {
        Box::pin(async move {
            if number % 8 == 3 {
                // There is no such person, so the database refuses the token.
                let values = vec![vec![number as u8].into(), "nobody".into(), 1.into()];
                context.execute(&sql::PERSON_TOKEN_ADD, values).await?;
            }
            let offer = context.campaign.campaign().offers(0).swap_remove(number);
            let person = format!("p{number}");
            let answer = Answer::preference("q", &offer.a, &offer.b, &person, Some(Preference::A));
            context.record(&person, Event::vote(answer))?;
            Ok(())
        })
    })
    .await;
    for (number, result) in results.iter().enumerate() {
        let problem = result.as_ref().err().map(|problem| problem.kind);
        let refused = (number % 8 == 3).then_some(ProblemKind::Unavailable);
        assert_eq!(problem, refused, "job {number}");
    }
    assert_eq!(
        commits() - before,
        2,
        "the other jobs share one transaction"
    );
    let answers = handle.run_job("c", |context| {
        let answers = context.campaign.campaign().answers_with_status().len();
        Box::pin(async move { Ok(answers) })
    });
    assert_eq!(
        answers.await.ok(),
        Some(17),
        "jobs 3, 11 and 19 were refused"
    );
}
