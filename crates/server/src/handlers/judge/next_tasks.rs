//! Assignment of the next tasks to an assessor.

use std::sync::Arc;

use axum::extract::State;
use partita::judging::campaign::{JudgmentKind, WorkForecast, asks_for_votes};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::enter::take_place;
use super::profile::{ProgressView, progress};
use super::task_view::TaskView;
use crate::AppState;
use crate::auth::assessor::AuthenticatedAssessor;
use crate::campaign::state::{AssessorRecord, CampaignPhase};
use crate::http::problem::{HttpProblem, ProblemKind};
use crate::http::request::{JsonBody, JsonResponse};
use crate::writer::{JobAccess, JobContext, JobError};

/// Delay in seconds after which a client without tasks should send the request again.
const RETRY_SECONDS: f64 = 5.0;

/// Request for the next tasks; it has no fields.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NextTasksRequest {}

partita::named::named_enum! {
    /// State of an assessor's work.
    pub(crate) enum WorkState: "state of work" {
        /// there are tasks
        Work = "work",
        /// there may be tasks soon
        Wait = "wait",
        /// no more tasks for this person
        Done = "done",
        /// no tasks until the campaign is resumed
        Paused = "paused",
        /// the campaign is closed
        Ended = "ended",
    }
}

/// Tasks currently leased to an assessor, and the state of their work.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct NextTasksResponse {
    /// State of the assessor's work, for example waiting for tasks.
    state: WorkState,
    /// Tasks currently leased to the assessor, in the order of assignment; empty unless the state
    /// is `work`.
    tasks: Vec<TaskView>,
    /// Number of tasks that the assessor has answered and can answer.
    progress: ProgressView,
    /// Delay in seconds after which the client should ask again; `null` unless the state is `wait`
    /// or `paused`.
    retry_after: Option<f64>,
}

/// Assigns the next tasks to an assessor and returns all tasks currently leased to them.
pub(crate) async fn next_tasks(
    State(shared): State<Arc<AppState>>,
    judge: AuthenticatedAssessor,
    JsonBody(NextTasksRequest {}): JsonBody<NextTasksRequest>,
) -> Result<JsonResponse<NextTasksResponse>, HttpProblem> {
    let AuthenticatedAssessor { person, campaign } = judge;
    let forecast = shared.forecasts.latest(&campaign);
    let next =
        shared
            .writer
            .run_job_after_scheduling(&campaign, JobAccess::Change, move |context| {
                let (person, forecast) = (person.clone(), forecast.clone());
                Box::pin(
                    async move { next_tasks_response(context, &person, forecast.as_deref()).await },
                )
            });
    let next = next.await?;
    if next.progress.needs_forecast() {
        // The page shows the new estimate after the next answer.
        let (shared, campaign) = (shared.clone(), campaign.clone());
        tokio::spawn(async move { shared.refresh_forecast(&campaign).await });
    }
    Ok(JsonResponse(next))
}

/// Assigns the next tasks to an assessor and builds the response.
async fn next_tasks_response(
    context: &mut JobContext<'_>,
    person: &str,
    forecast: Option<&WorkForecast>,
) -> Result<NextTasksResponse, JobError> {
    context.refuse_erased(person)?;
    let state = assign_tasks(context, person).await?;
    let kind = context.campaign.assessor(person)?.kind;
    let mut tasks = Vec::new();
    if state == WorkState::Work {
        let live = context.campaign.live_tasks(person).into_iter();
        tasks.extend(live.map(|task| TaskView::new(context.campaign, task)));
        for task in &mut tasks {
            task.load_draft(context.transaction).await?;
        }
    }
    let waits = matches!(state, WorkState::Wait | WorkState::Paused);
    let over = matches!(state, WorkState::Done | WorkState::Ended);
    Ok(NextTasksResponse {
        state,
        tasks,
        progress: progress(context, person, kind, over, forecast),
        retry_after: waits.then_some(RETRY_SECONDS),
    })
}

