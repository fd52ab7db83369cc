//! Reports of assessors on tasks that cannot be judged, for example because a clip is broken.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use partita::judging::campaign::{Defect, DefectReport, Event, JudgmentKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::task_view::shuffled_items;
use crate::AppState;
use crate::auth::assessor::AuthenticatedAssessor;
use crate::campaign::state::{OpenTask, TaskState};
use crate::http::problem::{HttpProblem, ProblemKind};
use crate::http::request::{JsonBody, JsonResponse, check_length};
use crate::writer::{JobContext, JobError};

/// Maximum length of the note in a report, in characters.
const MAX_NOTE_CHARS: usize = 4_000;

/// Report of an assessor that a task cannot be judged.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TaskReportRequest {
    /// Id of the reported task.
    task: String,
    /// Affected part of the task: `query`, `a`, `b`, `item`, or the key of an item to rank.
    part: String,
    /// Kind of defect.
    problem: Defect,
    /// Further explanation by the assessor.
    #[serde(default)]
    #[schemars(length(max = MAX_NOTE_CHARS))]
    note: Option<String>,
}

/// Receipt of the report of a task.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TaskReportReceipt {
    /// Id of the reported task, which is not assigned again.
    task: String,
}

/// Records that a task cannot be judged, and withdraws the task.
pub(crate) async fn report_task(
    State(shared): State<Arc<AppState>>,
    judge: AuthenticatedAssessor,
    JsonBody(report): JsonBody<TaskReportRequest>,
) -> Result<Response, HttpProblem> {
    let AuthenticatedAssessor { person, campaign } = judge;
    let kept = shared.writer.run_job(&campaign, |context| {
        Box::pin(async move { save_report(context, &person, report).await })
    });
    Ok((StatusCode::CREATED, JsonResponse(kept.await?)).into_response())
}

/// Records the report in the log, withdraws the task, and returns the assessor's other tasks that
/// show the affected stimulus.
async fn save_report(
    context: &mut JobContext<'_>,
    person: &str,
    report: TaskReportRequest,
) -> Result<TaskReportReceipt, JobError> {
    context.refuse_erased(person)?;
    let task = context.campaign.task(&report.task, person).cloned();
    let task =
        task.ok_or_else(|| HttpProblem::new(ProblemKind::UnknownTask, "you have no such task"))?;
    let wrong_part = || HttpProblem::invalid_field("/part", "this task has no such part");
    let part = report.part.as_str();
    let item = match (task.question.kind, &task.question.items[..]) {
        _ if part == "query" => None,
        (JudgmentKind::Preference, [a, _]) if part == "a" => Some(a.clone()),
        (JudgmentKind::Preference, [_, b]) if part == "b" => Some(b.clone()),
        (JudgmentKind::Grading, [item]) if part == "item" => Some(item.clone()),
        (JudgmentKind::Ranking, _) => {
            let items = shuffled_items(context.campaign, &task);
            let found = items.into_iter().find(|(known, _)| known == part);
            Some(found.ok_or_else(wrong_part)?.1)
        }
        _ => return Err(wrong_part().into()),
    };
    check_length("/note", report.note.as_deref(), MAX_NOTE_CHARS)?;
    let query = task.question.query.clone();
    let reported = Event::Reported(DefectReport {
        query: query.clone(),
        item: item.clone(),
        assessor: person.to_owned(),
        problem: report.problem,
    });
    context.record(person, reported)?;
    // Also return the assessor's other tasks that show the affected stimulus, or all of them after
    // the last report in a row.
    let stopped = context.campaign.campaign().is_stopped_by_reports(person);
    let shows = |other: &&OpenTask| {
        let same = other.question.query == query;
        same && (item.as_ref()).is_none_or(|item| other.question.items.contains(item))
    };
    let others = context.campaign.live_tasks(person).into_iter();
    let others = others.filter(|other| other.id != task.id && (stopped || shows(other)));
    let others: Vec<String> = others.map(|other| other.id.clone()).collect();
    context.campaign.end_task(&task.id, TaskState::Reported)?;
    for other in others {
        context.campaign.end_task(&other, TaskState::Returned)?;
    }
    context.insert_remark(&task, "report", report.note).await?;
    Ok(TaskReportReceipt { task: task.id })
}
