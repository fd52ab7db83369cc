//! The end of somebody's work.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use schemars::JsonSchema;
use serde::Deserialize;

use super::next_tasks::{WorkState, assign_tasks};
use crate::AppState;
use crate::campaign::recruiter::{OutcomeView, RecruiterClaim, WorkOutcome};
use crate::campaign::state::TaskState;
use crate::http::problem::{HttpProblem, ProblemKind};
use crate::http::request::{JsonBody, JsonResponse};
use crate::routes::judge::AuthenticatedAssessor;
use crate::store::statement as sql;
use crate::store::{StoreError, fetch_optional};
use crate::writer::{JobContext, JobError};

/// That somebody ends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FinishRequest {
    /// Whether they stop although there is more to do.
    #[serde(default)]
    stop: bool,
}

pub(crate) async fn finish(
    State(shared): State<Arc<AppState>>,
    judge: AuthenticatedAssessor,
    JsonBody(finish): JsonBody<FinishRequest>,
) -> Result<JsonResponse<OutcomeView>, HttpProblem> {
    let AuthenticatedAssessor { person, campaign } = judge;
    let ended = shared
        .writer
        .run_job_after_scheduling(&campaign, move |turn| {
            let person = person.clone();
            Box::pin(async move { end(turn, &person, finish.stop).await })
        });
    Ok(JsonResponse(ended.await?))
}

async fn end(turn: &mut JobContext<'_>, id: &str, stop: bool) -> Result<OutcomeView, JobError> {
    let person = turn.campaign.assessor(id)?.clone();
    let end = match person.outcome {
        Some(end) => end,
        None => {
            let end = determine_outcome(turn, id, stop).await?;
            let live = turn.campaign.live_tasks(id).into_iter();
            let live: Vec<String> = live.map(|task| task.id.clone()).collect();
            for task in live {
                turn.campaign.end_task(&task, TaskState::Returned)?;
            }
            let mut person = turn.campaign.assessor(id)?.clone();
            person.outcome = Some(end);
            turn.campaign
                .update_assessor(turn.transaction, person)
                .await?;
            end
        }
    };
    let claim = claim(turn, id).await?;
    let document = turn.campaign.document.clone();
    Ok(match &document.recruiter {
        Some(recruiter) if claim.is_some() => {
            recruiter.outcome(end, id, claim.as_ref(), turn.secret)
        }
        // Whoever was invited can show that they were done.
        _ => OutcomeView {
            outcome: end,
            code: Some(turn.secret.completion_code(id, end)),
            url: None,
            name: None,
        },
    })
}

/// How somebody's work ends now.
async fn determine_outcome(
    turn: &mut JobContext<'_>,
    id: &str,
    stop: bool,
) -> Result<WorkOutcome, JobError> {
    if turn.campaign.campaign().is_excluded(id) {
        return Ok(WorkOutcome::Refused);
    }
    let state = match assign_tasks(turn, id).await {
        // Who does not agree has done nothing and may go.
        Err(JobError::Problem(problem)) if problem.kind == ProblemKind::Consent && stop => {
            return Ok(WorkOutcome::Refused);
        }
        other => other?,
    };
    match state {
        WorkState::Done => Ok(WorkOutcome::Complete),
        WorkState::Ended => Ok(WorkOutcome::Ended),
        WorkState::Work | WorkState::Wait | WorkState::Paused if stop => Ok(WorkOutcome::Partial),
        WorkState::Work | WorkState::Wait | WorkState::Paused => {
            let detail = "there are unfinished tasks";
            Err(HttpProblem::new(ProblemKind::Unfinished, detail).into())
        }
    }
}

/// What a panel said of somebody.
async fn claim(turn: &mut JobContext<'_>, id: &str) -> Result<Option<RecruiterClaim>, StoreError> {
    let values = vec![turn.campaign.name.as_str().into(), id.into()];
    let Some(mut found) = fetch_optional(turn.transaction, &sql::CLAIM_OF, values).await? else {
        return Ok(None);
    };
    let (value, params) = (found.text()?, found.text()?);
    let captured: BTreeMap<String, String> =
        serde_json::from_str(&params).map_err(|error| StoreError::Corrupted(error.to_string()))?;
    Ok(Some(RecruiterClaim {
        id: value,
        captured,
    }))
}
