//! What could not be judged.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use partita_judging::campaign::{Event, Problem as Trouble, Reported, Task};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Judge;
use super::task::keyed;
use crate::Shared;
use crate::desk::room::{OpenTask, TaskState};
use crate::desk::{Refused, Turn};
use crate::problem::{Problem, ProblemKind};
use crate::request::{Body, Json};
use crate::store::statement as sql;

/// The most characters of a note.
const MOST_NOTE: usize = 4_000;

/// What could not be judged, and why.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Report {
    /// The task.
    task: String,
    /// query, a, b, item, or the key of an item.
    part: String,
    /// What was wrong.
    problem: Trouble,
    /// More about it.
    #[serde(default)]
    #[schemars(length(max = MOST_NOTE))]
    note: Option<String>,
}

/// What is said of a report.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ReportReceipt {
    /// The task, which does not come back.
    task: String,
}

pub(super) async fn report(
    State(shared): State<Arc<Shared>>,
    judge: Judge,
    Body(report): Body<Report>,
) -> Result<Response, Problem> {
    let Judge { person, campaign } = judge;
    let kept = shared.desk.turn(&campaign, |turn| {
        Box::pin(async move { keep(turn, &person, report).await })
    });
    Ok((StatusCode::CREATED, Json(kept.await?)).into_response())
}

async fn keep(turn: &mut Turn<'_>, person: &str, report: Report) -> Result<ReportReceipt, Refused> {
    let task = turn.room.task(&report.task, person).cloned();
    let task =
        task.ok_or_else(|| Problem::new(ProblemKind::Task, "there is no such task of yours"))?;
    let wrong_part = || Problem::at("/part", "this task has no such part");
    let item = match (&task.task, report.part.as_str()) {
        (_, "query") => None,
        (Task::Preference { a, .. }, "a") => Some(a.clone()),
        (Task::Preference { b, .. }, "b") => Some(b.clone()),
        (Task::Grading { item, .. }, "item") => Some(item.clone()),
        (Task::Ranking { .. }, key) => {
            let items = keyed(turn.room, &task);
            let found = items.into_iter().find(|(known, _)| known == key);
            Some(found.ok_or_else(wrong_part)?.1)
        }
        _ => return Err(wrong_part().into()),
    };
    if report
        .note
        .as_ref()
        .is_some_and(|note| note.chars().count() > MOST_NOTE)
    {
        let detail = format!("at most {MOST_NOTE} characters");
        return Err(Problem::at("/note", detail).into());
    }
    let query = task.task.query().to_owned();
    // What cannot be judged is in no other task that they have.
    let shows = |other: &&OpenTask| {
        let same = other.id != task.id && other.task.query() == query;
        same && match (&other.task, &item) {
            (_, None) => true,
            (Task::Preference { a, b, .. }, Some(item)) => a == item || b == item,
            (Task::Grading { item: other, .. }, Some(item)) => other == item,
            (Task::Ranking { .. }, Some(_)) => false,
        }
    };
    let others = turn.room.live_tasks(person).into_iter().filter(shows);
    let others: Vec<String> = others.map(|other| other.id.clone()).collect();
    let reported = Event::Reported(Reported {
        query,
        item,
        assessor: person.to_owned(),
        problem: report.problem,
    });
    turn.room.record(turn.now, person, vec![reported])?;
    turn.room.end_task(&task.id, TaskState::Reported)?;
    for other in others {
        turn.room.end_task(&other, TaskState::Returned)?;
    }
    if let Some(note) = report.note.filter(|note| !note.trim().is_empty()) {
        let values = vec![
            turn.room.name.as_str().into(),
            person.into(),
            task.place.into(),
            "report".into(),
            turn.now.0.into(),
            note.into(),
        ];
        turn.transaction.run(&sql::REMARK_ADD, values).await?;
    }
    Ok(ReportReceipt { task: task.id })
}
