//! What could not be judged.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use partita_judging::campaign::{Defect as Trouble, DefectReport, Event, Question};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::task_view::shuffled_items;
use crate::AppState;
use crate::campaign::state::{OpenTask, TaskState};
use crate::http::problem::{HttpProblem, ProblemKind};
use crate::http::request::{JsonBody, JsonResponse};
use crate::routes::judge::AuthenticatedAssessor;
use crate::store::statement as sql;
use crate::writer::{JobContext, JobError};

/// The most characters of a note.
const MOST_NOTE: usize = 4_000;

/// What could not be judged, and why.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TaskReportRequest {
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
pub(crate) struct TaskReportReceipt {
    /// The task, which does not come back.
    task: String,
}

pub(crate) async fn report(
    State(shared): State<Arc<AppState>>,
    judge: AuthenticatedAssessor,
    JsonBody(report): JsonBody<TaskReportRequest>,
) -> Result<Response, HttpProblem> {
    let AuthenticatedAssessor { person, campaign } = judge;
    let kept = shared.writer.run_job(&campaign, |turn| {
        Box::pin(async move { save_report(turn, &person, report).await })
    });
    Ok((StatusCode::CREATED, JsonResponse(kept.await?)).into_response())
}

async fn save_report(
    turn: &mut JobContext<'_>,
    person: &str,
    report: TaskReportRequest,
) -> Result<TaskReportReceipt, JobError> {
    let task = turn.campaign.task(&report.task, person).cloned();
    let task = task.ok_or_else(|| HttpProblem::new(ProblemKind::Task, "you have no such task"))?;
    let wrong_part = || HttpProblem::invalid_field("/part", "this task has no such part");
    let item = match (&task.question, report.part.as_str()) {
        (_, "query") => None,
        (Question::Preference { a, .. }, "a") => Some(a.clone()),
        (Question::Preference { b, .. }, "b") => Some(b.clone()),
        (Question::Grade { item, .. }, "item") => Some(item.clone()),
        (Question::Ranking { .. }, key) => {
            let items = shuffled_items(turn.campaign, &task);
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
        return Err(HttpProblem::invalid_field("/note", detail).into());
    }
    let query = task.question.query().to_owned();
    // What cannot be judged is in no other task that they have.
    let shows = |other: &&OpenTask| {
        let same = other.id != task.id && other.question.query() == query;
        same && match (&other.question, &item) {
            (_, None) => true,
            (Question::Preference { a, b, .. }, Some(item)) => a == item || b == item,
            (Question::Grade { item: other, .. }, Some(item)) => other == item,
            (Question::Ranking { .. }, Some(_)) => false,
        }
    };
    let others = turn.campaign.live_tasks(person).into_iter().filter(shows);
    let others: Vec<String> = others.map(|other| other.id.clone()).collect();
    let reported = Event::Reported(DefectReport {
        query,
        item,
        assessor: person.to_owned(),
        problem: report.problem,
    });
    turn.campaign.record(turn.now, person, vec![reported])?;
    turn.campaign.end_task(&task.id, TaskState::Reported)?;
    for other in others {
        turn.campaign.end_task(&other, TaskState::Returned)?;
    }
    if let Some(note) = report.note.filter(|note| !note.trim().is_empty()) {
        let values = vec![
            turn.campaign.name.as_str().into(),
            person.into(),
            task.row_key.into(),
            "report".into(),
            turn.now.0.into(),
            note.into(),
        ];
        turn.transaction.execute(&sql::REMARK_ADD, values).await?;
    }
    Ok(TaskReportReceipt { task: task.id })
}