/// Assigns tasks until the assessor holds `judging.ahead` of them, reaches their limit or no
/// question is available, and returns the state of their work. An assessor who has waited for tasks
/// for `judging.wait_seconds` or longer is done, and so is one whom their reports have stopped. Fails
/// if the assessor has not given the required consent, or all places of their recruiter are taken.
pub(crate) async fn assign_tasks(
    context: &mut JobContext<'_>,
    id: &str,
) -> Result<WorkState, JobError> {
    let mut person = context.campaign.assessor(id)?.clone();
    let spec = context.campaign.spec().clone();
    let agreed = spec.consent.as_ref().map(|consent| &consent.version);
    if agreed.is_some() && person.consent.as_ref() != agreed {
        let detail = "the consent text must be accepted first";
        return Err(HttpProblem::new(ProblemKind::ConsentMissing, detail).into());
    }
    match context.campaign.phase() {
        CampaignPhase::Closed => return Ok(WorkState::Ended),
        CampaignPhase::Paused => {
            keep_place(context, person).await?;
            return Ok(WorkState::Paused);
        }
        // The writer has already refused changes to a damaged campaign.
        CampaignPhase::Open | CampaignPhase::Damaged => {}
    }
    if context.campaign.campaign().is_excluded(id) {
        return Ok(WorkState::Ended);
    }
    // Their reports must not use up all questions: only the organiser lets them go on.
    if context.campaign.campaign().is_stopped_by_reports(id) {
        return Ok(WorkState::Done);
    }
    let mut live = context.campaign.live_tasks(id).len() as u32;
    if person.outcome.is_some() && live == 0 {
        return Ok(WorkState::Done);
    }
    let left = (spec.judging.per_person)
        .map(|most| most.saturating_sub(context.campaign.answer_count(id)));
    let wanted = left.map_or(spec.judging.ahead, |left| left.min(spec.judging.ahead));
    let known = (person.waits_since, person.place, person.ended);
    while live < wanted && person.outcome.is_none() {
        let Some(chosen) = context.campaign.choose_next(id, person.kind, context.now) else {
            break;
        };
        take_place(context, &mut person).await?;
        context.campaign.assign(id, chosen, context.now)?;
        live += 1;
    }
    if live > 0 {
        person.waits_since = None;
        if person.outcome.is_none() {
            // The person has work again, for example after a readmission.
            person.ended = None;
        }
        if known != (person.waits_since, person.place, person.ended) {
            context.update_assessor(person).await?;
        }
        return Ok(WorkState::Work);
    }
    if left == Some(0) {
        return Ok(WorkState::Done);
    }
    if asks_for_votes(person.kind) && person.outcome.is_none() {
        context.wait_for_schedule()?;
    }
    if !may_get_work_later(context, person.kind) {
        return Ok(WorkState::Done);
    }
    let since = match person.waits_since {
        Some(since) => {
            keep_place(context, person).await?;
            since
        }
        None => {
            person.waits_since = Some(context.now.0);
            context.update_assessor(person).await?;
            context.now.0
        }
    };
    let max_wait = i64::from(spec.judging.wait_seconds) * 1_000;
    Ok(if context.now.0 - since >= max_wait {
        WorkState::Done
    } else {
        WorkState::Wait
    })
}

/// Extends the place of a recruited assessor who waits, once half of its time is over. Does nothing
/// if the assessor holds none.
async fn keep_place(
    context: &mut JobContext<'_>,
    mut person: AssessorRecord,
) -> Result<(), JobError> {
    let half = i64::from(context.campaign.spec().judging.lease_seconds) * 500;
    let ends_soon = person
        .place
        .is_some_and(|until| until < context.now.0 + half);
    if ends_soon && context.campaign.holds_place(&person, context.now) {
        take_place(context, &mut person).await?;
        context.update_assessor(person).await?;
    }
    Ok(())
}

/// Returns true if an assessor without tasks may get some later: new pair questions, or rankings
/// and grades whose leases end without an answer.
fn may_get_work_later(context: &JobContext<'_>, kind: JudgmentKind) -> bool {
    match asks_for_votes(kind) {
        true => !context.campaign.has_all_votes(),
        // Tasks leased to other assessors may come back. Without a limit on assessors, leases take
        // no question away.
        false => {
            let is_limited = context.campaign.spec().judging.graders_for(kind).is_some();
            is_limited && context.campaign.lease_count() > 0
        }
    }
}
