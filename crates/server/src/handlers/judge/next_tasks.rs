//! What to judge next.

use std::sync::Arc;

use axum::extract::State;
use partita_judging::campaign::JudgmentKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::profile::{ProgressView, progress};
use super::task_view::{TaskView, task_view};
use crate::AppState;
use crate::campaign::state::CampaignPhase;
use crate::http::problem::{HttpProblem, ProblemKind};
use crate::http::request::{JsonBody, JsonResponse};
use crate::routes::judge::AuthenticatedAssessor;
use crate::writer::{JobContext, JobError};

/// How many seconds somebody waits before they ask again.
const RETRY: f64 = 5.0;

/// Nothing is said when something is asked for.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NextTasksRequest {}

partita_named::named_enum! {
    /// Whether there is something to do.
    pub(crate) enum WorkState: "state of work" {
        /// there is something
        Work = "work",
        /// there may be something soon
        Wait = "wait",
        /// there is nothing more for this person
        Done = "done",
        /// nobody is asked until the campaign goes on
        Paused = "paused",
        /// the campaign is over
        Ended = "ended",
    }
}

/// What to judge next.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct NextTasksResponse {
    /// Whether there is something.
    state: WorkState,
    /// The tasks, in their order.
    tasks: Vec<TaskView>,
    /// How far this person has come.
    progress: ProgressView,
    /// In how many seconds to ask again, if there may be something.
    retry_after: Option<f64>,
}

pub(crate) async fn next(
    State(shared): State<Arc<AppState>>,
    judge: AuthenticatedAssessor,
    JsonBody(NextTasksRequest {}): JsonBody<NextTasksRequest>,
) -> Result<JsonResponse<NextTasksResponse>, HttpProblem> {
    let AuthenticatedAssessor { person, campaign } = judge;
    let next = shared
        .writer
        .run_job_after_scheduling(&campaign, move |turn| {
            let person = person.clone();
            Box::pin(async move { next_tasks(turn, &person).await })
        });
    Ok(JsonResponse(next.await?))
}

async fn next_tasks(
    turn: &mut JobContext<'_>,
    person: &str,
) -> Result<NextTasksResponse, JobError> {
    let state = assign_tasks(turn, person).await?;
    let kind = turn.campaign.assessor(person)?.kind;
    let mut tasks = Vec::new();
    if state == WorkState::Work {
        let live = turn.campaign.live_tasks(person).into_iter();
        tasks.extend(live.map(|task| task_view(turn.campaign, task)));
        for task in &mut tasks {
            task.take_draft(turn.transaction).await?;
        }
    }
    let waits = matches!(state, WorkState::Wait | WorkState::Paused);
    let over = matches!(state, WorkState::Done | WorkState::Ended);
    Ok(NextTasksResponse {
        state,
        tasks,
        progress: progress(turn, person, kind, over),
        retry_after: waits.then_some(RETRY),
    })
}

/// Gives somebody as many tasks as they are to have at a time, and says whether they have any.
pub(crate) async fn assign_tasks(
    turn: &mut JobContext<'_>,
    id: &str,
) -> Result<WorkState, JobError> {
    let mut person = turn.campaign.assessor(id)?.clone();
    let document = turn.campaign.document.clone();
    let agreed = document.consent.as_ref().map(|consent| &consent.version);
    if agreed.is_some() && person.consent.as_ref() != agreed {
        let detail = "the consent text must be accepted first";
        return Err(HttpProblem::new(ProblemKind::Consent, detail).into());
    }
    match turn.campaign.phase() {
        CampaignPhase::Closed => return Ok(WorkState::Ended),
        CampaignPhase::Paused => return Ok(WorkState::Paused),
        CampaignPhase::Open => {}
    }
    if turn.campaign.campaign().is_excluded(id) {
        return Ok(WorkState::Ended);
    }
    let mut live = turn.campaign.live_tasks(id).len() as u32;
    if person.outcome.is_some() && live == 0 {
        return Ok(WorkState::Done);
    }
    let left = (document.judging.per_person)
        .map(|most| most.saturating_sub(turn.campaign.answer_count(id)));
    let wanted = left.map_or(document.judging.ahead, |left| {
        left.min(document.judging.ahead)
    });
    while live < wanted && person.outcome.is_none() {
        let Some(chosen) = turn.campaign.choose_next(id, person.kind, turn.now) else {
            break;
        };
        turn.campaign.assign(id, chosen, turn.now)?;
        live += 1;
    }
    if live > 0 {
        if person.waits_since.take().is_some() {
            turn.campaign
                .update_assessor(turn.transaction, person)
                .await?;
        }
        return Ok(WorkState::Work);
    }
    if left == Some(0) {
        return Ok(WorkState::Done);
    }
    if person.kind == JudgmentKind::Preference && person.outcome.is_none() {
        turn.wait_for_schedule()?;
    }
    if !may_get_work_later(turn, person.kind) {
        return Ok(WorkState::Done);
    }
    let since = match person.waits_since {
        Some(since) => since,
        None => {
            person.waits_since = Some(turn.now.0);
            turn.campaign
                .update_assessor(turn.transaction, person)
                .await?;
            turn.now.0
        }
    };
    let patience = i64::from(document.judging.wait_seconds) * 1_000;
    Ok(if turn.now.0 - since >= patience {
        WorkState::Done
    } else {
        WorkState::Wait
    })
}

/// Whether there may be something later for somebody for whom there is nothing now.
fn may_get_work_later(turn: &JobContext<'_>, kind: JudgmentKind) -> bool {
    match kind {
        JudgmentKind::Preference => !turn.campaign.is_settled(),
        // What others have may come back.
        JudgmentKind::Ranking | JudgmentKind::Grading => turn.campaign.lease_count() > 0,
    }
}
